import VoiceJSON
import VoiceVocabulary

/// What a dialect wants to come of what it just read, in order. Keeps the rules that hold for every agent (`AgentTurn`), and
/// that nothing comes after the one end.
package struct HTTPTurn: Sendable {
  /// One thing to do.
  enum Step: Equatable, Sendable {
    case report(AgentEvent)
    /// Ask for an event stream, instead of the one before if there is one.
    case stream(HTTPRequest)
    /// Ask for one beside those before.
    case streamBeside(HTTPRequest)
    /// Ask for one JSON value.
    case ask(HTTPRequest, hasInstruction: Bool)
    /// Open a WebSocket and send this message; what comes over it is taken like the data of an event stream.
    case socket(HTTPRequest, message: String, hasInstruction: Bool)
    /// Write a file of the answer beside the conversation.
    case save(AnswerFile)
    /// Keep what was added to a conversation.
    case keep(ConversationRecord)
    /// The stream of this number is over, and with it the turn where there is no other.
    case endStream(Int, AgentTurnEnd)
    case end(AgentTurnEnd)
  }

  /// What takes tokens out of words before they are cut: of a part of one nobody can tell any more.
  var redaction: TokenRedaction?

  private(set) var isOver = false
  private var steps: [Step] = []
  /// What is open: tools, requests, a paragraph.
  private var agent = AgentTurn()

  /// Whether the agent waits for a decision of the user.
  var waitsForUser: Bool { !agent.permissions.isEmpty || !agent.forms.isEmpty }

  /// The steps since the last call.
  mutating func takeSteps() -> [Step] {
    defer { steps = [] }
    return steps
  }

  init(_ redaction: TokenRedaction? = nil) { self.redaction = redaction }

  /// Words of the server's, fit to be told.
  func words(_ text: String, limit: Int = ConverseLimits.reasonCharacters) -> String {
    (redaction?(text) ?? text).shortened(to: limit)
  }

  private func clean(_ value: JSON) -> JSON { redaction?.redacted(value) ?? value }

  // What the agent reports.

  /// Text of the answer; another `message` begins another paragraph.
  mutating func text(_ delta: String, of message: String? = nil) { tell { $0.text(delta, of: message) } }

  /// The agent thinks aloud.
  mutating func thought(_ delta: String) {
    if !delta.isEmpty { report(.thought(delta: delta)) }
  }

  /// A tool started, or more is known of it.
  /// - Parameter fields: In the words of `ToolCall`.
  mutating func tool(_ id: String, _ fields: [String: JSON]) {
    guard tools.contains(id) || tools.count < ConverseLimits.toolsInRun else { return }
    tools.insert(id)
    let fields = clean(.object(fields))
    tell { $0.tool(id, fields) }
  }
  private var tools: Set<String> = []

  /// A tool call is over.
  mutating func toolFinished(_ id: String, _ outcome: AgentTool.Outcome, output: JSON? = nil) {
    let output = output.map(clean)
    tell { $0.finish(id, outcome, output: output) }
  }

  /// The agent asks before this tool call goes on.
  mutating func permission(_ id: PermissionID, tool: String) {
    guard !agent.permissions.contains(where: { $0.request == .string(id.rawValue) }) else { return }
    tell {
      $0.ask(
        id, request: .string(id.rawValue), options: [(.allowOnce, true), (.rejectOnce, false)],
        about: ["toolCallId": .string(tool)]) ?? []
    }
  }

  /// The agent asks these questions together.
  mutating func ask(_ questions: [AgentQuestion], tool: String) {
    guard !agent.forms.contains(where: { $0.request == .string(tool) }) else { return }
    tell { $0.ask(QuestionForm(request: .string(tool), questions: questions)) ?? [] }
  }

  /// What the turn has cost so far.
  mutating func usage(_ usage: AgentUsage) {
    if usage != AgentUsage() { report(.usage(usage: usage)) }
  }

  /// What the server is doing, in its words.
  mutating func status(_ text: String) {
    let text = words(text)
    if !text.isEmpty { report(.status(text: text)) }
  }

  /// Report an event of the run.
  mutating func report(_ event: AgentEvent) { add(.report(event)) }

  /// Let a decoder that knows nothing of HTTP say what a message means.
  mutating func take(_ message: JSON, _ decode: (JSON, inout AgentTurn) -> [AgentEvent]) {
    let message = clean(message)
    tell { decode(message, &$0) }
  }

  /// Let it say what happened.
  mutating func tell(_ body: (inout AgentTurn) -> [AgentEvent]) {
    guard !isOver else { return }
    for event in body(&agent) { report(event) }
  }

  // What the user decided.

  /// The name by which the dialect asked for it; nil if nobody waits for that.
  mutating func close(_ permission: PermissionID, _ choice: PermissionRequest.Choice) -> PermissionID? {
    agent.close(permission, choosing: choice)?.request.string.map(PermissionID.init)
  }

  /// The answered form, once all of it is answered or the user declined; the next question is asked until then.
  mutating func answer(_ question: QuestionID, _ answer: AgentQuestion.Answer) -> QuestionForm? {
    let (events, form) = agent.answer(question, answer)
    for event in events { report(event) }
    return form
  }

  // What is to be done.

  /// Send a request whose answer is the stream of the turn.
  mutating func stream(_ request: HTTPRequest) { add(.stream(request)) }

  /// The same where what is told over the streams before still counts.
  mutating func streamBeside(_ request: HTTPRequest) { add(.streamBeside(request)) }

  /// Nothing more comes over this stream. That is the end of the turn, unless another one goes on.
  mutating func endStream(_ number: Int, _ end: AgentTurnEnd) { add(.endStream(number, end)) }

  /// Send a request whose answer is JSON.
  mutating func ask(_ request: HTTPRequest) { add(.ask(request, hasInstruction: false)) }

  /// Send a request that hands the instruction over, and whose answer is JSON.
  mutating func submit(_ request: HTTPRequest) { add(.ask(request, hasInstruction: true)) }

  /// Open a socket, and send this message over it, which is the instruction; its messages are the stream of the turn.
  mutating func socket(_ request: HTTPRequest, message: String) {
    add(.socket(request, message: message, hasInstruction: true))
  }

  /// The same for a server that gets the instruction in another way.
  mutating func listen(_ request: HTTPRequest, message: String) {
    add(.socket(request, message: message, hasInstruction: false))
  }

  /// The answer has a file, such as an image: it is written beside the conversation, and its place is told.
  mutating func save(_ file: AnswerFile) { add(.save(file)) }

  /// Taken also behind the end: how a conversation stands is known only then.
  mutating func keep(_ record: ConversationRecord) { steps.append(.keep(record)) }

  /// The turn is over; nothing of it is reported any more.
  mutating func end(_ end: AgentTurnEnd) {
    guard !isOver else { return }
    tell { $0.end() }
    add(.end(end))
    isOver = true
  }

  private mutating func add(_ step: Step) {
    if !isOver { steps.append(step) }
  }
}
