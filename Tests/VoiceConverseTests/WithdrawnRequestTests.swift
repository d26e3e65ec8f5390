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
  /// Takes connections, and never says a word: no TLS and no WebSocket comes about with it.
  private final class SilentListener {
    let port: Int
    private let descriptor: Int32

    init() {
      #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
      #else
        let stream = SOCK_STREAM
      #endif
      descriptor = socket(AF_INET, stream, 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      port = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          precondition(
            bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &size) == 0)
        }
        return Int(UInt16(bigEndian: pointer.pointee.sin_port))
      }
    }

    deinit { close(descriptor) }

    /// Wait for somebody to come.
    func wait() async throws {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try await waitUntil { poll(&polled, 1, 0) == 1 }
    }
  }

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
