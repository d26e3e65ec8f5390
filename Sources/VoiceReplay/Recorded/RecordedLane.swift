import VoiceCore
import VoiceVocabulary

/// A part of the outside world in which one thing follows the other: what it reports waits for what the session did to it
/// before, and for nothing else that the session does.
enum RecordedLane: Hashable {
  case microphone
  /// The user's keys and lines.
  case user
  case agent
  case run(RunID)
  /// An instruction on its way into a run.
  case steering(InstructionID)
  case connection(ConnectionID)
  /// The sound of a piece, on its way from the readout.
  case speech(SpeechID)
  /// A piece at the speaker.
  case playback(SpeechID)
  /// Falling silent.
  case clearing
  case ledger(InstructionID)
  /// What comes by itself, whatever the session does.
  case outside
}

extension VoiceEvent {
  /// The lane in which this happens. **The one place for a new kind of event**: what is not named here comes by itself, at
  /// the time at which it came in the session. Timers are the session's own and have none.
  ///
  /// - Parameter listener: the newest connection, which an event means that names none.
  func lane(listener: ConnectionID?) -> RecordedLane {
    switch self {
    case .microphoneFrame, .soundLevelChanged, .microphoneEnded, .microphoneFailed, .voiceStarted(.vad),
      .voicePaused(.vad), .voiceEnded(.vad), .muteChanged, .beginningLost, .microphoneClips, .wakePhraseHeard:
      .microphone
    case .voiceStarted(.model), .voicePaused(.model), .voiceEnded(.model):
      listener.map { .connection($0) } ?? .outside
    case .commandGiven, .commandsEnded, .terminationRequested, .screenLent, .screenReturned: .user
    case .linkReady(let connection, _), .linkClosed(let connection, _), .linkExpiring(let connection, _),
      .linkErred(let connection, _), .resumptionChanged(let connection, _), .userTranscribed(let connection, _, _, _),
      .interimTranscribed(let connection, _), .modelAudio(let connection, _, _),
      .modelTranscribed(let connection, _), .modelAudioEnded(let connection), .modelInterrupted(let connection),
      .modelTurnEnded(let connection), .modelUsage(let connection, _, _):
      .connection(connection)
    case .instructionProposed(let call, _), .stopRequested(let call), .callRejected(let call, _):
      .connection(call.connection)
    case .callsWithdrawn(let calls): calls.first.map { .connection($0.connection) } ?? .outside
    case .speechAudio(let speech, _), .speechEnded(let speech), .speechFailed(let speech, _): .speech(speech)
    case .playbackStarted(let speech), .playbackEnded(let speech): .playback(speech)
    case .playbackCleared: .clearing
    case .agentReady, .agentUnavailable: .agent
    case .agentReported(_, .steered(let instruction)), .agentReported(_, .steeringRefused(let instruction, _)):
      .steering(instruction)
    case .agentReported(let run, _): .run(run)
    case .ledgerEntered(let instruction), .ledgerFailed(let instruction, _): .ledger(instruction)
    default: .outside
    }
  }

  /// What a server makes of sound that is not what was said.
  var garbled: VoiceEvent {
    switch self {
    case .userTranscribed(let connection, _, let isFinal, _):
      .userTranscribed(connection: connection, text: "(garbled)", isFinal: isFinal)
    case .instructionProposed(let call, _): .instructionProposed(call: call, text: "(garbled)")
    default: self
    }
  }
}

/// What the session did to a part of the outside world, as far as that part acts upon it: not in which words.
enum Approach: Hashable {
  /// It was started, opened, or handed something.
  case begin
  /// Nothing more comes.
  case finish
  /// It was stopped, closed or cleared.
  case stop
  /// It was ended at any price.
  case abandon
  /// What it had asked was answered so.
  case answer(String)
}

extension VoiceAction {
  /// Whom this approaches, and how; nil if nothing outside answers to it in its own way: sound to a server, timers and the
  /// screen are followed elsewhere.
  var approach: (lane: RecordedLane, approach: Approach)? {
    switch self {
    case .startMicrophone: (.microphone, .begin)
    case .openLink(let connection, _): (.connection(connection), .begin)
    case .closeLink(let connection): (.connection(connection), .stop)
    case .answerCall(let call, _): (.connection(call.connection), .answer(call.id))
    case .speak(let speech, _, _): (.speech(speech), .begin)
    case .cancelSpeech(let speech): (.speech(speech), .stop)
    case .play(let speech, _): (.playback(speech), .begin)
    case .finishPlaying(let speech): (.playback(speech), .finish)
    case .clearPlayback: (.clearing, .stop)
    case .openAgent: (.agent, .begin)
    case .startRun(let run, _): (.run(run), .begin)
    case .cancelRun(let run): (.run(run), .stop)
    case .abandonRun(let run): (.run(run), .abandon)
    case .answerPermission(let run, let permission, let choice, _):
      (.run(run), .answer("\(permission.rawValue): \(choice.rawValue)"))
    case .answerQuestion(let run, let question, let answer): (.run(run), .answer("\(question.rawValue): \(answer)"))
    case .steerRun(_, let instruction): (.steering(instruction.id), .begin)
    case .enterInLedger(_, let instruction): (.ledger(instruction.id), .begin)
    default: nil
    }
  }
}
