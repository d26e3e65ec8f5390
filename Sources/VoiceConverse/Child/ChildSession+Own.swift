import VoiceVocabulary

/// What the agent begins by itself.
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
    act(.arm(.quiet(own.id, told: own.told), milliseconds: ConverseLimits.quietMilliseconds))
  }

  /// Tell a run that it waits for what the agent began by itself.
  mutating func reportWait(of id: RunID) {
    let words = "It waits until what \(dialect.description.name) began by itself is over; halt that to go on at once."
    report([.status(text: words)], of: id)
  }

  /// The one end of what it began by itself.
  mutating func endOwn(_ end: AgentTurnEnd) {
    guard let current = own.take() else { return }
    report([.turnEnded(end: end)], of: current.id)
  }

  /// So much had been told of it a while ago: if nothing came since, and nothing of it is open, it is over.
  mutating func ownMayBeOver(_ id: RunID, _ told: Int) {
    guard let own, own.id == id, own.state == .working else { return }
    if own.told == told { tell { $0.settle() } }
    watchOwn()
  }
}
