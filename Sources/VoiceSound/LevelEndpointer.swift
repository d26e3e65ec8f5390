package import VoiceVocabulary

/// Tells utterances apart by the level of the sound alone, against the noise of the room: at every microphone, whether or not
/// a detector watches it. Coarser than a detector, and sooner.
package struct LevelEndpointer {
  /// Loud frames that make a sound, of the latest ten: 100 ms, shorter than the shortest word.
  private static let startFrames = 5
  /// 200 ms.
  private static let pauseFrames = 10
  /// How long it was quiet before that is told as a pause.
  package static let pauseMilliseconds = pauseFrames * PCM.frameMilliseconds
  /// A server hears the end of an utterance a little sooner or later than this does.
  private static let marginMilliseconds = 100
  /// Nothing quieter than this is speech: mean absolute sample value, 52 dB below full scale.
  private static let quietest = 80
  /// Speech is this much louder than the room: 12 dB.
  private static let overNoise = 4
  /// The room is taken to be louder by one part in so many each frame, until a quieter frame shows that it is not: half a
  /// minute of steady noise is not speech any more, and no sentence lasts so long without a gap between two words.
  private static let rise = 256
  /// Levels are kept finer than samples, so that slow changes are not rounded away.
  private static let scale = 256

  private let endFrames: Int
  private var noise = 20 * scale
  /// Whether each of the latest ten frames was loud, newest in the lowest bit.
  private var recent: UInt16 = 0
  private var quietFrames = 0
  private(set) package var level = SoundLevel.silence

  /// - Parameter silenceMilliseconds: the pause that a server takes for the end of an utterance.
  package init(silenceMilliseconds: Int) {
    endFrames = max(
      Self.pauseFrames + 1, (silenceMilliseconds - Self.marginMilliseconds) / PCM.frameMilliseconds)
  }

  /// Take the next frame of any rate. Returns the level, if that changes with it.
  ///
  /// - Parameter isSpeech: known from elsewhere to be speech, however loud it is.
  package mutating func hear(_ samples: [Int16], isSpeech: Bool = false) -> SoundLevel? {
    let isLoud = takeIsLoud(samples) || isSpeech
    recent = (recent << 1 | (isLoud ? 1 : 0)) & 0x3FF
    quietFrames = isLoud ? 0 : quietFrames + 1
    let new: SoundLevel =
      switch level {
      case .sound: quietFrames >= Self.pauseFrames ? .pause : .sound
      case .pause: isLoud ? .sound : quietFrames >= endFrames ? .silence : .pause
      case .silence: recent.nonzeroBitCount >= Self.startFrames ? .sound : .silence
      }
    defer { level = new }
    return new == level ? nil : new
  }

  private mutating func takeIsLoud(_ samples: [Int16]) -> Bool {
    guard !samples.isEmpty else { return false }
    let level = Self.sum(samples) * Self.scale / samples.count
    // Digital silence, of a closed microphone or between two recordings, tells nothing about the room.
    if level > 0 { noise = min(level, noise + max(1, noise / Self.rise)) }
    return level > max(Self.quietest * Self.scale, noise * Self.overNoise)
  }

  /// The sum of the absolute values.
  package static func sum(_ samples: [Int16]) -> Int {
    samples.withUnsafeBufferPointer { samples in
      var sum = 0
      for index in 0..<samples.count { sum += Int(samples[index].magnitude) }
      return sum
    }
  }
}
