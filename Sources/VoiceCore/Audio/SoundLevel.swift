/// Tells from single frames whether a microphone hears anything above the noise of its room. Whole numbers only, one pass over
/// the samples: it runs for every frame, and gives the same on every machine.
///
/// The noise is the quietest that was heard lately: it falls at once and rises slowly, to two thirds of what goes on in 5 s.
package struct SoundLevel: Equatable, Sendable {
  /// Levels are sums over a frame of 320 samples.
  private var noise = 0
  private var loudFrames = 0
  private var quietFrames = Limits.soundPauseFrames
  /// Frames since the sound was told; nil while there is none that was.
  private var framesSinceMark: Int?

  package init() {}

  /// Take the next frame. Returns whether it is time to tell that something is heard: when it begins, and again while it goes on.
  package mutating func hear(_ samples: [Int16]) -> Bool {
    let level = Self.sum(samples)
    let isLoud = level >= max(Limits.soundLevel * PCM.frameSamples, 2 * noise)
    // Nothing at all is no room: the program's own voice was taken out, or a recording is over.
    if level > 0 { noise = level < noise ? level : noise + (level - noise) / 256 }
    framesSinceMark = framesSinceMark.map { $0 + 1 }
    if isLoud {
      loudFrames = min(loudFrames + 1, Limits.soundFrames)
      quietFrames = 0
    } else {
      loudFrames = max(0, loudFrames - 1)
      quietFrames += 1
      if quietFrames >= Limits.soundPauseFrames { (loudFrames, framesSinceMark) = (0, nil) }
    }
    let isDue = isLoud && loudFrames == Limits.soundFrames && framesSinceMark ?? .max >= Limits.soundRepeatFrames
    if isDue { framesSinceMark = 0 }
    return isDue
  }

  private static func sum(_ samples: [Int16]) -> Int {
    samples.withUnsafeBufferPointer { samples in
      var sum = 0
      for index in 0..<samples.count { sum += Int(samples[index].magnitude) }
      return sum
    }
  }
}
