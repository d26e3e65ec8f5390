package import VoiceJSON
package import VoiceVocabulary

/// The web servers of opcode and of Claudia, as it was called before; section 5.5 of the protocol notes. Which of the two a server is,
/// is found out by what it answers.
///
/// opcode has a WebSocket for each run, over which the lines of Claude Code come in envelopes, and cannot be told to stop: its cancel
/// call only writes to its log. Claudia takes an instruction by a call, and tells of all runs to every WebSocket there is; it goes on
/// with no session. Both run Claude Code without its permission requests.
package struct OpcodeDialect: HTTPDialect {
  /// Which of the two.
  private enum Flavour: Sendable { case unknown, opcode, claudia }

  private enum Phase: Sendable {
    case idle
    /// It is found out which server this is.
    case findingOut(Instruction)
    /// Claudia: the socket is being opened, so that nothing of the run is missed.
    case listening(Instruction)
    /// Claudia has the instruction and has not named the run.
    case asked
    case working
  }

  package let server: HTTPServer
  package private(set) var session: AgentSessionID?
  /// As Claude Code names it; the server passes an empty one through, so there always is one.
  private let model: String
  /// On the machine of the server.
  private let workingFolder: String
  private let start: AgentSessionStart
  private var flavour = Flavour.unknown
  private var isAskedForProjects = false
  private var phase = Phase.idle
  private var decoder = ClaudeDecoder()
  /// Claudia's name for the run.
  private var run: String?
  /// What came before the run had a name.
  private var early: [JSON] = []
  /// Output of which the line has not ended.
  private var line = ""
  private var isHalted = false
  private var runs = 0

  /// For one session, as the environment wants it.
  init(_ agent: HTTPAgentSpecification, in environment: AgentEnvironment) {
    server = agent.server(environment.server.credential)
    model = agent.model(in: environment) ?? "sonnet"
    workingFolder = environment.workingFolder
    start = environment.start
    session = start.earlier
  }

  package var capabilities: AgentCapabilities { flavour == .claudia ? [.cancel, .list] : [.resume, .list] }

  package var probe: HTTPRequest { request(.get, "/api/health") }

  private var projects: HTTPRequest { request(.get, "/api/projects") }

  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    if !isAskedForProjects, answer?["service"]?.string?.hasPrefix("claudia") == true {
      flavour = .claudia
    } else if !isAskedForProjects {
      isAskedForProjects = true
      return .ask(projects)
    } else {
      isAskedForProjects = false
      if let refusal = Self.refusal(answer) { return .unavailable(reason: server.failed(refusal).reason) }
      flavour = Self.flavour(answer)
    }
    if flavour == .claudia, let refusal = start.refusal(by: "Claudia", that: capabilities) {
      return .unavailable(reason: refusal)
    }
    return .ready
  }

  /// opcode wraps whatever it answers, Claudia answers with the list itself.
  private static func flavour(_ answer: JSON?) -> Flavour { if case .array = answer { .claudia } else { .opcode } }

  /// What opcode says in an answer that is an error.
  static func refusal(_ answer: JSON?) -> String? {
    guard let answer, answer["success"]?.bool == false else { return nil }
    return ServerWords.words(answer)
  }

  // Asking.

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    (decoder, run, early, line, isHalted) = (ClaudeDecoder(), nil, [], "", false)
    switch flavour {
    case .unknown:
      phase = .findingOut(instruction)
      turn.ask(projects)
    case .opcode: startOpcode(instruction, &turn)
    case .claudia: startClaudia(instruction, &turn)
    }
  }

  private mutating func startOpcode(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    phase = .working
    let body: JSON = [
      "command_type": session == nil ? "execute" : "resume", "project_path": .string(workingFolder),
      "prompt": .string(instruction.textWithRemark), "model": .string(model),
      "session_id": session.map { .string($0.rawValue) },
    ]
    turn.socket(request(.get, "/ws/claude"), message: String(decoding: body.bytes, as: UTF8.self))
  }

  private mutating func startClaudia(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    phase = .listening(instruction)
    runs += 1
    if runs == 2 { turn.status("\(server.kind) begins anew with each instruction: it knows nothing of those before.") }
    // It greets, and says back whatever it is sent; to this it has a short answer.
    turn.listen(request(.get, "/ws"), message: #"{"type":"ping"}"#)
  }

  package mutating func answered(_ answer: JSON, _ turn: inout HTTPTurn) {
    switch phase {
    case .findingOut(let instruction):
      if let refusal = Self.refusal(answer) { return turn.end(server.failed(refusal)) }
      flavour = Self.flavour(answer)
      start(instruction, &turn)
    case .asked:
      guard let name = answer["sessionId"]?.string, !name.isEmpty else {
        return turn.end(Self.refusal(answer).map(server.failed) ?? server.left("\(server.name) did not name the run."))
      }
      (run, phase) = (name, .working)
      if isHalted { cancel(name, &turn) }
      for message in early { take(message, &turn) }
      early = []
    // That it was told says nothing: it says the same of a run that it does not know. The event that names the run does.
    case .working: if isHalted { turn.status(server.notStopped) }
    case .idle, .listening: break
    }
  }

  // The answer.

  /// Claudia's greeting shows that it tells us of what happens from now on: the instruction follows.
  private mutating func submit(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    phase = .asked
    turn.submit(
      request(
        .post, "/api/claude/execute",
        [
          "projectPath": .string(workingFolder), "prompt": .string(instruction.textWithRemark), "model": .string(model),
        ]))
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    if case .listening(let instruction) = phase { return submit(instruction, &turn) }
    guard let message = JSON(parsing: event.data.utf8) else { return }
    if flavour == .claudia, run == nil {
      if early.count < ConverseLimits.earlyMessages { early.append(message) }
      return
    }
    take(message, &turn)
  }

  private mutating func take(_ message: JSON, _ turn: inout HTTPTurn) {
    let fields = message["data"]?.members.isEmpty == false ? message["data"] ?? message : message
    // Every client hears of every run.
    if flavour == .claudia, fields["sessionId"]?.string != run { return }
    switch message["type"]?.string ?? message["event"]?.string {
    case "output", "process-output": takeOutput(fields["content"]?.string ?? "", &turn)
    case "completion" where fields["status"]?.string == "success", "process-completed", "process-complete":
      finish(&turn)
      turn.end(.completed)
    case "process-cancelled":
      turn.end(isHalted ? .cancelled : .stopped(reason: "Somebody else stopped it at the server."))
    // One of the two says it so that it has stopped.
    case "process-failed" where isHalted, "process-error" where isHalted: turn.end(.cancelled)
    case "completion", "process-failed", "process-error", "error": turn.end(server.failed(ServerWords.words(fields)))
    case nil: if let refusal = Self.refusal(message) { turn.end(server.failed(refusal)) }
    default: break
    }
  }

  /// Lines of Claude Code, or words for people; a line may come in pieces.
  private mutating func takeOutput(_ content: String, _ turn: inout HTTPTurn) {
    guard line.utf8.count + content.utf8.count <= ConverseLimits.eventBytes else { return turn.end(server.tooLong()) }
    line += content
    let parts = line.lines.map(String.init)
    line = ""
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      // Each piece of a long line would have all of it read again.
      let isWhole = !isLast || part.last { !$0.isWhitespace } == "}"
      if isWhole, let value = JSON(parsing: part.utf8), case .object = value {
        take(line: value, &turn)
      } else if isLast, part.first == "{" {
        line = part
      } else if !part.isEmpty || !isLast {
        turn.text(part + (isLast ? "" : "\n"))
      }
    }
  }

  /// What was left of a line is words.
  private mutating func finish(_ turn: inout HTTPTurn) {
    if !line.isEmpty { turn.text(line) }
    line = ""
  }

  /// One line of Claude Code. There are no partial messages: text comes a block at a time.
  private mutating func take(line: JSON, _ turn: inout HTTPTurn) {
    if flavour != .claudia, let id = line["session_id"]?.string { session = AgentSessionID(rawValue: id) }
    guard line["type"]?.string == "result" else { return turn.take(line) { decoder.decode($0, into: &$1) } }
    let usage = line["usage"]
    turn.usage(
      AgentUsage(
        inputTokens: usage?["input_tokens"]?.count, outputTokens: usage?["output_tokens"]?.count,
        costInDollars: line["total_cost_usd"]?.amount))
    guard line["is_error"]?.bool == true else { return }
    let errors = line["errors"].map { ServerWords.words($0) } ?? ""
    turn.end(server.failed(errors.isEmpty ? line["result"]?.string ?? "" : errors))
  }

  // Stopping.

  /// opcode works on without a connection, so that is kept, and tells when it is over. Claudia is told as soon as the run has a name.
  package mutating func stop(_ turn: inout HTTPTurn) {
    isHalted = true
    guard flavour == .claudia else { return turn.status(server.cannotStop) }
    if let run { cancel(run, &turn) }
  }

  private func cancel(_ run: String, _ turn: inout HTTPTurn) {
    var request = request(.post, "/api/claude/cancel", ["sessionId": .string(run)])
    request.silenceMilliseconds = ConverseLimits.stopMilliseconds
    turn.ask(request)
  }

  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) { phase = .idle }
}

extension HTTPAgentKind {
  /// opcode's server, or Claudia's, in which Claude Code works.
  package static let opcode = HTTPAgentKind(
    "opcode", title: "opcode", form: "opcode[:http://HOST:PORT][#MODEL]", dialect: OpcodeDialect.init
  ).with {
    $0.defaultAddress = "http://127.0.0.1:8080"
    $0.sessions = Sessions { at throws(AgentError) in
      guard let project = try await project(at)?.id else { return [] }
      return try await payload(at, "/api/projects/\(project.percentEncoded())/sessions").elements.compactMap {
        at.summary($0, title: ["first_message"], updated: ["message_timestamp", "created_at"])
      }
    } messages: { at, session throws(AgentError) in
      let none = AgentError("There is no session \(session.rawValue) of \(at.workingFolder) at this server.")
      guard let project = try await project(at) else { throw none }
      let (id, name) = (session.rawValue.percentEncoded(), project.id.percentEncoded())
      let path = project.isWrapped ? "/api/sessions/\(id)/history/\(name)" : "/api/sessions/\(name)/\(id)/history"
      let messages = try await payload(at, path).elements.flatMap(at.messages)
      if messages.isEmpty { throw none }
      return messages
    }
  }

  /// opcode's, or Claudia's, name for the project in the working folder; nil where it knows none. Claudia names the folder only
  /// by that, in which every sign that is no letter is a hyphen.
  /// - Returns: besides, whether the server wraps its answers, as opcode does.
  private static func project(_ at: HTTPSessions) async throws(AgentError) -> (id: String, isWrapped: Bool)? {
    let answer = try await at.ask("/api/projects")
    let isWrapped = if case .array = answer { false } else { true }
    let slug = ClaudeSessions.slug(at.workingFolder)
    let project = try unwrapped(answer, at).elements.first {
      $0["path"]?.string == at.workingFolder || $0["id"]?.string == slug
    }
    return project?["id"]?.string.map { ($0, isWrapped) }
  }

  private static func payload(_ at: HTTPSessions, _ path: String) async throws(AgentError) -> JSON {
    try unwrapped(try await at.ask(path), at)
  }

  /// What opcode wraps into `{success, data, error}`.
  private static func unwrapped(_ answer: JSON, _ at: HTTPSessions) throws(AgentError) -> JSON {
    if let refusal = OpcodeDialect.refusal(answer) { throw AgentError(at.server.failed(refusal).reason) }
    return answer["data"] ?? answer
  }
}
