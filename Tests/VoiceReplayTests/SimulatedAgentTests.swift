import Testing
import VoiceCore
import VoiceVocabulary

@testable import VoiceReplay

/// An agent with its script, and what it reports of its runs.
private struct Desk {
  let time = VirtualTime()
  let refusals = Refusals()
  let agent: SimulatedAgent

  init(_ runs: [Fixture.AgentStep]...) {
    let fixture = Fixture(
      title: "a", settings: InteractionSettings(), user: [], model: [], agent: runs, faults: nil)
    agent = SimulatedAgent(fixture, time, refusals)
  }

  static let run = RunID(rawValue: 1)

  func start(_ number: Int = 1, _ instruction: Int? = nil) {
    agent.start(RunID(rawValue: number), Self.instruction(instruction ?? number))
  }

  static func instruction(_ number: Int) -> Instruction {
    Instruction(id: .init(rawValue: number), text: "run the tests", heard: nil, source: .keyboard)
  }

  /// Everything that it reports from now on.
  func reports() -> [AgentEvent] {
    var events: [AgentEvent] = []
    while let next = time.next(limit: .milliseconds(100_000)) {
      if case .agentReported(_, let event) = next.event { events.append(event) }
    }
    return events
  }
}

private let permission = Fixture.AgentStep.permission(
  title: "Write a file", detail: "", allowed: [.text(delta: "written")], denied: [.text(delta: "not written")])
private let question = Fixture.AgentStep.question(
  text: "Which one?",
  options: [.init(label: "a", steps: [.text(delta: "took a")]), .init(label: "b", steps: [.text(delta: "took b")])],
  otherwise: [.text(delta: "took none")])

struct SimulatedAgentTests {
  @Test func anAgentFollowsTheScriptOfEachRun() {
    let desk = Desk([.text(delta: "one"), .tool(title: "Read", kind: "read")], [.fail(reason: "no")])
    desk.start()
    let tool = AgentTool(id: "tool-1", title: "Read", kind: "read")
    #expect(
      desk.reports() == [
        .turnStarted, .text(delta: "one"), .toolStarted(tool: tool), .toolFinished(id: "tool-1", outcome: .completed),
        .turnEnded(end: .completed),
      ])
    desk.start(2)
    #expect(desk.reports() == [.turnStarted, .turnEnded(end: .failed(reason: "no"))])
    desk.start(3)
    #expect(desk.reports().dropFirst().first == .text(delta: "Nothing is scripted for this instruction."))
    #expect(desk.refusals.take().isEmpty)
  }

  @Test(arguments: [(PermissionRequest.Choice.allowOnce, "written"), (.rejectOnce, "not written")])
  func anAgentGoesOnByTheAnswerToItsRequest(_ choice: PermissionRequest.Choice, _ text: String) {
    let desk = Desk([permission, .text(delta: "done")])
    desk.start()
    guard case .permissionRequested(let request) = desk.reports().last else {
      Issue.record("it asked for nothing")
      return
    }
    #expect(request.choices == [.allowOnce, .rejectOnce])
    #expect(desk.agent.isWaiting && !desk.agent.isWorking)
    desk.agent.answer(PermissionID(rawValue: "another"), with: choice, because: nil)
    #expect(desk.agent.isWaiting)
    desk.agent.answer(request.id, with: choice, because: nil)
    #expect(desk.agent.isWorking)
    #expect(desk.reports() == [.text(delta: text), .text(delta: "done"), .turnEnded(end: .completed)])
    #expect(!desk.agent.isWorking)
  }

  /// Only what it asks in this run it can take back.
  @Test func anAgentTakesItsRequestBack() {
    let desk = Desk([permission])
    desk.start()
    _ = desk.reports()
    func withdraw(_ run: Int, _ id: String) {
      let event = AgentEvent.permissionWithdrawn(id: PermissionID(rawValue: id))
      desk.agent.meant(.agentReported(run: RunID(rawValue: run), event: event))
    }
    withdraw(7, "permission-1")
    withdraw(1, "permission-2")
    #expect(desk.agent.isWaiting)
    withdraw(1, "permission-1")
    #expect(!desk.agent.isWaiting && desk.agent.isWorking)
  }

  @Test(arguments: [
    (AgentQuestion.Answer.options(indices: [1]), "took b"), (.text(text: "neither"), "took none"),
    (.declined, "took none"),
  ])
  func anAgentGoesOnByTheAnswerToItsQuestion(_ answer: AgentQuestion.Answer, _ text: String) {
    let desk = Desk([question])
    desk.start()
    guard case .questionAsked(let asked) = desk.reports().last else {
      Issue.record("it asked nothing")
      return
    }
    #expect(asked.options.map(\.label) == ["a", "b"])
    desk.agent.answer(asked.id, with: answer)
    #expect(desk.reports() == [.text(delta: text), .turnEnded(end: .completed)])
  }

  @Test func aQuestionIsAnsweredOnce() {
    let desk = Desk([question])
    desk.start()
    _ = desk.reports()
    let id = QuestionID(rawValue: "question-1")
    for index in 0...1 { desk.agent.answer(id, with: .options(indices: [index])) }
    #expect(desk.reports() == [.text(delta: "took a"), .turnEnded(end: .completed)])
  }

  @Test func anAgentThatIsHaltedStopsUnlessItDoesNotListen() {
    let desk = Desk([.hang], [.hang])
    desk.start()
    desk.agent.cancel(Desk.run)
    #expect(desk.reports() == [.turnEnded(end: .cancelled)], "what was under way is over")
    desk.agent.ignoresHalt = true
    desk.start(2)
    desk.agent.cancel(RunID(rawValue: 2))
    #expect(desk.reports() == [.turnStarted])
    desk.agent.abandon(RunID(rawValue: 2))
    #expect(desk.reports() == [.turnEnded(end: .cancelled)])
  }

  @Test func anAgentThatDiesEndsItsRunAndNothingElse() {
    let desk = Desk([.text(delta: "a")])
    #expect(desk.agent.die() == nil)
    desk.start()
    guard case .agentReported(Desk.run, .turnEnded(.unconfirmed)) = desk.agent.die() else {
      Issue.record("its run did not end")
      return
    }
    #expect(desk.reports() == [])
  }

  @Test func whatIsSteeredIntoARunIsTakenOnce() {
    let desk = Desk([.hang])
    desk.start()
    desk.agent.steer(RunID(rawValue: 7), Desk.instruction(2))
    desk.agent.steer(Desk.run, Desk.instruction(2))
    #expect(desk.reports() == [.turnStarted, .steered(instruction: .init(rawValue: 2))])
    #expect(desk.agent.received.map(\.id.rawValue) == [1, 2])
    #expect(desk.refusals.take().isEmpty)
    desk.agent.steer(Desk.run, Desk.instruction(2))
    #expect(desk.refusals.take() == ["an instruction was sent twice"])
  }

  // What a real agent would refuse.

  @Test func aSecondRunBesideTheFirstIsRefused() {
    let desk = Desk([.hang], [.hang])
    desk.start()
    desk.start(2)
    #expect(desk.refusals.take() == ["a run was started while another was going on"])
  }

  @Test func anInstructionThatComesTwiceIsRefused() {
    let desk = Desk([], [])
    desk.start()
    _ = desk.reports()
    desk.start(2, 1)
    #expect(desk.refusals.take() == ["an instruction was sent twice"])
  }

  @Test func anAnswerThatFitsNoRequestIsRefused() {
    let desk = Desk([permission, question])
    desk.start()
    _ = desk.reports()
    desk.agent.answer(PermissionID(rawValue: "permission-1"), with: .allowOnce, because: "too risky")
    #expect(desk.refusals.take() == ["a permission was given with the reason of a denial"])
    _ = desk.reports()
    desk.agent.answer(QuestionID(rawValue: "question-1"), with: .options(indices: [2]))
    #expect(desk.refusals.take() == ["option 2 was chosen, which the question does not have"])
  }
}
