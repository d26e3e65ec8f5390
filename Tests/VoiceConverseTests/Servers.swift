import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Programs and recordings beside the tests.
enum Fixtures {
  static let tests = String(#filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined())
  static let scriptedAgent = tests + "/servers/scripted_acp_agent.py"
  /// Claude Code and Codex.
  static let scriptedAgents = tests + "/servers/scripted_agents.py"
  /// The system's own where there is one: a wrapper on the path may take longer to start than the test.
  static let python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3"
  static let recordings = tests + "/recordings"

  /// The executable does this first thing; so must a test that writes to a process which may be dead.
  static let ignoresBrokenPipes: Bool = {
    _ = signal(SIGPIPE, SIG_IGN)
    return true
  }()
}

/// Run an agent beside a test body and end it; fails if it does not end.
func withAgent(_ agent: some ConverseAgent, _ body: () async throws -> Void) async throws {
  try #require(Fixtures.ignoresBrokenPipes)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { await agent.run() }
    do {
      try await body()
    } catch {
      agent.shutDown()
      throw error
    }
    agent.shutDown()
    try await group.waitForAll()
  }
}

/// The same for an agent whose type is not known.
func runAgent(_ agent: any ConverseAgent, _ body: () async throws -> Void) async throws {
  try await withAgent(agent, body)
}

/// Run an agent of this kind, in a folder of its own, beside a test body; `make` puts something around it.
func withChild(
  _ specification: ChildAgentSpecification, _ change: (inout AgentEnvironment) -> Void = { _ in },
  make: (AgentSpecification, AgentEnvironment, @escaping @Sendable (VoiceEvent) -> Void) throws -> any ConverseAgent = {
    try $0.makeAgent(in: $1, post: $2)
  },
  _ body: (any ConverseAgent, Journal) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let journal = Journal()
  var environment = ConformanceTests.environment(folder)
  change(&environment)
  let agent = try make(.child(specification), environment, journal.post)
  try await runAgent(agent) { try await body(agent, journal) }
}

/// Run it as the program does: it can go on in another of its sessions.
func withSwitchable(
  _ specification: ChildAgentSpecification, _ body: (any ConverseAgent, Journal) async throws -> Void
) async throws {
  try await withChild(
    specification,
    make: { whole, environment, post in
      let files = ApprovalFiles(workingFolder: environment.workingFolder)
      return try SwitchableAgent(
        start: .new, sessions: whole.sessions(in: environment), post: post, forget: files.remove
      ) {
        (start, chosen, post) throws(AgentError) in
        var environment = environment
        environment.begin(start, chosen)
        return try whole.makeAgent(in: environment, post: post)
      }
    }, body)
}

/// Run the scripted agent with these arguments.
func withScriptedAgent(
  _ arguments: [String] = [], preferredMode: String? = nil, environment: ChildEnvironment = .named([]),
  voiceNote: String? = nil,
  _ body: (ChildAgent<ACPDialect>, Journal) async throws -> Void
) async throws {
  let folder = try TemporaryFolder()
  let journal = Journal()
  let agent = ChildAgent<ACPDialect>(
    command: ChildCommand(
      executable: Fixtures.python, arguments: [Fixtures.scriptedAgent] + arguments, workingFolder: folder.path,
      environment: environment, host: Program.path),
    settings: ChildSettings(
      name: "the agent", workingFolder: folder.path, preferredMode: preferredMode, insistsOnMode: preferredMode != nil,
      voiceNote: voiceNote),
    post: journal.post)
  try await withAgent(agent) { try await body(agent, journal) }
}

extension ChildAgent {
  /// An agent with one command for every session.
  convenience init(
    command: ChildCommand, settings: ChildSettings, clock: any Clock<Duration> = ContinuousClock(),
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.init(settings: settings, clock: clock, command: { _ in command }, post: post)
  }
}

/// A named pipe that a process holds open for writing as long as it lives: its end is an event, not a poll.
final class LifeLine: Sendable {
  var path: String { folder.path + "/life" }
  private let folder: TemporaryFolder
  private let descriptor: Int32

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/life"
    try #require(mkfifo(path, 0o600) == 0)
    descriptor = open(path, O_RDONLY | O_NONBLOCK)
    try #require(descriptor >= 0)
  }

  deinit { close(descriptor) }

  /// Wait for the process to write; what it wrote.
  func firstWords(milliseconds: Int32 = 20_000) -> String? {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, milliseconds) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// Wait until no process holds the pipe any more.
  func isCut(milliseconds: Int32 = 10_000) -> Bool {
    var poller = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&poller, 1, milliseconds) == 1 && poller.revents & Int16(POLLHUP) != 0
  }
}

extension CodingAgentPort {
  /// An answer without a reason.
  func answerPermission(_ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice) {
    answerPermission(permission, of: run, with: choice, because: nil)
  }
}
