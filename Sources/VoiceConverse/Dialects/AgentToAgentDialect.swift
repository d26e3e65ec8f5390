package import VoiceJSON
package import VoiceVocabulary

/// A2A, the Agent2Agent protocol, over JSON-RPC and server-sent events: release 1.0 and the 0.3 that is still in the field;
/// section 7 of the protocol notes. The agent's card says which of them it speaks.
///
/// An instruction is a message that makes a task; what the task wants to know is a question to the user, answered by a
/// message to the same task. The stream before may go on behind that: a task is told over each of its streams, and what was told
/// over one is passed over in another (`ToldTwice`). A2A knows neither tools nor permissions.
package struct AgentToAgentDialect: HTTPDialect {
  /// What is spoken: the names of the calls and the form of a message differ.
  private enum Release: Sendable { case v03, v1 }

  private enum Phase: Sendable {
    case idle
    /// The card is asked for, and this waits for it.
    case reading(Instruction)
    case working
    /// The user wants it stopped, and nobody can be told before the task has a name.
    case stoppingUnnamed
    case stopping
  }

  package let server: HTTPServer
  package let capabilities: AgentCapabilities = [.cancel, .resume]
  /// A2A's context: what the tasks of one conversation have in common.
  package private(set) var session: AgentSessionID?
  /// Begins the names of our messages, which nobody else may use.
  private let messageName: String
  private var lastMessage = 0
  private var lastRequest = 0
  private var release: Release?
  /// Where the calls go.
  private var path = "/"
  private var phase = Phase.idle
  private var task: String?
  /// The newest stream, and whether it has named its task; events of any other task are ignored from then on.
  private var (newest, isNamed) = (0, false)
  private var twice = ToldTwice()
  /// What the user was asked last.
  private var asked: JSON?
  private var said = SaidWords()

  /// For one session, as the environment wants it.
  init(_ agent: HTTPAgentSpecification, in environment: AgentEnvironment) {
    server = agent.server(environment.server.credential)
    session = environment.start.earlier
    messageName = environment.server.newSession.rawValue
  }

  // The card.

  package var probe: HTTPRequest { request(.get, "/.well-known/agent-card.json") }

  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    read(card: answer).map { .unavailable(reason: $0) } ?? .ready
  }

  /// What the card says about how to speak; the reason, if that cannot be.
  private mutating func read(card: JSON?) -> String? {
    guard let card, card["name"]?.string != nil else {
      return "\(server.name) has no agent card at /.well-known/agent-card.json. Check the address."
    }
    guard card["capabilities"]?["streaming"]?.bool == true else {
      return "\(server.name) does not stream its answers, and this program needs that."
    }
    let interfaces = (card["supportedInterfaces"]?.elements ?? []).filter {
      $0["protocolBinding"]?.string?.uppercased() == "JSONRPC"
    }
    if let newest = interfaces.first(where: { $0["protocolVersion"]?.string?.hasPrefix("1") == true }) {
      release = .v1
      path = callPath(newest["url"])
    } else if let old = interfaces.first ?? (card["preferredTransport"]?.string ?? "JSONRPC" == "JSONRPC" ? card : nil)
    {
      release = .v03
      path = callPath(old["url"])
    } else {
      return "\(server.name) does not speak A2A over JSON-RPC."
    }
    return nil
  }

  /// The path of the card's address. Its host is not followed, so that no token goes elsewhere.
  private func callPath(_ url: JSON?) -> String {
    let text = url?.string ?? ""
    guard let rest = text.dropping(prefix: "http://") ?? text.dropping(prefix: "https://") else { return "/" }
    let place = String(rest.drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" })
    // The path of our own address stands before it in any case.
    let inner = place.dropping(prefix: server.address.path) ?? place
    return inner.isEmpty ? "/" : inner
  }

  // What is asked.

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    (task, said, twice, asked) = (nil, SaidWords(), ToldTwice(), nil)
    guard release != nil else {
      phase = .reading(instruction)
      return turn.ask(probe)
    }
    phase = .working
    say(instruction.textWithRemark, &turn)
  }

  /// Send a message, to the open task if there is one.
  private mutating func say(_ words: String, _ turn: inout HTTPTurn) {
    lastMessage += 1
    var message: [String: JSON] = ["messageId": .string("\(messageName)-\(lastMessage)")]
    switch release {
    case .v1:
      message["role"] = "ROLE_USER"
      message["parts"] = [["text": .string(words)]]
    case .v03, nil:
      message["role"] = "user"
      message["kind"] = "message"
      message["parts"] = [["kind": "text", "text": .string(words)]]
    }
    message["taskId"] = task.map { .string($0) }
    message["contextId"] = session.map { .string($0.rawValue) }
    let method = release == .v1 ? "SendStreamingMessage" : "message/stream"
    turn.streamBeside(call(method, ["message": .object(message)], stream: true))
  }

  private mutating func call(_ method: String, _ parameters: JSON, stream: Bool = false) -> HTTPRequest {
    lastRequest += 1
    let body: JSON = [
      "jsonrpc": "2.0", "id": .integer(lastRequest), "method": .string(method), "params": parameters,
    ]
    var request = request(.post, path, body, stream: stream)
    if release == .v1 { request.headers.append("A2A-Version: 1.0") }
    return request
  }

  package mutating func decided(_ form: QuestionForm, _ turn: inout HTTPTurn) {
    // Saying nothing would leave the task waiting for ever.
    twice.beginStream()
    say(form.answers.first.flatMap { $0 } ?? "The user does not want to answer that.", &turn)
  }

  package mutating func stop(_ turn: inout HTTPTurn) {
    guard let task else {
      phase = .stoppingUnnamed
      return
    }
    cancel(task, &turn)
  }

  /// A task that waits for an answer still does.
  package mutating func notTaken(_ turn: inout HTTPTurn) {
    if let task { cancel(task, &turn) } else { turn.end(.cancelled) }
  }

  private mutating func cancel(_ task: String, _ turn: inout HTTPTurn) {
    phase = .stopping
    var request = call(release == .v1 ? "CancelTask" : "tasks/cancel", ["id": .string(task)])
    request.silenceMilliseconds = ConverseLimits.stopMilliseconds
    turn.ask(request)
  }

  // What comes back.

  package mutating func answered(_ answer: JSON, _ turn: inout HTTPTurn) {
    switch phase {
    case .reading(let instruction):
      if let reason = read(card: answer) { return turn.end(.failed(reason: reason)) }
      start(instruction, &turn)
    case .stopping:
      let stopped = answer["result"]
      switch stopped?["id"]?.string ?? task == task ? stopped?["status"].flatMap({ Self.state($0) }) : nil {
      case .canceled: turn.end(.cancelled)
      // It was over before it was told.
      case .completed: turn.end(.completed)
      default: turn.status(server.notStopped)
      }
    case .idle, .working, .stoppingUnnamed: break
    }
  }

  package mutating func received(_ event: ServerSentEvent, over stream: Int, _ turn: inout HTTPTurn) {
    if let answer = JSON(parsing: event.data.utf8) { receivedWhole(answer, over: stream, &turn) }
  }

  package mutating func receivedWhole(_ answer: JSON, over stream: Int, _ turn: inout HTTPTurn) {
    if let error = answer["error"], error != .null {
      return turn.endStream(stream, server.failed(error["message"]?.string ?? ""))
    }
    if stream > newest { (newest, isNamed) = (stream, false) }
    guard let result = answer["result"], twice.isNew(result, over: stream) else { return }
    if let update = result["statusUpdate"] ?? result.of(kind: "status-update") {
      guard note(update["taskId"], update["contextId"], &turn) else { return }
      took(update["status"], &turn)
    } else if let update = result["artifactUpdate"] ?? result.of(kind: "artifact-update") {
      guard note(update["taskId"], update["contextId"], &turn) else { return }
      took(artifact: update["artifact"], isMore: update["append"]?.bool == true, &turn)
    } else if let made = result["task"] ?? result.of(kind: "task") {
      guard note(made["id"], made["contextId"], &turn) else { return }
      for artifact in made["artifacts"]?.elements ?? [] { took(artifact: artifact, &turn) }
      took(made["status"], &turn)
    } else if let message = result["message"] ?? result.of(kind: "message") {
      // An answer without a task is all there is over this stream; some servers answer so, piece by piece, in a task's own.
      let isWhole = !isNamed
      guard note(isWhole ? nil : message["taskId"], message["contextId"], &turn) else { return }
      say(message, in: .message, &turn)
      if isWhole { turn.endStream(stream, .completed) }
    }
  }

  /// The first task that a stream names is ours.
  /// - Returns: False if this is about another one.
  private mutating func note(_ task: JSON?, _ context: JSON?, _ turn: inout HTTPTurn) -> Bool {
    if isNamed, let task = task?.string, task != self.task { return false }
    if let context = context?.string { session = AgentSessionID(rawValue: context) }
    guard let task = task?.string else { return true }
    (self.task, isNamed) = (task, true)
    if case .stoppingUnnamed = phase { cancel(task, &turn) }
    return true
  }

  private mutating func took(artifact: JSON?, isMore: Bool = false, _ turn: inout HTTPTurn) {
    say(Self.words(artifact), of: artifact?["artifactId"]?.string, in: .artifact(isMore: isMore), &turn)
  }

  private mutating func say(_ message: JSON?, in form: SaidWords.Form, _ turn: inout HTTPTurn) {
    say(Self.words(message), of: message?["messageId"]?.string, in: form, &turn)
  }

  private mutating func say(_ words: String, of name: String?, in form: SaidWords.Form, _ turn: inout HTTPTurn) {
    if let new = said.take(words, of: name, in: form) { turn.text(new.text, of: new.paragraph) }
  }

  private mutating func took(_ status: JSON?, _ turn: inout HTTPTurn) {
    guard let status else { return }
    let message = status["message"]
    let words = Self.words(message)
    switch Self.state(status) {
    case .submitted, .working: say(message, in: .status, &turn)
    case .inputRequired:
      if case .stopping = phase { return }
      // Told again while it waits, it is one question.
      if turn.waitsForUser, asked == status { return }
      asked = status
      lastRequest += 1
      let id = "question-\(lastRequest)"
      let text = words.isEmpty ? "The agent waits for an answer, and does not say to what." : words
      turn.ask([AgentQuestion(id: QuestionID(rawValue: id), text: text)], tool: id)
    case .completed:
      say(message, in: .end, &turn)
      turn.end(isSilent ? .stopped(reason: server.emptyAnswer) : .completed)
    case .canceled: turn.end(.cancelled)
    case .failed: turn.end(server.failed(words))
    case .rejected:
      turn.end(.failed(reason: words.isEmpty ? "\(server.name) does not take this on." : server.quoted(words)))
    case .authRequired:
      turn.end(
        .stopped(reason: "\(server.name) wants you to sign in first. \(server.quoted(words))".trimmingWhitespace()))
    case nil: break
    }
  }

  /// Whether the task has said and asked nothing, and nobody has stopped it.
  private var isSilent: Bool { if case .working = phase { said.isEmpty && asked == nil } else { false } }

  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) { phase = .idle }

  /// How a task stands, in the words of 0.3.
  private enum State: String {
    case submitted, working, completed, canceled, failed, rejected
    case inputRequired = "input-required"
    case authRequired = "auth-required"
  }

  private static func state(_ status: JSON) -> State? {
    let name = status["state"]?.string ?? ""
    return State(
      rawValue: name.dropping(prefix: "TASK_STATE_")?.lowercased().replacing("_", with: "-") ?? name)
  }

  /// The words in a message or an artifact.
  private static func words(_ value: JSON?) -> String {
    (value?["parts"]?.elements ?? []).compactMap { $0["text"]?.string }.joined()
  }
}

extension JSON {
  /// This, if 0.3 calls it so.
  fileprivate func of(kind: String) -> JSON? { self["kind"]?.string == kind ? self : nil }
}

extension HTTPAgentKind {
  /// Any server of the Agent2Agent protocol. It can name none of its contexts.
  package static let agentToAgent = HTTPAgentKind(
    "a2a", title: "A2A", form: "a2a:https://HOST", dialect: AgentToAgentDialect.init
  ).with { $0.models = .none }
}
