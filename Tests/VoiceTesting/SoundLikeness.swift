/// How well each half second of `sound` that is not silent is found in `recording`, given the best place for the whole.
package func segments(of sound: [Int16], in recording: [Int16], rate: Int) -> [Double] {
  // They are compared at 1000 Hz: a server's resamplers delay by parts of a millisecond, so several phases are tried.
  let step = rate / 1000
  let phases = stride(from: 0, to: step, by: step / 4).map { (phase: Int) -> [Double] in
    segments(of: sound, in: recording, from: phase, step: step)
  }
  func sum(_ likenesses: [Double]) -> Double { likenesses.reduce(0, +) }
  return phases.max { sum($0) < sum($1) } ?? []
}

private func segments(of sound: [Int16], in recording: [Int16], from phase: Int, step: Int) -> [Double] {
  func thin(_ samples: [Int16], from phase: Int = 0) -> [Double] {
    stride(from: phase, to: samples.count, by: step).map { Double(samples[$0]) }
  }
  let (wanted, found) = (thin(smooth(sound, step)), thin(smooth(recording, step), from: phase))
  func likeness(_ range: Range<Int>, at offset: Int) -> Double {
    var (product, left, right) = (0.0, 0.0, 0.0)
    for index in range where found.indices.contains(index + offset) {
      product += wanted[index] * found[index + offset]
      left += wanted[index] * wanted[index]
      right += found[index + offset] * found[index + offset]
    }
    return left > 0 && right > 0 ? product / (left * right).squareRoot() : 0
  }
  let whole = 0..<min(wanted.count, 2_000)
  let place = (0..<max(1, found.count)).max { likeness(whole, at: $0) < likeness(whole, at: $1) } ?? 0
  return stride(from: 0, to: wanted.count - 500, by: 500).compactMap { start in
    let range = start..<start + 500
    guard wanted[range].map({ abs($0) }).max() ?? 0 > 500 else { return nil }
    return (place - 150...place + 150).map { likeness(range, at: $0) }.max()
  }
}

/// A plain low-pass, so that thinning out keeps what is compared.
private func smooth(_ samples: [Int16], _ width: Int) -> [Int16] {
  var sum = 0
  return samples.indices.map { index in
    sum += Int(samples[index]) - (index >= width ? Int(samples[index - width]) : 0)
    return Int16(sum / width)
  }
}
