import VoiceVocabulary

extension ChildSession {
  /// The run that the agent works on.
  struct Run: Equatable {
    let id: RunID
    var state = State.working
    /// Tools whose start was told: only their ends are news.
    var openTools: Set<String> = []
    /// How much was told of it.
    var told = 0
    /// Whether it has used a tool, or asked for something.
    var hasActed = false

    /// What the agent reports of it. Returns whether that is news: after a halt only what closes something is.
    mutating func take(_ event: AgentEvent) -> Bool {
      if case .toolFinished(let id, _) = event, openTools.remove(id) == nil { return false }
      if state == .cancelling {
        switch event {
        case .toolFinished, .permissionWithdrawn, .questionWithdrawn, .steered, .steeringRefused, .sessionReady: break
        default: return false
        }
      }
      switch event {
      case .toolStarted(let tool):
        openTools.insert(tool.id)
        hasActed = true
      case .permissionRequested, .questionAsked: hasActed = true
      default: break
      }
      told += 1
      return true
    }

    /// Whether it is to be finished or to be stopped.
    enum State: Equatable { case working, cancelling }
  }

  /// Whether `openAgent` waits for its one answer.
  enum Opening: Equatable { case answered, asked }

  /// A run that waits for the agent.
  struct Waiting: Equatable {
    let id: RunID
    let instruction: Instruction
  }
}
