import VoiceJSON
import VoiceVocabulary

/// What the server asks: permissions, questions, the tools and the forms of MCP servers; for our thread and for those of its
/// helpers.
extension CodexDialect {
  /// The agent asks, and waits for an answer.
  mutating func asked(_ id: JSON, _ method: String, _ parameters: JSON) {
    guard Self.requests.contains(method) else {
      refuse(id, RPCError.methodNotFound, "unknown method")
      effects += unknown.refuse(method, of: description.name)
      return
    }
    let lapsed = turn.nameIsTaken(id, by: description.name)
    guard lapsed.isEmpty else {
      forget(id)
      refuse(id, RPCError.invalidRequest, "two requests have this identifier")
      return report(lapsed)
    }
    let isHelpers = !isOfThread(parameters)
    if isHelpers { helperAsks(parameters["threadId"]?.string) }
    guard state == .working, isHelpers || isOurs(parameters) else {
      return refuse(id, RPCError.requestCancelled, "nothing is being worked on")
    }
    if isHelpers { askedByHelpers.append(HelperRequest(id: id, method: method, parameters: parameters)) }
    let name = numbers.permission()
    switch method {
    case "item/commandExecution/requestApproval", "item/fileChange/requestApproval":
      permissionAsked(id, parameters, as: name, isCommand: method.contains("command"))
    case "item/tool/requestUserInput":
      if let events = turn.ask(QuestionForm(request: id, questions: questions(parameters))) { return report(events) }
      forget(id)
      respond(to: id, Self.refusal(of: method))
    default:
      if parameters["_meta"]?["codex_approval_kind"]?.string == "mcp_tool_call" {
        toolAsked(id, parameters, as: name)
      } else {
        elicited(
          Elicitation(
            request: id, server: parameters["serverName"]?.string, message: parameters["message"]?.string,
            address: parameters["url"]?.string, schema: parameters["requestedSchema"]))
      }
    }
  }

  private mutating func refuse(_ id: JSON, _ code: Int, _ words: String) {
    effects.append(.send(RPCForm.withoutVersion.error(of: id, code: code, words)))
  }

  /// What can be answered.
  private static let requests = [
    "item/commandExecution/requestApproval", "item/fileChange/requestApproval", "item/tool/requestUserInput",
    "mcpServer/elicitation/request",
  ]

  private mutating func permissionAsked(_ id: JSON, _ parameters: JSON, as permission: PermissionID, isCommand: Bool) {
    var options: [(choice: PermissionRequest.Choice, answer: JSON)] = [(.allowOnce, "accept")]
    if let offered = parameters["availableDecisions"]?.elements {
      let always = offered.first { $0 == "acceptForSession" } ?? offered.first(where: Self.isKnown(decision:))
      if let always { options.append((.allowAlways, always)) }
    } else {
      options.append((.allowAlways, "acceptForSession"))
    }
    // Declining lets the turn go on, and is taken although the server does not list it; its `cancel` ends the turn.
    options.append((.rejectOnce, "decline"))
    // The kind of a change was told with the change.
    var fields = isCommand ? CodexDialect.commandFields(parameters) : [:]
    var extra: [String: JSON] = [:]
    let isHere = parameters["environmentId"] == "local"
    for (name, value) in parameters.members
    where !Self.known.contains(name) && value != .null && !(isHere && name == "environmentId") {
      extra[name] = value
    }
    fields["extraInput"] = .object(extra)
    fields["toolCallId"] = parameters["itemId"]
    let always = options.first { $0.choice == .allowAlways }.map { Self.words(ofAlways: $0.answer) }
    options = options.map { ($0.choice, ["decision": $0.answer]) }
    let record = options.first { $0.choice == .allowAlways }.map {
      Self.record(ofAlways: $0.answer["decision"] ?? .null)
    }
    asking[id] = parameters["itemId"]?.string
    report(
      turn.ask(
        permission, request: id, options: options, about: .object(fields), always: always, record: record,
        allows: .request)
        ?? [])
  }

  /// What is written of a decision that allows more than this once: a rule, in a line of its own.
  private static func record(ofAlways decision: JSON) -> ApprovalRecord {
    guard let words = decision["acceptWithExecpolicyAmendment"]?["execpolicy_amendment"]?.elements, !words.isEmpty
    else {
      return ApprovalRecord()
    }
    return ApprovalRecord(places: [.init(file: CodexRulesFile.name, entries: [CodexRulesFile.line(allowing: words)])])
  }

  /// Whether all that a decision does is said of it: what is not is not offered.
  private static func isKnown(decision: JSON) -> Bool {
    guard decision.string == nil else { return false }
    let rule = decision["acceptWithExecpolicyAmendment"]
    guard let rule else { return true }
    return decision.members.count == 1 && rule.members.count == 1
      && rule["execpolicy_amendment"]?.elements.allSatisfy { $0.string != nil } == true
  }

  /// What a decision that allows more than this once covers.
  private static func words(ofAlways decision: JSON) -> String {
    guard let words = decision["acceptWithExecpolicyAmendment"]?["execpolicy_amendment"]?.elements.compactMap(\.string)
    else {
      let isForSession = decision == "acceptForSession"
      return isForSession ? "the same again, for this session" : String(decoding: decision.bytes, as: UTF8.self)
    }
    return "commands that begin with “\(words.joined(separator: " "))”, written to Codex's rules"
  }

  /// What a request holds besides names and what is read elsewhere: a reason, or more rights than for this act.
  private static let known: Set<String> = [
    "threadId", "turnId", "itemId", "approvalId", "availableDecisions", "command", "commandActions", "cwd",
    "startedAtMs", "kind",
  ]

  private mutating func questions(_ parameters: JSON) -> [AgentQuestion] {
    (parameters["questions"]?.elements ?? []).compactMap { question in
      guard let text = question["question"]?.string, let name = question["id"]?.string else { return nil }
      return AgentQuestion(
        id: QuestionID(rawValue: numbers.question().rawValue + "/" + name), text: text,
        options: AgentQuestion.Option.list(question["options"]))
    }
  }

  // MARK: MCP servers

  /// Whether a tool of an MCP server may be used: Codex asks that as a form without fields.
  private mutating func toolAsked(_ id: JSON, _ parameters: JSON, as permission: PermissionID) {
    let meta = parameters["_meta"] ?? .null
    let accepted: [String: JSON] = ["action": "accept", "content": [:]]
    var options: [(choice: PermissionRequest.Choice, answer: JSON)] = [(.allowOnce, .object(accepted))]
    let offered = meta["persist"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) } ?? []
    // The narrower one of what it offers.
    var always: String?
    if let scope = ["session", "always"].first(where: offered.contains) {
      options.append((.allowAlways, .object(accepted.merging(["_meta": ["persist": .string(scope)]]) { $1 })))
      let place = scope == "session" ? "for this session" : "written to Codex's own configuration"
      always = "every use of this tool, \(place)"
    }
    options.append((.rejectOnce, Self.declinedForm))
    let server = parameters["serverName"]?.string ?? "an MCP server"
    let tool =
      meta["tool_name"]?.string ?? meta["tool_title"]?.string ?? Self.nameInQuotes(parameters["message"]?.string)
    let fields: JSON = [
      "kind": "other", "title": .string("Use the tool \(tool ?? "of") of \(server)"),
      "toolName": tool.map { .string("\(server)/\($0)") }, "rawInput": meta["tool_params"] ?? .null,
      "content": [["type": "content", "content": ["type": "text", "text": parameters["message"] ?? ""]]],
    ]
    report(
      turn.ask(
        permission, request: id, options: options, about: fields, always: always,
        record: always == nil || !offered.contains("session") ? nil : ApprovalRecord()) ?? [])
  }

  /// The tool's name stands nowhere but in the sentence that asks.
  private static func nameInQuotes(_ message: String?) -> String? {
    let parts = message?.split(separator: "\"", omittingEmptySubsequences: false) ?? []
    return parts.count == 3 && !parts[1].isEmpty ? String(parts[1]) : nil
  }

  /// An MCP server wants something of the user.
  private mutating func elicited(_ elicitation: Elicitation) {
    let form = elicitation.form { numbers.question() }
    report(turn.ask(form) ?? [])
  }

  /// All of a form was answered, or it was declined.
  mutating func answered(_ form: QuestionForm, of elicitation: Elicitation) {
    switch elicitation.outcome(form.answers) {
    case .accepted(let content): respond(to: form.request, ["action": "accept", "content": content])
    case .declined: respond(to: form.request, Self.declinedForm)
    case .unusable(let words):
      report([.status(text: "It is asked again: \(words).")])
      elicited(elicitation)
    }
  }

  static let declinedForm: JSON = ["action": "decline", "content": .null]

  /// A no, in the form that belongs to the request.
  private static func refusal(of method: String) -> JSON {
    switch method {
    case "item/tool/requestUserInput": ["answers": [:]]
    case "mcpServer/elicitation/request": declinedForm
    default: ["decision": "decline"]
    }
  }

  // MARK: Helpers

  /// A helper, which works on a thread of its own, asks. Where nothing else goes on, that is a run of its own, until it is done.
  private mutating func helperAsks(_ thread: String?) {
    guard phase == .open, let thread else { return }
    helpers.insert(thread)
    guard state == .none else { return }
    beginOfHelpers(AgentTurn())
    effects.append(.began(Self.helperReason))
  }

  /// A run begins that is only what helpers do and ask.
  mutating func beginOfHelpers(_ next: AgentTurn) {
    (state, isOwn, turnID, turn, isOfHelpers) = (.working, true, nil, next, true)
    usage.startRun()
  }

  static let helperReason = "A helper of Codex goes on."

  /// A helper began or ended its turn, or what it asked was answered.
  mutating func helperTold(_ method: String, _ parameters: JSON) {
    guard let thread = parameters["threadId"]?.string else { return }
    switch method {
    case "turn/started": helpers.insert(thread)
    case "turn/completed":
      helpers.remove(thread)
      if helpers.isEmpty, isOfHelpers { endTurn(.completed) }
    default: resolved(parameters)
    }
  }

  /// What was asked was answered, or is not asked any more.
  mutating func resolved(_ parameters: JSON) {
    guard let id = parameters["requestId"] else { return }
    forget(id)
    report(turn.withdraw(request: id))
  }

  /// It was answered.
  mutating func forget(_ request: JSON) { askedByHelpers.removeAll { $0.id == request } }

  /// Helpers would wait for ever for what is not open any more: it is denied. What is still wanted by one of these is left.
  mutating func declineHelpers(except going: Set<String> = []) {
    for request in askedByHelpers where !going.contains(request.thread) {
      report(turn.withdraw(request: request.id))
      respond(to: request.id, Self.refusal(of: request.method))
      forget(request.id)
    }
  }
}
