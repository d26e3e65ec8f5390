import VoiceJSON
import VoiceVocabulary

/// What the server says.
extension CodexDialect {
  /// The agent answered a request of ours.
  mutating func answered(_ request: Int, _ result: Result<JSON, RPCError>) {
    switch phase {
    case .initializing(request): initialized(result)
    case .openingThread(request): threadOpened(result)
    default:
      if let instruction = steering.removeValue(forKey: request) {
        steered(instruction, result)
      } else if request == turnRequest {
        turnStarted(result)
      } else if request == modelRequest {
        modelsTold(result)
      } else {
        terminalsAnswered(request, result)
      }
    }
  }

  private mutating func refuse(_ reason: String) {
    phase = .idle
    effects.append(.unusable(reason: reason))
  }

  private mutating func initialized(_ result: Result<JSON, RPCError>) {
    if case .failure(let error) = result { return refuse("Codex cannot be used: \(Self.words(error.message)).") }
    description.name = "Codex"
    effects.append(.send(RPCForm.withoutVersion.notification("initialized")))
    let policy = policy
    var parameters: [String: JSON] = [
      "cwd": .string(settings.workingFolder), "approvalPolicy": .string(policy.approval),
      "sandbox": .string(policy.sandbox),
    ]
    if let model = settings.model { parameters["model"] = .string(model) }
    let method: String
    switch start {
    case .new: method = "thread/start"
    case .resume(let id):
      method = "thread/resume"
      parameters["threadId"] = .string(id.rawValue)
    case .fork(let id, let turn):
      method = "thread/fork"
      parameters["threadId"] = .string(id.rawValue)
      if let turn { parameters["lastTurnId"] = .string(turn) }
    }
    phase = .openingThread(request: request(method, .object(parameters)))
  }

  private mutating func threadOpened(_ result: Result<JSON, RPCError>) {
    switch result {
    case .failure(let error):
      refuse(start.refusal(by: "Codex", listedBy: "codex", saying: Self.words(error.message)))
    case .success(let answer):
      guard let thread = answer["thread"]?["id"]?.string else {
        return refuse("Codex opened a session without a name. Update it.")
      }
      let opened = AgentSessionID(rawValue: thread)
      if let refusal = start.refusal(by: "Codex", thatOpened: opened) { return refuse(refusal) }
      description.session = opened
      let wanted = policy.approval
      let now = answer["approvalPolicy"]?.string ?? wanted
      if now != wanted {
        if settings.insistsOnMode {
          return refuse("Codex did not take the approval policy “\(wanted)”; it is “\(now)”. Choose another mode.")
        }
        effects.append(.notice("Codex did not take the approval policy “\(wanted)”; it is “\(now)”."))
      }
      description.capabilities.set(.ask, Self.askingPolicies.contains(now))
      phase = .open
      effects.append(.ready)
      settingsOpened(answer)
    }
  }

  private mutating func turnStarted(_ result: Result<JSON, RPCError>) {
    turnRequest = nil
    switch result {
    case .failure(let error):
      let lines = early
      early = []
      endTurn(.failed(reason: "Codex did not begin: \(Self.words(error.message))."))
      for line in lines { receive(line) }
    case .success(let answer):
      begin(answer["turn"]?["id"]?.string)
      interruptIfKnown()
      let waiting = waitingSteers
      waitingSteers = []
      for (instruction, text) in waiting { steer(instruction, text) }
    }
  }

  /// Our turn has a name. What came before the answer was of another one, or it went into that one.
  private mutating func begin(_ id: String?) {
    let (wanted, messages) = (state, early)
    (state, early) = (.none, [])
    // What a helper asks is of whatever goes on. Our turn may be over before it was named.
    var (asked, late): ([JSON], [JSON]) = ([], [])
    let isOver = id != nil && messages.contains { Self.turn(of: $0) == id && $0["method"]?.string == "turn/completed" }
    for message in messages {
      if case .request(_, _, let parameters) = RPCMessage(message), !isOfThread(parameters) {
        asked.append(message)
      } else if isOver, Self.turn(of: message) == id {
        late.append(message)
      } else {
        receive(message)
      }
    }
    defer { for message in asked + late { receive(message) } }
    if isOwn, state != .none, turnID == id {
      effects.append(.endedAsking(.joined, turn.asked, because: ""))
    } else {
      turn = AgentTurn()
      usage.startRun()
    }
    (state, isOwn, turnID) = (wanted, false, id)
  }

  /// The turn that a message names.
  private static func turn(of message: JSON) -> String? {
    let parameters = message["params"]
    return parameters?["turnId"]?.string ?? parameters?["turn"]?["id"]?.string
  }

  /// A turn begins for which nobody asked.
  private mutating func ownTurnBegan(_ id: String) {
    guard phase == .open, state == .none else { return }
    (state, isOwn, turnID, turn, isOfHelpers) = (.working, true, id, AgentTurn(), false)
    (commands, asking) = ([], [:])
    usage.startRun()
    effects.append(.began(goal.map { "towards its goal: \($0.objective)" } ?? "Codex goes on by itself."))
  }

  private mutating func goalIs(_ told: JSON?) {
    let owed = goal?.owed
    goal = told.flatMap(CodexGoal.init)
    if goal?.owed ?? [] != owed ?? [] { effects.append(.owes(goal?.owed ?? [])) }
  }

  private mutating func steered(_ instruction: InstructionID, _ result: Result<JSON, RPCError>) {
    switch result {
    case .success: report([.steered(instruction: instruction)])
    case .failure(let error):
      report([
        .steeringRefused(instruction: instruction, reason: "Codex did not take it: \(Self.words(error.message)).")
      ])
    }
  }

  // MARK: Notifications

  /// Whether a message is of our thread, and of the turn that goes on.
  func isOurs(_ parameters: JSON) -> Bool {
    guard isOfThread(parameters), state != .none else { return false }
    guard let turn = parameters["turnId"]?.string ?? parameters["turn"]?["id"]?.string else { return true }
    return turn == turnID
  }

  /// Whether a message is of our thread, and not of a helper's.
  func isOfThread(_ parameters: JSON) -> Bool {
    parameters["threadId"]?.string == description.session?.rawValue
  }

  /// The agent tells, and expects no answer.
  mutating func notified(_ method: String, _ parameters: JSON) {
    switch method {
    case "turn/started" where isOfThread(parameters):
      if let id = parameters["turn"]?["id"]?.string { ownTurnBegan(id) }
    case "thread/goal/updated" where isOfThread(parameters): goalIs(parameters["goal"])
    case "thread/goal/cleared" where isOfThread(parameters): goalIs(nil)
    case "turn/started", "turn/completed", "serverRequest/resolved":
      if isOfThread(parameters) {
        if isOurs(parameters) { turnTold(method, parameters) }
      } else {
        helperTold(method, parameters)
      }
    case "item/started", "item/completed":
      // What a helper does is done in our turn.
      let isHelpers = !isOfThread(parameters) && state == .working
      if isOurs(parameters) { noteCommand(parameters["item"] ?? .null) }
      if isHelpers || isOurs(parameters) { report(turn.apply(item: parameters["item"] ?? .null)) }
      if method == "item/completed", isOurs(parameters) { report(turn.untold(parameters["item"] ?? .null)) }
    default: if isOurs(parameters) { turnTold(method, parameters) }
    }
  }

  /// Something of the turn that goes on.
  private mutating func turnTold(_ method: String, _ parameters: JSON) {
    switch method {
    case "item/agentMessage/delta":
      report(turn.text(parameters["delta"]?.string ?? "", of: parameters["itemId"]?.string))
    case "item/reasoning/summaryTextDelta", "item/reasoning/textDelta":
      if let delta = parameters["delta"]?.string, !delta.isEmpty { report([.thought(delta: delta)]) }
    case "turn/plan/updated":
      let entries = (parameters["plan"]?.elements ?? []).compactMap { entry in
        entry["step"]?.string.map { AgentPlanEntry(text: $0, status: entry["status"]?.string ?? "pending") }
      }
      report([.plan(entries: entries)])
    case "thread/tokenUsage/updated": usageUpdated(parameters["tokenUsage"] ?? .null)
    case "error":
      // An error that is final is told by the end of the turn.
      guard parameters["willRetry"]?.bool == true else { return }
      report([.status(text: "Codex tries again: \(Self.words(parameters["error"]?["message"]?.string ?? ""))")])
    case "serverRequest/resolved": resolved(parameters)
    case "hook/started", "hook/completed": hookTold(parameters["run"] ?? .null)
    case "turn/completed":
      guard let end = parameters["turn"].map(Self.end), terminals == nil else { return }
      if end == .cancelled, state == .cancelling, !commands.isEmpty { endTerminals() } else { endTurn(end) }
    default: break
    }
  }

  private mutating func usageUpdated(_ told: JSON) {
    usage.total.inputTokens = told["total"]?["inputTokens"]?.count
    usage.total.outputTokens = told["total"]?["outputTokens"]?.count
    usage.total.contextTokens = told["last"]?["totalTokens"]?.count
    usage.total.contextSizeTokens = told["modelContextWindow"]?.count
    report([.usage(usage: usage.ofRun)])
  }

  /// The turn is over, however it ended; nothing if none goes on.
  mutating func endTurn(_ end: AgentTurnEnd) {
    guard state != .none else { return }
    declineHelpers(except: helpers)
    // What a helper still waits for is asked in a run of its own.
    let next = turn.successor(keeping: Set(askedByHelpers.map(\.id)).contains)
    (state, turnID, turnRequest) = (.none, nil, nil)
    report(refusedSteers() + turn.end())
    // Codex calls a turn completed that reached no model.
    let end = end == .completed ? obstacle.map { AgentTurnEnd.failed(reason: $0) } ?? end : end
    (obstacle, hooks, steering) = (nil, CodexHooks(), [:])
    guard next.isOpen else { return effects.append(.ended(end)) }
    let goesOn = isOwn
    beginOfHelpers(next)
    if !goesOn {
      effects.append(.endedAsking(end, next.asked, because: Self.helperReason))
    } else if end != .completed {
      report([.status(text: end.reason)])
    }
  }

  private static func end(_ turn: JSON) -> AgentTurnEnd {
    switch turn["status"]?.string {
    case "completed": .completed
    case "interrupted": .cancelled
    default: .failed(reason: "Codex reported an error: \(words(turn["error"]?["message"]?.string ?? ""))")
    }
  }

  /// The words of an error, which may be a model server's answer as it came.
  static func words(_ message: String) -> String {
    let inner = JSON(parsing: Array(message.utf8)).flatMap { $0["error"]?["message"]?.string ?? $0["message"]?.string }
    let words = (inner ?? message).shortened(to: ConverseLimits.reasonCharacters)
    return words.isEmpty ? "it does not say which" : words
  }

  /// A command in the field names of `ToolCall`. What stands in the shell's quotes is what is worth saying.
  static func commandFields(_ item: JSON) -> [String: JSON] {
    var fields: [String: JSON] = ["kind": "execute", "title": "Run a command"]
    if let command = item["command"]?.string {
      // Where it runs is a part of what it does.
      fields["rawInput"] = ["command": .string(command), "cwd": item["cwd"] ?? .null]
    }
    let parts = (item["commandActions"]?.elements ?? []).compactMap { $0["command"]?.string }
    if parts.count == 1 { fields["shownCommand"] = .string(parts[0]) }
    return fields
  }
}

extension AgentTurn {
  /// The text of a completed message or plan of which no piece came before.
  mutating func untold(_ item: JSON) -> [AgentEvent] {
    guard ["agentMessage", "plan"].contains(item["type"]?.string), let id = item["id"]?.string, !hasTold(message: id),
      let words = item["text"]?.string
    else { return [] }
    return text(words, of: id)
  }

  /// The events of an item that started or was completed. Items that are no tools give none.
  mutating func apply(item: JSON) -> [AgentEvent] {
    guard let id = item["id"]?.string, let fields = Self.fields(item) else { return [] }
    let events = tool(id, .object(fields))
    let output = item["aggregatedOutput"] ?? item["aggregated_output"]
    switch item["status"]?.string {
    case "completed": return events + finish(id, .completed, output: output)
    case "failed", "interrupted": return events + finish(id, .failed, output: output)
    case "declined": return events + finish(id, .declined)
    default: return events
    }
  }

  /// What happens to a file besides a change of its lines.
  private static func operation(_ kind: JSON) -> JSON {
    if kind["type"]?.string == "delete" || kind.string == "delete" { return "the file is deleted" }
    return kind["move_path"]?.string.map { .string("the file is moved to \($0)") } ?? .null
  }

  /// Whether all of a change to a file is understood.
  private static func isKnown(change: JSON) -> Bool {
    guard change["path"]?.string?.isEmpty == false, Set(change.members.keys).isSubset(of: ["path", "diff", "kind"]),
      let kind = change["kind"]
    else { return false }
    // The command `codex exec` tells the kind alone.
    let isTold = change["diff"]?.string != nil || change["diff"] == nil && kind.string != nil
    return isTold && ["add", "delete", "update"].contains(kind["type"]?.string ?? kind.string)
      && Set(kind.members.keys).isSubset(of: ["type", "move_path"])
  }

  private static func fields(_ item: JSON) -> [String: JSON]? {
    switch item["type"]?.string {
    case "commandExecution": return CodexDialect.commandFields(item)
    case "fileChange":
      let changes = (item["changes"]?.elements ?? []).map { change -> JSON in
        guard isKnown(change: change) else {
          // As it came, rather than what is understood of it.
          let words = String(decoding: change.bytes, as: UTF8.self)
          return [
            "type": "diff", "path": change["path"]?.string.map(JSON.string) ?? "", "newText": .string(words),
            "operation": "not understood",
          ]
        }
        let path = change["path"] ?? ""
        let diff = change["diff"] ?? ""
        // A new file is told whole, a change as a diff.
        let text = change["kind"]?["type"]?.string == "add" ? "newText" : "unified"
        return .object(["type": "diff", "path": path, text: diff, "operation": operation(change["kind"] ?? .null)])
      }
      let kinds = (item["changes"]?.elements ?? []).compactMap { $0["kind"] }
      let deletes = kinds.contains { $0["type"]?.string == "delete" || $0.string == "delete" }
      let moves = kinds.contains { $0["move_path"]?.string != nil }
      return [
        "kind": deletes ? "delete" : moves ? "move" : "edit", "title": deletes ? "Delete files" : "Edit files",
        "content": .array(changes),
      ]
    case "mcpToolCall":
      let name = item["tool"]?.string ?? "tool"
      return [
        "kind": "other", "title": .string(name), "toolName": .string(name), "rawInput": item["arguments"] ?? .null,
      ]
    case "collabAgentToolCall": return helperFields(item)
    case "webSearch":
      return ["kind": "fetch", "title": "Search the web", "rawInput": ["query": item["query"] ?? ""]]
    default: return nil
    }
  }

  /// What Codex has its helpers do; the first line of what one is told says what it is for.
  private static func helperFields(_ item: JSON) -> [String: JSON]? {
    let title: String
    switch item["tool"]?.string {
    case "spawnAgent": title = "Ask a helper"
    case "sendInput", "sendMessage", "followupTask": title = "Tell a helper"
    case "resumeAgent": title = "Go on with a helper"
    case "wait": title = "Wait for helpers"
    case "closeAgent": title = "End a helper"
    case "interruptAgent": title = "Interrupt a helper"
    default: return nil
    }
    let prompt = item["prompt"]?.string?.lines.first { !$0.isEmpty }.map { ": \($0)" } ?? ""
    return ["kind": "think", "title": .string(title + prompt)]
  }
}
