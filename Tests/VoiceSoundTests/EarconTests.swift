import Testing
import VoiceSound
import VoiceVocabulary

struct EarconTests {
  @Test(arguments: Earcon.allCases) func anEarconIsShortAndSoft(earcon: Earcon) {
    let samples = earcon.samples
    #expect((60...200).contains(earcon.milliseconds))
    #expect(samples.count == earcon.milliseconds * PCM.speakerRate / 1000)
    let peak = samples.map { abs(Int($0)) }.max() ?? 0
    #expect(peak <= 6537, "-14 dBFS")
    #expect(peak > 1500, "it can be heard")
  }

  @Test(arguments: Earcon.allCases) func anEarconDoesNotClick(earcon: Earcon) {
    let samples = earcon.samples.map(Int.init)
    #expect(abs(samples[0]) <= 1)
    #expect(abs(samples[samples.count - 1]) <= 1)
    // No step is steeper than that of a full sine at the highest pitch used.
    let steepest = zip(samples, samples.dropFirst()).map { abs($0.0 - $0.1) }.max() ?? 0
    let steepestAllowed = 6537 * 2 * 3.1416 * 1100 / 24_000
    #expect(Double(steepest) < steepestAllowed)
    // And it swells: the first 3 ms stay below a tenth of full level.
    #expect(samples.prefix(72).allSatisfy { abs($0) < 654 })
  }

  /// The time each half spends between sign changes tells the pitch of each.
  @Test func noTwoEarconsSoundAlike() {
    var seen: [[Int]] = []
    for earcon in Earcon.allCases {
      let samples = earcon.samples
      let half = samples.count / 2
      let pitch = [samples.prefix(half), samples.suffix(half)].map { (part: ArraySlice<Int16>) -> Int in
        let crossings = zip(part, part.dropFirst()).filter { pair in (pair.0 < 0) != (pair.1 < 0) }.count
        return crossings * PCM.speakerRate / 2 / part.count
      }
      let signature = pitch + [earcon.milliseconds]
      for other in seen {
        let differs = zip(signature, other).contains { pair in abs(pair.0 - pair.1) * 8 > max(pair.0, pair.1) }
        #expect(differs, "\(earcon): \(signature) \(other)")
      }
      seen.append(signature)
    }
    #expect(seen.count == Earcon.allCases.count)
  }
}
