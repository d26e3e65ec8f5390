package import VoiceVocabulary

/// A coding agent that is a child process: its command line and the protocol that it speaks.
package struct ChildAgentSpecification: Equatable, Sendable {
  /// What is spoken over its pipes.
  package enum Language: Sendable { case acp, claude, codex, codexExec }

  /// The name to choose it by.
  package var name: String
  package var language: Language
  /// A path, or a name to be found on `PATH`.
  package var executable: String
  /// Before those that the protocol needs.
  package var arguments: [String] = []
  /// Names of environment variables that it is known to need: where its state is, and its model's key.
  package var environmentNames: [String] = []
  /// The mode in which it asks, where that is not found by itself.
  package var preferredMode: String?
  /// Whether it asks before it acts although it has no modes.
  package var asksWithoutModes = false
}

extension ChildAgentSpecification {
  /// Known agents, the most asked for first. Those of which it was seen come with the mode in which they ask.
  package static let presets: [ChildAgentSpecification] = [
    Self("claude", .claude, "claude", [], claudeVariables),
    Self("codex", .codex, "codex", ["app-server"], codexVariables),
    Self("gemini", .acp, "gemini", ["--acp"], ["GEMINI_API_KEY", "GOOGLE_API_KEY"]),
    Self("opencode", .acp, "opencode", ["acp"]),
    Self("goose", .acp, "goose", ["acp"]),
    Self("qwen", .acp, "qwen", ["--acp"], ["OPENAI_API_KEY", "DASHSCOPE_API_KEY"]),
    Self("vibe", .acp, "vibe-acp", [], ["MISTRAL_API_KEY", "VIBE_HOME"], "ask"),
    Self("hermes", .acp, "hermes-acp", [], ["HERMES_HOME"]),
    Self("agentao", .acp, "agentao", ["--acp", "--stdio"], ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"]),
    Self("fast-agent", .acp, "fast-agent-acp", ["-x"], ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]),
    Self("deep-agents", .acp, "dcode", ["--acp"], ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]),
    Self("openhands", .acp, "openhands", ["acp"], ["LLM_API_KEY"], "always-ask"),
    Self("gptme", .acp, "gptme-acp", [], ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]),
    Self("kimi", .acp, "kimi", ["acp"]),
    Self("copilot", .acp, "copilot", ["--acp"]),
    Self("cagent", .acp, "cagent", ["acp"]),
    Self("stakpak", .acp, "stakpak", ["acp"]),
    Self("auggie", .acp, "auggie", ["--acp"]),
    Self("droid", .acp, "droid", ["exec", "--output-format", "acp"]),
    Self("junie", .acp, "junie", ["--acp=true"]),
    Self("qoder", .acp, "qodercli", ["--acp"]),
    Self("code-assistant", .acp, "code-assistant", ["acp"]),
    Self("claude-acp", .acp, "claude-code-acp", [], claudeVariables),
    Self("codex-acp", .acp, "codex-acp", [], ["OPENAI_API_KEY", "CODEX_HOME"]),
    Self("codex-exec", .codexExec, "codex", ["exec"], codexVariables),
  ]

  private static let claudeVariables = [
    "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER",
  ]

  private static let codexVariables = ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME", "OPENAI_BASE_URL"]

  private init(
    _ name: String, _ language: Language, _ executable: String, _ arguments: [String],
    _ environmentNames: [String] = [],
    _ preferredMode: String? = nil
  ) {
    self.init(
      name: name, language: language, executable: executable, arguments: arguments, environmentNames: environmentNames,
      preferredMode: preferredMode)
  }

  /// The known agent of this name.
  package static func preset(_ name: String) -> ChildAgentSpecification? { presets.first { $0.name == name } }

  /// What is known of its abilities before it is started: an ACP agent tells its own only then.
  package var knownCapabilities: AgentCapabilities {
    switch language {
    case .acp: [.cancel]
    case .claude: [.ask, .cancel, .resume, .list, .fork, .rewind, .hearReason]
    case .codex: [.ask, .cancel, .steer, .resume, .list, .fork, .rewind]
    case .codexExec: [.cancel, .resume]
    }
  }

  /// The settings and the command of this agent in this environment.
  package func settings(in environment: AgentEnvironment) -> ChildSettings {
    ChildSettings(
      name: name, workingFolder: environment.workingFolder,
      preferredMode: environment.preferredMode ?? preferredMode, insistsOnMode: environment.preferredMode != nil,
      model: environment.model,
      asksWithoutModes: asksWithoutModes, voiceNote: environment.voiceNote, start: environment.start,
      namespace: environment.server.newSession.rawValue)
  }

  /// How it is started for this session.
  package func command(
    _ settings: ChildSettings, start: AgentSessionStart, in environment: AgentEnvironment
  ) -> ChildCommand {
    var arguments = arguments
    var command = ChildCommand(
      executable: executable, workingFolder: environment.workingFolder, environment: variables(environment),
      host: environment.host)
    switch language {
    case .acp, .codex: break
    case .claude: arguments += ClaudeDialect.arguments(settings, start: start)
    case .codexExec:
      arguments += CodexExecDialect.arguments(settings, start: start)
      command.flushMilliseconds = ConverseLimits.shortFlushMilliseconds
      // Told to terminate, it leaves its command running.
      command.endSignal = .interrupt
    }
    command.arguments = arguments
    return command
  }

  /// All that its own terminal would give it but the keys of this program, unless it needs one of these or is to have it.
  private func variables(_ environment: AgentEnvironment) -> ChildEnvironment {
    let wanted = environmentNames + environment.environmentNames
    if environment.isNarrow { return .named(wanted) }
    return .all(without: environment.withheldNames.subtracting(wanted))
  }

  /// Make the agent; nothing is started before `openAgent` or the first run.
  func makeAgent(
    in environment: AgentEnvironment, post: @escaping @Sendable (VoiceEvent) -> Void
  ) -> any ConverseAgent {
    let settings = settings(in: environment)
    let command: @Sendable (AgentSessionStart) -> ChildCommand = { self.command(settings, start: $0, in: environment) }
    func agent<Dialect: ChildDialect>(_ dialect: Dialect.Type) -> any ConverseAgent {
      ChildAgent<Dialect>(
        settings: settings, traffic: environment.traffic, pace: environment.pace, command: command, post: post)
    }
    switch language {
    case .acp: return agent(ACPDialect.self)
    case .claude: return agent(ClaudeDialect.self)
    case .codex: return agent(CodexDialect.self)
    case .codexExec: return agent(CodexExecDialect.self)
    }
  }
}
