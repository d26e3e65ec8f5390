import VoiceVocabulary

/// Acts that only a key approves, where a recogniser hears something harmless in their place: "undo that" as "and do that", "deploy
/// this" as "apply this". What is heard then says the opposite, or nothing that an agent can guess.
package enum SoughtActs {
  /// What such an act begins with, in small letters; each matches a default pattern of `KeyboardOnlyActs`.
  package static let verbs: Set<String> = [
    "clean", "delete", "deploy", "discard", "push", "rebase", "release", "remove", "reset", "restore", "revert", "undo",
  ]

  /// A text with an act's verb in the place of its beginning.
  package struct Candidate: Equatable, Sendable {
    package let verb: String
    package let text: String
  }

  /// So many words at the beginning may stand for the verb, with so many letters; so many as most verbs have are the likeliest.
  private static let (mostWords, letters, likeliestLetters) = (3, 3...11, 6)

  /// Whether a text begins as hardly anybody begins, so that an act may have been meant: not with a command, nor with what tells how
  /// a sentence hangs together, except the "and" and "then" that an "un-" becomes. What names an act itself means that.
  package static func mayBeMeant(by text: String) -> Bool {
    let words = SpokenWords(text).words
    guard let first = words.first, verbs.isDisjoint(with: words) else { return false }
    return ["and", "then", "without"].contains(first)
      || !(PartedSentence.isFunctionWord(first) || CommandVerbs.contains(first))
  }

  /// The text with a verb in the place of as much of its beginning as is most likely to be one.
  package static func likeliest(for text: String) -> [Candidate] {
    let counts = counts(in: text)
    let count = counts.min { abs($0.letters - likeliestLetters) < abs($1.letters - likeliestLetters) }
    return count.map { candidates(for: text, [$0.words], verbs) } ?? []
  }

  /// The text with each of the verbs in the place of its beginning, in every way.
  package static func candidates(for text: String, by verbs: Set<String> = verbs) -> [Candidate] {
    candidates(for: text, counts(in: text).map(\.words), verbs)
  }

  /// How many words at the beginning may stand for a verb, and how many letters those have.
  private static func counts(in text: String) -> [(words: Int, letters: Int)] {
    let words = text.split(separator: " ")
    return (1...mostWords).filter { $0 <= words.count }
      .map { ($0, words.prefix($0).joined().count(where: \.isLetter)) }.filter { letters.contains($0.1) }
  }

  /// None of them decides anything: "discard that" would.
  private static func candidates(for text: String, _ counts: [Int], _ verbs: Set<String>) -> [Candidate] {
    let words = text.split(separator: " ")
    return counts.flatMap { count in
      let rest = words.dropFirst(count).joined(separator: " ")
      return verbs.sorted().map { Candidate(verb: $0, text: $0.capitalised + (rest.isEmpty ? "." : " " + rest)) }
    }
    .filter { SpokenDecision(utterance: $0.text) == nil }
  }
}
