import VoiceCore
import VoiceLanguage
import VoiceVocabulary

/// A "yes" alone does not decide about an instruction that was held when a reply asked something, if nothing was heard aloud since.
struct BareAnswerRule {
  /// The instructions that a reply asked something beside.
  private var besides: Set<HeldItemID> = []

  /// - Parameter held: what is held when it happens.
  mutating func observe(_ event: VoiceEvent, _ held: [HeldItem]) {
    switch event {
    case .agentReported(_, .text(let delta)):
      if delta.contains("?") { besides.formUnion(held.filter { !$0.content.isRequest }.map(\.id)) }
    case .playbackStarted: besides = []
    default: break
    }
  }

  /// What is wrong with it if these words, the newest last, decide about this item; nil if nothing is.
  func violation(by heard: [String], decidingAbout item: HeldItemID) -> String? {
    guard besides.contains(item), !SpokenDecision.namesWhatIsHeld(heard.joined()) else {
      return nil
    }
    return "item \(item) was decided by words that may be an answer to the agent"
  }
}
