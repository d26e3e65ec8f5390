/// How long what is played takes to come in at the microphone, found in the sounds themselves: what the devices state is often
/// far from true, and no canceller reaches further than a quarter of a second.
///
/// Looked for twice a second while something plays, by the place where the last 300 ms of the microphone's sound are the
/// most like what was played; believed once three places in a row agree. Blocks of 10 ms. A pure value.
package struct EchoDelay: Equatable, Sendable {
  private static let thinning = 8
  private static let window = 600
  /// Half a second, as in `EchoPath`.
  private static let reach = 1_000
  private static let lookBlocks = 50
  /// Once it is known, it is only seen to.
  private static let lookBlocksWhenKnown = 300
  /// In thousandths: below that it may be anything.
  private static let least = 500
  private static let agreeing = 3
  /// In samples of 2 kHz: 3 ms, the time between a loudspeaker's sound and its first reflections.
  private static let tolerance = 6
  /// What plays below this tells nothing, in dBFS.
  private static let leastPlayed = -40

  private var played = ThinSound(by: thinning, keeping: window + reach)
  private var captured = ThinSound(by: thinning, keeping: window)
  private var places: [Int] = []
  private var playingBlocks = 0
  /// In milliseconds; nil before it is known.
  package private(set) var milliseconds: Int?

  package init() {}

  /// The echo comes sooner or later than before.
  package mutating func learnAgain() {
    places = []
    milliseconds = nil
  }

  /// Take one block of each; `level` is that of what was played, in dBFS.
  package mutating func hear(captured block: [Int16], played: [Int16], level: Int) {
    self.played.add(played)
    captured.add(block)
    guard level > Self.leastPlayed else { return }
    playingBlocks += 1
    guard playingBlocks % (milliseconds == nil ? Self.lookBlocks : Self.lookBlocksWhenKnown) == 0, let lag
    else { return }
    places.append(lag)
    if places.count > Self.agreeing { places.removeFirst() }
    guard places.count == Self.agreeing, let least = places.min(), let most = places.max(),
      most - least <= Self.tolerance
    else { return }
    milliseconds = least * 1_000 * Self.thinning / 16_000
  }

  /// Whether the echo comes at another time now than it did: a sound server has skipped. Somebody near does not move it.
  package var hasMoved: Bool {
    guard let least = places.min(), let most = places.max(), let lag else { return false }
    return milliseconds != nil && !(least - Self.tolerance...most + Self.tolerance ~= lag)
  }

  /// How many samples of 2 kHz ago the last of the microphone's sound was played; nil if it may be anything.
  private var lag: Int? {
    guard let found = captured.place(window: Self.window, in: played, reach: Self.reach),
      found.likeness * 1_000 >= Float(Self.least)
    else { return nil }
    return found.lag
  }
}
