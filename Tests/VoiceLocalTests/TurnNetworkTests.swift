import Testing

@testable import VoiceLocal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct TurnNetworkTests {
  /// A tone that rises from 200 Hz for a second and a half.
  private let tone = (0..<24_000).map { index -> Float in
    let seconds = Double(index) / 16_000
    return Float(0.5 * sin(2 * Double.pi * (200 * seconds + 300 * seconds * seconds)))
  }

  /// The numbers are those of the network's makers for the same sound.
  @Test(
    arguments: [
      (0, 0, -0.1402), (5, 660, 1.7676), (10, 700, 1.3079), (14, 740, 0.6446), (20, 780, 0.5997), (27, 798, 1.7046),
      (79, 799, 0.0071),
    ] as [(Int, Int, Float)])
  func theNetworkIsGivenWhatItsMakersGiveIt(band: Int, frame: Int, level: Float) {
    #expect(abs(TurnNetwork.features(of: tone)[band * 800 + frame] - level) < 0.001)
  }

  @Test func ofLongSoundTheLastEightSecondsCount() {
    let before = [Float](repeating: 0.25, count: 5 * 16_000)
    let padding = [Float](repeating: 0, count: 8 * 16_000 - tone.count)
    #expect(TurnNetwork.features(of: before + padding + tone) == TurnNetwork.features(of: tone))
  }
}
