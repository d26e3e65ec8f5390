import VoiceJSON
import VoiceVocabulary

/// What the agent says.
extension ACPDialect {
  /// The agent answered a request of ours.
  mutating func answered(_ request: Int, _ result: Result<JSON, RPCError>) {
    switch phase {
    case .opening(let step) where step.request == request: opened(step, result)
    default:
      if let change = changes.removeValue(forKey: request) { return changed(change, result) }
      if prompt?.request == request { promptEnded(result) }
    }
  }

  private mutating func promptEnded(_ result: Result<JSON, RPCError>) {
    guard var current = prompt else { return }
    let end: AgentTurnEnd
    switch result {
    case .failure(let error): end = .failed(reason: sentence(error))
    case .success(let answer):
      if let told = answer["usage"] {
        usage.total.inputTokens = told["inputTokens"]?.count ?? usage.total.inputTokens
        usage.total.outputTokens = told["outputTokens"]?.count ?? usage.total.outputTokens
        report([.usage(usage: usage.ofRun)])
      }
      let told = Self.end(answer["stopReason"]?.string)
      end = told == .completed && current.turn.isEmpty && !current.isCommand ? .stopped(reason: Self.silent) : told
    }
    (prompt, lastPrompt) = (nil, current)
    for request in current.turn.permissions.map(\.request) {
      send(RPCForm.complete.result(of: request, Self.cancelledOutcome))
    }
    report(current.turn.end())
    effects.append(.ended(end))
  }

  /// Some agents end so where they could not reach their model.
  private static let silent = "It ended its turn without a word, and told of nothing that it did."

  private static func end(_ stopReason: String?) -> AgentTurnEnd {
    switch stopReason {
    case "end_turn", nil: .completed
    case "cancelled": .cancelled
    case "max_tokens": .stopped(reason: "It reached its limit of tokens; say “go on” to continue.")
    case "max_turn_requests": .stopped(reason: "It reached its limit of requests in one turn; say “go on” to continue.")
    case "refusal": .stopped(reason: "It refuses to go on with this.")
    case let other?: .stopped(reason: "It gave this reason: \(other.shortened(to: ConverseLimits.titleCharacters)).")
    }
  }

  // MARK: Requests and notifications of the agent

  /// The agent asks, and waits for an answer.
  mutating func asked(_ id: JSON, _ method: String, _ parameters: JSON) {
    switch method {
    case "session/request_permission": permissionAsked(id, parameters)
    case "fs/read_text_file":
      let operation = FileRequest.Operation.read(line: parameters["line"]?.integer, limit: parameters["limit"]?.integer)
      fileAsked(id, parameters, operation)
    case "fs/write_text_file": fileAsked(id, parameters, (parameters["content"]?.string).map { .write(content: $0) })
    default:
      send(RPCForm.complete.error(of: id, code: RPCError.methodNotFound, "unknown method"))
      effects += unknown.refuse(method, of: description.name)
    }
  }

  private mutating func permissionAsked(_ id: JSON, _ parameters: JSON) {
    let lapsed = prompt?.turn.nameIsTaken(id, by: description.name) ?? []
    guard lapsed.isEmpty else {
      send(RPCForm.complete.error(of: id, code: RPCError.invalidRequest, "two requests have this identifier"))
      return report(lapsed)
    }
    let permission = numbers.permission()
    let options = Self.options(parameters["options"]?.elements ?? [])
    beginOwn(with: parameters["toolCall"] ?? .null, in: parameters)
    guard prompt?.state == .working, parameters["sessionId"]?.string == description.session?.rawValue else {
      // Late, or after a halt: nobody will answer.
      return send(RPCForm.complete.result(of: id, Self.cancelledOutcome))
    }
    guard
      let events = prompt?.turn.ask(
        permission, request: id, options: options, about: parameters["toolCall"] ?? .null,
        once: Self.names(of: "allow_once", parameters, from: 2),
        always: Self.names(of: "allow_always", parameters, from: 1))
    else {
      send(RPCForm.complete.result(of: id, Self.cancelledOutcome))
      let words = "asks for permission without an answer that could be chosen, and was refused."
      return report([.status(text: "\(description.name) \(words)")])
    }
    hasAsked = true
    report(events)
  }

  /// The agent's names of its answers of this kind: of the first, as that is the one that would be given, and of those that would not.
  /// nil where there are fewer than so many.
  private static func names(of kind: String, _ parameters: JSON, from count: Int) -> String? {
    let names = (parameters["options"]?.elements ?? []).filter { $0["kind"]?.string == kind }
      .compactMap { $0["name"]?.string.map { "“\($0)”" } }
    guard names.count >= count, let first = names.first else { return nil }
    let others = names.dropFirst().joined(separator: " and ")
    return others.isEmpty ? first : "\(first), and not \(others), which only the agent's own terminal offers"
  }

  /// What can be answered. A name that stands for several kinds of answers is none: the agent might take a no for a yes.
  private static func options(_ offered: [JSON]) -> [(choice: PermissionRequest.Choice, answer: JSON)] {
    var kinds: [[UInt8]: JSON] = [:]
    var unclear: Set<[UInt8]> = []
    for option in offered {
      let (name, kind) = (option["optionId"]?.bytes ?? [], option["kind"] ?? .null)
      if kinds.updateValue(kind, forKey: name) ?? kind != kind { unclear.insert(name) }
    }
    return offered.compactMap { option in
      guard let answer = option["optionId"], !unclear.contains(answer.bytes) else { return nil }
      return (option["kind"]?.string).flatMap(choice).map { ($0, answer) }
    }
  }

  private static func choice(_ kind: String) -> PermissionRequest.Choice? {
    switch kind {
    case "allow_once": .allowOnce
    case "allow_always": .allowAlways
    case "reject_once": .rejectOnce
    case "reject_always": .rejectAlways
    default: nil
    }
  }

  /// Files are served only while the agent works on something that was not halted.
  private mutating func fileAsked(_ id: JSON, _ parameters: JSON, _ operation: FileRequest.Operation?) {
    guard prompt?.state == .working, parameters["sessionId"]?.string == description.session?.rawValue else {
      return send(RPCForm.complete.error(of: id, code: RPCError.requestCancelled, "nothing is being worked on"))
    }
    guard let path = parameters["path"]?.string, !path.isEmpty, let operation else {
      return send(RPCForm.complete.error(of: id, code: RPCError.invalidParameters, "a path or the content is missing"))
    }
    effects.append(
      .serve(FileRequest(request: id, path: path, operation: operation, denied: prompt?.turn.unallowedPaths ?? [])))
  }

  /// The agent tells, and expects no answer.
  mutating func notified(_ method: String, _ parameters: JSON) {
    switch method {
    case "$/cancel_request":
      guard let request = parameters["requestId"] ?? parameters["id"] else { return }
      let events = prompt?.turn.withdraw(request: request) ?? []
      guard !events.isEmpty else { return }
      send(RPCForm.complete.error(of: request, code: RPCError.requestCancelled, "the request was cancelled"))
      report(events)
    case "session/update": updated(parameters)
    case "_session/retrying":
      // Vibe's own notification: on a failing model it is the only sign of life for minutes.
      let detail = parameters["detail"]?.string ?? parameters["category"]?.string ?? "its model does not answer"
      let words = detail.shortened(to: ConverseLimits.reasonCharacters)
      report([.status(text: "\(description.name) tries again: \(words)")])
    default: break
    }
  }

  /// What comes outside of a prompt is work that the agent began by itself, if it is not late news of the prompt before. Version 1 tells
  /// neither the beginning nor the end of such work. A halted prompt is not spoken of any more: then only an act is something new.
  private mutating func beginOwn(with news: JSON, in parameters: JSON) {
    guard prompt == nil, phase == .open, parameters["sessionId"]?.string == description.session?.rawValue,
      lastPrompt?.turn.knows(news) != true
    else { return }
    let tool = news["toolCallId"]?.string
    switch news["sessionUpdate"]?.string {
    case "tool_call", nil: guard tool != nil else { return }
    case "agent_message_chunk":
      guard lastPrompt?.state != .cancelling, news["content"]?["text"]?.string?.isEmpty == false else { return }
    default: return
    }
    (prompt, lastPrompt) = (Prompt(request: nil), nil)
    usage.startRun()
    effects.append(.began("\(description.name) goes on by itself."))
  }

  /// Updates of another session are nobody's here, and what is not told of a turn is late or a replay: nobody wants to hear it.
  private mutating func updated(_ parameters: JSON) {
    if let update = parameters["update"], update["sessionUpdate"]?.string == "available_commands_update" {
      // Some write the slash, too.
      commands = (update["availableCommands"]?.elements ?? []).compactMap {
        $0["name"]?.string.map { $0.dropping(prefix: "/") ?? $0 }
      }
      if phase == .open { effects.append(.controls(controls)) }
      return
    }
    guard parameters["sessionId"]?.string == description.session?.rawValue, let update = parameters["update"] else {
      return
    }
    if ["current_mode_update", "config_option_update"].contains(update["sessionUpdate"]?.string), phase == .open {
      settingsTold(update)
    }
    beginOwn(with: update, in: parameters)
    guard prompt != nil else { return }
    if update["sessionUpdate"]?.string == "usage_update" { return usageUpdated(update) }
    let events = prompt?.turn.apply(update) ?? []
    report(events)
    noteActs(in: events)
  }

  /// That it acted without having asked for anything is told once, when it is seen.
  private mutating func noteActs(in events: [AgentEvent]) {
    guard !hasAsked, !hasActedUnasked, !settings.asksWithoutModes else { return }
    for case .toolResult(let id, let result) in events
    where Self.acts.contains(result.kind) && events.contains(.toolFinished(id: id, outcome: .completed)) {
      hasActedUnasked = true
      return report([.status(text: "\(description.name) did this without asking for permission: \(result.title).")])
    }
  }

  private static let acts: Set<String> = ["edit", "delete", "move", "execute"]

  private mutating func usageUpdated(_ update: JSON) {
    let context = (usage.total.contextTokens, usage.total.contextSizeTokens)
    usage.total.contextTokens = update["used"]?.count ?? context.0
    usage.total.contextSizeTokens = update["size"]?.count ?? context.1
    if let cost = update["cost"], cost["currency"]?.string ?? "USD" == "USD", let amount = cost["amount"]?.amount {
      usage.total.costInDollars = amount
    } else if context == (usage.total.contextTokens, usage.total.contextSizeTokens) {
      return
    }
    report([.usage(usage: usage.ofRun)])
  }
}

extension ACPDialect.Step {
  /// The number of the request that is waited for.
  fileprivate var request: Int {
    switch self {
    case .initializing(let request), .openingSession(let request, _), .settingMode(let request, _, _),
      .settingModel(let request, _):
      request
    }
  }
}

extension AgentTurn {
  /// Whether an update is of what this turn has told already.
  fileprivate func knows(_ update: JSON) -> Bool {
    if let tool = update["toolCallId"]?.string { return hasTold(tool) }
    return update["messageId"]?.string.map(isWriting) ?? false
  }

  /// The events of one `session/update`. Unknown updates give none.
  mutating func apply(_ update: JSON) -> [AgentEvent] {
    switch update["sessionUpdate"]?.string {
    case "agent_message_chunk":
      guard let content = update["content"] else { return [] }
      guard let delta = content["text"]?.string else {
        let kind = content["type"]?.string ?? "text"
        return [.status(text: "The agent sent something that cannot be shown here: \(kind).")]
      }
      return text(delta, of: update["messageId"]?.string)
    case "agent_thought_chunk":
      let delta = update["content"]?["text"]?.string ?? ""
      return delta.isEmpty ? [] : [.thought(delta: delta)]
    case "tool_call", "tool_call_update":
      guard let id = update["toolCallId"]?.string else { return [] }
      let events = tool(id, update)
      switch update["status"]?.string {
      case "completed": return events + finish(id, .completed)
      case "failed": return events + finish(id, .failed)
      default: return events
      }
    case "plan":
      let entries = (update["entries"]?.elements ?? []).compactMap { entry in
        entry["content"]?.string.map { AgentPlanEntry(text: $0, status: entry["status"]?.string ?? "pending") }
      }
      return [.plan(entries: entries)]
    default: return []
    }
  }
}
