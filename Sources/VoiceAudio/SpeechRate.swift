import VoiceSound
import VoiceVocabulary

/// Speech at the speed that the user likes: each piece keeps the speed with which it began.
struct SpeechRate: Sendable {
  /// For the pieces that begin from now on.
  var percent = 100
  /// The piece that is arriving.
  private var current: (speech: SpeechID, stretch: TimeStretch)?

  /// The samples at the present rate; some are kept until more of the piece comes.
  mutating func process(_ samples: [Int16], of speech: SpeechID) -> [Int16] {
    if current?.speech != speech { current = (speech, TimeStretch(percent: percent)) }
    return current?.stretch.process(samples) ?? samples
  }

  /// What is left of a piece that is over.
  mutating func finish(_ speech: SpeechID) -> [Int16] {
    guard current?.speech == speech else { return [] }
    defer { current = nil }
    return current?.stretch.finish() ?? []
  }
}
