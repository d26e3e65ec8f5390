import VoiceSystem
import VoiceVocabulary

/// What was understood, word by word.
struct RecognisedText: Equatable, Sendable {
  /// One word as it is written, with its punctuation.
  struct Word: Equatable, Sendable {
    var text: String
    /// The log-probability of its least likely token; more where that belongs to an expected word.
    var score: Float
  }

  var words: [Word]
  /// What else it may have been, the likeliest first.
  var others: [RecognisedText] = []
  /// Whether it is an act that only a key approves, and was found by looking for one.
  var isSoughtAct = false
  /// What it earned for expected words, as a logarithm.
  var earned: Float = 0

  /// The words, with blanks between them.
  var text: String { words.map(\.text).joined(separator: " ") }

  /// One word is written for this many at most.
  private static let longestRewriting = 6

  /// How sure each word of the written text is, in percent: as it was heard; a word that was written for others is sure. The verb of
  /// an act that was looked for is not.
  func sureness(of written: String) -> [Int] {
    var sureness = surenessAsHeard(of: written)
    if isSoughtAct, let verb = sureness.first { sureness[0] = min(verb, Limits.verbPercent - 1) }
    return sureness
  }

  private func surenessAsHeard(of written: String) -> [Int] {
    var rest = words[...]
    return written.split(whereSeparator: \.isWhitespace).map { word in
      guard let place = rest.prefix(Self.longestRewriting + 1).firstIndex(where: { $0.text == word }) else {
        return 100
      }
      defer { rest = rest[(place + 1)...] }
      return Int((exp(min(0, rest[place].score)) * 100).rounded())
    }
  }
}
