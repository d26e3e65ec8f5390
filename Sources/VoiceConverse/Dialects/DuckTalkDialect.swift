package import VoiceJSON
package import VoiceVocabulary

/// Duck Talk (Reduck): `POST /api/converse`, section 5.1 of the protocol notes. Only `data:` lines, each one JSON object
/// with `text`, `block` or `done`.
///
/// The server never asks for permission and cannot be told to stop: after a halt its answer is read to the end, unheard.
package struct DuckTalkDialect: HTTPDialect {
  /// Claude Code's own, which the server passes through.
  static let permissionModes = ["plan", "default", "acceptEdits", "bypassPermissions", "dontAsk", "auto"]

  package let server: HTTPServer
  package let capabilities: AgentCapabilities = [.resume, .list, .rewind]
  package private(set) var session: AgentSessionID?
  /// The message that the next instruction follows, if not the newest: the server copies the session up to it.
  private var leaf: String?
  /// As Claude Code names it.
  private var model: String
  private let systemPrompt: String
  /// nil for Duck Talk's own default, `plan`, in which nothing is changed.
  private var permissionMode: String?
  /// Whether the session to go on with is being asked for.
  private var isChecking = false
  /// What the next instruction is told with it; nil if nothing.
  private var remark: String?
  /// Whether anything came of the run.
  private var hasBegun = false

  /// For one session, as the environment wants it.
  init(_ agent: HTTPAgentSpecification, in environment: AgentEnvironment) {
    server = agent.server(environment.server.credential)
    model = agent.model(in: environment) ?? "sonnet"
    permissionMode = environment.preferredMode
    systemPrompt = environment.server.prompt
    session = environment.start.earlier
    if case .fork(_, let message) = environment.start { leaf = message }
  }

  package var probe: HTTPRequest { request(.get, "/api/config") }

  /// A session to go on with must be there, and the message to go back to in it: the server would begin another one.
  package mutating func opened(_ answer: JSON?) -> HTTPOpening {
    guard let wanted = session else { return .ready }
    guard isChecking else {
      isChecking = true
      return .ask(request(.get, "/api/sessions/\(wanted.rawValue.percentEncoded())/messages"))
    }
    isChecking = false
    guard let answer else {
      return .unavailable(reason: "\(server.name) has no session \(wanted.rawValue). List them with parley sessions.")
    }
    guard let leaf else { return .ready }
    guard let place = answer.elements.firstIndex(where: { $0["uuid"]?.string == leaf }) else {
      return .unavailable(
        reason: "There is no message \(leaf) in the session \(wanted.rawValue). parley sessions show lists them.")
    }
    if Self.isSaid(answer.elements[place]) { goBack(before: place, in: answer.elements) }
    return .ready
  }

  /// Words of the user are said anew: the next instruction stands in their place, behind what came before them.
  private mutating func goBack(before place: Int, in messages: [JSON]) {
    leaf = place == 0 ? nil : messages[place - 1]["uuid"]?.string
    guard leaf == nil else { return }
    session = nil
    remark = "The session begins anew, in the place of its first message."
  }

  /// Whether the user said it; the results of tools are his, too, by their role.
  private static func isSaid(_ message: JSON) -> Bool {
    guard message["role"]?.string == "user" else { return false }
    let blocks = message["content"]?.elements ?? []
    return blocks.isEmpty || blocks.contains { $0["type"]?.string != "tool_result" }
  }

  package var controls: AgentControls? {
    let mode = permissionMode ?? "plan"
    return AgentControls(
      mode: .init(
        current: mode, offered: Self.permissionModes,
        remark: mode == "plan" ? "in which it reads and plans, and changes nothing" : nil),
      model: .init(current: model))
  }

  /// Both go with each instruction.
  package mutating func change(_ setting: AgentSetting, to value: String) -> Bool {
    switch setting {
    case .mode:
      guard Self.permissionModes.contains(value) else { return false }
      permissionMode = value
    case .model: model = value
    }
    return true
  }

  package mutating func start(_ instruction: Instruction, _ turn: inout HTTPTurn) {
    var body: [String: JSON] = [
      "instruction": .string(instruction.textWithRemark), "model": .string(model),
      "system_prompt": .string(systemPrompt),
    ]
    if let remark { turn.status(remark) }
    (remark, hasBegun) = (nil, false)
    body["session_id"] = session.map { .string($0.rawValue) }
    body["leaf_uuid"] = leaf.map { .string($0) }
    body["permission_mode"] = permissionMode.map { .string($0) }
    turn.stream(request(.post, "/api/converse", .object(body), stream: true))
  }

  package mutating func received(_ event: ServerSentEvent, _ turn: inout HTTPTurn) {
    guard let message = JSON(parsing: event.data.utf8) else { return }
    hasBegun = true
    if let delta = message["text"]?.string { return turn.text(delta) }
    if let block = message["block"] { return decode(block: block, &turn) }
    guard message["done"]?.bool == true else { return }
    turn.usage(AgentUsage(costInDollars: message["cost_usd"]?.amount))
    if let error = message["error"], error != .null, error != false {
      return turn.end(server.failed(error.string ?? error["message"]?.string ?? ""))
    }
    // A failed turn leaves the conversation where it was.
    if let id = message["session_id"]?.string {
      session = AgentSessionID(rawValue: id)
      leaf = nil
    }
    turn.end(.completed)
  }

  private func decode(block: JSON, _ turn: inout HTTPTurn) {
    switch block["type"]?.string {
    case "tool_use":
      guard let id = block["id"]?.string, let name = block["name"]?.string else { return }
      turn.tool(id, ToolName.fields(name, block["input"]))
    case "tool_result":
      guard let id = block["tool_use_id"]?.string else { return }
      turn.toolFinished(id, block["is_error"]?.bool == true ? .failed : .completed, output: block["content"])
    default: break
    }
  }

  /// The server names a session only at the end of a turn that went well: what came before that is lost to us.
  package mutating func ended(_ end: AgentTurnEnd, _ turn: inout HTTPTurn) {
    // What was refused was not said.
    guard end != .completed, hasBegun else { return }
    remark =
      session == nil
      ? "\(server.kind) did not keep what was said before: this instruction begins anew."
      : "\(server.kind) goes on from the last turn that it finished."
  }

  /// Its work goes on without a connection, so that is kept, and tells when it is over.
  package mutating func stop(_ turn: inout HTTPTurn) { turn.status(server.cannotStop) }
}

extension HTTPAgentKind {
  /// The Duck Talk server, in which Claude Code works.
  package static let duckTalk = HTTPAgentKind(
    "duck-talk", title: "Duck Talk", form: "duck-talk[:http://HOST:PORT]", dialect: DuckTalkDialect.init
  ).with {
    $0.defaultAddress = "http://127.0.0.1:8000"
    $0.takes = [.systemPrompt]
    $0.modes = .these(DuckTalkDialect.permissionModes)
    $0.sessions = Sessions { at throws(AgentError) in
      try await at.ask("/api/sessions").elements.compactMap {
        at.summary($0, title: ["summary", "name"], updated: ["updated_at"])
      }
    } messages: { at, session throws(AgentError) in
      try await at.ask("/api/sessions/\(session.rawValue.percentEncoded())/messages")
        .elements.flatMap(at.messages)
    }
  }
}
