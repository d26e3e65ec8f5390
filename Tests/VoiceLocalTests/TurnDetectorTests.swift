import Testing

@testable import VoiceLocal

struct TurnDetectorTests {
  private static let sentences = [
    "Run the tests and show me the result.", "What changed?", "Stop it!", "go on", "the other file", "Undo that.",
    "Turn it on.", "Is that what it is for?",
  ]
  private static let open = ["take another look at the configuration", "check the log for errors"]
  private static let unfinished = [
    "Add a test for the", "Open the.", "Rename it and", "I think, um", "check the log for errors,", "I want you to",
    "The second one is slow because.",
  ]

  private func silence(_ text: String, _ completeness: Float? = nil) -> Int? {
    MeaningTurnDetector(preferred: 1_000).silenceMilliseconds(after: HeardSpeech(text, completeness: completeness))
  }

  @Test(arguments: sentences) func whoEndsASentenceOrSaysAFewWordsIsDoneSooner(text: String) {
    #expect(silence(text) == 800)
  }

  @Test(arguments: open) func whoEndsNoSentenceMayGoOn(text: String) { #expect(silence(text) == 1_500) }

  @Test(arguments: unfinished) func whoStopsInTheMiddleGoesOn(text: String) { #expect(silence(text) == 2_000) }

  @Test(arguments: sentences) func aSentenceThatSoundsDoneEndsSoonestOfAll(text: String) {
    #expect(silence(text, 0.9) == 400)
    #expect(silence(text, 0.1) == 1_000)
  }

  @Test(arguments: open) func theSoundDecidesWhereNoSentenceEnds(text: String) {
    #expect(silence(text, 0.9) == 1_000)
    #expect(silence(text, 0.1) == 2_000)
  }

  @Test(arguments: unfinished) func whoStopsInTheMiddleGoesOnHoweverItSounds(text: String) {
    #expect(silence(text, 0.9) == 2_000)
    #expect(silence(text, 0.1) == 2_000)
  }
}
