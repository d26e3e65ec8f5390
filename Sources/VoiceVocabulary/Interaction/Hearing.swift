/// What a recogniser knows of a text besides the text itself.
package struct Hearing: Equatable, Sendable, Codable {
  /// How sure it is of each word, in percent, where blanks part the words; empty where it cannot tell.
  package var sureness: [Int]
  /// What else it may have been, the likeliest first; at most `Limits.alternatives`.
  package var alternatives: [String]

  package init(sureness: [Int] = [], alternatives: [String] = []) {
    self.sureness = sureness
    self.alternatives = Array(alternatives.prefix(Limits.alternatives))
  }

  /// Whether it knows nothing.
  package var isEmpty: Bool { sureness.isEmpty && alternatives.isEmpty }

  /// What is known of the texts one after the other, with a blank between them: of each word only if it is known of all.
  package static func joined(_ pieces: [(text: String, hearing: Hearing)]) -> Hearing {
    let pieces = pieces.filter { !$0.text.allSatisfy(\.isWhitespace) }
    let isKnown = pieces.allSatisfy { !$0.hearing.sureness.isEmpty }
    let alternatives = pieces.indices.flatMap { place in
      pieces[place].hearing.alternatives.map { other in
        pieces.indices.map { $0 == place ? other : pieces[$0].text }.joined(separator: " ")
      }
    }
    return Hearing(sureness: isKnown ? pieces.flatMap(\.hearing.sureness) : [], alternatives: alternatives)
  }

  /// Whether the words, taken together, are little more than a guess: of a garbled sound, or of nobody's voice.
  package var isGuess: Bool { isLessSure(than: Limits.guessPercent) }

  /// Whether the first word is little more than a guess: what is asked for hangs on it in a command.
  package var beginsWithGuess: Bool { sureness.first.map { $0 < Limits.verbPercent } ?? false }

  /// Whether the words are less sure than a user's are who speaks over a reply.
  /// - Parameter hasEcho: whether a loudspeaker may be heard: what is left of it is understood as words, too.
  package func isUnclear(hasEcho: Bool) -> Bool {
    isLessSure(than: hasEcho && sureness.count > 1 ? Limits.clearPercent : Limits.fairPercent)
  }

  /// Whether the words, taken together, are sure: what was heard so is no garbled sound of something else.
  package var isSure: Bool { !sureness.isEmpty && !isLessSure(than: Limits.certainPercent) }

  /// Whether the recogniser is less sure than of so many percent, on average over the words; not where it cannot tell.
  private func isLessSure(than percent: Int) -> Bool {
    !sureness.isEmpty && sureness.reduce(0, +) < percent * sureness.count
  }

  /// The words of the text that it is not sure of, in order; none where that is not known.
  package func unsureWords(of text: String) -> [UnsureWord] {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == sureness.count else { return [] }
    return words.indices.filter { sureness[$0] < Limits.surePercent }.map { place in
      UnsureWord(word: String(words[place]), before: place > 0 ? String(words[place - 1]) : "")
    }
  }
}

extension Hearing: DigestedState {
  package func fold(into digest: inout StateDigest) { digest.fold(sureness, alternatives) }
}

/// A word that may have been misheard, with its punctuation.
package struct UnsureWord: Equatable, Sendable {
  package var word: String
  /// The one before it; empty at the beginning.
  package var before: String
}
