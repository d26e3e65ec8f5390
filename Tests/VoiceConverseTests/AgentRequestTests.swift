import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// What an agent asks on behalf of others: MCP servers and helpers.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AgentRequestTests {
  @Test(arguments: [ConformanceTests.Back.claude, .codex])
  func theFormOfAnMCPServerIsAskedFieldByField(_ back: ConformanceTests.Back) async throws {
    try await withSwitchable(ConformanceTests.specification(back)) { agent, journal in
      agent.startRun(1, Instruction("form"))
      let colour = try #require(await journal.question(1))
      #expect(colour.text.contains("notes asks through the agent: What shall it be? Colour"))
      #expect(colour.options.map(\.label) == ["red", "blue"])
      agent.answerQuestion(colour.id, of: 1, with: .options(indices: [1]))
      let count = try #require(await journal.question(2))
      agent.answerQuestion(count.id, of: 1, with: .text(text: "many"))
      // That is no number: it is asked again, and nothing was answered.
      let again = try #require(await journal.question(3))
      #expect(journal.reports(of: 1).contains(.status(text: "It is asked again: “many” is no answer to “How many”.")))
      agent.answerQuestion(again.id, of: 1, with: .options(indices: [0]))
      let last = try #require(await journal.question(4))
      agent.answerQuestion(last.id, of: 1, with: .text(text: "3"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1).contains(#"{"action": "accept", "content": {"colour": "red", "count": 3}"#))
    }
  }

  @Test(arguments: [ConformanceTests.Back.claude, .codex])
  func aDeclinedFormIsDeclinedWhole(_ back: ConformanceTests.Back) async throws {
    try await withSwitchable(ConformanceTests.specification(back)) { agent, journal in
      agent.startRun(1, Instruction("form"))
      let colour = try #require(await journal.question(1))
      agent.answerQuestion(colour.id, of: 1, with: .declined)
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1).contains(#""action": "decline""#))
    }
  }

  @Test(arguments: [PermissionRequest.Choice.allowOnce, .allowAlways, .rejectOnce])
  func aToolOfAnMCPServerIsAPermission(_ choice: PermissionRequest.Choice) async throws {
    try await withSwitchable(ConformanceTests.specification(.codex)) { agent, journal in
      agent.startRun(1, Instruction("mcp"))
      let request = try #require(await journal.permission())
      #expect(request.title == "Use the tool note of notes")
      #expect(request.detail.contains("a.txt") && request.subject.tool == "notes/note")
      #expect(request.always == "every use of this tool, for this session")
      agent.answerPermission(request.id, of: 1, with: choice, because: nil)
      #expect(await journal.end(of: 1) == .completed)
      let expected =
        switch choice {
        case .allowOnce: #"{"action": "accept", "content": {}}"#
        case .allowAlways: #"{"_meta": {"persist": "session"}, "action": "accept", "content": {}}"#
        default: #"{"action": "decline", "content": null}"#
        }
      #expect(journal.text(of: 1) == expected)
    }
  }

  @Test func whatAHelperAsksIsHeldInTheRun() async throws {
    try await withSwitchable(ConformanceTests.specification(.codex)) { agent, journal in
      agent.startRun(1, Instruction("helper"))
      let request = try #require(await journal.permission())
      #expect(request.subject.command == "make test")
      agent.answerPermission(request.id, of: 1, with: .allowOnce, because: nil)
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == #"{"decision": "accept"}"#)
    }
  }

  @Test(arguments: [true, false], [1, -1] as [RunID])
  func whatAHelperStillAsksWhenTheTurnEndsIsAskedAgainIfItGoesOn(_ goesOn: Bool, answering answers: RunID) {
    var session = ChildSession<CodexDialect>(settings: .init(name: "codex", workingFolder: "/work"))
    var effects = session.open() + session.launched()
    let ask: JSON = [
      "id": 9, "method": "item/commandExecution/requestApproval",
      "params": ["threadId": "helper", "turnId": "h", "itemId": "i", "command": "make"],
    ]
    func receive(_ messages: JSON...) { for message in messages { effects += session.receive(message.bytes) } }
    func ended(_ thread: JSON, _ turn: JSON) -> JSON {
      ["method": "turn/completed", "params": ["threadId": thread, "turn": ["id": turn, "status": "completed"]]]
    }
    receive(["id": 1, "result": [:]], ["id": 2, "result": ["thread": ["id": "t"], "approvalPolicy": "untrusted"]])
    effects += session.start(1, Instruction("do it"))
    func sent() -> [JSON] {
      effects.compactMap { if case .send(let bytes) = $0 { JSON(parsing: bytes) } else { nil } }
    }
    func reports(of run: RunID) -> [AgentEvent] {
      Journal.reports(of: run, in: effects.compactMap { if case .post(let event) = $0 { event } else { nil } })
    }
    func permissions(of run: RunID) -> [PermissionID] {
      reports(of: run).compactMap { if case .permissionRequested(let request) = $0 { request.id } else { nil } }
    }
    receive(["id": sent().last?["id"] ?? .null, "result": ["turn": ["id": "a"]]], ask)
    if !goesOn { receive(ended("helper", "h")) }
    receive(ended("t", "a"))
    #expect(reports(of: 1).last == .turnEnded(end: .completed))
    #expect(permissions(of: 1).count == 1 && permissions(of: -1).count == (goesOn ? 1 : 0))
    if let again = permissions(of: -1).first {
      // Its name is the same: an answer to the first one is one to this.
      #expect(again == permissions(of: 1).first)
      effects += session.answer(again, of: answers, with: .allowOnce)
      receive(ended("helper", "h"))
      #expect(reports(of: -1).last == .turnEnded(end: .completed))
    }
    #expect(sent().filter { $0["id"] == 9 } == [["id": 9, "result": ["decision": goesOn ? "accept" : "decline"]]])
  }

  @Test(arguments: [nil, "1. Look. 2. Mend."] as [String?])
  func aPlanThatIsNotThereIsNotShownAsOneThatWasRead(_ plan: String?) throws {
    var session = ChildSession<ClaudeDialect>(settings: .init(name: "claude", workingFolder: "/work"))
    var effects = session.open() + session.launched()
    func receive(_ messages: JSON...) { for message in messages { effects += session.receive(message.bytes) } }
    receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
    effects += session.start(1, Instruction("plan"))
    let call: JSON = [
      "type": "tool_use", "id": "t", "name": "ExitPlanMode", "input": plan.map { ["plan": .string($0)] } ?? [:],
    ]
    receive(
      ["type": "system", "subtype": "init", "session_id": "s"],
      ["type": "assistant", "message": ["id": "m", "content": [call]]],
      [
        "type": "control_request", "request_id": "r",
        "request": ["subtype": "can_use_tool", "tool_name": "ExitPlanMode", "input": [:], "tool_use_id": "t"],
      ])
    let requests = effects.compactMap { effect -> PermissionRequest? in
      guard case .post(.agentReported(_, .permissionRequested(let request))) = effect else { return nil }
      return request
    }
    let request = try #require(requests.first)
    #expect(request.title.contains("a plan that could not be read") == (plan == nil))
    #expect(request.detail.contains(plan ?? "Claude Code sent no plan with this request."))
    // No act of that kind is approved by voice.
    #expect(request.subject.kind == "switch_mode")
  }

  @Test func aHelperThatOutlastsTheRunIsARunOfItsOwn() async throws {
    try await withSwitchable(ConformanceTests.specification(.codex)) { agent, journal in
      agent.startRun(1, Instruction("outlast"))
      let request = try #require(await journal.permission())
      #expect(journal.reports(of: 1).last == .turnEnded(end: .completed))
      #expect(Journal.reports(of: -1, in: journal.all).contains(.permissionRequested(request: request)))
      agent.answerPermission(request.id, of: -1, with: .allowOnce, because: nil)
      #expect(await journal.end(of: -1) == .completed)
      agent.startRun(2, Instruction("text"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test func aHaltEndsCodexWithItsHelpersSinceAnInterruptWouldNot() async throws {
    try await withSwitchable(ConformanceTests.specification(.codex)) { agent, journal in
      agent.startRun(1, Instruction("helper"))
      #expect(await journal.permission() != nil)
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      agent.startRun(2, Instruction("text"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }
}
