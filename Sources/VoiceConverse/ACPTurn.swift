package import VoiceCore

/// One prompt of an ACP session, from being sent to its answer: turns updates into agent events.
///
/// Pure: no clock, no process; the same lines give the same events.
package struct ACPTurn: Equatable, Sendable {
  /// A permission request that nobody has answered yet.
  struct OpenPermission: Equatable {
    var id: PermissionID
    /// The agent's own identifier of its request, echoed in the answer.
    var request: JSON
    /// The options' identifiers by what they mean; where two mean the same, the first.
    var options: [PermissionRequest.Choice: String]
    /// The call that waits for the answer, if it was announced.
    var tool: String?
  }

  private var tools: [String: ToolCall] = [:]
  /// Calls that are not over, oldest first.
  private var openTools: [String] = []
  private var declinedTools: Set<String> = []
  private(set) var permissions: [OpenPermission] = []
  private var paragraph = Paragraph.none

  private enum Paragraph: Equatable {
    case none
    /// Text was sent and may go on; a message of another name is another paragraph.
    case open(message: String?)
  }

  package init() {}

  /// The events of one `session/update`. Unknown updates give none.
  package mutating func apply(_ update: JSON) -> [AgentEvent] {
    switch update["sessionUpdate"]?.string {
    case "agent_message_chunk": return text(update)
    case "agent_thought_chunk":
      let delta = update["content"]?["text"]?.string ?? ""
      return delta.isEmpty ? [] : [.thought(delta: delta)]
    case "tool_call", "tool_call_update": return tool(update)
    case "plan":
      let entries = (update["entries"]?.elements ?? []).compactMap { entry in
        entry["content"]?.string.map { AgentPlanEntry(text: $0, status: entry["status"]?.string ?? "pending") }
      }
      return [.plan(entries: entries)]
    case "current_mode_update":
      return (update["currentModeId"]?.string).map { [.status(text: "The agent changed its mode to \($0).")] } ?? []
    default: return []
    }
  }

  private mutating func text(_ update: JSON) -> [AgentEvent] {
    guard let content = update["content"] else { return [] }
    let kind = content["type"]?.string ?? "text"
    guard let delta = content["text"]?.string else {
      return [.status(text: "The agent sent something that cannot be shown here: \(kind).")]
    }
    guard !delta.isEmpty else { return [] }
    let message = update["messageId"]?.string
    let isNewParagraph = if case .open(let before) = paragraph { before != message } else { false }
    paragraph = .open(message: message)
    return isNewParagraph ? [.paragraphEnded, .text(delta: delta)] : [.text(delta: delta)]
  }

  private mutating func endParagraph() -> [AgentEvent] {
    guard paragraph != .none else { return [] }
    paragraph = .none
    return [.paragraphEnded]
  }

  private mutating func tool(_ update: JSON) -> [AgentEvent] {
    guard let id = update["toolCallId"]?.string else { return [] }
    var events: [AgentEvent] = []
    if var tool = tools[id] {
      // A call that is over stays over: nobody speaks of it twice.
      guard openTools.contains(id) else { return [] }
      let before = tool.spokenTitle
      tool.merge(update)
      tools[id] = tool
      if tool.spokenTitle != before { events.append(.toolUpdated(id: id, title: tool.spokenTitle)) }
    } else {
      var tool = ToolCall(id: id)
      tool.merge(update)
      tools[id] = tool
      openTools.append(id)
      events = endParagraph() + [.toolStarted(tool: tool.event)]
    }
    switch update["status"]?.string {
    case "completed": return events + finish(id, .completed)
    case "failed": return events + finish(id, .failed)
    default: return events
    }
  }

  private mutating func finish(_ id: String, _ outcome: AgentTool.Outcome) -> [AgentEvent] {
    openTools.removeAll { $0 == id }
    // Only the identifier is still needed; contents may be whole files.
    tools[id] = ToolCall(id: id)
    // An agent that goes on with the call waits for no answer: it took the time as a no, or asked somebody else.
    let lapsed = permissions.filter { $0.tool == id }.map { AgentEvent.permissionWithdrawn(id: $0.id) }
    permissions.removeAll { $0.tool == id }
    let isDeclined = declinedTools.remove(id) != nil
    return lapsed + [.toolFinished(id: id, outcome: isDeclined ? .declined : outcome)]
  }
}

// Permission requests and the end.
extension ACPTurn {
  /// The agent asks. nil if it offers nothing that could be chosen.
  mutating func ask(_ id: PermissionID, request: JSON, _ parameters: JSON) -> [AgentEvent]? {
    var options: [PermissionRequest.Choice: String] = [:]
    var choices: [PermissionRequest.Choice] = []
    for option in parameters["options"]?.elements ?? [] {
      guard let kind = option["kind"]?.string, let choice = Self.choice(kind), options[choice] == nil,
        let name = option["optionId"]?.string
      else { continue }
      options[choice] = name
      choices.append(choice)
    }
    guard !choices.isEmpty else { return nil }
    let (tool, waiting) = described(parameters["toolCall"] ?? .null)
    permissions.append(OpenPermission(id: id, request: request, options: options, tool: waiting))
    let question = PermissionRequest(id: id, title: tool.spokenTitle, detail: tool.detail, choices: choices)
    return endParagraph() + [.permissionRequested(request: question)]
  }

  /// Forget an open request and return it; nil if it is not open any more.
  mutating func close(_ id: PermissionID, choosing choice: PermissionRequest.Choice?) -> OpenPermission? {
    guard let index = permissions.firstIndex(where: { $0.id == id }) else { return nil }
    let permission = permissions.remove(at: index)
    if choice == .rejectOnce || choice == .rejectAlways, let tool = permission.tool { declinedTools.insert(tool) }
    return permission
  }

  /// The agent withdraws its request.
  mutating func withdraw(request: JSON) -> [AgentEvent] {
    guard let index = permissions.firstIndex(where: { $0.request == request }) else { return [] }
    return [.permissionWithdrawn(id: permissions.remove(at: index).id)]
  }

  /// The turn is over: what is still open will never be told.
  mutating func end() -> [AgentEvent] {
    let lapsed = permissions.map { AgentEvent.permissionWithdrawn(id: $0.id) }
    permissions = []
    let unfinished = openTools.map { id in
      AgentEvent.toolFinished(id: id, outcome: declinedTools.contains(id) ? .declined : .unknown)
    }
    openTools = []
    return lapsed + unfinished
  }

  /// What a request is about: its own words, else those of the announced call of that identifier, else those of the
  /// newest call that is not over.
  private func described(_ toolCall: JSON) -> (tool: ToolCall, waiting: String?) {
    let id = toolCall["toolCallId"]?.string ?? ""
    let known = openTools.contains(id) ? tools[id] : nil
    let newest = openTools.last.flatMap { tools[$0] }
    var own = known ?? ToolCall(id: id)
    own.merge(toolCall)
    if let newest { own.adoptKind(of: newest) }
    return (own.isTelling ? own : newest ?? own, known?.id ?? newest?.id)
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
}
