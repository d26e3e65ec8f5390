/// What an agent asked for that is not known here, and what the user is told of that: one sentence for each sort.
struct UnknownRequests: Equatable, Sendable {
  private var names: Set<String> = []

  /// What to tell; nothing where that was told, or enough was.
  mutating func refuse(_ name: String, of agent: String) -> [DialectEffect] {
    let name = name.shortened(to: ConverseLimits.titleCharacters)
    guard names.count < ConverseLimits.unknownRequests, names.insert(name).inserted else { return [] }
    let isLast = names.count == ConverseLimits.unknownRequests
    return [
      .notice(
        "\(agent) asked for “\(name)”, which Parley does not support, and was refused. If it is needed, tell the agent how "
          + "to go on without, or use its own terminal."
          + (isLast ? " Further requests of that kind are refused silently." : ""))
    ]
  }
}
