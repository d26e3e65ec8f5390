package import VoiceVocabulary

/// What an agent tells of its runs when no step is taken any more.
package struct LateReports: Equatable, Sendable {
  private var begun: Set<RunID> = []
  private var ends: [RunID: AgentTurnEnd] = [:]

  package init() {}

  /// The agent told this.
  package mutating func take(_ event: AgentEvent, of run: RunID) {
    switch event {
    case .turnEnded(let end): ends[run] = end
    // Told before it begins, or of what hinders it.
    case .status, .sessionReady, .steeringRefused: break
    default: begun.insert(run)
    }
  }

  /// Whether the agent was done with the run all the same.
  package func isCompleted(_ run: RunID) -> Bool { ends[run] == .completed }

  /// Whether the run has ended, and the agent never began it: an agent that was told to stop ends what it has begun in the
  /// same words.
  package func isUntaken(_ run: RunID) -> Bool {
    switch ends[run] {
    case .cancelled?, .failed?: !begun.contains(run)
    default: false
    }
  }
}
