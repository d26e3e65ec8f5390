import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

private let question = AgentQuestion(
  id: .init(rawValue: "q"), text: "Which?", options: [.init(label: "Red"), .init(label: "Blue")])

private func isDecision(_ actions: [VoiceAction]) -> Bool {
  actions.contains { action in
    switch action {
    case .show(.approved), .show(.rejected), .show(.amended), .answerPermission, .answerQuestion, .enterInLedger: true
    default: false
    }
  }
}

struct ShownBeforeDecidedTests {
  @Test func aKeyDecidesNothingThatCameIntoAnEmptyQueueJustNow() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    let early = try talk.command("approve", after: 123)
    #expect(!early.isApproval)
    #expect(early.refusal == "This has only just appeared. Read it, then decide again.")
    #expect(try !talk.command("approve", after: 576).isApproval)
    #expect(try talk.command("approve", after: 1).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: ["approve", "reject", "reject too much", "steer", "amend something else"])
  func noLineDecidesAnInstructionThatWasNotShown(_ line: String) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    talk.propose("run the tests")
    #expect(try !isDecision(talk.command(line, after: 699)))
    #expect(talk.heldTexts == ["run the tests"])
    #expect(try isDecision(talk.command(line, after: 1)))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: ["choose 1", "answer green", "reject"])
  func noLineAnswersAQuestionThatWasNotShown(_ line: String) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)))
    #expect(try !isDecision(talk.command(line, after: 300)))
    #expect(try isDecision(talk.command(line, after: 700)))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theItemBehindTheDecidedOneIsShownAsTheCurrentOneAndLookedAtFirst() throws {
    var talk = Talk(.init { $0.readsBack = false })
    for text in ["one", "two"] { try talk.command("say \(text)") }
    let approved = try talk.command("approve")
    #expect(
      approved.contains {
        if case .show(.selected(let item, 1, 1, _)) = $0 { item.content.title == "two" } else { false }
      })
    #expect(try !talk.command("approve", after: 20).isApproval)
    #expect(try talk.command("approve", after: 700).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whoGoesToAnItemLooksAtItBeforeHeDecides() throws {
    var talk = Talk(.init { $0.readsBack = false })
    for text in ["one", "two"] { try talk.command("say \(text)") }
    try talk.command("next")
    #expect(try !talk.command("approve", after: 200).isApproval)
    #expect(talk.heldTexts == ["one", "two"])
  }

  @Test func whatWasAddedByVoiceIsShownAnewAndWhatTheUserTypedIsNot() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the unit tests")
    talk.say("change unit to integration")
    #expect(try !talk.command("approve", after: 300).isApproval)
    try talk.command("extend")
    talk.say("and show the log")
    #expect(try !talk.command("approve", after: 300).isApproval)
    try talk.command("amend run them all")
    #expect(try talk.command("approve", after: 10).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whoBeginsToSpeakBeforeHeCanHaveReadItApprovesNothing() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    let early = talk.say("yes, send it", after: 300)
    #expect(early.refusal == "This has only just appeared. Read it, then decide again.")
    #expect(talk.heldTexts == ["run the tests"])
    #expect(talk.say("yes, send it").isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatCameWhileAnEditorHadTheTerminalIsShownOnlyAfterwards() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    talk.give(.screenLent)
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    #expect(try !talk.command("approve", after: 60_000).isApproval)
    talk.give(.screenReturned)
    #expect(try !talk.command("approve", after: 300).isApproval)
    #expect(try talk.command("approve", after: 400).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  /// Nobody says before that the process will be stopped, and what the shell writes meanwhile may have hidden it.
  @Test func whatIsHeldIsShownAgainAfterAStop() throws {
    var talk = Talk(.init { $0.readsBack = false })
    #expect(talk.give(.screenReturned).isEmpty)
    talk.say("run the tests")
    let item = try #require(talk.controller.held.current)
    let actions = talk.give(.screenReturned, after: 60_000)
    #expect(actions == [.show(notice: .selected(item: item, position: 1, count: 1, waited: 60))])
    #expect(try !talk.command("approve", after: 300).isApproval)
    #expect(try talk.command("approve", after: 400).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatIsTypedAboutAnItemNeverLandsOnAnother() throws {
    for typed in [UserCommand.answer(text: "green"), .reject(reason: "wrong"), .amend(text: "green")] {
      var talk = Talk(.init { $0.readsBack = false })
      try talk.work()
      talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)))
      try talk.command("say count the tests")
      talk.give(.commandGiven(command: .beginTyping), after: 1_000)
      talk.give(.agentReported(run: talk.run, event: .questionWithdrawn(id: question.id)))
      let actions = talk.give(.commandGiven(command: typed), after: 5_000)
      #expect(!isDecision(actions), "\(typed)")
      #expect(actions.refusal?.contains("about another item") == true)
      #expect(talk.heldTexts == ["count the tests"])
      // The next key is about what is there.
      #expect(isDecision(talk.give(.commandGiven(command: .reject(reason: nil)), after: 1_000)))
      #expect(talk.rules.violations.isEmpty)
    }
  }

  /// While somebody types about an item, words that are heard decide nothing about it, be they his or of somebody in the room.
  @Test(arguments: [UserCommand.beginEdit, .beginTyping], ["yes, send it", "no", "change tests to linter"])
  func whatIsBeingTypedAboutIsNotDecidedByVoice(_ begin: UserCommand, _ words: String) {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    talk.give(.commandGiven(command: begin), after: 1_000)
    let actions = talk.say(words, after: 3_000)
    #expect(actions.refusal == InteractionController.beingTyped && !isDecision(actions), "\(actions)")
    #expect(talk.heldTexts == ["run the tests"])
    // It was given up.
    talk.give(.commandGiven(command: .endTyping), after: 1_000)
    talk.say(words, after: 3_000)
    #expect(talk.heldTexts == (words.hasPrefix("change") ? ["run the linter"] : []))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aQuickEditorOfTheUsersOwnIsNotTooQuick() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    talk.give(.commandGiven(command: .beginEdit))
    talk.give(.commandGiven(command: .amend(text: "run all the tests")))
    #expect(talk.heldTexts == ["run all the tests"])
  }

  /// A key acts a while after it was pressed: what counts is what was on the screen then.
  @Test(arguments: [(1_000, false), (1_060, true)]) func aKeyDecidesAboutWhatWasShownWhenItWasPressed(
    _ milliseconds: Int, _ decides: Bool
  ) throws {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.keyMilliseconds = 350
      })
    talk.say("run the tests")
    #expect(try talk.command("approve", after: milliseconds).isApproval == decides)
    #expect(talk.rules.violations.isEmpty)
  }

  /// Enter, which ends what is typed, acts at once: only a key alone was pressed before.
  @Test(arguments: [("answer green", true), ("reject too much", true), ("choose 1", false), ("reject", false)])
  func whatIsTypedDecidesAboutWhatWasShownWhenItWasEnded(_ line: String, _ isTyped: Bool) throws {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.keyMilliseconds = 350
      })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)))
    #expect(try !isDecision(talk.command(line, after: 650)))
    #expect(try isDecision(talk.command(line, after: 100)) == isTyped)
    if !isTyped { #expect(try isDecision(talk.command(line, after: 300))) }
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func scriptsMaySetTheTimeToNothing() throws {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.shownMilliseconds = 0
      })
    talk.propose("run the tests")
    #expect(try talk.command("approve", after: 0).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  /// What decides an item, and the item.
  private static let decided = [
    ("approve", AgentEvent.permissionRequested(request: Talk.permission)),
    ("red", .questionAsked(question: question)),
  ]

  /// Words that were begun before it came up are about something else, however soon it may be decided.
  @Test(arguments: decided)
  func whoSpeaksAlreadyWhenAnItemComesUpDecidesNothing(_ words: String, _ item: AgentEvent) throws {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.spokenDecisions = .all
        $0.shownMilliseconds = 0
      })
    try talk.work()
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.userTranscribed(connection: talk.connection, text: words, isFinal: false), after: 300)
    talk.give(.agentReported(run: talk.run, event: item), after: 100)
    talk.give(.voiceEnded(detector: .model), after: 100)
    // He goes on, so that he is heard behind it as well.
    talk.give(.voiceStarted(detector: .model), after: 200)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    talk.give(.voiceEnded(detector: .model), after: 500)
    talk.give(.userTranscribed(connection: talk.connection, text: ".", isFinal: true), after: 300)
    #expect(talk.propose(words).refusal == "Another item came up while you spoke; decide again.")
    #expect(talk.controller.held.count == 1)
    #expect(talk.rules.violations.isEmpty)
  }

  /// What was said is known only when something else is heard already.
  @Test(arguments: decided)
  func wordsThatComeLateBelongToWhatWasSaidFirst(_ words: String, _ item: AgentEvent) throws {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.spokenDecisions = .all
        $0.shownMilliseconds = 0
      })
    try talk.work()
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.voiceEnded(detector: .model), after: 500)
    talk.give(.agentReported(run: talk.run, event: item), after: 300)
    // He coughs.
    talk.give(.voiceStarted(detector: .model), after: 200)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    talk.give(.voiceEnded(detector: .model), after: 200)
    talk.give(.userTranscribed(connection: talk.connection, text: words, isFinal: true), after: 300)
    #expect(talk.propose(words).refusal == "Another item came up while you spoke; decide again.")
    #expect(talk.controller.held.count == 1)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theRuleSeesADecisionThatCameTooSoon() {
    let instruction = Instruction(id: .init(rawValue: 1), text: "run it", heard: nil, source: .keyboard)
    let item = HeldItem(id: .init(rawValue: 1), content: .instruction(instruction: instruction), since: .zero)
    let approval = [VoiceAction.show(notice: .approved(item: item.id, text: "run it"))]
    for (time, isBroken) in [(SessionTime.milliseconds(699), true), (.milliseconds(700), false)] {
      var rules = SessionRules()
      rules.check(.sessionStarted(settings: .init()), [.show(notice: .held(item: item, position: 1))], at: .zero)
      rules.check(.commandGiven(command: .approve), approval, at: time)
      #expect(rules.violations.contains { $0.contains("before it was shown for 700 ms") } == isBroken)
    }
  }
}

@Test(arguments: UserCommand.every.filter { $0.needsHeldItem })
func whatNeedsAHeldItemIsRefusedWhereThereIsNone(_ command: UserCommand) {
  var talk = Talk()
  let actions = talk.give(.commandGiven(command: command))
  #expect(actions.contains { if case .show(.cannot) = $0 { true } else { false } }, "\(actions)")
}

struct QuittingTests {
  private func hasEnded(_ actions: [VoiceAction]) -> Bool { actions.last == .end(outcome: .completed) }

  private func unfinished(_ actions: [VoiceAction]) -> String? {
    actions.compactMap { if case .show(.quitAsked(let text)) = $0 { text } else { nil } }.first
  }

  @Test func whereNothingIsLostTheKeyEndsTheSessionAtOnce() {
    var talk = Talk()
    #expect(hasEnded(talk.give(.commandGiven(command: .leave))))
  }

  @Test func runningWorkIsEndedByASecondKeySoonAfterTheFirst() throws {
    var talk = Talk()
    try talk.work()
    #expect(unfinished(talk.give(.commandGiven(command: .leave))) == "The agent is at work.")
    #expect(unfinished(talk.give(.commandGiven(command: .leave), after: 2_001)) != nil)
    // Another key in between is another thought.
    try talk.command("again", after: 100)
    #expect(unfinished(talk.give(.commandGiven(command: .leave), after: 100)) != nil)
    #expect(hasEnded(talk.give(.commandGiven(command: .leave), after: 2_000)))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatIsHeldQueuedOrUnansweredIsNamed() throws {
    var held = Talk(.init { $0.readsBack = false })
    held.propose("run the tests")
    #expect(unfinished(held.give(.commandGiven(command: .leave))) == "Something is held.")

    var queued = Talk(.init { $0.mode = .direct })
    try queued.work()
    try queued.command("say and push")
    #expect(
      unfinished(queued.give(.commandGiven(command: .leave)))
        == "The agent is at work, and an approved instruction is still waiting.")

    var speaking = Talk()
    speaking.give(.voiceStarted(detector: .model))
    #expect(unfinished(speaking.give(.commandGiven(command: .leave))) == "What you said has not been answered yet.")
  }

  /// A line ends it without a question, and so what was said is told.
  @Test func whoQuitsWhileHeSpeaksIsToldWhatWasNotAnswered() throws {
    for speaks in [true, false] {
      var talk = Talk()
      if speaks { talk.give(.voiceStarted(detector: .model)) }
      let told = try talk.command("quit").contains {
        if case .show(.warning(let text)) = $0 { text.hasPrefix("What you said last was not answered") } else { false }
      }
      #expect(told == speaks)
    }
  }

  @Test func aLineAndASignalEndItAtOnce() throws {
    var line = Talk()
    try line.work()
    #expect(try hasEnded(line.command("quit")))
    var signal = Talk()
    try signal.work()
    #expect(
      signal.give(.terminationRequested(signal: "SIGTERM")).last == .end(outcome: .terminated(signal: "SIGTERM")))
  }
}
