import Testing
import VoiceReplay
import VoiceSound
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore

/// A live model that thinks while the user speaks on, and then a connection that is lost: what was said is heard whole, and
/// once.
struct BadLuckTests {
  @Test func whatIsSaidWhileTheModelThinksIsHeardWholeOnTheNextConnection() {
    var scene = Scene()
    scene.hear(4, milliseconds: 400)
    scene.say()
    var second = scene.hear(3_000, milliseconds: 1_500)
    scene.propose("why does the build fail")
    scene.endTurn()
    second = second.lowerBound..<scene.hear(3_000, milliseconds: 600).upperBound
    scene.cut()
    second = second.lowerBound..<scene.hear(3_000, milliseconds: 400).upperBound
    scene.comeBack()
    #expect(scene.hasSent(second))
    #expect(scene.talk.rules.violations.isEmpty)
  }

  @Test func whatWasSaidWholeBehindTheAnsweredIsHeardAgain() {
    var scene = Scene()
    scene.say()
    let second = scene.say()
    scene.propose("why does the build fail")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(scene.hasSent(second))
  }

  @Test func aBacklogOfThreeUtterancesOutlivesASecondCut() {
    var scene = Scene()
    scene.hear(4, milliseconds: 400)
    scene.cut()
    let spoken = (0..<3).map { _ in scene.say() }
    scene.comeBack()
    #expect(spoken.allSatisfy { scene.hasSent($0) })
    scene.propose("why does the build fail")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(!scene.hasSent(spoken[0]))
    #expect(scene.hasSent(spoken[1]) && scene.hasSent(spoken[2]))
    #expect(scene.talk.rules.violations.isEmpty)
  }

  @Test func aServerThatGaveUpItsAnswerHasAnsweredBothTogether() {
    var scene = Scene()
    let first = scene.say()
    scene.hear(3_000, milliseconds: 400)
    scene.give(.modelInterrupted(connection: scene.connection))
    let second = scene.say()
    scene.propose("why does the build fail on the main branch")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    #expect(!scene.hasSent(first) && !scene.hasSent(second))
  }

  @Test func whatWasAnsweredTogetherIsNotTakenTwice() {
    var scene = Scene()
    scene.say()
    scene.say()
    // One answer to both, without a word about it.
    scene.propose("run the tests and then commit")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    let again = scene.propose("then commit")
    #expect(again.contains(.show(notice: .duplicateIgnored(text: "then commit"))))
    #expect(scene.talk.rules.violations.isEmpty)
  }

  @Test func whatMayHoldSomethingThatWasTakenIsHeld() {
    var scene = Scene()
    scene.say()
    scene.say()
    scene.propose("run the tests")
    scene.endTurn()
    scene.cut()
    scene.comeBack()
    scene.propose("run the tests and then commit")
    #expect(scene.talk.heldTexts == ["run the tests and then commit"])
  }

  @Test func theSilenceOfTheServerShowsWhatItHasAnswered() {
    var scene = Scene()
    scene.say()
    let second = scene.say()
    scene.propose("run the tests and then commit")
    scene.endTurn()
    scene.hear(4, milliseconds: Limits.settledMilliseconds + 500)
    scene.cut()
    scene.comeBack()
    #expect(!scene.hasSent(second))
    #expect(!scene.talk.controller.input.awaitsAnswer)
  }

  @Test func anAnnouncedCutIsForestalledInAPause() {
    var scene = Scene()
    scene.give(.resumptionChanged(connection: scene.connection, isPossible: true))
    let first = scene.connection
    scene.hear(3_000, milliseconds: 800)
    scene.give(.linkExpiring(connection: first, milliseconds: 50_000))
    scene.hear(3_000, milliseconds: 800)
    scene.hear(4, milliseconds: 900)
    #expect(scene.connection == first)
    scene.propose("run the tests")
    scene.endTurn()
    #expect(scene.connection != first)
  }

  @Test func aServerThatDoesNotReactIsConnectedToAnewAndThenTheUserIsTold() throws {
    var scene = Scene(.init { ($0.mode, $0.takesCommands) = (.direct, false) })
    scene.give(.voiceStarted(detector: .vad))
    let spoken = scene.hear(3_000, milliseconds: 1_600)
    scene.hear(4, milliseconds: 900)
    scene.give(.voiceEnded(detector: .vad))
    let silent = scene.connection
    let actions = scene.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(actions.contains(.closeLink(connection: silent)))
    #expect(
      actions.contains { if case .show(.warning(let text)) = $0 { text.contains("does not react") } else { false } })
    scene.comeBack()
    #expect(scene.connection != silent && scene.hasSent(spoken))
    scene.give(.microphoneEnded)
    let last = scene.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(last.contains { if case .show(.warning(let text)) = $0 { text.contains("say it again") } else { false } })
    scene.give(.timerFired(timer: .endOfInput), after: 2_500)
    guard case .failed(let reason) = scene.talk.controller.outcome else {
      Issue.record("\(String(describing: scene.talk.controller.outcome))")
      return
    }
    #expect(reason.contains("did not react"))
  }

  @Test(arguments: [true, false]) func wordsThatNothingCameOfDoNotEndACompletedSession(_ isRecorded: Bool) {
    var talk = Talk(.init { ($0.takesCommands, $0.isRecorded) = (false, isRecorded) })
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: "run the tests", isFinal: true))
    talk.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    talk.give(.microphoneEnded)
    talk.give(.timerFired(timer: .endOfInput), after: 2_500)
    guard case .failed(let reason) = talk.controller.outcome else {
      Issue.record("\(String(describing: talk.controller.outcome))")
      return
    }
    #expect(reason.contains("“run the tests”") && reason.contains("recording") == isRecorded)
  }

  /// What a server does as soon as it has answered the setup.
  enum Trick: CaseIterable { case closes, goesAway }

  @Test(arguments: Trick.allCases) func aServerThatServesNobodyIsTriedLessAndLess(_ trick: Trick) {
    var talk = Talk()
    var connections = 1
    var waited = 0
    var connection = talk.connection
    while waited < 40_000, talk.controller.outcome == nil {
      talk.give(.resumptionChanged(connection: connection, isPossible: true), after: 20)
      waited += 20
      switch trick {
      case .closes:
        talk.give(.linkClosed(connection: connection, failure: .init(remedy: .resume, reason: "going away")))
      case .goesAway: talk.give(.linkExpiring(connection: connection, milliseconds: 50_000))
      }
      if talk.controller.link.awaitsResuming != nil {
        // The waits double: 0.5, 1, 2 … s.
        let wait = min(Limits.firstRetryMilliseconds << (connections - 1), Limits.longestRetryMilliseconds)
        talk.give(.timerFired(timer: .reconnect), after: wait)
        waited += wait
      }
      guard let next = talk.controller.link.currentConnection else { break }
      connection = next
      connections += 1
      talk.give(.linkReady(connection: connection, resumed: true))
    }
    #expect(connections <= 9)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aServerThatServesNobodyIsGivenUpWhereNobodyWouldMissIt() {
    var talk = Talk(.init { $0.takesCommands = false })
    for _ in 0..<20 where talk.controller.outcome == nil {
      guard let connection = talk.controller.link.currentConnection else { break }
      talk.give(.linkReady(connection: connection, resumed: true))
      talk.give(.linkClosed(connection: connection, failure: .init(remedy: .resume, reason: "going away")))
      if talk.controller.link.awaitsResuming != nil { talk.give(.timerFired(timer: .reconnect), after: 500) }
    }
    #expect(talk.controller.outcome == .failed(reason: "going away"))
  }

  @Test func tenMinutesWithoutAnAnswerAreKeptAndMoreIsTold() {
    var sound = UnacknowledgedAudio()
    var isTold = false
    sound.levelChanged(.sound, at: .zero)
    for index in 0..<Limits.longestUtteranceFrames + 4_000 {
      let isDropped = sound.keep(.frame(MicrophoneFrame(position: index * PCM.frameSamples, samples: [])), at: .zero)
      if isDropped { #expect(index > Limits.longestUtteranceFrames) }
      isTold = isTold || isDropped
    }
    #expect(isTold)
    #expect(sound.answered(isQuiet: true, at: .zero) == .nothing)
    sound.levelChanged(.silence, at: .zero)
    _ = sound.takeAll()
    #expect(sound.answered(isQuiet: true, at: .zero) == .restOfUtterance)
  }

  @Test(arguments: ["Run the tests.", "run the tests", "Run the tests!"])
  func theSameWordsWithoutSoundInBetweenAreOneInstruction(_ again: String) {
    var scene = Scene()
    scene.say()
    #expect(scene.propose("Run the tests.").contains { if case .enterInLedger = $0 { true } else { false } })
    scene.endTurn()
    let actions = scene.give(
      .instructionProposed(call: CallID(connection: scene.connection, id: "again", tool: "converse"), text: again))
    #expect(actions.contains(.show(notice: .duplicateIgnored(text: again))))
  }

  /// What waited for a connection is sent at once; the server answers the first of it, and falls silent.
  @Test(arguments: [true, false], [true, false])
  func whatWasSaidBehindTheLastAnswerIsSentAgain(endsTurn: Bool, hearsNext: Bool) {
    var scene = Scene()
    scene.cut()
    scene.say()
    let second = scene.say()
    scene.comeBack()
    scene.propose("open the first file")
    if endsTurn { scene.endTurn() }
    if hearsNext { scene.give(.voiceStarted(detector: .model)) }
    let silent = scene.connection
    scene.give(.microphoneEnded)
    scene.hear(4, milliseconds: 10_500)
    // An answer that is over, and no sign of anything else: both were answered together.
    #expect(scene.talk.controller.armedTimers.contains(.unansweredUtterance) == (!endsTurn || hearsNext))
    guard !endsTurn || hearsNext else { return }
    let actions = scene.give(.timerFired(timer: .unansweredUtterance), after: 5_000)
    #expect(actions.contains(.closeLink(connection: silent)))
    scene.comeBack()
    #expect(scene.connection != silent && scene.hasSent(second))
    #expect(scene.talk.rules.violations.isEmpty)
  }

  @Test func theSilenceBehindTheLastAnswerEndsTheSession() {
    var scene = Scene()
    scene.cut()
    scene.say()
    scene.say()
    scene.comeBack()
    scene.endTurn()
    scene.give(.microphoneEnded)
    scene.hear(4, milliseconds: 9_000)
    #expect(!scene.talk.controller.armedTimers.contains(.endOfInput))
    scene.hear(4, milliseconds: 1_500)
    #expect(scene.talk.controller.armedTimers.contains(.endOfInput))
  }

  @Test func whoLeavesWithoutAConnectionIsToldThatHeWasNotAnswered() throws {
    var scene = Scene()
    scene.cut()
    scene.say()
    let actions = scene.give(.commandGiven(command: .quit))
    #expect(
      actions.contains { if case .show(.warning(let text)) = $0 { text.contains("was not answered") } else { false } })
  }

  /// A model whose own voice breaks off in the middle keeps neither the floor nor the session.
  @Test func aModelVoiceThatBreaksOffIsOver() {
    var talk = Talk()
    talk.give(.modelAudio(connection: talk.connection, audio: SpeechAudio(samples: [1, 2, 3])))
    guard let id = talk.controller.speech.model.speech else {
      Issue.record("the model does not speak")
      return
    }
    let stall = VoiceEvent.timerFired(timer: .speechStall(speech: id))
    #expect(!talk.give(stall, after: 10_000).contains(.finishPlaying(speech: id)))
    #expect(talk.controller.speech.isModelSpeaking)
    #expect(talk.give(stall, after: 10_000).contains(.finishPlaying(speech: id)))
    #expect(!talk.controller.speech.isModelSpeaking)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aModelVoiceWithoutEndIsCut() {
    var talk = Talk()
    let second = SpeechAudio(samples: [Int16](repeating: 1, count: PCM.speakerRate))
    for _ in 0..<30 { talk.give(.modelAudio(connection: talk.connection, audio: second), after: 1) }
    #expect(talk.controller.speech.isModelSpeaking)
    let actions = talk.give(.modelAudio(connection: talk.connection, audio: second))
    #expect(actions.contains { if case .finishPlaying = $0 { true } else { false } })
    #expect(!talk.controller.speech.isModelSpeaking)
    #expect(talk.give(.modelAudio(connection: talk.connection, audio: second)).isEmpty)
    talk.give(.modelTurnEnded(connection: talk.connection))
    for piece in talk.controller.speech.playing { talk.give(.playbackEnded(speech: piece.id)) }
    talk.give(.modelAudio(connection: talk.connection, audio: second))
    #expect(talk.controller.speech.isModelSpeaking)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func soundThatIsMissingIsTold() {
    var scene = Scene()
    scene.hear(4, milliseconds: 200)
    let isTold = [280, 300].map { scene.hear(afterLosing: $0).contains { if case .show = $0 { true } else { false } } }
    #expect(isTold == [false, true])
    let told = VoiceAction.show(
      notice: .warning(text: "2500 ms of sound were lost: the machine was too busy, or the microphone away."))
    #expect(scene.hear(afterLosing: 2_500).contains(told))
  }

  @Test func aRecordingThatComesLateHasLostNothing() {
    var scene = Scene(InteractionSettings { $0.microphoneWaits = true })
    scene.hear(4, milliseconds: 200)
    #expect(!scene.hear(afterLosing: 2_500).contains { if case .show = $0 { true } else { false } })
  }

  @Test func aMicrophoneThatFailedDoesNotEndWell() {
    var talk = Talk()
    talk.give(.microphoneFailed(reason: "The pipe broke."))
    talk.give(.microphoneEnded)
    talk.give(.timerFired(timer: .endOfInput), after: Limits.endOfInputMilliseconds)
    #expect(talk.controller.outcome == .failed(reason: "The pipe broke."))
  }
}
