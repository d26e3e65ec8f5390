import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting

/// A session with its promises watched, and a clock that is moved by hand.
private struct Talk {
  var controller = InteractionController()
  var rules = SessionRules()
  private(set) var time = SessionTime.zero
  private var calls = 0
  let connection = ConnectionID(rawValue: 1)
  let run = RunID(rawValue: 1)

  init(_ settings: InteractionSettings = .init()) {
    give(.sessionStarted(settings: settings))
    give(.linkReady(connection: connection, resumed: false))
    give(.agentReady(agent: AgentDescription(name: "agent", capabilities: [.ask, .cancel, .steer])))
  }

  @discardableResult mutating func give(_ event: VoiceEvent, after milliseconds: Int = 10) -> [VoiceAction] {
    time = time.advanced(byMilliseconds: milliseconds)
    let actions = controller.handle(event, at: time)
    rules.check(event, actions)
    return actions
  }

  @discardableResult mutating func command(_ line: String, after milliseconds: Int = 10) throws -> [VoiceAction] {
    give(.commandGiven(command: try #require(UserCommand(line: line))), after: milliseconds)
  }

  @discardableResult mutating func propose(_ text: String) -> [VoiceAction] {
    calls += 1
    return give(
      .instructionProposed(call: CallID(connection: connection, id: "c\(calls)", tool: "converse"), text: text))
  }

  /// The user says something into silence, and the live model makes it an instruction word for word.
  @discardableResult mutating func say(_ text: String, after milliseconds: Int = 12_000) -> [VoiceAction] {
    give(.voiceStarted(detector: .model), after: milliseconds)
    give(.voiceEnded(detector: .model), after: 800)
    give(.userTranscribed(connection: connection, text: text, isFinal: true), after: 300)
    return propose(text)
  }

  /// Let the agent work on something, started from the keyboard.
  mutating func work() throws {
    let mode = controller.settings.mode.rawValue
    try command("mode direct")
    let actions = try command("say build it")
    let id = try #require(actions.compactMap { if case .enterInLedger(_, let i) = $0 { i.id } else { nil } }.first)
    give(.ledgerEntered(instruction: id))
    try command("mode \(mode)")
  }

  /// Let the agent's answer be heard: one sentence of 2 s after the other.
  mutating func answer(_ text: String) {
    give(.agentReported(run: run, event: .text(delta: text + " ")))
    give(.agentReported(run: run, event: .paragraphEnded))
    playNext()
  }

  mutating func playNext() {
    guard let piece = controller.speech.requested else { return }
    give(.speechAudio(speech: piece.id, audio: SpeechAudio(samples: [Int16](repeating: 1, count: 48_000))))
    give(.speechEnded(speech: piece.id))
    give(.playbackStarted(speech: piece.id))
  }

  var heldTexts: [String] { controller.held.map(\.content.title) }
}

extension [VoiceAction] {
  fileprivate var refusal: String? {
    compactMap { if case .show(.cannot(let text)) = $0 { text } else { nil } }.first
  }
  fileprivate var isApproval: Bool {
    contains { action in
      switch action {
      case .show(.approved), .answerPermission(_, _, .allowOnce): true
      default: false
      }
    }
  }
}

private let permission = PermissionRequest(
  id: .init(rawValue: "p"), title: "Run make", detail: "", subject: .init(kind: "execute", command: "make"),
  choices: [.allowOnce, .rejectOnce])

struct SpokenApprovalTests {
  @Test func wordsThatMeanNothingElseApprove() {
    var talk = Talk(.init(readsBack: false))
    talk.say("run the tests")
    #expect(talk.heldTexts == ["run the tests"])
    #expect(talk.say("Yes, send it.").isApproval)
    #expect(talk.controller.held.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(
    arguments: SpokenDecisionTests.undecided.filter {
      SpokenDecision(utterance: $0) == nil && !$0.trimmingWhitespace().isEmpty
    })
  func anythingElseIsHeldAsAnInstruction(_ words: String) {
    var talk = Talk(.init(readsBack: false))
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
    var talk = Talk(.init(readsBack: false))
    talk.say("run the tests")
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.userTranscribed(connection: talk.connection, text: "sounds fishy to me", isFinal: true))
    #expect(!talk.propose("approve").isApproval)
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    #expect(!talk.propose("Approve.").isApproval)
    talk.give(.voiceEnded(detector: .model))
    #expect(talk.heldTexts == ["run the tests"])
    // The transcript of that comes late, and decides.
    talk.give(.userTranscribed(connection: talk.connection, text: "approve", isFinal: true))
    #expect(talk.give(.modelTurnEnded(connection: talk.connection)).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func dangerousActsAreApprovedByKeyOnly() throws {
    var talk = Talk(.init(readsBack: false))
    talk.say("delete the old branch")
    let spoken = talk.say("approve")
    #expect(!spoken.isApproval)
    #expect(spoken.refusal?.contains("key only (delete*)") == true)
    #expect(try talk.command("approve").isApproval)
  }

  @Test func whatTheAgentAsksIsDecidedByKeyUnlessTheUserWantsOtherwise() throws {
    var talk = Talk(.init(readsBack: false))
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: permission)))
    talk.give(.commandGiven(command: .quiet))
    #expect(!talk.say("approve").isApproval)
    #expect(try talk.command("approve").isApproval)

    var other = Talk(.init(readsBack: false, spokenDecisions: .all))
    try other.work()
    other.give(.agentReported(run: other.run, event: .permissionRequested(request: permission)))
    other.give(.commandGiven(command: .quiet))
    #expect(other.say("approve").isApproval)
    #expect(talk.rules.violations + other.rules.violations == [])
  }

  @Test func anApprovalIsAboutWhatWasHeldWhenTheUserBeganToSpeak() throws {
    var talk = Talk(.init(readsBack: false))
    talk.say("run the tests")
    talk.say("show the diff")
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    try talk.command("next")
    talk.give(.userTranscribed(connection: talk.connection, text: "approve", isFinal: true))
    #expect(!talk.propose("approve").isApproval)
    #expect(talk.heldTexts == ["run the tests", "show the diff"])
  }

  @Test func aHeldInstructionIsAmendedByVoice() {
    var talk = Talk(.init(readsBack: false))
    talk.say("run the unit tests")
    talk.say("change unit to integration")
    talk.say("add and show the log")
    #expect(talk.heldTexts == ["run the integration tests and show the log"])
    // What is not there cannot be changed: that is an instruction.
    talk.say("change red to blue")
    #expect(talk.heldTexts == ["run the integration tests and show the log", "change red to blue"])
  }

  @Test func withoutSpokenDecisionsWordsAreInstructions() {
    var talk = Talk(.init(readsBack: false, spokenDecisions: .none))
    talk.say("run the tests")
    #expect(!talk.say("approve").isApproval)
    #expect(talk.heldTexts == ["run the tests", "approve"])
  }

  @Test func anOptionIsChosenByItsNumberOrItsWords() throws {
    for words in ["two", "option two", "Blue."] {
      var talk = Talk(.init(readsBack: false, spokenDecisions: .all))
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
    var talk = Talk(.init(readsBack: false))
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
    var talk = Talk(.init(readsBack: false))
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: permission)))
    try talk.command("say delete everything")
    talk.give(.agentReported(run: talk.run, event: .permissionWithdrawn(id: permission.id)))
    #expect(try !talk.command("approve", after: 100).isApproval)
    #expect(talk.heldTexts == ["delete everything"])
    #expect(try talk.command("approve", after: 600).isApproval)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func timeDeniesAndNeverApproves() throws {
    var talk = Talk(.init(answerLimitMilliseconds: 60_000))
    try talk.work()
    let asked = talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: permission)))
    let item = try #require(talk.controller.held.first?.id)
    #expect(asked.contains(.startTimer(timer: .answerWarning(item: item), milliseconds: 45_000)))
    let warned = talk.give(.timerFired(timer: .answerWarning(item: item)), after: 45_000)
    #expect(warned.contains { if case .show(.warning(let text)) = $0 { text.contains("15 seconds") } else { false } })
    let lapsed = talk.give(.timerFired(timer: .answerLimit(item: item)), after: 15_000)
    #expect(lapsed.contains(.answerPermission(run: talk.run, permission: permission.id, choice: .rejectOnce)))
    #expect(lapsed.contains { if case .show(.lapsed) = $0 { true } else { false } })
    #expect(talk.controller.held.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anAnsweredRequestArmsNoTimerAnyMore() throws {
    var talk = Talk(.init(answerLimitMilliseconds: 60_000))
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: permission)))
    try talk.command("approve")
    #expect(!talk.controller.armedTimers.contains { if case .answerLimit = $0 { true } else { false } })
  }

  @Test func aHeldItemIsExplained() throws {
    var talk = Talk()
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: permission)))
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
    var talk = Talk(.init(readsBack: false))
    talk.say("run the unit tests, no, I mean the integration tests")
    guard case .instruction(let instruction)? = talk.controller.held.first?.content else {
      Issue.record("nothing is held")
      return
    }
    #expect(instruction.text == "run the integration tests")
    #expect(instruction.heard == "run the unit tests, no, I mean the integration tests")
  }
}

struct InterruptionTests {
  /// A session whose agent's answer is being heard.
  private func speaking() throws -> Talk {
    var talk = Talk(.init(mode: .direct))
    try talk.work()
    talk.answer("The first sentence is here. The second one is a longer sentence.")
    return talk
  }

  @Test func aSoundLowersTheVoiceAtOnceAndStillSpeakingStopsIt() throws {
    var talk = try speaking()
    let noticed = talk.give(.voiceStarted(detector: .model))
    #expect(noticed.first == .duckPlayback)
    #expect(noticed.contains(.startTimer(timer: .interruption, milliseconds: 500)))
    let decided = talk.give(.timerFired(timer: .interruption), after: 500)
    #expect(decided.contains(.clearPlayback))
    #expect(decided.contains(.show(notice: .bargedIn)))
    #expect(!decided.contains { if case .cancelRun = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aCoughDoesNot() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    #expect(talk.give(.voiceFaltered(detector: .model), after: 200).isEmpty)
    let decided = talk.give(.timerFired(timer: .interruption), after: 300)
    #expect(decided == [.resumePlayback, .show(notice: .wentOn)])
    #expect(talk.controller.speech.playing.count == 1)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anAcknowledgementDoesNotAndIsNoInstruction() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model), after: 300)
    talk.give(.timerFired(timer: .interruption), after: 200)
    #expect(
      !talk.give(.userTranscribed(connection: talk.connection, text: "Uh-huh.", isFinal: true)).contains(.clearPlayback)
    )
    let proposed = talk.propose("Uh-huh.")
    #expect(proposed.contains { if case .show(.notTaken) = $0 { true } else { false } })
    #expect(talk.controller.run.queue.isEmpty)
    #expect(talk.controller.speech.playing.count == 1)
  }

  @Test func wordsDecideBeforeTheTimeAndAfterIt() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    let early = talk.give(.userTranscribed(connection: talk.connection, text: "stop", isFinal: false), after: 200)
    #expect(early.contains(.clearPlayback))
    #expect(early.contains(.cancelTimer(timer: .interruption)))

    var other = try speaking()
    other.give(.voiceStarted(detector: .model))
    other.give(.voiceFaltered(detector: .model), after: 200)
    other.give(.timerFired(timer: .interruption), after: 300)
    let late = other.give(.userTranscribed(connection: other.connection, text: "wait", isFinal: true), after: 600)
    #expect(late.contains(.clearPlayback))
    #expect(talk.rules.violations + other.rules.violations == [])
  }

  @Test func theProgramsOwnVoiceIsNoInstruction() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceFaltered(detector: .model), after: 200)
    talk.give(.timerFired(timer: .interruption), after: 300)
    let heard = talk.give(
      .userTranscribed(connection: talk.connection, text: "the first sentence is here", isFinal: true))
    #expect(!heard.contains(.clearPlayback))
    let proposed = talk.propose("the first sentence is here")
    #expect(proposed.contains { if case .show(.notTaken) = $0 { true } else { false } })
    #expect(talk.controller.run.queue.isEmpty)
  }

  @Test func theAgentIsToldHowMuchOfItsAnswerWasHeard() throws {
    var talk = try speaking()
    let first = try #require(talk.controller.speech.playing.first?.id)
    talk.give(.playbackEnded(speech: first), after: 2_000)
    talk.playNext()
    let second = try #require(talk.controller.speech.playing.first?.id)
    talk.give(.voiceStarted(detector: .model), after: 1_000)
    talk.give(.timerFired(timer: .interruption), after: 500)
    // Half of the second sentence was heard.
    talk.give(.playbackCleared(speech: second, heardMilliseconds: 1_000))
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
    let sent = try talk.command("say show the diff").compactMap { action in
      if case .enterInLedger(_, let instruction) = action { instruction } else { nil }
    }
    #expect(sent.first?.text == "show the diff")
    #expect(
      sent.first?.remark
        == "The user interrupted your last answer. What was heard of it ended with: "
        + "“The first sentence is here. The second one is”.")
    #expect(sent.first?.textWithRemark.hasPrefix("show the diff\n\n(The user") == true)
  }

  @Test func anInstructionDuringARunDoesAsTheSettingSays() throws {
    var queue = Talk(.init(mode: .direct))
    try queue.work()
    #expect(try queue.command("say next").contains { if case .show(.queued) = $0 { true } else { false } })

    var steer = Talk(.init(mode: .direct, duringRun: .steer))
    try steer.work()
    let entered = try steer.command("say next").compactMap { if case .enterInLedger(_, let i) = $0 { i } else { nil } }
    let instruction = try #require(entered.first)
    #expect(
      steer.give(.ledgerEntered(instruction: instruction.id)).contains(
        .steerRun(run: steer.run, instruction: instruction)))

    var halt = Talk(.init(mode: .direct, duringRun: .halt))
    try halt.work()
    #expect(try halt.command("say next").contains(.cancelRun(run: halt.run)))
    let ended = halt.give(.agentReported(run: halt.run, event: .turnEnded(end: .cancelled)))
    #expect(ended.contains { if case .enterInLedger(_, let i) = $0 { i.text == "next" } else { false } })
    #expect(queue.rules.violations + steer.rules.violations + halt.rules.violations == [])
  }

  @Test func haltIsConfirmedOrSaidNotToBeAndThenEscalated() throws {
    var talk = try speaking()
    #expect(try talk.command("halt").contains(.cancelRun(run: talk.run)))
    let late = talk.give(.timerFired(timer: .haltConfirmation(run: talk.run)), after: 5_000)
    #expect(late.contains(.show(notice: .haltUnconfirmed)))
    #expect(try talk.command("halt").contains(.abandonRun(run: talk.run)))
    let ended = talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .cancelled)))
    #expect(ended.contains(.show(notice: .runEnded(run: talk.run, end: .cancelled))))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func sentencesAreSkippedAndSaidAgain() throws {
    var talk = try speaking()
    let skipped = try talk.command("skip")
    #expect(skipped.contains(.clearPlayback))
    #expect(skipped.contains { if case .speak(_, let text) = $0 { text.hasPrefix("The second") } else { false } })
    talk.playNext()
    let back = try talk.command("back")
    #expect(back.contains { if case .speak(_, let text) = $0 { text.hasPrefix("The first") } else { false } })
    talk.playNext()
    let again = try talk.command("again")
    #expect(again.contains { if case .speak(_, let text) = $0 { text.hasPrefix("The first") } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aChangeOfSpeedIsHeardAtOnceAndHasItsEnds() throws {
    var talk = try speaking()
    let faster = try talk.command("faster")
    #expect(faster.first == .setSpeechRate(percent: 112))
    #expect(faster.contains(.clearPlayback))
    #expect(faster.contains { if case .speak(_, let text) = $0 { text.hasPrefix("The first") } else { false } })
    for _ in 0..<20 { try talk.command("slower") }
    #expect(talk.controller.speech.percent == 60)
    #expect(try talk.command("slower").refusal != nil)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aClosedMicrophoneSendsSilence() throws {
    var talk = Talk()
    try talk.command("listen off")
    let sent = talk.give(.microphoneFrame(frame: MicrophoneFrame(position: 320, samples: [1, 2, 3])))
    #expect(
      sent == [.sendAudio(connection: talk.connection, frame: MicrophoneFrame(position: 320, samples: [0, 0, 0]))])
    try talk.command("listen on")
    let open = talk.give(.microphoneFrame(frame: MicrophoneFrame(position: 640, samples: [1, 2, 3])))
    #expect(
      open == [.sendAudio(connection: talk.connection, frame: MicrophoneFrame(position: 640, samples: [1, 2, 3]))])
  }
}
