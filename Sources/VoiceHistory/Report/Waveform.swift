import VoiceVocabulary

/// The outline of a sound: the loudest sample of each of many short stretches.
struct Waveform {
  /// Stretches a report draws at most: more than any screen shows, few enough for a page.
  private static let mostStretches = 8_000
  private static let smallestStretch = PCM.frameSamples

  /// From 0 to 100, one a stretch.
  let peaks: [Int]

  init(_ samples: [Int16]) {
    let stretch = max(Self.smallestStretch, (samples.count + Self.mostStretches - 1) / Self.mostStretches)
    peaks = stride(from: 0, to: samples.count, by: stretch).map { start in
      let loudest = samples[start..<min(start + stretch, samples.count)].reduce(0) { max($0, abs(Int($1))) }
      // The ear hears by ratios: the square root lets quiet speech be seen.
      return Int((Double(loudest) / 32_768).squareRoot() * 100)
    }
  }

  /// As an outline in SVG, a unit high to each side of the middle, one unit wide for each stretch.
  var path: String {
    var path = "M0 100"
    for (index, peak) in peaks.enumerated() { path += "L\(index) \(100 - peak)" }
    for (index, peak) in peaks.enumerated().reversed() { path += "L\(index) \(100 + peak)" }
    return path + "Z"
  }
}
