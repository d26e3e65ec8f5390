import Testing
import VoiceFoundation
import VoiceJSON
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The scripted servers of all HTTP agents, in one child process.
struct HTTPTestServer: Sendable {
  let base: String
  let folder: TemporaryFolder

  /// One request that the server got.
  struct Seen: Sendable {
    let method: String
    let path: String
    let body: JSON
  }

  /// What it was asked so far, in order.
  var seen: [Seen] {
    guard let log = FileManager.default.contents(atPath: folder.path + "/log") else { return [] }
    return log.split(separator: 0x0A).compactMap { JSON(parsing: $0) }.map {
      Seen(method: $0["method"]?.string ?? "", path: $0["path"]?.string ?? "", body: $0["body"] ?? .null)
    }
  }

  /// What was kept of the conversations.
  var kept: String {
    let files = FileManager.default
    func inside(_ folder: String) -> [String] { files.names(in: folder).map { "\(folder)/\($0)" } }
    return inside(folder.path + "/conversations").flatMap(inside).compactMap { files.contents(atPath: $0) }
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  /// How often an instruction with these words came.
  func count(of words: String) -> Int {
    // A new conversation of the mobile API has the words as its title.
    seen.filter {
      ["POST", "SOCKET"].contains($0.method) && $0.path != "/api/v1/conversations"
        && String(decoding: $0.body.bytes, as: UTF8.self).contains("\"\(words)\"")
    }.count
  }

  static func run(
    _ arguments: [String] = [], script: String = "http_agents.py",
    _ body: @Sendable (HTTPTestServer) async throws -> Void
  ) async throws {
    try #require(Fixtures.ignoresBrokenPipes)
    let folder = try TemporaryFolder()
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let outbox = Outbox()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let command = ChildCommand(
          executable: Fixtures.python,
          arguments: [Fixtures.tests + "/servers/" + script, "--log", folder.path + "/log"] + arguments,
          workingFolder: folder.path)
        _ = await ChildProcess(command).run(outbox: outbox) { event in
          if case .output(.line(let line)) = event { continuation.yield(String(decoding: line, as: UTF8.self)) }
          if case .outputEnded = event { continuation.finish() }
        }
      }
      defer { outbox.finish() }
      var port: Int?
      for await line in lines {
        port = Int(line)
        break
      }
      let scheme = arguments.contains("--certificate") ? "https" : "http"
      let base =
        arguments.contains("--unix")
        ? "unix:\(folder.path)/socket" : "\(scheme)://127.0.0.1:\(try #require(port))"
      try await body(HTTPTestServer(base: base, folder: folder))
    }
  }
}

/// One of the servers, as a test speaks with it.
enum HTTPKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case duckTalk = "duck-talk"
  case mobile = "gemini-mobile"
  case pageSpace = "page-space"
  case uiMessages = "ui-messages"
  case better
  case chat
  case opcode
  case claudia
  case agentToAgent = "a2a"
  case oldAgentToAgent = "a2a-old"

  var testDescription: String { rawValue }

  func specification(_ base: String) throws -> AgentSpecification {
    let place =
      switch self {
      case .duckTalk, .mobile, .opcode: base
      case .pageSpace: base + "#page-1"
      case .uiMessages: base + "/ui"
      case .better: base + "#gemini-test"
      case .chat: base + "/v1"
      case .agentToAgent, .oldAgentToAgent, .claudia: base + "/" + rawValue
      }
    let kind: HTTPKind =
      switch self {
      case .oldAgentToAgent: .agentToAgent
      case .claudia: .opcode
      default: self
      }
    return try AgentSpecification(parsing: "\(kind.rawValue):\(place)")
  }

  /// Run an agent of this kind against a server while the body runs.
  func withAgent(
    _ server: HTTPTestServer, _ change: (inout AgentEnvironment) -> Void = { _ in }, preferredMode: String? = nil,
    _ body: (any ConverseAgent, Journal) async throws -> Void
  ) async throws {
    let journal = Journal()
    var environment = AgentEnvironment(
      workingFolder: "/home/dev/project", executablePath: "/bin/false", preferredMode: preferredMode,
      server: ServerEnvironment(
        conversationsFolder: server.folder.path + "/conversations", newSession: AgentSessionID(rawValue: "new-1")))
    change(&environment)
    let agent = try specification(server.base).makeAgent(in: environment, post: journal.post)
    try await run(agent) { try await body(agent, journal) }
  }

  /// The same, with everything that is posted.
  func withAgent(
    _ server: HTTPTestServer, post: @escaping @Sendable (VoiceEvent) -> Void,
    _ body: (any ConverseAgent) async throws -> Void
  ) async throws {
    let environment = AgentEnvironment(
      workingFolder: "/home/dev/project", executablePath: "/bin/false",
      server: ServerEnvironment(
        conversationsFolder: server.folder.path + "/conversations", newSession: AgentSessionID(rawValue: "new-1")))
    let agent = try specification(server.base).makeAgent(in: environment, post: post)
    try await run(agent) { try await body(agent) }
  }

  private func run(_ agent: some ConverseAgent, _ body: () async throws -> Void) async throws {
    try await VoiceConverseTests.withAgent(agent, body)
  }

  /// Those that tell of tools and how they ended.
  static let withTools: [HTTPKind] = [.duckTalk, .mobile, .pageSpace, .uiMessages]
  /// Those whose server confirms that it stopped.
  static let confirming: [HTTPKind] = [.mobile, .pageSpace, .claudia, .agentToAgent, .oldAgentToAgent]
  /// Those whose server works on whatever becomes of the connection, which is therefore kept.
  static let watched: [HTTPKind] = [.duckTalk, .opcode]
  /// One of each kind that the program knows.
  static let ofEachKind = HTTPAgentKind.all.compactMap { HTTPKind(rawValue: $0.name) }
  static let withoutUsage: [HTTPKind] = [.agentToAgent, .oldAgentToAgent]
  /// Those whose server speaks in events of a stream.
  static let streams = allCases.filter { $0 != .opcode && $0 != .claudia }
  /// Whether its server gives an answer a few letters at a time where it is told to.
  var spells: Bool { Self.streams.contains(self) }
}

extension MessageTree {
  /// The alternatives to a message, itself among them, in the order in which they were written.
  func siblings(of id: Int) -> [Message] {
    messages.filter { contains(id) && $0.parent == messages[id - 1].parent }
  }
}
