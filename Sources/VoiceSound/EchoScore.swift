/// Whether the echo canceller has shown that it holds: what is left of the echo against what came in, measured over the
/// playback itself, 100 ms at a time.
///
/// Only stretches in which something plays count. One in which the microphone hears no more than the room's noise is
/// *quiet*: where all are, nothing of the loudspeaker arrives (a headset), and there is nothing to cancel. Of the others one
/// is *good* if what is left is so far below what came in as a canceller gets that follows, or no more than the noise. The
/// measure is of levels, after everything that the canceller does: a filter's own opinion of itself (its adaption, its ERLE
/// estimate) stays good when a sound server skips, which is what the score is there to notice. A pure value.
package struct EchoScore: Equatable, Sendable {
  private enum Stretch: Equatable, Sendable { case quiet, good, bad }

  private static let stretchBlocks = 10
  /// In so many blocks of a stretch something must play.
  private static let leastPlayingBlocks = 5
  /// What plays below this, in dBFS, tells nothing: the end of a word, or a voice that was lowered for the user.
  private static let leastPlayed = -36
  /// Measured in rooms of 60 to 200 ms: a canceller that follows takes away 22 dB and more, one that was thrown out by a
  /// skip 5 to 12 dB.
  package static let leastLossForDetector = 18
  /// The canceller that keeps words whole takes away 14 dB and more where it follows, also from a loudspeaker that is driven.
  package static let leastLossForWords = 14
  /// Heard no louder than that above the room's noise, it is the noise.
  private static let marginOverNoise = 6
  /// Two seconds of playback are remembered.
  private static let remembered = 20
  /// It holds once four fifths of at least 1.5 s were good. When four of the last five stretches were bad, it has lost the echo,
  /// or somebody speaks near: that is doubt, and for who can tell the two apart to decide (`EchoLikeness`). When 12 of the last
  /// 15 were, it holds no longer: by then a reply would have been lowered for the user.
  private static let leastToHold = 15
  private static let doubt = (last: 5, bad: 4)
  private static let despair = (last: 15, bad: 12)
  /// Nothing at all was heard of so much loud playback: 1.2 s; and of 3 s, which are about 6 s of a reply, where more depends on it.
  private static let leastQuiet = 12
  private static let certainlyQuiet = 30

  private let leastLoss: Int
  private var stretches: [Stretch] = []
  /// Those that were quiet since the last that was good.
  private var quiet = 0
  private var captured = 0
  private var residual = 0
  private var blocks = 0
  private var playingBlocks = 0

  /// Whether the canceller can be relied on.
  package private(set) var holds = false

  /// Whether it has shown that by an echo, and not by there being none.
  package private(set) var cancels = false

  /// Whether there is certainly no echo. Who speaks near over the playback changes nothing about that for the first second.
  package var hasNoEcho: Bool { holds && quiet >= Self.certainlyQuiet }

  /// - Parameter leastLoss: so much, in dB, does the canceller take away where it follows.
  package init(leastLoss: Int = leastLossForDetector) { self.leastLoss = leastLoss }

  /// The echo comes another way than before: nothing is shown any more.
  package mutating func learnAgain() { self = EchoScore(leastLoss: leastLoss) }

  /// Take one block: the sound of the microphone and what the canceller left of it; `played` and `noise`, the level of the
  /// room without playback, in dBFS. Returns whether it is now in doubt that it holds.
  package mutating func hear(captured block: [Int16], residual rest: [Int16], played: Int, noise: Int) -> Bool {
    captured += power(of: block)
    residual += power(of: rest)
    blocks += 1
    if played > Self.leastPlayed { playingBlocks += 1 }
    guard blocks == Self.stretchBlocks else { return false }
    defer { (captured, residual, blocks, playingBlocks) = (0, 0, 0, 0) }
    guard playingBlocks >= Self.leastPlayingBlocks else { return false }
    return note(captured: level(captured), residual: level(residual), noise: noise)
  }

  private mutating func note(captured: Int, residual: Int, noise: Int) -> Bool {
    if captured <= noise + Self.marginOverNoise {
      stretches.append(.quiet)
    } else {
      stretches.append(captured - residual >= leastLoss || residual <= noise ? .good : .bad)
    }
    if stretches.count > Self.remembered { stretches.removeFirst() }
    switch stretches.last {
    case .quiet: quiet += 1
    case .good: quiet = 0
    case .bad, nil: break
    }
    let good = stretches.count(where: { $0 == .good })
    let loud = stretches.count(where: { $0 != .quiet })
    if loud >= Self.leastToHold && good * 5 >= loud * 4 { (holds, cancels) = (true, true) }
    if holds {
      if bad(of: Self.despair.last) >= Self.despair.bad { learnAgain() }
      return holds && bad(of: Self.doubt.last) >= Self.doubt.bad
    }
    holds = loud == 0 && stretches.count >= Self.leastQuiet
    return false
  }

  private func bad(of last: Int) -> Int { stretches.suffix(last).count { $0 == .bad } }

  private func level(_ power: Int) -> Int {
    decibels(power: power, of: Self.stretchBlocks * CaptureProcessor.blockSamples)
  }
}
