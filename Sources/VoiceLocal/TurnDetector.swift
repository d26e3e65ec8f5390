internal import VoiceCore

/// Says how long a silence must last until what was said before it is a whole turn. Where there is none,
/// silence alone counts.
protocol TurnDetector: Sendable {
  /// - Parameter text: what was said last before the pause, as it was understood; with punctuation, never empty.
  func silenceMilliseconds(after text: String) -> Int
}

/// The text: who stops at "the" goes on, and who ends a sentence is done.
///
/// A recogniser sets a full stop where a sentence sounds ended: behind 58 of 100 ends, and 21 to 24 of 100 pauses in the
/// middle. One to three words have one too rarely for it to tell.
struct TextTurnDetector: TurnDetector {
  /// What a pause is by itself: each length is a part of it.
  let preferred: Int

  /// A longer preferred pause is a wish to think in peace: then silence alone counts.
  static let longestPreferred = 2_000

  /// Nobody ends with one of these, whatever the punctuation.
  private static let unfinished: Set<String> = [
    "the", "a", "an", "my", "your", "our", "their", "his", "its", "and", "or", "but", "because", "if", "when", "while",
    "of", "to", "with", "from", "into", "than", "every", "um", "umm", "uh", "er", "erm", "hmm", "which", "whose",
  ]

  func silenceMilliseconds(after text: String) -> Int {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }
    if let last = words.last, Self.unfinished.contains(String(last)) || text.last == "," { return preferred * 2 }
    if words.count <= 3 || text.last.map({ ".?!".contains($0) }) ?? false { return preferred * 4 / 5 }
    return preferred * 3 / 2
  }
}
