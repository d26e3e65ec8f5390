import VoiceJSON
import VoiceVocabulary

/// What Claude Code's conversation messages mean: `stream_event`, `assistant` and `user`. Text comes in pieces where partial
/// messages are switched on, and whole where they are not.
struct ClaudeDecoder: Equatable, Sendable {
  /// The message whose pieces come now; what is in pieces is not told again when the whole message comes.
  private var streamed: String?
  private var toDo = ClaudeToDoList()
  /// What the helpers that work are called, by the call that started each.
  private var helpers: [String: String] = [:]

  /// The events of one message.
  mutating func decode(_ message: JSON, into turn: inout AgentTurn) -> [AgentEvent] {
    // A subagent's words are not the answer; its tools are progress of the tool that started it.
    if let parent = message["parent_tool_use_id"]?.string { return subagent(message, of: parent, turn) }
    switch message["type"]?.string {
    case "stream_event": return stream(message["event"] ?? .null, &turn)
    case "assistant": return whole(message["message"] ?? .null, &turn)
    case "user": return results(message["message"] ?? .null, &turn)
    default: return []
    }
  }

  private mutating func stream(_ event: JSON, _ turn: inout AgentTurn) -> [AgentEvent] {
    switch event["type"]?.string {
    case "message_start":
      streamed = event["message"]?["id"]?.string
      return []
    case "content_block_start":
      guard let block = event["content_block"], block["type"]?.string == "tool_use", let id = block["id"]?.string
      else { return [] }
      // The input follows in pieces; the whole message tells it.
      return turn.tool(id, .object(Self.fields(block["name"]?.string ?? "tool", nil)))
    case "content_block_delta":
      let delta = event["delta"] ?? .null
      switch delta["type"]?.string {
      case "text_delta": return turn.text(delta["text"]?.string ?? "", of: block(event["index"]?.integer))
      case "thinking_delta":
        let words = delta["thinking"]?.string ?? ""
        return words.isEmpty ? [] : [.thought(delta: words)]
      default: return []
      }
    default: return []
    }
  }

  /// Each block of text is a paragraph.
  private func block(_ index: Int?) -> String { "\(streamed ?? "")/\(index ?? 0)" }

  private mutating func whole(_ message: JSON, _ turn: inout AgentTurn) -> [AgentEvent] {
    var events: [AgentEvent] = []
    let id = message["id"]?.string
    // What the program writes in the model's place are errors, which the result tells, too.
    let isToldOtherwise = id == streamed && id != nil || message["model"]?.string == "<synthetic>"
    for (index, block) in (message["content"]?.elements ?? []).enumerated() {
      switch block["type"]?.string {
      case "text" where !isToldOtherwise:
        events += turn.text(block["text"]?.string ?? "", of: "\(id ?? "")/\(index)")
      case "thinking" where !isToldOtherwise:
        let words = block["thinking"]?.string ?? ""
        if !words.isEmpty { events.append(.thought(delta: words)) }
      case "tool_use":
        guard let tool = block["id"]?.string else { continue }
        let (name, input) = (block["name"]?.string ?? "tool", block["input"])
        toDo.called(tool, name, input)
        helpers[tool] = Self.helper(name, input)
        events += turn.tool(tool, .object(Self.fields(name, input)))
      default: break
      }
    }
    return events
  }

  private mutating func results(_ message: JSON, _ turn: inout AgentTurn) -> [AgentEvent] {
    (message["content"]?.elements ?? []).flatMap { block -> [AgentEvent] in
      guard block["type"]?.string == "tool_result", let id = block["tool_use_id"]?.string else { return [] }
      let isError = block["is_error"]?.bool == true
      helpers[id] = nil
      return turn.finish(id, isError ? .failed : .completed, output: block["content"])
        + toDo.finished(id, isError: isError, output: block["content"])
    }
  }

  private func subagent(_ message: JSON, of parent: String, _ turn: AgentTurn) -> [AgentEvent] {
    guard message["type"]?.string == "assistant" else { return [] }
    return (message["message"]?["content"]?.elements ?? []).flatMap { block -> [AgentEvent] in
      guard block["type"]?.string == "tool_use" else { return [] }
      var tool = ToolCall(id: block["id"]?.string ?? "")
      tool.merge(.object(Self.fields(block["name"]?.string ?? "tool", block["input"])))
      return turn.progress(parent, (helpers[parent].map { "\($0): " } ?? "") + tool.spokenTitle)
    }
  }

  /// A tool of Claude Code in the field names of `ToolCall`.
  static func fields(_ name: String, _ input: JSON?) -> [String: JSON] {
    let (kind, title) = described(name)
    var fields: [String: JSON] = ["toolName": .string(name), "kind": .string(kind), "title": .string(title)]
    if let input, input != .object([:]) {
      fields["rawInput"] = input
      if helperNames.contains(name), let words = input["description"]?.string {
        fields["title"] = .string((helper(name, input).map { "\($0): " } ?? "") + words)
      }
      if let plan = input["plan"]?.string, name == "ExitPlanMode" {
        fields["content"] = [["type": "content", "content": ["type": "text", "text": .string(plan)]]]
        // What else comes with it is allowed with it, and shown.
        let rest = input.members.filter { $0.key != "plan" }
        fields["rawInput"] = rest.isEmpty ? .null : .object(rest)
      }
    }
    return fields
  }

  private static let helperNames: Set<String> = ["Task", "Agent"]

  /// What the helper is called that a call starts; nil for another call.
  private static func helper(_ name: String, _ input: JSON?) -> String? {
    guard helperNames.contains(name) else { return nil }
    return (input?["name"]?.string ?? input?["subagent_type"]?.string).map { "Helper \($0)" }
  }

  /// A request to leave plan mode that comes without its plan, and whose call had none: nobody may take it for one that was read.
  static let planUnread: [String: JSON] = [
    "title": "Leave plan mode and start working on a plan that could not be read",
    "content": [
      [
        "type": "content",
        "content": [
          "type": "text",
          "text":
            "Claude Code sent no plan with this request. Deny it and ask for the plan to see it before the work begins.",
        ],
      ]
    ],
  ]

  private static func described(_ name: String) -> (kind: String, title: String) {
    switch name {
    case "Bash", "BashOutput", "KillShell": ("execute", "Run a command")
    case "Read", "NotebookRead": ("read", "Read a file")
    case "Edit", "MultiEdit", "Write", "NotebookEdit": ("edit", "Edit a file")
    case "Glob", "Grep", "LS": ("search", "Search the files")
    case "WebFetch": ("fetch", "Fetch a page")
    case "WebSearch": ("fetch", "Search the web")
    case _ where helperNames.contains(name): ("think", "Ask a helper")
    case _ where ClaudeToDoList.toolNames.contains(name): ("think", "Write the to-do list")
    case "ExitPlanMode": ("switch_mode", "Leave plan mode and begin to work")
    case "AskUserQuestion": ("other", "Ask the user")
    default: ("other", name)
    }
  }
}
