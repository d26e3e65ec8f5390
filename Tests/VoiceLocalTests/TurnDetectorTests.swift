import Testing

@testable import VoiceLocal

struct TurnDetectorTests {
  private let detector = TextTurnDetector(preferred: 1_000)

  @Test(arguments: [
    "Run the tests and show me the result.", "What changed?", "Stop it!", "go on", "the other file", "Undo that.",
    "Turn it on.", "Is that what it is for?",
  ])
  func whoEndsASentenceOrSaysAFewWordsIsDoneSooner(text: String) {
    #expect(detector.silenceMilliseconds(after: text) == 800)
  }

  @Test(arguments: ["take another look at the configuration", "check the log for errors"])
  func whoEndsNoSentenceMayGoOn(text: String) {
    #expect(detector.silenceMilliseconds(after: text) == 1_500)
  }

  @Test(arguments: [
    "Add a test for the", "Open the.", "Rename it and", "I think, um", "check the log for errors,", "I want you to",
    "The second one is slow because.",
  ])
  func whoStopsInTheMiddleGoesOn(text: String) {
    #expect(detector.silenceMilliseconds(after: text) == 2_000)
  }
}
