import VoiceCore
import VoiceRecording
import VoiceVocabulary

/// What the outside world did in a recorded session, lane by lane, each thing with what it waited for.
struct RecordedLanes: Sendable {
  /// Something that happened in a lane.
  struct Occurrence: Sendable {
    let event: VoiceEvent
    let time: SessionTime
    /// Its step, which tells what comes first of what happens at the same time.
    let step: Int
    /// Frames in a row, each behind the one before.
    var repeated = 1
    /// How often the lane had been approached by then.
    let approaches: Int
    /// What a server had heard by then, if this is a server's.
    var heard: HeardSound?
    /// What the user had seen by then, if he waited for something.
    var awaited: Awaited?
  }

  /// What a user waited for before he did something: the newest thing that people wait for, and how often it had happened.
  struct Awaited: Sendable {
    let trigger: Fixture.Trigger
    let count: Int
    let time: SessionTime
  }

  /// What happened in a lane, and what the session did there.
  struct Script: Sendable {
    var approaches: [(approach: Approach, time: SessionTime)] = []
    var occurrences: [Occurrence] = []
  }

  /// One arming of a timer.
  struct Arming: Sendable {
    /// From arming it to its firing; if it never fired, how long it certainly did not.
    var microseconds: Int64
    /// The step in which it fired; `Int.max` if it never did.
    var step = Int.max
  }

  private(set) var scripts: [RecordedLane: Script] = [:]
  private(set) var timers: [TimerID: [Arming]] = [:]
  /// The last step's time.
  private(set) var end = SessionTime.zero
  /// Whether the session came to its end; if not, the log breaks off.
  private(set) var hasEnd = false

  private var armed: [TimerID: SessionTime] = [:]
  private var listener: ConnectionID?
  private var heard: [ConnectionID: HeardSound] = [:]
  private var triggers = TriggerCounts()
  private var newest: Awaited?
  private var bystanders = Bystanders()

  init(_ lines: [LogLine]) {
    for line in lines { take(line) }
    for (timer, start) in armed { keep(timer, since: start, until: end.microseconds + 1) }
  }

  private mutating func take(_ line: LogLine) {
    let step = line.step
    end = step.time
    switch step.event {
    case .timerFired(let timer) where armed[timer] != nil:
      let start = armed.removeValue(forKey: timer) ?? .zero
      change(timer) { arming in
        arming.step = step.sequence
        arming.microseconds = step.time.microseconds - start.microseconds
      }
    default: append(line)
    }
    for action in step.actions { take(action, line) }
  }

  private mutating func append(_ line: LogLine) {
    let step = line.step
    let lane = step.event.lane(listener: listener)
    var repeated = 1
    if case .microphoneFrame = step.event { repeated = line.repeated }
    var occurrence = Occurrence(
      event: step.event, time: step.time, step: step.sequence, repeated: repeated,
      approaches: scripts[lane]?.approaches.count ?? 0)
    if case .connection(let connection) = lane { occurrence.heard = heard[connection] ?? .init() }
    if lane == .user { occurrence.awaited = newest }
    scripts[lane, default: Script()].occurrences.append(occurrence)
  }

  private mutating func take(_ action: VoiceAction, _ line: LogLine) {
    let time = line.step.time
    for (lane, approach) in bystanders.approached(by: action) {
      scripts[lane, default: Script()].approaches.append((approach, time))
    }
    switch action {
    case .openLink(let connection, _): listener = connection
    case .sendAudio(let connection, var frame):
      // The one action of frames in a row stands for all of them.
      for _ in 0..<line.repeated {
        heard[connection, default: .init()].hear(frame)
        frame.position += PCM.frameSamples
      }
    case .sendActivityStart(let connection), .sendActivityEnd(let connection):
      heard[connection, default: .init()].hearMark()
    case .show(let notice):
      guard let trigger = Fixture.Trigger(notice) else { return }
      let count = triggers.count(trigger)
      if trigger.isAwaited { newest = Awaited(trigger: trigger, count: count, time: time) }
    case .startTimer(let timer, let milliseconds):
      disarm(timer, time)
      armed[timer] = time
      timers[timer, default: []].append(Arming(microseconds: max(0, Int64(milliseconds)) * 1000))
    case .cancelTimer(let timer): disarm(timer, time)
    case .end: hasEnd = true
    default: break
    }
  }

  private mutating func disarm(_ timer: TimerID, _ time: SessionTime) {
    guard let start = armed.removeValue(forKey: timer) else { return }
    keep(timer, since: start, until: time.microseconds)
  }

  /// It had not fired by then, however late real timers are.
  private mutating func keep(_ timer: TimerID, since start: SessionTime, until end: Int64) {
    change(timer) { $0.microseconds = max($0.microseconds, end - start.microseconds) }
  }

  private mutating func change(_ timer: TimerID, _ change: (inout Arming) -> Void) {
    guard let last = timers[timer]?.indices.last else { preconditionFailure("\(timer) was not armed") }
    change(&timers[timer, default: []][last])
  }
}

/// Everything that a server heard on a connection, in a few bytes: frames that are dropped, doubled or exchanged give
/// another one.
struct HeardSound: Hashable, Sendable {
  private(set) var count = 0
  private var digest: UInt64 = 0

  /// Take a frame by its place.
  mutating func hear(_ frame: MicrophoneFrame) { take(UInt64(bitPattern: Int64(frame.position)) << 1) }
  /// Take a mark between frames.
  mutating func hearMark() { take(1) }

  private mutating func take(_ value: UInt64) {
    count += 1
    digest = (digest ^ value) &* 0x9E37_79B9_7F4A_7C15
  }
}

/// How often each thing that a user may wait for has happened.
struct TriggerCounts {
  private var counts: [Fixture.Trigger: Int] = [:]

  /// It happened once more. Returns how often it has.
  mutating func count(_ trigger: Fixture.Trigger) -> Int {
    counts[trigger, default: 0] += 1
    return counts[trigger] ?? 0
  }
}

/// Whom else an action approaches: to fall silent befalls every piece at the speaker, and only the first sound of a piece
/// begins it.
struct Bystanders {
  private var playing: Set<SpeechID> = []

  /// The lanes that an action is for, with what it is there.
  mutating func approached(by action: VoiceAction) -> [(RecordedLane, Approach)] {
    guard let (lane, approach) = action.approach else { return [] }
    switch action {
    case .play(let speech, _): return playing.insert(speech).inserted ? [(lane, approach)] : []
    case .clearPlayback:
      defer { playing = [] }
      return [(lane, approach)] + playing.sorted().map { (.playback($0), .stop) }
    default: return [(lane, approach)]
    }
  }
}
