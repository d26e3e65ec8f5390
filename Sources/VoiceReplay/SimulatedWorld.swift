package import VoiceCore
package import VoiceRecording

/// Everything outside a session, simulated in virtual time: it stands behind all ports at once and gives the events that
/// the real world would. One task drives it, and the same fixture gives the same events in every run.
///
/// Simulated parts refuse what the real ones would refuse: sound on a closed connection, two runs at once, an answer to
/// another connection's call.
package final class SimulatedWorld: EventSource {
  /// Longer than any fixture: a session that has not ended by then never will.
  private static let longest = SessionTime.milliseconds(3_600_000)

  private let fixture: Fixture
  private let recordings: [String: [Int16]]
  private let time = VirtualTime()
  private let microphone: SimulatedMicrophone
  private let liveModel: SimulatedLiveModel
  private let agent: SimulatedAgent
  private var speaker: SimulatedSpeaker?
  private var steps: ArraySlice<Fixture.UserStep>
  private var requestedSpeech: SpeechID?
  /// Armed timers, with a number that tells an arming from a later one of the same timer.
  private var timers: [TimerID: Int] = [:]
  private var armings = 0
  private var gatherer = LogGatherer()
  /// The log so far.
  private(set) var lines: [LogLine] = []

  /// - Parameter recordings: the sound of every recording that the fixture names, 16 kHz.
  package init(_ fixture: Fixture, recordings: [String: [Int16]]) {
    self.fixture = fixture
    self.recordings = recordings
    steps = fixture.user[...]
    let settings = fixture.settings
    microphone = SimulatedMicrophone(
      time, hasGate: settings.turnDetection == .client || settings.interruptedBy == .gate)
    liveModel = SimulatedLiveModel(fixture, time, microphone)
    agent = SimulatedAgent(fixture, time)
    speaker = SimulatedSpeaker(time) { [unowned self] in noticed($0) }
    time.after(milliseconds: 0, .sessionStarted(settings: fixture.settings))
    planIfUnconditional()
  }

  /// The instructions that the agent was handed, in order.
  package var handedOn: [Instruction] { agent.received }

  /// The virtual time that passed.
  package var now: SessionTime { time.now }

  package func next() async -> StampedEvent? { time.next(limit: Self.longest) }

  package var ports: VoicePorts {
    VoicePorts(
      audio: self, liveModel: self, readout: self, agent: self, timers: self, console: self, recorder: self)
  }

  /// The whole log, once the session is over.
  package func finishLog() -> [LogLine] {
    if let last = gatherer.flush() { lines.append(last) }
    return lines
  }

  // MARK: The user

  private func planIfUnconditional() {
    if let step = steps.first, step.await == nil { plan(step) }
  }

  private func noticed(_ trigger: Fixture.Trigger) {
    if let step = steps.first, step.await == trigger { plan(step) }
  }

  private func plan(_ step: Fixture.UserStep) {
    steps = steps.dropFirst()
    time.after(milliseconds: step.after ?? 0) { [self] in
      let event = perform(step.do)
      // What is said takes its time; everything else is over at once.
      if case .say = step.do { noticed(.saying) } else { planIfUnconditional() }
      return event
    }
  }

  private func perform(_ deed: Fixture.Deed) -> VoiceEvent? {
    switch deed {
    case .say(let name):
      guard let recording = recordings[name] else { preconditionFailure("recording \(name) was not loaded") }
      microphone.say(recording) { [self] in
        noticed(.said)
        planIfUnconditional()
      }
      return nil
    case .command(let line):
      guard let command = UserCommand(line: line) else { preconditionFailure("“\(line)” is not a command") }
      return .commandGiven(command: command)
    case .cutLink:
      liveModel.cut()
      return nil
    case .expireLink(let milliseconds):
      liveModel.expire(milliseconds: milliseconds)
      return nil
    case .endMicrophone: return .microphoneEnded
    }
  }
}

extension SimulatedWorld: AudioPort {
  package func startMicrophone() { microphone.start() }
  package func play(_ audio: SpeechAudio, of speech: SpeechID) { speaker?.play(audio, of: speech) }
  package func finishPlaying(_ speech: SpeechID) { speaker?.finishPlaying(speech) }
  package func clearPlayback() { speaker?.clear() }
  package func duckPlayback() { speaker?.duck() }
  package func resumePlayback() { speaker?.resume() }
  package func play(_ earcon: Earcon) {}
}

extension SimulatedWorld: LiveModelPort {
  package func openLink(_ connection: ConnectionID, resuming: Bool) { liveModel.open(connection, resuming: resuming) }
  package func closeLink(_ connection: ConnectionID) { liveModel.close(connection) }
  package func send(_ frame: MicrophoneFrame, on connection: ConnectionID) { liveModel.hear(frame, on: connection) }
  package func sendActivityStart(on connection: ConnectionID) { liveModel.startUtterance() }
  package func sendActivityEnd(on connection: ConnectionID) { liveModel.endUtterance() }
  package func answer(_ call: CallID, with answer: String) { liveModel.answer(call) }
}

extension SimulatedWorld: ReadoutPort {
  /// Speech takes 55 ms a character, and arrives in parts of 100 ms, ten times faster than it plays.
  package func speak(_ text: String, as speech: SpeechID) {
    precondition(requestedSpeech == nil, "a second piece was asked for before the first was there")
    requestedSpeech = speech
    var remaining = text.count * 55 * PCM.speakerRate / 1000
    var delay = 180
    while remaining > 0 {
      let audio = SpeechAudio(samples: [Int16](repeating: 0, count: min(remaining, PCM.speakerRate / 10)))
      remaining -= audio.samples.count
      time.after(milliseconds: delay) { [self] in
        requestedSpeech == speech ? .speechAudio(speech: speech, audio: audio) : nil
      }
      delay += 10
    }
    time.after(milliseconds: delay) { [self] in
      guard requestedSpeech == speech else { return nil }
      requestedSpeech = nil
      return .speechEnded(speech: speech)
    }
  }

  package func cancelSpeech(_ speech: SpeechID) {
    if requestedSpeech == speech { requestedSpeech = nil }
  }
}

extension SimulatedWorld: CodingAgentPort {
  package func openAgent() { agent.openAgent() }
  package func startRun(_ run: RunID, _ instruction: Instruction) { agent.start(run, instruction) }
  package func cancelRun(_ run: RunID) { agent.cancel(run) }
  package func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice
  ) { agent.answer(permission, with: choice) }
  package func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {
    agent.answer(question, with: answer)
  }
  package func steerRun(_ run: RunID, _ instruction: Instruction) { agent.steer(run, instruction) }
}

extension SimulatedWorld: TimerPort {
  package func startTimer(_ timer: TimerID, milliseconds: Int) {
    armings += 1
    let arming = armings
    timers[timer] = arming
    time.after(milliseconds: milliseconds) { [self] in
      guard timers[timer] == arming else { return nil }
      timers[timer] = nil
      return .timerFired(timer: timer)
    }
  }

  package func cancelTimer(_ timer: TimerID) { timers[timer] = nil }
}

extension SimulatedWorld: ConsolePort {
  package func show(_ notice: Notice) {
    if let trigger = Fixture.Trigger(notice) { noticed(trigger) }
  }
}

extension SimulatedWorld: RecorderPort {
  package func record(_ step: VoiceStep) { lines += gatherer.append(step) }

  package func enterInLedger(_ instruction: Instruction, as run: RunID) {
    if fixture.faults?.ledgerIsFull == true {
      time.after(milliseconds: 1, .ledgerFailed(instruction: instruction.id, reason: "No space is left on the device."))
    } else {
      time.after(milliseconds: 1, .ledgerEntered(instruction: instruction.id))
    }
  }

  package func noteInLedger(_ entry: LedgerEntry) {}
}

extension Fixture.Trigger {
  /// The trigger that a notice is, if it is one.
  fileprivate init?(_ notice: Notice) {
    switch notice {
    case .listening: self = .listening
    case .heard: self = .heard
    case .held: self = .held
    case .approved: self = .approved
    case .queued: self = .queued
    case .runStarted: self = .runStarted
    case .agentText: self = .agentText
    case .toolStarted: self = .toolStarted
    case .runEnded: self = .runEnded
    case .bargedIn: self = .bargedIn
    case .linkLost: self = .linkLost
    case .halting: self = .halting
    case .error: self = .error
    default: return nil
    }
  }
}
