import Testing
import VoiceCore
import VoiceLanguage
import VoiceVocabulary

@testable import VoiceLocal

struct ShortCommandsTests {
  @Test func noShortCommandDecidesOrStopsOrIsForTheKeyboardOnly() {
    let texts = ShortCommands.texts.filter { ".?".contains($0.suffix(1)) }
    let acts = KeyboardOnlyActs()
    #expect(texts.filter { SpokenDecision(utterance: $0) != nil || StopPhrase.matches($0) }.isEmpty)
    #expect(texts.filter { acts.match([$0]) != nil }.isEmpty)
  }

  @Test(arguments: [
    ("Test it.", true), ("run the tests", true), ("What changed?", true), ("Tasted.", false),
    ("Test it again tomorrow.", false),
    ("Approve it.", false), ("Delete it.", false), ("Stop.", false), ("", false),
  ])
  func aTextIsAShortCommandAsAWholeOrNotAtAll(text: String, isOne: Bool) {
    #expect(ShortCommands.contains(text) == isOne)
  }
}
