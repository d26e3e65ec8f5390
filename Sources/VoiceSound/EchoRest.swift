/// Whether what a canceller leaves that keeps words whole is somebody near, 10 ms at a time: of an echo that it follows it leaves
/// a tenth and less, of who speaks near nearly all.
///
/// Over the last 80 ms. What is far below the loudest that came in lately is the room falling silent, of which it leaves more. In
/// blocks of 10 ms. A pure value.
struct EchoRest: Equatable, Sendable {
  private static let blocks = 8
  /// In dB: an echo is taken away by so much, what is near by less.
  private static let leastLoss = 10
  /// Below the loudest of the last 400 ms.
  private static let mostBelow = 16
  private static let loudestBlocks = 40
  private static let marginOverNoise = 6
  private static let least = -57
  /// Where the echo is the louder of the two for a syllable: who was near for 80 of the last 200 ms is so for 100 more.
  private static let holdBlocks = 10
  private static let nearBlocks = 8

  private var loss = EchoLoss(blocks: blocks)
  private var levels: [Int] = []
  /// The last 20 blocks, the newest in the lowest bit.
  private var near: UInt32 = 0
  /// Whether somebody is near, or was just now: what is for a detector of voices must not be cut to pieces.
  var isStillNear: Bool {
    near & 1 == 1 || (near.trailingZeroBitCount <= Self.holdBlocks && near.nonzeroBitCount >= Self.nearBlocks)
  }

  /// Take one block of the microphone, and of what is left of it; `noise` is the level of the room without playback, in dBFS.
  /// Returns whether it is somebody near.
  mutating func hear(captured block: [Int16], residual rest: [Int16], noise: Int) -> Bool {
    loss.hear(captured: block, residual: rest)
    levels.append(loss.capturedLevel)
    if levels.count > Self.loudestBlocks { levels.removeFirst() }
    let lost = loss.decibels
    let level = loss.capturedLevel - lost
    let isNear =
      lost < Self.leastLoss && level > max(noise + Self.marginOverNoise, Self.least)
      && level > (levels.max() ?? level) - Self.mostBelow
    near = (near << 1 | (isNear ? 1 : 0)) & 0xF_FFFF
    return isNear
  }
}
