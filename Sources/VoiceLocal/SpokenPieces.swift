/// Cuts a text into the pieces that are synthesised one after the other.
///
/// A piece is a sentence. The first is cut earlier, at its first comma or after some words, since nothing is heard
/// before it is finished.
package enum SpokenPieces {
  /// From this many words on, a first piece is cut before a word that begins a new phrase.
  static let firstWords = 5
  /// A first piece of this many words is cut anyway.
  static let longestFirstWords = 10
  /// From so many characters on, a later piece is cut at a comma, or before a word that begins a new phrase.
  static let (clauseLength, phraseLength) = (50, 65)
  /// No piece is longer: about six seconds of speech, for which the voice takes 80 MB.
  static let longestLength = 90

  private static let phraseStarts: Set<String> = [
    "and", "but", "or", "so", "because", "that", "which", "who", "when", "while", "where", "if", "then", "before",
    "after", "until", "since", "with", "without", "from", "into", "for", "by", "to", "in", "on", "at",
  ]

  /// The text in pieces that are synthesised one after the other.
  package static func of(_ text: String) -> [String] {
    var pieces: [String] = []
    var words: [Substring] = []
    var length = 0
    func flush(_ ending: String = "") {
      if !words.isEmpty { pieces.append(words.joined(separator: " ") + ending) }
      (words, length) = ([], 0)
    }
    let all = text.split(whereSeparator: \.isWhitespace).flatMap(parts)
    for (index, word) in all.enumerated() {
      words.append(word)
      length += word.count + 1
      let next = index + 1 < all.count ? all[index + 1] : ""
      // A cut is worth it only if enough is left for the next piece to sound like speech.
      let remaining = all.count - index - 1
      let isFirst = pieces.isEmpty
      if word.last.map({ ".!?".contains($0) }) ?? false {
        flush()
      } else if word.last.map({ ",;:".contains($0) }) ?? false, isFirst || length > clauseLength, remaining > 0 {
        flush()
      } else if length + next.count >= longestLength || (isFirst && words.count >= longestFirstWords && remaining > 2) {
        flush(",")
      } else if isFirst ? words.count >= firstWords : length > phraseLength, remaining > 3,
        phraseStarts.contains(next.lowercased())
      {
        flush(",")
      }
    }
    flush()
    return pieces
  }

  /// A word, in as many parts as it takes that none is too long for a piece.
  private static func parts(of word: Substring) -> [Substring] {
    guard word.unicodeScalars.count > longestLength / 2 else { return [word] }
    let scalars = word.unicodeScalars
    var parts: [Substring] = []
    var start = scalars.startIndex
    while start < scalars.endIndex {
      let end = scalars.index(start, offsetBy: longestLength / 2, limitedBy: scalars.endIndex) ?? scalars.endIndex
      parts.append(Substring(scalars[start..<end]))
      start = end
    }
    return parts
  }
}
