import VoiceVocabulary

/// Where a child begins.
extension ChildSession {
  /// What an agent that died had begun is gone on with where the agent can, however often it dies in its work. A session in which it
  /// did not even become ready may be what ends it, and is given up, unless the user has named it.
  mutating func planNextStart() {
    guard timesReady > 0 else { return }
    if let session = sessionToResume {
      start = .resume(session)
    } else if hasWorked || start != settings.start {
      start = .new
    }
  }

  /// The session of the child that is gone, where that can be gone on with and holds anything.
  private var sessionToResume: AgentSessionID? {
    let last = dialect.description
    guard last.capabilities.contains(.resume) else { return nil }
    // A child of one turn that was stopped leaves a session behind as well.
    if Dialect.lifetime == .turn { return last.session }
    guard wasReady else { return nil }
    // One that was gone on with holds what came before, and may be named no sooner than in the first turn.
    if case .resume(let earlier) = start { return last.session ?? earlier }
    return wasAsked || hasWorked ? last.session : nil
  }

  /// The agent says in which session it is. Later, that may be another one because the user wants it.
  mutating func opened(_ session: AgentSessionID) {
    guard !isStartCompared else { return }
    isStartCompared = true
    if let notice = start.notice(of: dialect.description.name, thatOpened: session) { note(notice) }
  }
}
