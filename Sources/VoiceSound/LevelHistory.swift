import VoiceSystem

/// How loud a block of sound is, in whole decibels below full scale; -100 is silence.
package func decibels(of samples: [Int16]) -> Int { decibels(power: power(of: samples), of: samples.count) }

/// The sum of the squares of the samples.
func power(of samples: [Int16]) -> Int { samples.reduce(0) { $0 + Int($1) * Int($1) } }

/// How loud so many samples are whose squares have this sum.
func decibels(power: Int, of count: Int) -> Int {
  guard power > 0, count > 0 else { return -100 }
  return max(-100, Int(decibels(meanSquare: Double(power) / Double(count)).rounded()))
}

/// How loud samples are whose squares have this mean, in decibels of full scale.
package func decibels(meanSquare: Double) -> Double { 10 * log10(meanSquare / (32_768 * 32_768)) }

/// The latest levels, in whole decibels, of which a quantile can be asked at any time: a histogram of a ring. A hundred
/// numbers are looked at for an answer, however long the ring is.
package struct LevelHistory: Equatable, Sendable {
  private static let lowest = -100
  private static let highest = 60

  private var ring: [Int] = []
  private var next = 0
  private var counts = [Int](repeating: 0, count: highest - lowest + 1)
  private let capacity: Int

  /// - Parameter capacity: how many levels are remembered.
  package init(capacity: Int) {
    precondition(capacity > 0, "a history of nothing")
    self.capacity = capacity
    ring.reserveCapacity(capacity)
  }

  /// How many levels are remembered.
  package var count: Int { ring.count }

  /// Remember a level in decibels, and forget the oldest.
  package mutating func add(_ level: Int) {
    let bin = min(max(level, Self.lowest), Self.highest) - Self.lowest
    counts[bin] += 1
    if ring.count < capacity {
      ring.append(bin)
    } else {
      counts[ring[next]] -= 1
      ring[next] = bin
      next = (next + 1) % capacity
    }
  }

  /// The level that this share of the remembered ones do not exceed; nil if none is remembered.
  package func quantile(percent: Int) -> Int? {
    guard !ring.isEmpty else { return nil }
    var left = max(1, ring.count * percent / 100)
    for (bin, count) in counts.enumerated() {
      left -= count
      if left <= 0 { return bin + Self.lowest }
    }
    return nil
  }
}
