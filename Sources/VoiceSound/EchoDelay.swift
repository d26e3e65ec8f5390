/// How long what is played takes to come in at the microphone, found in the sounds themselves: what the devices state is often
/// far from true, and no canceller reaches further than a quarter of a second.
///
/// Looked for four times a second while something plays or may still come in, by the place where the last 300 ms of the
/// microphone's sound are the most like what was played; believed once four places in a row agree. Blocks of 10 ms. A pure value.
package struct EchoDelay: Equatable, Sendable {
  /// An echo comes this late at most, in milliseconds: a sound server on a machine without a moment to spare fell behind by two
  /// seconds.
  package static let reachMilliseconds = 3_000
  private static let thinning = 8
  private static let window = 600
  private static let reach = reachMilliseconds * 16 / thinning
  private static let lookBlocks = 25
  /// Once it is known, it is only seen to.
  private static let lookBlocksWhenKnown = 300
  /// In thousandths: below that it may be anything.
  private static let least = 500
  /// Nothing but an echo is so much like what was played, whatever the place; and so much about where it was found lately.
  private static let leastAlone = 650
  private static let leastThere = 400
  /// A sound server that skips does so by half a second at most, either way; one that falls behind, over and over, by 60 ms, and
  /// hardly ever the other way. In samples of 2 kHz.
  private static let skip = 1_000
  private static let fall = (sooner: 20, later: 120)
  private static let agreeing = 4
  /// In samples of 2 kHz: 3 ms, the time between a loudspeaker's sound and its first reflections.
  private static let tolerance = 6
  /// What plays below this tells nothing, in dBFS.
  private static let leastPlayed = -40

  private var played = ThinSound(by: thinning, keeping: window + reach)
  private var captured = ThinSound(by: thinning, keeping: window)
  private var places: [Int] = []
  private var quietBlocks = reachMilliseconds / 10
  private var soundingBlocks = 0
  /// Where the places agreed, in samples of 2 kHz; nil before it is known.
  private var known: Int?
  /// Where they did before it was doubted.
  private var doubted: Int?
  /// In milliseconds; nil before it is known.
  package var milliseconds: Int? { known.map(Self.milliseconds) }

  package init() {}

  /// The echo comes sooner or later than before.
  package mutating func learnAgain() {
    places = []
    (known, doubted) = (nil, nil)
  }

  /// It seems to have moved: where it was found last is a hint, and no more.
  mutating func doubt() {
    (known, doubted) = (nil, known ?? doubted)
    places = elsewhere.suffix(1)
  }

  /// Whether what was played may still come in, however late.
  package var isAwaited: Bool { quietBlocks < Self.reachMilliseconds / 10 }

  /// As `milliseconds`; or as before it was doubted, as long as it was not found elsewhere since.
  var likelyMilliseconds: Int? { known != nil || elsewhere.isEmpty ? (known ?? doubted).map(Self.milliseconds) : nil }

  /// Where it was found that it had not been before it was doubted; one place alone is none.
  private var elsewhere: [Int] {
    guard let doubted else { return places }
    let others = places.filter { !isAt($0, doubted) }
    return others.count > 1 ? others : []
  }

  /// The latest at which it was found to come lately, in milliseconds, whether or not the places agree; nil if it was not found.
  package var latestMilliseconds: Int? { places.max().map(Self.milliseconds) }

  /// Take one block of each; `level` is that of what was played, in dBFS.
  package mutating func hear(captured block: [Int16], played: [Int16], level: Int) {
    self.played.add(played)
    captured.add(block)
    quietBlocks = level > Self.leastPlayed ? 0 : min(Self.reachMilliseconds, quietBlocks + 1)
    guard isAwaited else { return }
    soundingBlocks += 1
    guard soundingBlocks % (known == nil ? Self.lookBlocks : Self.lookBlocksWhenKnown) == 0 else { return }
    if let lag { note(lag) }
  }

  private mutating func note(_ lag: Int) {
    places.append(lag)
    if places.count > Self.agreeing { places.removeFirst() }
    guard places.count == Self.agreeing, let least = places.min(), let most = places.max(),
      most - least <= Self.tolerance
    else { return }
    known = least
  }

  /// Whether what comes in now is what was played, at another time than it should: a sound server has skipped, or it is not known
  /// yet how late it comes. Somebody near does not move it, and is no copy of it.
  /// - Parameter isCertain: whether it has to be about where it was found lately, and as like it as there.
  package mutating func isFoundElsewhere(isCertain: Bool = false) -> Bool {
    guard let found = captured.place(window: Self.window, in: played, reach: Self.reach) else { return false }
    let thousandths = Int(found.likeness * 1_000)
    let isSure = thousandths >= Self.leastAlone
    if known != nil {
      let isNear = places.contains { abs($0 - found.lag) <= Self.skip }
      guard !isAmongPlaces(found.lag), isSure || (isNear && thousandths >= Self.least) else { return false }
    } else {
      let isNear = elsewhere.contains { $0 - Self.fall.sooner...$0 + Self.fall.later ~= found.lag }
      let isHere = doubted.map { isAt(found.lag, $0) } ?? false
      let isLikely = isNear && thousandths >= (isCertain ? Self.least : Self.leastThere)
      guard !isHere, isLikely || (isSure && !isCertain) else { return false }
    }
    // What is less sure would make a hint of what somebody said.
    if isSure || known == nil { note(found.lag) }
    return true
  }

  private func isAmongPlaces(_ lag: Int) -> Bool {
    guard let least = places.min(), let most = places.max() else { return false }
    return least - Self.tolerance...most + Self.tolerance ~= lag
  }

  private func isAt(_ lag: Int, _ place: Int) -> Bool {
    place - Self.tolerance...place + 2 * Self.tolerance ~= lag
  }

  /// How many samples of 2 kHz ago the last of the microphone's sound was played; nil if it may be anything.
  private var lag: Int? {
    guard let found = captured.place(window: Self.window, in: played, reach: Self.reach),
      found.likeness * 1_000 >= Float(Self.least)
    else { return nil }
    return found.lag
  }

  private static func milliseconds(_ lag: Int) -> Int { lag * 1_000 * thinning / 16_000 }
}
