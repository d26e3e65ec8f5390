import VoiceJSON

/// What a thread of Codex works towards. While it is active, Codex begins one turn after the other by itself.
struct CodexGoal: Equatable, Sendable {
  let objective: String
  let isActive: Bool

  /// Read what the server tells; nil if that is no goal.
  init?(_ told: JSON) {
    guard let objective = told["objective"]?.string else { return nil }
    self.objective = objective.shortened(to: ConverseLimits.titleCharacters)
    isActive = told["status"]?.string == "active"
  }

  /// What is still to be done.
  var owed: [String] { isActive ? [objective] : [] }
}
