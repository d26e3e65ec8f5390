import Testing
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore

/// What belongs to one turn of the live model: its calls, its late words, the connection that it is on.
struct TurnKeptTogetherTests {
  @Test func aConnectionThatWillBeCutIsKeptUntilTheTurnIsOver() {
    var scene = Scene.keepingTurns()
    scene.give(.resumptionChanged(connection: scene.connection, isPossible: true))
    let first = scene.connection
    scene.say()
    scene.give(.linkExpiring(connection: first, milliseconds: 50_000))
    scene.propose("run the tests")
    #expect(scene.connection == first)
    let second = scene.propose("update the readme")
    #expect(second.contains { if case .answerCall = $0 { true } else { false } })
    #expect(scene.connection == first)
    scene.endTurn()
    #expect(scene.connection != first)
  }

  @Test func aCallThatIsRepeatedBehindALateTranscriptIsTakenOnce() {
    var scene = Scene.keepingTurns()
    scene.say()
    let first = scene.propose("run the tests", heard: nil)
    let again = scene.propose("run the tests")
    #expect(first.entered == ["run the tests"])
    #expect(again.contains(.show(notice: .duplicateIgnored(text: "run the tests"))))
    scene.endTurn()
    scene.say()
    #expect(!scene.propose("run the tests").contains(.show(notice: .duplicateIgnored(text: "run the tests"))))
  }

  @Test func whatIsHeardAgainPieceByPieceIsNotTakenTwice() {
    var scene = Self.sceneHeardAgain()
    for piece in ["run the tests", "and run the linter"] {
      #expect(scene.propose(piece).contains(.show(notice: .duplicateIgnored(text: piece))))
      scene.endTurn()
    }
    #expect(scene.talk.controller.run.queue.isEmpty && scene.talk.heldTexts.isEmpty)
    scene.say()
    #expect(!scene.propose("run the linter").contains(.show(notice: .duplicateIgnored(text: "run the linter"))))
    #expect(scene.talk.rules.violations.isEmpty)
  }

  /// What has begun since goes on.
  @Test func aStopThatIsHeardAgainStopsNothing() {
    var scene = Scene.keepingTurns()
    for _ in 0..<2 { scene.say() }
    func stop(_ words: String, _ id: String) -> [VoiceAction] {
      scene.give(.userTranscribed(connection: scene.connection, text: words, isFinal: true))
      return scene.give(.stopRequested(call: CallID(connection: scene.connection, id: id, tool: "stop")))
    }
    _ = stop("please stop it", "s-1")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(stop("stop it", "s-2").contains(.show(notice: .duplicateIgnored(text: "stop it"))))
    scene.endTurn()
    scene.say()
    #expect(!stop("please stop it", "s-3").contains(.show(notice: .duplicateIgnored(text: "please stop it"))))
  }

  /// One answer to three utterances, without a word about it, and the connection is cut: the last two are heard again once the next
  /// one is there, after so long.
  private static func sceneHeardAgain(
    _ mode: InteractionMode = .direct, longThought: Bool = false, endWord: String = "", away milliseconds: Int = 0
  ) -> Scene {
    var scene = Scene.keepingTurns(mode, longThought: longThought, endWord: endWord)
    for _ in 0..<3 { scene.say() }
    scene.propose("run the tests and run the linter")
    scene.endTurn()
    scene.cut()
    scene.hear(4, milliseconds: milliseconds)
    scene.comeBack()
    return scene
  }

  /// An instruction that is taken, and something else that the user says while the turn ends.
  private static func sceneSpokenInto(_ mode: InteractionMode = .direct, longThought: Bool = false) -> Scene {
    var scene = Scene.keepingTurns(mode, longThought: longThought)
    scene.say()
    scene.propose("run the tests")
    scene.hear(4, milliseconds: 2_000)
    scene.give(.voiceStarted(detector: .vad))
    scene.hear(3_000, milliseconds: 600)
    scene.endTurn()
    scene.hear(3_000, milliseconds: 600)
    scene.hear(4, milliseconds: 900)
    scene.give(.voiceEnded(detector: .vad))
    return scene
  }

  /// However long the connection was away.
  @Test func whatIsHeardAgainIsNotGivenUpAtOnce() {
    var scene = Self.sceneHeardAgain(away: Limits.settledMilliseconds)
    scene.hear(4, milliseconds: Limits.settledMilliseconds - 1_000)
    #expect(scene.talk.controller.unanswered.utterances.count == 2)
    scene.hear(4, milliseconds: 1_000)
    #expect(scene.talk.controller.unanswered.utterances.isEmpty)
    // It is answered all the same, while the user says the next.
    scene.hear(3_000, milliseconds: 600)
    #expect(scene.propose("run the linter").entered == [])
    #expect(scene.talk.heldTexts == ["run the linter"])
  }

  @Test func whatMayBeHeardAgainDecidesNothing() {
    var scene = Scene.keepingTurns(.review)
    for text in ["run the tests", "update the readme"] {
      scene.say()
      scene.propose(text)
      scene.endTurn()
    }
    for command in [UserCommand.next, .previous] { scene.give(.commandGiven(command: command)) }
    scene.hear(4, milliseconds: 2_000)
    for _ in 0..<3 { scene.say() }
    #expect(scene.propose("approve").entered == ["run the tests"])
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    scene.propose("build it")
    scene.hear(3_000, milliseconds: 200)
    let actions = scene.propose("approve")
    #expect(actions.refusal?.contains("before the connection was lost") == true, "\(actions)")
    #expect(scene.talk.heldTexts == ["update the readme", "build it"])
  }

  @Test func whatMayBeHeardAgainChoosesNothing() {
    var scene = Scene.keepingTurns()
    let run = RunID(rawValue: -1)
    func ask(_ id: String) -> VoiceEvent {
      .agentReported(
        run: run,
        event: .questionAsked(
          question: AgentQuestion(
            id: .init(rawValue: id), text: "Which?", options: ["left side", "right side"].map { .init(label: $0) })))
    }
    scene.give(.agentStartedRun(run: run, text: "it builds"))
    scene.give(ask("q-1"))
    scene.hear(4, milliseconds: 2_000)
    for _ in 0..<3 { scene.say() }
    let chosen = scene.propose("right side")
    #expect(chosen.contains { if case .answerQuestion = $0 { true } else { false } }, "\(chosen)")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    scene.propose("update the readme")
    scene.give(ask("q-2"))
    scene.hear(4, milliseconds: 2_000)
    scene.hear(3_000, milliseconds: 200)
    let actions = scene.propose("right side")
    #expect(actions.refusal?.contains("before the connection was lost") == true, "\(actions)")
  }

  /// In review mode it stands beside what it may be a repetition of.
  @Test func ofWhatMayBeHeardAgainTheUserIsTold() {
    var scene = Self.sceneHeardAgain(.review)
    scene.propose("update the readme")
    let actions = scene.propose("run the linter")
    let isTold = actions.contains {
      if case .show(.warning(let text)) = $0 { text.contains("before the connection was lost") } else { false }
    }
    #expect(isTold, "\(actions)")
  }

  /// The model may leave the word out of what it proposes.
  @Test func anEndWordThatComesWithWhatIsHeardAgainEndsWhatIsGathered() {
    var scene = Self.sceneHeardAgain(endWord: "over")
    scene.propose("and run the linter", heard: "and run the linter over")
    #expect(scene.talk.heldTexts == ["run the tests and run the linter"])
    #expect(scene.talk.controller.draft.instruction == nil)
  }

  @Test func whatIsSaidIntoAnAnswerToWhatIsHeardAgainIsNotDropped() {
    var scene = Self.sceneHeardAgain()
    scene.propose("run the tests")
    scene.endTurn()
    scene.propose("and run the linter")
    scene.give(.modelInterrupted(connection: scene.connection))
    scene.propose("tests and run")
    #expect(scene.talk.heldTexts == ["tests and run"])
  }

  /// The live model words it as it likes.
  @Test func whatIsHeardAgainInOtherWordsIsHeld() {
    var scene = Self.sceneHeardAgain()
    scene.propose("run the tests and run all the linters")
    #expect(scene.talk.heldTexts == ["run the tests and run all the linters"])
  }

  @Test func whatWasHeardAgainAndBroughtNothingIsNotInDoubtForEver() {
    var scene = Self.sceneHeardAgain()
    scene.endTurn()
    scene.hear(4, milliseconds: 2 * Limits.settledMilliseconds + 200)
    scene.say()
    scene.propose("run the linter")
    #expect(scene.talk.heldTexts == [])
  }

  @Test func aCallThatComesAfterWhatWasHeardAgainIsGivenUpIsNotSent() {
    var scene = Self.sceneHeardAgain()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + Limits.unansweredUtteranceMilliseconds)
    scene.give(.timerFired(timer: .unansweredUtterance))
    #expect(scene.talk.controller.unanswered.utterances.isEmpty)
    scene.hear(4, milliseconds: Limits.settledMilliseconds)
    #expect(scene.propose("run the linter").entered == [])
    #expect(scene.talk.heldTexts == ["run the linter"] && scene.talk.controller.run.queue.isEmpty)
  }

  /// It may be one of what is heard again, or be said anew.
  @Test func anInstructionBehindANewOneOfTheSameTurnIsHeldThoughItRepeatsWords() {
    var scene = Self.sceneHeardAgain()
    scene.propose("update the readme")
    #expect(!scene.propose("run the linter").contains(.show(notice: .duplicateIgnored(text: "run the linter"))))
    #expect(scene.talk.heldTexts == ["run the linter"])
  }

  @Test func wordsHeardAgainAreNotGatheredWhereTheModelProposesNothing() {
    var scene = Self.sceneHeardAgain(longThought: true)
    let before = scene.talk.controller.draft.instruction?.text
    #expect(before == "run the tests and run the linter")
    scene.give(.userTranscribed(connection: scene.connection, text: "run the linter", isFinal: true))
    let actions = scene.give(.modelTurnEnded(connection: scene.connection))
    #expect(actions.contains(.show(notice: .duplicateIgnored(text: "run the linter"))))
    #expect(scene.talk.controller.draft.instruction?.text == before)
    scene.propose("run the tests")
    scene.endTurn()
    #expect(scene.talk.controller.draft.instruction?.text == before)
  }

  @Test func whatMayBeHeardAgainIsHeldOnceItIsWhole() throws {
    var scene = Self.sceneHeardAgain(longThought: true)
    scene.propose("run the tests and run the linter and update the readme")
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 100)
    let actions = try scene.talk.command("done")
    #expect(actions.entered == [] && scene.talk.heldTexts.count == 1, "\(actions)")
  }

  /// A model that waits for the end of the sentence proposes nothing.
  @Test(arguments: [("and update the readme", false), ("run the tests and update the readme", true)])
  func aPieceThatIsSaidWhileATurnEndsIsGathered(_ heard: String, _ isInDoubt: Bool) throws {
    var scene = Self.sceneSpokenInto(longThought: true)
    scene.give(.userTranscribed(connection: scene.connection, text: heard, isFinal: true))
    scene.endTurn()
    let entered = try scene.talk.command("done").entered
    #expect(entered == (isInDoubt ? [] : ["run the tests " + heard]))
    // What is said twice in a row is once in the text.
    #expect(scene.talk.heldTexts == (isInDoubt ? [heard] : []))
  }

  @Test func whatIsSaidWhileATurnEndsIsNotTakenForItsEnd() {
    var scene = Self.sceneSpokenInto(.review)
    scene.give(.userTranscribed(connection: scene.connection, text: "Yes, send it.", isFinal: true))
    let actions = scene.give(.modelTurnEnded(connection: scene.connection))
    #expect(actions.entered == ["run the tests"], "\(actions)")
  }

  @Test func whatIsSaidAfterATurnThatWasCutIsNotTakenForItsEnd() {
    var scene = Scene.keepingTurns(.review)
    scene.say()
    scene.propose("run the tests")
    #expect(scene.talk.heldTexts == ["run the tests"])
    scene.cut()
    scene.comeBack()
    scene.hear(4, milliseconds: 2_000)
    scene.say()
    // The model takes it for an answer to itself, and calls nothing.
    scene.give(.userTranscribed(connection: scene.connection, text: "Yes, send it.", isFinal: true))
    let actions = scene.give(.modelTurnEnded(connection: scene.connection))
    #expect(actions.entered == ["run the tests"], "\(actions)")
  }
}
