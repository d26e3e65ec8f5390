import VoiceLanguage
import VoiceVocabulary

/// What the user only seems to be saying decides nothing. It may silence the program, where he asks to wait, and no more than that.
enum InterimRule {
  /// Returns what a step breaks; empty if it is kept.
  static func check(_ event: VoiceEvent, _ actions: [VoiceAction]) -> [String] {
    guard case .interimTranscribed(_, let text) = event else { return [] }
    let isKept = actions.isEmpty || SpokenDecision(utterance: text) == .wait && actions.allSatisfy(\.onlySilences)
    return isKept ? [] : ["what only seems to be said has decided something"]
  }
}

extension VoiceAction {
  fileprivate var onlySilences: Bool {
    switch self {
    case .clearPlayback, .resumePlayback, .cancelSpeech, .cancelTimer, .show(.bargedIn): true
    default: false
    }
  }
}
