/// The last seconds of the microphone and of what was played, 16 kHz, in blocks of 160 samples; what was played can be had as a clock
/// has it that runs at another speed.
struct EchoPast {
  /// So late is what is read, in samples, at the first of a block, and so much less with every sample.
  struct Reading: Equatable {
    var late = 0.0
    var share = 0.0

    /// For a block that comes so many blocks later; or before, if less than 0.
    func moved(byBlocks blocks: Int) -> Reading {
      Reading(late: late - share * Double(blocks * EchoPast.block), share: share)
    }
    /// At whole samples, and moving no more.
    var stopped: Reading { Reading(late: max(0, (late / Double(EchoPast.block)).rounded() * Double(EchoPast.block))) }
    /// Whether what it asks for has been played by now.
    var isAvailable: Bool { isWhole ? late >= 0 : moved(byBlocks: 1).late >= Double(EchoPast.side) }
    /// Whether no fraction of a sample is asked for.
    fileprivate var isWhole: Bool { share == 0 && late == late.rounded() }
  }

  fileprivate static let block = CaptureProcessor.blockSamples
  /// Samples on either side from which one between them is made.
  private static let side = 8
  private static let blocks = 400
  private static let reachBlocks = EchoDelay.reachMilliseconds / 10 + 1
  private var captured: [Int16] = []
  private var played: [Int16] = []

  /// Take one block of each.
  mutating func add(captured block: [Int16], played other: [Int16]) {
    captured += block
    played += other
    let most = (Self.blocks + Self.reachBlocks) * Self.block
    // Seldom, so that it costs little.
    guard captured.count >= 2 * most else { return }
    captured.removeFirst(most)
    played.removeFirst(most)
  }

  /// What was played so late.
  func played(_ reading: Reading) -> [Int16] { played(reading, blocksAgo: 0) }

  /// All of it again, as it would have been read then, if `reading` is the next block's: each block of the microphone's, of what is
  /// read, and of what was played at that moment.
  func forEach(_ reading: Reading, _ body: (_ captured: [Int16], _ reference: [Int16], _ played: [Int16]) -> Void) {
    let count = captured.count / Self.block
    for ago in (0..<min(Self.blocks, count)).reversed() {
      let then = reading.moved(byBlocks: -ago - 1)
      let span = (count - ago - 1) * Self.block..<(count - ago) * Self.block
      guard Double(span.lowerBound) >= then.late + Double(Self.side) else { continue }
      body(Array(captured[span]), played(then, blocksAgo: ago), Array(played[span]))
    }
  }

  private func played(_ reading: Reading, blocksAgo ago: Int) -> [Int16] {
    let start = played.count - (ago + 1) * Self.block
    let first = Double(start) - reading.late
    let whole = Int(first.rounded(.down))
    if reading.isWhole { return (whole..<whole + Self.block).map(sample) }
    // The places between move so little within a block that the weights in between are a mean of the first and the last.
    let last = first + reading.share * Double(Self.block)
    let weights = (Self.weights(first - Double(whole)), Self.weights(last - Double(whole)))
    return (0..<Self.block).map { index in
      let part = Double(index) / Double(Self.block)
      var sum = 0.0
      for tap in 0..<2 * Self.side {
        let weight = weights.0[tap] + part * (weights.1[tap] - weights.0[tap])
        sum += weight * Double(sample(whole + index + tap - Self.side + 1))
      }
      return Int16(max(-32_768, min(32_767, sum.rounded())))
    }
  }

  private func sample(_ place: Int) -> Int16 { played.indices.contains(place) ? played[place] : 0 }

  /// What each of the samples around gives to one between the middle two, or a little beyond: a sine cardinal under von Hann's window.
  private static func weights(_ fraction: Double) -> [Double] {
    (0..<2 * side).map { tap in
      let distance = Double(tap - side + 1) - fraction
      guard abs(distance) < Double(side) else { return 0 }
      let window = 0.5 + 0.5 * sine(turns: 0.25 + distance / Double(2 * side))
      return distance == 0 ? 1 : window * sine(turns: distance / 2) / (.pi * distance)
    }
  }
}
