import VoiceVocabulary

/// The words that the user said, as a transcript has them, and that nothing has come of.
struct UnansweredWords {
  private var words = ""
  /// When a call came of which no words were known: they come behind it.
  private var wordlessCallAt: SessionTime?

  /// The words; nil if there are none.
  var text: String? { words.trimmingWhitespace().isEmpty ? nil : words }

  /// A piece of a transcript came.
  mutating func heard(_ text: String, at now: SessionTime) {
    if let wordlessCallAt, now <= wordlessCallAt.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds) { return }
    words += text
  }

  /// The live model made something of what was said.
  mutating func called(at now: SessionTime) {
    wordlessCallAt = text == nil ? now : nil
    words = ""
  }

  /// Nothing more comes of them.
  mutating func dealtWith() { words = "" }
}
