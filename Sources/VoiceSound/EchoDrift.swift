/// How much faster the microphone's clock runs than the loudspeaker's, found in the sounds themselves: two devices have two quartz
/// crystals, some 50 millionths apart, and a canceller that learns where an echo comes is always behind one that moves.
///
/// Measured five times a second while something plays whose echo comes at a known time: the place to a fraction of a sample where the
/// last 300 ms of the microphone's sound are the most like what was played, near where it was before. The drift is the median slope
/// between any two such places that are a second apart (Theil–Sen): in nine of ten simulated rooms within 16 millionths after five
/// seconds of a voice, and within 3 after fifteen. Where the echo jumps, a sound server has skipped; the clocks are
/// the same. Blocks of 10 ms. A pure value.
package struct EchoDrift: Equatable, Sendable {
  private struct Place: Equatable {
    /// In blocks, and in samples of 16 kHz.
    let block: Int, lag: Double
    /// Only places between which nothing has skipped are compared.
    let stretch: Int
    var samples: Double { Double(block * CaptureProcessor.blockSamples) }
  }

  /// The echo is looked for so far on either side.
  private static let side = EchoSounds.samples(milliseconds: 6)
  private static let lookBlocks = 20
  /// As like it as an echo is that somebody speaks over.
  private static let leastLikeness: Float = 0.4
  /// The drift is reckoned anew once a second, from the last 16 s of what was played.
  private static let (measured, kept) = (5, 80)
  /// In blocks: so far apart are the places between which a slope is taken, and the first and the last.
  private static let (apart, leastSpan) = (100, 400)
  private static let leastPlaces = 15
  /// Further off than the clocks can have taken it: it has jumped, in samples of 16 kHz.
  private static let jump = 16.0
  /// Further than this from where the echo is known to come, it is looked for there.
  private static let skip = 160.0
  /// A drift is believed that is so many times its own error off from what was believed before: where there is none, none is
  /// made.
  private static let errors = 3.0
  /// No two clocks differ by more: the loudspeaker is being carried about.
  private static let most = 200e-6

  private var places: [Place] = []
  private var count = 0
  private var stretch = 0
  private var blocks = 0

  /// So much sooner does the echo come with every sample, in samples; 0 as long as nothing else is known.
  package private(set) var share = 0.0

  /// The echo comes at another time than before; the clocks are the same.
  package mutating func learnAgain() { stretch += 1 }

  /// One more block has been taken by `sounds`; the echo is known to come so late by now, in milliseconds, if at all.
  package mutating func hear(_ sounds: EchoSounds, delayMilliseconds: Int?) {
    blocks += 1
    guard blocks % Self.lookBlocks == 0, let delayMilliseconds else { return }
    let known = Double(delayMilliseconds * 16)
    if let expected, abs(expected - known) > Self.skip { stretch += 1 }
    guard let lag = lag(in: sounds, near: expected ?? known) else { return }
    if let expected, abs(lag - expected) > Self.jump { stretch += 1 }
    places.append(Place(block: blocks, lag: lag, stretch: stretch))
    if places.count > Self.kept { places.removeFirst() }
    count += 1
    if count % Self.measured == 0 { measure() }
  }

  /// Where it ought to come now.
  private var expected: Double? {
    guard let last = places.last, last.stretch == stretch else { return nil }
    return last.lag - share * Double((blocks - last.block) * CaptureProcessor.blockSamples)
  }

  private func lag(in sounds: EchoSounds, near expected: Double) -> Double? {
    let middle = Int(expected / EchoSounds.fine(1))
    let span = max(0, middle - Self.side)...max(Self.side, middle + Self.side)
    guard let found = sounds.captured.place(window: EchoSounds.window, in: sounds.played, lags: span),
      found.likeness >= Self.leastLikeness
    else { return nil }
    return found.exactLag.map(EchoSounds.fine)
  }

  private mutating func measure() {
    let stretches = Dictionary(grouping: places, by: \.stretch).values.filter { $0.count >= Self.leastPlaces }
    guard let longest = stretches.map({ $0[$0.count - 1].block - $0[0].block }).max(), longest >= Self.leastSpan else {
      return
    }
    let slope = median(of: stretches.flatMap(slopes))
    var residuals: [Double] = []
    var squares = 0.0
    for places in stretches {
      let start = median(of: places.map { $0.lag - slope * $0.samples })
      residuals += places.map { abs($0.lag - start - slope * $0.samples) }
      let mean = places.reduce(0) { $0 + $1.samples } / Double(places.count)
      squares += places.reduce(0) { $0 + ($1.samples - mean) * ($1.samples - mean) }
    }
    // Of normally distributed errors, half are less than two thirds of the deviation.
    let error = 1.5 * median(of: residuals) / squares.squareRoot()
    guard abs(slope) <= Self.most, abs(-slope - share) > Self.errors * error else { return }
    share = -slope
  }

  private func slopes(between places: [Place]) -> [Double] {
    places.indices.flatMap { first in
      places[(first + 1)...].filter { $0.block - places[first].block >= Self.apart }.map {
        ($0.lag - places[first].lag) / ($0.samples - places[first].samples)
      }
    }
  }

  private func median(of numbers: [Double]) -> Double {
    numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
  }
}
