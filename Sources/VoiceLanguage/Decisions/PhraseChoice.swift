package import VoiceVocabulary

extension SpokenPhrases {
  /// What a phrase is said for.
  package enum Purpose: Equatable, Sendable { case stop, sleep }

  /// What these words are said for, if they are one of the phrases and nothing else but politeness.
  package func purpose(of text: String) -> Purpose? {
    let said = SpokenWords(text).withoutFillers
    guard !said.isEmpty else { return nil }
    if said == SpokenWords(stop) { return .stop }
    return said == SpokenWords(sleep) ? .sleep : nil
  }

  /// What stops speech and work besides the user's own phrase.
  package static let alwaysStops = "parley, stop"

  /// Whether two texts are said alike, politeness aside. None is like nothing.
  package static func areAlike(_ one: String, _ other: String) -> Bool {
    let said = [one, other].map { SpokenWords($0).withoutFillers.words.map { $0 == "ok" ? "okay" : $0 } }
    return said[0] == said[1] && !said[0].isEmpty
  }

  /// Why a text cannot be such a phrase, as the rest of a sentence; nil if it can, or is none.
  package static func refusal(of text: String) -> String? {
    if text.isEmpty { return nil }
    guard (2...4).contains(SpokenWords(text).words.count) else {
      return "must be two to four words, such as “hey parley”: fewer are said by chance."
    }
    guard SpokenDecision(utterance: text) == nil else {
      return "is “\(text)”, which decides about what is held; choose other words."
    }
    return nil
  }
}
