package import VoiceVocabulary

/// The earlier sessions of a coding agent.
package protocol AgentSessions: Sendable {
  /// The sessions of the working folder, the newest first.
  func list() async throws(AgentError) -> [AgentSessionSummary]
  /// The messages of a session, the oldest first; of one that branches, those on the active branch.
  func messages(of session: AgentSessionID) async throws(AgentError) -> [AgentSessionMessage]
  /// Delete a session for good, where it is kept; throws the refusal, and then has asked nothing, where no way to do so is known.
  func delete(_ session: AgentSessionID) async throws(AgentError)
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
