import Testing
import VoiceLanguage

/// What a recogniser may lean towards, because people say it in a few words.
struct ShortCommandListTests {
  @Test(arguments: [
    ("Test it.", true), ("run the tests", true), ("What changed?", true), ("Tasted.", false),
    ("Test it again tomorrow.", false),
    ("Approve it.", false), ("Delete it.", true), ("Stop.", false), ("", false),
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

  @Test(arguments: [
    ("And do that.", true), ("Then do the last commit.", true), ("Post the changes.", true), ("Without that.", true),
    ("Undo that.", false), ("The tests are failing.", false), ("Move it down.", false), ("I want that back.", false),
    ("Please do that.", false), ("", false), ("And push it.", false), ("Quickly revert it.", false),
  ])
  func anActMayBeMeantByWhatHardlyAnybodyBeginsWith(text: String, mayBe: Bool) {
    #expect(SoughtActs.mayBeMeant(by: text) == mayBe)
  }

  /// A rejection loses what is held, however it came about.
  @Test func nothingThatIsSoughtDecides() {
    for text in ["Disregard that.", "This card.", "Discord it.", "And discord that.", "Scarred."] {
      #expect(SoughtActs.candidates(for: text).allSatisfy { SpokenDecision(utterance: $0.text) == nil }, "\(text)")
    }
    #expect(SoughtActs.candidates(for: "Discord the changes.").map(\.text).contains("Discard the changes."))
  }

  @Test func onlyTheBeginningIsPutInAnotherWay() {
    #expect(SoughtActs.candidates(for: "And do it.").map(\.text).contains("Undo it."))
    #expect(SoughtActs.candidates(for: "Prushness.").map(\.text).contains("Push."))
    #expect(SoughtActs.candidates(for: "A").isEmpty)
    #expect(!SoughtActs.candidates(for: "Extraordinarily long words.").map(\.text).contains("Undo long words."))
  }
}
