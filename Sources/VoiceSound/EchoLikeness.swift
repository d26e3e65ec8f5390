/// Whether what is left of the microphone's sound is a copy of what was played, come by a way that the canceller does not know:
/// a sound server has skipped, or a device was moved.
///
/// The greatest normalised correlation between the last 300 ms of what is left and what was played up to 800 ms
/// before. Somebody near may be softer than the echo or louder, his sound is no copy of it. At 4 kHz, with the differences of
/// successive samples, so that not two hums are alike: of 150 echoes in rooms that ring for 0.2 to 0.6 s, half of them from a
/// driven loudspeaker, 98 in a hundred had 0.45 and more, and of 150 human beginnings over what a canceller leaves as many had
/// less than 0.42 (at 2 kHz and without the differences: 0.55, and 0.53). Asked only when the detector opens and soon
/// after, and when a canceller seems to have lost the echo.
package struct EchoLikeness: Equatable, Sendable {
  /// How much of what is left is a copy of what was played.
  package enum Share: Equatable, Sendable {
    /// Somebody near, or nothing.
    case none
    /// Too much to take it for somebody near; but he may be in it.
    case some
    /// Nobody else is in it.
    case all
  }

  private static let thinning = 4
  private static let window = 1_200
  private static let reach = 3_200
  /// 5 ms, between what comes straight and the first reflections.
  private static let side = 20
  /// Thousandths. In 200 simulated conversations what was left had up to 0.52 while somebody spoke near.
  private static let least = 400
  private static let leastAlone = 600
  private static let leastThere = 130

  private var played = ThinSound(by: thinning, keeping: window + EchoDelay.reachMilliseconds * 16 / thinning)
  private var vadRest = ThinSound(by: thinning, keeping: window)
  private var recogniserRest = ThinSound(by: thinning, keeping: window)
  /// No echo comes sooner than this after its sound.
  package var soonestMilliseconds = 0

  /// Take one block of what was played, and of what each canceller left of the microphone's.
  package mutating func hear(played: [Int16], vadRest: [Int16], recogniserRest: [Int16]) {
    self.played.add(played)
    self.vadRest.add(vadRest)
    self.recogniserRest.add(recogniserRest)
  }

  /// How much of what is left now is an echo.
  package var share: Share { share(of: max(likeness(of: vadRest), likeness(of: recogniserRest))) }

  /// As `share`, of what the recogniser hears.
  package var shareOfWords: Share { share(of: likeness(of: recogniserRest)) }

  /// Whether what the recogniser hears may have in it what was played so long ago. A canceller that has just lost the echo leaves two
  /// of them, so little is enough: 0.13, which nineteen in twenty such had in simulated rooms, and one in eight of a user's words.
  func isCopy(atMilliseconds milliseconds: Int) -> Bool {
    let lag = milliseconds * 16 / Self.thinning
    let lags = max(0, lag - Self.side)...lag + Self.side
    let place = recogniserRest.place(window: Self.window, in: played, lags: lags)
    return (place?.likeness ?? 0) * 1_000 >= Float(Self.leastThere)
  }

  private func share(of likeness: Float) -> Share {
    let thousandths = likeness * 1_000
    return thousandths >= Float(Self.leastAlone) ? .all : thousandths >= Float(Self.least) ? .some : .none
  }

  private func likeness(of rest: ThinSound) -> Float {
    let soonest = soonestMilliseconds * 16 / Self.thinning
    return rest.place(window: Self.window, in: played, lags: soonest...soonest + Self.reach)?.likeness ?? 0
  }
}

/// The last of a sound at a lower rate, as differences of successive samples: voices are louder the lower they are, and one
/// low tone is like any other.
struct ThinSound: Equatable, Sendable {
  private let thinning: Int
  private let count: Int
  private var samples: [Float] = []
  private var last: Float = 0
  private static let emphasis: Float = 0.95

  /// - Parameters:
  ///   - thinning: so many samples become one.
  ///   - count: as many of those are remembered at least.
  init(by thinning: Int, keeping count: Int) {
    self.thinning = thinning
    self.count = count
  }

  /// Take what follows.
  mutating func add(_ block: [Int16]) {
    for start in stride(from: 0, to: block.count - thinning + 1, by: thinning) {
      let mean = Float(block[start..<start + thinning].reduce(0) { $0 + Int($1) } / thinning)
      samples.append(mean - Self.emphasis * last)
      last = mean
    }
    // Seldom, so that it costs little.
    if samples.count > 2 * count { samples.removeFirst(samples.count - count) }
  }

  private func square(_ sample: Float) -> Double { Double(sample) * Double(sample) }

  /// Where in another sound something was found.
  struct Place {
    /// The normalised correlation, 0 to 1.
    var likeness: Float
    /// How many samples earlier.
    var lag: Int
    /// To a fraction of a sample; nil at an end of what was looked at, where it may be greater beyond.
    var exactLag: Double?
  }

  /// Where the last `window` samples are found in `other`, which may be ahead of them by so many samples, as far as it is
  /// remembered: the place that is the most like them. Nil if there is not enough of either.
  func place(window: Int, in other: ThinSound, lags: ClosedRange<Int>) -> Place? {
    let reach = min(lags.upperBound, other.samples.count - window)
    guard samples.count >= window, reach >= lags.lowerBound else { return nil }
    let pattern = Array(samples.suffix(window))
    let text = Array(other.samples.suffix(window + reach).dropLast(lags.lowerBound))
    let last = reach - lags.lowerBound
    // What is left of a loud word in sums of few digits would be more than the soft sound behind it.
    var power = text.prefix(window).reduce(0.0) { $0 + square($1) }
    // At least a bit of power in each sample, or silence would be like anything.
    let least = Double(window)
    let own = max(least, pattern.reduce(0.0) { $0 + square($1) })
    var likenesses: [Float] = []
    likenesses.reserveCapacity(last + 1)
    pattern.withUnsafeBufferPointer { pattern in
      text.withUnsafeBufferPointer { text in
        for offset in 0...last {
          // Four sums, that do not wait for each other.
          var (first, second, third, fourth) = (Float(0), Float(0), Float(0), Float(0))
          var index = 0
          while index + 3 < window {
            first += pattern[index] * text[offset + index]
            second += pattern[index + 1] * text[offset + index + 1]
            third += pattern[index + 2] * text[offset + index + 2]
            fourth += pattern[index + 3] * text[offset + index + 3]
            index += 4
          }
          likenesses.append(Float(square(first + second + third + fourth) / (max(least, power) * own)))
          if offset < last { power += square(text[offset + window]) - square(text[offset]) }
        }
      }
    }
    let best = likenesses.indices.max { likenesses[$0] < likenesses[$1] } ?? 0
    return Place(
      likeness: likenesses[best].squareRoot(), lag: reach - best,
      exactLag: top(of: likenesses, near: best).map { Double(reach) - $0 })
  }

  /// The top of the parabola through the greatest and its two neighbours.
  private func top(of values: [Float], near best: Int) -> Double? {
    guard best > 0, best + 1 < values.count else { return nil }
    let (left, middle, right) = (Double(values[best - 1]), Double(values[best]), Double(values[best + 1]))
    let bend = left - 2 * middle + right
    return bend < 0 ? Double(best) + (left - right) / (2 * bend) : nil
  }
}
