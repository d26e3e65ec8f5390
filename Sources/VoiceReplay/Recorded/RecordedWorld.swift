import VoiceCore
import VoiceRecording
import VoiceVocabulary

/// The outside world of a recorded session, in virtual time: every part of it does again what it did, as long behind what
/// it waited for as in the session, and only if the session does that. Timers are the session's own and run anew.
///
/// From the moment in which the session treats a part otherwise than it was treated when it was recorded, what that part
/// would have done is not known. It is improvised then, and `improvised` says what is missing.
///
/// One task drives it.
final class RecordedWorld: EventSource {
  /// A session that is not over so long after its recording was never will be.
  private static let patienceMilliseconds = 1_800_000
  /// A user does not wait for ever for what he waited for in the recording.
  private static let userPatienceMilliseconds: Int64 = 60_000

  private struct Progress {
    var next = 0
    /// When each approach was made.
    var approaches: [SessionTime] = []
    /// Of what happened last in the lane, by the recording and now.
    var last: (recorded: SessionTime, now: SessionTime)?
    var isScheduled = false
    /// The rest of its recording counts no more.
    var isLeft = false
    /// How many of the frames in a row were given.
    var repetitions = 0
  }

  private struct Hearing {
    var now = HeardSound()
    /// By count: what had been heard then, and when.
    var reached: [Int: (sound: HeardSound, time: SessionTime)] = [0: (HeardSound(), .zero)]
    var needed: Set<Int> = []
    var isGarbled = false
  }

  private enum Planned {
    case lane(RecordedLane)
    case happen(() -> VoiceEvent?)
  }

  private let lanes: RecordedLanes
  private let limit: SessionTime
  private var progress: [RecordedLane: Progress] = [:]
  private var hearing: [ConnectionID: Hearing] = [:]
  /// Latest first.
  private var plan: [(time: SessionTime, step: Int, what: Planned)] = []
  private var timers = SimulatedTimers()
  private var armingCounts: [TimerID: Int] = [:]
  /// When a user saw what he waited for, for the `count`th time.
  private var seen: [Fixture.Trigger: [SessionTime]] = [:]
  private var bystanders = Bystanders()
  private var improvisation = Improvisation()
  private(set) var now = SessionTime.zero

  private var gatherer = LogGatherer()
  private var rules = SessionRules()
  private var counts = EventCounts()
  private var lines: [LogLine] = []
  private var handedOn: [Instruction] = []
  private var breaches: [SimulatedWorld.Breach] = []
  /// What the recording does not tell, a sentence each.
  private(set) var unknown: [String] = []

  init(_ lanes: RecordedLanes) {
    self.lanes = lanes
    limit = lanes.hasEnd ? lanes.end.advanced(byMilliseconds: Self.patienceMilliseconds) : lanes.end
    for case (.connection(let connection), let script) in lanes.scripts {
      hearing[connection, default: .init()].needed = Set(script.occurrences.compactMap(\.heard?.count))
    }
    for lane in lanes.scripts.keys { schedule(lane) }
  }

  /// Run a session in it.
  func replay() async -> WorldReplay {
    var session = VoiceSession(ports: .silent(recorder: self))
    let outcome = await session.run(self)
    if let last = gatherer.flush() { lines.append(last) }
    return WorldReplay(
      outcome: outcome, handedOn: handedOn, duration: now, lines: lines, breaches: breaches, counts: counts,
      unknown: unknown)
  }

  func next() async -> StampedEvent? {
    while let first = plan.last, first.time <= limit {
      plan.removeLast()
      now = first.time
      let event: VoiceEvent? =
        switch first.what {
        case .lane(let lane): advance(lane)
        case .happen(let happen): happen()
        }
      if let event { return StampedEvent(time: now, event: event) }
    }
    return nil
  }

  // MARK: Lanes

  /// Plan what comes next in a lane, if everything that it waits for is there.
  private func schedule(_ lane: RecordedLane) {
    let state = progress[lane] ?? Progress()
    guard !state.isScheduled, !state.isLeft, let script = lanes.scripts[lane], state.next < script.occurrences.count
    else { return }
    let occurrence = script.occurrences[state.next]
    guard let time = due(occurrence, in: lane, script, state) else { return }
    progress[lane, default: Progress()].isScheduled = true
    insert(max(now, time), occurrence.step, .lane(lane))
  }

  /// As long behind each thing that it waits for as in the recording; nil if one of them is still to come.
  private func due(
    _ occurrence: RecordedLanes.Occurrence, in lane: RecordedLane, _ script: RecordedLanes.Script, _ state: Progress
  ) -> SessionTime? {
    guard state.approaches.count >= occurrence.approaches else { return nil }
    func later(_ recorded: SessionTime, _ now: SessionTime) -> SessionTime {
      SessionTime(microseconds: now.microseconds + occurrence.time.microseconds - recorded.microseconds)
    }
    var times: [SessionTime] = []
    if let last = state.last { times.append(later(last.recorded, last.now)) }
    if occurrence.approaches > 0 {
      let index = occurrence.approaches - 1
      times.append(later(script.approaches[index].time, state.approaches[index]))
    }
    var due = times.max() ?? occurrence.time
    if case .connection(let connection) = lane, let heard = occurrence.heard {
      guard let reached = hearing[connection]?.reached[heard.count] else { return nil }
      due = max(due, reached.time)
    }
    if let awaited = occurrence.awaited {
      let times = seen[awaited.trigger] ?? []
      due =
        times.count >= awaited.count
        ? max(due, later(awaited.time, times[awaited.count - 1]))
        : SessionTime(microseconds: due.microseconds + Self.userPatienceMilliseconds * 1000)
    }
    return due
  }

  private func advance(_ lane: RecordedLane) -> VoiceEvent? {
    guard var state = progress[lane], let script = lanes.scripts[lane] else {
      preconditionFailure("nothing is to come in \(lane)")
    }
    state.isScheduled = false
    defer {
      progress[lane] = state
      schedule(lane)
    }
    guard !state.isLeft else { return nil }
    let occurrence = script.occurrences[state.next]
    var event = occurrence.event
    if case .microphoneFrame(var frame) = event {
      frame.position += state.repetitions * PCM.frameSamples
      event = .microphoneFrame(frame: frame)
    }
    state.last = (occurrence.time, now)
    state.repetitions += 1
    if state.repetitions == occurrence.repeated {
      state.repetitions = 0
      state.next += 1
    }
    if case .connection(let connection) = lane, let heard = occurrence.heard { return judge(event, connection, heard) }
    return event
  }

  /// A server that did not get the sound that it got in the recording understands nothing from there on.
  private func judge(_ event: VoiceEvent, _ connection: ConnectionID, _ heard: HeardSound) -> VoiceEvent {
    guard let ear = hearing[connection] else { preconditionFailure("nobody listens on \(connection)") }
    if ear.reached[heard.count]?.sound != heard, !ear.isGarbled {
      hearing[connection]?.isGarbled = true
      unknown.append("what the live model would have made of other sound on connection \(connection.rawValue)")
    }
    return hearing[connection]?.isGarbled ?? false ? event.garbled : event
  }

  private func insert(_ time: SessionTime, _ step: Int, _ what: Planned) {
    var index = plan.count
    while index > 0, (plan[index - 1].time, plan[index - 1].step) <= (time, step) { index -= 1 }
    plan.insert((time, step, what), at: index)
  }

  // MARK: What the session does

  private func follow(_ action: VoiceAction) {
    for (lane, approach) in bystanders.approached(by: action) { self.approach(lane, approach, by: action) }
    switch action {
    case .sendAudio(let connection, let frame): hear(on: connection) { $0.hear(frame) }
    case .sendActivityStart(let connection), .sendActivityEnd(let connection): hear(on: connection) { $0.hearMark() }
    case .startRun(_, let instruction), .steerRun(_, let instruction): handedOn.append(instruction)
    case .startTimer(let timer, let milliseconds): arm(timer, milliseconds: milliseconds)
    case .cancelTimer(let timer): timers.disarm(timer)
    case .show(let notice):
      guard let trigger = Fixture.Trigger(notice), trigger.isAwaited else { return }
      seen[trigger, default: []].append(now)
      reschedule(.user)
    default: break
    }
  }

  private func approach(_ lane: RecordedLane, _ approach: Approach, by action: VoiceAction) {
    var state = progress[lane] ?? Progress()
    let known = lanes.scripts[lane]?.approaches ?? []
    let index = state.approaches.count
    state.approaches.append(now)
    if !state.isLeft, !known.indices.contains(index) || known[index].approach != approach {
      state.isLeft = true
      unknown.append(lane.unknown(approach))
    }
    progress[lane] = state
    guard state.isLeft else { return schedule(lane) }
    for (milliseconds, event) in improvisation.answer(to: action, in: lane) {
      insert(now.advanced(byMilliseconds: milliseconds), .max, .happen { event })
    }
  }

  private func hear(on connection: ConnectionID, _ hear: (inout HeardSound) -> Void) {
    var hearing = hearing[connection] ?? .init()
    hear(&hearing.now)
    let isNeeded = hearing.needed.contains(hearing.now.count)
    if isNeeded { hearing.reached[hearing.now.count] = (hearing.now, now) }
    self.hearing[connection] = hearing
    if isNeeded { schedule(.connection(connection)) }
  }

  /// What was planned for later may come sooner.
  private func reschedule(_ lane: RecordedLane) {
    guard progress[lane]?.isScheduled ?? false else { return schedule(lane) }
    plan.removeAll { if case .lane(lane) = $0.what { true } else { false } }
    progress[lane]?.isScheduled = false
    schedule(lane)
  }

  private func arm(_ timer: TimerID, milliseconds: Int) {
    let arming = timers.arm(timer)
    let index = armingCounts[timer, default: 0]
    armingCounts[timer] = index + 1
    let recorded = lanes.timers[timer] ?? []
    let known = recorded.indices.contains(index) ? recorded[index] : nil
    let microseconds = known?.microseconds ?? Int64(milliseconds) * 1000
    insert(
      SessionTime(microseconds: now.microseconds + microseconds), known?.step ?? .max,
      .happen { [self] in timers.fires(timer, arming) ? .timerFired(timer: timer) : nil })
  }
}

extension RecordedWorld: RecorderPort {
  func record(_ step: VoiceStep) {
    lines += gatherer.append(step)
    counts.count(step.event)
    let known = rules.violations.count
    rules.check(step.event, step.actions, at: step.time)
    for text in rules.violations[known...] {
      breaches.append(.init(step: step.sequence, time: step.time, text: text))
    }
    for action in step.actions { follow(action) }
  }

  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}
