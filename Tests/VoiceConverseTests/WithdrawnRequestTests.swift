import Testing
import VoiceTesting
import VoiceVocabulary
import VoiceWebSocket

@testable import VoiceConverse

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A halt while the connection is made: nothing of the instruction leaves any more, and only then "stopped" is said.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct WithdrawnRequestTests {
  /// How the user puts an end to it.
  enum Stop: CaseIterable { case halt, quit, quitWithoutHalt }

  @Test(arguments: [HTTPKind.duckTalk, .mobile, .pageSpace, .uiMessages, .better, .chat], Stop.allCases)
  func whatEndsBeforeTheConnectionIsThereTakesTheInstructionBack(_ kind: HTTPKind, _ stop: Stop) async throws {
    let listener = SilentListener()
    let folder = try TemporaryFolder()
    let journal = Journal()
    var environment = AgentEnvironment(
      workingFolder: "/home/dev/project", executablePath: "/bin/false",
      server: ServerEnvironment(
        conversationsFolder: folder.path, newSession: AgentSessionID(rawValue: "new-1")))
    // Otherwise something else is asked first.
    if kind == .mobile { environment.start = .resume(AgentSessionID(rawValue: "c1")) }
    if kind == .chat { environment.model = "small-model" }
    let agent = try kind.specification("https://127.0.0.1:\(listener.port)").makeAgent(
      in: environment, post: journal.post)
    func check(_ agent: some ConverseAgent) async throws {
      try await withAgent(agent) {
        agent.startRun(1, Instruction("hello"))
        try await listener.wait()
        if stop != .quitWithoutHalt { agent.cancelRun(1) }
        if stop != .halt { agent.shutDown() }
        #expect(await journal.end(of: 1) == .cancelled)
        #expect(!journal.reports(of: 1).contains { if case .status = $0 { true } else { false } })
      }
    }
    try await check(agent)
  }

  @Test func whatASocketHasIsNotTakenBack() async throws {
    let echo = try WebSocketListener { connection, event in
      if case .message = event { connection.send(OutgoingMessage(text: "taken")) }
    }
    defer { echo.stop() }
    let silent = SilentListener()
    let service = try WebSocketService()
    defer { service.stop() }
    func connect(_ port: Int) throws -> (WebSocketConnection, VoiceTesting.Journal<WebSocketEvent>) {
      let events = VoiceTesting.Journal<WebSocketEvent>()
      let connection = service.connect(
        WebSocketRequest(address: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)"))
      ) { events.append($1) }
      connection.send(OutgoingMessage(text: "hello"))
      return (connection, events)
    }
    let (open, answers) = try connect(echo.port)
    #expect(await answers.wait { $0.contains { if case .message = $0 { true } else { false } } })
    #expect(!open.withdraw())
    let (opening, events) = try connect(silent.port)
    try await silent.wait()
    #expect(opening.withdraw())
    #expect(await events.wait { $0 == [.closed(closure: .local)] })
  }
}
