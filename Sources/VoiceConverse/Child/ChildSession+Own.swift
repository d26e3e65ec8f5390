package import VoiceVocabulary

extension AgentTurnEnd {
  /// The end of what the agent had begun by itself and took the user's instruction into.
  static let joined = stopped(reason: "Your instruction went into what the agent had begun by itself.")
}

/// What the agent begins by itself, and what goes on behind a run.
extension ChildSession {
  /// The agent works without having been asked: a run of its own, whose number is none of the session's.
  mutating func ownBegan(_ reason: String) {
    guard own == nil else { return }
    ownCount += 1
    let begun = Run(id: RunID(rawValue: -ownCount))
    own = begun
    act(.post(.agentStartedRun(run: begun.id, text: reason)))
    report([.turnStarted], of: begun.id)
    watchOwn()
  }

  /// Look later whether anything more was told, where only that shows that it is over.
  private mutating func watchOwn() {
    guard !Dialect.tellsOwnEnds, let own else { return }
    let milliseconds = own.hasActed ? ConverseLimits.quietMilliseconds : ConverseLimits.quietWordsMilliseconds
    act(.arm(.quiet(own.id, told: own.told), milliseconds: milliseconds))
  }

  /// Tell a run that it waits for what the agent began by itself.
  mutating func reportWait(of id: RunID) {
    let words = "It waits until what \(dialect.description.name) began by itself is over; halt that to go on at once."
    report([.status(text: words)], of: id)
  }

  /// The one end of what it began by itself.
  mutating func endOwn(_ end: AgentTurnEnd) {
    if let current = own.take() { tellEnd(end, of: current) }
  }

  /// The one end of the run in the agent's hands, whose requests go on. They are asked in the run that goes on before that is told,
  /// so that they stay where they are for the user.
  mutating func endAsking(_ end: AgentTurnEnd, _ asked: [AgentEvent], _ reason: String) {
    let ended = own.take() ?? run.take()
    if run == nil { ownBegan(reason) }
    for event in asked { pass(event) }
    if let ended { tellEnd(end, of: ended) }
  }

  /// Tell the end of a run that was just taken out of the agent's hands.
  mutating func tellEnd(_ end: AgentTurnEnd, of current: Run) {
    endedLast = current.state == .working ? current.id : nil
    report([.turnEnded(end: end)], of: current.id)
  }

  /// The user decided. His answer may come when the run has just ended: what the agent still waits for was asked again under the
  /// same name, in the run that goes on, and needs no other answer then.
  package mutating func answer(
    _ permission: PermissionID, of id: RunID, with choice: PermissionRequest.Choice, because reason: String? = nil
  ) -> [ChildEffect] {
    guard isWorking(on: id) || id == endedLast else { return taken() }
    tell { $0.answer(permission, with: choice, because: reason) }
    if id == endedLast, let current = own ?? run { report([.permissionWithdrawn(id: permission)], of: current.id) }
    return taken()
  }

  /// So much had been told of it a while ago: if nothing came since, and nothing of it is open, it is over.
  mutating func ownMayBeOver(_ id: RunID, _ told: Int) {
    guard let own, own.id == id, own.state == .working else { return }
    if own.told == told { tell { $0.settle() } }
    watchOwn()
  }
}
