import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// Agents and servers that break their own protocol: one identifier for two requests, events of somebody else's task, an endless stream
/// before the answer that is due.
struct StrayMessageTests {
  private typealias Driver = OwnTurnTests.Driver

  // MARK: Two requests of one name

  /// An answer could be taken for either, so no approval leaves.
  private static func bothAreRefused<Dialect: ChildDialect>(
    _ driver: inout Driver<Dialect>, first: JSON, second: JSON, isAnswer: (JSON) -> Bool
  ) throws {
    driver.receive(first)
    let permission = try #require(driver.permission(of: 1))
    driver.receive(second)
    driver.tell { $0.answer(permission, of: 1, with: .allowOnce) }
    let reports = driver.reports(of: 1)
    #expect(reports.filter { if case .permissionRequested = $0 { true } else { false } }.count == 1)
    #expect(reports.contains(.permissionWithdrawn(id: permission)))
    let told = reports.compactMap { if case .status(let text) = $0 { text } else { nil } }
    #expect(told.contains { $0.hasSuffix("sent two requests with the same identifier; both were refused.") }, "\(told)")
    let answers = driver.sent.filter(isAnswer)
    #expect(answers.count == 1 && (answers[0]["error"] ?? answers[0]["response"]?["error"]) != nil, "\(answers)")
  }

  @Test func twoRequestsOfOneNameAreBothRefusedByACP() throws {
    var driver = Driver<ACPDialect>("agent")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["id": 1, "result": ["protocolVersion": 1]], ["id": 2, "result": ["sessionId": "s"]])
    driver.say(1)
    func ask(_ command: String) -> JSON {
      [
        "id": 5, "method": "session/request_permission",
        "params": [
          "sessionId": "s",
          "toolCall": ["toolCallId": .string(command), "kind": "execute", "rawInput": ["command": .string(command)]],
          "options": [["optionId": "yes", "kind": "allow_once"]],
        ],
      ]
    }
    try Self.bothAreRefused(&driver, first: ask("ls"), second: ask("rm -rf /")) { $0["id"] == 5 }
  }

  @Test func twoRequestsOfOneNameAreBothRefusedByClaudeCode() throws {
    var driver = Driver<ClaudeDialect>("claude")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
    driver.say(1)
    driver.receive(["type": "system", "subtype": "init", "session_id": "s"])
    func ask(_ command: String) -> JSON {
      [
        "type": "control_request", "request_id": "r",
        "request": [
          "subtype": "can_use_tool", "tool_name": "Bash", "input": ["command": .string(command)],
          "tool_use_id": .string(command),
        ],
      ]
    }
    try Self.bothAreRefused(&driver, first: ask("ls"), second: ask("rm -rf /")) {
      $0["type"] == "control_response" && $0["response"]?["request_id"] == "r"
    }
  }

  private static func codex() -> Driver<CodexDialect> {
    var driver = Driver<CodexDialect>("codex")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(
      ["id": 1, "result": [:]], ["id": 2, "result": ["thread": ["id": "t"], "approvalPolicy": "untrusted"]])
    driver.say(1)
    return driver
  }

  @Test func twoRequestsOfOneNameAreBothRefusedByCodex() throws {
    var driver = Self.codex()
    driver.receive(["id": driver.askedTurn, "result": ["turn": ["id": "a"]]])
    func ask(_ command: String) -> JSON {
      [
        "id": 77, "method": "item/commandExecution/requestApproval",
        "params": ["threadId": "t", "turnId": "a", "itemId": .string(command), "command": .string(command)],
      ]
    }
    try Self.bothAreRefused(&driver, first: ask("ls"), second: ask("rm -rf /")) { $0["id"] == 77 }
  }

  // MARK: Answers that could be taken for others

  /// One without a question is answered at once, and not a second time when the turn ends; each in the form that belongs to it.
  @Test func whatAHelperOfCodexWantsToKnowIsAnsweredOnce() {
    var driver = Self.codex()
    func ask(_ id: Int, _ questions: JSON) -> JSON {
      [
        "id": .integer(id), "method": "item/tool/requestUserInput",
        "params": ["threadId": "helper", "itemId": "i", "questions": questions],
      ]
    }
    func ends(_ thread: JSON, _ turn: JSON) -> JSON {
      ["method": "turn/completed", "params": ["threadId": thread, "turn": ["id": turn, "status": "completed"]]]
    }
    driver.receive(
      ["id": driver.askedTurn, "result": ["turn": ["id": "a"]]], ask(5, []), ask(6, [["id": "q", "question": "One?"]]),
      ends("helper", "b"), ends("t", "a"))
    #expect(driver.end(of: 1) == .completed)
    for id in [5, 6] {
      let answers = driver.sent.filter { $0["id"] == .integer(id) && $0["method"] == nil }
      #expect(answers.map { $0["result"] } == [["answers": [:]]])
    }
  }

  /// The agent might take the no for a yes.
  @Test func anAnswerOfACPWhoseNameMeansSomethingElseIsNotGiven() throws {
    var driver = Driver<ACPDialect>("agent")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["id": 1, "result": ["protocolVersion": 1]], ["id": 2, "result": ["sessionId": "s"]])
    driver.say(1)
    driver.receive([
      "id": 5, "method": "session/request_permission",
      "params": [
        "sessionId": "s", "toolCall": ["toolCallId": "t", "kind": "execute", "rawInput": ["command": "ls"]],
        "options": [
          ["optionId": "1", "kind": "reject_once"], ["optionId": "1", "kind": "allow_always"],
          ["optionId": "2", "kind": "allow_once"], ["optionId": "2", "kind": "allow_once"],
        ],
      ],
    ])
    let asked = driver.reports(of: 1).compactMap { if case .permissionRequested(let it) = $0 { it } else { nil } }
    #expect(asked.map(\.choices) == [[.allowOnce]])
    driver.tell { $0.answer(asked[0].id, of: 1, with: .rejectOnce) }
    #expect(driver.sent.last?["result"] == ["outcome": ["outcome": "cancelled"]])
  }

  // MARK: What has no end, or leaves nothing

  @Test func codexThatNeverNamesItsTurnFillsNoMemory() {
    var driver = Self.codex()
    let words = String(repeating: "x", count: 1 << 20)
    for _ in 0..<ConverseLimits.earlyBytes >> 20 {
      #expect(!driver.effects.contains(.terminate))
      driver.receive(["method": "item/agentMessage/delta", "params": ["threadId": "t", "delta": .string(words)]])
    }
    #expect(driver.effects.contains(.terminate))
    driver.tell { $0.ended(.exited(code: 0, errorTail: "")) }
    guard case .unconfirmed(let reason, _) = driver.end(of: 1) else { return #expect(Bool(false)) }
    #expect(reason.contains("does not say which turn it began"))
  }

  @Test(arguments: [false, true]) func anAgentOfOneTurnThatNamesNoSessionBeginsAnewAndThatIsSaid(_ isNamed: Bool) {
    var driver = Driver<CodexExecDialect>("codex-exec")
    driver.tell { $0.open() + $0.launched() }
    driver.say(1)
    if isNamed { driver.receive(["type": "thread.started", "thread_id": "t"]) }
    driver.tell { $0.ended(.exited(code: 1, errorTail: "")) }
    driver.say(2)
    #expect(driver.effects.last == .launch(isNamed ? .resume(AgentSessionID(rawValue: "t")) : .new))
    driver.tell { $0.launched() }
    let told = driver.reports(of: 2).compactMap { if case .status(let text) = $0 { text } else { nil } }
    #expect(told == (isNamed ? [] : ["codex-exec is started again; it remembers nothing of before."]))
  }

  @Test func anAgentThatRefusesTwiceIsEndedOnce() {
    var driver = Driver<CodexDialect>("codex")
    driver.tell { $0.open() + $0.launched() }
    let refusal: JSON = ["id": 1, "error": ["code": -1, "message": "no"]]
    driver.receive(refusal, refusal)
    #expect(driver.effects.filter { $0 == .terminate } == [.terminate])
  }

  // MARK: News of somebody else's task

  /// A task that is being asked for, over A2A 1.0.
  private struct Task {
    var dialect: AgentToAgentDialect
    var turn = HTTPTurn()
    var steps: [HTTPTurn.Step] = []

    init() throws {
      dialect = AgentToAgentDialect(
        try HTTPAgentSpecification(.agentToAgent, at: "http://127.0.0.1:9"),
        in: AgentEnvironment(workingFolder: "/", executablePath: ""))
      _ = dialect.opened([
        "supportedInterfaces": [
          ["protocolBinding": "JSONRPC", "protocolVersion": "1.0", "url": "http://127.0.0.1:9/"]
        ]
      ])
      tell { $0.start(Instruction("do it"), &$1) }
      update("mine", "WORKING")
    }

    mutating func tell(_ change: (inout AgentToAgentDialect, inout HTTPTurn) -> Void) {
      change(&dialect, &turn)
      steps += turn.takeSteps()
    }

    mutating func update(_ task: String, _ state: String) {
      let status: JSON = ["state": .string("TASK_STATE_" + state)]
      let update: JSON = ["result": ["statusUpdate": ["taskId": .string(task), "contextId": "c", "status": status]]]
      tell { $0.received(ServerSentEvent(data: String(decoding: update.bytes, as: UTF8.self)), over: 2, &$1) }
    }

    mutating func answer(stopOf task: String) {
      let answer: JSON = ["result": ["id": .string(task), "status": ["state": "TASK_STATE_CANCELED"]]]
      tell { $0.answered(answer, &$1) }
    }

    var end: AgentTurnEnd? { steps.compactMap { if case .end(let end) = $0 { end } else { nil } }.first }
  }

  @Test(arguments: ["COMPLETED", "CANCELED", "FAILED"]) func theEndOfAnotherTaskIsNotOurs(_ state: String) throws {
    var task = try Task()
    task.update("another", state)
    #expect(task.end == nil)
    task.update("mine", "COMPLETED")
    #expect(task.end == .completed)
  }

  @Test func theStopOfAnotherTaskConfirmsNothing() throws {
    var task = try Task()
    task.tell { $0.stop(&$1) }
    task.answer(stopOf: "another")
    #expect(task.end == nil)
    task.answer(stopOf: "mine")
    #expect(task.end == .cancelled)
  }
}
