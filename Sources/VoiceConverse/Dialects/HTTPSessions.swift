import VoiceJSON
import VoiceVocabulary

/// The earlier conversations with a server: the server's own, or those kept here for a server that keeps none.
struct HTTPSessions: AgentSessions {
  let specification: HTTPAgentSpecification
  let workingFolder: String
  let environment: ServerEnvironment
  /// What takes the token out of what is listed, before anything of that is cut; nil where it cannot be read.
  private let redaction: TokenRedaction?

  /// Why a server's sessions cannot be told.
  init(_ specification: HTTPAgentSpecification, _ environment: AgentEnvironment) {
    self.specification = specification
    workingFolder = environment.workingFolder
    self.environment = environment.server
    redaction = environment.server.credential?.redaction(of: .whole)
  }

  /// All conversations, in the server's order or the newest first.
  func list() async throws(AgentError) -> [AgentSessionSummary] {
    try await (specification.kind.sessions?.list(self) ?? []).map {
      var summary = $0
      if let redaction { summary.title = redaction(summary.title) }
      return summary
    }
  }

  /// The messages of a conversation, the oldest first; of one that branches, those on the active branch.
  func messages(of session: AgentSessionID) async throws(AgentError) -> [AgentSessionMessage] {
    try await (specification.kind.sessions?.messages(self, session) ?? []).map {
      var message = $0
      if let redaction { message.text = redaction(message.text) }
      return message
    }
  }

  func delete(_ session: AgentSessionID) async throws(AgentError) {
    guard let delete = specification.kind.sessions?.delete else {
      throw AgentError(
        "No call is known that deletes a session of \(specification.kind.title), so nothing was sent. Delete it in its own client."
      )
    }
    try await delete(self, session)
  }

  /// Whom is asked.
  var server: HTTPServer { specification.server(environment.credential) }

  /// The entries of a list that comes in pages, which are known by a number or by where the next begins. Older messages come on later
  /// pages, so these stand before.
  func pages(_ path: String, of name: String, limit: Int) async throws(AgentError) -> [JSON] {
    var (found, query, pages) = ([JSON](), "", ListedPages())
    while found.count < limit, pages.admits(query) {
      let answer = try await ask(path + query)
      let entries = (answer[name] ?? answer).elements
      found = name == "messages" ? entries + found : found + entries
      guard let place = answer["pagination"], place["hasMore"]?.bool == true, !entries.isEmpty else { break }
      if let cursor = place["nextCursor"]?.string {
        query = "?cursor=\(cursor.percentEncoded())"
      } else if let page = place["page"]?.integer {
        query = "?page=\(page + 1)"
      }
    }
    return name == "messages" ? Array(found.suffix(limit)) : Array(found.prefix(limit))
  }

  // Reading.

  /// As `Self.summary`, without the token in its words.
  func summary(_ value: JSON, title: [String], updated: [String]) -> AgentSessionSummary? {
    guard var summary = Self.summary(redaction?.redacted(value) ?? value, title: title, updated: updated) else {
      return nil
    }
    // It goes back as it came.
    if let id = value["id"]?.string { summary.id = AgentSessionID(rawValue: id) }
    return summary
  }

  /// As `Self.messages`, without the token in their words.
  func messages(_ entry: JSON) -> [AgentSessionMessage] { Self.messages(redaction?.redacted(entry) ?? entry) }

  /// One entry of a list, whose title and time have one of these names; nil if it has no identifier.
  static func summary(_ value: JSON, title: [String], updated: [String]) -> AgentSessionSummary? {
    guard let id = value["id"]?.string else { return nil }
    let words =
      title.lazy.compactMap { key in
        // Some pass the message through as Claude Code has it.
        value[key]?.string ?? value[key]?.elements.lazy.compactMap { $0["text"]?.string }.first
      }.first { !$0.isEmpty } ?? ""
    let time = updated.lazy.compactMap { value[$0]?.string }.first
    return AgentSessionSummary(id: AgentSessionID(rawValue: id), title: words.shortened(to: 80), updated: time)
  }

  /// The messages in one entry: its words are a string, blocks as Claude Code has them, or parts as the AI SDK has them.
  static func messages(_ entry: JSON) -> [AgentSessionMessage] {
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

  /// The answer to one question.
  func ask(_ path: String, _ method: HTTPRequest.Method = .get) async throws(AgentError) -> JSON {
    let server = server
    var request = HTTPRequest(
      method, server.address, path, headers: ["Accept: application/json"], credential: server.credential)
    request.silenceMilliseconds = ConverseLimits.startMilliseconds
    request.headers += specification.kind.headers(environment.newSession)
    return try await exchange(request).answer
  }

  /// What one request gave.
  func exchange(_ request: HTTPRequest) async throws(AgentError) -> (head: HTTPHead, answer: JSON) {
    let http = HTTPStream(certificateAuthorityFile: environment.certificateAuthorityFile)
    let answer = await http.answer(to: request, server)
    await http.close()
    return try answer.get()
  }
}

extension HTTPAgentKind.Sessions {
  /// Conversations that this program keeps.
  static let keptHere = HTTPAgentKind.Sessions { at in
    at.specification.store(at.environment.conversationsFolder)?.list() ?? []
  } messages: { at, session throws(AgentError) in
    guard let store = at.specification.store(at.environment.conversationsFolder) else { return [] }
    return try store.read(session).branch.map(message)
  } delete: { at, session throws(AgentError) in
    try at.specification.store(at.environment.conversationsFolder)?.delete(session)
  }

  private static func message(_ message: MessageTree.Message) -> AgentSessionMessage {
    let text = message.parts.compactMap { $0["text"]?.string }.joined()
    return AgentSessionMessage(id: String(message.id), author: message.role == .user ? .user : .agent, text: text)
  }
}

extension HTTPStream {
  /// Ask for one JSON value. Whoever asks closes the stream then, which ends a question that was given up.
  fileprivate func answer(
    to request: HTTPRequest, _ server: HTTPServer
  ) async -> Result<(head: HTTPHead, answer: JSON), AgentError> {
    let (events, continuation) = AsyncStream.makeStream(of: HTTPEvent.self)
    let transfer = start(request) { event in
      continuation.yield(event)
      if case .ended = event { continuation.finish() }
    }
    var bytes: [UInt8] = []
    var answered: HTTPHead?
    for await event in events {
      switch event {
      case .head(let head): answered = head
      case .bytes(let more):
        bytes += more
        if bytes.count > ConverseLimits.answerBytes { cancel(transfer) }
      case .ended(.complete):
        guard let answered else { break }
        // No content.
        if answered.status == 204 { return .success((answered, .null)) }
        return JSON(parsing: bytes).map { .success((answered, $0)) }
          ?? .failure(AgentError(server.strange().reason))
      case .ended(.refused(let head, let body)):
        return .failure(AgentError(server.refused(head, body, hasLeft: false).reason))
      case .ended(.failed(let failure)):
        return .failure(AgentError(server.failed(failure, hasLeft: false).reason))
      case .ended(.cancelled), .ended(.withdrawn), .hasLeft: break
      }
    }
    return .failure(AgentError("The question to \(server.kind) was given up."))
  }
}
