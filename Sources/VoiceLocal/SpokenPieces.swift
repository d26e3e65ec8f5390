/// Cuts a text into the pieces that are synthesised one after the other.
///
/// A piece is a sentence. The first is cut earlier, at its first comma or after some words, since nothing is heard
/// before it is finished.
package enum SpokenPieces {
  /// A first piece of this many words is cut even without a comma.
  static let firstWords = 7
  /// A later piece of this many words is cut: about eight seconds of speech.
  static let laterWords = 24

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
      let limit = pieces.isEmpty ? firstWords : laterWords
      // A cut is worth it only if enough is left for the next piece to sound like speech.
      let remaining = all.count - index - 1
      let isClause = word.last.map { ",;:".contains($0) } ?? false
      if word.last.map({ ".!?".contains($0) }) ?? false {
        flush()
      } else if isClause, pieces.isEmpty || words.count >= laterWords / 2, remaining > 0 {
        flush()
      } else if words.count >= limit, remaining > 2, !isClause {
        flush(",")
      }
    }
    flush()
    return pieces
  }
}
