import Testing
import VoiceConverse
import VoiceJSON
import VoiceVocabulary

/// What an agent asks that is not known here: it is refused, and the user is told.
struct UnknownRequestTests {
  private typealias Driver<Dialect: ChildDialect> = OwnTurnTests.Driver<Dialect>

  private static func opened<Dialect: ChildDialect>(_ name: String, _ answers: JSON...) -> Driver<Dialect> {
    var driver = Driver<Dialect>(name)
    driver.tell { $0.open() + $0.launched() }
    for answer in answers { driver.receive(answer) }
    return driver
  }

  private static func acp() -> Driver<ACPDialect> {
    opened("acp", ["id": 1, "result": ["protocolVersion": 1]], ["id": 2, "result": ["sessionId": "s"]])
  }

  private static func claude() -> Driver<ClaudeDialect> {
    opened("claude", ["type": "control_response", "response": ["subtype": "success", "response": [:]]])
  }

  private static func codex() -> Driver<CodexDialect> {
    opened(
      "codex", ["id": 1, "result": [:]], ["id": 2, "result": ["thread": ["id": "t"], "approvalPolicy": "untrusted"]])
  }

  /// A request of each of the three.
  private static func request(_ id: Int, _ method: String) -> JSON {
    ["id": .integer(id), "method": .string(method), "params": ["sessionId": "s", "threadId": "t", "turnId": "a"]]
  }

  private static func control(_ id: Int, _ subtype: String) -> JSON {
    [
      "type": "control_request", "request_id": .string("r\(id)"), "request": ["subtype": .string(subtype)],
    ]
  }

  private static func told(_ driver: Driver<some ChildDialect>, of run: RunID) -> [String] {
    driver.reports(of: run).compactMap { if case .status(let text) = $0 { text } else { nil } }
  }

  private static func sentence(_ name: String, _ method: String) -> String {
    "\(name) asked for “\(method)”, which Parley does not support, and was refused. If it is needed, "
      + "tell the agent how to go on without, or use its own terminal."
  }

  @Test func isToldInTheRunOncePerMethod() {
    var acp = Self.acp()
    acp.say(1)
    acp.receive(Self.request(7, "elicitation/create"), Self.request(8, "elicitation/create"))
    acp.receive(Self.request(9, "terminal/create"))
    #expect(acp.sent.suffix(3).map { $0["error"]?["code"] } == [-32601, -32601, -32601])
    let ofACP = ["elicitation/create", "terminal/create"].map { Self.sentence("acp", $0) }
    #expect(Self.told(acp, of: 1) == ofACP)

    var claude = Self.claude()
    claude.say(1)
    claude.receive(Self.control(7, "request_dialog"), Self.control(8, "request_dialog"))
    #expect(claude.sent.suffix(2).map { $0["response"]?["subtype"] } == ["error", "error"])
    #expect(Self.told(claude, of: 1) == [Self.sentence("Claude Code", "request_dialog")])

    var codex = Self.codex()
    codex.say(1)
    codex.receive(["id": codex.sent.last?["id"] ?? .null, "result": ["turn": ["id": "a"]]])
    codex.receive(Self.request(7, "item/tool/call"), Self.request(8, "item/tool/call"))
    #expect(codex.sent.suffix(2).map { $0["error"]?["code"] } == [-32601, -32601])
    #expect(Self.told(codex, of: 1) == [Self.sentence("Codex", "item/tool/call")])
  }

  @Test func isToldWithTheNextRunWhereNoneGoesOn() {
    var acp = Self.acp()
    acp.receive(Self.request(7, "_vendor/login"))
    acp.say(1)
    #expect(Self.told(acp, of: 1) == [Self.sentence("acp", "_vendor/login")])

    var claude = Self.claude()
    claude.receive(Self.control(7, "request_dialog"))
    claude.say(1)
    #expect(Self.told(claude, of: 1) == [Self.sentence("Claude Code", "request_dialog")])

    // One that names no thread.
    var codex = Self.codex()
    codex.receive(["id": 7, "method": "account/chatgptAuthTokens/refresh", "params": [:]])
    #expect(codex.sent.last?["error"]?["code"] == -32601)
    codex.say(1)
    #expect(Self.told(codex, of: 1) == [Self.sentence("Codex", "account/chatgptAuthTokens/refresh")])
  }

  @Test func ofAHelperIsRefusedOnceAndBeginsNothing() {
    var codex = Self.codex()
    let ask: JSON = ["id": 7, "method": "item/tool/call", "params": ["threadId": "helper"]]
    codex.receive(ask)
    #expect(codex.begun.isEmpty)
    codex.say(1)
    codex.receive(["id": codex.sent.last?["id"] ?? .null, "result": ["turn": ["id": "a"]]], ask)
    codex.receive([
      "method": "turn/completed", "params": ["threadId": "t", "turn": ["id": "a", "status": "completed"]],
    ])
    #expect(codex.sent.filter { $0["id"] == 7 }.count == 2 && codex.end(of: 1) == .completed)
    #expect(Self.told(codex, of: 1) == [Self.sentence("Codex", "item/tool/call")])
  }

  @Test func withEverNewNamesIsNoFlood() {
    var acp = Self.acp()
    acp.say(1)
    for number in 1...200 { acp.receive(Self.request(number + 10, "_vendor/\(number)")) }
    #expect(acp.sent.filter { $0["error"] != nil }.count == 200)
    #expect(Self.told(acp, of: 1).count == 10)
    #expect(Self.told(acp, of: 1).last?.contains("Further requests of that kind are refused silently.") == true)
  }

  @Test func aPermissionWithNothingToChooseFromIsToldToo() {
    var acp = Self.acp()
    acp.say(1)
    acp.receive([
      "id": 7, "method": "session/request_permission",
      "params": ["sessionId": "s", "toolCall": ["toolCallId": "t", "title": "run"], "options": []],
    ])
    #expect(acp.sent.last?["result"]?["outcome"]?["outcome"] == "cancelled")
    #expect(
      Self.told(acp, of: 1) == ["acp asks for permission without an answer that could be chosen, and was refused."])
  }
}
