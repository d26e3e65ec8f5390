import Testing
import VoiceCore
import VoiceLanguage
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

struct SpokenApprovalTests {
  @Test func wordsThatMeanNothingElseApprove() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    #expect(talk.heldTexts == ["run the tests"])
    #expect(talk.say("Yes, send it.").isApproval)
    #expect(talk.controller.held.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(
    arguments: UndecidedSentences.all.filter {
      SpokenDecision(utterance: $0) == nil && !$0.trimmingWhitespace().isEmpty
    })
  func anythingElseIsHeldAsAnInstruction(_ words: String) {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    #expect(!talk.say(words).isApproval)
    #expect(talk.controller.held.first?.content.title == "run the tests")
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatIsHeardWhileTheProgramSpeaksDoesNotApprove() {
    var talk = Talk()
    talk.say("run the tests")
    talk.playNext()
    let actions = talk.say("approve", after: 100)
    #expect(!actions.isApproval)
    #expect(actions.refusal?.contains("while the program spoke") == true)
    #expect(talk.heldTexts == ["run the tests"])
  }

  @Test func whatTheProgramJustSaidDoesNotApprove() {
    var talk = Talk()
    talk.say("approve the plan of yesterday")
    talk.playNext()
    if let id = talk.controller.speech.playing.first?.id { talk.give(.playbackEnded(speech: id), after: 2_000) }
    let early = talk.say("approve", after: 2_000)
    #expect(!early.isApproval)
    #expect(early.refusal?.contains("just said that") == true)
    #expect(talk.say("approve", after: 11_000).isApproval)
  }

  @Test func aRejectionMayCutTheReadBack() {
    var talk = Talk()
    talk.say("run the tests")
    talk.playNext()
    talk.say("no", after: 100)
    #expect(talk.controller.held.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theModelsWordForItIsNotTheUsers() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.userTranscribed(connection: talk.connection, text: "sounds fishy to me", isFinal: true))
    #expect(!talk.propose("approve").isApproval)
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    #expect(!talk.propose("Approve.").isApproval)
    talk.give(.voiceEnded(detector: .model))
    #expect(talk.heldTexts == ["run the tests"])
    // The transcript of that comes late, and decides.
    talk.give(.userTranscribed(connection: talk.connection, text: "approve", isFinal: true))
    #expect(talk.give(.modelTurnEnded(connection: talk.connection)).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func dangerousActsAreApprovedByKeyOnly() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("delete the old branch")
    let spoken = talk.say("approve")
    #expect(!spoken.isApproval)
    #expect(spoken.refusal?.contains("key only (delet*)") == true)
    #expect(try talk.command("approve").isApproval)
  }

  /// What a repair or the live model made of it, it was said: a project cannot rename such an act.
  @Test(arguments: [
    ("git push origin please", "git push origin please"), ("delete the old branch", "dilute the old branch"),
  ])
  func whatWasSaidTakesAKeyWhateverItIsWrittenAs(heard: String, proposed: String) {
    var talk = Talk(.init { $0.readsBack = false })
    talk.give(.wordsLearned(words: ProjectWords(names: ["GitPushOrigin"])))
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.voiceEnded(detector: .model), after: 800)
    talk.give(.userTranscribed(connection: talk.connection, text: heard, isFinal: true), after: 300)
    talk.propose(proposed)
    #expect(talk.say("approve").refusal?.contains("key only") == true)
    #expect(talk.heldTexts.count == 1)
  }

  @Test func whatTheAgentAsksIsDecidedByKeyUnlessTheUserWantsOtherwise() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    talk.give(.commandGiven(command: .quiet))
    #expect(!talk.say("approve").isApproval)
    #expect(try talk.command("approve").isApproval)

    var other = Talk(
      .init {
        $0.readsBack = false
        $0.spokenDecisions = .all
      })
    try other.work()
    other.give(.agentReported(run: other.run, event: .permissionRequested(request: Talk.permission)))
    other.give(.commandGiven(command: .quiet))
    #expect(
      other.say("approve").refusal == "This can be approved by key only (“make” is not known to be harmless).")
    try other.command("reject")
    other.give(.agentReported(run: other.run, event: .permissionRequested(request: ActTable.run("git status"))))
    other.give(.commandGiven(command: .quiet))
    #expect(other.say("yes").isApproval)
    #expect(talk.rules.violations + other.rules.violations == [])
  }

  @Test func anApprovalIsAboutWhatWasHeldWhenTheUserBeganToSpeak() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the tests")
    talk.say("show the diff")
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    try talk.command("next")
    talk.give(.userTranscribed(connection: talk.connection, text: "approve", isFinal: true))
    #expect(!talk.propose("approve").isApproval)
    #expect(talk.heldTexts == ["run the tests", "show the diff"])
  }

  @Test func aHeldInstructionIsAmendedByVoice() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the unit tests")
    talk.say("change unit to integration")
    talk.say("add and show the log")
    #expect(talk.heldTexts == ["run the integration tests and show the log"])
    // What is not there cannot be changed: that is an instruction.
    talk.say("change red to blue")
    #expect(talk.heldTexts == ["run the integration tests and show the log", "change red to blue"])
  }

  /// However signs and numbers are written; and what fits nothing is seen before it is sent.
  @Test(arguments: [
    ("wait thirty seconds", "Change 30 to 40.", "wait 40 seconds"),
    ("open hello.py", "change hello dot py to it", "open it"),
    ("run the tests", "change red to blue", nil), ("run the tests", "Replace 2.1 with 2.2.", nil),
  ])
  func aCorrectionIsNeverSentUnseen(_ held: String, _ said: String, _ meant: String?) throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say(held)
    try talk.command("mode direct")
    let actions = talk.say(said)
    #expect(!actions.contains { if case .enterInLedger = $0 { true } else { false } })
    #expect(talk.heldTexts == (meant.map { [$0] } ?? [held, said]))
    let isTold = actions.contains {
      if case .show(.warning(let text)) = $0 { text.contains("fits nothing") } else { false }
    }
    #expect(isTold == (meant == nil))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whereNothingIsHeldACorrectionIsAnInstruction() throws {
    var talk = Talk(.init { $0.mode = .direct })
    #expect(talk.say("change red to blue").contains { if case .enterInLedger = $0 { true } else { false } })
  }

  /// The live model writes numbers in its own way, and may call late.
  @Test func theSameCorrectionIsMadeOnce() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("wait thirty seconds")
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    talk.give(.soundLevelChanged(level: .silence), after: 500)
    talk.give(.voiceEnded(detector: .model), after: 300)
    talk.give(.userTranscribed(connection: talk.connection, text: "Change thirty to forty.", isFinal: true), after: 300)
    talk.propose("Change 30 to 40.")
    #expect(talk.heldTexts == ["wait forty seconds"])
  }

  /// A name may not hide what takes a key.
  @Test func whatTakesAKeyIsWrittenAsItWasSaid() throws {
    var talk = Talk(.init { $0.readsBack = false })
    talk.give(.wordsLearned(words: ProjectWords(names: ["UndoTheMigration"])))
    talk.say("show the log")
    talk.say("change show the log to undo the migration")
    #expect(talk.heldTexts == ["undo the migration"])
    #expect(!talk.say("approve").isApproval)
  }

  @Test func withoutSpokenDecisionsWordsAreInstructions() {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.spokenDecisions = .none
      })
    talk.say("run the tests")
    #expect(!talk.say("approve").isApproval)
    #expect(talk.heldTexts == ["run the tests", "approve"])
  }

  @Test func anOptionIsChosenByItsNumberOrItsWords() throws {
    for words in ["two", "option two", "Blue."] {
      var talk = Talk(
        .init {
          $0.readsBack = false
          $0.spokenDecisions = .all
        })
      try talk.work()
      let question = AgentQuestion(
        id: .init(rawValue: "q"), text: "Which?", options: [.init(label: "Red"), .init(label: "Blue")])
      talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)))
      talk.give(.commandGiven(command: .quiet))
      #expect(
        talk.say(words).contains(
          .answerQuestion(run: talk.run, question: question.id, answer: .options(indices: [1]))), "\(words)")
      #expect(talk.rules.violations.isEmpty)
    }
  }
}

struct HeldQueueTests {
  @Test func decisionsAreAboutTheCurrentItem() throws {
    var talk = Talk(.init { $0.readsBack = false })
    for text in ["one", "two", "three"] { try talk.command("say \(text)") }
    try talk.command("next")
    try talk.command("reject")
    #expect(talk.heldTexts == ["one", "three"])
    #expect(talk.controller.held.current?.content.title == "three")
    try talk.command("previous")
    #expect(try talk.command("approve").contains(.show(notice: .approved(item: HeldItemID(rawValue: 1), text: "one"))))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aKeyOnItsWayWasMeantForTheItemBefore() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    try talk.command("say delete everything")
    talk.give(.agentReported(run: talk.run, event: .permissionWithdrawn(id: Talk.permission.id)))
    #expect(try !talk.command("approve", after: 100).isApproval)
    #expect(talk.heldTexts == ["delete everything"])
    #expect(try talk.command("approve", after: 600).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func timeDeniesAndNeverApproves() throws {
    var talk = Talk(.init { $0.answerLimitMilliseconds = 60_000 })
    try talk.work()
    let asked = talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    let item = try #require(talk.controller.held.first?.id)
    #expect(asked.contains(.startTimer(timer: .answerWarning(item: item), milliseconds: 45_000)))
    let warned = talk.give(.timerFired(timer: .answerWarning(item: item)), after: 45_000)
    #expect(warned.contains { if case .show(.warning(let text)) = $0 { text.contains("15 seconds") } else { false } })
    let lapsed = talk.give(.timerFired(timer: .answerLimit(item: item)), after: 15_000)
    #expect(lapsed.contains(.answerPermission(run: talk.run, permission: Talk.permission.id, choice: .rejectOnce)))
    #expect(lapsed.contains { if case .show(.lapsed) = $0 { true } else { false } })
    #expect(talk.controller.held.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anAnsweredRequestArmsNoTimerAnyMore() throws {
    var talk = Talk(.init { $0.answerLimitMilliseconds = 60_000 })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    try talk.command("approve")
    #expect(!talk.controller.armedTimers.contains { if case .answerLimit = $0 { true } else { false } })
  }

  @Test func aHeldItemIsExplained() throws {
    var talk = Talk()
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    let explained = try talk.command("explain", after: 3_000)
    #expect(
      explained.contains {
        if case .show(.explained(_, let text)) = $0 {
          text == "agent asks: Run make. Command: make. It has waited for 3 seconds."
        } else {
          false
        }
      }, "\(explained)")
  }

  @Test func aMegabyteIsNoInstruction() throws {
    var talk = Talk()
    let text = String(repeating: "run the tests ", count: 75_000)
    #expect(try talk.command("say \(text)").refusal?.contains("too long") == true)
    let proposed = talk.propose(text)
    #expect(proposed.contains { if case .show(.error(let text)) = $0 { text.contains("too long") } else { false } })
    #expect(talk.controller.held.isEmpty)
  }

  @Test func theLastVersionIsHeldAndTheWordsAreKept() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("run the unit tests, no, I mean the integration tests")
    guard case .instruction(let instruction)? = talk.controller.held.first?.content else {
      Issue.record("nothing is held")
      return
    }
    #expect(instruction.text == "run the integration tests")
    #expect(instruction.heard == "run the unit tests, no, I mean the integration tests")
  }

  /// An agent that ignores a halt would hold a session for ever that nobody can halt again.
  @Test func aHaltThatNobodyCanRepeatEndsWithTheInput() throws {
    for isOver in [false, true] {
      var talk = Talk()
      try talk.work()
      try talk.command("halt")
      if isOver { talk.give(.commandsEnded) }
      talk.give(.microphoneEnded)
      talk.give(.timerFired(timer: .haltConfirmation(run: talk.run)), after: Limits.haltConfirmationMilliseconds)
      if let piece = talk.controller.speech.requested { talk.give(.speechEnded(speech: piece.id)) }
      #expect(talk.controller.armedTimers.contains(.endOfInput) == isOver)
    }
  }
}
