#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Changes the sample rate of a whole piece of sound by a fraction, with a windowed-sinc filter for each phase.
///
/// Flat to 0.9 of the lower rate's half and more than 80 dB down at its mirror images.
struct RationalResampler {
  /// Samples of input on each side of an output sample.
  private static let reach = 24

  private let up: Int
  private let down: Int
  /// One row of `2 * reach` coefficients for each phase.
  private let phases: [[Float]]

  /// Both rates in samples a second.
  init(from inputRate: Int, to outputRate: Int) {
    precondition(inputRate > 0 && outputRate > 0, "a resampler from \(inputRate) to \(outputRate)")
    let divisor = Self.commonDivisor(inputRate, outputRate)
    up = outputRate / divisor
    down = inputRate / divisor
    // As a part of the input's half rate: when the rate falls, what would fold over is removed.
    let cutoff = 0.95 * min(1, Double(outputRate) / Double(inputRate))
    phases = (0..<up).map { [up] phase in
      let row = (0..<2 * Self.reach).map { tap -> Double in
        let distance = Double(tap - Self.reach + 1) - Double(phase) / Double(up)
        return cutoff * Self.sinc(cutoff * distance) * Self.window(distance / Double(Self.reach))
      }
      // Each phase passes a constant unchanged, so that no phase is louder than another.
      let sum = row.reduce(0, +)
      return row.map { Float($0 / sum) }
    }
  }

  /// The whole piece at the new rate, rounded and limited to 16 bits.
  /// - Parameter samples: From -1 to 1.
  func resample(_ samples: [Float]) -> [Int16] {
    guard !samples.isEmpty else { return [] }
    let count = (samples.count * up + down - 1) / down
    let padding = [Float](repeating: 0, count: Self.reach)
    let padded = padding + samples + padding
    return [Int16](unsafeUninitializedCapacity: count) { output, used in
      padded.withUnsafeBufferPointer { input in
        for index in 0..<count {
          let position = index * down
          let first = position / up + 1
          let row = phases[position % up]
          let sum = row.withUnsafeBufferPointer { row in
            var sum: Float = 0
            var tap = 0
            while tap < row.count {
              sum += row[tap] * input[first + tap]
              tap += 1
            }
            return sum
          }
          output.initializeElement(at: index, to: Int16(max(-32_768, min(32_767, (sum * 32_768).rounded()))))
        }
      }
      used = count
    }
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

  /// A Kaiser window with beta 8; 0 outside -1...1.
  private static func window(_ x: Double) -> Double {
    abs(x) >= 1 ? 0 : bessel(8 * (1 - x * x).squareRoot()) / bessel(8)
  }

  /// The modified Bessel function of order zero, by its series.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    var k = 1.0
    while term > sum * 1e-12 {
      term *= (x / (2 * k)) * (x / (2 * k))
      sum += term
      k += 1
    }
    return sum
  }

  private static func commonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : commonDivisor(b, a % b) }
}
