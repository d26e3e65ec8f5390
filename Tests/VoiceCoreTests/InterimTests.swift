import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// What the user seems to be saying is shown while he speaks, and is nothing else.
struct InterimTests {
  private let words = [
    "approve", "yes, send it", "no", "stop", "okay, stop", "add a test for it", "delete everything", "",
  ]

  @Test(arguments: [InteractionMode.review, .direct]) func itDecidesNothing(mode: InteractionMode) throws {
    var talk = Talk(InteractionSettings { $0.mode = mode })
    try talk.work()
    talk.propose("run the tests")
    for text in words {
      #expect(talk.give(.interimTranscribed(connection: talk.connection, text: text), after: 1_000).isEmpty)
      #expect(talk.controller.takeReasons().isEmpty)
    }
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func itIsShownUntilItsTranscriptComes() {
    var talk = Talk()
    talk.give(.voiceStarted(detector: .model))
    talk.give(.interimTranscribed(connection: talk.connection, text: "run"))
    talk.give(.interimTranscribed(connection: talk.connection, text: "run the tests"))
    #expect(talk.controller.status.transcript == "run the tests", "the last one, not both")
    talk.give(.voiceEnded(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: "Run the tests.", isFinal: true))
    #expect(talk.controller.status.transcript == "Run the tests.")
    #expect(talk.controller.floor.transcript == "Run the tests.")
    talk.propose("Run the tests.")
    #expect(talk.heldTexts == ["Run the tests."])
    #expect(talk.controller.status.transcript.isEmpty)
  }

  @Test func whatTurnsOutToBeNothingIsForgotten() {
    var talk = Talk()
    talk.give(.interimTranscribed(connection: talk.connection, text: "hm"))
    talk.give(.modelTurnEnded(connection: talk.connection))
    #expect(talk.controller.status.transcript.isEmpty)
    talk.give(.interimTranscribed(connection: ConnectionID(rawValue: 7), text: "somewhere else"))
    #expect(talk.controller.status.transcript.isEmpty)
  }

  @Test func theStateTellsOneFromAnother() {
    var talk = Talk()
    let digest = talk.controller.digest
    talk.give(.interimTranscribed(connection: talk.connection, text: "run"))
    #expect(talk.controller.digest != digest)
    talk.give(.interimTranscribed(connection: talk.connection, text: String(repeating: "a", count: 100_000)))
    #expect(talk.controller.status.transcript == "run", "nothing without an end is kept")
  }
}
