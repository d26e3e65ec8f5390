import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// Words to the program itself, while nothing is held.
struct AskedToWaitTests {
  @Test(arguments: [("Hold on.", true), ("Wait.", true), ("Not yet.", false), ("Wait for the build.", false)])
  func whoAsksToWaitSendsNothing(_ words: String, _ asksToWait: Bool) throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    talk.answer("The first sentence is here. The second one is a longer sentence.")
    let actions = talk.say(words)
    #expect(talk.controller.run.queue.map(\.text) == (asksToWait ? [] : [words]))
    #expect(actions.contains { if case .show(.notTaken(words, _)) = $0 { true } else { false } } == asksToWait)
    #expect(talk.controller.speech.playing.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func withNothingSaidItIsNotHeldEither() {
    var talk = Talk()
    talk.say("One moment.")
    #expect(talk.heldTexts.isEmpty && talk.rules.violations.isEmpty)
  }
}
