package import VoiceVocabulary

/// The agent's sessions, as they were listed for the user, who then names one by its number.
package struct AgentSessionsRegion: Equatable, Sendable, DigestedState {
  /// The session that is open, once the agent told it.
  package private(set) var current: AgentSessionID?
  /// As they are shown, the first as number 1.
  private var summaries: [AgentSessionSummary] = []
  /// Where one can go back to, as it is shown, the first as number 1.
  private var messages: [AgentSessionStart] = []

  /// The agent works in this session.
  package mutating func opened(_ session: AgentSessionID?) { current = session ?? current }

  /// These sessions are shown.
  package mutating func list(_ summaries: [AgentSessionSummary]) { self.summaries = summaries }

  /// These messages are shown.
  package mutating func list(_ names: [String], of session: AgentSessionID) {
    messages = names.map { .fork(session, at: $0) }
  }

  private var sessions: [AgentSessionID] { summaries.map(\.id) }

  /// A session as it is shown; nil if it is not.
  package func summary(_ session: AgentSessionID) -> AgentSessionSummary? { summaries.first { $0.id == session } }

  /// The session that a number of the list, a name, or how it begins stands for; nil if none does.
  package func session(_ name: String) -> AgentSessionID? {
    if let number = Int(name) { return number > 0 ? sessions.dropFirst(number - 1).first : nil }
    let fitting = sessions.filter { $0.rawValue.hasPrefix(name) }
    return fitting.count == 1 ? fitting[0] : fitting.first { $0.rawValue == name }
  }

  /// Whether what the user names is one of those that were shown.
  package func knows(_ choice: AgentSessionChoice) -> Bool {
    switch choice {
    case .list, .new, .messages: true
    case .resume(let name), .fork(let name): session(name) != nil
    case .rewind(let number): message(number) != nil
    }
  }

  /// Where a number of the list of messages goes back to; nil if there is none.
  package func message(_ number: String) -> AgentSessionStart? {
    Int(number).flatMap { $0 > 0 ? messages.dropFirst($0 - 1).first : nil }
  }
}

extension AgentSessionsRegion {
  package func fold(into digest: inout StateDigest) {
    digest.fold(sessions.count, messages.count)
    for session in sessions { digest.fold(session.rawValue) }
    for case .fork(let session, let message) in messages { digest.fold("\(session) \(message ?? "")") }
    digest.fold(current?.rawValue)
  }
}
