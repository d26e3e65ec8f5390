import Testing
import VoiceSound

struct ResamplerTests {
  @Test(arguments: [(48_000, 16_000), (44_100, 16_000), (24_000, 48_000), (8_000, 24_000), (16_000, 16_000)])
  func aToneKeepsItsPitchLevelAndLength(from: Int, to: Int) {
    let source = tone(1000, rate: from, seconds: 1).map { Int16($0 * 32_767) }
    let resampler = Resampler(from: from, to: to)
    var result: [Int16] = []
    for start in stride(from: 0, to: source.count, by: 480) {
      result += resampler.process(Array(source[start..<min(start + 480, source.count)]))
    }
    result += resampler.drain()
    #expect(abs(result.count - to) <= 2)
    #expect(abs(amplitude(result, of: 1000, rate: to) - 0.5) < 0.005)
  }

  @Test func whatDoesNotFitUnderTheNewRateIsGone() {
    let resampler = Resampler(from: 48_000, to: 16_000)
    let result = resampler.process(tone(11_000, rate: 48_000, seconds: 1).map { Int16($0 * 32_767) })
    #expect(result.dropFirst(100).allSatisfy { abs(Int($0)) < 10 })
  }
}
