/// Cuts a text into the pieces that are synthesised one after the other.
///
/// A piece is a sentence. The first is cut earlier, at its first comma or after some words, since nothing is heard
/// before it is finished.
package enum SpokenPieces {
  /// From this many words on, a first piece is cut before a word that begins a new phrase.
  static let firstWords = 5
  /// A first piece of this many words is cut anyway.
  static let longestFirstWords = 10
  /// A later piece of this many words is cut: about eight seconds of speech.
  static let laterWords = 24

  private static let phraseStarts: Set<String> = [
    "and", "but", "or", "so", "because", "that", "which", "who", "when", "while", "where", "if", "then", "before",
    "after", "until", "since", "with", "without", "from", "into", "for", "by", "to", "in", "on", "at",
  ]

  /// The text in pieces that are synthesised one after the other.
  package static func of(_ text: String) -> [String] {
    var pieces: [String] = []
    var words: [Substring] = []
    func flush(_ ending: String = "") {
      if !words.isEmpty { pieces.append(words.joined(separator: " ") + ending) }
      words = []
    }
    let all = text.split(whereSeparator: \.isWhitespace)
    for (index, word) in all.enumerated() {
      words.append(word)
      let limit = pieces.isEmpty ? longestFirstWords : laterWords
      let next = index + 1 < all.count ? all[index + 1].lowercased() : ""
      // A cut is worth it only if enough is left for the next piece to sound like speech.
      let remaining = all.count - index - 1
      let isClause = word.last.map { ",;:".contains($0) } ?? false
      if word.last.map({ ".!?".contains($0) }) ?? false {
        flush()
      } else if isClause, pieces.isEmpty || words.count >= laterWords / 2, remaining > 0 {
        flush()
      } else if words.count >= limit, remaining > 2 {
        flush(",")
      } else if pieces.isEmpty, words.count >= firstWords, remaining > 3, phraseStarts.contains(next) {
        flush(",")
      }
    }
    flush()
    return pieces
  }
}
