import Testing
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore

/// A turn of the live model that brings nothing: what it was for is waited for a while longer, and then told.
struct EmptyTurnTests {
  /// It may have been a noise, and then once is enough; where it was not, the user says it again.
  @Test(arguments: [Limits.settledMilliseconds, 0]) func theUserIsToldOnceThatNothingWasMadeOfWhatWasHeard(_ quiet: Int)
  {
    var scene = Scene.keepingTurns()
    for told in [0, 1] {
      scene.say()
      scene.endTurn()
      #expect(scene.warnings.count == told, "its call may be on its way")
      scene.hear(4, milliseconds: quiet + 100)
      if quiet == 0 { scene.give(.timerFired(timer: .unansweredUtterance), after: 15_000) }
      #expect(scene.warnings.count { $0.contains("made nothing of what was heard") } == 1)
    }
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.say()
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(scene.warnings.count == 2)
  }

  @Test func nothingIsSaidOfWhatWasAnsweredTogetherWithSomethingElse() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.say()
    scene.propose("run the tests and the linter")
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(!scene.talk.controller.unanswered.hasWhole && scene.warnings.isEmpty)
  }

  @Test func whatATurnBroughtNothingToIsToldByItsWordsThoughTheNextIsAnswered() {
    var scene = Scene.keepingTurns()
    scene.sayInVain("update the readme")
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds)
    #expect(scene.warnings == [Self.inVain("update the readme")])
  }

  /// Where the connection is cut, that is said again; with it what was answered, which is known by its words.
  @Test func theAnswerIsNotToWhatATurnBroughtNothingTo() {
    var scene = Scene.keepingTurns()
    let first = scene.sayInVain("update the readme")
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(scene.hasSent(first))
    scene.propose("update the readme")
    scene.endTurn()
    scene.propose("run the tests")
    let taken = scene.talk.controller.run.queue.map(\.text)
    #expect(taken == ["update the readme"], "and the other is at work")
  }

  @Test func aCallThatComesBehindItsTurnAnswers() {
    var scene = Scene.keepingTurns()
    scene.sayInVain("update the readme")
    scene.propose("update the readme", heard: nil)
    #expect(!scene.talk.controller.unanswered.hasWhole && !scene.talk.controller.run.isIdle)
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(scene.warnings.isEmpty)
  }

  /// Of two, it is for the one whose words it has; and it is compared with them.
  @Test func aCallThatComesBehindItsTurnIsForItsWords() {
    var scene = Scene.keepingTurns()
    scene.sayInVain("update the readme")
    scene.sayInVain("run the tests")
    scene.propose("run the tests", heard: nil)
    #expect(scene.talk.heldTexts == [])
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(scene.warnings == [Self.inVain("update the readme")])
  }

  @Test func aCallThatComesBehindItsTurnIsComparedWithItsWords() {
    var scene = Scene.keepingTurns()
    scene.sayInVain("run the tests")
    scene.propose("delete all branches", heard: nil)
    #expect(scene.talk.heldTexts == ["delete all branches"])
  }

  /// What is asked for in nearly the same words, or has the word in it, is something else.
  @Test(arguments: [
    ("update the readme in core", "update the readme in replay"), ("stop", "don't stop until the tests pass"),
  ])
  func whatIsLikeItIsNotIt(_ lost: String, _ taken: String) {
    var scene = Scene.keepingTurns()
    scene.sayInVain(lost)
    scene.say()
    scene.propose(taken)
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(scene.warnings == [Self.inVain(lost)])
  }

  @Test func oneThatWasSaidAgainExcusesNoOther() {
    var scene = Scene.keepingTurns()
    for words in ["update the readme", "run the tests"] {
      scene.sayInVain(words)
      scene.hear(4, milliseconds: Limits.settledMilliseconds)
    }
    scene.say()
    scene.propose("run the tests")
    #expect(scene.talk.controller.input.lostSpeech == "Nothing came of “update the readme”.")
  }

  /// A noise that is told does not keep what has words from being told.
  @Test func whatHasWordsIsToldEachTime() {
    var scene = Scene.keepingTurns()
    for words in [nil, "update the readme", "run the tests"] {
      scene.sayInVain(words)
      scene.hear(4, milliseconds: Limits.settledMilliseconds)
    }
    #expect(scene.warnings.dropFirst() == [Self.inVain("update the readme"), Self.inVain("run the tests")])
    #expect(scene.warnings.count == 3)
  }

  @Test func talkThatTheModelMakesNothingOfDoesNotPileUp() {
    var scene = Scene.keepingTurns()
    for number in 0..<12 {
      scene.sayInVain("that was number \(number)")
      #expect(scene.talk.controller.unanswered.utterances.count <= 5)
    }
  }

  /// What the model says while something else has the floor is not heard.
  @Test func aVoiceThatIsNotPlayedIsNoAnswer() throws {
    var scene = Scene.keepingTurns()
    try scene.talk.work()
    scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "what time is it", isFinal: true))
    scene.give(.modelAudio(connection: scene.connection, audio: SpeechAudio(samples: [1, 2]), turn: nil))
    scene.give(.modelTranscribed(connection: scene.connection, text: "It is noon."))
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds)
    #expect(scene.warnings == [Self.inVain("what time is it")])
  }

  @Test func wordsThatAreHeardAgainOnTheNextConnectionAreCompared() {
    var scene = Scene.keepingTurns()
    scene.sayInVain("run the tests")
    scene.cut()
    scene.comeBack()
    scene.propose("delete all branches", heard: "run the tests")
    #expect(scene.talk.heldTexts == ["delete all branches"])
  }

  /// The connection that it was on is no witness, whether the sign of life came before it was cut or before it went dead.
  @Test(arguments: [true, false]) func aConnectionThatGoesDeadIsLeft(_ isCut: Bool) {
    var scene = Scene.keepingTurns()
    scene.sayInVain("run the tests")
    if isCut {
      scene.cut()
      scene.comeBack()
    } else {
      scene.say()
    }
    let dead = scene.connection
    let wait = Limits.settledMilliseconds + 3_000
    scene.hear(4, milliseconds: wait)
    scene.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds - wait)
    #expect(scene.connection != dead)
    #expect(!scene.warnings.contains { $0.contains("made nothing") })
  }

  /// One of them may be a noise that a server answers with an empty turn, or not at all.
  @Test func whatMayHaveBeenAnsweredTogetherIsNotToldForOneMoreEndOfTurn() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.say()
    scene.propose("run the tests and the linter")
    scene.endTurn()
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(!scene.talk.controller.unanswered.hasWhole && scene.warnings.isEmpty)
  }

  /// The first has an empty turn, and then the second's words are known while the third is answered.
  @Test func wordsBehindAnEmptyTurnAreKeptForTheirOwn() {
    var scene = Scene.keepingTurns()
    scene.sayInVain(nil)
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "update the readme", isFinal: true))
    scene.endTurn()
    scene.propose("update the readme", heard: nil)
    #expect(scene.talk.controller.run.queue.map(\.heard) == ["update the readme"])
  }

  @Test func wordsTellThoughTheyWereSaidBeforeTheLastAnswer() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.give(.userTranscribed(connection: scene.connection, text: "update the readme", isFinal: true))
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(scene.warnings == [Self.inVain("update the readme")])
  }

  /// A late call may be taken for that of a sound behind it.
  @Test func whatIsAtWorkIsNotCalledInVain() {
    var scene = Scene.keepingTurns()
    scene.sayInVain("run the tests")
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    #expect(!scene.talk.controller.run.isIdle && scene.warnings.allSatisfy { !$0.contains("run the tests") })
  }

  @Test func whatIsSentAgainIsNotCalledInVain() {
    var scene = Scene.keepingTurns()
    scene.sayInVain("update the readme")
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.hear(4, milliseconds: 6_000)
    scene.cut()
    scene.comeBack()
    scene.hear(4, milliseconds: 4_000)
    #expect(!scene.warnings.contains(Self.inVain("update the readme")))
  }

  /// A server may need less of a pause than is one here.
  @Test func whatAQuickTurnBroughtNothingToIsWaitedFor() {
    var scene = Scene.keepingTurns()
    scene.hear(3_000, milliseconds: 1_600)
    scene.hear(4, milliseconds: 300)
    scene.endTurn()
    scene.hear(4, milliseconds: 600)
    #expect(scene.talk.controller.input.awaitsAnswer)
    scene.give(.microphoneEnded)
    scene.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(scene.warnings.count { $0.contains("made nothing of what was heard") } == 1)
  }

  /// In a file, where somebody says again what had come to nothing, or nods.
  @Test(arguments: [nil, "update the readme"]) func aSessionInWhichAllWasDoneIsNoFailure(_ words: String?) throws {
    var scene = Scene.keepingTurns()
    scene.talk.give(.commandsEnded)
    scene.sayInVain(words ?? "okay")
    scene.hear(4, milliseconds: Limits.settledMilliseconds)
    #expect(scene.warnings.count == (words == nil ? 0 : 1))
    if let words {
      scene.say()
      scene.propose(words)
      scene.endTurn()
    }
    #expect(scene.talk.controller.input.lostSpeech == nil)
  }

  @Test func whatIsGivenUpIsNotGluedToWhatIsSaidNext() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "update the readme", isFinal: true))
    scene.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(scene.warnings == [Self.inVain("update the readme")])
    scene.say()
    scene.propose("run the tests")
    #expect(scene.talk.heldTexts == [] && !scene.talk.controller.run.isIdle)
  }

  // MARK: Words that said what to do, and a call for them

  @Test func aCallForWhatItsWordsDecidedActsNoSecondTime() {
    var scene = Scene.keepingTurns(.review)
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "approve", isFinal: true))
    scene.endTurn()
    #expect(!scene.talk.controller.run.isIdle && scene.talk.heldTexts == [])
    for call in ["approve", "yes, approve it"] {
      scene.propose(call, heard: nil)
      #expect(scene.talk.heldTexts == [])
    }
  }

  /// A call that was refused, since no words were known, is no reason not to obey them.
  @Test func aCallThatWasRefusedStandsInNobodysWay() {
    var scene = Scene.keepingTurns(.review)
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.say()
    for call in ["approve", "yes, approve it"] { scene.propose(call, heard: nil) }
    scene.give(.userTranscribed(connection: scene.connection, text: "approve", isFinal: true))
    scene.endTurn()
    #expect(!scene.talk.controller.run.isIdle && scene.talk.heldTexts == [])
  }

  @Test func aCallForAPieceThatItsWordsGaveAddsNothing() {
    var scene = Scene.keepingTurns(longThought: true)
    scene.sayInVain("undo it")
    scene.propose("undo it", heard: nil)
    #expect(scene.talk.controller.draft.instruction?.text == "undo it")
  }

  // MARK: Transcripts out of order

  /// All of the words come behind both calls.
  @Test func whatHoldsAnAnswerThatWasGivenUpIsHeldThoughItsWordsCameLate() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.hear(3_000, milliseconds: 400)
    scene.give(.modelInterrupted(connection: scene.connection))
    scene.hear(4, milliseconds: 900)
    scene.propose("run the tests and the linter")
    #expect(scene.talk.heldTexts == ["run the tests and the linter"])
  }

  /// The rest of a transcript, on either side of the turn's end.
  @Test(arguments: [true, false]) func theRestOfWhatWasTakenIsShownAndNotAwaited(_ isBehindTurn: Bool) {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: "run")
    if isBehindTurn { scene.endTurn() }
    scene.give(.userTranscribed(connection: scene.connection, text: " the tests", isFinal: true))
    if !isBehindTurn { scene.endTurn() }
    scene.give(.microphoneEnded)
    scene.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(scene.warnings.isEmpty && !scene.talk.controller.input.awaitsAnswer)
    #expect(scene.talk.rules.violations.isEmpty)
  }

  private static func inVain(_ words: String) -> String { "“\(words)” led to nothing. Say it again, or type it." }
}

extension Scene {
  /// Something is said, and the live model ends its turn and makes nothing of it.
  @discardableResult fileprivate mutating func sayInVain(_ words: String?) -> Range<Int> {
    let spoken = say()
    if let words { give(.userTranscribed(connection: connection, text: words, isFinal: true)) }
    endTurn()
    return spoken
  }
}
