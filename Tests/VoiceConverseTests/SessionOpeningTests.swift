import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// What an agent is asked for when a session is gone on with, copied, or gone back in: a copy that was not asked for as one would
/// change the session that it is of.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SessionOpeningTests {
  private static let earlier = AgentSessionID(rawValue: "earlier")

  /// The command line that opens such a session.
  private static func arguments(_ name: String, _ start: AgentSessionStart) throws -> [String] {
    let agent = try #require(ChildAgentSpecification.preset(name))
    let environment = AgentEnvironment(workingFolder: "/work", executablePath: "/bin/false")
    return agent.command(agent.settings(in: environment), start: start, in: environment).arguments
  }

  @Test func claudeCodeIsToldByItsArguments() throws {
    func sessions(_ start: AgentSessionStart) throws -> [String] {
      try Self.arguments("claude", start).filter { $0.contains("resume") || $0.contains("fork") }
    }
    #expect(try sessions(.new) == [])
    #expect(try sessions(.resume(Self.earlier)) == ["--resume=earlier"])
    #expect(try sessions(.fork(Self.earlier, at: nil)) == ["--resume=earlier", "--fork-session"])
    #expect(
      try sessions(.fork(Self.earlier, at: "m"))
        == ["--resume=earlier", "--fork-session", "--resume-session-at=m"])
  }

  @Test func codexOfOneTurnIsToldByItsArguments() throws {
    let arguments = try Self.arguments("codex-exec", .resume(Self.earlier))
    #expect(arguments.prefix(2) == ["exec", "resume"] && arguments.suffix(2) == ["earlier", "-"])
    #expect(!(try Self.arguments("codex-exec", .new)).contains("resume"))
  }

  /// The call that opened a session, and the one with an instruction behind it.
  private static func calls(
    _ agent: ChildAgentSpecification, _ start: AgentSessionStart
  ) async throws -> (opening: JSON?, prompt: JSON?) {
    let traffic = VoiceTesting.Journal<WireFrame>()
    try await withChild(
      agent,
      {
        $0.start = start
        $0.traffic = WireTap("agent") { traffic.append($1) }
      },
      { agent, journal in
        agent.openAgent()
        #expect(await journal.ready() != nil)
        agent.startRun(1, Instruction("text"))
        #expect(await journal.end(of: 1) == .completed)
      })
    let sent = traffic.all.filter(\.isSent).compactMap { JSON(parsing: $0.bytes) }
    func first(_ verbs: [String]) -> JSON? {
      sent.first { message in verbs.contains(message["method"]?.string ?? "") }
    }
    return (
      first(["session/new", "session/load", "session/resume", "session/fork"])
        ?? first(["thread/start", "thread/resume", "thread/fork"]), first(["session/prompt", "turn/start"])
    )
  }

  @Test(arguments: [
    (AgentSessionStart.new, "session/new", nil, "session-1"),
    (.resume(earlier), "session/resume", "earlier", "earlier"),
    (.fork(earlier, at: nil), "session/fork", "earlier", "session-9"),
  ])
  func anACPAgentIsAskedByACall(
    _ start: AgentSessionStart, _ method: String, _ named: String?, _ open: String
  ) async throws {
    let (opening, prompt) = try await Self.calls(
      ChildAgentSpecification(
        name: "scripted", language: .acp, executable: Fixtures.python,
        arguments: [Fixtures.scriptedAgent, "--sessions"]), start)
    #expect(opening?["method"]?.string == method && opening?["params"]?["sessionId"]?.string == named)
    // The instruction goes into the copy.
    #expect(prompt?["params"]?["sessionId"]?.string == open)
  }

  @Test(arguments: [
    (AgentSessionStart.resume(earlier), "another"), (.fork(earlier, at: nil), "earlier"), (.resume(earlier), "earlier"),
    (.fork(earlier, at: nil), "another"), (.new, "another"),
  ])
  func whatIsOpenedMustBeWhatWasAskedFor(_ start: AgentSessionStart, _ opened: String) {
    let isWanted = start == .new || (start == .resume(Self.earlier)) == (opened == "earlier")
    var settings = ChildSettings(name: "agent", workingFolder: "/work")
    settings.start = start
    var acp = ChildSession<ACPDialect>(settings: settings)
    var effects = acp.open() + acp.launched()
    let able: JSON = [
      "protocolVersion": 1, "agentCapabilities": ["sessionCapabilities": ["resume": [:], "fork": [:]]],
    ]
    for message: JSON in [["id": 1, "result": able], ["id": 2, "result": ["sessionId": .string(opened)]]] {
      effects += acp.receive(JSON.object(message.members.merging(["jsonrpc": "2.0"]) { $1 }).bytes)
    }
    var codex = ChildSession<CodexDialect>(settings: settings)
    effects += codex.open() + codex.launched()
    for message: JSON in [["id": 1, "result": [:]], ["id": 2, "result": ["thread": ["id": .string(opened)]]]] {
      effects += codex.receive(message.bytes)
    }
    let answers = effects.compactMap { if case .post(let event) = $0 { event } else { nil } }
    let ready = answers.filter { if case .agentReady = $0 { true } else { false } }
    let unusable = answers.filter {
      if case .agentUnavailable(let why) = $0 { why.contains("nothing was sent") } else { false }
    }
    #expect(ready.count == (isWanted ? 2 : 0) && unusable.count == (isWanted ? 0 : 2), "\(answers)")
  }

  @Test(arguments: [HTTPKind.duckTalk, .mobile, .pageSpace, .opcode, .agentToAgent, .oldAgentToAgent])
  func aServerIsToldWhichSessionIsGoneOnWith(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server, { $0.start = .resume(Self.earlier) }) { agent, journal in
        agent.startRun(1, Instruction("hello"))
        #expect(await journal.end(of: 1) == .completed)
      }
      let request = try #require(server.seen.last { ["POST", "SOCKET"].contains($0.method) })
      #expect((request.path + String(decoding: request.body.bytes, as: UTF8.self)).contains(Self.earlier.rawValue))
    }
  }

  @Test(arguments: [
    (AgentSessionStart.new, "thread/start", nil, nil), (.resume(earlier), "thread/resume", "earlier", nil),
    (.fork(earlier, at: nil), "thread/fork", "earlier", nil), (.fork(earlier, at: "t"), "thread/fork", "earlier", "t"),
  ])
  func codexIsAskedByACall(
    _ start: AgentSessionStart, _ method: String, _ named: String?, _ message: String?
  ) async throws {
    let (opening, _) = try await Self.calls(ConformanceTests.specification(.codex), start)
    #expect(opening?["method"]?.string == method && opening?["params"]?["threadId"]?.string == named)
    #expect(opening?["params"]?["lastTurnId"]?.string == message)
  }
}
