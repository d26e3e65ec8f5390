import Testing
import VoiceCore
import VoiceLanguage
import VoiceVocabulary

@testable import VoiceLocal

struct ShortCommandsTests {
  private let texts = ShortCommands.texts.filter { ".?".contains($0.suffix(1)) }

  @Test func noShortCommandDecidesOrStops() {
    #expect(texts.filter { SpokenDecision(utterance: $0) != nil || StopPhrase.matches($0) }.isEmpty)
  }

  /// What is found by leaning is held if only a key may approve it, and nothing else is.
  @Test func theActsAmongThemAreThoseForTheKeyboardOnly() {
    let acts = KeyboardOnlyActs()
    #expect(texts.filter { ShortCommands.isAct($0) != (acts.match([$0]) != nil) }.isEmpty)
  }

  @Test func everyActThatIsSoughtIsForTheKeyboardOnly() {
    let acts = KeyboardOnlyActs()
    let candidates = SoughtActs.candidates(for: "And do the last part again.").map(\.text)
    #expect(candidates.contains("Undo the last part again.") && candidates.contains("Revert last part again."))
    #expect(candidates.filter { acts.match([$0]) == nil }.isEmpty)
  }
}
