import VoiceJSON
import VoiceVocabulary

/// The to-do list of Claude Code, which it writes by its tools: whole (`TodoWrite`), or entry by entry (`TaskCreate`,
/// `TaskUpdate`). A change counts once the call has succeeded.
struct ClaudeToDoList: Equatable, Sendable {
  static let toolNames: Set<String> = ["TodoWrite", "TaskCreate", "TaskUpdate"]

  private struct Call: Equatable {
    var tool: String
    var input: JSON
  }

  private struct Entry: Equatable {
    /// Claude Code's name of it; empty where the list is written whole.
    var name: String
    var told: AgentPlanEntry
  }

  private var calls: [String: Call] = [:]
  private var entries: [Entry] = []

  /// A call was told with all that it is given.
  mutating func called(_ id: String, _ tool: String, _ input: JSON?) {
    if let input, Self.toolNames.contains(tool) { calls[id] = Call(tool: tool, input: input) }
  }

  /// A call is over: the list, where it has changed.
  mutating func finished(_ id: String, isError: Bool, output: JSON?) -> [AgentEvent] {
    guard let call = calls.removeValue(forKey: id), !isError else { return [] }
    let before = entries
    switch call.tool {
    case "TodoWrite":
      entries = (call.input["todos"]?.elements ?? []).compactMap { entry in
        entry["content"]?.string.map {
          Entry(name: "", told: .init(text: $0, status: entry["status"]?.string ?? "pending"))
        }
      }
    case "TaskCreate":
      // Only the answer says what the entry is called from now on: "Task #1 created successfully".
      guard let subject = call.input["subject"]?.string,
        let name = ToolCall.output(output)?.split(separator: "#").dropFirst().first?.prefix(while: { $0 != " " })
      else { return [] }
      entries.append(Entry(name: String(name), told: .init(text: subject, status: "pending")))
    default: update(call.input)
    }
    return entries == before ? [] : [.plan(entries: entries.map(\.told))]
  }

  private mutating func update(_ input: JSON) {
    guard let name = input["taskId"]?.string, let place = entries.firstIndex(where: { $0.name == name }) else { return }
    if input["status"]?.string == "deleted" {
      entries.remove(at: place)
      return
    }
    let before = entries[place].told
    entries[place].told = .init(
      text: input["subject"]?.string ?? before.text, status: input["status"]?.string ?? before.status)
  }
}
