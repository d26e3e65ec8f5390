package import VoiceJSON
package import VoiceVocabulary

/// UI message streams, version 1: PageSpace, and any other server on the AI SDK; section 5.3 of the protocol notes.
///
/// A permission or an answer to a question is given by sending the conversation again with the tool call marked, so a
/// run may take several requests.
package struct UIMessagesDialect: HTTPDialect {
  /// Which server it is.
  package enum Flavour: Equatable, Sendable {
    /// An agent of PageSpace by the identifier of its page; nil for the assistant of no page.
    case pageSpace(agent: String?)
    /// Any server: the address is that of the chat call itself.
    case plain
  }

  private enum Phase: Equatable, Sendable {
    case idle
    /// A token against forged requests is fetched before anything is written.
    case fetchingToken(Purpose)
    case streaming
    /// The answer is over, and the server waits for what the user decides.
    case waiting
    case stopping

    enum Purpose: Equatable, Sendable { case send, abort }
  }

  package let server: HTTPServer
  package private(set) var session: AgentSessionID?
  private let flavour: Flavour
  private let model: String?
  /// Ours alone, for names that nobody else gives: conversations are kept, and a message of the same name would replace another.
  private let namespace: String
  private var attachments: [AgentAttachment]
  private var history: [JSON] = []
  /// What this run says.
  private var question: JSON?
  private var answer: UIMessage
  private var phase = Phase.idle
  /// The answer that this run is to make again; nil if it says something new.
  private var remade: JSON?
  /// Whether the user wanted this run stopped, and the server could not be told.
  private var wasHalted = false
  /// What was decided in this run: a server that asks for it again would go on asking.
  private var decidedPermissions: Set<PermissionID> = []
  /// Whether the user decided something that the server was not told.
  private var hasDecision = false
  /// Whether the server did more after the halt than to end its answer, or may have.
  private var hasWorkedOn = false
  private var streamID: String?
  private var finishReason: String?
  private var messageCount = 0

  /// For one session, as the environment wants it.
  init(_ flavour: Flavour, _ agent: HTTPAgentSpecification, in environment: AgentEnvironment) {
    server = agent.server(environment.server.credential)
    self.flavour = flavour
    model = flavour == .plain ? agent.model(in: environment) : environment.model
    attachments = environment.server.attachments
    answer = UIMessage(id: "")
    namespace = environment.server.newSession.rawValue
    let newSession = flavour == .plain ? namespace : Self.name("c", namespace)
    session = environment.start.earlier ?? AgentSessionID(rawValue: newSession)
  }

  package var capabilities: AgentCapabilities {
    if case .pageSpace = flavour { [.cancel, .resume, .list, .hearReason, .mayAsk] } else { [.hearReason, .mayAsk] }
  }

  package var probe: HTTPRequest {
    switch flavour {
    case .plain: call(.get, "")
    case .pageSpace(let agent): call(.get, Self.conversations(of: agent))
    }
  }

  /// A request, with what PageSpace wants of a browser.
  /// - Parameter token: against forged requests; nil for one that writes nothing, or needs none.
  private func call(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, stream: Bool = false, token: String? = nil
  ) -> HTTPRequest {
    var request = request(method, path, body, stream: stream)
    if flavour != .plain { request.headers.append("X-Browser-Session-Id: \(namespace)") }
    if let token { request.headers.append("X-CSRF-Token: \(token)") }
    return request
  }

  /// A name as PageSpace takes it: a small letter, and up to 31 more or digits.
  private static func name(_ first: String, _ text: String, _ last: String = "") -> String {
    let middle = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return first + middle.prefix(24) + last
  }

  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    guard case .pageSpace(let agent?) = flavour, answer == nil else { return .ready }
    return .unavailable(
      reason: "\(server.name) knows no agent \(agent). Write the identifier of its page behind the #.")
  }

  /// The path of the conversations with an agent; nil for the assistant of no page.
  static func conversations(of agent: String?) -> String {
    agent.map { "/api/ai/page-agents/\($0.percentEncoded())/conversations" } ?? "/api/ai/global"
  }

  // Asking.

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    (streamID, finishReason, remade, hasWorkedOn) = (nil, nil, nil, false)
    if flavour == .plain, instruction.text == "/regenerate" { return regenerate(&turn) }
    let media = attachments.map { file -> JSON in
      [
        "type": "file", "mediaType": .string(file.mediaType), "filename": .string(file.name),
        "url": .string(file.dataAddress),
      ]
    }
    question = [
      "id": .string(newMessage()), "role": "user",
      "parts": .array(media + [["type": "text", "text": .string(instruction.textWithRemark)]]),
    ]
    answer = UIMessage(id: newMessage())
    send(&turn)
  }

  /// The newest answer is to be made again, in its place.
  private mutating func regenerate(_ turn: inout HTTPTurn) {
    guard attachments.isEmpty else {
      return turn.end(.failed(reason: CommandCheck.takesNoAttachments("/regenerate")))
    }
    guard let newest = history.last else {
      return turn.end(.failed(reason: "There is no answer yet that could be made again."))
    }
    (remade, question) = (newest, history[history.count - 2])
    answer = UIMessage(id: newMessage())
    send(&turn)
  }

  private mutating func newMessage() -> String {
    messageCount += 1
    return Self.name("m", namespace, String(messageCount))
  }

  /// With a cookie every write needs a fresh token; a bearer token is proof by itself.
  private var needsToken: Bool { server.credential?.form == .cookie }

  private mutating func send(_ turn: inout HTTPTurn) {
    guard needsToken else { return stream(token: nil, &turn) }
    phase = .fetchingToken(.send)
    turn.ask(call(.get, "/api/auth/csrf"))
  }

  private mutating func stream(token: String?, _ turn: inout HTTPTurn) {
    phase = .streaming
    (finishReason, hasDecision) = (nil, false)
    let before = remade == nil ? history : history.dropLast(2)
    let messages = before + [question].compactMap { $0 } + (answer.isEmpty ? [] : [answer.json])
    var body: [String: JSON] = ["messages": .array(messages), "trigger": "submit-message"]
    if !answer.isEmpty {
      body["messageId"] = .string(answer.id)
    } else if let remade {
      body["trigger"] = "regenerate-message"
      body["messageId"] = remade["id"]
    }
    let id = session?.rawValue ?? ""
    var path = ""
    switch flavour {
    case .plain: body["id"] = .string(id)
    case .pageSpace(let agent?):
      path = "/api/ai/chat"
      body["chatId"] = .string(agent)
      body["conversationId"] = .string(id)
    case .pageSpace(nil): path = "/api/ai/global/\(id.percentEncoded())/messages"
    }
    if case .pageSpace = flavour, let chosen = model.flatMap(ProviderModel.init) {
      // One without the other is ignored.
      body["selectedProvider"] = .string(chosen.provider)
      body["selectedModel"] = .string(chosen.model)
    } else {
      body["selectedModel"] = model.map { .string($0) }
    }
    turn.stream(call(.post, path, .object(body), stream: true, token: token))
  }

  package mutating func answered(_ answer: JSON, _ turn: inout HTTPTurn) {
    switch phase {
    case .fetchingToken(let purpose):
      let token = answer["csrfToken"]?.string ?? answer["token"]?.string ?? ""
      guard HTTPCredential.isToken(token.utf8) else { return turn.end(server.strange()) }
      switch purpose {
      case .send: stream(token: token, &turn)
      case .abort: abort(token: token, &turn)
      }
    // It says `aborted: false` where it could not.
    case .stopping: if answer["aborted"]?.bool == true { turn.end(.cancelled) } else { turn.status(server.notStopped) }
    case .idle, .streaming, .waiting: break
    }
  }

  // Stopping.

  package mutating func stop(_ turn: inout HTTPTurn) {
    // Between two requests nothing is under way at the server.
    guard phase == .streaming else { return turn.end(.cancelled) }
    hasWorkedOn = answer.tools.contains(where: \.mayWork)
    guard case .pageSpace = flavour else {
      wasHalted = true
      guard turn.waitsForUser else { return turn.end(server.hungUp()) }
      // It is about to end its answer, and waits for a decision then.
      phase = .stopping
      return turn.status(server.cannotStop)
    }
    guard needsToken else { return abort(token: nil, &turn) }
    phase = .fetchingToken(.abort)
    turn.ask(call(.get, "/api/auth/csrf"))
  }

  private var isStopping: Bool { [.stopping, .fetchingToken(.abort)].contains(phase) }

  private mutating func abort(token: String?, _ turn: inout HTTPTurn) {
    phase = .stopping
    // Before the answer begins, the stream has no name yet.
    let body: JSON =
      if let streamID { ["streamId": .string(streamID)] } else { ["conversationId": .string(session?.rawValue ?? "")] }
    var request = call(.post, "/api/ai/abort", body, token: token)
    request.silenceMilliseconds = ConverseLimits.stopMilliseconds
    turn.ask(request)
  }

  // The answer.

  package mutating func streamStarted(_ head: HTTPHead, _ turn: inout HTTPTurn) {
    streamID = head.headers["x-stream-id"]
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    if event.data == "[DONE]" { return settle(&turn) }
    guard let data = JSON(parsing: event.data.utf8), let type = data["type"]?.string else { return }
    let id = data["id"]?.string ?? ""
    if isStopping, !Self.endings.contains(type) { hasWorkedOn = true }
    switch type {
    case "start": if let message = data["messageId"]?.string { answer.id = message }
    case "start-step": answer.beginStep()
    case "reset-step":
      answer.resetStep()
      turn.tell { $0.endParagraph() }
    case "text-start", "text-delta", "text-end": write(.text, id, data, &turn)
    case "reasoning-start", "reasoning-delta", "reasoning-end": write(.reasoning, id, data, &turn)
    case "file", "source-url", "source-document": answer.add(data)
    case "finish":
      finishReason = data["finishReason"]?.string ?? "stop"
      let usage = data["messageMetadata"]?["usage"]
      turn.usage(
        AgentUsage(inputTokens: usage?["inputTokens"]?.count, outputTokens: usage?["outputTokens"]?.count))
    case "abort":
      turn.end(.stopped(reason: data["reason"]?.string.map(server.quoted) ?? "The server broke the answer off."))
    case "error": turn.end(server.failed(ServerWords.words(data)))
    case let type where type.hasPrefix("data-"): if data["transient"]?.bool != true { answer.add(data) }
    default: if type.hasPrefix("tool-") { takeTool(type, data, &turn) }
    }
  }

  /// What comes of an answer that only ends.
  private static let endings = [
    "text-end", "reasoning-end", "finish-step", "finish", "message-metadata", "abort", "error",
  ]

  private mutating func write(_ prose: UIMessage.Prose, _ id: String, _ data: JSON, _ turn: inout HTTPTurn) {
    if data["type"]?.string?.hasSuffix("-start") == true { answer.begin(prose, id) }
    let delta = data["delta"]?.string ?? ""
    answer.add(delta, to: prose, id, metadata: data["providerMetadata"])
    guard prose == .text else { return turn.thought(delta) }
    // Each text is a paragraph, and its place is a name that no other has.
    if !delta.isEmpty { turn.text(delta, of: answer.index(of: prose, id).map(String.init)) }
  }

  private mutating func takeTool(_ type: String, _ data: JSON, _ turn: inout HTTPTurn) {
    guard let id = data["toolCallId"]?.string else { return }
    guard answer.tool(named: id) != nil || answer.toolCount < ConverseLimits.toolsInRun else { return }
    let words = data["errorText"]?.string ?? ""
    answer.tool(id, name: data["toolName"]?.string) { tool in
      if !tool.isFixed {
        if let title = data["title"]?.string { tool.title = title }
        if let input = data["input"] { tool.input = input }
        if data["dynamic"]?.bool == true { tool.isDynamic = true }
      }
      tool.isExecutedByProvider = data["providerExecuted"]?.bool ?? tool.isExecutedByProvider
      if let metadata = data["providerMetadata"] {
        if type.hasPrefix("tool-output") { tool.resultMetadata = metadata } else { tool.callMetadata = metadata }
      }
      switch type {
      case "tool-input-available" where !tool.isFixed: tool.progress = .ready
      case "tool-approval-request": tool.progress = .asked(approval: data["approvalId"]?.string ?? id)
      case "tool-output-available" where data["preliminary"]?.bool != true:
        tool.progress = .finished(output: data["output"] ?? .null)
      case "tool-input-error", "tool-output-error": tool.progress = .failed(errorText: words)
      case "tool-output-denied": tool.progress = .denied
      default: break
      }
    }
    guard let tool = answer.tool(named: id), tool.progress != .preparing else { return }
    turn.tool(id, tool.fields)
    switch tool.progress {
    case .asked(let approval) where type == "tool-approval-request":
      guard !decidedPermissions.contains(tool.permission(approval)) else {
        return turn.end(.stopped(reason: "The server asks again for what was decided."))
      }
      turn.permission(tool.permission(approval), tool: id)
    case .finished(let output): turn.toolFinished(id, .completed, output: output)
    case .failed(let words): turn.toolFinished(id, .failed, output: .string(words))
    case .denied: turn.toolFinished(id, .declined)
    case .preparing, .ready, .asked, .decided: break
    }
  }

  package mutating func streamEnded(_ turn: inout HTTPTurn) {
    guard phase == .streaming || isStopping else { return }
    // One that is cut off may still have asked something.
    if finishReason != nil || !isStopping && (hasDecision || turn.waitsForUser) { settle(&turn) }
  }

  /// The server has said all it can: it waits for the user, or the run is over.
  private mutating func settle(_ turn: inout HTTPTurn) {
    if isStopping, hasDecision || turn.waitsForUser {
      // Nobody decides that any more, and so nothing comes of it.
      return turn.end(hasWorkedOn ? server.workedOn() : .cancelled)
    }
    for tool in turn.waitsForUser ? [] : answer.tools where !tool.questions.isEmpty {
      turn.ask(tool.questions, tool: tool.id)
    }
    guard !turn.waitsForUser else {
      phase = .waiting
      return
    }
    if hasDecision { return send(&turn) }
    switch finishReason {
    case "stop", "tool-calls", "other", "unknown", nil:
      turn.end(answer.saysNothing ? .stopped(reason: server.emptyAnswer) : .completed)
    case "length": turn.end(.stopped(reason: "The answer reached the model's length limit."))
    case "error": turn.end(server.failed(""))
    case let reason?: turn.end(.stopped(reason: "The model broke its answer off: \(turn.words(reason))."))
    }
  }

  // What the user decides.

  package mutating func decided(
    _ permission: PermissionID, _ choice: PermissionRequest.Choice, because reason: String?, _ turn: inout HTTPTurn
  ) {
    for tool in answer.tools {
      guard case .asked(let approval) = tool.progress, tool.permission(approval) == permission else { continue }
      decidedPermissions.insert(permission)
      answer.tool(tool.id) {
        $0.progress = .decided(approval: approval, isApproved: choice.allows, reason: reason)
      }
    }
    goOn(&turn)
  }

  package mutating func decided(_ form: QuestionForm, _ turn: inout HTTPTurn) {
    guard let tool = form.request.string else { return }
    let words = form.answers.compactMap { $0 }.joined(separator: "\n")
    answer.tool(tool) {
      $0.progress = form.isDeclined ? .failed(errorText: "The user did not answer.") : .finished(output: .string(words))
    }
    turn.toolFinished(tool, form.isDeclined ? .declined : .completed)
    goOn(&turn)
  }

  /// Once everything that was asked is decided, and the answer is over, the server is told: it may ask more until then, and what
  /// its tools give would be lost.
  private mutating func goOn(_ turn: inout HTTPTurn) {
    hasDecision = true
    if phase == .waiting, !turn.waitsForUser { send(&turn) }
  }

  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) {
    phase = .idle
    decidedPermissions = []
    defer { (question, remade, wasHalted) = (nil, nil, false) }
    switch end {
    // A failed run leaves the conversation where it was; what was said before a halt was said.
    case .failed: return
    case .unconfirmed: guard wasHalted else { return }
    case .completed, .cancelled, .stopped: break
    }
    guard let question, !answer.isEmpty else { return }
    attachments = []
    // What was decided and did not come to pass is not said with the next instruction.
    for tool in end == .completed ? [] : answer.tools {
      guard case .decided(let approval, _, _) = tool.progress else { continue }
      answer.tool(tool.id) { $0.progress = .asked(approval: approval) }
    }
    if remade != nil { history.removeLast(2) }
    history += [question, answer.json]
  }
}
