/// How loud the echo of what plays can be at the microphone, learnt from the playback itself; and so whether somebody near
/// is clearly louder than any echo could be.
///
/// In levels only, which no skip of a sound server and no wrong delay can deceive: the loudest of what was played within the
/// longest way from the loudspeaker to the microphone, falling as a room falls silent, is what the echo may come from; the
/// *coupling* is how far the microphone stays below that, at the loudest tenth of the blocks. Blocks of 10 ms. A pure value.
package struct EchoPath: Equatable, Sendable {
  /// The way from the loudspeaker's line to the microphone's, devices and room together, hardly ever takes longer: half a second,
  /// with a loudspeaker behind Bluetooth.
  private static let shortReachBlocks = 50
  private static let reachBlocks = EchoDelay.reachMilliseconds / 10 + reachBehindLatest
  /// Where it is known how long the straight way takes, the reflections that are as loud come within so much more.
  private static let reachBehindDelay = 12
  /// Where it was found to come late, and not always as late, it may come so much later still.
  private static let reachBehindLatest = 40
  /// A room that falls silent by 60 dB within half a second; what dies out more slowly is louder than the margin nowhere.
  private static let fallTenths = 12
  /// A block of playback below this is no sound that anybody would take for words, in dBFS.
  private static let leastPlayed = -50
  /// The microphone may still hear what was played until then: 200 ms beyond the reach.
  private static let tailBlocks = 20
  /// The coupling follows the last 3 s of audible playback, and is not believed before the first second.
  private static let rememberedBlocks = 300
  private static let leastBlocks = 100
  /// The loudest tenth is exceeded by an echo now and then, by 6 dB hardly ever (no 80 ms of 200 in any room tried).
  private static let margin = 6
  /// The user is louder than the noise of the room by this, and than this in dBFS.
  private static let marginOverNoise = 10
  private static let leastNear = -60
  /// So many of the last 20 blocks are near speech and not a door: 80 ms of 200.
  private static let nearBlocks = 8
  /// Speech has gaps and soft sounds: the user is still there this long after the last that was clearly louder.
  private static let holdBlocks = 50
  /// So much of the room without playback must have been heard to know its noise.
  private static let leastSilentBlocks = 20

  /// The last levels that were played, and what is the loudest of them, falling; in tenths of a decibel.
  private var played = [Int](repeating: -1_000, count: reachBlocks)
  private var place = 0
  private var reaching = -1_000
  private var quietBlocks = 1_000
  private var ratios = LevelHistory(capacity: rememberedBlocks)
  private var silence = LevelHistory(capacity: rememberedBlocks)
  /// The last 20 blocks, the newest in the lowest bit.
  private var near: UInt32 = 0
  private var blocksSinceNear = 1_000

  /// How long the straight way takes, in milliseconds, once that is known: so a voice that was lowered for the user soon counts
  /// for what it is.
  package var delayMilliseconds: Int?
  /// The latest at which the echo was found, in milliseconds, where that is not known: a sound server that falls behind and behind.
  package var latestMilliseconds: Int?

  /// The echo comes another way than before: what was learnt of it is of no use any more.
  package mutating func learnAgain() {
    ratios = LevelHistory(capacity: Self.rememberedBlocks)
    near = 0
    blocksSinceNear = 1_000
  }

  /// Whether an echo of what was played may be in the present block.
  package var isAudible: Bool { quietBlocks <= Self.tailBlocks }

  /// The level of the room while nothing plays, in dBFS; never below what a quiet microphone gives.
  package var noise: Int { max(-75, silence.quantile(percent: 30) ?? -75) }

  /// How much louder the echo is than what is played, at most, in dB; nil before it is known.
  package var coupling: Int? {
    ratios.count >= Self.leastBlocks ? ratios.quantile(percent: 90) : nil
  }

  /// Whether somebody near speaks, clearly louder than any echo could be, or did half a second ago.
  package var isNear: Bool { blocksSinceNear <= Self.holdBlocks }

  /// Take the levels of one block, in dBFS.
  package mutating func hear(captured: Int, played level: Int) {
    played[place] = level * 10
    place = (place + 1) % played.count
    let reach = min(played.count, reachBlocks)
    let loudest = (1...reach).map { played[(place - $0 + played.count) % played.count] }.max() ?? -1_000
    reaching = max(loudest, reaching - Self.fallTenths)
    let mayEcho = reaching > Self.leastPlayed * 10
    quietBlocks = mayEcho ? 0 : min(1_000, quietBlocks + 1)
    if mayEcho {
      ratios.add(captured - reaching / 10)
    } else if !isAudible {
      silence.add(captured)
    }
    let isNearBlock = isAudible && exceeds(captured)
    near = (near << 1 | (isNearBlock ? 1 : 0)) & 0xF_FFFF
    blocksSinceNear = near.nonzeroBitCount >= Self.nearBlocks ? 0 : min(1_000, blocksSinceNear + 1)
  }

  /// So far back is what may come in now.
  private var reachBlocks: Int {
    if let delayMilliseconds { return delayMilliseconds / 10 + Self.reachBehindDelay }
    return max(Self.shortReachBlocks, latestMilliseconds.map { $0 / 10 + Self.reachBehindLatest } ?? 0)
  }

  /// Whether this level, in dBFS, is clearly louder than the room while nothing plays; false as long as that is not known.
  package func isLoud(_ captured: Int) -> Bool {
    silence.count >= Self.leastSilentBlocks && captured > max(noise + Self.marginOverNoise, Self.leastNear)
  }

  private func exceeds(_ captured: Int) -> Bool {
    guard let coupling else { return false }
    return isLoud(captured) && captured > coupling + reaching / 10 + Self.margin
  }
}
