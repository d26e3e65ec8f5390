package import VoiceJSON
package import VoiceVocabulary

/// `codex exec --json`: one child for each turn, for a Codex without an app-server. The instruction goes in over standard
/// input, which is then closed; section 4.1 of the protocol notes.
///
/// It never asks: what it may do is its sandbox. It is stopped by ending it.
package struct CodexExecDialect: ChildDialect {
  package static var lifetime: ChildLifetime { .turn }
  /// Its modes.
  static let sandboxes = ["read-only", "workspace-write", "danger-full-access"]

  package private(set) var description: AgentDescription
  package var effects: [DialectEffect] = []
  private let start: AgentSessionStart
  /// nil outside of a turn.
  private var turn: AgentTurn?

  package init(_ settings: ChildSettings, start: AgentSessionStart) {
    self.start = start
    description = AgentDescription(name: "Codex", session: start.earlier, capabilities: [.cancel, .resume])
  }

  /// What follows the agent's own arguments.
  static func arguments(_ settings: ChildSettings, start: AgentSessionStart) -> [String] {
    let sandbox = settings.preferredMode ?? CodexDialect.defaultSandbox
    var arguments = ["--json", "--skip-git-repo-check", "-c", "sandbox_mode=\"\(sandbox)\""]
    if let model = settings.model { arguments += ["-m", model] }
    if let session = start.earlier { return ["resume"] + arguments + [session.rawValue, "-"] }
    return arguments + ["-"]
  }

  /// It waits for its instruction.
  package mutating func launched() { effects.append(.ready) }

  package mutating func startTurn(_ text: String) {
    turn = AgentTurn()
    effects += [.send(Array(text.utf8)), .closeInput]
  }

  package mutating func receive(_ message: JSON) {
    guard turn != nil else { return }
    switch message["type"]?.string {
    case "thread.started":
      guard let thread = message["thread_id"]?.string, description.session?.rawValue != thread else { return }
      let session = AgentSessionID(rawValue: thread)
      description.session = session
      report([.sessionReady(session: session)])
    case "item.started", "item.updated", "item.completed": take(message["item"] ?? .null, message["type"]?.string)
    case "turn.completed":
      // What a resumed session tells counts the turns before as well.
      if start == .new {
        let usage = message["usage"]
        let counts = AgentUsage(
          inputTokens: usage?["input_tokens"]?.count, outputTokens: usage?["output_tokens"]?.count)
        if counts != AgentUsage() { report([.usage(usage: counts)]) }
      }
      endTurn(.completed)
    case "turn.failed":
      let words = CodexDialect.words(message["error"]?["message"]?.string ?? "")
      endTurn(.failed(reason: "Codex reported an error: \(words)"))
    default: break
    }
  }

  private mutating func take(_ item: JSON, _ moment: String?) {
    let text = item["text"]?.string ?? ""
    switch (item["type"]?.string, moment) {
    case ("agent_message", "item.completed"): report(turn?.text(text, of: item["id"]?.string) ?? [])
    case ("reasoning", "item.completed"): if !text.isEmpty { report([.thought(delta: text)]) }
    case ("error", "item.completed"): report([.status(text: CodexDialect.words(item["message"]?.string ?? ""))])
    case ("todo_list", _):
      let entries = (item["items"]?.elements ?? []).compactMap { entry in
        entry["text"]?.string.map {
          AgentPlanEntry(text: $0, status: entry["completed"]?.bool == true ? "completed" : "pending")
        }
      }
      report([.plan(entries: entries)])
    default: report(turn?.apply(item: Self.appServerItem(item)) ?? [])
    }
  }

  /// A tool in the words of the app-server.
  private static func appServerItem(_ item: JSON) -> JSON {
    guard case .object(var fields) = item else { return .null }
    let names = [
      "command_execution": "commandExecution", "file_change": "fileChange", "mcp_tool_call": "mcpToolCall",
      "web_search": "webSearch",
    ]
    fields["type"] = item["type"]?.string.flatMap { names[$0] }.map { .string($0) }
    if let changes = item["changes"] {
      fields["changes"] = .array(
        changes.elements.map {
          ["path": $0["path"] ?? "", "kind": ["type": $0["kind"] ?? ""], "diff": $0["diff"] ?? ""]
        })
    }
    return .object(fields)
  }

  private mutating func endTurn(_ end: AgentTurnEnd) {
    abandonTurn()
    effects.append(.ended(end))
  }

  package mutating func abandonTurn() {
    guard var last = turn.take() else { return }
    report(last.end())
  }

  /// Nothing to withdraw; the end of the child is the stop.
  package mutating func cancelTurn() { effects.append(.stopChild) }

  /// Nothing to do: it never asks.
  package mutating func answer(_ permission: PermissionID, with choice: PermissionRequest.Choice) {}
  package mutating func answer(_ question: QuestionID, with answer: AgentQuestion.Answer) {}
}
