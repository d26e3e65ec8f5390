import VoiceVocabulary

/// Where a child begins.
extension ChildSession {
  /// What an agent that died had begun is gone on with where the agent can.
  mutating func planNextStart() {
    guard timesReady > 0 else { return }
    let last = dialect.description
    // A child of one turn that was stopped leaves a session behind as well.
    let hasWorked = hasWorked || (Dialect.lifetime == .turn && last.session != nil)
    if hasWorked, last.capabilities.contains(.resume), let session = last.session {
      start = .resume(session)
    } else if hasWorked || start != settings.start {
      start = .new
    }
  }

  /// The agent says in which session it is. Later, that may be another one because the user wants it.
  mutating func opened(_ session: AgentSessionID) {
    guard !isStartCompared else { return }
    isStartCompared = true
    if let notice = start.notice(of: dialect.description.name, thatOpened: session) { note(notice) }
  }
}
