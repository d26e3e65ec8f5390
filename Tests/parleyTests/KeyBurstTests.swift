import Testing

@testable import parley

/// What comes of keys that are pressed at these times, in milliseconds, and of a second of quiet after them.
private func outcomes(_ keys: [(Key, Int)], inText: Bool = false) -> [KeyBurst.Outcome] {
  var burst = KeyBurst()
  var result: [KeyBurst.Outcome] = []
  for (key, time) in keys {
    result += burst.press(key, at: .milliseconds(time), isInText: inText)
    // Behind text the line that is being edited has the keys.
    if case .text = result.last { return result }
  }
  result += burst.elapse(to: .milliseconds((keys.last?.1 ?? 0) + 1_000))
  return result
}

private func typed(_ text: String, every milliseconds: Int) -> [(Key, Int)] {
  text.enumerated().map { (.character($1), $0 * milliseconds + 1_000) }
}

private func alone(_ keys: Key...) -> [KeyBurst.Outcome] { keys.map { .command($0) } }

struct KeyBurstTests {
  @Test(arguments: [60, 120, 240, 340]) func typedProseIsText(_ interval: Int) {
    for prose in ["hang on", "approve", "allright then", "quit it", "stop", "really?", "1st", "h a"] {
      let outcome = outcomes(typed(prose, every: interval))
      guard case .text(let text)? = outcome.last else {
        Issue.record("\(prose), every \(interval) ms: \(outcome)")
        continue
      }
      #expect(prose.hasPrefix(text), "\(prose): \(text)")
      #expect(outcome.count == 1, "\(prose): \(outcome)")
    }
  }

  @Test(arguments: ["a", "r", "h", "q", "s", "1", "m", "u"]) func aKeyThatStandsAloneActsAfterAWhile(_ key: Character) {
    var burst = KeyBurst()
    #expect(burst.press(.character(key), at: .seconds(5)) == [])
    #expect(burst.elapse(to: .milliseconds(5_349)) == [])
    #expect(burst.due == .milliseconds(5_350))
    #expect(burst.elapse(to: .milliseconds(5_350)) == alone(.character(key)))
    #expect(burst.due == nil)
  }

  @Test(arguments: [250, 500, 660]) func aKeyThatIsHeldDownActsOnce(_ firstRepeat: Int) {
    for key in ["a", "r", "q", "h"] as [Character] {
      let keys = [(Key.character(key), 0)] + (0..<60).map { (Key.character(key), firstRepeat + $0 * 33) }
      #expect(outcomes(keys) == alone(.character(key)), "\(key)")
      let told = [(Key.character(key), 0)] + (0..<60).map { (Key.repeated(key), firstRepeat + $0 * 33) }
      #expect(outcomes(told) == alone(.character(key)), "\(key)")
    }
  }

  @Test func skippingGoesOnWhileTheKeyIsHeld() {
    let keys = [(Key.character("]"), 0)] + (0..<10).map { (Key.character("]"), 500 + $0 * 33) }
    #expect(outcomes(keys) == [KeyBurst.Outcome](repeating: .command(.character("]")), count: 11))
    #expect(outcomes([(.character("]"), 0), (.character("["), 200)]) == alone(.character("]"), .character("[")))
    // Looking around is quick, and no text before something else comes.
    let around = [(Key.character("n"), 0), (.character("n"), 90), (.character("p"), 180), (.character("d"), 270)]
    #expect(outcomes(around) == alone(.character("n"), .character("n"), .character("p"), .character("d")))
    #expect(outcomes(around + [(.character("a"), 360)]).last == .text("nnpda"))
    #expect(outcomes([(.character("+"), 0), (.repeated("+"), 500)]) == alone(.character("+"), .character("+")))
  }

  @Test func singleKeysOneAfterTheOtherAllAct() {
    #expect(outcomes([(.character("n"), 0), (.character("a"), 800)]) == alone(.character("n"), .character("a")))
    #expect(outcomes([(.character("a"), 0), (.character("a"), 900)]) == alone(.character("a"), .character("a")))
  }

  @Test func pastesAreTextWhetherTheyAreMarkedOrNot() {
    #expect(outcomes([(.paste("hang on"), 0)]) == [.text("hang on")])
    #expect(outcomes([(.character("a"), 0), (.paste("bc"), 100)]) == [.text("abc")])
    #expect(outcomes([(.character("a"), 0)], inText: true) == [.text("a")])
    // A key that acted before is no part of it.
    #expect(outcomes([(.character("a"), 0), (.paste("bc"), 5_000)]) == alone(.character("a")) + [.text("bc")])
    var burst = KeyBurst()
    _ = burst.press(.character("a"), at: .zero)
    #expect(burst.elapse(to: .seconds(1)) == alone(.character("a")))
    #expect(burst.press(.character("h"), at: .seconds(4), isInText: true) == [.text("h")])
    // A letter on a line of its own.
    #expect(outcomes([(.character("a"), 0), (.enter, 0)]) == [.text("a ")])
    #expect(outcomes([(.character("a"), 0), (.tab, 0)]) == [.text("a ")])
  }

  @Test func keysThatNoTextHoldsActAtOnce() {
    for key in [Key.escape, .control("g"), .control("c"), .tab, .up, .character(" "), .character("i")] {
      var burst = KeyBurst()
      #expect(burst.press(key, at: .zero) == alone(key), "\(key)")
    }
    // And they take back the key before, or settle it.
    #expect(outcomes([(.character("a"), 0), (.escape, 100)]) == alone(.escape))
    #expect(outcomes([(.character("a"), 0), (.backspace, 100)]) == alone(.backspace))
    #expect(outcomes([(.character("e"), 0), (.control("w"), 100)]) == alone(.character("e"), .control("w")))
    #expect(outcomes([(.character("e"), 0), (.control("w"), 0)]) == alone(.control("w")))
  }

  /// Whatever is typed at whatever rhythm faster than that of single keys, nothing of it decides anything.
  @Test func noRhythmOfProseMakesADecision() {
    var state: UInt64 = 12
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let letters = Array("abcdefghijklmnopqrstuvwxyz1 AR?]-")
    for _ in 0..<20_000 {
      var burst = KeyBurst()
      var time = Duration.seconds(1)
      var outcomes: [KeyBurst.Outcome] = []
      var typed = ""
      for _ in 0..<6 {
        let letter = letters[random(letters.count)]
        // Twice the same may be a key that is held down.
        if letter == typed.last { continue }
        typed.append(letter)
        outcomes += burst.press(.character(letter), at: time)
        // From there on the line that is being edited has the keys.
        if case .text = outcomes.last { break }
        if outcomes.last == .command(.character("i")) { break }
        time += .milliseconds(random(350))
      }
      let decisions = outcomes.filter {
        if case .command(.character(let key)) = $0 { !"npgd?][-+= i".contains(key) } else { false }
      }
      #expect(decisions.isEmpty, "\(typed): \(outcomes)")
    }
  }
}

struct TalkKeyTests {
  /// Spaces at these times, as a terminal gives them that tells of nothing else. Returns what becomes of the microphone.
  private func talk(_ times: [Int], isListening: Bool = false) -> [Bool] {
    var key = TalkKey()
    var isListening = isListening
    var switches: [Bool] = []
    func take(_ isOn: Bool?) {
      guard let isOn else { return }
      isListening = isOn
      switches.append(isOn)
    }
    for time in times {
      take(key.elapse(to: .milliseconds(time)))
      take(key.press(at: .milliseconds(time), isListening: isListening, tellsReleases: false))
    }
    take(key.elapse(to: .milliseconds((times.last ?? 0) + 5_000)))
    return switches
  }

  @Test(arguments: [250, 500, 660], [25, 33, 100])
  func heldDownItOpensTheMicrophoneOnceAndClosesItAtItsRelease(_ first: Int, _ interval: Int) {
    let repeats = (0..<100).map { first + $0 * interval }
    #expect(talk([0] + repeats) == [true, false])
    // Where it was open, the press closes it, and it stays closed.
    #expect(talk([0] + repeats, isListening: true) == [false])
  }

  @Test func aTapSwitches() {
    #expect(talk([0]) == [true])
    #expect(talk([0], isListening: true) == [false])
    #expect(talk([0, 2_000, 4_000]) == [true, false, true])
    // Two quick ones open and close as well.
    #expect(talk([0, 400]) == [true, false])
  }

  @Test func aTerminalThatTellsOfTheReleaseIsBelieved() {
    var key = TalkKey()
    #expect(key.press(at: .zero, isListening: false, tellsReleases: true) == true)
    #expect(key.due == nil)
    #expect(key.release(at: .milliseconds(3_000)) == false)
    #expect(key.press(at: .milliseconds(4_000), isListening: false, tellsReleases: true) == true)
    // A tap.
    #expect(key.release(at: .milliseconds(4_100)) == nil)
    #expect(key.press(at: .milliseconds(4_300), isListening: true, tellsReleases: true) == false)
    #expect(key.release(at: .milliseconds(9_000)) == nil)
  }
}
