package import VoiceJSON
package import VoiceVocabulary

/// OpenAI-compatible chat completions: local model servers, and the many gateways that put an agent behind this interface;
/// section 5.6 of the protocol notes. The server keeps nothing: the conversation and its branches are kept here.
package struct ChatDialect: HTTPDialect {
  private struct Call: Sendable {
    var id: String
    var name: String
    var arguments: String
  }

  package let server: HTTPServer
  package let capabilities: AgentCapabilities = [.resume, .list, .fork, .rewind]
  package private(set) var conversation: BranchingConversation
  /// nil takes the first that the server names.
  private var model: String?
  private let systemPrompt: String
  private var text = ""
  private var calls: [Int: Call] = [:]
  private var finishReason: String?
  /// Whether the user wanted this run stopped: what was said before is kept then.
  private var wasHalted = false
  private var usage = AgentUsage()

  /// For one session, as the environment wants it. Throws when its conversation cannot be gone on with.
  init(_ agent: HTTPAgentSpecification, in environment: AgentEnvironment) throws(AgentError) {
    server = agent.server(environment.server.credential)
    conversation = try agent.conversation(in: environment)
    model = agent.model(in: environment)
    systemPrompt = environment.server.prompt
  }

  package var session: AgentSessionID? { conversation.id }

  package var probe: HTTPRequest { request(.get, "/models") }

  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    guard model == nil else { return .ready }
    model = Self.firstModel(answer)
    return model == nil ? .unavailable(reason: namesNoModel) : .ready
  }

  private static func firstModel(_ answer: JSON?) -> String? {
    answer?["data"]?.elements.lazy.compactMap { $0["id"]?.string }.first
  }

  private var namesNoModel: String {
    "\(server.name) names no model. Write which one behind the address, as #MODEL."
  }

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    (text, calls, finishReason, usage) = ("", [:], nil, AgentUsage())
    let beginning = conversation.begin(instruction, &turn) {
      ["type": "text", "text": .string($0)]
    } media: {
      $0.mediaType == "application/pdf"
        ? ["type": "file", "file": ["filename": .string($0.name), "file_data": .string($0.dataAddress)]]
        : ["type": "image_url", "image_url": ["url": .string($0.dataAddress)]]
    }
    guard beginning == .goesOn else { return }
    if let model { send(model, &turn) } else { turn.ask(probe) }
  }

  package mutating func answered(_ answer: JSON, _ turn: inout HTTPTurn) {
    model = Self.firstModel(answer)
    if let model { send(model, &turn) } else { turn.end(.failed(reason: namesNoModel)) }
  }

  private func send(_ model: String, _ turn: inout HTTPTurn) {
    let system: JSON = ["role": "system", "content": .string(systemPrompt)]
    let body: JSON = [
      "model": .string(model), "stream": true, "stream_options": ["include_usage": true],
      "messages": .array([system] + conversation.messages.map(Self.message)),
    ]
    turn.stream(request(.post, "/chat/completions", body, stream: true))
  }

  /// Plain words go as a string: not every server takes a list of parts.
  private static func message(_ role: MessageTree.Role, _ parts: [JSON]) -> JSON {
    let texts = parts.compactMap { $0["text"]?.string }
    let content: JSON = texts.count == parts.count ? .string(texts.joined(separator: "\n")) : .array(parts)
    return ["role": role == .user ? "user" : "assistant", "content": content]
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    if event.data == "[DONE]" { return finish(&turn) }
    guard let chunk = JSON(parsing: event.data.utf8) else { return }
    if let error = chunk["error"], error != .null {
      return turn.end(server.failed(error["message"]?.string ?? error.string ?? ""))
    }
    take(chunk, &turn)
  }

  /// Some servers do not stream, whatever they are asked for.
  package mutating func receivedWhole(_ answer: JSON, over stream: Int, _ turn: inout HTTPTurn) {
    guard answer["choices"]?.elements.first?["message"] != nil else { return }
    take(answer, &turn)
    finish(&turn)
  }

  /// A piece of the answer, or all of it.
  private mutating func take(_ chunk: JSON, _ turn: inout HTTPTurn) {
    if let counts = chunk["usage"], counts != .null {
      usage.inputTokens = counts["prompt_tokens"]?.count
      usage.outputTokens = counts["completion_tokens"]?.count
    }
    guard let choice = chunk["choices"]?.elements.first else { return }
    let delta = choice["delta"] ?? choice["message"]
    turn.thought(delta?["reasoning_content"]?.string ?? delta?["reasoning"]?.string ?? "")
    if let words = delta?["content"]?.string {
      text += words
      turn.text(words)
    }
    for (place, part) in (delta?["tool_calls"]?.elements ?? []).enumerated() { take(part, at: place) }
    if let reason = choice["finish_reason"]?.string {
      finishReason = reason
      reportCalls(&turn)
    }
  }

  /// Calls come in pieces, which belong together by their index.
  private mutating func take(_ part: JSON, at place: Int) {
    let index = part["index"]?.integer ?? place
    guard calls[index] != nil || calls.count < ConverseLimits.toolsInRun else { return }
    var call = calls[index] ?? Call(id: "call-\(index)", name: "", arguments: "")
    if let id = part["id"]?.string, !id.isEmpty { call.id = id }
    call.name += part["function"]?["name"]?.string ?? ""
    call.arguments += part["function"]?["arguments"]?.string ?? ""
    calls[index] = call
  }

  private func reportCalls(_ turn: inout HTTPTurn) {
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
      turn.tool(call.id, ToolName.fields(call.name, JSON(parsing: call.arguments.utf8)))
    }
  }

  /// Not every server sends `[DONE]`.
  package mutating func streamEnded(_ turn: inout HTTPTurn) {
    if finishReason != nil { finish(&turn) }
  }

  private func finish(_ turn: inout HTTPTurn) {
    turn.usage(usage)
    switch finishReason {
    case "stop", nil:
      let isEmpty = text.isEmpty && calls.isEmpty
      turn.end(isEmpty ? .stopped(reason: server.emptyAnswer) : .completed)
    case "length": turn.end(.stopped(reason: "The answer reached the model's length limit."))
    case "content_filter": turn.end(.stopped(reason: "The answer was cut off by a content filter."))
    case "tool_calls", "function_call":
      turn.end(.stopped(reason: "The model asked for a tool, and this server leaves tools to its client."))
    case let reason?: turn.end(.stopped(reason: "The model broke its answer off: \(turn.words(reason))."))
    }
  }

  package mutating func stop(_ turn: inout HTTPTurn) {
    wasHalted = true
    turn.end(server.hungUp())
  }

  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) {
    let answer: [JSON] = text.isEmpty ? [] : [["type": "text", "text": .string(text)]]
    conversation.finish(wasHalted ? .cancelled : end, answer: answer, &turn)
    wasHalted = false
    (text, calls) = ("", [:])
  }
}

extension HTTPAgentKind {
  /// A bare model behind a chat completions interface.
  package static let chat = HTTPAgentKind(
    "chat", title: "the model server", form: "chat[:http://HOST:PORT/v1][#MODEL]", dialect: ChatDialect.init
  ).with {
    $0.defaultAddress = "http://127.0.0.1:11434/v1"
    $0.takes = [.attachments, .systemPrompt]
    $0.keepsConversationsHere = true
    $0.sessions = .keptHere
  }
}
