import VoiceConfiguration
import VoiceConverse
import VoiceLanguage
import VoiceVocabulary

/// The agent's session that was named by its name, its beginning, or `last`. An agent may know more sessions than it lists, or list
/// none: a name that is not in the list is taken as it is, and the agent says what it makes of it.
func namedSession(_ name: AgentSessionID, _ plan: Plan) async throws -> AgentSessionID {
  try await knownSession(name, plan).id
}

/// The same, with what a list shows of it, where it was listed.
private func knownSession(_ name: AgentSessionID, _ plan: Plan) async throws -> AgentSessionSummary {
  let unlisted = AgentSessionSummary(id: name, title: "")
  guard let sessions = try Exit.starting({ try agentSessions(plan) }) else {
    guard name.rawValue == "last" else { return unlisted }
    throw Exit.failure(
      Exit.unavailable,
      "The agent \(plan.shownAgent) lists no sessions, so that the last one is not known. Say its name.")
  }
  if name.rawValue == "last" {
    let known = try await Exit.asking { try await sessions.list() }
    guard let newest = known.first else {
      throw Exit.failure(Exit.unavailable, "There are no sessions of the agent in this folder.")
    }
    return newest
  }
  // A whole name needs no list, which some agents take a second for.
  if name.isWhole { return unlisted }
  let known: [AgentSessionSummary]
  do {
    known = try await sessions.list()
  } catch {
    return unlisted
  }
  let matching = known.filter { $0.id.rawValue.hasPrefix(name.rawValue) }
  if let whole = matching.first(where: { $0.id == name }) { return whole }
  if matching.isEmpty { return unlisted }
  if matching.count == 1 { return matching[0] }
  let names = matching.map(\.id.rawValue).joined(separator: ", ")
  throw Exit.failure(
    Exit.badData, "\(Counted(matching.count, "session").digits) begin with \(name): \(names). Say more of the name.")
}

extension AgentSessionStart {
  /// The same start, with the session's whole name, and what is told of it.
  func named(_ plan: Plan) async throws -> (start: AgentSessionStart, told: String?) {
    let (start, known): (AgentSessionStart, AgentSessionSummary)
    switch self {
    case .new: return (.new, nil)
    case .resume(let name):
      known = try await knownSession(name, plan)
      start = .resume(known.id)
    case .fork(let name, let message):
      known = try await knownSession(name, plan)
      start = .fork(known.id, at: message)
    }
    return (start, start.told(known))
  }
}

extension AgentSessionID {
  /// Whether this is a name as Claude Code and Codex give it, from its first letter to its last: a UUID.
  fileprivate var isWhole: Bool {
    let groups = rawValue.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }
}
