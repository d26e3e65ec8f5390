/// What is left of the microphone's sound, and what came in, against what was played: whether it is a copy of it, come by a way
/// that the cancellers do not know, or whether the echo still comes when they expect it. A sound server may have skipped, a device
/// may have been moved; and what somebody near says is at some place like something that was played, by chance.
///
/// The greatest normalised correlation between the last 300 ms of what is left and what was played up to 800 ms
/// before. Somebody near may be softer than the echo or louder, his sound is no copy of it. At 4 kHz, with the differences of
/// successive samples, so that not two hums are alike: of 150 echoes in rooms that ring for 0.2 to 0.6 s, half of them from a
/// driven loudspeaker, 98 in a hundred had 0.45 and more, and of 150 human beginnings over what a canceller leaves as many had
/// less than 0.42 (at 2 kHz and without the differences: 0.55, and 0.53). Asked only when the detector opens and soon
/// after, and when a canceller seems to have lost the echo.
package struct EchoLikeness {
  /// How much of what is left is a copy of what was played.
  package enum Share: Equatable, Sendable {
    /// Somebody near, or nothing.
    case none
    /// Too much to take it for somebody near; but he may be in it.
    case some
    /// Nobody else is in it.
    case all
  }

  private static let window = EchoSounds.window
  private static let reach = EchoSounds.samples(milliseconds: 800)
  /// 5 ms, between what comes straight and the first reflections.
  private static let side = EchoSounds.samples(milliseconds: 5)
  /// In 200 simulated conversations what was left had up to 0.52 while somebody spoke near.
  private static let least: Float = 0.4
  private static let leastAlone: Float = 0.6
  /// Of what comes in and the echo that is expected: beside somebody near who is no louder than it. After a skip it was 0.5 at most.
  private static let leastHere: Float = 0.6
  /// With less, nearly nothing of it comes in where it should: it has moved, or is lowered, or a canceller has not learnt it yet.
  private static let leastToCompare: Float = 0.4
  /// A canceller that has just lost the echo leaves two of them: of what was played, all of 22 such had 0.165 and more in
  /// simulated rooms, and a user's words 0.06 and less, but for one in twenty.
  private static let leastLeft: Float = 0.15
  /// What a canceller leaves of an echo that it knows comes in so much sooner or later than the straight sound.
  private static let around = EchoSounds.samples(milliseconds: -10)...EchoSounds.samples(milliseconds: 150)

  private let sounds: EchoSounds
  /// No echo comes sooner than this after its sound, in samples of 4 kHz.
  private let soonest: Int
  /// So late it is known to come, in samples of 4 kHz.
  private let expected: Int?

  /// - Parameters:
  ///   - soonestMilliseconds: no echo comes sooner than this after its sound.
  ///   - expectedMilliseconds: so late it is known to come; nil if it is not.
  package init(of sounds: EchoSounds, soonestMilliseconds: Int = 0, expectedMilliseconds: Int? = nil) {
    self.sounds = sounds
    soonest = EchoSounds.samples(milliseconds: soonestMilliseconds)
    expected = expectedMilliseconds.map(EchoSounds.samples)
  }

  /// How much of what is left now is an echo.
  package var share: Share { share(of: [sounds.rest, sounds.words]) }

  /// As `share`, of what the recogniser hears.
  package var shareOfWords: Share { share(of: [sounds.words]) }

  /// Whether the echo comes when it is expected.
  var isHere: Bool { here >= Self.leastHere }

  /// Whether it may come so late now, in milliseconds, as it was found in what comes in, and not when it is `expected`, if that is
  /// known: what comes in is more like the expected echo there than where it should be. Where next to nothing comes in when it should,
  /// or it is far off, a canceller leaves it. `isKnown`: whether the canceller has shown that it knows the echo.
  func mayHaveMoved(to milliseconds: Int, from expected: Int?, isKnown: Bool) -> Bool {
    let here = here
    guard here >= Self.leastToCompare else { return !isKnown || isLeft(atMilliseconds: milliseconds) }
    guard let expected, abs(milliseconds - expected) <= EchoSounds.skipMilliseconds else {
      return here < Self.leastHere && isLeft(atMilliseconds: milliseconds)
    }
    let lags = lags(aroundMilliseconds: abs(milliseconds - expected))
    let place =
      milliseconds < expected
      ? sounds.expected.place(window: Self.window, in: sounds.captured, lags: lags)
      : sounds.captured.place(window: Self.window, in: sounds.expected, lags: lags)
    return (place?.likeness ?? 0) >= here
  }

  private func isLeft(atMilliseconds milliseconds: Int) -> Bool {
    let place = sounds.words.place(
      window: Self.window, in: sounds.played, lags: lags(aroundMilliseconds: milliseconds))
    return (place?.likeness ?? 0) >= Self.leastLeft
  }

  private func lags(aroundMilliseconds milliseconds: Int) -> ClosedRange<Int> {
    let lag = EchoSounds.samples(milliseconds: milliseconds)
    return max(0, lag - Self.side)...lag + Self.side
  }

  private var here: Float {
    sounds.captured.place(window: Self.window, in: sounds.expected, lags: 0...0)?.likeness ?? 0
  }

  private func share(of rests: [ThinSound]) -> Share {
    let lags = lagsOfAnEcho
    let likeness =
      rests.compactMap { $0.place(window: Self.window, in: sounds.played, lags: lags)?.likeness }.max() ?? 0
    return likeness >= Self.leastAlone ? .all : likeness >= Self.least ? .some : .none
  }

  /// While the echo comes when it is expected, what is like something that was played at another time is so by chance.
  private var lagsOfAnEcho: ClosedRange<Int> {
    guard let expected, isHere else { return soonest...soonest + Self.reach }
    return max(0, expected + Self.around.lowerBound)...expected + Self.around.upperBound
  }
}
