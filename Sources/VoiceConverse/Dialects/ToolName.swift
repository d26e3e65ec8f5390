import VoiceJSON

/// What is known of tools whose server tells only a name.
enum ToolName {
  /// A call in the words of `ToolCall`.
  static func fields(_ name: String, _ input: JSON?) -> [String: JSON] {
    ["toolName": .string(name), "title": .string(name), "kind": .string(kind(name)), "rawInput": input ?? .null]
  }

  /// What sort of act a tool is, in the words of ACP; `other` where its name does not tell.
  static func kind(_ name: String) -> String {
    switch name {
    case "Read", "read_file", "read_many_files", "list_directory": return "read"
    case "Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace": return "edit"
    case "Bash", "run_shell_command": return "execute"
    case "Grep", "Glob", "search_file_content", "glob": return "search"
    case "WebFetch", "WebSearch", "web_fetch", "google_web_search": return "fetch"
    default:
      let first = name.prefix { !"_-".contains($0) && ($0.isLowercase || $0 == name.first) }.lowercased()
      return verbs.first { $0.value.contains(first) }?.kind ?? "other"
    }
  }

  /// The first words of tool names, such as `create_page` or `readFile`.
  private static let verbs: [(kind: String, value: [String])] = [
    ("read", ["read", "get", "list", "show", "view"]),
    ("edit", ["edit", "write", "create", "update", "insert", "replace", "rename", "append", "set"]),
    ("delete", ["delete", "remove", "trash"]), ("move", ["move"]),
    ("search", ["search", "find", "grep", "glob", "query"]),
    ("execute", ["run", "bash", "shell", "exec", "execute"]), ("fetch", ["fetch", "web", "browse"]),
  ]
}
