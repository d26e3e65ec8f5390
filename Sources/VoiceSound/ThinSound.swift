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
