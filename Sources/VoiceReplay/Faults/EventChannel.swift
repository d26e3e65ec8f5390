import VoiceCore
import VoiceVocabulary

/// A way that events come by: on each they stay in order.
enum EventChannel {
  case microphone, live, readout, agent, speaker, ledger
}

extension VoiceEvent {
  /// The way that this event comes by; nil if it comes from the session's own side.
  var channel: EventChannel? {
    switch self {
    case .microphoneFrame, .soundLevelChanged, .microphoneEnded, .microphoneFailed, .voiceStarted(.vad),
      .voicePaused(.vad), .voiceEnded(.vad), .duplexChanged, .muteChanged, .beginningLost, .microphoneClips,
      .wakePhraseHeard:
      .microphone
    case .voiceStarted(.model), .voicePaused(.model), .voiceEnded(.model), .linkReady, .linkClosed, .linkExpiring,
      .linkErred, .resumptionChanged,
      .userTranscribed, .interimTranscribed, .instructionProposed, .stopRequested, .callRejected, .callsWithdrawn,
      .modelAudio,
      .modelTranscribed, .modelAudioEnded, .modelInterrupted, .modelTurnEnded, .modelUsage:
      .live
    case .speechAudio, .speechEnded, .speechFailed, .readoutUsage: .readout
    case .agentReady, .agentUnavailable, .agentDelayed, .agentReported, .agentStartedRun, .agentOwes, .agentClosed,
      .agentControlsTold, .agentSettingRefused, .agentSessionsListed, .agentMessagesListed, .agentSessionRefused:
      .agent
    case .playbackStarted, .playbackEnded, .playbackCleared, .speakerFailed: .speaker
    case .ledgerEntered, .ledgerFailed: .ledger
    default: nil
    }
  }

  /// The stream for faults; nil for what the program's own parts promise to give exactly once.
  var stream: Fault.Stream? {
    switch self {
    case .microphoneFrame: .frame
    case .voiceStarted, .voicePaused, .voiceEnded: .voice
    case .userTranscribed: .transcript
    case .instructionProposed: .proposal
    case .stopRequested: .stop
    case .modelTurnEnded, .modelInterrupted: .turn
    case .linkReady, .linkExpiring, .resumptionChanged: .link
    case .speechAudio, .speechEnded: .speech
    case .agentReported(_, .turnEnded): nil
    case .agentReported: .agent
    case .commandGiven: .command
    default: nil
    }
  }

  /// As it arrives when it was damaged on the way.
  var corrupted: VoiceEvent {
    switch self {
    case .microphoneFrame(var frame):
      frame.samples = frame.samples.map { ~$0 }
      return .microphoneFrame(frame: frame)
    case .userTranscribed(let connection, let text, let isFinal, _):
      return .userTranscribed(connection: connection, text: text.damaged, isFinal: isFinal)
    case .instructionProposed(let call, let text): return .instructionProposed(call: call, text: text.damaged)
    case .speechAudio(let speech, var audio):
      audio.samples.removeLast(audio.samples.count / 2)
      return .speechAudio(speech: speech, audio: audio)
    case .agentReported(let run, .text(let delta)): return .agentReported(run: run, event: .text(delta: delta.damaged))
    default: return self
    }
  }
}

extension String {
  /// Its first half, with marks that no text has.
  fileprivate var damaged: String { String(prefix(count / 2)) + "\u{FFFD}\u{0}\u{1B}[2J\u{202E}" }
}
