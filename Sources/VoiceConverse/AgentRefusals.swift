import VoiceVocabulary

// What an agent is asked for that it does not have, as far as that is known before it is started: nothing is pretended, and nothing
// sent. What an agent tells only of itself, it refuses when it is opened.

extension AgentSpecification {
  /// Why this agent cannot do what this environment asks for, and what to do about it; nil if nothing is known against it.
  func refusal(in environment: AgentEnvironment) -> AgentError? {
    if environment.server.systemPrompt != nil, !takesSystemPrompt {
      return AgentError("This agent takes no system prompt. Leave agent.systemPrompt empty.")
    }
    return switch self {
    case .guide: Self.refusal("The guide", with: Self.guideMode, in: environment)
    case .echo: Self.refusal("The echo", with: nil, in: environment)
    case .child(let agent): agent.language == .codexExec ? agent.oneShotRefusal(in: environment) : nil
    case .http(let server): server.refusal(in: environment)
    }
  }

  /// The one mode of the guide, which always asks before it acts.
  private static let guideMode = "ask"

  /// Whether what its model is told before everything else goes with each instruction.
  private var takesSystemPrompt: Bool {
    if case .http(let server) = self { server.kind.takes.contains(.systemPrompt) } else { false }
  }

  /// Of an agent that keeps no sessions, has no models and at most one mode.
  private static func refusal(_ name: String, with own: String?, in environment: AgentEnvironment) -> AgentError? {
    if let refusal = environment.start.lack(of: name, that: []) { return refusal }
    if let mode = environment.preferredMode, mode != own {
      let words = own.map { "\(name) has no mode “\(mode)”. It has only “\($0)”." } ?? noModes(name)
      return AgentError(words, about: .mode)
    }
    return environment.model == nil ? nil : AgentError(noModels(name), about: .model)
  }

  /// The sentence of an agent without modes.
  static func noModes(_ name: String) -> String {
    "\(name) has no modes. Leave --agent-mode (agent.preferredMode) out."
  }

  /// The sentence of an agent whose model is its own affair.
  static func noModels(_ name: String) -> String {
    "\(name) does not let you choose its model. Omit --agent-model (agent.model)."
  }
}

extension AgentSessionStart {
  /// The session that is gone on with, itself or in a copy; nil for a new one.
  var earlier: AgentSessionID? {
    switch self {
    case .new: nil
    case .resume(let id), .fork(let id, _): id
    }
  }

  /// The same as `refusal(by:that:)`, as an error about the session.
  func lack(of name: String, that capabilities: AgentCapabilities) -> AgentError? {
    refusal(by: name, that: capabilities).map { AgentError($0, about: .session) }
  }

  /// Why an agent with these capabilities cannot begin so; nil if it can.
  func refusal(by name: String, that capabilities: AgentCapabilities) -> String? {
    let canResume = capabilities.contains(.resume)
    switch self {
    case .new: return nil
    case .resume: return canResume ? nil : "\(name) cannot go on with an earlier session. Start a new one."
    case .fork(_, nil):
      if capabilities.contains(.fork) { return nil }
      if capabilities.contains(.rewind) {
        return "\(name) copies a session only up to a message. Name that with --at, or resume the session."
      }
      return "\(name) cannot copy a session. \(canResume ? "Resume it, or start" : "Start") a new one."
    case .fork(_, .some):
      if capabilities.contains(.rewind) { return nil }
      let way = capabilities.contains(.fork) ? "Fork the session without one." : canResume ? "Resume the session." : ""
      return "\(name) cannot go back to an earlier message. \(way.isEmpty ? "Start a new session." : way)"
    }
  }
}

extension AgentSessionStart {
  /// Why the agent did not begin so: which session of which agent, what it said, and how its sessions are listed.
  func refusal(by name: String, listedBy agent: String, saying words: String) -> String {
    guard let earlier else { return "\(name) cannot open the session: \(words)." }
    let session = earlier.rawValue.sanitized(limit: 200)
    let way = "parley sessions \(agent) lists those of this folder."
    return "\(name) cannot go on with the session “\(session)” (\(words)); \(way)"
  }

  /// Why a session that was opened is not the one that was asked for; nil if it is.
  func refusal(by name: String, thatOpened session: AgentSessionID) -> String? {
    switch self {
    case .new: nil
    case .resume(let wanted) where session != wanted:
      "\(name) opened the session \(session.rawValue) and not \(wanted.rawValue), so nothing was sent. Start a new one."
    case .fork(let original, _) where session == original:
      "\(name) went on with the session itself and did not copy it, so nothing was sent. Resume it, or start a new one."
    case .resume, .fork: nil
    }
  }

  /// The same of an agent that tells only with the first instruction which session it opened; it is gone on with there.
  func notice(of name: String, thatOpened session: AgentSessionID) -> String? {
    switch self {
    case .new: nil
    case .resume(let wanted) where session != wanted:
      "\(name) opened the session \(session.rawValue) and not \(wanted.rawValue): a copy, or one that remembers nothing."
    case .fork(let original, _) where session == original:
      "\(name) went on with the session itself and did not copy it."
    case .resume, .fork: nil
    }
  }
}

extension ChildAgentSpecification {
  /// `codex exec` goes on with a session, and copies none; its mode is its sandbox.
  fileprivate func oneShotRefusal(in environment: AgentEnvironment) -> AgentError? {
    if let refusal = environment.start.lack(of: "codex exec", that: knownCapabilities) { return refusal }
    guard let mode = environment.preferredMode, !CodexExecDialect.sandboxes.contains(mode) else { return nil }
    let sandboxes = CodexExecDialect.sandboxes.joined(separator: ", ")
    return AgentError("codex exec has no mode “\(mode)”. Its sandboxes are \(sandboxes).", about: .mode)
  }
}

extension HTTPAgentSpecification {
  fileprivate func refusal(in environment: AgentEnvironment) -> AgentError? {
    if let words = attachmentRefusal(environment.server.attachments) {
      return AgentError(words, about: .attachments)
    }
    if !kind.takes.contains(.generation), !environment.server.generation.isEmpty {
      return AgentError(
        "\(kind.title) takes no generation parameters and tools. Leave agent.generation and agent.modelTools empty.")
    }
    if let words = modeRefusal(environment.preferredMode) { return AgentError(words, about: .mode) }
    return modelRefusal(environment.model, environment.start)
  }

  private func attachmentRefusal(_ attachments: [AgentAttachment]) -> String? {
    if !attachments.isEmpty, !kind.takes.contains(.attachments) {
      return "\(kind.title) takes no attachments. Leave --attach out."
    }
    if !kind.takes.contains(.heicImages),
      let file = attachments.first(where: { $0.mediaType.hasPrefix("image/hei") })
    {
      return "\(kind.title) takes no HEIC image such as \(file.name). Convert it to JPEG."
    }
    return nil
  }

  private func modeRefusal(_ mode: String?) -> String? {
    guard let mode else { return nil }
    switch kind.modes {
    case .any: return nil
    case .none: return AgentSpecification.noModes(kind.title)
    case .these(let modes):
      return modes.contains(mode)
        ? nil : "\(kind.title) has no mode “\(mode)”. It has \(modes.joined(separator: ", "))."
    }
  }

  private func modelRefusal(_ model: String?, _ start: AgentSessionStart) -> AgentError? {
    if case .ofNewSession = kind.models, start != .new, let model = name ?? model {
      let words =
        "\(kind.title) keeps the model of a conversation: it cannot go on with “\(model)”. Leave #MODEL and --agent-model "
        + "(agent.model) out, or begin a new one."
      return AgentError(words, about: .session)
    }
    guard let model else { return nil }
    let words: String? =
      switch kind.models {
      case .none: AgentSpecification.noModels(kind.title)
      case .withProvider where ProviderModel(model) != nil: nil
      case .withProvider: "\(kind.title) takes a model only together with its provider. Write it as PROVIDER/MODEL."
      case .atAddress, .ofNewSession:
        name.flatMap {
          $0 == model ? nil : "Two models are named: “\($0)” behind the address, and “\(model)”. Leave one of them out."
        }
      }
    return words.map { AgentError($0, about: .model) }
  }
}

/// A model and who provides it, as PageSpace wants them.
struct ProviderModel: Equatable, Sendable {
  let provider: String
  let model: String

  /// Read `PROVIDER/MODEL`; the model may have further slashes.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    (provider, model) = (parts[0], parts[1])
  }
}
