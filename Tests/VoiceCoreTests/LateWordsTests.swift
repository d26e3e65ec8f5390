import Testing
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore

/// Words that come behind the call that took what they are of.
struct LateWordsTests {
  @Test(arguments: [
    (["run the tests"], false), (["run", " the", " tests"], false), (["um, run all the tests"], true),
    (["um,", " run all the tests", ""], true),
  ])
  func wordsThatComeBehindTheirTurnAreShownOnceAndAwaitNothing(_ pieces: [String], _ isFinal: Bool) {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    var shown: [String] = []
    // A server may send it again.
    for _ in 0..<2 {
      for (number, piece) in pieces.enumerated() {
        let isFinal = isFinal && number == pieces.count - 1
        shown += scene.give(.userTranscribed(connection: scene.connection, text: piece, isFinal: isFinal)).heard
      }
      if !isFinal || pieces.last == "" { break }
    }
    #expect(shown == [pieces.joined()])
    #expect(!scene.talk.controller.input.awaitsAnswer && scene.talk.controller.floor.transcript.isEmpty)
  }

  @Test func wordsOfBeforeAreNotTakenForThoseOfWhatIsSaidNow() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    scene.say()
    scene.give(.userTranscribed(connection: scene.connection, text: "run the tests", isFinal: true))
    scene.propose("update the readme")
    #expect(scene.talk.controller.run.queue.map(\.heard) == ["update the readme"])
  }

  @Test func otherWordsAreOfWhatWaitsForAnAnswer() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    scene.say()
    scene.propose("update the readme")
    #expect(scene.talk.controller.run.queue.map(\.heard) == ["update the readme"])
  }

  @Test func wordsOfWhatIsAddedToWhatIsHeldComeLateToo() throws {
    var scene = Scene.keepingTurns()
    try scene.talk.command("mode review")
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    try scene.talk.command("extend")
    scene.say()
    scene.propose("and the linter", heard: nil)
    scene.endTurn()
    scene.give(.userTranscribed(connection: scene.connection, text: "and the linter", isFinal: true))
    #expect(scene.talk.heldTexts == ["run the tests and the linter"] && !scene.talk.controller.input.awaitsAnswer)
  }

  @Test func wordsThatAreHeardAgainComeLateToo() {
    var scene = Scene.keepingTurns()
    for _ in 0..<2 { scene.say() }
    scene.propose("run the tests and run the linter", heard: nil)
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(
      scene.propose("run the linter", heard: nil).contains(.show(notice: .duplicateIgnored(text: "run the linter"))))
    scene.endTurn()
    let shown = scene.give(.userTranscribed(connection: scene.connection, text: "run the linter", isFinal: true)).heard
    #expect(shown == ["run the linter"] && !scene.talk.controller.input.awaitsAnswer)
  }

  @Test func piecesOfWhatWaitsAreNotTakenForWordsThatNeverCame() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    scene.say()
    for piece in ["run", " the", " linter"] {
      scene.give(.userTranscribed(connection: scene.connection, text: piece, isFinal: false))
    }
    scene.propose("run the linter", heard: nil)
    #expect(scene.talk.controller.run.queue.map(\.heard) == ["run the linter"])
  }

  @Test func wordsAreOfWhatWasTakenOnce() {
    var scene = Scene.keepingTurns()
    scene.say()
    for text in ["run the tests", "build it"] { scene.propose(text, heard: nil) }
    scene.endTurn()
    func isAwaited(_ words: String) -> Bool {
      scene.give(.userTranscribed(connection: scene.connection, text: words, isFinal: true))
      return scene.talk.controller.input.awaitsAnswer
    }
    #expect(!isAwaited("run the tests") && !isAwaited("and now build it"))
    #expect(isAwaited("update the readme"))
  }

  @Test func wordsOfAConnectionThatWasLeftDoNotComeAnyMore() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    scene.give(.userTranscribed(connection: scene.connection, text: "update the readme", isFinal: true))
    #expect(scene.talk.controller.input.awaitsAnswer)
  }

  @Test func wordsThatMayDecideAreNotOnlyShown() {
    var scene = Scene.keepingTurns(.review)
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    scene.give(.userTranscribed(connection: scene.connection, text: "run all tests", isFinal: false))
    #expect(scene.talk.heldTexts == ["run the tests"])
    scene.say(milliseconds: 600)
    scene.propose("reject", heard: nil)
    scene.give(.userTranscribed(connection: scene.connection, text: "reject", isFinal: true))
    scene.endTurn()
    #expect(scene.talk.heldTexts == [])
  }

  @Test func wordsOfAStopComeLateToo() {
    var scene = Scene.keepingTurns()
    scene.say(milliseconds: 600)
    scene.give(.stopRequested(call: CallID(connection: scene.connection, id: "t", tool: "stop")))
    scene.endTurn()
    scene.give(.userTranscribed(connection: scene.connection, text: "stop it", isFinal: true))
    #expect(!scene.talk.controller.input.awaitsAnswer)
  }

  @Test func anEndWordThatComesLateEndsTheThought() {
    var scene = Scene.keepingTurns(endWord: "over")
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    #expect(scene.talk.controller.draft.instruction != nil)
    scene.give(.userTranscribed(connection: scene.connection, text: "run the tests over", isFinal: true))
    #expect(scene.talk.controller.draft.instruction == nil && !scene.talk.controller.run.isIdle)
  }

  @Test func wordsThatComeLongAfterAreOfSomethingElse() {
    var scene = Scene.keepingTurns()
    scene.say()
    scene.propose("run the tests", heard: nil)
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.transcriptDelayMilliseconds + 100)
    scene.give(.userTranscribed(connection: scene.connection, text: "run the tests", isFinal: true))
    #expect(scene.talk.controller.input.awaitsAnswer)
  }
}
