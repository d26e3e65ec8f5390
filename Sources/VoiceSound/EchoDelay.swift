/// How long what is played takes to come in at the microphone, found in the sounds themselves: what the devices state is often
/// far from true, and no canceller reaches further than a quarter of a second.
///
/// Looked for four times a second while something plays or may still come in (every three seconds while it comes when it is known
/// to), by the place where the last 300 ms of the microphone's sound are the most like what was played; believed once four places
/// in a row agree. One place alone is chance: in three seconds of a voice there is nearly always something like what somebody else
/// says. Blocks of 10 ms. A pure value.
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
  private static let kept = 8
  /// What was found in the same sound confirms nothing, and what was found in a third of it little; nor does what was found ten
  /// seconds ago. In blocks in which an echo was awaited.
  private static let (newest, soonest, oldest) = (10, 30, 1_000)
  /// So long an echo that was not found, or was lost, is reckoned with: then there is none, as with headphones.
  private static let (searching, missing) = (1_000, 3_000)
  /// In samples of 2 kHz: 3 ms, the time between a loudspeaker's sound and its first reflections.
  private static let tolerance = 6
  /// What plays below this tells nothing, in dBFS.
  private static let leastPlayed = -40

  private var played = ThinSound(by: thinning, keeping: window + reach)
  private var captured = ThinSound(by: thinning, keeping: window)
  private var finds: [Find] = []
  private var quietBlocks = reachMilliseconds / 10
  private var soundingBlocks = 0
  private var suspectedUntil = searching
  /// Where the places agreed, in samples of 2 kHz; nil before it is known.
  private var known: Int?
  /// Where they did before it was doubted.
  private var doubted: Int?
  /// Whether it was there, too, when it was last looked for.
  private var isSettled: Bool {
    guard let known else { return false }
    return finds.last.map { isAt($0.lag, known) } ?? true
  }
  /// In milliseconds; nil before it is known.
  package var milliseconds: Int? { known.map(Self.milliseconds) }

  /// Where it was found, in samples of 2 kHz, and when, in blocks in which it was awaited.
  private struct Find: Equatable {
    let lag, block: Int
  }

  /// The echo comes sooner or later than before.
  package mutating func learnAgain() {
    finds = []
    (known, doubted) = (nil, nil)
    suspect(for: Self.searching)
  }

  /// It seems to have moved: where it was found lately are hints, and no more.
  mutating func doubt() {
    (known, doubted) = (nil, known ?? doubted)
    finds = elsewhere
    suspect(for: Self.missing)
  }

  private mutating func suspect(for blocks: Int) { suspectedUntil = max(suspectedUntil, soundingBlocks + blocks) }

  /// Whether what was played may still come in, however late.
  package var isAwaited: Bool { quietBlocks < Self.reachMilliseconds / 10 }

  /// Whether nothing has been played for half a minute.
  var isIdle: Bool { quietBlocks >= Self.reachMilliseconds }

  /// Whether there is an echo, as far as is known, that comes at an unknown time.
  var isSuspected: Bool { known == nil && soundingBlocks < suspectedUntil }

  /// As `milliseconds`; or as before it was doubted, as long as it was not found elsewhere since.
  var likelyMilliseconds: Int? { known != nil || elsewhere.isEmpty ? (known ?? doubted).map(Self.milliseconds) : nil }

  /// What was found that had not been there before it was doubted; one place alone is none.
  private var elsewhere: [Find] {
    guard let doubted else { return finds }
    let others = finds.filter { !isAt($0.lag, doubted) }
    return others.count > 1 ? others : []
  }

  /// The latest at which it was found to come lately, in milliseconds, whether or not the places agree; nil if it was not found.
  package var latestMilliseconds: Int? {
    if finds.count < 2 { return nil }
    let recent = finds.filter { soundingBlocks - $0.block <= Self.oldest }
    return recent.filter { isConfirmed($0, by: recent) }.map(\.lag).max().map(Self.milliseconds)
  }

  private func isConfirmed(_ find: Find, by others: [Find]) -> Bool {
    others.contains {
      abs($0.block - find.block) >= Self.soonest && abs($0.lag - find.lag) <= Self.fall.later
    }
  }

  /// Take one block of each; `level` is that of what was played, in dBFS.
  package mutating func hear(captured block: [Int16], played: [Int16], level: Int) {
    self.played.add(played)
    captured.add(block)
    quietBlocks = level > Self.leastPlayed ? 0 : min(Self.reachMilliseconds, quietBlocks + 1)
    guard isAwaited else { return }
    soundingBlocks += 1
    guard soundingBlocks % (isSettled ? Self.lookBlocksWhenKnown : Self.lookBlocks) == 0 else { return }
    if let lag { note(lag) }
  }

  private mutating func note(_ lag: Int) {
    let find = Find(lag: lag, block: soundingBlocks)
    if isConfirmed(find, by: finds.filter(isHint)) { suspect(for: Self.searching) }
    finds.append(find)
    if finds.count > Self.kept { finds.removeFirst() }
    let last = finds.suffix(Self.agreeing)
    let lags = last.map(\.lag)
    guard last.count == Self.agreeing, let least = lags.min(), let most = lags.max(), most - least <= Self.tolerance,
      last.contains(where: { isConfirmed($0, by: [find]) })
    else { return }
    known = least
  }

  /// Whether it may tell of what is found now.
  private func isHint(_ find: Find) -> Bool { Self.soonest...Self.oldest ~= soundingBlocks - find.block }

  /// Whether what comes in now is what was played, at another time than it should: a sound server has skipped, or it is not known
  /// yet how late it comes. Somebody near does not move it, and is no copy of it.
  /// - Parameters:
  ///   - isCertain: whether it has to be about where it was found lately, and as like it as there.
  ///   - isHeld: whether the canceller has shown that it holds, so that less is not believed either.
  ///   - mayHaveMoved: whether it may come so late now, and not as late as is known, or was before that was doubted; nil where
  ///     neither is. Both in milliseconds.
  package mutating func isFoundElsewhere(
    isCertain: Bool = false, isHeld: Bool = false,
    mayHaveMoved: (_ milliseconds: Int, _ expected: Int?) -> Bool = { _, _ in true }
  ) -> Bool {
    guard let found = captured.place(window: Self.window, in: played, lags: 0...Self.reach),
      mayHaveMoved(Self.milliseconds(found.lag), (known ?? doubted).map(Self.milliseconds))
    else { return false }
    let thousandths = Int(found.likeness * 1_000)
    let isSure = thousandths >= Self.leastAlone
    if let known {
      let isNear = abs(known - found.lag) <= Self.skip
      guard !isAmongFinds(found.lag), isSure || (isNear && thousandths >= Self.least) else { return false }
    } else {
      let near = elsewhere.filter {
        $0.lag - Self.fall.sooner...$0.lag + Self.fall.later ~= found.lag
          && Self.newest...Self.oldest ~= soundingBlocks - $0.block
      }
      let isHere = doubted.map { isAt(found.lag, $0) } ?? false
      let least = near.contains(where: isHint) && !isCertain && !isHeld ? Self.leastThere : Self.least
      let isLikely = !near.isEmpty && thousandths >= least
      guard !isHere, isLikely || (isSure && !isCertain) else { return false }
    }
    // What is less sure would make a hint of what somebody said.
    if isSure || known == nil { note(found.lag) }
    return true
  }

  private func isAmongFinds(_ lag: Int) -> Bool {
    let lags = finds.map(\.lag) + [known].compactMap(\.self)
    guard let least = lags.min(), let most = lags.max() else { return false }
    return least - Self.tolerance...most + 2 * Self.tolerance ~= lag
  }

  private func isAt(_ lag: Int, _ place: Int) -> Bool {
    place - Self.tolerance...place + 2 * Self.tolerance ~= lag
  }

  /// How many samples of 2 kHz ago the last of the microphone's sound was played; nil if it may be anything.
  private var lag: Int? {
    guard let found = captured.place(window: Self.window, in: played, lags: 0...Self.reach),
      found.likeness * 1_000 >= Float(Self.least)
    else { return nil }
    return found.lag
  }

  private static func milliseconds(_ lag: Int) -> Int { lag * 1_000 * thinning / 16_000 }
}
