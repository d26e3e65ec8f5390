import Testing

@testable import VoiceSound

/// What reaches the recogniser while the program speaks; each block of it is told by its first sample.
struct PassageTests {
  private var passage = Passage()
  private var heard: [Int] = []

  private mutating func say(
    _ numbers: ClosedRange<Int>, isNear: Bool = false, isAudible: Bool = true, isOpen: Bool = false,
    opens: Bool = false, closes: Bool = false, isRefused: Bool = false
  ) {
    for number in numbers {
      let block = passage.let(
        [Int16](repeating: Int16(number), count: 160), isTrusted: true, isNear: isNear, isAudible: isAudible,
        vad: .init(
          isOpen: isOpen, hasOpened: opens && number == numbers.lowerBound,
          hasClosed: closes && number == numbers.lowerBound, isRefused: isRefused && number == numbers.lowerBound))
      heard.append(Int(block[0]))
    }
  }

  private var spoken: [Int] { heard.filter { $0 != 0 } }

  @Test mutating func whoOpensItIsHeardFrom400MillisecondsBefore() {
    say(1...200)
    say(201...300, isOpen: true, opens: true)
    #expect(spoken.first == 161)
    #expect(spoken == Array(161...161 + spoken.count - 1))
  }

  /// The detector was late; he had begun 1.2 s before, with a pause of 250 ms.
  @Test mutating func whoIsKnownToHaveBegunEarlierIsHeardFromHisBeginning() {
    say(1...80)
    say(81...100, isNear: true)
    say(101...125)
    say(126...200, isNear: true)
    say(201...400, isNear: true, isOpen: true, opens: true)
    #expect(spoken.first == 76)
    #expect(spoken == Array(76...76 + spoken.count - 1))
  }

  /// A sound long before is not of what he says now.
  @Test mutating func whatWasBeforeAPauseIsNotHis() {
    say(1...40)
    say(41...50, isNear: true)
    say(51...120)
    say(121...200, isNear: true)
    say(201...300, isOpen: true, opens: true)
    #expect(spoken.first == 116)
  }

  /// He is heard 1.2 s late, and is silent for 600 ms when the detector closes: of the rest nothing is lost.
  @Test(arguments: [true, false]) mutating func nothingIsLostWhenTheDetectorCloses(isAudible: Bool) {
    say(1...80)
    say(81...200, isNear: true)
    say(201...300, isNear: true, isOpen: true, opens: true)
    say(301...360, isOpen: true)
    say(361...600, isAudible: isAudible, closes: true)
    #expect(Array(spoken.prefix(225)) == Array(76...300))
    #expect(isAudible ? spoken.last == 300 : spoken.contains(600), "and then it is on time again")
  }

  /// What it opened for turned out to be an echo: none of what is held is heard, and none of it is anybody's beginning.
  @Test mutating func whatIsRefusedIsNotHeard() {
    say(1...100, isNear: true)
    say(101...110, isNear: true, isOpen: true, opens: true)
    let heard = spoken.count
    say(111...111, isRefused: true)
    passage.forgetNear()
    say(112...200)
    #expect(spoken.count == heard)
    say(201...300, isOpen: true, opens: true)
    #expect(spoken[heard] == 161)
  }

  /// While what he said is still being heard, something else is refused, and then he speaks on: nothing of his is lost, and what came
  /// between is silence.
  @Test mutating func aRefusalTakesNothingOfWhatIsDue() {
    say(1...80)
    say(81...200, isNear: true)
    say(201...300, isNear: true, isOpen: true, opens: true)
    say(301...360, isOpen: true)
    say(361...370, closes: true)
    say(371...375, isOpen: true, opens: true)
    say(376...376, isRefused: true)
    say(377...400, isNear: true)
    say(401...600, isNear: true, isOpen: true, opens: true)
    #expect(Array(spoken.prefix(225)) == Array(76...300))
    #expect(spoken[225] >= 360, "what he said next, and not what came between: \(spoken[225])")
  }

  /// A short silence ends a turn: what was said just before is heard all the same.
  @Test mutating func aShortSilenceTakesNoWord() {
    passage = Passage(silenceMilliseconds: 200)
    say(1...160)
    say(161...200, isOpen: false)
    say(201...300, isOpen: true, opens: true)
    say(301...320, isOpen: true)
    say(321...400, closes: true)
    #expect(spoken.contains(300))
  }
}

/// Whether what a canceller leaves is somebody near.
struct EchoRestTests {
  /// A tone of 500 Hz.
  private func block(_ level: Double, _ index: Int) -> [Int16] {
    (0..<160).map { Int16(32_767 * level * sine(turns: Double($0 + index * 160) / 32)) }
  }

  @Test func whatIsTakenAwayIsAnEchoAndWhatIsLeftIsSomebody() {
    var rest = EchoRest()
    // Captured, left, near after 100 ms: an echo; somebody as loud; the same far below the echo; the room's noise.
    for (captured, left, isNear) in [
      (0.1, 0.01, false), (0.14, 0.1, true), (0.01, 0.008, false), (0.001, 0.001, false),
    ] {
      var last = false
      for index in 0..<10 {
        last = rest.hear(captured: block(captured, index), residual: block(left, index), noise: -60)
      }
      #expect(last == isNear, "\(captured), \(left)")
    }
  }

  /// The detector hears who was near for 100 ms more than he was, and nothing of an echo before.
  @Test func whoWasNearIsSoForAMoment() {
    var rest = EchoRest()
    var (near, held): ([Int], [Int]) = ([], [])
    for index in 0..<80 {
      let isSpoken = (20..<40).contains(index)
      let isNear = rest.hear(
        captured: block(isSpoken ? 0.14 : 0.1, index), residual: block(isSpoken ? 0.1 : 0.001, index), noise: -60)
      if isNear { near.append(index) }
      if rest.isStillNear { held.append(index) }
    }
    #expect(near.first.map { (20...24).contains($0) } == true, "\(near)")
    #expect(held.first == near.first)
    #expect(held.last == near.last.map { $0 + 10 })
  }
}
