import VoiceJSON
import VoiceVocabulary

/// Programs that the user's configuration has Codex run at its moments.
extension CodexDialect {
  /// One was begun or is over.
  mutating func hookTold(_ run: JSON) {
    let words = (run["entries"]?.elements ?? []).compactMap { $0["text"]?.string }.joined(separator: " ")
    switch (run["eventName"]?.string, run["status"]?.string) {
    case ("userPromptSubmit", "running"):
      // It may take minutes, and nothing else is told before it is over.
      report([.status(text: "Codex runs a hook before it begins.")])
    case ("userPromptSubmit", "blocked"), ("userPromptSubmit", "stopped"):
      let reason = "A hook did not let it through to the model: \(Self.words(words))"
      // What was said into a turn is not that turn.
      if turn == AgentTurn() { obstacle = reason } else { report([.status(text: reason)]) }
    case ("preToolUse", "blocked"), ("permissionRequest", "blocked"):
      report([.status(text: "A hook did not let Codex act: \(Self.words(words))")])
    case (_, "failed"): report([.status(text: "A hook of Codex failed: \(Self.words(words))")])
    default: break
    }
  }
}
