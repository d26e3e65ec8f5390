import Testing
import VoiceSound

/// A voice-like tone: pulses at 120 Hz, 24 kHz.
private func tone(_ milliseconds: Int) -> [Int16] {
  (0..<milliseconds * 24).map { (frame: Int) -> Int16 in Int16(8_000 - frame % 200 * 60) }
}

struct TimeStretchTests {
  @Test(arguments: [50, 80, 125, 150, 200]) func theLengthChangesAndThePitchDoesNot(_ percent: Int) {
    var stretch = TimeStretch(percent: percent)
    let input = tone(2_000)
    var output: [Int16] = []
    for start in stride(from: 0, to: input.count, by: 2_400) {
      output += stretch.process(Array(input[start..<start + 2_400]))
    }
    output += stretch.finish()
    let expected = input.count * 100 / percent
    #expect(abs(output.count - expected) < 24 * 40, "\(output.count) of \(expected)")
    // The period is still 200 samples: the sound is like itself one period later, and not half a period later.
    let middle = Array(output[output.count / 4..<output.count * 3 / 4])
    func difference(_ shift: Int) -> Int {
      (0..<middle.count - 400).reduce(0) { $0 + abs(Int(middle[$1]) - Int(middle[$1 + shift])) }
    }
    #expect(difference(200) * 4 < difference(100))
  }

  @Test func atItsOwnSpeedSoundIsLeftAlone() {
    var stretch = TimeStretch(percent: 100)
    #expect(stretch.process(tone(100)) == tone(100))
    #expect(stretch.finish().isEmpty)
  }

  @Test func silenceAndShortSoundsAreTaken() {
    for count in [0, 1, 479, 481, 5_000] {
      var stretch = TimeStretch(percent: 150)
      let output = stretch.process([Int16](repeating: 0, count: count)) + stretch.finish()
      #expect(output.allSatisfy { $0 == 0 })
    }
  }

  @Test func theLoudestSoundDoesNotWrapAround() {
    var stretch = TimeStretch(percent: 130)
    let square = (0..<24_000).map { Int16($0 / 100 % 2 == 0 ? 32_767 : -32_768) }
    let output = stretch.process(square) + stretch.finish()
    #expect(output.contains(32_767) && output.contains { $0 < -32_000 })
  }
}
