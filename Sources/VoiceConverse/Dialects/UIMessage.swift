import VoiceJSON

/// The assistant's message as a UI message stream builds it, part by part, so that it can be sent back: that is how such
/// a server learns what was decided.
struct UIMessage: Equatable, Sendable {
  /// A tool call, and how far it is. The words of the states are those of the AI SDK.
  struct Tool: Equatable, Sendable {
    var id: String
    var name: String
    var title: String?
    var input: JSON = .null
    var progress = Progress.preparing

    /// How far a tool call is.
    enum Progress: Equatable, Sendable {
      /// Its input is still being written.
      case preparing
      case ready
      case asked(approval: String)
      case decided(approval: String, isApproved: Bool, reason: String?)
      case finished(output: JSON)
      case failed(errorText: String)
      case denied
    }
  }

  private enum Part: Equatable, Sendable {
    case step
    case text(id: String, String)
    case reasoning(id: String, String)
    case tool(Tool)
  }

  var id: String
  private var parts: [Part] = []

  init(id: String) { self.id = id }

  /// Its tool calls, in order.
  var tools: [Tool] { parts.compactMap { if case .tool(let tool) = $0 { tool } else { nil } } }
  /// Whether nothing came of it.
  var isEmpty: Bool { parts.isEmpty }

  /// What follows belongs to a new step.
  mutating func beginStep() { parts.append(.step) }

  /// Forget what came since the step began.
  mutating func resetStep() {
    if let start = parts.lastIndex(of: .step) { parts.removeSubrange((start + 1)...) }
  }

  /// Add to the text of this name.
  mutating func text(_ id: String, _ delta: String) {
    let index = parts.lastIndex { if case .text(id, _) = $0 { true } else { false } }
    if let index, case .text(_, let before) = parts[index] {
      parts[index] = .text(id: id, before + delta)
    } else {
      parts.append(.text(id: id, delta))
    }
  }

  /// Add to the thought of this name.
  mutating func reasoning(_ id: String, _ delta: String) {
    let index = parts.lastIndex { if case .reasoning(id, _) = $0 { true } else { false } }
    if let index, case .reasoning(_, let before) = parts[index] {
      parts[index] = .reasoning(id: id, before + delta)
    } else {
      parts.append(.reasoning(id: id, delta))
    }
  }

  /// Change a tool call, which is begun if there is none of this name.
  mutating func tool(_ id: String, name: String? = nil, _ change: (inout Tool) -> Void) {
    for index in parts.indices {
      guard case .tool(var tool) = parts[index], tool.id == id else { continue }
      if let name { tool.name = name }
      change(&tool)
      parts[index] = .tool(tool)
      return
    }
    var tool = Tool(id: id, name: name ?? "tool")
    change(&tool)
    parts.append(.tool(tool))
  }

  /// The message as it is sent.
  var json: JSON {
    ["id": .string(id), "role": "assistant", "parts": .array(parts.map(Self.json))]
  }

  private static func json(_ part: Part) -> JSON {
    switch part {
    case .step: return ["type": "step-start"]
    case .text(_, let text): return ["type": "text", "text": .string(text)]
    case .reasoning(_, let text): return ["type": "reasoning", "text": .string(text)]
    case .tool(let tool):
      var fields: [String: JSON] = [
        "type": .string("tool-\(tool.name)"), "toolCallId": .string(tool.id), "input": tool.input,
      ]
      switch tool.progress {
      case .preparing: fields["state"] = "input-streaming"
      case .ready: fields["state"] = "input-available"
      case .asked(let approval):
        fields["state"] = "approval-requested"
        fields["approval"] = ["id": .string(approval)]
      case .decided(let approval, let isApproved, let reason):
        fields["state"] = "approval-responded"
        var response: [String: JSON] = ["id": .string(approval), "approved": .bool(isApproved)]
        if let reason { response["reason"] = .string(reason) }
        fields["approval"] = .object(response)
      case .finished(let output):
        fields["state"] = "output-available"
        fields["output"] = output
      case .failed(let words):
        fields["state"] = "output-error"
        fields["errorText"] = .string(words)
      case .denied: fields["state"] = "output-denied"
      }
      return .object(fields)
    }
  }
}
