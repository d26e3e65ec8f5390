import Testing
import VoiceLanguage
import VoiceVocabulary

struct TurnEndingTests {
  private let over = TurnEnding(word: "over", isLongThought: false)

  @Test(arguments: [
    ("Run the tests, over.", "Run the tests"), ("run the tests over", "run the tests"),
    ("Run the tests. Over!", "Run the tests."),
    ("Over.", ""), ("is it done? Over", "is it done?"), ("OVER", ""),
  ])
  func theWordIsTakenOffTheEnd(text: String, rest: String) {
    #expect(over.withoutWord(text) == rest)
    #expect(over.isEnd(text, heard: ""))
  }

  @Test(arguments: ["go over the tests", "overrun", "move over there", "", "moreover", "run it ... "])
  func theWordInsideIsNoEnd(text: String) {
    #expect(over.withoutWord(text) == nil)
    #expect(!over.isEnd(text, heard: ""))
  }

  @Test func severalWordsMayBeTheEnd() {
    let ending = TurnEnding(word: "over and out", isLongThought: true)
    #expect(ending.withoutWord("Run it, over and out.") == "Run it")
    #expect(ending.withoutWord("Run it and out.") == nil)
  }

  @Test func withoutAWordEveryPauseIsAnEnd() {
    let ending = TurnEnding(word: "", isLongThought: false)
    #expect(ending.isEnd("run it", heard: ""))
    #expect(!ending.gathers)
  }

  @Test func withoutAWordALongThoughtIsEndedByNothingThatIsSaid() {
    #expect(!TurnEnding(word: "", isLongThought: true).isEnd("over", heard: ""))
  }

  @Test(arguments: ["yes", "stop", "cancel that", "...", "one two three four"])
  func aWordThatMeansSomethingElseCannotBeTheEnd(word: String) { #expect(TurnEnding.refusal(of: word) != nil) }

  @Test(arguments: ["", "over", "that's all", "done now"])
  func otherWordsCan(word: String) { #expect(TurnEnding.refusal(of: word) == nil) }

  /// A live model may leave the end word out of what it proposes, as being no part of it.
  @Test(arguments: [
    ("run it", "run it over", true), ("run it over", "run it", true), ("run it", "run it", false),
  ])
  func theWordCountsWhereverItIsFound(_ text: String, _ heard: String, _ isEnd: Bool) {
    #expect(over.isEnd(text, heard: heard) == isEnd)
  }

  @Test(arguments: [
    ("", false, false, false), ("over", false, true, true), ("", true, true, false), ("over", true, true, false),
  ])
  func anInstructionIsGatheredIfAWordOrTheKeyEndsIt(
    _ word: String, _ isLongThought: Bool, _ gathers: Bool, _ watchesSilence: Bool
  ) {
    let ending = TurnEnding(word: word, isLongThought: isLongThought)
    #expect(ending.gathers == gathers && ending.watchesSilence == watchesSilence)
    let settings = InteractionSettings { ($0.endWord, $0.longThought) = (word, isLongThought) }
    #expect(settings.turnEnding == ending)
  }

  @Test func longThoughtIsSwitchedAndTheWordStays() {
    let ending = TurnEnding(word: "That's all", isLongThought: false)
    #expect(ending.thinking(long: true) == TurnEnding(word: "that's all", isLongThought: true))
    #expect(ending.thinking(long: true).thinking(long: false) == ending)
    #expect(ending.withoutWord("Run it, that\u{2019}s all!") == "Run it")
  }

  @Test func withoutAWordNothingIsTakenOff() {
    #expect(TurnEnding(word: "", isLongThought: true).withoutWord("run it") == nil)
  }
}

/// Short phrases by which somebody stops what is going on, or wakes the microphone and puts it to sleep.
struct SpokenPhraseTests {
  private let phrases = SpokenPhrases(stop: "stop it all", sleep: "good night", wake: "hey parley")

  @Test(
    arguments: [
      ("Stop it all!", SpokenPhrases.Purpose.stop), ("um, stop it all, please", .stop), ("Good night.", .sleep),
      ("stop it", nil), ("good night everybody", nil), ("", nil), ("um", nil), ("hey parley", nil),
    ] as [(String, SpokenPhrases.Purpose?)])
  func aPhraseIsSaidAloneAndWhole(_ said: String, _ purpose: SpokenPhrases.Purpose?) {
    #expect(phrases.purpose(of: said) == purpose)
  }

  @Test(arguments: ["hey", "one two three four five", "go ahead", "never mind"])
  func aPhraseThatIsSaidByChanceIsRefused(_ text: String) { #expect(SpokenPhrases.refusal(of: text) != nil) }

  @Test(arguments: ["", "hey parley", "one two three four"])
  func otherPhrasesAreTaken(_ text: String) { #expect(SpokenPhrases.refusal(of: text) == nil) }
}
