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
