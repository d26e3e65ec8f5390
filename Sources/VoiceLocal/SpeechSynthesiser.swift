/// What came of a request to speak: any number of `audio`, then exactly one of the others.
package enum SynthesisEvent: Equatable, Sendable {
  /// Sound at 24 kHz, in order, faster than it plays.
  case audio(samples: [Int16])
  /// All sound has come, or the request was cancelled.
  case finished
  case failed(reason: String)
}

/// What speaks a text. Any thread may ask; events come on a thread of its own.
package protocol SpeechSynthesiser: Sendable {
  /// Begin to speak; the returned number cancels. Requests are spoken one after the other.
  /// - Parameter rate: 1 is the voice's own; limited to 0.5...2.
  func synthesise(_ text: String, rate: Float, onEvent: @escaping @Sendable (SynthesisEvent) -> Void) -> UInt32
  /// No more sound is wanted; `finished` still comes, maybe after sound that was on its way.
  func cancelSynthesis(_ request: UInt32)
}
