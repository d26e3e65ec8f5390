/// Words as they are compared when something was said: small letters, no punctuation, apostrophes left out
/// ("Don't!" is `dont`).
package struct SpokenWords: Equatable, Sendable {
  package var words: [String]

  package init(_ text: String) {
    let apostrophes: Set<Character> = ["'", "\u{2019}", "\u{2BC}"]
    words = text.lowercased().filter { !apostrophes.contains($0) }
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Whether no word was said.
  package var isEmpty: Bool { words.isEmpty }

  /// Whether the other words occur in these, one behind the other.
  package func contains(_ other: SpokenWords) -> Bool { !other.isEmpty && words.contains(other.words) }
}

extension SpokenWords {
  /// Sounds that people make while they look for words.
  private static let fillers: Set<String> = ["uh", "um", "uhm", "er", "erm", "hm", "hmm", "ah", "oh", "please"]

  /// The words without hesitations and politeness, which decide nothing.
  package var withoutFillers: SpokenWords {
    var result = self
    result.words.removeAll { Self.fillers.contains($0) }
    return result
  }

  /// What a listener says to show that he listens: no turn of its own, and no reason to stop speaking to him.
  package var isBackchannel: Bool {
    let rest = withoutFillers.words.joined(separator: " ")
    return rest.isEmpty || Self.backchannels.contains(rest)
  }

  private static let backchannels: Set<String> = [
    "uh huh", "uhhuh", "huh", "mhm", "mm", "mmm", "mm hm", "mm hmm", "mmhm", "mmhmm", "okay", "ok", "okay okay", "yeah",
    "yeah yeah", "right", "all right", "alright", "sure", "i see", "got it", "aha", "wow", "nice", "cool",
  ]
}
