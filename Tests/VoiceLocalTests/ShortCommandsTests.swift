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
}
