/// What a command, or a question, may begin with.
package enum CommandVerbs {
  /// Whether a word in small letters is one.
  package static func contains(_ word: String) -> Bool { words.contains(word) }

  /// All of them, in order.
  package static let all: [String] = words.sorted()

  private static let words: Set<String> = [
    "accept", "add", "analyse", "analyze", "answer", "apply", "approve", "ask", "assume", "benchmark", "bring",
    "build", "bump", "call", "cancel", "change", "check", "clean", "clear", "close", "comment", "commit", "compare",
    "continue", "convert", "copy", "count", "create", "debug", "decrease", "define", "delay", "delete", "deploy",
    "describe", "disable", "do", "document", "download", "draw", "drop", "edit", "enable", "ensure", "explain",
    "export", "extend", "extract", "find", "fix", "format", "generate", "get", "give", "go", "halt", "handle",
    "help", "hide", "how", "ignore", "implement", "import", "include", "increase", "inline", "insert", "install",
    "introduce", "investigate", "join", "keep", "launch", "leave", "let", "limit", "list", "load", "log", "look",
    "make", "mark", "measure", "mention", "merge", "migrate", "move", "note", "open", "parse", "pick", "print",
    "pull", "push", "put", "read", "rebase", "reduce", "refactor", "reject", "release", "reload", "remember",
    "remove", "rename", "repeat", "replace", "report", "rerun", "reset", "restart", "restore", "retry", "revert",
    "review", "rewrite", "run", "save", "say", "scan", "search", "send", "set", "show", "simplify", "skip", "sort",
    "split", "stage", "start", "stop", "store", "summarise", "summarize", "support", "swap", "switch", "sync",
    "take", "tell", "test", "think", "trace", "try", "turn", "undo", "update", "upgrade", "use", "validate",
    "verify", "wait", "what", "where", "which", "who", "why", "wrap", "write",
  ]
}
