import Subprocess
import Testing
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A real coding agent, installed by `script/bootstrap --agents`, against a model that does as it is told.
struct RealAgent: CustomTestStringConvertible, Sendable {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case claude, codex, agentao, hermes
    case claudeOverACP = "claude-acp"

    var testDescription: String { rawValue }

    static let installed = allCases.filter(RealAgent.isInstalled)
  }

  let kind: Kind
  let executable: String

  var testDescription: String { kind.rawValue }

  /// The folder of what `script/bootstrap --agents` installs.
  static let root: String = {
    let environment = ProcessInfo.processInfo.environment
    return environment["PARLEY_AGENTS"] ?? (environment["HOME"] ?? "") + "/.cache/parley/agents"
  }()

  init?(_ kind: Kind) {
    let path = "\(Self.root)/\(kind.rawValue)/agent"
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    self.kind = kind
    executable = path
  }

  static func isInstalled(_ kind: Kind) -> Bool { RealAgent(kind) != nil }

  /// The flags that choose it.
  var flags: [String] {
    switch kind {
    case .claude: ["--agent", "claude:\(executable)"]
    // Its sandbox needs rights that a test machine may not give; what is tested is that it asks.
    case .codex: ["--agent", "codex:\(executable)", "--agent-mode", "untrusted/danger-full-access"]
    case .agentao: ["--agent", "acp:\(executable) --acp --stdio", "--agent-mode", "workspace-write"]
    case .hermes, .claudeOverACP: ["--agent", "acp:\(executable)"]
    }
  }

  /// What makes the model write a file in a way that this agent asks about.
  func instruction(toWrite path: String) -> String {
    kind == .agentao ? "please run-write \(path)" : "please write \(path)"
  }

  /// What it needs to find the model: a configuration in its home, and variables.
  /// - Parameter shownMilliseconds: nothing for decisions that are given in advance.
  func prepare(_ home: TemporaryFolder, port: String, shownMilliseconds: Int = 0) throws -> [String: String] {
    let server = "http://127.0.0.1:\(port)"
    var names: [String: String]
    switch kind {
    case .claude, .claudeOverACP:
      names = [
        "ANTHROPIC_BASE_URL": server, "ANTHROPIC_API_KEY": "none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
      ]
    case .codex:
      names = ["OPENAI_API_KEY": "none"]
      try FileManager.default.createDirectory(atPath: home.path + "/.codex", withIntermediateDirectories: true)
      let configuration = """
        model = "fake-model"
        model_provider = "fake"
        [model_providers.fake]
        name = "fake"
        base_url = "\(server)/v1"
        env_key = "OPENAI_API_KEY"
        wire_api = "responses"

        """
      try Data(configuration.utf8).write(to: URL(filePath: home.path + "/.codex/config.toml"))
    case .agentao:
      names = ["OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server + "/v1", "OPENAI_MODEL": "fake-model"]
    case .hermes:
      names = ["OPENAI_API_KEY": "none"]
      try FileManager.default.createDirectory(atPath: home.path + "/.hermes", withIntermediateDirectories: true)
      let model = "default: fake-model, provider: custom, base_url: \"\(server)/v1\", api_key: none"
      try Data("model: {\(model)}\n".utf8).write(to: URL(filePath: home.path + "/.hermes/config.yaml"))
    }
    // An agent gets only what the configuration names.
    let listed = names.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    let plan = "{ agent: { environment: [\(listed)] }, interaction: { shownMilliseconds: \(shownMilliseconds) } }"
    try FileManager.default.createDirectory(atPath: home.path + "/parley", withIntermediateDirectories: true)
    try Data(plan.utf8).write(to: URL(filePath: home.path + "/parley/parley.json5"))
    return names
  }

  /// Let it know the MCP server "notes", once it is prepared.
  func addNotes(in home: TemporaryFolder) throws {
    let server = Repository.path + "/Tests/servers/mcp_server.py"
    switch kind {
    case .codex:
      let path = home.path + "/.codex/config.toml"
      let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      let more = "\n[mcp_servers.notes]\ncommand = \"python3\"\nargs = [\"\(server)\"]\n"
      try Data((text + more).utf8).write(to: URL(filePath: path))
    default:
      let more = #"{"mcpServers": {"notes": {"command": "python3", "args": ["\#(server)"]}}}"#
      try Data(more.utf8).write(to: URL(filePath: home.path + "/.claude.json"))
    }
  }

  /// Run a body beside the fake model.
  static func withModel(_ body: @Sendable @escaping (_ port: String) async throws -> Void) async throws {
    _ = try await Subprocess.run(
      .name("python3"), arguments: [Repository.path + "/Tests/servers/fake_model_server.py"],
      input: .none, output: .sequence, error: .discarded
    ) { execution in
      var lines = execution.standardOutput.strings().makeAsyncIterator()
      let port = try #require(try await lines.next()).trimmingWhitespace()
      do {
        try await body(port)
      } catch {
        try execution.send(signal: .terminate)
        throw error
      }
      try execution.send(signal: .terminate)
    }
  }

  /// In a terminal with a status line, in direct mode and with a silent microphone; it quits behind the body.
  ///
  /// - Parameters:
  ///   - flags: how it is chosen; nil as it usually is.
  ///   - hasNotes: whether it knows the MCP server "notes".
  ///   - given: its home and working folder; nil for one of its own.
  ///   - heard: what the live model makes of a recorded sentence; nil for a silent microphone.
  func inATerminal(
    flags chosen: [String]? = nil, environment more: [String: String] = [:], heard: String? = nil,
    hasNotes: Bool = false, home given: TemporaryFolder? = nil,
    _ body: @Sendable @escaping (Terminal) async throws -> Void
  ) async throws {
    try #require(Program.isInstalled("tmux"))
    let home = try given ?? TemporaryFolder()
    try await Self.withModel { port in
      let environment = try prepare(home, port: port, shownMilliseconds: 1).merging(more) { $1 }
      if hasNotes { try addNotes(in: home) }
      let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      try await IndependentServer.run(["--instruction", heard ?? "good morning"]) { server in
        let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"
        let microphone = heard == nil ? home.path + "/silence" : recording
        let flags = (chosen ?? self.flags).map { "'\($0)'" }.joined(separator: " ")
        let command =
          "env HOME=\(home.path) XDG_STATE_HOME=\(home.path) XDG_CONFIG_HOME=\(home.path) \(variables) \(Program.path) run "
          + "--live \(server.url) --speaker none --mode direct --display status --working-folder \(home.path) "
          + "--microphone \(microphone) --session \(home.path)/session \(flags)"
        #expect(mkfifo(home.path + "/silence", 0o600) == 0)
        try await Terminal.run(command, home: home) { terminal in
          try await terminal.waitFor("is ready")
          try await body(terminal)
          try await terminal.press("q")
          try await terminal.waitFor("code 0")
        }
      }
    }
  }
}
