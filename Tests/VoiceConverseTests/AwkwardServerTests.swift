import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What comes of what a server does at the wrong moment, call by call: no sockets, no threads.
struct AwkwardServerTests {
  /// An exchange, and what it wants.
  private struct Driver<Dialect: HTTPDialect> {
    var exchange: HTTPExchange<Dialect>
    private(set) var effects: [HTTPExchange<Dialect>.Effect] = []

    init(_ dialect: Dialect) { exchange = HTTPExchange(dialect) }

    mutating func tell(_ body: (inout HTTPExchange<Dialect>) -> [HTTPExchange<Dialect>.Effect]) {
      effects += body(&exchange)
    }

    /// The user decides what was asked at this place.
    mutating func decide(_ place: Int, _ choice: PermissionRequest.Choice) {
      let permission = permissions[place].id
      tell { $0.decide(permission, of: 1, choice) }
    }

    mutating func receive(_ event: HTTPEvent, of call: Int) { tell { $0.receive(event, of: call) } }

    /// An answer begins.
    mutating func begin(_ call: Int, _ type: String = "text/event-stream") {
      receive(.head(HTTPHead(status: 200, headers: ["content-type": type])), of: call)
    }

    /// These come as events of a stream.
    mutating func stream(_ call: Int, _ events: JSON...) {
      for event in events { receive(.bytes(Array("data: ".utf8) + event.bytes + [0x0A, 0x0A]), of: call) }
    }

    /// A whole answer that is no stream.
    mutating func answer(_ call: Int, _ value: JSON) {
      begin(call, "application/json")
      receive(.bytes(value.bytes), of: call)
      receive(.ended(.complete), of: call)
    }

    var reports: [AgentEvent] {
      effects.compactMap { if case .post(.agentReported(_, let event)) = $0 { event } else { nil } }
    }
    var ends: [AgentTurnEnd] { reports.compactMap { if case .turnEnded(let end) = $0 { end } else { nil } } }
    var withdrawn: [Int] { effects.compactMap { if case .withdraw(let call) = $0 { call } else { nil } } }
    var cancelled: [Int] { effects.compactMap { if case .cancel(let call) = $0 { call } else { nil } } }
    var permissions: [PermissionRequest] {
      reports.compactMap { if case .permissionRequested(let request) = $0 { request } else { nil } }
    }
    var sent: [HTTPRequest] {
      effects.compactMap { if case .send(_, let request) = $0 { request } else { nil } }
    }
    var connections: Int { effects.count { if case .connect = $0 { true } else { false } } }
    func wasSaid(_ words: String) -> Bool {
      reports.contains { if case .status(let text) = $0 { text.contains(words) } else { false } }
    }
  }

  private static func agent(_ kind: HTTPAgentKind) throws -> HTTPAgentSpecification {
    try HTTPAgentSpecification(kind, at: "http://127.0.0.1:9#m")
  }

  private static func environment(_ attachments: AgentAttachment...) -> AgentEnvironment {
    AgentEnvironment(workingFolder: "/", executablePath: "", server: ServerEnvironment(attachments: attachments))
  }

  // A halt before anything left.

  @Test func ofWhatDidNotLeaveNothingIsSentAfterAHalt() throws {
    var driver = Driver(DuckTalkDialect(try Self.agent(.duckTalk), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.tell { $0.stop(1) }
    #expect(driver.withdrawn == [1] && driver.ends.isEmpty && !driver.wasSaid("works on"))
    driver.receive(.ended(.withdrawn), of: 1)
    #expect(driver.ends == [.cancelled])
  }

  /// The program ends while the connection is made.
  @Test(arguments: [HTTPEnd?.none, .withdrawn, .cancelled, .failed(HTTPFailure(kind: .refused, detail: ""))])
  func ofWhatDidNotLeaveNothingIsSentAfterTheEnd(_ end: HTTPEnd?) throws {
    var driver = Driver(DuckTalkDialect(try Self.agent(.duckTalk), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.tell { $0.stop(1) }
    driver.tell { $0.shutDown() }
    #expect(Set(driver.withdrawn) == [1] && driver.ends.isEmpty)
    driver.receive(end.map { .ended($0) } ?? .hasLeft, of: 1)
    let isUnconfirmed = if case .unconfirmed? = driver.ends.first { true } else { false }
    #expect(driver.ends.count == 1 && isUnconfirmed == (end == nil || end == .cancelled), "\(driver.ends)")
    #expect(driver.sent.count == 1)
  }

  /// What the user answered is taken back, but the instruction is at the server.
  @Test func whatWaitsAtTheServerAtTheEndIsUnconfirmed() throws {
    var driver = Driver(AgentToAgentDialect(try Self.agent(.agentToAgent), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, ["name": "x", "capabilities": ["streaming": true]])
    driver.begin(2)
    driver.stream(2, ["result": ["kind": "task", "id": "t", "contextId": "c", "status": ["state": "input-required"]]])
    driver.receive(.ended(.complete), of: 2)
    let question = try #require(
      driver.reports.compactMap { if case .questionAsked(let question) = $0 { question.id } else { nil } }.first)
    driver.tell { $0.decide(question, of: 1, .text(text: "blue")) }
    driver.tell { $0.shutDown() }
    #expect(driver.withdrawn.isEmpty && driver.cancelled == [3])
    guard case .unconfirmed? = driver.ends.first else {
      Issue.record("\(driver.ends)")
      return
    }
  }

  @Test func whatHasLeftIsNotTakenBack() throws {
    var driver = Driver(DuckTalkDialect(try Self.agent(.duckTalk), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.tell { $0.stop(1) }
    driver.receive(.hasLeft, of: 1)
    #expect(driver.ends.isEmpty && driver.wasSaid("cannot be told to stop and works on"))
    driver.begin(1)
    driver.stream(1, ["done": true, "session_id": "s"])
    #expect(driver.ends == [.completed])
  }

  @Test func anAnswerThatOvertakesTheHaltIsToldToStopOnce() throws {
    var driver = Driver(DuckTalkDialect(try Self.agent(.duckTalk), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.tell { $0.stop(1) }
    driver.begin(1)
    #expect(driver.wasSaid("cannot be told to stop"))
    let count = driver.effects.count
    driver.receive(.hasLeft, of: 1)
    #expect(driver.effects.count == count && driver.ends.isEmpty)
  }

  @Test(arguments: [401, 429, 503]) func whatIsRefusedAfterAHaltHasStopped(_ status: Int) throws {
    var driver = Driver(DuckTalkDialect(try Self.agent(.duckTalk), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.tell { $0.stop(1) }
    driver.receive(.hasLeft, of: 1)
    driver.receive(.ended(.refused(HTTPHead(status: status), body: [])), of: 1)
    #expect(driver.ends == [.cancelled])
  }

  @Test(arguments: [true, false]) func anOpenSocketDoesNotShowThatTheInstructionLeft(_ isOpen: Bool) throws {
    var driver = Driver(OpcodeDialect(try Self.agent(.opcode), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, ["success": true, "data": []])
    #expect(driver.connections == 1)
    if isOpen { driver.receive(.head(HTTPHead(status: 200)), of: 2) }
    driver.tell { $0.stop(1) }
    #expect(driver.withdrawn == [2] && driver.ends.isEmpty)
    driver.receive(.ended(.withdrawn), of: 2)
    #expect(driver.ends == [.cancelled])
  }

  @Test func aRunThatClaudiaNamesAfterTheHaltIsStopped() throws {
    var driver = Driver(OpcodeDialect(try Self.agent(.opcode), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, [])
    driver.receive(.head(HTTPHead(status: 200)), of: 2)
    driver.receive(.bytes(Array(#"{"type":"welcome"}"#.utf8)), of: 2)
    driver.tell { $0.stop(1) }
    #expect(driver.withdrawn == [3])
    // Its answer is there before it is found out that the request left.
    driver.answer(3, ["sessionId": "run-1"])
    #expect(driver.sent.last?.path == "/api/claude/cancel" && driver.ends.isEmpty)
  }

  @Test func aTaskWhoseAnswerDidNotLeaveIsCancelled() throws {
    var driver = Driver(AgentToAgentDialect(try Self.agent(.agentToAgent), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, ["name": "x", "capabilities": ["streaming": true]])
    driver.begin(2)
    driver.stream(
      2, ["result": ["kind": "task", "id": "t", "contextId": "c", "status": ["state": "input-required"]]])
    driver.receive(.ended(.complete), of: 2)
    let question = try #require(
      driver.reports.compactMap { if case .questionAsked(let question) = $0 { question.id } else { nil } }.first)
    driver.tell { $0.decide(question, of: 1, .text(text: "blue")) }
    driver.tell { $0.stop(1) }
    #expect(driver.withdrawn == [3])
    driver.receive(.ended(.withdrawn), of: 3)
    #expect(
      driver.ends.isEmpty
        && driver.sent.last.map { String(decoding: $0.body, as: UTF8.self) }?.contains("tasks/cancel") == true)
    driver.answer(4, ["result": ["id": "t", "status": ["state": "canceled"]]])
    #expect(driver.ends == [.cancelled])
  }

  // Decisions while the answer goes on.

  private static let asked: JSON = ["type": "tool-approval-request", "toolCallId": "t1", "approvalId": "a1"]

  private static func tool(_ id: String) -> JSON {
    ["type": "tool-input-available", "toolCallId": .string(id), "toolName": "bash", "input": ["command": "ls"]]
  }

  private static func talk() throws -> Driver<UIMessagesDialect> {
    var driver = Driver(UIMessagesDialect(.plain, try agent(.uiMessages), in: environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.begin(1)
    driver.stream(1, ["type": "start", "messageId": "m"], tool("t1"), asked)
    return driver
  }

  @Test func aDecisionWaitsForTheEndOfTheAnswer() throws {
    var driver = try Self.talk()
    driver.stream(1, Self.tool("t2"))
    driver.decide(0, .allowOnce)
    #expect(driver.sent.count == 1 && driver.cancelled.isEmpty)
    driver.stream(
      1, ["type": "tool-output-available", "toolCallId": "t2", "output": "built"], Self.tool("t3"),
      ["type": "tool-approval-request", "toolCallId": "t3", "approvalId": "a3"])
    #expect(driver.permissions.count == 2)
    driver.stream(1, ["type": "finish", "finishReason": "tool-calls"])
    driver.receive(.ended(.complete), of: 1)
    #expect(driver.sent.count == 1)
    driver.decide(1, .rejectOnce)
    #expect(driver.sent.count == 2)
    let parts = JSON(parsing: driver.sent[1].body)?["messages"]?.elements.last?["parts"]?.elements ?? []
    #expect(parts.map { $0["state"] } == ["approval-responded", "output-available", "approval-responded"])
    #expect(parts.map { $0["approval"]?["approved"] } == [true, nil, false])
  }

  @Test(arguments: [true, false]) func anEarlyDecisionIsToldAtTheEnd(_ isFinished: Bool) throws {
    var driver = try Self.talk()
    driver.decide(0, .allowOnce)
    if isFinished { driver.stream(1, ["type": "finish"]) }
    #expect(driver.sent.count == 1)
    driver.receive(.ended(.complete), of: 1)
    #expect(driver.sent.count == 2 && driver.ends.isEmpty)
  }

  /// What was done before the question stays done.
  @Test(arguments: [403, 429, 503]) func aDecisionThatIsRefusedLeavesTheWorkInDoubt(_ status: Int) throws {
    var driver = try Self.talk()
    driver.decide(0, .allowOnce)
    driver.receive(.ended(.complete), of: 1)
    driver.receive(.ended(.refused(HTTPHead(status: status), body: [])), of: 2)
    guard case .unconfirmed(let reason, true)? = driver.ends.first else {
      return #expect(Bool(false), "\(driver.ends)")
    }
    #expect(reason.contains("(\(status))") && driver.ends.count == 1)
  }

  @Test func anEarlyDecisionIsNotToldAfterAHalt() throws {
    var driver = try Self.talk()
    driver.decide(0, .allowOnce)
    driver.tell { $0.stop(1) }
    #expect(driver.ends.first?.mayGoOn == true && driver.sent.count == 1)
    driver.tell { $0.start(2, Instruction("and now")) }
    #expect(!String(decoding: driver.sent[1].body, as: UTF8.self).contains("approval-responded"))
  }

  // A halt while something is asked.

  @Test func whatOnlyEndsItsAnswerAfterAHaltHasStopped() throws {
    var driver = try Self.talk()
    driver.tell { $0.stop(1) }
    driver.stream(1, ["type": "finish-step"], ["type": "finish", "finishReason": "tool-calls"])
    driver.receive(.ended(.complete), of: 1)
    #expect(driver.ends == [.cancelled])
  }

  @Test(arguments: [true, false]) func whatWorksOnAfterAHaltHasNotStopped(_ isSeen: Bool) throws {
    var driver = try Self.talk()
    driver.stream(1, Self.tool("t2"))
    driver.tell { $0.stop(1) }
    if isSeen { driver.stream(1, ["type": "tool-output-available", "toolCallId": "t2", "output": "deployed"]) }
    driver.stream(1, ["type": "finish", "finishReason": "tool-calls"])
    driver.receive(.ended(.complete), of: 1)
    guard case .unconfirmed(let reason, nil)? = driver.ends.first else {
      Issue.record("it ended as \(driver.ends)")
      return
    }
    #expect(reason.contains("worked on after the halt") && driver.ends.count == 1)
  }

  // What is no stream.

  private static func chat(_ answer: JSON) throws -> Driver<ChatDialect> {
    var driver = Driver(try ChatDialect(try agent(.chat), in: environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, answer)
    return driver
  }

  @Test func anAnswerInOnePieceIsRead() throws {
    let driver = try Self.chat(["choices": [["message": ["content": "Done."], "finish_reason": "stop"]]])
    #expect(driver.ends == [.completed] && driver.reports.contains(.text(delta: "Done.")))
  }

  @Test(
    arguments: [
      (["error": ["message": "You have no credit left"]], "and said: You have no credit left."),
      (["hello": 1], "has another form than a stream (application/json)"),
    ] as [(JSON, String)])
  func whatIsNoStreamIsUnconfirmed(_ answer: JSON, _ words: String) throws {
    let driver = try Self.chat(answer)
    #expect(driver.ends.first?.mayGoOn == true && driver.ends.first?.words.contains(words) == true, "\(driver.ends)")
  }

  @Test func anErrorOfTheCallItselfIsAFailure() throws {
    var driver = Driver(AgentToAgentDialect(try Self.agent(.agentToAgent), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, ["name": "x", "capabilities": ["streaming": true]])
    driver.answer(2, ["jsonrpc": "2.0", "id": 1, "error": ["code": -32_602, "message": "no such call"]])
    guard case .failed(let reason)? = driver.ends.first else { return #expect(Bool(false), "\(driver.ends)") }
    #expect(reason.contains("no such call"))
  }

  @Test func aTaskThatIsCompletedWithoutAWordIsNotDone() throws {
    var driver = Driver(AgentToAgentDialect(try Self.agent(.agentToAgent), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, ["name": "x", "capabilities": ["streaming": true]])
    driver.begin(2)
    driver.stream(2, ["result": ["kind": "task", "id": "t", "contextId": "c", "status": ["state": "completed"]]])
    #expect(driver.ends == [.stopped(reason: "A2A gave an empty answer. Say it in another way.")])
  }

  @Test(arguments: ["-5", "0", "soon"]) func aWaitThatMakesNoSenseIsNotTold(_ wait: String) throws {
    let end = try Self.agent(.agentToAgent).server(nil)
      .refused(HTTPHead(status: 429, headers: ["retry-after": wait]), [], hasLeft: true)
    #expect(end.words.contains("Wait a little and repeat the instruction."), "\(end.words)")
  }

  // What comes twice.

  @Test func whatATaskRepeatsInTheEndIsSaidOnce() throws {
    var driver = Driver(AgentToAgentDialect(try Self.agent(.agentToAgent), in: Self.environment()))
    driver.tell { $0.start(1, Instruction("go")) }
    driver.answer(1, ["name": "x", "capabilities": ["streaming": true]])
    driver.begin(2)
    func artifact(_ words: String, _ isMore: Bool) -> JSON {
      [
        "result": [
          "kind": "artifact-update", "taskId": "t", "append": .bool(isMore),
          "artifact": ["artifactId": "a", "parts": [["text": .string(words)]]],
        ]
      ]
    }
    driver.stream(
      2, artifact("The answer ", false), artifact("is 42.", true),
      [
        "result": [
          "kind": "task", "id": "t", "status": ["state": "completed"],
          "artifacts": [
            ["artifactId": "a", "parts": [["text": "The answer is 42."]]],
            ["artifactId": "b", "parts": [["text": "More."]]],
          ],
        ]
      ])
    let said = driver.reports.compactMap { if case .text(let delta) = $0 { delta } else { nil } }
    #expect(said == ["The answer ", "is 42.", "More."] && driver.ends == [.completed])
  }

  @Test func noPageIsAskedForTwiceAndNoneForEver() {
    var pages = ListedPages()
    #expect(pages.admits("") && pages.admits("next") && !pages.admits("next"))
    let admitted = (0..<100_000).count { pages.admits("page \($0)") }
    #expect(admitted == ConverseLimits.listedPages - 2)
  }

  // What is refused before anything is sent.

  @Test(arguments: ["gemini-mobile:http://127.0.0.1:9#small", "gemini-mobile:http://127.0.0.1:9"])
  func aConversationKeepsItsModel(_ text: String) throws {
    var environment = AgentEnvironment(workingFolder: "/", executablePath: "/bin/false")
    let agent = try AgentSpecification(parsing: text)
    if !text.contains("#") { environment.model = "small" }
    _ = try agent.makeAgent(in: environment) { _ in }
    environment.start = .resume(AgentSessionID(rawValue: "c1"))
    let refusal = #expect(throws: AgentError.self) { _ = try agent.makeAgent(in: environment) { _ in } }
    #expect(refusal?.description.contains("it cannot go on with “small”") == true)
  }

  @Test(arguments: ["/regenerate", "/branches", "/switch 1"]) func aCommandTakesNoFile(_ command: String) throws {
    let file = AgentAttachment(name: "a.png", "image/png", Data([1]))
    var driver = Driver(try ChatDialect(try Self.agent(.chat), in: Self.environment(file)))
    driver.tell { $0.start(1, Instruction(command)) }
    #expect(driver.ends.first?.words.contains("says nothing that a file could go with") == true && driver.sent.isEmpty)
  }
}
