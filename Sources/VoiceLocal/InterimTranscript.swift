import VoiceVocabulary

/// What the user seems to be saying, to be shown while he speaks: when that is worth finding out, and what came of it.
///
/// It costs the text that somebody waits for as little as can be: nothing is asked while a piece is being understood, one guess
/// at a time is, and one that is under way when the user pauses is given up.
struct InterimTranscript {
  /// Sound between two guesses: 0.7 s.
  static let intervalSamples = PCM.microphoneRate * 7 / 10
  /// A guess is about the last of what is said: 8 s, which is understood in 0.2 s.
  static let longestSamples = PCM.microphoneRate * 8

  /// The piece that is being guessed at.
  private var piece: Int?
  /// How much of the segment the last guess was about.
  private var guessedSamples = 0

  /// Sound of this utterance came, and nobody waits for a text. Returns what to guess at now, as this piece.
  mutating func heard(_ open: ArraySlice<Int16>, next: Int) -> [Int16]? {
    // What was said before a cut is over.
    if open.count < guessedSamples { guessedSamples = 0 }
    guard piece == nil, open.count >= guessedSamples + Self.intervalSamples + Endpointer.prerollSamples else {
      return nil
    }
    (piece, guessedSamples) = (next, open.count - Endpointer.prerollSamples)
    return Array(open.suffix(Self.longestSamples))
  }

  /// The text of this piece came. Returns it, marked where it is about the last of what was said only; nil if it is no guess.
  mutating func guessed(_ heard: Result<HeardSpeech, SpeechFailure>, of piece: Int) -> String? {
    guard piece == self.piece else { return nil }
    self.piece = nil
    guard case .success(let heard) = heard, !heard.text.isEmpty else { return "" }
    let text = Self.withoutLoop(heard.text)
    return guessedSamples + Endpointer.prerollSamples > Self.longestSamples ? "\u{2026} " + text : text
  }

  /// The text up to where the recogniser says the same over and over until its end, as it does with the beginning of a word there: three
  /// times the same one or two words or more, or twice the same longer part. The last word may be cut.
  static func withoutLoop(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    let plain = words.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
    func repeats(_ index: Int, _ size: Int) -> Bool {
      let before = plain[index - size]
      return index == plain.count - 1 ? before.hasPrefix(plain[index]) : before == plain[index]
    }
    for start in plain.indices {
      for size in 1...longestLoop {
        let times = size < 3 ? 3 : 2
        guard start + times * size <= plain.count else { break }
        let (part, rest) = (plain[start..<(start + size)], plain[(start + size)...])
        let isLoop = part.contains { !$0.isEmpty } && rest.indices.allSatisfy { repeats($0, size) }
        if isLoop { return words[..<(start + size)].joined(separator: " ") }
      }
    }
    return text
  }

  private static let longestLoop = 12

  /// The user pauses: returns the piece that is to be given up.
  mutating func paused() -> Int? {
    defer { piece = nil }
    return piece
  }

  /// Another segment begins.
  mutating func began() { guessedSamples = 0 }
}
