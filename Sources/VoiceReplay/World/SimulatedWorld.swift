package import VoiceCore
package import VoiceRecording
package import VoiceVocabulary

/// Everything outside a session, simulated in virtual time: it stands behind all ports at once and gives the events that
/// the real world would. One task drives it, and the same fixture gives the same events in every run.
///
/// Simulated parts refuse what the real ones would refuse: sound on a closed connection, two runs at once, an answer to
/// another connection's call. What they refused, and which rule was broken, is in `breaches`.
package final class SimulatedWorld: EventSource {
  /// A session that has not ended so long after the user's last action never will.
  private static let patienceMilliseconds = 1_800_000

  private let recordings: [String: [Int16]]
  let time = VirtualTime()
  let refusals = Refusals()
  let microphone: SimulatedMicrophone
  let liveModel: SimulatedLiveModel
  let agent: SimulatedAgent
  private(set) var speaker: SimulatedSpeaker?
  private(set) var user: ScriptedUser?
  private var editor: FaultEditor
  /// How long the machine has slept. The world stands still meanwhile; only the session's clock has gone on.
  private var sleptMilliseconds = 0
  /// Whether the event that comes next was judged by the editor before.
  private var isJudged = false

  var requestedSpeech: SpeechID?
  var timers = SimulatedTimers()
  var disk = SimulatedDisk()
  private var gatherer = LogGatherer()
  private var rules = SessionRules()
  private var knownViolations = 0
  /// The log so far.
  private(set) var lines: [LogLine] = []
  /// What should not have happened, in order.
  package private(set) var breaches: [Breach] = []
  /// When each recording had been played into the microphone.
  private(set) var saidTimes: [SessionTime] = []
  /// What happened, by number.
  package private(set) var counts = EventCounts()

  /// A promise that was broken.
  package struct Breach: Equatable, Sendable {
    /// In this step, or by its actions.
    package let step: Int
    package let time: SessionTime
    package let text: String
  }

  /// - Parameters:
  ///   - recordings: the sound of every recording that the fixture names, 16 kHz.
  ///   - perturbation: what goes wrong besides, and what happens without it: `baseline`.
  package init(
    _ fixture: Fixture, recordings: [String: [Int16]], perturbation: (Perturbation, baseline: EventCounts)? = nil
  ) {
    self.recordings = recordings
    let settings = fixture.settings
    microphone = SimulatedMicrophone(
      time, refusals, hasVAD: settings.hasVAD, silenceMilliseconds: settings.silenceMilliseconds)
    liveModel = SimulatedLiveModel(fixture, time, refusals, microphone)
    agent = SimulatedAgent(fixture, time, refusals)
    let faults = fixture.faults ?? []
    editor = perturbation.map { FaultEditor(faults, $0, baseline: $1) } ?? FaultEditor(faults)
    speaker = SimulatedSpeaker(time, refusals) { [unowned self] in user?.noticed($0) }
    time.after(milliseconds: 0, .sessionStarted(settings: settings))
    let script = ScriptedUser(fixture, time) { [unowned self] in perform($0) }
    user = script
    script.goOn()
    if perturbation != nil {
      script.startWatchdog { [unowned self] in
        // An agent whose question was lost on its way waits for ever, and nobody can know of it.
        let isAskedInVain = agent.isWaiting && editor.faults.contains { $0.act == .drop(.agent) }
        if !agent.isWorking, !isAskedInVain {
          refusals.add("the session did not end, though nothing more could come")
        }
      }
    }
  }

  /// The instructions that the agent was handed, in order.
  package var handedOn: [Instruction] { agent.received }

  /// The faults, each with the place that was drawn for it.
  package var faults: [Fault] { editor.faults }

  /// Steps of the script that nothing led to.
  var unreachedSteps: Int { user?.unreached ?? 0 }

  /// The virtual time that passed.
  package var now: SessionTime { clock(at: time.now) }

  /// What the session's clock says at a moment of the world.
  func clock(at moment: SessionTime) -> SessionTime { moment.advanced(byMilliseconds: sleptMilliseconds) }

  package func next() async -> StampedEvent? {
    next(limit: (user?.lastAction ?? .zero).advanced(byMilliseconds: Self.patienceMilliseconds))
  }

  /// The next event up to a moment of the world.
  func next(limit: SessionTime) -> StampedEvent? {
    while true {
      isJudged = false
      guard let next = time.next(limit: limit) else { return nil }
      if isJudged { return StampedEvent(time: clock(at: next.time), event: next.event) }
      switch editor.judge(next.event, now: time.now) {
      case .arrives(let events):
        deliver(events.dropFirst(), at: time.now)
        return StampedEvent(time: clock(at: next.time), event: events[0])
      case .comes(let time, let events): deliver(events[...], at: time)
      case .vanishes: break
      }
    }
  }

  private func deliver(_ events: ArraySlice<VoiceEvent>, at moment: SessionTime) {
    for event in events {
      time.at(moment) { [unowned self] in
        isJudged = true
        return event
      }
    }
  }

  /// The world behind all ports of a session.
  package var ports: VoicePorts {
    VoicePorts(
      audio: self, liveModel: self, readout: self, agent: self, timers: self, console: self, recorder: self)
  }

  /// The whole log, once the session is over.
  package func finishLog() -> [LogLine] {
    if let last = gatherer.flush() { lines.append(last) }
    check(counts.steps)
    time.end()
    return lines
  }

  // MARK: What happens

  /// - Returns: the event that the action is, if it is one.
  private func perform(_ action: Fixture.UserAction) -> VoiceEvent? {
    switch action {
    case .say(let name, let isWhole):
      guard let recording = recordings[name] else { preconditionFailure("recording \(name) was not loaded") }
      microphone.say(recording, isWhole: isWhole ?? false) { [unowned self] in
        saidTimes.append(now)
        user?.noticed(.said)
        user?.goOn()
      }
    case .command(let line):
      guard let command = UserCommand(line: line) else { preconditionFailure("“\(line)” is not a command") }
      return .commandGiven(command: command)
    case .endCommands: return .commandsEnded
    case .cutLink(let remedy): liveModel.cut(remedy ?? .resume)
    case .expireLink(let milliseconds): liveModel.expire(milliseconds: milliseconds)
    case .refuseLink(let times): liveModel.refuse(times: times)
    case .endMicrophone: return .microphoneEnded
    case .loseMicrophone: return microphone.lose()
    case .loseSpeaker: return speaker?.lose()
    case .unplug(.microphone): microphone.unplug()
    case .unplug(.speaker): return speaker?.unplug()
    case .plugIn(.microphone): return microphone.plugIn()
    case .plugIn(.speaker): return speaker?.plugIn()
    case .killAgent: return agent.die()
    case .fillDisk: return disk.fill()
    case .freeDisk: disk.free()
    case .terminate: return .terminationRequested(signal: "SIGTERM")
    case .happen(let event):
      agent.meant(event)
      return event
    }
    return nil
  }

  private func perform(_ fault: Fault) -> VoiceEvent? {
    switch fault.act {
    case .drop, .delay, .duplicate, .corrupt: return nil
    case .cutLink: liveModel.cut()
    case .refuseLink(let times):
      liveModel.refuse(times: times)
      liveModel.cut()
    case .loseMicrophone: return microphone.lose()
    case .loseSpeaker: return speaker?.lose()
    case .killAgent: return agent.die()
    case .ignoreHalt: agent.ignoresHalt = true
    case .fillDisk: return disk.fill()
    case .slowDisk(let milliseconds): disk.delayMilliseconds = milliseconds
    case .suspend(let milliseconds):
      sleptMilliseconds += milliseconds
      liveModel.cut()
    }
    return nil
  }

  // MARK: The record

  /// Write a step to the log, and let the rules look at the world.
  func note(_ step: VoiceStep) {
    lines += gatherer.append(step)
    counts.count(step.event)
    rules.check(step.event, step.actions, at: step.time)
    check(step.sequence)
    for fault in editor.worldFaults(after: step.sequence) {
      time.after(milliseconds: 0) { [unowned self] in perform(fault) }
    }
  }

  /// Take note of what the rules and the simulated parts have found since.
  private func check(_ step: Int) {
    let texts = refusals.take() + rules.violations[knownViolations...]
    knownViolations = rules.violations.count
    for text in texts { breaches.append(Breach(step: step, time: now, text: text)) }
  }
}
