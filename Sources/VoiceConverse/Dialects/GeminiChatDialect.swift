package import VoiceCore
package import VoiceJSON

/// The Gemini REST interface, as the program Better uses it: `streamGenerateContent` with server-sent events; section
/// 5.4 of the protocol notes. The server keeps nothing: the conversation and its branches are kept here.
package struct GeminiChatDialect: HTTPDialect {
  package let server: HTTPServer
  package let capabilities: AgentCapabilities = [.resume, .list, .fork, .rewind]
  package private(set) var conversation: BranchingConversation
  private let model: String
  private let systemPrompt: String
  private var answer: [JSON] = []
  private var finishReason: String?
  /// Whether the user wanted this run stopped: what was said before is kept then.
  private var wasHalted = false
  private var usage = AgentUsage()
  private var calls = 0

  package init(
    _ server: HTTPServer, conversation: BranchingConversation, model: String? = nil,
    systemPrompt: String = "The user talks to you and hears your answer read aloud. Answer in short plain sentences."
  ) {
    self.server = server
    self.conversation = conversation
    self.model = model ?? "gemini-2.5-flash"
    self.systemPrompt = systemPrompt
  }

  package var session: AgentSessionID? { conversation.id }

  private var modelPath: String { "/v1beta/models/" + HTTPAddress.escaped(model) }

  package var probe: HTTPRequest { request(.get, modelPath) }

  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    answer == nil ? .unavailable(reason: "\(server.name) does not know the model \(model).") : .ready
  }

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    (answer, finishReason, usage) = ([], nil, AgentUsage())
    let beginning = conversation.begin(instruction, &turn) {
      ["text": .string($0)]
    } media: {
      ["inlineData": ["mimeType": .string($0.mediaType), "data": .string($0.base64)]]
    }
    guard beginning == .goesOn else { return }
    let contents = conversation.messages.map { message -> JSON in
      ["role": .string(message.role.rawValue), "parts": .array(message.parts)]
    }
    var body: [String: JSON] = [
      "contents": .array(contents), "systemInstruction": ["parts": [["text": .string(systemPrompt)]]],
    ]
    // The models before these refuse the request.
    if !["gemini-1", "gemini-2.0", "gemma"].contains(where: model.hasPrefix) {
      body["generationConfig"] = ["thinkingConfig": ["includeThoughts": true]]
    }
    turn.stream(request(.post, modelPath + ":streamGenerateContent?alt=sse", .object(body), stream: true))
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    // Behind the reason of the end come only counts.
    guard let chunk = JSON(parsing: event.data.utf8), finishReason == nil || chunk["usageMetadata"] != nil else {
      return
    }
    if let error = chunk["error"] { return turn.end(server.failed(error["message"]?.string ?? "")) }
    if let reason = chunk["promptFeedback"]?["blockReason"]?.string {
      return turn.end(.stopped(reason: "\(server.kind) did not take the instruction: \(reason.shortened(to: 80))."))
    }
    let candidate = chunk["candidates"]?.elements.first
    if finishReason == nil {
      for part in candidate?["content"]?["parts"]?.elements ?? [] { take(part, &turn) }
    }
    finishReason = candidate?["finishReason"]?.string ?? finishReason
    if let counts = chunk["usageMetadata"] {
      usage.inputTokens = counts["promptTokenCount"]?.count
      let thoughts = counts["thoughtsTokenCount"]?.count ?? 0
      usage.outputTokens = counts["candidatesTokenCount"]?.count.map { $0.addingSaturated(thoughts) }
    }
  }

  private mutating func take(_ part: JSON, _ turn: inout HTTPTurn) {
    if let call = part["functionCall"], let name = call["name"]?.string {
      calls += 1
      turn.tool(call["id"]?.string ?? "\(name)-\(calls)", ToolName.fields(name, call["args"]))
    }
    guard let text = part["text"]?.string else {
      answer.append(part)
      return
    }
    if part["thought"]?.bool == true { return turn.thought(text) }
    turn.text(text)
    // The pieces of one text are kept as one; a piece that carries more than its words is kept as it came.
    if case .object(let fields) = part, fields.count == 1, case .object(let last)? = answer.last, last.count == 1,
      let before = last["text"]?.string
    {
      answer[answer.count - 1] = ["text": .string(before + text)]
    } else if !text.isEmpty || part != ["text": ""] {
      answer.append(part)
    }
  }

  package mutating func streamEnded(_ turn: inout HTTPTurn) {
    // There is no other mark of the end.
    guard let finishReason else { return }
    turn.usage(usage)
    switch finishReason {
    case "STOP": turn.end(.completed)
    case "MAX_TOKENS": turn.end(.stopped(reason: "The answer reached the length that the model may write."))
    default: turn.end(.stopped(reason: "The model broke its answer off: \(finishReason.shortened(to: 80))."))
    }
  }

  package mutating func stop(_ turn: inout HTTPTurn) {
    wasHalted = true
    turn.end(server.hungUp())
  }

  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) {
    conversation.finish(wasHalted ? .cancelled : end, answer: answer, &turn)
    wasHalted = false
    answer = []
  }
}
