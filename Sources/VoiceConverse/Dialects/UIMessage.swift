import VoiceJSON
import VoiceVocabulary

/// The assistant's message as a UI message stream builds it, part by part, so that it can be sent back: that is how such
/// a server learns what was decided, and gets back what its model's provider wants to see again (`providerMetadata`).
struct UIMessage: Equatable, Sendable {
  /// A tool call, and how far it is. The words of the states are those of the AI SDK.
  struct Tool: Equatable, Sendable {
    var id: String
    var name: String
    var title: String?
    var input: JSON = .null
    var progress = Progress.preparing
    /// What the provider wants back with the call, and with its result.
    var callMetadata: JSON?
    var resultMetadata: JSON?
    /// Whether the provider of the model carries it out itself; nil if it does not say.
    var isExecutedByProvider: Bool?
    /// Whether the server knew no such tool before; it is named in a member then, not by the part's type.
    var isDynamic = false

    /// The permission that is asked for by this name: it is for one call, whatever the server calls it.
    func permission(_ approval: String) -> PermissionID {
      PermissionID(rawValue: String(decoding: JSON.array([.string(approval), .string(id)]).bytes, as: UTF8.self))
    }

    /// Whether the user decides about it, or has decided: what was shown to him is what goes back.
    var isFixed: Bool { if case .asked = progress { true } else { isDecided } }

    private var isDecided: Bool { if case .decided = progress { true } else { false } }

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

  /// What is written piece by piece.
  enum Prose: String { case text, reasoning }

  private enum Part: Equatable, Sendable {
    case step
    /// Without a name, another of that name has begun.
    case prose(Prose, id: String?, String, metadata: JSON?)
    case tool(Tool)
    /// A file, a source, or data of the server's own, as it came.
    case other(JSON)
  }

  /// What the server calls a part that more is told of.
  private enum Name: Hashable {
    case prose(Prose, String)
    case tool(String)
    case data(type: String?, String)
  }

  var id: String
  private var parts: [Part] = []
  /// Where the parts with a name stand, so that none is looked for: each is the only one of its name.
  private var places: [Name: Int] = [:]
  /// How many tool calls it has.
  private(set) var toolCount = 0

  init(id: String) { self.id = id }

  /// Its tool calls, in order.
  var tools: [Tool] { parts.compactMap { if case .tool(let tool) = $0 { tool } else { nil } } }
  /// The tool call of this name; nil if there is none.
  func tool(named id: String) -> Tool? {
    guard let index = places[.tool(id)], case .tool(let tool) = parts[index] else { return nil }
    return tool
  }

  /// Whether nothing came of it.
  var isEmpty: Bool { parts.isEmpty }
  /// Whether steps were begun at most.
  var saysNothing: Bool { parts.allSatisfy { $0 == .step } }

  /// What follows belongs to a new step.
  mutating func beginStep() { parts.append(.step) }

  /// Forget what came since the step began.
  mutating func resetStep() {
    guard let start = parts.lastIndex(of: .step) else { return }
    for part in parts[(start + 1)...] {
      if let name = Self.name(part) { places[name] = nil }
      if case .tool = part { toolCount -= 1 }
    }
    parts.removeSubrange((start + 1)...)
  }

  private static func name(_ part: Part) -> Name? {
    switch part {
    case .step: nil
    case .prose(let prose, let id, _, _): id.map { .prose(prose, $0) }
    case .tool(let tool): .tool(tool.id)
    case .other(let part): part["id"]?.string.map { .data(type: part["type"]?.string, $0) }
    }
  }

  private mutating func append(_ part: Part) {
    if let name = Self.name(part) { places[name] = parts.count }
    if case .tool = part { toolCount += 1 }
    parts.append(part)
  }

  /// A text, or thought, of this name begins: what was written under it is another, as each step may name them anew.
  mutating func begin(_ prose: Prose, _ id: String) {
    guard let index = index(of: prose, id), case .prose(_, _, let text, let metadata) = parts[index] else { return }
    parts[index] = .prose(prose, id: nil, text, metadata: metadata)
    places[.prose(prose, id)] = nil
  }

  /// The place of the newest text, or thought, of this name.
  func index(of prose: Prose, _ id: String) -> Int? { places[.prose(prose, id)] }

  /// Add to the text, or thought, of this name; what the provider says of it replaces what it said before.
  mutating func add(_ delta: String, to prose: Prose, _ id: String, metadata: JSON? = nil) {
    if let index = index(of: prose, id), case .prose(_, _, var text, let known) = parts[index] {
      // The old value goes first, so that appending does not copy what is there.
      parts[index] = .step
      text += delta
      parts[index] = .prose(prose, id: id, text, metadata: metadata ?? known)
    } else if !delta.isEmpty || metadata != nil {
      append(.prose(prose, id: id, delta, metadata: metadata))
    }
  }

  /// Take a part that is whole; data of one type and name replaces what came before.
  mutating func add(_ part: JSON) {
    if let name = Self.name(.other(part)), let index = places[name] {
      parts[index] = .other(part)
    } else {
      append(.other(part))
    }
  }

  /// Change a tool call, which is begun if there is none of this name.
  mutating func tool(_ id: String, name: String? = nil, _ change: (inout Tool) -> Void) {
    if let index = places[.tool(id)], case .tool(var tool) = parts[index] {
      if let name, !tool.isFixed { tool.name = name }
      change(&tool)
      parts[index] = .tool(tool)
      return
    }
    var tool = Tool(id: id, name: name ?? "tool")
    change(&tool)
    append(.tool(tool))
  }

  /// The message as it is sent.
  var json: JSON {
    ["id": .string(id), "role": "assistant", "parts": .array(parts.map(Self.json))]
  }

  private static func json(_ part: Part) -> JSON {
    switch part {
    case .step: ["type": "step-start"]
    case .prose(let prose, _, let text, let metadata):
      ["type": .string(prose.rawValue), "text": .string(text), "providerMetadata": metadata]
    case .tool(let tool): json(tool)
    case .other(let part): part
    }
  }

  private static func json(_ tool: Tool) -> JSON {
    var fields: [String: JSON] = [
      "type": tool.isDynamic ? "dynamic-tool" : .string("tool-\(tool.name)"), "toolCallId": .string(tool.id),
      "input": tool.input,
    ]
    if tool.isDynamic { fields["toolName"] = .string(tool.name) }
    fields["callProviderMetadata"] = tool.callMetadata
    fields["resultProviderMetadata"] = tool.resultMetadata
    fields["providerExecuted"] = tool.isExecutedByProvider.map { .bool($0) }
    switch tool.progress {
    case .preparing: fields["state"] = "input-streaming"
    case .ready: fields["state"] = "input-available"
    case .asked(let approval):
      fields["state"] = "approval-requested"
      fields["approval"] = ["id": .string(approval)]
    case .decided(let approval, let isApproved, let reason):
      fields["state"] = "approval-responded"
      fields["approval"] = [
        "id": .string(approval), "approved": .bool(isApproved), "reason": reason.map { .string($0) },
      ]
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

// What the user is told of a tool call.
extension UIMessage.Tool {
  /// In the words of `ToolCall`.
  var fields: [String: JSON] {
    var fields = ToolName.fields(name, input)
    if let title { fields["title"] = .string(title) }
    return fields
  }

  /// What it asks the user, if it is left to the client and asks something.
  var questions: [AgentQuestion] {
    guard progress == .ready else { return [] }
    let asked = input["questions"]?.elements ?? [input]
    return asked.enumerated().compactMap { index, question in
      guard let text = question["question"]?.string ?? question["message"]?.string else { return nil }
      let options = (question["options"]?.elements ?? []).compactMap { option -> AgentQuestion.Option? in
        guard let label = option.string ?? option["label"]?.string ?? option["title"]?.string else { return nil }
        return AgentQuestion.Option(label: label, explanation: option["description"]?.string ?? "")
      }
      return AgentQuestion(
        id: QuestionID(rawValue: "\(id)/\(index)"), text: text, options: options,
        selection: question["multiSelect"]?.bool == true ? .several : .one)
    }
  }

  /// Whether it may be at work.
  var mayWork: Bool { progress == .preparing || progress == .ready }
}
