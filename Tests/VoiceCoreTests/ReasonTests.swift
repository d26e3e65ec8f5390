import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// A session in review mode whose agent asks for permission while it works.
private struct AskingSession {
  var controller = InteractionController()
  var rules = SessionRules()
  private var time = SessionTime.zero
  let run = RunID(rawValue: 1)
  let request = PermissionRequest(
    id: PermissionID(rawValue: "p1"), title: "Run make", detail: "", choices: [.allowOnce, .rejectOnce])

  init(_ capabilities: AgentCapabilities) throws {
    give(.sessionStarted(settings: InteractionSettings()))
    give(.agentReady(agent: AgentDescription(name: "agent", capabilities: capabilities)))
    give(.commandGiven(command: .say(text: "build it")))
    give(.commandGiven(command: .approve))
    give(.ledgerEntered(instruction: InstructionID(rawValue: 1)))
    report(.permissionRequested(request: request))
  }

  @discardableResult mutating func give(_ event: VoiceEvent) -> [VoiceAction] {
    time = time.advanced(byMilliseconds: 1_000)
    let actions = controller.handle(event, at: time)
    rules.check(event, actions, at: time)
    return actions
  }

  @discardableResult mutating func report(_ event: AgentEvent) -> [VoiceAction] {
    give(.agentReported(run: run, event: event))
  }

  mutating func reject() -> [VoiceAction] { give(.commandGiven(command: .reject(reason: "it takes an hour"))) }
}

@Test func theReasonOfADenialGoesWithItWhereTheAgentTakesOne() throws {
  var session = try AskingSession([.ask, .cancel, .hearReason])
  let actions = session.reject()
  #expect(
    actions.contains(
      .answerPermission(
        run: session.run, permission: session.request.id, choice: .rejectOnce, reason: "it takes an hour")))
  #expect(session.controller.remarks.reasons.isEmpty)
  #expect(session.rules.violations.isEmpty)
}

@Test func theReasonOfADenialGoesIntoTheWorkWhereTheAgentCanBeSteered() throws {
  var session = try AskingSession([.ask, .cancel, .steer])
  let actions = session.reject()
  #expect(
    actions.contains(.answerPermission(run: session.run, permission: session.request.id, choice: .rejectOnce)))
  let entered = try #require(
    actions.compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction } else { nil } }.first)
  #expect(entered.text == "it takes an hour")
  #expect(entered.remark == "This is why the user did not allow: “Run make”.")
  let sent = session.give(.ledgerEntered(instruction: entered.id))
  #expect(sent.contains(.steerRun(run: session.run, instruction: entered)))
  #expect(session.rules.violations.isEmpty)
}

@Test func theReasonOfADenialGoesWithTheNextInstructionWhereThereIsNoOtherWayAndTheUserIsTold() throws {
  var session = try AskingSession([.ask, .cancel])
  let actions = session.reject()
  #expect(
    actions.contains(
      .show(
        notice: .warning(text: "This agent cannot take a reason with a denial; it gets it with your next instruction."))
    )
  )
  session.report(.turnEnded(end: .completed))
  session.give(.commandGiven(command: .say(text: "use swift build then")))
  let approved = session.give(.commandGiven(command: .approve))
  let entered = try #require(
    approved.compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction } else { nil } }.first)
  #expect(entered.remark == "The user did not allow “Run make”, for this reason: “it takes an hour”.")
  #expect(session.controller.remarks.reasons.isEmpty)
  #expect(session.rules.violations.isEmpty)
}

@Test func aReasonThatWaitsIsExplainedInTheLog() throws {
  var session = try AskingSession([.ask, .cancel])
  _ = session.controller.takeReasons()
  _ = session.reject()
  #expect(
    session.controller.takeReasons().contains(
      "The reason waits for the next instruction: this agent takes none together with a denial."))
}

@Test func theReasonOfADeclinedAnswerIsToldAsWell() throws {
  var session = try AskingSession([.ask, .cancel])
  _ = session.reject()
  session.report(
    .questionAsked(question: AgentQuestion(id: QuestionID(rawValue: "q1"), text: "Which colour?", options: [])))
  _ = session.reject()
  #expect(session.controller.remarks.reasons.count == 2)
}

@Test func theReasonsThatWaitAreFewAndShort() throws {
  var session = try AskingSession([.ask, .cancel])
  for number in 0..<20 {
    var request = session.request
    request.id = PermissionID(rawValue: "r\(number)")
    session.report(.permissionRequested(request: request))
    session.give(.commandGiven(command: .reject(reason: String(repeating: "a", count: 5_000))))
  }
  #expect(session.controller.remarks.reasons.count == Limits.untoldReasons)
  #expect(session.controller.remarks.reasons.allSatisfy { $0.count < Limits.reasonCharacters + 100 })
}

@Test(arguments: [0, 1]) func aReasonIsToldWholeUpToTheLimit(_ more: Int) throws {
  var session = try AskingSession([.ask, .cancel])
  let reason = String(repeating: "a", count: Limits.reasonCharacters + more)
  session.give(.commandGiven(command: .reject(reason: reason)))
  let told = try #require(session.controller.remarks.reasons.first)
  #expect(told.contains("“\(reason)”") == (more == 0) && told.contains("…") == (more > 0))
}

@Test func aRejectedInstructionTellsItsReasonToNobody() throws {
  var session = try AskingSession([.ask, .cancel, .steer])
  session.give(.commandGiven(command: .approve))
  session.give(.commandGiven(command: .say(text: "and deploy it")))
  let actions = session.reject()
  #expect(!actions.contains { if case .enterInLedger = $0 { true } else { false } })
  #expect(session.controller.remarks.reasons.isEmpty)
}

@Test func whatWasDeniedStandsInTheLedger() throws {
  var session = try AskingSession([.ask, .cancel])
  #expect(session.reject().contains(.noteInLedger(entry: .denied(run: session.run, act: "Run make"))))
  var allowing = try AskingSession([.ask, .cancel])
  let allowed = allowing.give(.commandGiven(command: .approve))
  #expect(!allowed.contains { if case .noteInLedger(.denied) = $0 { true } else { false } })
}

@Test func aSessionWithoutAMicrophoneTakesWhatIsTyped() throws {
  var controller = InteractionController()
  let start = controller.handle(
    .sessionStarted(settings: InteractionSettings { $0.hasMicrophone = false }), at: .milliseconds(1))
  #expect(!start.contains(.startMicrophone))
  let ready = controller.handle(
    .linkReady(connection: ConnectionID(rawValue: 1), resumed: false), at: .milliseconds(2))
  #expect(ready.contains(.show(notice: .withoutMicrophone)))
  #expect(!ready.contains { if case .show(.listening) = $0 { true } else { false } })
  #expect(controller.status.activity != .listening)
  let opened = controller.handle(.commandGiven(command: .listen(isOn: true)), at: .milliseconds(3))
  #expect(opened.contains { if case .show(.cannot) = $0 { true } else { false } })
  #expect(controller.status.activity != .listening)
  let typed = controller.handle(.commandGiven(command: .say(text: "list the files")), at: .milliseconds(4))
  #expect(typed.contains { if case .show(.held) = $0 { true } else { false } })
}

@Test func whatTheAgentAsksIsSaidInWholeSentencesOnly() throws {
  var session = try AskingSession([.ask, .cancel])
  _ = session.reject()
  let asked = session.report(
    .questionAsked(
      question: AgentQuestion(
        id: QuestionID(rawValue: "q1"), text: "What does it do?",
        options: [.init(label: "Nothing?"), .init(label: "All")])))
  _ = asked
  let explained = session.give(.commandGiven(command: .explain))
  let text = explained.compactMap { if case .show(.explained(_, let text)) = $0 { text } else { nil } }.first
  #expect(text == "agent asks: What does it do? 1: Nothing? 2: All. It has waited for 1 second.")
}

@Test(arguments: [true, false]) func directModeSaysHowMuchOfWhatWasHeardWasUnderstood(_ isTranscribed: Bool) throws {
  var talk = Talk(
    .init {
      $0.mode = .direct
      $0.readsBack = false
    })
  if isTranscribed { talk.say("build it") } else { talk.propose("build it") }
  #expect(
    talk.controller.takeReasons().contains(
      isTranscribed
        ? "Handed on: direct mode; what was heard and what was understood share 100 % of their words."
        : "Handed on: direct mode; there is no transcript to compare it with."))
}
