import Testing
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore

/// What an answer is to, where a live model's messages keep another order than what was said.
struct AnswerOrderTests {
  // MARK: The end of a turn

  /// Words alone are no answer: the call may be on its way.
  @Test(arguments: [nil, "run the tests"]) func aTurnThatBringsNothingAnswersNothing(_ words: String?) {
    var scene = Scene.keepingTurns()
    let spoken = scene.say()
    if let words { scene.give(.userTranscribed(connection: scene.connection, text: words, isFinal: true)) }
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(scene.hasSent(spoken))
    scene.propose("run the tests")
    #expect(!scene.talk.controller.run.isIdle)
  }

  @Test func wordsThatSayWhatToDoAnswer() throws {
    var scene = Scene.keepingTurns(longThought: true)
    let spoken = scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "run the tests", isFinal: true))
    scene.endTurn()
    #expect(scene.talk.controller.draft.instruction?.text == "run the tests")
    scene.cut()
    scene.comeBack()
    #expect(!scene.hasSent(spoken))
  }

  @Test func theEndOfATurnThatAnsweredIsNoAnswerToWhatWasSaidMeanwhile() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests")
    let second = scene.say()
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(scene.hasSent(second))
    #expect(scene.propose("update the readme").entered == [] && scene.talk.heldTexts == [])
    #expect(scene.talk.controller.run.queue.map(\.text) == ["update the readme"])
  }

  @Test func aConnectionIsNotLeftInAPauseForATurnThatBroughtNothing() {
    var scene = Scene.keepingTurns()
    scene.give(.resumptionChanged(connection: scene.connection, isPossible: true))
    scene.give(.linkExpiring(connection: scene.connection, milliseconds: 50_000))
    let first = scene.connection
    scene.say()
    scene.endTurn()
    #expect(scene.connection == first)
  }

  @Test func whatATurnBroughtNothingToIsForgottenInTime() {
    var scene = Scene.keepingTurns()
    let spoken = scene.say()
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(!scene.talk.controller.unanswered.hasWhole && !scene.talk.controller.input.awaitsAnswer)
    scene.cut()
    scene.comeBack()
    #expect(!scene.hasSent(spoken))
  }

  @Test func aServerThatEndsOneTurnAfterTheOtherIsNotWaitedForLonger() {
    var scene = Scene.keepingTurns()
    scene.say()
    for _ in 0..<Limits.unansweredUtteranceMilliseconds / 1_000 {
      scene.hear(4, milliseconds: 900)
      let actions = scene.give(.modelTurnEnded(connection: scene.connection))
      #expect(!actions.contains { if case .startTimer(.unansweredUtterance, _) = $0 { true } else { false } })
    }
    scene.give(.timerFired(timer: .unansweredUtterance))
    #expect(!scene.talk.controller.unanswered.hasWhole && !scene.talk.controller.input.awaitsAnswer)
  }

  @Test func aTurnThatBringsNothingAnswersNothingWhileTheUserSpeaksOn() {
    var scene = Scene.keepingTurns()
    let spoken = scene.say()
    scene.give(.voiceStarted(detector: .model))
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(scene.hasSent(spoken))
  }

  @Test func wordsOfAConnectionThatIsGoneAreNoSignOnTheNext() {
    var scene = Scene.keepingTurns()
    let spoken = scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "run the", isFinal: false))
    for _ in 0..<2 {
      scene.cut()
      scene.comeBack()
      #expect(scene.hasSent(spoken))
      scene.endTurn()
    }
  }

  @Test func whatIsSaidBehindAnAnswerIsNotGivenUpForTheEndOfItsTurn() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests")
    let second = scene.say()
    scene.endTurn()
    let first = scene.connection
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 1_000)
    #expect(scene.talk.controller.unanswered.hasWhole)
    scene.give(.timerFired(timer: .unansweredUtterance), after: 4_000)
    #expect(scene.connection != first, "it is asked for again")
    scene.comeBack()
    #expect(scene.hasSent(second))
  }

  /// A detector may hear somebody in what is no sound of a voice.
  @Test func theEndOfATurnThatAnsweredEndsTheWait() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests")
    scene.give(.voiceStarted(detector: .model))
    scene.give(.voiceEnded(detector: .model))
    #expect(scene.talk.controller.input.awaitsAnswer)
    scene.endTurn()
    #expect(!scene.talk.controller.input.awaitsAnswer)
  }

  @Test func wordsOfWhatIsSaidBehindAnAnswerAreKeptForItsOwn() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests")
    scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "update the readme", isFinal: true))
    scene.endTurn()
    scene.propose("update the readme", heard: nil)
    #expect(scene.talk.controller.run.queue.map(\.heard) == ["update the readme"])
  }

  @Test func aThoughtThatIsToEndWithTheNextPieceEndsWithoutOne() throws {
    var scene = Scene.keepingTurns(longThought: true)
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.hear(3_000, milliseconds: 400)
    scene.hear(4, milliseconds: 900)
    try scene.talk.command("done")
    scene.endTurn()
    #expect(scene.talk.controller.draft.instruction != nil)
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(scene.talk.controller.draft.instruction == nil && !scene.talk.controller.run.isIdle)
  }

  @Test func whatTheModelSaidBeforeItWasInterruptedIsNoAnswer() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.give(.modelAudio(connection: scene.connection, audio: SpeechAudio(samples: [1, 2]), turn: nil))
    let spoken = scene.say()
    scene.give(.modelInterrupted(connection: scene.connection))
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(scene.hasSent(spoken))
  }

  @Test func aTurnInWhichTheModelSpokeAnswers() {
    var scene = Scene.keepingTurns()
    let spoken = scene.say()
    scene.give(.modelAudio(connection: scene.connection, audio: SpeechAudio(samples: [1, 2]), turn: nil))
    scene.endTurn()
    #expect(!scene.talk.controller.unanswered.hasWhole)
    scene.cut()
    scene.comeBack()
    #expect(!scene.hasSent(spoken))
  }

  // MARK: Calls

  /// However long it is, if it was begun soon.
  @Test(arguments: [1_600, Limits.settledMilliseconds + 1_000])
  func anInstructionThatHasInItWhatWasSentIsHeld(_ milliseconds: Int) {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests")
    scene.say(milliseconds: milliseconds)
    let both = "run the tests and then run the linter and the formatter"
    scene.propose(both, heard: "then run the linter and the formatter")
    #expect(scene.talk.heldTexts == [both])
  }

  @Test func whatGrowsBeforeItIsSentIsNotInDoubt() {
    var scene = Scene.keepingTurns(longThought: true)
    scene.say()
    scene.propose("add a test for the parser")
    scene.endTurn()
    scene.say()
    scene.propose("add a test for the parser and then run it", heard: "and then run it")
    #expect(scene.talk.controller.draft.instruction?.text == "add a test for the parser and then run it")
    #expect(scene.talk.controller.draft.doubt == nil)
  }

  @Test func whatIsAskedForAnewMuchLaterIsNotInDoubt() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds)
    scene.say()
    scene.propose("run the tests again with the linter", heard: "again with the linter")
    #expect(scene.talk.heldTexts == [])
  }

  /// A word alone stands in much else, and one may be heard otherwise.
  @Test(arguments: [
    ("run the tests", "run the tests", "run the test"), ("run the tests", "run the tests", "run the"),
    ("run the tests", "run the tests and the linter", "run the tests and the linter"),
    ("build", "fix the build in the main module", "fix the bill in the main module"),
  ])
  func whatIsSaidAgainInOtherWordsIsNotHeld(_ first: String, _ second: String, _ heard: String) {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose(first)
    scene.endTurn()
    scene.say()
    scene.propose(second, heard: heard)
    #expect(scene.talk.heldTexts == [])
  }

  /// A server may withdraw a call that was answered.
  @Test func whatComesAnewAfterItsCallWasWithdrawnIsHeld() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    let call = CallID(connection: scene.connection, id: "s1", tool: "converse")
    scene.give(.callsWithdrawn(calls: [call]))
    scene.say()
    scene.propose("run the tests and the linter", heard: nil)
    #expect(scene.talk.heldTexts == ["run the tests and the linter"])
  }

  /// Without a transcript only that tells it.
  @Test(arguments: [
    ("build", "build and test", true), ("run the tests", "run the tests", true), ("build", "test", false),
  ])
  func whatComesAnewAfterAnAnswerWasGivenUpIsHeld(_ first: String, _ second: String, _ isHeld: Bool) {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose(first, heard: nil)
    scene.hear(3_000, milliseconds: 400)
    scene.give(.modelInterrupted(connection: scene.connection))
    scene.endTurn()
    scene.say()
    scene.propose(second, heard: nil)
    #expect(scene.talk.heldTexts == (isHeld ? [second] : []))
  }

  @Test func aCallThatIsRepeatedBehindASoundIsTakenOnce() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests")
    scene.hear(3_000, milliseconds: 400)
    scene.hear(4, milliseconds: 900)
    let again = scene.propose("run the tests", heard: nil)
    #expect(again.contains(.show(notice: .duplicateIgnored(text: "run the tests"))))
  }

  @Test func anAnswerThatCameWholeSinceOneWasGivenUpIsNotInDoubt() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("build", heard: nil)
    scene.give(.modelInterrupted(connection: scene.connection))
    for text in ["test", "test the parser"] {
      scene.say()
      scene.propose(text, heard: nil)
      scene.endTurn()
    }
    #expect(scene.talk.heldTexts == [])
  }

  /// No detector hears a file or a pipe; its sound tells that somebody spoke.
  @Test(arguments: [true, false]) func theSameSaidTwiceIsTakenTwice(_ isSaid: Bool) {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("show the last change", heard: nil)
    scene.endTurn()
    if isSaid { scene.say() } else { scene.hear(4, milliseconds: 2_500) }
    scene.propose("show the last change", heard: nil)
    #expect(scene.talk.controller.run.queue.map(\.text) == (isSaid ? ["show the last change"] : []))
    #expect(scene.talk.rules.violations.isEmpty)
  }
}
