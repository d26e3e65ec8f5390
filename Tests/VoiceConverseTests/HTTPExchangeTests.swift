import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// What is read of a server's answers, without a server.
struct HTTPExchangeTests {
  private static func mobile() throws -> MobileDialect {
    MobileDialect(
      try HTTPAgentSpecification(.geminiMobile, at: "http://127.0.0.1:9"),
      in: AgentEnvironment(workingFolder: "/work", executablePath: ""))
  }

  /// What comes of the first request to a server that answers it so.
  private func opening(_ status: Int, _ body: JSON) throws -> VoiceEvent {
    var exchange = HTTPExchange(try Self.mobile())
    let call = try #require(exchange.open().compactMap { if case .send(let call, _) = $0 { call } else { nil } }.first)
    let head = HTTPHead(status: status, headers: ["content-type": "application/json"])
    let effects = exchange.receive(.ended(.refused(head, body: body.bytes)), of: call)
    return try #require(effects.compactMap { if case .post(let event) = $0 { event } else { nil } }.first)
  }

  /// Releases differ in what they know, and a run needs other calls.
  @Test(arguments: [(400, true), (404, true), (405, true), (401, false), (403, false), (422, false), (500, false)])
  func aServerThatDoesNotKnowTheFirstRequestIsThere(_ status: Int, _ isThere: Bool) throws {
    let event = try opening(status, ["message": "no"])
    let isReady = if case .agentReady = event { true } else { false }
    #expect(isReady == isThere, "\(event)")
  }

  /// What the opening sets holds for the first instruction, too.
  @Test(arguments: [true, false]) func anInstructionWaitsForTheOpening(_ isThere: Bool) throws {
    var exchange = HTTPExchange(try Self.mobile())
    func calls(_ effects: [HTTPExchange<MobileDialect>.Effect]) -> [Int] {
      effects.compactMap { if case .send(let call, _) = $0 { call } else { nil } }
    }
    let probe = try #require(calls(exchange.open()).first)
    #expect(exchange.start(1, Instruction("work")).isEmpty)
    let head = HTTPHead(status: isThere ? 404 : 401, headers: ["content-type": "application/json"])
    let effects = exchange.receive(.ended(.refused(head, body: [])), of: probe)
    #expect(calls(effects).count == (isThere ? 1 : 0))
    let isEnded = effects.contains {
      if case .post(.agentReported(1, .turnEnded(.failed))) = $0 { true } else { false }
    }
    #expect(isEnded == !isThere)
  }

  /// What wraps the words.
  enum Wrapper: String, CaseIterable {
    case list, text, field

    func around(_ words: JSON) -> JSON {
      switch self {
      case .list: [words]
      case .text: .string(String(decoding: ([words] as JSON).bytes, as: UTF8.self))
      case .field: ["field": [words]]
      }
    }
  }

  /// Nobody is told of what stands behind so many brackets, and none of them may fill the stack.
  @Test(arguments: Wrapper.allCases) func wordsAreLookedForBehindAFewBracketsOnly(_ wrapper: Wrapper) throws {
    for (count, isTold) in [(2, true), (6, false)] {
      var words: JSON = "too long"
      for _ in 0..<count { words = wrapper.around(words) }
      let event = try opening(422, ["error": wrapper == .list ? [[words]] : words])
      guard case .agentUnavailable(let reason) = event else {
        Issue.record("\(event)")
        continue
      }
      #expect(reason.contains("did not take the request (422).") && reason.contains("too long") == isTold, "\(reason)")
    }
  }

  private static func reports(_ turn: inout HTTPTurn) -> [AgentEvent] {
    turn.takeSteps().compactMap { if case .report(let event) = $0 { event } else { nil } }
  }

  /// The server names no call, only the tool.
  @Test func twoCallsOfOneToolAreTwo() throws {
    var (dialect, turn) = (try Self.mobile(), HTTPTurn())
    func receive(_ name: String, _ data: String) {
      dialect.received(ServerSentEvent(name: name, data: data), &turn)
    }
    for path in ["a.txt", "b.txt"] {
      receive("tool-call", #"{"toolName":"read_file","args":{"path":"\#(path)"}}"#)
    }
    for status in ["failed", "completed"] {
      receive("tool-result", #"{"toolName":"read_file","status":"\#(status)"}"#)
    }
    let events = Self.reports(&turn)
    let started = events.compactMap { if case .toolStarted(let tool) = $0 { tool.id } else { nil } }
    #expect(Set(started).count == 2)
    let finished = events.compactMap {
      if case .toolFinished(let id, let outcome) = $0 { started.firstIndex(of: id).map { ($0, outcome) } } else { nil }
    }
    #expect(finished.map(\.0) == [0, 1] && finished.map(\.1) == [.failed, .completed])
  }

  /// What cannot be shown whole cannot be approved.
  @Test(arguments: [(0, nil), (1, 1)] as [(Int, Int?)])
  func anActIsWholeUpToTheLimit(_ more: Int, _ unseen: Int?) throws {
    var turn = HTTPTurn()
    let command = String(repeating: "x", count: ConverseLimits.detailCharacters + more)
    turn.tool("t", ["kind": "execute", "rawInput": ["command": .string(command)]])
    turn.permission(PermissionID(rawValue: "p"), tool: "t")
    let requests = Self.reports(&turn).compactMap { if case .permissionRequested(let it) = $0 { it } else { nil } }
    #expect(try #require(requests.first).unseenCharacters == unseen)
  }

  /// What a server that has lost its mind calls is not remembered without end.
  @Test func aRunHasAsManyToolsAsTheLimit() {
    var turn = HTTPTurn()
    for number in 0...ConverseLimits.toolsInRun { turn.tool("\(number)", ["kind": "read"]) }
    let count = Self.reports(&turn).count { if case .toolStarted = $0 { true } else { false } }
    #expect(count == ConverseLimits.toolsInRun)
  }

  /// A token goes there without encryption, and past any proxy.
  @Test(arguments: [
    ("unix:/run/agent.sock", true), ("http://localhost:8000", true), ("http://127.0.0.1", true),
    ("http://[::1]:8000", true), ("http://127.example.com", false), ("http://10.0.0.2:8000", false),
    ("https://localhost.example.com", false),
  ])
  func whatStaysOnThisMachineIsKnown(_ text: String, _ isLocal: Bool) throws {
    #expect(try #require(HTTPAddress(text)).isLocal == isLocal)
  }

  @Test(arguments: [(0, true), (1, false)]) func anAnswerMayBeAsLongAsTheLimit(_ more: Int, _ isTaken: Bool) {
    var call = HTTPCall(number: 1, reader: .whole([]))
    let outcomes = [ConverseLimits.answerBytes - 1, 1 + more].map {
      call.take(.bytes([UInt8](repeating: 0x20, count: $0)))
    }
    let isMore = outcomes.map { if case .more = $0 { true } else { false } }
    #expect(isMore == [true, isTaken])
  }

  /// In the list of sessions of a server, and of those kept here.
  @Test(arguments: [(80, 80), (81, 80)]) func aTitleIsNoLongerThanALine(_ count: Int, _ told: Int) throws {
    let words = String(repeating: "x", count: count)
    let folder = try TemporaryFolder()
    let store = ConversationStore(folder: folder.path)
    var tree = MessageTree()
    tree.add(.user, [["text": .string(words)]])
    let record = ConversationRecord(
      conversation: AgentSessionID(rawValue: "c"), lines: tree.messages.map(MessageTree.line))
    try store.append(record)
    let titles = [
      HTTPSessions.summary(["id": "a", "name": .string(words)], title: ["name"], updated: [])?.title,
      store.list().first?.title,
    ]
    for title in titles { #expect(title?.count == told && title?.hasSuffix("…") == (count > told)) }
  }

  /// Whatever a session goes on from: words of the user are said anew, so the next instruction follows what stands before them.
  @Test(arguments: [("u1", nil), ("a2", "a2"), ("r3", "r3"), ("u4", "r3"), ("a5", "a5")] as [(String, String?)])
  func duckTalkGoesBackToAMessage(_ message: String, _ leaf: String?) throws {
    var environment = AgentEnvironment(workingFolder: "/", executablePath: "")
    environment.start = .fork(AgentSessionID(rawValue: "s"), at: message)
    var dialect = DuckTalkDialect(try HTTPAgentSpecification(.duckTalk, at: "http://127.0.0.1:9"), in: environment)
    #expect(dialect.opened([:]) != .ready)
    let messages: JSON = [
      ["uuid": "u1", "role": "user", "content": [["type": "text", "text": "fix it"]]],
      ["uuid": "a2", "role": "assistant", "content": [["type": "tool_use"]]],
      ["uuid": "r3", "role": "user", "content": [["type": "tool_result"]]],
      ["uuid": "u4", "role": "user", "content": "and test it"],
      ["uuid": "a5", "role": "assistant", "content": [["type": "text", "text": "Done."]]],
    ]
    #expect(dialect.opened(messages) == .ready)
    var turn = HTTPTurn()
    dialect.start(Instruction("go"), &turn)
    let steps = turn.takeSteps()
    let body = steps.compactMap { if case .stream(let request) = $0 { JSON(parsing: request.body) } else { nil } }.first
    #expect(body?["leaf_uuid"]?.string == leaf && body?["session_id"]?.string == leaf.map { _ in "s" })
    let remark = "The session begins anew, in the place of its first message."
    #expect(steps.contains(.report(.status(text: remark))) == (leaf == nil))
  }

  private static let lines = ["Hi.", "There."].map {
    #"{"type":"assistant","message":{"id":"\#($0)","content":[{"type":"text","text":"\#($0)"}]}}"#
  }

  private static let printed: [(pieces: [String], said: String)] = [
    ([lines[0]], "Hi."),
    ([lines[0] + "\n"], "Hi."),
    ([String(lines[0].prefix(9)), String(lines[0].dropFirst(9))], "Hi."),
    ([lines[0] + "\n" + lines[1]], "Hi.There."),
    ([lines[0] + "\n" + lines[1].prefix(5), lines[1].dropFirst(5) + "\n"], "Hi.There."),
    (["Cloning\n" + lines[0] + "\n"], "Cloning\nHi."),
    (["a\n\nb"], "a\n\nb"),
    (["{so\n"], "{so\n"),
    (["{so", " be it"], "{so be it"),
    (["[1]\n", "2"], "[1]\n2"),
  ]

  /// Lines of Claude Code, or words for people, in whatever pieces.
  @Test(arguments: printed)
  func whatOpcodePrintsIsReadInWhateverPieces(_ pieces: [String], _ said: String) throws {
    var dialect = OpcodeDialect(
      try HTTPAgentSpecification(.opcode, at: "http://127.0.0.1:9"),
      in: AgentEnvironment(workingFolder: "/", executablePath: ""))
    var turn = HTTPTurn()
    dialect.start(Instruction("go"), &turn)
    dialect.answered(["success": true, "data": []], &turn)
    for piece in pieces {
      let output: JSON = ["type": "output", "content": .string(piece)]
      dialect.received(ServerSentEvent(data: String(decoding: output.bytes, as: UTF8.self)), &turn)
    }
    dialect.received(ServerSentEvent(data: #"{"type":"completion","status":"success"}"#), &turn)
    let steps = turn.takeSteps()
    let texts = steps.compactMap { if case .report(.text(let delta)) = $0 { delta } else { nil } }
    #expect(texts.joined() == said && steps.contains(.end(.completed)))
  }
}
