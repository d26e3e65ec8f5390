import Testing
import VoiceLanguage

/// What a recogniser may lean towards, because people say it in a few words.
struct ShortCommandListTests {
  @Test(arguments: [
    ("Test it.", true), ("run the tests", true), ("What changed?", true), ("Tasted.", false),
    ("Test it again tomorrow.", false),
    ("Approve it.", false), ("Delete it.", false), ("Stop.", false), ("", false),
  ])
  func aTextIsAShortCommandAsAWholeOrNotAtAll(text: String, isOne: Bool) {
    #expect(ShortCommands.contains(text) == isOne)
  }

  @Test func eachIsWrittenWithAndWithoutItsSign() {
    for text in ["Run it.", "Run it", "What's next?", "What's next", "That's all."] {
      #expect(ShortCommands.texts.contains(text), "\(text)")
    }
    #expect(ShortCommands.texts.allSatisfy { $0.first?.isUppercase == true })
  }

  /// None of them approves, rejects or stops anything.
  @Test func noneDecides() {
    #expect(ShortCommands.texts.allSatisfy { SpokenDecision(utterance: $0) == nil })
    #expect(
      !ShortCommands.texts.contains { ["Approve", "Stop", "Halt", "Cancel"].contains($0.prefix { $0.isLetter }) })
  }
}
