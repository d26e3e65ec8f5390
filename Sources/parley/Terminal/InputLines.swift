import VoiceVocabulary

/// Cuts what comes on standard input into lines, none of which is longer than an instruction with its command word.
struct InputLines {
  /// What came of more bytes.
  enum Piece: Equatable {
    case line(String)
    /// Told once of a line that has become too long; the rest of it is dropped as well.
    case tooLong
  }

  static let longest = Limits.instructionCharacters + 100
  static let tooLong = "A line on standard input is too long; it was dropped."

  private var pending: [UInt8] = []
  private var isTooLong = false

  /// The lines that end in these bytes, in order.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      // What is before the first line feed goes on with what came before; each further part begins behind one.
      if part.offset > 0 { pieces += end() }
      guard !isTooLong else { continue }
      pending += part.element
      if pending.count > Self.longest {
        pieces.append(.tooLong)
        (pending, isTooLong) = ([], true)
      }
    }
    return pieces
  }

  /// The last line, if it has no end.
  mutating func finish() -> [Piece] { pending.isEmpty ? [] : end() }

  private mutating func end() -> [Piece] {
    defer { (pending, isTooLong) = ([], false) }
    return isTooLong ? [] : [.line(String(decoding: pending, as: UTF8.self))]
  }
}
