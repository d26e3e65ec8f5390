/// What is left of the microphone's sound, and what came in, against what was played: whether it is a copy of it, come by a way that the
/// cancellers do not know, or whether the echo still comes when they expect it. A sound server may have skipped, a device may
/// have been moved; and what somebody near says is at some place like something that was played, by chance.
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
  /// Less tells nothing, of a canceller that has not learnt yet.
  private static let leastToCompare: Float = 0.4
  /// As like the expected echo was what had moved, in 19 of 23 skips.
  private static let leastThere: Float = 0.5
  /// A canceller that has just lost the echo leaves two of them: nineteen in twenty such had so much of what was played in
  /// simulated rooms, and one in eight of a user's words.
  private static let leastLeft: Float = 0.13

  private let sounds: EchoSounds
  /// No echo comes sooner than this after its sound, in samples of 4 kHz.
  private let soonest: Int

  /// - Parameter soonestMilliseconds: no echo comes sooner than this after its sound.
  package init(of sounds: EchoSounds, soonestMilliseconds: Int = 0) {
    self.sounds = sounds
    soonest = EchoSounds.samples(milliseconds: soonestMilliseconds)
  }

  /// How much of what is left now is an echo.
  package var share: Share { share(of: max(likeness(of: sounds.rest), likeness(of: sounds.words))) }

  /// As `share`, of what the recogniser hears.
  package var shareOfWords: Share { share(of: likeness(of: sounds.words)) }

  /// Whether the echo comes when it is expected.
  var isHere: Bool { here >= Self.leastHere }

  /// Whether it may come so late now, in milliseconds, as it was found in what comes in, and not when it is `expected`, if that is
  /// known: what comes in is more like the expected echo there than where it should be. What is farther off was silent for too
  /// long: a canceller has begun to forget it, and leaves it. `isKnown`: whether the canceller has shown that it knows the echo.
  func mayHaveMoved(to milliseconds: Int, from expected: Int?, isKnown: Bool) -> Bool {
    let here = here
    guard isKnown || here >= Self.leastToCompare else { return true }
    guard let expected, abs(milliseconds - expected) <= EchoSounds.skipMilliseconds else {
      return here < Self.leastHere && isLeft(atMilliseconds: milliseconds)
    }
    let lags = lags(aroundMilliseconds: abs(milliseconds - expected))
    let place =
      milliseconds < expected
      ? sounds.expected.place(window: Self.window, in: sounds.captured, lags: lags)
      : sounds.captured.place(window: Self.window, in: sounds.expected, lags: lags)
    return (place?.likeness ?? 0) >= max(here, Self.leastThere)
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

  private func share(of likeness: Float) -> Share {
    likeness >= Self.leastAlone ? .all : likeness >= Self.least ? .some : .none
  }

  private func likeness(of rest: ThinSound) -> Float {
    rest.place(window: Self.window, in: sounds.played, lags: soonest...soonest + Self.reach)?.likeness ?? 0
  }
}
