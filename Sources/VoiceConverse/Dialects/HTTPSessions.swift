import VoiceJSON
import VoiceVocabulary

/// The earlier conversations with a server: the server's own, or those kept here for a server that keeps none.
struct HTTPSessions: AgentSessions {
  private let specification: HTTPAgentSpecification
  private let workingFolder: String
  private let environment: ServerEnvironment

  /// Why a server's sessions cannot be told.
  init(_ specification: HTTPAgentSpecification, _ environment: AgentEnvironment) {
    self.specification = specification
    workingFolder = environment.workingFolder
    self.environment = environment.server
  }

  /// All conversations, in the server's order or the newest first.
  func list() async throws(AgentError) -> [AgentSessionSummary] {
    switch specification.kind {
    case .better, .chat: return specification.store(environment.conversationsFolder)?.list() ?? []
    case .duckTalk:
      return try await ask("/api/sessions").elements.compactMap {
        Self.summary($0, title: ["summary", "name"], updated: ["updated_at"])
      }
    case .geminiMobile:
      let answer = try await ask("/api/v1/conversations")
      // The one with the newest message first.
      return (answer["conversations"] ?? answer).elements.compactMap {
        Self.summary($0, title: ["title", "summary"], updated: ["lastMessageAt", "updatedAt", "createdAt"])
      }.sorted { ($0.updated ?? "") > ($1.updated ?? "") }
    case .pageSpace:
      return try await pages(pageSpacePath, of: "conversations", limit: ConverseLimits.listedSessions).compactMap {
        Self.summary($0, title: ["title"], updated: ["updatedAt", "lastMessageAt", "createdAt"])
      }
    case .opcode:
      guard let project = try await project()?.id else { return [] }
      return try await payload("/api/projects/\(HTTPAddress.escaped(project))/sessions").elements.compactMap {
        Self.summary($0, title: ["first_message"], updated: ["message_timestamp", "created_at"])
      }
    case .uiMessages, .agentToAgent: return []
    }
  }

  /// The messages of a conversation, the oldest first; of one that branches, those on the active branch.
  func messages(of session: AgentSessionID) async throws(AgentError) -> [AgentSessionMessage] {
    let id = HTTPAddress.escaped(session.rawValue)
    switch specification.kind {
    case .better, .chat:
      guard let store = specification.store(environment.conversationsFolder) else { return [] }
      do {
        return try store.read(session).branch.map(Self.message)
      } catch {
        throw AgentError(description: error.description)
      }
    case .duckTalk: return try await ask("/api/sessions/\(id)/messages").elements.flatMap(Self.messages)
    case .geminiMobile:
      return try await ask("/api/v1/conversations/\(id)")["messages"]?.elements.flatMap(Self.messages) ?? []
    case .pageSpace:
      let entries = try await pages(
        "\(pageSpacePath)/\(id)/messages", of: "messages", limit: ConverseLimits.listedEntries)
      return entries.flatMap(Self.messages)
    case .opcode:
      let none = AgentError(description: "There is no session \(session.rawValue) of \(workingFolder) at this server.")
      guard let project = try await project() else { throw none }
      let name = HTTPAddress.escaped(project.id)
      let path = project.isWrapped ? "/api/sessions/\(id)/history/\(name)" : "/api/sessions/\(name)/\(id)/history"
      let messages = try await payload(path).elements.flatMap(Self.messages)
      if messages.isEmpty { throw none }
      return messages
    case .uiMessages, .agentToAgent: return []
    }
  }

  private var pageSpacePath: String {
    specification.name.map { "/api/ai/page-agents/\(HTTPAddress.escaped($0))/conversations" } ?? "/api/ai/global"
  }

  /// opcode's, or Claudia's, name for the project in the working folder; nil where it knows none. Claudia names the folder only by that,
  /// in which every sign that is no letter is a hyphen.
  /// - Returns: besides, whether the server wraps its answers, as opcode does.
  private func project() async throws(AgentError) -> (id: String, isWrapped: Bool)? {
    let answer = try await ask("/api/projects")
    let isWrapped = if case .array = answer { false } else { true }
    let slug = ClaudeSessions.slug(workingFolder)
    let project = try unwrapped(answer).elements.first {
      $0["path"]?.string == workingFolder || $0["id"]?.string == slug
    }
    return project?["id"]?.string.map { ($0, isWrapped) }
  }

  private func payload(_ path: String) async throws(AgentError) -> JSON { try unwrapped(try await ask(path)) }

  /// What opcode wraps into `{success, data, error}`.
  private func unwrapped(_ answer: JSON) throws(AgentError) -> JSON {
    if let refusal = OpcodeDialect.refusal(answer) {
      throw AgentError(description: specification.server(environment.credential).failed(refusal).reason)
    }
    return answer["data"] ?? answer
  }

  /// The entries of a list that comes in pages, which are known by a number or by where the next begins. Older messages come on later
  /// pages, so these stand before.
  private func pages(_ path: String, of name: String, limit: Int) async throws(AgentError) -> [JSON] {
    var (found, query, seen) = ([JSON](), "", Set<String>())
    while found.count < limit, seen.insert(query).inserted {
      let answer = try await ask(path + query)
      let entries = (answer[name] ?? answer).elements
      found = name == "messages" ? entries + found : found + entries
      guard let place = answer["pagination"], place["hasMore"]?.bool == true, !entries.isEmpty else { break }
      if let cursor = place["nextCursor"]?.string {
        query = "?cursor=\(HTTPAddress.escaped(cursor))"
      } else if let page = place["page"]?.integer {
        query = "?page=\(page + 1)"
      }
    }
    return name == "messages" ? Array(found.suffix(limit)) : Array(found.prefix(limit))
  }

  // Reading.

  private static func summary(_ value: JSON, title: [String], updated: [String]) -> AgentSessionSummary? {
    guard let id = value["id"]?.string else { return nil }
    let words =
      title.lazy.compactMap { key in
        // Some hand on the message as Claude Code has it.
        value[key]?.string ?? value[key]?.elements.lazy.compactMap { $0["text"]?.string }.first
      }.first { !$0.isEmpty } ?? ""
    let time = updated.lazy.compactMap { value[$0]?.string }.first
    return AgentSessionSummary(id: AgentSessionID(rawValue: id), title: words.shortened(to: 80), updated: time)
  }

  private static func message(_ message: MessageTree.Message) -> AgentSessionMessage {
    let text = message.parts.compactMap { $0["text"]?.string }.joined()
    return AgentSessionMessage(id: String(message.id), author: message.role == .user ? .user : .agent, text: text)
  }

  /// The messages in one entry: its words are a string, blocks as Claude Code has them, or parts as the AI SDK has them.
  private static func messages(_ entry: JSON) -> [AgentSessionMessage] {
    // Claude Code keeps more than the conversation in its files.
    if entry["isMeta"]?.bool == true || entry["isSidechain"]?.bool == true { return [] }
    let body = entry["message"] ?? entry
    if let type = entry["type"]?.string, body["role"] == nil, !["user", "assistant"].contains(type) { return [] }
    if let type = entry["type"]?.string, Self.internalRecords.contains(type) { return [] }
    let id = entry["uuid"]?.string ?? entry["id"]?.string
    let author: AgentSessionMessage.Author = (body["role"] ?? entry["type"])?.string == "user" ? .user : .agent
    if let text = body["content"]?.string.map(Self.withoutReminders) {
      return text.isEmpty ? [] : [AgentSessionMessage(id: id, author: author, text: text)]
    }
    let blocks = body["content"]?.elements ?? body["parts"]?.elements ?? []
    return blocks.compactMap { block in
      let type = block["type"]?.string ?? ""
      if let text = block["text"]?.string {
        // Thoughts are not part of what was said.
        let text = Self.withoutReminders(text)
        return type == "reasoning" || text.isEmpty ? nil : AgentSessionMessage(id: id, author: author, text: text)
      }
      if type == "tool_use" || type.hasPrefix("tool-") {
        let name = block["name"]?.string ?? type.dropping(prefix: "tool-") ?? type
        var call = ToolCall(id: "")
        call.merge(["title": .string(name), "kind": .string(ToolName.kind(name)), "rawInput": block["input"] ?? .null])
        return AgentSessionMessage(id: id, author: .tool, text: call.spokenTitle)
      }
      return nil
    }
  }

  private static let internalRecords: Set<String> = ["queue-operation", "attachment", "system", "summary", "progress"]

  /// A message of the user as it was written: Claude Code puts words of its own into it.
  private static func withoutReminders(_ text: String) -> String {
    var rest = text
    for name in ["system-reminder", "local-command-caveat", "local-command-stdout"] {
      while let start = rest.firstRange(of: "<\(name)>"),
        let end = rest[start.upperBound...].firstRange(of: "</\(name)>")
      {
        rest.removeSubrange(start.lowerBound..<end.upperBound)
      }
    }
    return rest.trimmingWhitespace()
  }

  // Asking.

  private func ask(_ path: String) async throws(AgentError) -> JSON {
    let server = specification.server(environment.credential)
    var request = HTTPRequest(
      .get, server.address, path, headers: ["Accept: application/json"], credential: server.credential)
    request.silenceMilliseconds = ConverseLimits.startMilliseconds
    if specification.kind == .pageSpace {
      request.headers.append("X-Browser-Session-Id: \(environment.newSession.rawValue)")
    }
    let http = HTTPStream(certificateAuthorityFile: environment.certificateAuthorityFile)
    let answer = await http.answer(to: request, server)
    await http.close()
    return try answer.get()
  }
}

extension HTTPStream {
  /// Ask for one JSON value.
  fileprivate func answer(
    to request: HTTPRequest, _ server: HTTPServer
  ) async -> Result<JSON, AgentError> {
    let (events, continuation) = AsyncStream.makeStream(of: HTTPEvent.self)
    let transfer = start(request) { event in
      continuation.yield(event)
      if case .ended = event { continuation.finish() }
    }
    continuation.onTermination = { end in
      if case .cancelled = end { self.cancel(transfer) }
    }
    var bytes: [UInt8] = []
    for await event in events {
      switch event {
      case .head: break
      case .bytes(let more):
        bytes += more
        if bytes.count > ConverseLimits.answerBytes { cancel(transfer) }
      case .ended(.complete):
        return JSON(parsing: bytes).map { .success($0) } ?? .failure(.init(description: server.strange().reason))
      case .ended(.refused(let head, let body)):
        return .failure(.init(description: server.refused(head, body, hasLeft: false).reason))
      case .ended(.failed(let failure)):
        return .failure(.init(description: server.failed(failure, hasLeft: false).reason))
      case .ended(.cancelled): break
      }
    }
    return .failure(.init(description: "The question to \(server.kind) was given up."))
  }
}
