import VoiceVocabulary

/// Acts that only a key approves, where a recogniser hears something harmless in their place: "undo that" as "and do that", "deploy
/// this" as "apply this". What is heard then says the opposite, or nothing that an agent can guess.
package enum SoughtActs {
  /// What such an act begins with, in small letters; each matches a default pattern of `KeyboardOnlyActs`.
  package static let verbs: Set<String> = [
    "clean", "delete", "deploy", "discard", "push", "rebase", "release", "remove", "reset", "restore", "revert", "undo",
  ]

  /// So many words at the beginning may stand for the verb, with so many letters.
  private static let (mostWords, letters) = (3, 3...11)

  /// Whether a text begins as hardly anybody begins, so that an act may have been meant: not with a command, nor with what tells how
  /// a sentence hangs together, except the "and" and "then" that an "un-" becomes. What names an act itself means that.
  package static func mayBeMeant(by text: String) -> Bool {
    let words = SpokenWords(text).words
    guard let first = words.first, verbs.isDisjoint(with: words) else { return false }
    return ["and", "then", "without"].contains(first)
      || !(PartedSentence.isFunctionWord(first) || PartedSentence.allCommands.contains(first))
  }

  /// The text with an act's verb in the place of its beginning, in every way that decides nothing: "discard that" would.
  package static func candidates(for text: String) -> [String] {
    let words = text.split(separator: " ")
    var candidates: [String] = []
    for count in 1...mostWords where count <= words.count {
      guard letters.contains(words.prefix(count).joined().count(where: \.isLetter)) else { continue }
      let rest = words.dropFirst(count).joined(separator: " ")
      candidates += verbs.sorted().map { $0.capitalised + (rest.isEmpty ? "." : " " + rest) }
    }
    return candidates.filter { SpokenDecision(utterance: $0) == nil }
  }
}
