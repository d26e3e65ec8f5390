import VoiceSound

/// Finds utterances by loudness: enough for recordings that are clean, and the same on every machine.
struct LoudnessEndpointer {
  /// Where an utterance begins or ends.
  enum Edge { case start, end }

  /// An utterance begins after 100 ms of sound and ends after 600 ms without.
  private static let startFrames = 5
  private static let endFrames = 30
  /// Mean absolute sample value of a frame that counts as sound.
  private static let loudness = 250

  private var loudFrames = 0
  private var quietFrames = 0
  private(set) var isInUtterance = false

  /// Whether the mean amplitude is that of speech.
  static func isLoud(_ samples: [Int16]) -> Bool { LevelEndpointer.sum(samples) > loudness * samples.count }

  /// Take the next frame. Returns the edge that it completes, if it does.
  /// - Parameter isSpeech: known from elsewhere to be speech, however loud it is.
  mutating func hear(_ samples: [Int16], isSpeech: Bool) -> Edge? {
    let isLoud = isSpeech || Self.isLoud(samples)
    loudFrames = isLoud ? loudFrames + 1 : 0
    quietFrames = isLoud ? 0 : quietFrames + 1
    if !isInUtterance, loudFrames >= Self.startFrames {
      isInUtterance = true
      return .start
    }
    if isInUtterance, quietFrames >= Self.endFrames {
      isInUtterance = false
      return .end
    }
    return nil
  }
}
