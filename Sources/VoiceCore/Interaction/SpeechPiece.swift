package import VoiceVocabulary

extension SpeechRegion {
  /// A stretch of speech that the readout is asked for at once.
  package struct Piece: Equatable, Sendable {
    package let id: SpeechID
    package let text: String
    package let purpose: SpeechPurpose
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
    digest.fold(id, text, purpose)
  }
}
