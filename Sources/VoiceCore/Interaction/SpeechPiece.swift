package import VoiceVocabulary

extension SpeechRegion {
  /// Why a piece is spoken, which decides what may cut it.
  package enum Purpose: Equatable, Sendable {
    /// A held item is read back: any decision on it cuts this.
    case readBack(HeldItemID)
    /// The answer of a run.
    case reply(RunID)
    /// A short report by the program itself.
    case report
  }

  /// A stretch of speech that the readout is asked for at once.
  package struct Piece: Equatable, Sendable {
    package let id: SpeechID
    package let text: String
    package let purpose: Purpose
  }

  /// A piece that the user cut.
  package struct Cut: Equatable, Sendable {
    package let piece: Piece
    /// How long the sound is that came for it.
    package let milliseconds: Int
    /// The sentence that was heard in full before it, if there was one.
    package let before: String?

    /// The words that were heard, as far as they fit into the time.
    package func text(heardMilliseconds: Int) -> String {
      guard milliseconds > 0, heardMilliseconds > 0 else { return "" }
      guard heardMilliseconds < milliseconds else { return piece.text }
      let count = piece.text.count * heardMilliseconds / milliseconds
      let words = piece.text.prefix(count)
      return words.lastIndex(of: " ").map { String(words[..<$0]) } ?? ""
    }
  }
}

extension SpeechRegion.Cut: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(piece, milliseconds, before)
  }
}

extension SpeechRegion.Piece: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(id, text)
    switch purpose {
    case .readBack(let item): digest.fold(-item.rawValue)
    case .reply(let run): digest.fold(run)
    case .report: digest.fold(0)
    }
  }
}
