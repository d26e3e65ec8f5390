/// What understands speech. Any thread may ask; the answer comes on a thread of its own.
package protocol SpeechRecogniser: Sendable {
  /// The text of 16 kHz sound that holds one stretch of speech; empty when nothing was said. The returned number cancels.
  @discardableResult func recognise(
    _ samples: [Int16], precision: SpeechEngineMessage.Precision,
    completion: @escaping @Sendable (Result<String, SpeechFailure>) -> Void
  ) -> UInt32
  /// Nobody wants this text any more: no time is spent on it, and whatever comes of it means nothing.
  func cancelRecognition(_ request: UInt32)
}
