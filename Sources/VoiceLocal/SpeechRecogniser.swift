package import VoiceVocabulary

/// What was understood of a stretch of speech.
package struct HeardSpeech: Equatable, Sendable {
  /// Empty when nothing was said.
  package var text: String
  /// How likely it is, from 0 to 1, that the speaker sounds done; nil where nobody asked, or nothing can tell.
  package var completeness: Float?
  /// How sure it is of the words, and what else it may have been.
  package var hearing: Hearing

  package init(_ text: String, completeness: Float? = nil, hearing: Hearing = Hearing()) {
    self.text = text
    self.completeness = completeness
    self.hearing = hearing
  }
}

/// What understands speech. Any thread may ask; the answer comes on a thread of its own.
package protocol SpeechRecogniser: Sendable {
  /// Understand 16 kHz sound that holds one stretch of speech. The returned number cancels.
  @discardableResult func recognise(
    _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose,
    completion: @escaping @Sendable (Result<HeardSpeech, SpeechFailure>) -> Void
  ) -> UInt32
  /// Nobody wants this text any more: no time is spent on it, and whatever comes of it means nothing.
  func cancelRecognition(_ request: UInt32)
}
