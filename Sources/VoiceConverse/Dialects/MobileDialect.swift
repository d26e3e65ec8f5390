package import VoiceJSON
package import VoiceVocabulary

/// The Gemini CLI mobile API: conversations, and streams of named events; section 5.2 of the protocol notes.
///
/// It has no permission requests and no names for tool calls: a result belongs to the oldest open call of its tool.
package struct MobileDialect: HTTPDialect {
  private enum Phase: Sendable {
    case idle
    case creating(Instruction)
    case streaming
    case stopping
  }

  /// Which answer of the opening comes next.
  private enum ModeStep: Sendable { case read, set, checked }

  package let server: HTTPServer
  package let capabilities: AgentCapabilities = [.cancel, .resume, .list]
  package private(set) var session: AgentSessionID?
  private let model: String?
  private let workingFolder: String
  /// What `approvalMode` is to be; nil leaves it as it is.
  private let approvalMode: String?
  private var phase = Phase.idle
  private var modeStep = ModeStep.read
  private var tools: [(id: String, name: String)] = []
  private var lastTool = 0

  /// For one session, as the environment wants it.
  init(_ agent: HTTPAgentSpecification, in environment: AgentEnvironment) {
    server = agent.server(environment.server.credential)
    session = environment.start.earlier
    model = agent.model(in: environment)
    workingFolder = environment.workingFolder
    approvalMode = environment.preferredMode
  }

  package var probe: HTTPRequest { request(.get, "/api/v1/settings") }

  /// The mode is set before anything is asked, then read again: a server may not take it.
  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    guard let wanted = approvalMode else { return .ready }
    guard let answer else {
      return .unavailable(reason: "\(server.name) has no settings, so its approval mode cannot be \(wanted).")
    }
    switch modeStep {
    case .read where answer["approvalMode"]?.string == wanted: return .ready
    case .read:
      modeStep = .set
      return .ask(request(.put, "/api/v1/settings", ["approvalMode": .string(wanted)]))
    case .set:
      modeStep = .checked
      return .ask(probe)
    case .checked:
      modeStep = .read
      guard answer["approvalMode"]?.string != wanted else { return .ready }
      return .unavailable(
        reason: "\(server.name) does not take the approval mode \(wanted). Choose another with agent.preferredMode.")
    }
  }

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    tools = []
    if let session { return send(instruction, to: session, &turn) }
    phase = .creating(instruction)
    var body: [String: JSON] = [
      "title": .string(instruction.text.shortened(to: 60)), "workspacePath": .string(workingFolder),
    ]
    body["model"] = model.map { .string($0) }
    turn.ask(request(.post, "/api/v1/conversations", .object(body)))
  }

  private mutating func send(_ instruction: Instruction, to session: AgentSessionID, _ turn: inout HTTPTurn) {
    phase = .streaming
    turn.stream(
      request(.post, path(session) + "/messages", ["content": .string(instruction.textWithRemark)], stream: true))
  }

  private func path(_ session: AgentSessionID) -> String {
    "/api/v1/conversations/" + session.rawValue.percentEncoded()
  }

  package mutating func answered(_ answer: JSON, _ turn: inout HTTPTurn) {
    switch phase {
    case .creating(let instruction):
      guard let id = answer["id"]?.string else { return turn.end(server.strange()) }
      let session = AgentSessionID(rawValue: id)
      self.session = session
      send(instruction, to: session, &turn)
    case .stopping:
      if answer["cancelled"]?.bool == true { turn.end(.cancelled) } else { turn.status(server.notStopped) }
    case .idle, .streaming: break
    }
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    guard let data = JSON(parsing: event.data.utf8) else { return }
    switch event.name {
    case "token": turn.text(data["text"]?.string ?? "")
    case "thought": turn.thought(data["text"]?.string ?? "")
    case "tool-call":
      guard let name = data["toolName"]?.string else { return }
      lastTool += 1
      let id = "\(name)-\(lastTool)"
      tools.append((id, name))
      turn.tool(id, ToolName.fields(name, data["args"]))
    case "tool-result":
      guard let index = tools.firstIndex(where: { $0.name == data["toolName"]?.string }) else { return }
      let isFailed = data["status"]?.string == "failed" || data["status"]?.string == "error"
      turn.toolFinished(tools.remove(at: index).id, isFailed ? .failed : .completed)
    case "done":
      let usage = data["usage"]
      turn.usage(
        AgentUsage(inputTokens: usage?["inputTokens"]?.count, outputTokens: usage?["outputTokens"]?.count))
      turn.end(.completed)
    case "error": turn.end(server.failed(data["message"]?.string ?? data["code"]?.string ?? ""))
    default: break
    }
  }

  package mutating func stop(_ turn: inout HTTPTurn) {
    guard case .streaming = phase, let session else { return turn.end(.cancelled) }
    phase = .stopping
    var request = request(.post, path(session) + "/cancel", [:])
    request.silenceMilliseconds = ConverseLimits.stopMilliseconds
    turn.ask(request)
  }

  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) { phase = .idle }
}

extension HTTPAgentKind {
  /// The mobile API of the Gemini CLI.
  package static let geminiMobile = HTTPAgentKind(
    "gemini-mobile", title: "Gemini CLI mobile", form: "gemini-mobile:https://HOST[#MODEL]",
    dialect: MobileDialect.init
  ).with {
    $0.modes = .any
    $0.models = .ofNewSession
    $0.sessions = Sessions { at throws(AgentError) in
      let answer = try await at.ask("/api/v1/conversations")
      // The one with the newest message first.
      return (answer["conversations"] ?? answer).elements.compactMap {
        at.summary($0, title: ["title", "summary"], updated: ["lastMessageAt", "updatedAt", "createdAt"])
      }.sorted { ($0.updated ?? "") > ($1.updated ?? "") }
    } messages: { at, session throws(AgentError) in
      try await at.ask("/api/v1/conversations/\(session.rawValue.percentEncoded())")["messages"]?
        .elements.flatMap(at.messages) ?? []
    } delete: { at, session throws(AgentError) in
      _ = try await at.ask("/api/v1/conversations/\(session.rawValue.percentEncoded())", .delete)
    }
  }
}
