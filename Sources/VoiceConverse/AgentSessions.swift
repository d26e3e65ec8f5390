package import VoiceVocabulary

/// The earlier sessions of a coding agent.
package protocol AgentSessions: Sendable {
  /// The sessions of the working folder, the newest first.
  func list() async throws(AgentError) -> [AgentSessionSummary]
  /// The messages of a session, the oldest first; of one that branches, those on the active branch.
  func messages(of session: AgentSessionID) async throws(AgentError) -> [AgentSessionMessage]
  /// Change a session where it is kept; throws the refusal, and then has asked nothing, where no way to do so is known.
  func change(_ session: AgentSessionID, _ change: AgentSessionChange) async throws(AgentError)
}

/// What can be done with a session that is kept, besides going on with it. The value is the verb.
package enum AgentSessionChange: String, Sendable, CaseIterable {
  /// For good.
  case delete
  case rename
  case summarise

  /// The refusal of this for the sessions of somebody.
  func refusal(of owner: String) -> AgentError {
    AgentError("No call is known to \(rawValue) a session of \(owner), so nothing was sent.")
  }
}

extension AgentSessions {
  package func change(_ session: AgentSessionID, _ change: AgentSessionChange) async throws(AgentError) {
    throw change.refusal(of: "this agent")
  }
}

extension AgentSpecification {
  /// The agent's earlier sessions; nil if it keeps none.
  package func sessions(in environment: AgentEnvironment) -> (any AgentSessions)? {
    switch self {
    case .guide, .echo: nil
    case .http(let server): server.kind.sessions == nil ? nil : HTTPSessions(server, environment)
    case .child(let agent):
      switch agent.language {
      case .acp: ACPSessions(agent, environment)
      case .claude: ClaudeSessions(workingFolder: environment.workingFolder)
      case .codex: CodexSessions(agent, environment)
      case .codexExec: nil
      }
    }
  }
}
