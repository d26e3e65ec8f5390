package import VoiceVocabulary

/// What goes on with a sentence: the one rule for it, of sessions and of whatever measures them.
extension PartedSentence {
  /// Whether a piece belongs to what was said before it: it was begun soon enough, and is one sentence with it.
  ///
  /// - Parameters:
  ///   - piece: what was said now.
  ///   - begun: when somebody was heard to begin it; nil if nobody knows.
  ///   - first: all that was said of the sentence before.
  ///   - taken: when the last piece of that was taken.
  package static func goesOn(
    with piece: String, begunAt begun: SessionTime?, after first: String, takenAt taken: SessionTime
  ) -> Bool {
    guard let begun, begun <= taken.advanced(byMilliseconds: Limits.latePieceMilliseconds) else { return false }
    return isOne(first, piece)
  }
}
