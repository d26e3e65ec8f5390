import VoiceVocabulary

/// Notices that a microphone is too loud: the loudest parts of what it gives are cut off. A pure value, used by one thread.
///
/// A blow against the table is over in a moment; what is told lasted for most of a second. It is told once.
struct ClipWatch: Equatable {
  private var samples = 0
  private var clipped = 0
  /// Whether it was so in each of the latest quarters of a second.
  private var quarters: [Bool] = []
  private var isTold = false

  /// Whether a sample is at the end of what there is.
  static func isClipped(_ sample: Int16) -> Bool { sample >= 32_760 || sample <= -32_760 }

  /// Take what the device gave, at so many samples a second. Returns whether the user is to be told now.
  mutating func hear(_ heard: some Collection<Int16>, rate: Int) -> Bool {
    guard !isTold else { return false }
    samples += heard.count
    clipped += heard.count(where: Self.isClipped)
    guard samples >= rate / 4 else { return false }
    quarters = quarters.suffix(3) + [clipped * 10_000 > samples * Limits.clippedShare]
    (samples, clipped) = (0, 0)
    isTold = quarters.count { $0 } > 2
    return isTold
  }
}
