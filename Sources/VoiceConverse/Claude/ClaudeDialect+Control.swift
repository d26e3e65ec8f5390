import VoiceJSON
import VoiceVocabulary

/// Control messages: opening, permissions, questions, and the end of a turn.
extension ClaudeDialect {
  /// The agent answered a control request of ours.
  mutating func controlAnswered(_ response: JSON) {
    let failure = response["subtype"]?.string == "error" ? response["error"]?.string ?? "it does not say why" : nil
    switch phase {
    case .initializing:
      if let failure { return refuse(failure) }
      let answer = response["response"] ?? .null
      description.name = "Claude Code"
      commands = (answer["commands"]?.elements ?? []).flatMap { command in
        [command["name"]?.string].compactMap(\.self) + (command["aliases"]?.elements ?? []).compactMap(\.string)
      }
      let now = answer["current_permission_mode"]?.string
      models = (answer["models"]?.elements ?? []).compactMap { $0["value"]?.string }
      model = settings.model
      let isWanted = now.map { Self.isSame($0, mode) } ?? true
      guard isWanted else {
        phase = .settingMode
        control(["subtype": "set_permission_mode", "mode": .string(mode)])
        return
      }
      becomeReady()
    case .settingMode:
      if let failure {
        let words = "it did not change to the mode “\(mode)”: \(Self.short(failure))"
        if settings.insistsOnMode { return refuse(words) }
        effects.append(.notice("Claude Code did not change to the mode “\(mode)”: \(Self.short(failure))."))
        mode = ""
      }
      becomeReady()
    case .open: changeAnswered(response, failure)
    case .idle: break
    }
  }

  private mutating func becomeReady() {
    phase = .open
    description.capabilities.set(.ask, Self.askingModes.contains(mode))
    effects += [.ready, .controls(controls)]
  }

  private mutating func refuse(_ reason: String) {
    phase = .idle
    effects.append(.unusable(reason: start.refusal(by: "Claude Code", listedBy: "claude", saying: Self.short(reason))))
  }

  // MARK: Requests

  /// The agent asks whether it may use a tool.
  mutating func controlAsked(_ id: JSON, _ request: JSON) {
    let lapsed = turn.nameIsTaken(id, by: description.name)
    guard lapsed.isEmpty else {
      inputs[id] = nil
      openRequests.removeAll { $0.id == id }
      refuseRequest(id, "two requests have this identifier")
      return report(lapsed)
    }
    if ["elicitation", "can_use_tool"].contains(request["subtype"]?.string) {
      backgroundAsks()
      if state == .working { openRequests.append(OpenRequest(id: id, request: request)) }
    }
    if request["subtype"]?.string == "elicitation" { return elicited(id, request) }
    guard request["subtype"]?.string == "can_use_tool" else {
      refuseRequest(id, "this client does not know that request")
      effects += unknown.refuse(request["subtype"]?.string ?? "something without a name", of: description.name)
      return
    }
    guard state == .working else { return respond(to: id, Self.denial("The user stopped the work.")) }
    let input = request["input"] ?? .object([:])
    if request["tool_name"]?.string == "AskUserQuestion" {
      let form = QuestionForm(request: id, questions: questions(input))
      if let events = turn.ask(form) {
        inputs[id] = input
        return report(events)
      }
    }
    permissionAsked(id, request, input)
  }

  private mutating func refuseRequest(_ id: JSON, _ words: String) {
    send([
      "type": "control_response",
      "response": ["subtype": "error", "request_id": id, "error": .string(words)],
    ])
  }

  /// An MCP server wants something of the user.
  private mutating func elicited(_ id: JSON, _ request: JSON) {
    guard state == .working else { return respond(to: id, ["action": "cancel"]) }
    ask(
      Elicitation(
        request: id, server: request["mcp_server_name"]?.string, message: request["message"]?.string,
        address: request["url"]?.string, schema: request["requested_schema"],
        order: request["property_order"]?.elements.compactMap(\.string)))
  }

  private mutating func ask(_ elicitation: Elicitation) {
    let form = elicitation.form { numbers.question() }
    report(turn.ask(form) ?? [])
  }

  /// All of a form was answered, or it was declined.
  mutating func answered(_ form: QuestionForm, of elicitation: Elicitation) {
    switch elicitation.outcome(form.answers) {
    case .accepted(let content): respond(to: form.request, ["action": "accept", "content": content])
    case .declined: respond(to: form.request, ["action": "decline"])
    case .unusable(let words):
      report([.status(text: "It is asked again: \(words).")])
      ask(elicitation)
    }
  }

  private mutating func questions(_ input: JSON) -> [AgentQuestion] {
    (input["questions"]?.elements ?? []).compactMap { question in
      guard let text = question["question"]?.string else { return nil }
      return AgentQuestion(
        id: numbers.question(), text: text, options: AgentQuestion.Option.list(question["options"]),
        selection: question["multiSelect"]?.bool == true ? .several : .one)
    }
  }

  private mutating func permissionAsked(_ id: JSON, _ request: JSON, _ input: JSON) {
    let allowed: [String: JSON] = ["behavior": "allow", "updatedInput": input]
    var options: [(choice: PermissionRequest.Choice, answer: JSON)] = [(.allowOnce, .object(allowed))]
    if let suggestions = request["permission_suggestions"], !suggestions.elements.isEmpty,
      suggestions.elements.allSatisfy(Self.isKnown(update:))
    {
      let always = allowed.merging(["updatedPermissions": suggestions]) { first, _ in first }
      options.append((.allowAlways, .object(always)))
    }
    options.append((.rejectOnce, Self.denial("The user did not allow this.")))
    var fields = ClaudeDecoder.fields(request["tool_name"]?.string ?? "tool", input)
    fields["toolCallId"] = request["tool_use_id"]
    if request["tool_name"]?.string == "ExitPlanMode", fields["content"] == nil,
      !turn.isDescribed(request["tool_use_id"]?.string ?? "")
    {
      fields.merge(ClaudeDecoder.planUnread) { $1 }
    }
    let always = request["permission_suggestions"].map {
      $0.elements.map(Self.words(ofUpdate:)).joined(separator: "; ")
    }
    let events = turn.ask(
      numbers.permission(), request: id, options: options, about: .object(fields), always: always,
      record: Self.record(ofUpdates: request["permission_suggestions"]?.elements ?? []), allows: .request)
    report(events ?? [])
  }

  /// What of these changes is written into files, as it stands there.
  private static func record(ofUpdates updates: [JSON]) -> ApprovalRecord {
    var record = ApprovalRecord()
    for update in updates {
      guard let file = ClaudeSettingsFile.names[update["destination"]?.string ?? ""] else { continue }
      let rules = (update["rules"]?.elements ?? []).compactMap { rule -> String? in
        guard let name = rule["toolName"]?.string else { return nil }
        return rule["ruleContent"]?.string.map { "\(name)(\($0))" } ?? name
      }
      let entries = rules + (update["directories"]?.elements ?? []).compactMap(\.string)
      record.places.append(.init(file: file, entries: entries + [update["mode"]?.string].compactMap { $0 }))
    }
    return record
  }

  /// Whether all that a change of the permissions does is said of it: what is not is not offered.
  private static func isKnown(update: JSON) -> Bool {
    let rest = Set(update.members.keys).subtracting(["type", "destination"])
    return switch update["type"]?.string {
    case "addRules", "replaceRules":
      rest.isSubset(of: ["rules", "behavior"]) && [nil, "allow"].contains(update["behavior"]?.string)
    case "setMode": rest == ["mode"]
    case "addDirectories": rest == ["directories"]
    default: false
    }
  }

  /// What a change of the permissions covers, and where it is written.
  private static func words(ofUpdate update: JSON) -> String {
    let what: String
    switch update["type"]?.string {
    case "addRules", "replaceRules":
      what = (update["rules"]?.elements ?? []).map { rule in
        let name = rule["toolName"]?.string ?? "any tool"
        return rule["ruleContent"]?.string.map { "\(name)(\($0))" } ?? "every use of \(name)"
      }.joined(separator: ", ")
    case "setMode": what = "the mode \(update["mode"]?.string ?? "that it does not name")"
    case "addDirectories":
      what = "work in " + (update["directories"]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
    case let other: what = other ?? "a change that it does not name"
    }
    switch update["destination"]?.string {
    case "session": return "\(what), for this session"
    case "localSettings": return "\(what), written to .claude/settings.local.json"
    case "projectSettings": return "\(what), written to .claude/settings.json"
    case "userSettings": return "\(what), written to your own settings of Claude Code"
    default: return what
    }
  }

  /// The agent takes back what it asked.
  mutating func withdrawn(_ id: JSON) {
    inputs[id] = nil
    openRequests.removeAll { $0.id == id }
    report(turn.withdraw(request: id))
  }

  // MARK: State and the end of a turn

  /// A `system` message: which session this is, or how the work stands.
  mutating func told(_ message: JSON) {
    switch message["subtype"]?.string {
    case "init":
      turnBegan()
      if let id = message["session_id"]?.string, id != description.session?.rawValue {
        let session = AgentSessionID(rawValue: id)
        description.session = session
        report([.sessionReady(session: session)])
      }
      toldOfSettings(mode: message["permissionMode"]?.string, model: message["model"]?.string)
    case "status":
      toldOfSettings(mode: message["permissionMode"]?.string, model: nil)
      if message["status"]?.string == "requesting", background.wereTold() { effects.append(.owes(background.work)) }
      if message["status"]?.string == "compacting" { report([.status(text: "Claude Code shortens its memory.")]) }
    case "api_retry":
      let attempt = message["attempt"]?.integer ?? 1
      let words = Self.short(message["error"]?.string ?? "its model does not answer")
      report([.status(text: "Claude Code tries again (\(attempt)): \(words)")])
    case "informational":
      // A hook of the user's does not let the message through.
      guard let outcome = message["prompt_submit_outcome"], outcome["kind"]?.string == "blocked_by_hook" else { return }
      let reason = outcome["reason"]?.string ?? message["content"]?.string ?? "it does not say why"
      prompt?.obstacle = "A hook blocked it before it reached the model: \(Self.short(reason))"
    case "background_tasks_changed", "task_notification":
      if background.take(message) { effects.append(.owes(background.work)) }
      guard isOfBackground, owner == .agent, background.work.isEmpty else { break }
      ownTurnEnded(state == .cancelling ? .cancelled : .completed)
    default: break
    }
  }

  /// The turn is over.
  mutating func resulted(_ message: JSON) {
    let errors = (message["errors"]?.elements ?? []).compactMap(\.string).joined(separator: " ")
    let words = Self.short(message["result"]?.string ?? errors)
    guard phase == .open else {
      // Before it is ready, this is the only way in which it says why it cannot begin.
      return refuse(errors.isEmpty ? words : Self.short(errors))
    }
    guard state != .none || owner != .nobody else { return }
    // Told again, word for word, it would end the turn that began meanwhile. The name alone says nothing: a program in between may
    // give every message the same.
    if message["uuid"] != nil, message == lastResult { return }
    lastResult = message
    if let cost = message["total_cost_usd"]?.amount { usage.total.costInDollars = cost }
    if let told = message["usage"] {
      usage.total.inputTokens = (usage.total.inputTokens ?? 0).addingSaturated(told["input_tokens"]?.count ?? 0)
      usage.total.outputTokens = (usage.total.outputTokens ?? 0).addingSaturated(told["output_tokens"]?.count ?? 0)
      report([.usage(usage: usage.ofRun)])
    }
    let stillAsked = stillAsked
    inputs = inputs.filter { stillAsked.contains($0.key) }
    if followsPrompts, owner != .agent, prompt?.hasBegun == false {
      // Ours was still to come: it had begun this by itself before ours reached it.
      owner = .nobody
      let next = turn.successor(keeping: stillAsked.contains)
      report(turn.end())
      turn = next
      return askAgain()
    }
    if owner == .agent { ownTurnEnded(Self.end(message, words)) } else { userTurnEnded(message, words) }
  }

  private mutating func userTurnEnded(_ message: JSON, _ words: String) {
    let ours = prompt
    var end = Self.end(message, words)
    if let obstacle = ours?.obstacle {
      end = .failed(reason: obstacle)
    } else if end == .completed, message["num_turns"]?.integer == 0 {
      // Its model was not asked: a command that it carries out by itself, or a hook of the user's.
      if words.contains("operation blocked by hook") {
        end = .failed(reason: "A hook blocked it before it reached the model: \(words)")
      } else if !words.isEmpty {
        report(turn.text(message["result"]?.string ?? "", of: "result"))
      } else if ours?.isCommand == false {
        end = .failed(reason: "Claude Code ended the turn before it reached the model.")
      }
    }
    let next = turn.successor(keeping: stillAsked.contains)
    report(turn.end())
    (state, owner, prompt) = (.none, .nobody, nil)
    if next.isOpen {
      (state, owner, turn, isOfBackground) = (.working, .agent, next, true)
      usage.startRun()
      effects.append(.endedAsking(end, next.asked, because: backgroundReason))
    } else {
      effects.append(.ended(end))
    }
    askAgain()
  }

  /// What a helper in the background still waits for when a turn ends.
  private var stillAsked: Set<JSON> { background.work.isEmpty ? [] : Set(openRequests.map(\.id)) }

  /// Of that, what was withdrawn with a halt is asked anew, in the run that waits behind this, or in one of its own.
  private mutating func askAgain() {
    let open = openRequests.filter { !turn.asks($0.id) }
    openRequests.removeAll { !turn.asks($0.id) }
    guard !background.work.isEmpty else { return }
    for request in open { controlAsked(request.id, request.request) }
  }

  private mutating func ownTurnEnded(_ end: AgentTurnEnd) {
    let next = turn.successor(keeping: stillAsked.contains)
    report(turn.end())
    turn = next
    if next.isOpen, prompt == nil {
      // The run goes on for what is asked.
      isOfBackground = true
      if end != .completed { report([.status(text: end.reason)]) }
    } else {
      isOfBackground = false
      // Ours may wait behind it.
      (state, owner) = (prompt == nil ? .none : .working, .nobody)
      usage.startRun()
      effects.append(next.isOpen ? .endedAsking(end, next.asked, because: "") : .ended(end))
    }
    if background.wereTold() { effects.append(.owes(background.work)) }
    askAgain()
  }

  private static func end(_ message: JSON, _ words: String) -> AgentTurnEnd {
    switch (message["terminal_reason"]?.string, message["subtype"]?.string) {
    case ("aborted_streaming", _), ("aborted_tools", _): return .cancelled
    case (_, "error_max_turns"):
      return .stopped(reason: "It reached its limit of requests in one turn; say “go on” to continue.")
    case (_, "error_max_budget_usd"): return .stopped(reason: "It reached its limit of money.")
    default:
      guard message["is_error"]?.bool == true else { return .completed }
      return .failed(reason: "Claude Code reported an error: \(words.isEmpty ? "it does not say which" : words)")
    }
  }

  private static func short(_ words: String) -> String { words.shortened(to: ConverseLimits.reasonCharacters) }
}
