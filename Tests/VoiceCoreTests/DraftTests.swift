import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension [VoiceAction] {
  fileprivate var sent: [String] {
    compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction.text } else { nil } }
  }
}

struct DraftTests {
  private func talk(_ mode: InteractionMode, word: String = "over", longThought: Bool = false) -> Talk {
    Talk(
      .init {
        $0.mode = mode
        $0.readsBack = false
        $0.endWord = word
        $0.longThought = longThought
      })
  }

  private var isFine: (Talk) -> Bool { { $0.rules.violations.isEmpty } }

  @Test func pausesDoNotEndAnInstructionThatTheWordEnds() {
    var talk = talk(.direct)
    #expect(talk.say("Open the settings page").sent == [])
    #expect(talk.say("and add a switch for the theme", after: 3_000).sent == [])
    let actions = talk.say("which is off at first. Over.", after: 3_000)
    #expect(actions.sent == ["Open the settings page and add a switch for the theme which is off at first."])
    #expect(isFine(talk))
  }

  @Test func whatWasSaidSoFarIsShown() {
    var talk = talk(.review)
    talk.say("open the settings page")
    let actions = talk.say("and add a switch", after: 3_000)
    #expect(actions.contains(.show(notice: .drafting(text: "open the settings page and add a switch"))))
    #expect(talk.controller.status.draft == "open the settings page and add a switch")
    #expect(talk.heldTexts == [])
    talk.say("over", after: 3_000)
    #expect(talk.heldTexts == ["open the settings page and add a switch"])
    #expect(talk.controller.status.draft == "")
    #expect(isFine(talk))
  }

  /// A "no" is dictated; what names what it rejects may be, so nothing is lost for it.
  @Test(arguments: [
    ("Cancel that.", true), ("Cancelled that.", true), ("Reject it.", true), ("No.", false), ("Cancel.", false),
    ("Cancel that run", false),
  ])
  func whatIsRejectedIsHeldWithoutTheseWords(_ words: String, _ isHeld: Bool) {
    var talk = talk(.direct, longThought: true)
    talk.say("look at the parser")
    talk.say(words, after: 3_000)
    #expect(talk.heldTexts == (isHeld ? ["look at the parser"] : []))
    #expect(talk.controller.status.draft == (isHeld ? "" : "look at the parser " + words))
    #expect(isFine(talk))
  }

  @Test func whatWaitsForItsRestIsNotSentWithItsRejection() {
    var talk = talk(.direct, word: "")
    talk.say("Delete the old branch and")
    #expect(talk.say("Cancel that.", after: 1_500).sent == [])
    #expect(talk.heldTexts == ["Delete the old branch and"])
    #expect(isFine(talk))
  }

  /// The live model makes a stop of it: that would be about the work.
  @Test func whatIsGatheredIsMeantAndNotTheWork() throws {
    var talk = talk(.direct, longThought: true)
    try talk.work()
    talk.say("look at the parser")
    talk.give(.userTranscribed(connection: talk.connection, text: "Cancel that.", isFinal: true), after: 3_000)
    let actions = talk.give(.stopRequested(call: CallID(connection: talk.connection, id: "s", tool: "stop")))
    #expect(!actions.contains { if case .cancelRun = $0 { true } else { false } })
    #expect(talk.heldTexts == ["look at the parser"])
  }

  @Test func aModelThatLeavesTheWordOutDoesNotHideTheEnd() {
    var talk = talk(.direct)
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: "run the tests over", isFinal: true))
    #expect(talk.propose("run the tests").sent == ["run the tests"])
    #expect(isFine(talk))
  }

  @Test func aModelThatWaitsForTheEndOfTheSentenceLosesNoPieceAndDoublesNone() {
    var talk = talk(.direct)
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: "open the settings page and", isFinal: true))
    talk.give(.modelTurnEnded(connection: talk.connection))
    #expect(talk.controller.status.draft == "open the settings page and")
    let actions = talk.say("open the settings page and add a switch over", after: 2_000)
    #expect(actions.sent == ["open the settings page and add a switch"])
    #expect(isFine(talk))
  }

  @Test func aForgottenWordHoldsAndNeverSends() {
    var talk = talk(.direct)
    talk.say("delete the cache")
    let actions = talk.give(.timerFired(timer: .forgottenEnd), after: Limits.forgottenEndMilliseconds)
    #expect(actions.sent == [])
    #expect(talk.heldTexts == ["delete the cache"])
    #expect(isFine(talk))
  }

  @Test func whoStillSpeaksHasForgottenNothing() {
    var talk = talk(.direct)
    talk.say("open the settings page")
    talk.give(.voiceStarted(detector: .model), after: 9_000)
    talk.give(.timerFired(timer: .forgottenEnd), after: 1_000)
    #expect(talk.heldTexts == [])
    #expect(talk.controller.armedTimers.contains(.forgottenEnd))
  }

  @Test func aLongThoughtWaitsForTheKeyHoweverLongItTakes() throws {
    var talk = talk(.direct, word: "", longThought: true)
    talk.say("open the settings page")
    #expect(!talk.controller.armedTimers.contains(.forgottenEnd))
    #expect(talk.say("and add a switch", after: 120_000).sent == [])
    #expect(try talk.command("done", after: 60_000).sent == ["open the settings page and add a switch"])
    #expect(isFine(talk))
  }

  @Test func theKeyTakesWithItWhatIsStillBeingUnderstood() throws {
    var talk = talk(.direct, word: "", longThought: true)
    talk.say("open the settings page")
    talk.give(.voiceStarted(detector: .model), after: 2_000)
    #expect(try talk.command("done").sent == [])
    talk.give(.voiceEnded(detector: .model), after: 800)
    talk.give(.userTranscribed(connection: talk.connection, text: "and add a switch", isFinal: true))
    #expect(talk.propose("and add a switch").sent == ["open the settings page and add a switch"])
    #expect(isFine(talk))
  }

  @Test func theKeyWaitsForNoWordsThatNeverCome() throws {
    var talk = talk(.direct, word: "", longThought: true)
    talk.say("open the settings page")
    talk.give(.voiceStarted(detector: .model), after: 2_000)
    try talk.command("done")
    talk.give(.voiceEnded(detector: .model), after: 800)
    #expect(talk.give(.modelTurnEnded(connection: talk.connection)).sent == ["open the settings page"])
    #expect(isFine(talk))
  }

  @Test func stopAndDecisionsActAtOnce() throws {
    var talk = talk(.review, longThought: true)
    try talk.command("say run the tests")
    talk.say("open the settings page")
    #expect(talk.say("approve").isApproval)
    #expect(talk.controller.status.draft == "open the settings page")
    talk.give(.stopRequested(call: CallID(connection: talk.connection, id: "s", tool: "stop")))
    #expect(talk.controller.status.draft == "open the settings page")
    #expect(isFine(talk))
  }

  @Test func longThoughtIsSwitchedWhileOneTalks() throws {
    var talk = talk(.review, word: "")
    try talk.command("long-thought")
    talk.say("open the settings page")
    #expect(talk.heldTexts == [])
    try talk.command("long-thought")
    #expect(talk.heldTexts == ["open the settings page"])
    talk.say("run the tests")
    #expect(talk.heldTexts == ["open the settings page", "run the tests"])
    #expect(isFine(talk))
  }

  @Test func whatWasSaidSoFarCanBeRejected() throws {
    var talk = talk(.direct)
    talk.say("open the settings page")
    #expect(try talk.command("reject").contains(.show(notice: .draftDropped(text: "open the settings page"))))
    #expect(talk.say("run the tests over").sent == ["run the tests"])
    #expect(isFine(talk))
  }

  @Test func theEndOfTheInputHoldsWhatWasNotEnded() {
    var talk = talk(.direct)
    talk.say("open the settings page")
    talk.give(.modelTurnEnded(connection: talk.connection))
    talk.give(.microphoneEnded)
    let actions = talk.give(.timerFired(timer: .endOfInput), after: Limits.endOfInputMilliseconds)
    #expect(actions.sent == [])
    #expect(talk.heldTexts == ["open the settings page"])
    #expect(talk.controller.outcome == nil)
  }

  @Test func whoQuitsIsToldWhatWasNotSent() throws {
    var talk = talk(.direct)
    talk.say("open the settings page")
    let actions = try talk.command("quit")
    #expect(
      actions.contains {
        if case .show(.lapsed(nil, "open the settings page", _)) = $0 { true } else { false }
      })
    #expect(actions.contains { if case .noteInLedger(.lapsed) = $0 { true } else { false } })
    #expect(isFine(talk))
  }

  @Test func theLedgerKnowsEveryPieceSoThatACrashLosesNone() {
    var talk = talk(.direct)
    let first = talk.say("open the settings page")
    #expect(
      first.contains {
        if case .noteInLedger(.proposed(let instruction)) = $0 {
          instruction.text == "open the settings page"
        } else {
          false
        }
      })
    let second = talk.say("and add a switch", after: 2_000)
    #expect(
      second.contains {
        if case .noteInLedger(.amended(_, "open the settings page and add a switch")) = $0 { true } else { false }
      })
  }

  @Test func anExtensionMayHavePausesToo() throws {
    var talk = talk(.review)
    talk.say("open the settings page over")
    try talk.command("extend")
    talk.say("and add a switch")
    talk.say("for the theme over", after: 3_000)
    #expect(talk.heldTexts == ["open the settings page and add a switch for the theme"])
    talk.say("run the tests over")
    #expect(talk.heldTexts.count == 2)
    #expect(isFine(talk))
  }

  @Test func settingsOfTheseTurnsAreKeptInTheLogAndOnlyThen() throws {
    let usual = try JSON.text(InteractionSettings())
    #expect(!usual.contains("endWord") && !usual.contains("longThought"))
    let settings = InteractionSettings {
      $0.endWord = "over"
      $0.longThought = true
    }
    #expect(try JSON.value(InteractionSettings.self, try JSON.text(settings)) == settings)
    #expect(try JSON.value(InteractionSettings.self, usual) == InteractionSettings())
  }

  @Test func everySettingIsKeptInTheLog() {
    let properties = Mirror(reflecting: InteractionSettings()).children.compactMap(\.label)
    #expect(properties.sorted() == InteractionSettings.names.sorted())
  }
}

private enum JSON {
  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
