/// Makes speech slower or faster without changing its pitch. One piece of speech; one thread.
///
/// Short pieces of the sound are laid over each other closer together or further apart, each moved by a few milliseconds to
/// where it continues the one before best (WSOLA: Verhelst and Roelands 1993).
package struct TimeStretch: Sendable {
  /// 20 ms at 24 kHz: two periods of a low voice.
  private static let windowSamples = 480
  private static let hopSamples = windowSamples / 2
  /// How far a piece may be moved to fit: a period of a low voice.
  private static let searchSamples = 200

  /// Input samples for each hop of the output.
  private let advance: Int
  private var input: [Int16] = []
  /// Where the next piece would be taken from `input`, were it not moved.
  private var position = 0
  /// The natural continuation of the last piece begins here; nil before the first one.
  private var continuation: Int?
  /// The fading half of the last piece.
  private var tail = [Int32](repeating: 0, count: hopSamples)

  /// - Parameter percent: the speed, 50 to 200; 100 leaves the sound as it is.
  package init(percent: Int) {
    precondition((50...200).contains(percent), "speech at \(percent) percent of its speed")
    advance = Self.hopSamples * percent / 100
  }

  /// Take sound; the result is what is ready of it.
  package mutating func process(_ samples: [Int16]) -> [Int16] {
    guard advance != Self.hopSamples else { return samples }
    input += samples
    var output: [Int16] = []
    while input.count >= position + 2 * Self.searchSamples + Self.windowSamples + Self.hopSamples {
      output += step(bestStart())
    }
    forget()
    return output
  }

  /// No more sound comes: what is left.
  package mutating func finish() -> [Int16] {
    guard advance != Self.hopSamples else { return [] }
    var output: [Int16] = []
    let end = input.count
    // Silence behind the end lets the last piece fade out.
    input += [Int16](repeating: 0, count: 2 * (Self.searchSamples + Self.windowSamples))
    while position < end { output += step(bestStart()) }
    return output
  }

  /// The start near `position` whose sound is most like the natural continuation of the last piece.
  private func bestStart() -> Int {
    guard let continuation else { return position }
    let first = max(0, position - Self.searchSamples)
    let last = min(position + Self.searchSamples, input.count - Self.windowSamples)
    var best = (start: position, likeness: Int64.min)
    // Every fourth sample, at every second place: speech has little above 3 kHz that would matter here.
    for start in stride(from: first, through: last, by: 2) {
      var likeness: Int64 = 0
      for index in stride(from: 0, to: Self.hopSamples, by: 4) {
        likeness += Int64(input[start + index]) * Int64(input[continuation + index])
      }
      if likeness > best.likeness { best = (start, likeness) }
    }
    return best.start
  }

  /// Lay the piece that begins at `start` over the end of the last one.
  private mutating func step(_ start: Int) -> [Int16] {
    var output = [Int16](repeating: 0, count: Self.hopSamples)
    for index in 0..<Self.hopSamples {
      // Straight ramps that add up to one.
      let rising = Int32(input[start + index]) * Int32(index) / Int32(Self.hopSamples)
      output[index] = Int16(clamping: tail[index] + (continuation == nil ? Int32(input[start + index]) : rising))
      tail[index] =
        Int32(input[start + Self.hopSamples + index]) * Int32(Self.hopSamples - index) / Int32(Self.hopSamples)
    }
    continuation = start + Self.hopSamples
    position += advance
    return output
  }

  /// Drop input that nothing needs any more.
  private mutating func forget() {
    let needed = max(0, min(position - Self.searchSamples, continuation ?? position))
    guard needed > 24_000 else { return }
    input.removeFirst(needed)
    position -= needed
    continuation = continuation.map { $0 - needed }
  }
}
