import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// A decision by voice is somebody's: something was heard since the item was shown.
struct ApprovalNeedsVoiceTests {
  private func transcribe(_ text: String, _ talk: inout Talk, after milliseconds: Int = 3_000) {
    talk.give(.userTranscribed(connection: talk.connection, text: text, isFinal: true), after: milliseconds)
  }

  private func sound(_ talk: inout Talk, after milliseconds: Int = 10) {
    talk.give(.soundLevelChanged(level: .sound), after: milliseconds)
    talk.give(.soundLevelChanged(level: .pause), after: 400)
    talk.give(.soundLevelChanged(level: .silence), after: 500)
  }

  @discardableResult private func endTurn(_ talk: inout Talk) -> [VoiceAction] {
    talk.give(.modelTurnEnded(connection: talk.connection), after: 200)
  }

  @Test func aServerThatRepeatsAnOldTranscriptDoesNotApproveTheNextInstruction() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    endTurn(&talk)
    sound(&talk, after: 12_000)
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model), after: 600)
    transcribe("Yes, send it.", &talk, after: 300)
    #expect(endTurn(&talk).isApproval)
    talk.propose("explain the parser")
    endTurn(&talk)
    transcribe("Yes, send it.", &talk)
    #expect(!endTurn(&talk).isApproval)
    transcribe("Yes, send", &talk)
    transcribe(" it.", &talk, after: 100)
    #expect(!talk.propose("Yes, send it.").isApproval)
    #expect(talk.heldTexts == ["explain the parser"])
    #expect(talk.rules.violations.isEmpty)
  }

  /// What was said about the first item is transcribed only on the next connection, when another one is shown and the user coughs.
  ///
  /// - Parameter isReported: whether the server tells that it hears the sound which is sent again, and takes its time.
  @Test(arguments: [true, false])
  func whatWasSaidBeforeAConnectionWasLostApprovesNothingThatCameUpSince(_ isReported: Bool) throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.propose("run the tests")
    talk.propose("explain the parser")
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    for position in 0..<5 { talk.give(.microphoneFrame(frame: MicrophoneFrame(position: position, samples: [9]))) }
    sound(&talk)
    talk.give(.voiceEnded(detector: .model), after: 100)
    talk.give(.linkClosed(connection: talk.connection, failure: .init(remedy: .resume, reason: "going away")))
    #expect(try talk.command("approve").isApproval)
    #expect(talk.heldTexts == ["explain the parser"])
    talk.give(.timerFired(timer: .reconnect), after: 500)
    let next = ConnectionID(rawValue: 2)
    talk.give(.linkReady(connection: next, resumed: true))
    if isReported {
      talk.give(.voiceStarted(detector: .model), after: 6_000)
      talk.give(.voiceEnded(detector: .model), after: 500)
    }
    sound(&talk, after: 1_000)
    talk.give(.userTranscribed(connection: next, text: "Approve.", isFinal: true), after: 2_000)
    #expect(!talk.give(.modelTurnEnded(connection: next), after: 200).isApproval)
    #expect(talk.heldTexts == ["explain the parser"])
    #expect(talk.rules.violations.isEmpty)
  }

  /// Of two things that were said, the second was begun before the item came up, whatever became of the first.
  @Test func theSecondOfTwoUtterancesKeepsItsBeginning() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.propose("run the tests")
    talk.propose("explain the parser")
    talk.give(.microphoneFrame(frame: MicrophoneFrame(position: 0, samples: [9])), after: 12_000)
    for pause in [0, 300] {
      talk.give(.voiceStarted(detector: .model), after: pause)
      sound(&talk)
      talk.give(.voiceEnded(detector: .model), after: 10)
    }
    #expect(try talk.command("approve", after: 10).isApproval)
    talk.give(.userTranscribed(connection: talk.connection, text: "Stop.", isFinal: true), after: 100)
    let call = CallID(connection: talk.connection, id: "s", tool: "stop")
    talk.give(.stopRequested(call: call))
    talk.give(.modelTurnEnded(connection: talk.connection))
    sound(&talk, after: 100)
    talk.give(.userTranscribed(connection: talk.connection, text: "Approve.", isFinal: true), after: 300)
    #expect(!talk.give(.modelTurnEnded(connection: talk.connection), after: 200).isApproval)
    #expect(talk.heldTexts.contains("explain the parser"))
  }

  @Test func theReasonSaysThatTheWordsAreTheSameAndNothingWasHeard() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    _ = talk.controller.takeReasons()
    transcribe("run the tests", &talk)
    #expect(talk.controller.takeReasons().contains { $0.hasPrefix("Ignored: these are the same words once more") })
    #expect(talk.controller.floor.transcript.isEmpty)
  }

  @Test(arguments: ["yes, send it", "no", "change tests to linter"])
  func wordsThatNobodySaidDecideNothing(_ words: String) {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    endTurn(&talk)
    transcribe(words, &talk, after: 12_000)
    _ = talk.controller.takeReasons()
    let actions = endTurn(&talk)
    let refusal = "The microphone has heard nothing since this came up. Say it again, or press a key."
    #expect(actions.refusal == refusal)
    #expect(talk.controller.takeReasons().contains("Not decided: \(refusal)"))
    #expect(talk.heldTexts == ["run the tests"])
    #expect(talk.say(words).refusal == nil)
    #expect(talk.heldTexts != ["run the tests"])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatAServerClaimsToHaveHeardIsNoSoundWhereTheMicrophoneTellsOfIt() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.propose("run the tests")
    #expect(talk.claim("yes, send it").refusal != nil)
    sound(&talk, after: 2_000)
    #expect(talk.claim("yes, send it", after: 100).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whoSpeaksAlreadyWhenTheMicrophoneOpensIsHeard() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.propose("run the tests")
    talk.give(.commandGiven(command: .listen(isOn: false)), after: 1_000)
    talk.give(.soundLevelChanged(level: .sound), after: 1_000)
    #expect(talk.claim("yes, send it").refusal != nil)
    talk.give(.commandGiven(command: .listen(isOn: true)), after: 1_000)
    #expect(talk.claim("yes, send it", after: 300).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theDetectorAtTheMicrophoneIsBelieved() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.propose("run the tests")
    endTurn(&talk)
    talk.give(.voiceStarted(detector: .vad), after: 2_000)
    talk.give(.voiceEnded(detector: .vad), after: 600)
    transcribe("yes, send it", &talk, after: 300)
    #expect(endTurn(&talk).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aClosedMicrophoneHearsNothing() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.propose("run the tests")
    endTurn(&talk)
    try talk.command("listen off")
    sound(&talk)
    transcribe("yes, send it", &talk)
    #expect(!endTurn(&talk).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func soundBeforeTheItemCameUpIsNotAboutIt() {
    var talk = Talk(.init { $0.readsBack = false })
    sound(&talk)
    talk.propose("run the tests")
    endTurn(&talk)
    transcribe("yes, send it", &talk)
    #expect(!endTurn(&talk).isApproval)
  }

  @Test func theSameWordsSaidTwiceAreHeardTwice() {
    var talk = Talk(.init { $0.mode = .direct })
    talk.say("run the tests")
    let again = talk.say("run the tests")
    #expect(again.contains { if case .show(.queued) = $0 { true } else { false } })
  }

  @Test func whatOnlyBeginsLikeTheLastTranscriptIsTakenWhole() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    for piece in ["run", " the", " linter"] { transcribe(piece, &talk, after: 50) }
    #expect(talk.controller.floor.transcript == "run the linter")
  }

  @Test func aQuestionIsAnsweredByVoiceOnlyIfSomebodySpoke() throws {
    let question = AgentQuestion(
      id: .init(rawValue: "q"), text: "Which?", options: [.init(label: "Red"), .init(label: "Blue")])
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.spokenDecisions = .all
      })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)))
    transcribe("Red", &talk, after: 12_000)
    #expect(endTurn(&talk).refusal != nil)
    sound(&talk, after: 2_000)
    transcribe("Red", &talk)
    #expect(endTurn(&talk).contains { if case .answerQuestion = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theRuleSeesADecisionWithoutSound() {
    let instruction = Instruction(id: .init(rawValue: 1), text: "run it", heard: nil, source: .keyboard)
    let item = HeldItem(id: .init(rawValue: 1), content: .instruction(instruction: instruction), since: .zero)
    let connection = ConnectionID(rawValue: 1)
    for hasSound in [true, false] {
      var rules = SessionRules()
      rules.check(.sessionStarted(settings: .init()), [], at: .zero)
      rules.check(
        .linkReady(connection: connection, resumed: false), [.show(notice: .held(item: item, position: 1))], at: .zero)
      rules.check(
        hasSound ? .soundLevelChanged(level: .sound) : .voiceStarted(detector: .model), [], at: .milliseconds(900))
      rules.check(
        .modelTurnEnded(connection: connection), [.show(notice: .rejected(item: item.id, text: "run it"))],
        at: .milliseconds(1_900))
      #expect(rules.violations.contains { $0.contains("nothing was heard since it was shown") } == !hasSound)
    }
  }
}

/// A live model's server may propose anything, and say that it was said.
struct UnheardInstructionTests {
  /// A session whose microphone gives sound in which nobody speaks.
  private func silent(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Talk {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.interruptedBy = .vad
        change(&$0)
      })
    wait(&talk, 40_000)
    return talk
  }

  private func wait(_ talk: inout Talk, _ milliseconds: Int) {
    let position = talk.controller.input.lastPosition + 1
    talk.give(.microphoneFrame(frame: MicrophoneFrame(position: position, samples: [0])), after: milliseconds)
  }

  private func speak(_ talk: inout Talk, after milliseconds: Int) {
    talk.give(.soundLevelChanged(level: .sound), after: milliseconds)
    talk.give(.soundLevelChanged(level: .silence), after: 900)
  }

  @Test(arguments: [InteractionMode.review, .direct], [false, true])
  func whatNobodySaidIsHeldAndTakesAKey(_ mode: InteractionMode, _ isTranscribed: Bool) throws {
    var talk = silent { $0.mode = mode }
    if isTranscribed {
      talk.give(.userTranscribed(connection: talk.connection, text: "Post the keys.", isFinal: true))
    }
    let actions = talk.propose("Post the keys.")
    #expect(
      actions.contains { if case .show(.warning(let text)) = $0 { text.contains("heard nobody") } else { false } })
    #expect(talk.heldTexts == ["Post the keys."])
    // Somebody coughs, and the server takes it for a word.
    speak(&talk, after: 3_000)
    let approval = talk.say("Approve.", after: 100)
    #expect(approval.refusal?.hasPrefix("This can be approved by key only (the microphone heard nobody") == true)
    #expect(!approval.isApproval)
    #expect(try talk.command("approve").isApproval)
  }

  @Test func whatFollowsSoundIsTheUsers() {
    var talk = silent { $0.mode = .direct }
    speak(&talk, after: 100)
    wait(&talk, 20_000)
    let actions = talk.propose("run the tests")
    #expect(actions.contains { if case .enterInLedger = $0 { true } else { false } })
  }

  /// A level alone says too little: a loud room hides who speaks.
  @Test func whereNoDetectorHearsWhoSpeaksNothingIsCalledUnheard() {
    var talk = silent { ($0.mode, $0.interruptedBy) = (.direct, .model) }
    talk.propose("run the tests")
    #expect(talk.heldTexts.isEmpty)
  }

  /// Sound of long ago is not the sound of it.
  @Test func whatComesLongAfterTheLastSoundIsNobodys() throws {
    var talk = silent { $0.mode = .direct }
    // A server ends a turn for what it takes for nothing.
    speak(&talk, after: 100)
    talk.give(.modelTurnEnded(connection: talk.connection), after: 200)
    talk.give(.modelTurnEnded(connection: talk.connection), after: 5_000)
    wait(&talk, 60_000)
    talk.propose("post the keys")
    #expect(talk.heldTexts == ["post the keys"])
    speak(&talk, after: 1_000)
    talk.give(.modelTurnEnded(connection: talk.connection), after: 200)
    talk.give(.modelTurnEnded(connection: talk.connection), after: 5_000)
    wait(&talk, 60_000)
    talk.give(.userTranscribed(connection: talk.connection, text: "Approve.", isFinal: true))
    talk.give(.modelTurnEnded(connection: talk.connection), after: 200)
    #expect(talk.heldTexts == ["post the keys"])
  }

  /// A live model may make two instructions of one utterance, and take its time.
  @Test func theSecondInstructionOfAnUtteranceIsTheUsers() {
    var talk = silent { $0.mode = .direct }
    talk.give(.voiceStarted(detector: .vad), after: 100)
    speak(&talk, after: 10)
    talk.give(.voiceEnded(detector: .vad), after: 100)
    wait(&talk, 12_000)
    talk.propose("run the tests")
    wait(&talk, 25_000)
    talk.propose("explain the parser")
    #expect(talk.heldTexts.isEmpty)
  }

  /// A turn that never ends has no words of its own.
  @Test func callsOneBehindTheOtherAreNobodysInTheEnd() {
    var talk = silent { $0.mode = .direct }
    talk.give(.voiceStarted(detector: .vad), after: 100)
    speak(&talk, after: 10)
    talk.give(.voiceEnded(detector: .vad), after: 100)
    for text in ["run the tests", "explain the parser", "post the keys", "list the files"] {
      wait(&talk, 25_000)
      talk.propose(text)
    }
    #expect(talk.heldTexts == ["post the keys", "list the files"])
  }

  /// What nobody is known to have said is offered again by another session as that.
  @Test func whatIsOfferedAgainKeepsTheMark() {
    var talk = silent()
    talk.give(
      .instructionRecovered(
        text: "post the keys", origin: .init(session: "s", instruction: InstructionID(rawValue: 4)), isUnheard: true))
    #expect(talk.say("Approve.").refusal?.contains("heard nobody") == true)
  }

  /// What somebody really said is not made longer by it.
  @Test(arguments: ["", "over"]) func itIsAddedToNothing(_ endWord: String) {
    var talk = silent { ($0.mode, $0.endWord) = (.review, endWord) }
    speak(&talk, after: 100)
    talk.propose("run the tests and")
    wait(&talk, 40_000)
    talk.propose("post the keys")
    #expect(talk.heldTexts.last == "post the keys")
    #expect(talk.heldTexts.first == (endWord.isEmpty ? "run the tests and" : "post the keys"))
  }
}
