import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// A session in direct mode whose agent works on its first instruction.
private struct WorkingSession {
  var controller = InteractionController()
  var rules = SessionRules()
  private var time = SessionTime.zero
  let run = RunID(rawValue: 1)

  init(
    _ capabilities: AgentCapabilities = [.ask, .cancel], unattended: InteractionSettings.Unattended = .ends
  ) {
    give(
      .sessionStarted(
        settings: .init {
          $0.mode = .direct
          $0.unattended = unattended
        }))
    give(.agentReady(agent: AgentDescription(name: "agent", capabilities: capabilities)))
    give(.commandGiven(command: .say(text: "build it")))
    give(.ledgerEntered(instruction: InstructionID(rawValue: 1)))
  }

  @discardableResult mutating func give(_ event: VoiceEvent) -> [VoiceAction] {
    // Long enough for each item to be seen before it is decided.
    time = time.advanced(byMilliseconds: Limits.shownMilliseconds)
    let actions = controller.handle(event, at: time)
    rules.check(event, actions, at: time)
    return actions
  }

  @discardableResult mutating func command(_ line: String) throws -> [VoiceAction] {
    give(.commandGiven(command: try #require(UserCommand(line: line))))
  }

  @discardableResult mutating func report(_ event: AgentEvent) -> [VoiceAction] {
    give(.agentReported(run: run, event: event))
  }
}

private let question = AgentQuestion(
  id: QuestionID(rawValue: "q1"), text: "Which colour?", options: [.init(label: "Red"), .init(label: "Blue")])

@Test func aQuestionIsSaidWithItsNumberedOptionsAndAnsweredByNumber() throws {
  var session = WorkingSession()
  let asked = session.report(.questionAsked(question: question))
  #expect(
    asked.contains {
      if case .speak(_, let text, _) = $0 {
        text == "The agent asks. Which colour? one: Red. two: Blue."
      } else {
        false
      }
    })
  #expect(try session.command("approve").contains { if case .show(.cannot) = $0 { true } else { false } })
  #expect(try session.command("choose 3").contains { if case .show(.cannot) = $0 { true } else { false } })
  #expect(try session.command("choose 1 2").contains { if case .show(.cannot) = $0 { true } else { false } })
  #expect(session.controller.held.count == 1 && session.controller.status.asksQuestion)
  let answered = try session.command("choose 2")
  #expect(answered.contains(.answerQuestion(run: session.run, question: question.id, answer: .options(indices: [1]))))
  #expect(session.controller.held.isEmpty)
  #expect(session.rules.violations.isEmpty)
}

@Test(arguments: [("answer green", AgentQuestion.Answer.text(text: "green")), ("reject", .declined)])
func aQuestionIsAnsweredInWordsOrDeclined(_ line: String, _ answer: AgentQuestion.Answer) throws {
  var session = WorkingSession()
  session.report(.questionAsked(question: question))
  #expect(try session.command(line).contains(.answerQuestion(run: session.run, question: question.id, answer: answer)))
  #expect(session.rules.violations.isEmpty)
}

@Test func aQuestionThatIsWithdrawnOrWhoseRunEndsIsNotHeldAnyMore() throws {
  var session = WorkingSession()
  session.report(.questionAsked(question: question))
  session.report(.questionWithdrawn(id: question.id))
  #expect(session.controller.held.isEmpty)
  session.report(.questionAsked(question: question))
  session.report(.turnEnded(end: .completed))
  #expect(session.controller.held.isEmpty)
  #expect(session.rules.violations.isEmpty)
}

@Test func aPermissionIsAnsweredByTheNumberOfWhatIsOffered() throws {
  var session = WorkingSession()
  let request = PermissionRequest(
    id: PermissionID(rawValue: "p1"), title: "Run make", detail: "", choices: [.allowOnce, .allowAlways, .rejectOnce])
  session.report(.permissionRequested(request: request))
  #expect(try session.command("choose 4").contains { if case .show(.cannot) = $0 { true } else { false } })
  let answered = try session.command("choose 2")
  #expect(answered.contains(.answerPermission(run: session.run, permission: request.id, choice: .allowAlways)))
  #expect(session.rules.violations.isEmpty)
}

@Test func anInstructionGoesIntoTheRunningWorkThroughTheLedger() throws {
  var session = WorkingSession([.steer])
  try session.command("mode review")
  try session.command("say and run the tests")
  let steered = try session.command("steer")
  let instruction = try #require(
    steered.compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction } else { nil } }.first)
  #expect(
    session.give(.ledgerEntered(instruction: instruction.id)).contains(
      .steerRun(run: session.run, instruction: instruction)))
  session.report(.steered(instruction: instruction.id))
  #expect(session.controller.run.steering == .none)
  #expect(session.controller.held.isEmpty)
  #expect(session.rules.violations.isEmpty)
}

@Test func anInstructionThatTheRunningWorkDidNotTakeIsHeldAgainUnderANewNumber() throws {
  for refusal in ["refused", "ended", "ended before the ledger"] {
    var session = WorkingSession([.steer])
    try session.command("mode review")
    try session.command("say and run the tests")
    try session.command("steer")
    guard case .entering(let instruction, _) = session.controller.run.steering else {
      Issue.record("nothing is on its way")
      continue
    }
    if refusal == "ended before the ledger" { session.report(.turnEnded(end: .completed)) }
    session.give(.ledgerEntered(instruction: instruction.id))
    if refusal == "refused" { session.report(.steeringRefused(instruction: instruction.id, reason: "It is too late.")) }
    if refusal == "ended" { session.report(.turnEnded(end: .completed)) }
    guard case .instruction(let again) = session.controller.held.first?.content else {
      Issue.record("nothing is held: \(refusal)")
      continue
    }
    #expect(again.text == instruction.text)
    #expect(again.id != instruction.id)
    #expect(session.rules.violations.isEmpty)
  }
}

@Test func anAgentThatCannotBeSteeredIsNotSteered() throws {
  var session = WorkingSession()
  try session.command("mode review")
  try session.command("say and run the tests")
  #expect(try session.command("steer").contains { if case .show(.cannot) = $0 { true } else { false } })
  #expect(session.controller.held.count == 1)
}

@Test(arguments: [AgentTurnEnd.failed(reason: "No key."), .unconfirmed(reason: "It died.")])
func anInstructionWhoseRunFailedIsOfferedAgainAndNeverSentByItself(_ end: AgentTurnEnd) throws {
  var session = WorkingSession()
  try session.command("say and then run the tests")
  let actions = session.report(.turnEnded(end: end))
  #expect(!actions.contains { if case .enterInLedger = $0 { true } else { false } })
  let texts = session.controller.held.map { item in
    if case .instruction(let instruction) = item.content { instruction.text } else { "" }
  }
  #expect(texts == ["build it", "and then run the tests"])
  #expect(try session.command("approve").contains { if case .enterInLedger = $0 { true } else { false } })
  #expect(session.rules.violations.isEmpty)
}

@Test func capabilitiesAreWrittenInOneOrder() throws {
  var left: AgentCapabilities = [.rewind, .ask]
  left.set(.fork, true)
  #expect(left.inOrder == [.ask, .fork, .rewind])
  left.set(.ask, false)
  #expect(left == [.fork, .rewind])
}

@Test func everyWordOfTheGrammarGivesACommand() {
  let words = Set(UserCommand.everyLine.map { $0.line.prefix { $0 != " " } })
  #expect(words == Set(UserCommand.grammar.map { $0.prefix { $0 != " " } }))
}

@Test(arguments: ["choose", "choose x", "choose 1 x", "answer", "steer now"])
func aCommandThatMakesNoSenseIsNone(_ line: String) { #expect(UserCommand(line: line) == nil) }

@Test(arguments: [false, true]) func whereNobodyDecidesTheAgentIsToldNoAndWorksOn(_ isAskedBefore: Bool) {
  var session = WorkingSession(unattended: .refuses)
  var told: [VoiceAction] = []
  if !isAskedBefore { told += session.give(.commandsEnded) }
  told += session.report(.questionAsked(question: question))
  told += session.report(.permissionRequested(request: Talk.permission))
  if isAskedBefore { told += session.give(.commandsEnded) }
  #expect(told.contains(.answerQuestion(run: session.run, question: question.id, answer: .declined)))
  #expect(
    told.contains(.answerPermission(run: session.run, permission: Talk.permission.id, choice: .rejectOnce, reason: nil))
  )
  #expect(session.controller.held.isEmpty)
  #expect(session.controller.run.running != nil)
  #expect(session.rules.violations.isEmpty)
}

// MARK: - What is asked on

private let request = PermissionRequest(
  id: PermissionID(rawValue: "p"), title: "Run make", detail: "", choices: [.allowOnce, .rejectOnce])

extension WorkingSession {
  /// The agent goes on by itself, asks there what it asked before, and the run before is over.
  fileprivate mutating func goOn(asking event: AgentEvent) -> [VoiceAction] {
    var actions = give(.agentStartedRun(run: RunID(rawValue: -1), text: "It goes on."))
    actions += give(.agentReported(run: RunID(rawValue: -1), event: event))
    return actions + report(.turnEnded(end: .completed))
  }
}

@Test(arguments: [AgentEvent.permissionRequested(request: request), .questionAsked(question: question)])
func whatIsAskedOnInAnotherRunStaysWhereItIs(_ event: AgentEvent) throws {
  var session = WorkingSession()
  session.report(event)
  let before = try #require(session.controller.held.current)
  let shown = session.goOn(asking: event)
  #expect(
    !shown.contains {
      switch $0 {
      case .show(.lapsed), .show(.held), .show(.selected): true
      default: false
      }
    })
  let after = try #require(session.controller.held.current)
  #expect(after.id == before.id && after.content.run == RunID(rawValue: -1) && session.controller.held.count == 1)
  #expect(session.rules.violations.isEmpty)
}

/// The agent asked on before it read the answer.
@Test(
  arguments: [AgentEvent.permissionRequested(request: request), .questionAsked(question: question)], [true, false])
func whatWasAnsweredIsNotAskedOn(_ event: AgentEvent, _ isOver: Bool) throws {
  var session = WorkingSession(unattended: .refuses)
  session.report(event)
  try session.command("reject")
  if isOver { session.give(.commandsEnded) }
  let actions = session.goOn(asking: event)
  #expect(session.controller.held.isEmpty)
  #expect(
    !actions.contains {
      switch $0 {
      case .show(.held), .show(.warning), .answerPermission, .answerQuestion, .noteInLedger(.denied): true
      default: false
      }
    })
  // Another request may bear the name once that is over.
  session.give(.agentReported(run: RunID(rawValue: -1), event: .turnEnded(end: .completed)))
  #expect(session.rules.violations.isEmpty)
}

/// What was shown is what is decided.
@Test func whatIsAskedOnWithOtherWordsIsAskedAnew() throws {
  var session = WorkingSession()
  session.report(.permissionRequested(request: request))
  var other = request
  other.title = "Run rm"
  let shown = session.goOn(asking: .permissionRequested(request: other))
  #expect(shown.contains { if case .show(.held) = $0 { true } else { false } })
  #expect(session.controller.held.map(\.content.title) == ["Run rm"])
}
