import VoiceLanguage
package import VoiceVocabulary

/// Why an agent cannot be had as it was named, or did not answer; one sentence with what to do.
package struct AgentError: Error, Equatable, CustomStringConvertible {
  /// What of that which an agent is asked for besides an instruction.
  package enum Subject: Sendable {
    case mode, model, session, attachments
  }

  package let description: String
  /// What it was asked for that it does not have; nil if something else is wrong.
  package let subject: Subject?

  /// - Parameter subject: what it was asked for that it does not have.
  init(_ description: String, about subject: Subject? = nil) {
    self.description = description
    self.subject = subject
  }
}

/// Which coding agent to talk with, as a person writes it.
package enum AgentSpecification: Equatable, Sendable {
  /// The program's own guide, as a child process of the same executable.
  case guide
  /// Says each instruction back.
  case echo
  /// A server.
  case http(HTTPAgentSpecification)
  /// A child process.
  case child(ChildAgentSpecification)

  private static let names =
    ["guide", "echo", "acp"] + ChildAgentSpecification.presets.map(\.name)
    + HTTPAgentKind.all.map(\.name)

  /// Every form in which an agent can be named, for help: `guide`, `echo`, the presets, commands, servers.
  package static let forms =
    ["guide (built in)", "echo"] + ChildAgentSpecification.presets.map(\.name)
    + ["acp:COMMAND", "claude:COMMAND", "codex:COMMAND", "codex-exec:COMMAND"]
    + HTTPAgentKind.all.map(\.form)

  /// Read `guide`, `echo`, `acp:COMMAND ARGS…`, a preset such as `claude`, `claude:COMMAND ARGS…`,
  /// `codex:COMMAND ARGS…` and `codex-exec:COMMAND ARGS…` for one that is not on the search path, or a server as `KIND[:ADDRESS][#NAME]`.
  ///
  /// The words of a command are separated by spaces; quotes, single or double, keep spaces inside a word.
  package init(parsing text: String) throws(AgentError) {
    guard text.utf8.count <= Limits.agentNameBytes else {
      throw AgentError(
        "The agent “\(text.prefix(40))…” has \(text.utf8.count) bytes; name one in at most \(Limits.agentNameBytes).")
    }
    let colon = text.firstIndex(of: ":")
    let name = String(text[..<(colon ?? text.endIndex)])
    let rest = colon.map { String(text[text.index(after: $0)...]) }
    switch (name, rest) {
    case ("guide", nil): self = .guide
    case ("echo", nil): self = .echo
    case ("acp", _), ("claude", .some), ("codex", .some), ("codex-exec", .some):
      guard let words = Self.words(rest ?? "") else {
        throw AgentError("The agent “\(text)” has a quote that is never closed. Close it.")
      }
      guard let executable = words.first, !executable.isEmpty else {
        throw AgentError("The agent “\(text)” names no command. Write \(name):COMMAND, such as acp:vibe-acp.")
      }
      var agent =
        ChildAgentSpecification.preset(name)
        ?? ChildAgentSpecification(
          name: executable.split(separator: "/").last.map(String.init) ?? executable, language: .acp,
          executable: executable)
      agent.executable = executable
      agent.arguments = words.count == 1 ? agent.arguments : Array(words.dropFirst())
      self = .child(agent)
    case ("guide", _), ("echo", _):
      throw AgentError("The agent “\(name)” takes nothing behind a colon. Write just \(name).")
    default:
      if let preset = ChildAgentSpecification.preset(name) {
        guard rest == nil else {
          throw AgentError("The agent “\(name)” takes nothing behind a colon. Write just \(name), or acp:COMMAND.")
        }
        self = .child(preset)
        return
      }
      // A name without an address may have the fragment right behind it.
      let word = name.prefix { $0 != "#" }
      if let kind = HTTPAgentKind(named: String(word)) {
        self = .http(try HTTPAgentSpecification(kind, at: rest ?? String(name.dropFirst(word.count))))
        return
      }
      let nearest = name.nearest(of: Self.names) ?? "guide"
      let servers = HTTPAgentKind.all.map(\.form).joined(separator: ", ")
      throw AgentError(
        """
        There is no agent “\(name)”. Did you mean “\(nearest)”? Known are guide, echo, acp:COMMAND ARGS, \(servers) \
        and those that `parley agents` lists.
        """)
    }
  }

  /// The words of a command line; nil if a quote is never closed.
  private static func words(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      switch (character, quote) {
      case (let mark, let open?) where mark == open: quote = nil
      case (_, _?): word?.append(character)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (" ", nil), ("\t", nil):
        if let finished = word.take() { words.append(finished) }
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil ? words : nil
  }
}

/// What every agent is told besides its specification.
package struct AgentEnvironment: Sendable {
  /// Absolute; the agent works here.
  package var workingFolder: String
  /// Names of environment variables that a child gets in any case.
  package var environmentNames: [String]
  /// Names of environment variables that are this program's own, such as the live model's key.
  package var withheldNames: Set<String> = []
  /// Whether a child gets only what every program needs, what its kind is known to need, and what is named.
  package var isNarrow = false
  /// This program, for the guide.
  package var executablePath: String
  /// This program, as `AgentHost`; nil ends with an agent only what is in its process group.
  package var host: String?
  /// The session mode to be in; nil takes the best one that asks before it acts.
  package var preferredMode: String?
  /// The model to work with; nil leaves it to the agent.
  package var model: String?
  /// The session to begin with.
  package var start = AgentSessionStart.new
  /// Gets everything that passes between this program and the agent, if it is to be recorded.
  package var traffic: WireTap?
  /// How fast is read what it writes.
  package var pace = ReadingPace.unlimited
  /// Put before each spoken instruction; nil puts nothing.
  package var voiceNote: String?
  package var server: ServerEnvironment

  /// Begin in this session, set to what the user chose in the one before.
  package mutating func begin(_ start: AgentSessionStart, _ chosen: [AgentSetting: String]) {
    self.start = start
    model = chosen[.model] ?? model
    guard let mode = chosen[.mode] else { return }
    // Codex's sandbox stands behind the policy, and is not chosen from inside.
    let sandbox = preferredMode?.split(separator: "/", maxSplits: 1).dropFirst().first
    preferredMode = mode + (sandbox.map { "/\($0)" } ?? "")
  }

  package init(
    workingFolder: String, environmentNames: [String] = [], executablePath: String, preferredMode: String? = nil,
    voiceNote: String? = nil, server: ServerEnvironment = ServerEnvironment()
  ) {
    self.workingFolder = workingFolder
    self.environmentNames = environmentNames
    self.executablePath = executablePath
    self.preferredMode = preferredMode
    self.voiceNote = voiceNote
    self.server = server
  }
}

extension AgentSpecification {
  /// Make the agent; nothing is started before `openAgent` or the first run. `post` may be called on any thread.
  ///
  /// - Throws: When the agent cannot do what the environment asks for.
  package func makeAgent(
    in environment: AgentEnvironment, post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws(AgentError) -> any ConverseAgent {
    if !environment.server.attachments.isEmpty {
      guard case .http = self else {
        throw AgentError("This agent takes no attachments. Leave --attach out.", about: .attachments)
      }
    }
    if let refusal = refusal(in: environment) { throw refusal }
    switch self {
    case .echo: return EchoAgent(post: post)
    case .http(let specification): return try specification.makeAgent(in: environment, post: post)
    case .guide:
      let guide = ChildAgentSpecification(
        name: "guide", language: .acp, executable: environment.executablePath, arguments: ["guide"],
        asksWithoutModes: true)
      return guide.makeAgent(in: environment, post: post)
    case .child(let specification): return specification.makeAgent(in: environment, post: post)
    }
  }
}
