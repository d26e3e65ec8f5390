import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// A television in the room keeps a turn open.
struct LongTurnTests {
  private func warnings(_ actions: [VoiceAction]) -> Int {
    actions.count { if case .show(.warning(let text)) = $0 { text.hasPrefix("You have been heard") } else { false } }
  }

  private func speaking(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Talk {
    var talk = Talk(.init(change))
    talk.give(.voiceStarted(detector: .model), after: 1_000)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    return talk
  }

  @Test func itIsToldOnce() {
    var talk = speaking()
    let wait = TimerID.unansweredUtterance
    #expect(warnings(talk.give(.timerFired(timer: wait), after: Limits.longTurnMilliseconds - 1)) == 0)
    #expect(warnings(talk.give(.interimTranscribed(connection: talk.connection, text: "the news"), after: 0)) == 0)
    #expect(warnings(talk.give(.timerFired(timer: wait), after: 1)) == 1)
    #expect(warnings(talk.give(.timerFired(timer: wait), after: Limits.longTurnMilliseconds)) == 0)
    talk.give(.soundLevelChanged(level: .silence))
    talk.give(.voiceEnded(detector: .model))
    talk.give(.modelTurnEnded(connection: talk.connection))
    talk.give(.voiceStarted(detector: .model), after: 1_000)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    #expect(warnings(talk.give(.timerFired(timer: wait), after: Limits.longTurnMilliseconds)) == 1)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whoThinksForLongIsNotToldNorIsASilence() {
    var talk = speaking { $0.longThought = true }
    #expect(warnings(talk.give(.timerFired(timer: .unansweredUtterance), after: Limits.longTurnMilliseconds)) == 0)
    var other = speaking()
    other.give(.soundLevelChanged(level: .silence))
    #expect(warnings(other.give(.timerFired(timer: .unansweredUtterance), after: Limits.longTurnMilliseconds)) == 0)
  }
}
