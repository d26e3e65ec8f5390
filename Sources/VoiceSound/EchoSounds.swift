/// The last of what was played and of what came in, and of what the cancellers made of it, at 4 kHz, to compare them. Blocks of
/// 10 ms. A pure value.
package struct EchoSounds: Equatable, Sendable {
  private static let thinning = 4
  /// 300 ms, what is compared at a time.
  static let window = samples(milliseconds: 300)
  /// By so much at most does an echo come later or sooner than before, and is known by what it was.
  static let skipMilliseconds = 200
  /// Room for that, and for a little beyond.
  private static let windowAndSkip = window + samples(milliseconds: skipMilliseconds + 10)

  private(set) var played = ThinSound(
    by: thinning, keeping: window + samples(milliseconds: EchoDelay.reachMilliseconds))
  private(set) var captured = ThinSound(by: thinning, keeping: windowAndSkip)
  /// What the canceller that keeps words whole takes for the echo.
  private(set) var expected = ThinSound(by: thinning, keeping: windowAndSkip)
  /// What that one leaves.
  private(set) var words = ThinSound(by: thinning, keeping: window)
  /// What the other one leaves.
  private(set) var rest = ThinSound(by: thinning, keeping: window)

  package init() {}

  /// So many samples are that.
  static func samples(milliseconds: Int) -> Int { milliseconds * 16 / thinning }

  /// In samples of 16 kHz.
  static func fine(_ samples: Double) -> Double { samples * Double(thinning) }

  /// Take one block of each.
  package mutating func hear(captured: [Int16], played: [Int16]) {
    self.captured.add(captured)
    self.played.add(played)
  }

  /// Take what the cancellers made of it.
  package mutating func hear(expected: [Int16], words: [Int16], rest: [Int16]) {
    self.expected.add(expected)
    self.words.add(words)
    self.rest.add(rest)
  }
}
