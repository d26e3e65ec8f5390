package import VoiceVocabulary

/// Decides. Everything that happens in a session goes in as an event, everything that is to be done comes out as actions,
/// and nothing else in the program decides anything.
///
/// A value without a clock, a random source or a port: the same events give the same actions. Composed of regions, each
/// with its own file; this file tells which event concerns which part, the extensions beside it what happens then.
///
/// A verb has one meaning in here. An utterance is *taken* once an instruction, a decision or a "stop" was made of it; a function that
/// begins with `take` moves something out and returns it, as `Optional.take` does. What the user said or typed and
/// cannot be done is *refused*, what the agent asks is *denied*; to *reject* is the user's own decision. Only a connection is *left*.
///
/// Late events (of a run that is over, a connection that was left, a piece that was cut) are ignored: they give a step
/// without actions in the log, with the reason.
package struct InteractionController: Equatable, Sendable {
  package internal(set) var settings = InteractionSettings()
  package internal(set) var link = LinkRegion()
  package internal(set) var attempts = ReconnectBackoff()
  package internal(set) var unanswered = UnacknowledgedAudio()
  var proposals = TakenProposals()
  var lateWords = LateWords()
  package internal(set) var floor = FloorRegion()
  package internal(set) var sound = SoundRegion()
  package internal(set) var held = HeldQueue()
  package internal(set) var quitting = QuitConfirmation()
  package internal(set) var run = RunRegion()
  package internal(set) var work = WorkRegion()
  package internal(set) var controls = ControlsRegion()
  package internal(set) var sessions = AgentSessionsRegion()
  package internal(set) var approvals = ApprovalsRegion()
  package internal(set) var speech = SpeechRegion()
  package internal(set) var openQuestion = OpenQuestion()
  package internal(set) var interruption = Interruption()
  package internal(set) var remarks = RemarksRegion()
  package internal(set) var words = WordsRegion()
  package internal(set) var input = InputRegion(takesCommands: true)
  package internal(set) var echo = EchoRegion()
  package internal(set) var usage = UsageRegion()
  package internal(set) var engine = EngineRegion()
  package internal(set) var draft = DraftRegion()
  package internal(set) var outage = DeviceOutage()
  package internal(set) var armedTimers: Set<TimerID> = []
  /// Set once, by the last step.
  package internal(set) var outcome: SessionOutcome?

  var numbering = Numbering()
  /// The time of the step being decided.
  var now = SessionTime.zero
  /// The actions of the step being decided; empty between steps.
  var decided: [VoiceAction] = []
  /// Why the latest step decided as it did.
  private var reasons: [String] = []

  package init() {}

  /// What the agent said of itself; nil until it is ready.
  var agent: AgentDescription? { controls.agent }

  /// Take one event and decide what is to be done, in order. After an `end` action nothing may come.
  package mutating func handle(_ event: VoiceEvent, at time: SessionTime) -> [VoiceAction] {
    precondition(outcome == nil, "an event after the session ended: \(event)")
    precondition(time >= now, "time ran backwards from \(now.microseconds) to \(time.microseconds)")
    now = time
    reasons = []
    decide(event)
    // Sound of the microphone neither begins nor ends anything, but for what it tells of the server's silence.
    if case .microphoneFrame = event {
    } else if outcome == nil {
      // What only seems to be said decides nothing.
      if case .interimTranscribed = event {} else { considerLongTurn() }
      rotateInPause()
      considerEnding()
      considerBackground()
    }
    defer { decided = [] }
    return decided
  }

  /// Why the latest step decided as it did, a sentence each. Given once.
  package mutating func takeReasons() -> [String] {
    defer { reasons = [] }
    return reasons
  }

  private mutating func decide(_ event: VoiceEvent) {
    switch event {
    case .sessionStarted(let settings): start(settings)
    case .timerFired(let timer): timerFired(timer)
    case .commandGiven(let command): obey(command)
    case .commandsEnded: commandsEnded()
    case .screenLent: held.screenLent(at: now)
    case .screenReturned:
      if held.screenReturned(at: now, milliseconds: settings.shownMilliseconds) { showCurrent() }
    case .terminationRequested(let signal):
      because("Ended: the process was asked to end by \(signal).")
      finish(.terminated(signal: signal))
    case .otherSessionFound(let name, let since):
      show(
        .warning(
          text: "Another session works in this folder: “\(name)”, since \(since). "
            + (settings.hasMicrophone ? "Both may hear what you say, and both " : "Both ")
            + "agents may change the same files."))
    case .wordsLearned(let words): self.words.learn(words)
    case .wordsNotKept(let reason): show(.warning(text: "What you taught holds for this session only. \(reason)"))

    case .microphoneFrame(let frame): received(frame)
    case .microphoneEnded: input.microphoneEnded()
    case .microphoneFailed(let reason): microphoneFailed(reason)
    case .voiceStarted(let detector): voiceStarted(detector)
    case .voicePaused(let detector): doubtInterruption(detector)
    case .voiceEnded(let detector): voiceEnded(detector)
    case .soundLevelChanged(let level): soundLevelChanged(level)
    case .duplexChanged(let duplex):
      if echo.duplexChanged(duplex, at: now) { show(.duplex(duplex: duplex)) }

    case .linkReady(let connection, let resumed): linkReady(connection, resumed: resumed)
    case .linkClosed(let connection, let failure): linkClosed(connection, failure)
    case .linkExpiring(let connection, let milliseconds): linkExpiring(connection, in: milliseconds)
    case .resumptionChanged(let connection, let isPossible): resumptionChanged(connection, isPossible)
    case .userTranscribed(let connection, let text, let isFinal, let hearing):
      if hears(connection) { userTranscribed(text, isFinal: isFinal, hearing: hearing) }
    case .interimTranscribed(let connection, let text): if hears(connection) { interimTranscribed(text) }
    case .instructionProposed(let call, let text): if hears(call.connection) { proposed(text, by: call) }
    case .stopRequested(let call): stopRequested(by: call)
    case .callRejected(let call, let reason): if hears(call.connection) { callRejected(call, reason) }
    // A withdrawn call was answered when it came; what it proposed was the user's will and stays.
    case .callsWithdrawn:
      proposals.interrupted()
      because("Nothing is taken back: the calls were answered, and what they proposed was the user's will.")
    case .modelAudio(let connection, let audio, let turn): modelSpoke(audio, in: turn, on: connection)
    case .modelTranscribed(let connection, let text): if hears(connection) { modelTranscribed(text) }
    case .modelAudioEnded(let connection): if hears(connection) { endModelVoice() }
    case .modelInterrupted(let connection):
      if hears(connection) {
        unanswered.joined()
        proposals.interrupted()
        interrupted()
      }
    case .modelTurnEnded(let connection): if hears(connection) { modelTurnEnded() }
    case .linkErred(let connection, let reason): linkErred(reason, on: connection)
    case .modelUsage(let connection, let input, let output):
      usage.listenerUsed(.init(input: input, output: output), on: connection)

    case .speechAudio(let speech, let audio): speechArrived(audio, of: speech)
    case .speechEnded(let speech): speechEnded(speech)
    case .speechFailed(let speech, let reason): speechFailed(speech, reason)
    case .readoutUsage(let input, let output): usage.readoutUsed(.init(input: input, output: output))
    case .playbackStarted(let speech): playbackStarted(speech)
    case .playbackCleared(let speech, let milliseconds): playbackCleared(speech, heardMilliseconds: milliseconds)
    case .playbackEnded(let id): playbackEnded(id)
    case .speakerFailed(let reason): speakerFailed(reason)
    case .muteChanged(let name, let isMuted): muteChanged(isMuted, name)
    case .beginningLost: beginningLost()
    case .microphoneClips(let name): microphoneClips(name)
    case .wakePhraseHeard: wakePhraseHeard()
    case .soundDeviceSilent(let kind, let name): deviceLost(kind, name)
    case .soundDeviceReturned(let kind, let name): deviceReturned(kind, name)
    case .soundDeviceReplaced(let kind, let name, let formerName):
      show(.warning(text: kind.replaced(formerName, by: name)))

    case .agentReady(let agent): agentReady(agent)
    case .agentControlsTold(let controls): agentControlsTold(controls)
    case .agentSessionsListed(let summaries): agentSessionsListed(summaries)
    case .agentMessagesListed(let session, let messages): agentMessagesListed(session, messages)
    case .agentSessionRefused(let reason):
      approvals.takeBackFailed()
      show(.cannot(text: reason))
    case .agentSettingRefused(let setting, let value, let reason): agentSettingRefused(setting, value, reason)
    case .agentUnavailable(let reason):
      because("Ended: there is no agent to hand anything to.")
      finish(.failed(reason: reason))
    case .agentReported(let run, let event): agentReported(event, of: run)
    case .agentStartedRun(let run, let text): agentStartedRun(run, text)
    case .agentOwes(let work): agentOwes(work)
    case .agentDelayed(let reason), .agentClosed(let reason): show(.warning(text: reason))

    case .speechEngineReported(let report): speechEngineReported(report)

    case .ledgerEntered(let instruction): ledgerEntered(instruction)
    case .ledgerFailed(let instruction, let reason): ledgerFailed(instruction, reason)
    case .recordingFailed(let reason): show(.error(text: reason))
    case .instructionRecovered(let text, let origin, let isUnheard, let wasSpoken):
      recovered(text, origin, isUnheard: isUnheard, wasSpoken: wasSpoken)
    }
  }

  private mutating func start(_ settings: InteractionSettings) {
    self.settings = settings
    speech = SpeechRegion(isAloud: settings.speaksAloud)
    input = InputRegion(
      takesCommands: settings.takesCommands, isListening: settings.startsListening && settings.hasMicrophone)
    openLink(resuming: false)
    act(.openAgent)
    if !settings.microphoneWaits, settings.hasMicrophone { startMicrophone() }
  }

  private mutating func timerFired(_ timer: TimerID) {
    guard armedTimers.remove(timer) != nil else { return because("Ignored: this timer is not armed any more.") }
    switch timer {
    case .reconnect: reconnect()
    case .setup(let connection): setupTimedOut(connection)
    case .rotation(let connection): rotate(from: connection)
    case .endOfInput: inputIsOver()
    case .unansweredUtterance: utteranceUnanswered()
    case .forgottenEnd: endForgotten()
    case .latePiece: latePieceOver()
    case .leaving: leavingIsDue()
    case .lateReadBack(let item): lateReadBackDue(item)
    case .working(let run): stillWorking(run)
    case .haltConfirmation(let run): haltUnconfirmed(run)
    case .answerWarning(let item): answerIsDue(item)
    case .answerLimit(let item): answerLimitPassed(item)
    case .interruption: decideInterruption()
    case .speechStall(let speech): speechStalled(speech)
    case .soundDevices: deviceStillAway()
    case .background: backgroundIsLate()
    }
  }

  /// Whether what this connection heard still counts. Whatever was said on a connection that was left is heard again on the next: taken
  /// from both, it would be sent twice.
  mutating func hears(_ connection: ConnectionID) -> Bool {
    if link.openConnection == connection { return true }
    because("Ignored: that connection was left, and what it heard is heard again.")
    return false
  }

  // MARK: Deciding

  /// Have something done, after what was decided before in this step.
  mutating func act(_ action: VoiceAction) { decided.append(action) }

  /// Give the reason for what is being decided: a whole sentence, which `parley why` repeats.
  mutating func because(_ reason: String) { reasons.append(reason) }

  /// Write a line to the ledger that nothing waits for.
  mutating func note(_ entry: LedgerEntry) { act(.noteInLedger(entry: entry)) }

  /// Tell the user something.
  mutating func show(_ notice: Notice) { act(.show(notice: notice)) }

  /// Start a timer, or restart it.
  mutating func arm(_ timer: TimerID, milliseconds: Int) {
    armedTimers.insert(timer)
    act(.startTimer(timer: timer, milliseconds: milliseconds))
  }

  /// Stop a timer, if it runs.
  mutating func disarm(_ timer: TimerID) {
    guard armedTimers.remove(timer) != nil else { return }
    act(.cancelTimer(timer: timer))
  }
}

/// Hands out identifiers, in order, from 1.
struct Numbering: Equatable, Sendable, DigestedState {
  private var lastInstruction = InstructionID(rawValue: 0)
  private var lastRun = RunID(rawValue: 0)
  private var lastHeldItem = HeldItemID(rawValue: 0)
  private var lastSpeech = SpeechID(rawValue: 0)
  private var lastConnection = ConnectionID(rawValue: 0)

  /// The next instruction's.
  mutating func instruction() -> InstructionID { lastInstruction.advance() }
  /// The next run's.
  mutating func run() -> RunID { lastRun.advance() }
  /// The next held item's.
  mutating func heldItem() -> HeldItemID { lastHeldItem.advance() }
  /// The next piece of speech's.
  mutating func speech() -> SpeechID { lastSpeech.advance() }
  /// The next connection's.
  mutating func connection() -> ConnectionID { lastConnection.advance() }

  func fold(into digest: inout StateDigest) {
    digest.fold(lastInstruction, lastRun, lastHeldItem, lastSpeech, lastConnection)
  }
}
