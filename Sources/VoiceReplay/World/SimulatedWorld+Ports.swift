package import VoiceVocabulary

extension SimulatedWorld: AudioPort {
  package func startMicrophone() { microphone.start() }
  package func play(_ audio: SpeechAudio, of speech: SpeechID) { speaker?.play(audio, of: speech) }
  package func finishPlaying(_ speech: SpeechID) { speaker?.finishPlaying(speech) }
  package func clearPlayback() { speaker?.clear() }
  package func duckPlayback() { speaker?.duck() }
  package func resumePlayback() { speaker?.resume() }
  package func setSpeechRate(percent: Int) {}
  package func play(_ earcon: Earcon) {}
}

extension SimulatedWorld: LiveModelPort {
  package func openLink(_ connection: ConnectionID, resuming: Bool) {
    liveModel.open(connection, resuming: resuming)
    user?.noticed(.linkOpening)
  }

  package func closeLink(_ connection: ConnectionID) { liveModel.close(connection) }
  package func send(_ frame: MicrophoneFrame, on connection: ConnectionID) { liveModel.hear(frame, on: connection) }
  package func sendActivityStart(on connection: ConnectionID) { liveModel.startUtterance(on: connection) }
  package func sendActivityEnd(on connection: ConnectionID) { liveModel.endUtterance(on: connection) }
  package func answer(_ call: CallID, with answer: String) { liveModel.answer(call) }
  package func truncate(_ turn: ModelTurnID, heardMilliseconds: Int, on connection: ConnectionID) {
    refusals.add("turn \(turn) was cut, and this model numbers none")
  }
}

extension SimulatedWorld: ReadoutPort {
  /// Speech arrives ten times faster than it plays.
  package func speak(_ text: String, as speech: SpeechID) {
    if requestedSpeech != nil { refusals.add("a second piece of speech was asked for before the first was there") }
    requestedSpeech = speech
    var delay = 180
    for audio in SpeechAudio.silence(of: text) {
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
    user?.noticed(.asked)
  }

  package func cancelSpeech(_ speech: SpeechID) {
    if requestedSpeech == speech { requestedSpeech = nil }
  }
}

extension SimulatedWorld: CodingAgentPort {
  package func openAgent() { agent.openAgent() }
  package func startRun(_ run: RunID, _ instruction: Instruction) { agent.start(run, instruction) }
  package func cancelRun(_ run: RunID) { agent.cancel(run) }
  package func abandonRun(_ run: RunID) { agent.abandon(run) }
  package func answerPermission(
    _ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice, because reason: String?
  ) { agent.answer(permission, with: choice, because: reason) }
  package func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {
    agent.answer(question, with: answer)
  }
  package func steerRun(_ run: RunID, _ instruction: Instruction) { agent.steer(run, instruction) }
}

/// Armed timers, each with a number that tells an arming from a later one of the same timer.
struct SimulatedTimers {
  private var armed: [TimerID: Int] = [:]
  private var armings = 0

  /// Arm a timer. The result names this arming.
  mutating func arm(_ timer: TimerID) -> Int {
    armings += 1
    armed[timer] = armings
    return armings
  }

  /// It does not fire any more.
  mutating func disarm(_ timer: TimerID) { armed[timer] = nil }

  /// Whether this arming still holds; then it is over.
  mutating func fires(_ timer: TimerID, _ arming: Int) -> Bool {
    guard armed[timer] == arming else { return false }
    armed[timer] = nil
    return true
  }
}

extension SimulatedWorld: TimerPort {
  package func startTimer(_ timer: TimerID, milliseconds: Int) {
    let arming = timers.arm(timer)
    time.after(milliseconds: milliseconds) { [self] in
      timers.fires(timer, arming) ? .timerFired(timer: timer) : nil
    }
  }

  package func cancelTimer(_ timer: TimerID) { timers.disarm(timer) }
}

extension SimulatedWorld: ConsolePort {
  package func show(_ notice: Notice) {
    if case .listeningChanged = notice { liveModel.microphoneSwitched() }
    if let trigger = Fixture.Trigger(notice) { user?.noticed(trigger) }
  }
}

/// The disk that holds the log and the ledger.
struct SimulatedDisk {
  private(set) var isFull = false
  private var holdsWholeLog = true
  /// How long it takes for an entry of the ledger.
  var delayMilliseconds = 1

  /// It takes nothing more. The log breaks off when that happens for the first time, which is told.
  mutating func fill() -> VoiceEvent? {
    isFull = true
    guard holdsWholeLog else { return nil }
    holdsWholeLog = false
    return .recordingFailed(reason: "Cannot write to events.jsonl: No space left on device. The log stops here.")
  }

  /// There is room again.
  mutating func free() { isFull = false }
}

extension SimulatedWorld: RecorderPort {
  package func record(_ step: VoiceStep) { note(step) }

  package func enterInLedger(_ instruction: Instruction, as run: RunID) {
    let event: VoiceEvent =
      disk.isFull
      ? .ledgerFailed(instruction: instruction.id, reason: "No space is left on the device.")
      : .ledgerEntered(instruction: instruction.id)
    time.after(milliseconds: disk.delayMilliseconds, event)
    user?.noticed(.ledgerAsked)
  }

  package func noteInLedger(_ entry: LedgerEntry) {}
}

extension Fixture.Trigger {
  /// The trigger that a notice is, if it is one.
  init?(_ notice: Notice) {
    switch notice {
    case .agentReady: self = .agentReady
    case .listening, .connected: self = .listening
    case .linkLost: self = .linkLost
    case .rotating: self = .rotating
    case .heard: self = .heard
    case .drafting: self = .drafting
    case .held: self = .held
    case .approved: self = .approved
    case .rejected: self = .rejected
    case .amended: self = .amended
    case .permissionAnswered: self = .permissionAnswered
    case .queued: self = .queued
    case .lapsed: self = .lapsed
    case .duplicateIgnored: self = .duplicateIgnored
    case .runStarted: self = .runStarted
    case .agentText: self = .agentText
    case .toolStarted: self = .toolStarted
    case .halting: self = .halting
    case .haltUnconfirmed: self = .haltUnconfirmed
    case .runEnded: self = .runEnded
    case .bargedIn: self = .bargedIn
    case .quieted: self = .quieted
    case .falseInterruption: self = .falseInterruption
    case .warning: self = .warning
    case .error: self = .error
    case .cannot: self = .cannot
    default: return nil
    }
  }

  /// Whether users wait for it: the others only follow from these, or come too often to be counted.
  var isAwaited: Bool {
    switch self {
    case .agentText, .warning, .saying, .said, .linkOpening, .ledgerAsked, .asked, .approved, .rejected, .bargedIn:
      false
    default: true
    }
  }
}
