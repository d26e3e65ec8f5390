package import VoiceJSON
package import VoiceVocabulary

/// The Gemini REST interface, as the program Better uses it: `streamGenerateContent` with server-sent events; section
/// 5.4 of the protocol notes. The server keeps nothing: the conversation and its branches are kept here.
package struct GeminiChatDialect: HTTPDialect {
  package let server: HTTPServer
  package let capabilities: AgentCapabilities = [.resume, .list, .fork, .rewind]
  package private(set) var conversation: BranchingConversation
  private let model: String
  private let systemPrompt: String
  private let options: GenerationOptions
  /// Whether the model takes a word about its thoughts, as the server says; nil where it says nothing.
  private var thinks: Bool?
  private var sources: [String] = []
  private var answer: [JSON] = []
  private var finishReason: String?
  /// Whether the user wanted this run stopped: what was said before is kept then.
  private var wasHalted = false
  private var usage = AgentUsage()
  private var calls = 0
  private var files = 0

  /// For one session, as the environment wants it. Throws when its conversation cannot be gone on with.
  init(_ agent: HTTPAgentSpecification, in environment: AgentEnvironment) throws(AgentError) {
    server = agent.server(environment.server.credential)
    conversation = try agent.conversation(in: environment)
    model = agent.model(in: environment) ?? "gemini-2.5-flash"
    systemPrompt = environment.server.prompt
    options = environment.server.generation
  }

  package var session: AgentSessionID? { conversation.id }

  private var modelPath: String { "/v1beta/models/" + model.percentEncoded() }

  package var probe: HTTPRequest { request(.get, modelPath) }

  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    guard let answer else { return .unavailable(reason: "\(server.name) does not know the model \(model).") }
    // What is false is left out of what this server writes.
    if answer["supportedGenerationMethods"] != nil { thinks = answer["thinking"]?.bool == true }
    return .ready
  }

  /// Older models refuse a request with a word about thoughts, and so do those that only draw or speak.
  private var takesThinking: Bool {
    thinks
      ?? !(["gemini-1", "gemini-2.0", "gemma", "learnlm"].contains(where: model.hasPrefix)
      || ["image", "tts", "imagen"].contains(where: model.contains))
  }

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    (answer, finishReason, usage, sources) = ([], nil, AgentUsage(), [])
    let beginning = conversation.begin(instruction, &turn) {
      ["text": .string($0)]
    } media: {
      ["inlineData": ["mimeType": .string($0.mediaType), "data": .string($0.base64)]]
    }
    guard beginning == .goesOn else { return }
    let contents = conversation.messages.map { message -> JSON in
      ["role": .string(message.role.rawValue), "parts": .array(message.parts)]
    }
    let body: [String: JSON] = [
      "contents": .array(contents), "systemInstruction": ["parts": [["text": .string(systemPrompt)]]],
    ]
    let whole = body.merging(options.members(thinks: takesThinking)) { own, _ in own }
    turn.stream(request(.post, modelPath + ":streamGenerateContent?alt=sse", .object(whole), stream: true))
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    // Behind the reason of the end come only counts.
    guard let chunk = JSON(parsing: event.data.utf8), finishReason == nil || chunk["usageMetadata"] != nil else {
      return
    }
    if chunk["error"] != nil { return turn.end(server.failed(ServerWords.words(chunk))) }
    if let reason = chunk["promptFeedback"]?["blockReason"]?.string {
      let words = Self.spoken(turn.words(reason))
      return turn.end(.stopped(reason: "\(server.kind) did not take the instruction: \(words)."))
    }
    let candidate = chunk["candidates"]?.elements.first
    if finishReason == nil {
      for part in candidate?["content"]?["parts"]?.elements ?? [] { take(part, &turn) }
    }
    finishReason = candidate?["finishReason"]?.string ?? finishReason
    for source in candidate?["groundingMetadata"]?["groundingChunks"]?.elements ?? [] {
      let place = source["web"]?["title"]?.string ?? source["web"]?["uri"]?.string ?? ""
      if !place.isEmpty, !sources.contains(place) { sources.append(place) }
    }
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
    takeCode(part, &turn)
    if let data = part["inlineData"], let base64 = data["data"]?.string, part["thought"]?.bool != true {
      files += 1
      turn.save(AnswerFile(mediaType: data["mimeType"]?.string ?? "", base64: base64))
    }
    guard let text = part["text"]?.string else {
      if part["thought"]?.bool != true { answer.append(part) }
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

  /// The model runs code at the server: that is an act like any other.
  private mutating func takeCode(_ part: JSON, _ turn: inout HTTPTurn) {
    if let code = part["executableCode"]?["code"]?.string {
      calls += 1
      turn.tool("code-\(calls)", ["title": "Run code", "kind": "execute", "rawInput": ["command": .string(code)]])
    }
    if let result = part["codeExecutionResult"] {
      let isDone = result["outcome"]?.string == "OUTCOME_OK"
      turn.toolFinished("code-\(calls)", isDone ? .completed : .failed, output: result["output"])
    }
  }

  package mutating func streamEnded(_ turn: inout HTTPTurn) {
    // There is no other mark of the end.
    guard let finishReason else { return }
    turn.usage(usage)
    if !sources.isEmpty { turn.status("Sources: \(sources.joined(separator: ", "))") }
    switch finishReason {
    case "STOP" where isEmpty:
      turn.end(.stopped(reason: server.emptyAnswer))
    case "STOP": turn.end(.completed)
    case "MAX_TOKENS": turn.end(.stopped(reason: "The answer reached the model's length limit."))
    default:
      let reason = Self.spoken(turn.words(finishReason))
      let what = isEmpty ? "gave no answer" : "broke its answer off"
      turn.end(.stopped(reason: "The model \(what): \(reason)."))
    }
  }

  /// Whether there is nothing in the answer that anybody could read.
  private var isEmpty: Bool { answer.allSatisfy { $0["text"]?.string == "" } }

  /// A reason in words: `PROHIBITED_CONTENT` is prohibited content.
  private static func spoken(_ reason: String) -> String {
    reason.lowercased().split(separator: "_").joined(separator: " ")
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

extension HTTPAgentKind {
  /// A bare model behind Gemini's REST interface, with a conversation that branches, as Better keeps it.
  package static let better = HTTPAgentKind(
    "better", title: "Gemini", form: "better[:https://HOST][#MODEL]", dialect: GeminiChatDialect.init
  ).with {
    $0.defaultAddress = "https://generativelanguage.googleapis.com"
    $0.takes = [.attachments, .heicImages, .generation, .systemPrompt]
    $0.keepsConversationsHere = true
    $0.tokenHeader = "x-goog-api-key"
    $0.tokenRemedy = "It wants a key: name its variable in agent.keyVariable, such as GEMINI_API_KEY."
    $0.sessions = .keptHere
  }
}
