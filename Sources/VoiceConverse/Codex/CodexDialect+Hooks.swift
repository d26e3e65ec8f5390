import VoiceJSON
import VoiceVocabulary

/// Programs that the user's configuration has Codex run at its moments.
extension CodexDialect {
  /// One was begun or is over.
  mutating func hookTold(_ run: JSON) {
    let words = (run["entries"]?.elements ?? []).compactMap { $0["text"]?.string }.joined(separator: " ")
    let name = run["id"]?.string ?? ""
    switch (run["eventName"]?.string, run["status"]?.string) {
    case ("userPromptSubmit", "running"): if hooks.began(name) { effects.append(.watch(hook: name)) }
    case ("userPromptSubmit", let status):
      let isOfInstruction = hooks.ended(name) ?? (turn == AgentTurn())
      switch status {
      case "blocked", "stopped":
        // What was said into a turn is not that turn.
        let what = isOfInstruction ? "it" : "what was added"
        let reason = "A hook blocked \(what) before it reached the model: \(Self.words(words))"
        if isOfInstruction { obstacle = reason } else { report([.status(text: reason)]) }
      case "failed": report([.status(text: "A hook of Codex failed: \(Self.words(words))")])
      default: break
      }
    case ("preToolUse", "blocked"), ("permissionRequest", "blocked"):
      report([.status(text: "A hook did not let Codex act: \(Self.words(words))")])
    case (_, "failed"): report([.status(text: "A hook of Codex failed: \(Self.words(words))")])
    default: break
    }
  }

  /// It may take minutes, and nothing else is told before it is over.
  package mutating func passed(hook: String) {
    if hooks.isRunning(hook) { report([.status(text: "Codex runs a hook before it begins.")]) }
  }
}

/// The hooks that look at what is on its way to the model: at the instruction of a turn, or at what is said into the turn.
struct CodexHooks: Equatable, Sendable {
  /// Those of the instruction, and whether each still runs.
  private var ofInstruction: [String: Bool] = [:]
  private var hasSteered = false

  /// Something was said into the turn.
  mutating func steered() { hasSteered = true }

  /// One was begun. True if it is of the instruction.
  mutating func began(_ name: String) -> Bool {
    guard ofInstruction.count < ConverseLimits.hooksInTurn else { return false }
    if !hasSteered { ofInstruction[name] = true }
    return !hasSteered
  }

  /// One is over. Whether it was of the instruction; nil if that is not known.
  mutating func ended(_ name: String) -> Bool? {
    guard ofInstruction[name] == nil else {
      ofInstruction[name] = false
      return true
    }
    return hasSteered ? false : nil
  }

  /// Whether one of the instruction goes on.
  func isRunning(_ name: String) -> Bool { ofInstruction[name] == true }
}
