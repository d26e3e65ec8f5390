/// The name of a session, as the coding agent chose it.
package struct AgentSessionID: ShownIdentifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// Which session an agent is opened with.
package enum AgentSessionStart: Equatable, Sendable, Codable {
  case new
  /// Go on with an earlier session.
  case resume(AgentSessionID)
  /// Go on with a copy of an earlier session; with `message`, one that knows nothing that came after that message.
  case fork(AgentSessionID, at: String?)
}

/// An earlier session of a coding agent, as a list shows it.
package struct AgentSessionSummary: Equatable, Sendable, Codable {
  package var id: AgentSessionID
  /// What the session was about; empty if the agent does not say.
  package var title: String
  /// When it was last worked on, as the agent writes it (ISO 8601 where there is a choice).
  package var updated: String?

  package init(id: AgentSessionID, title: String, updated: String? = nil) {
    self.id = id
    self.title = title
    self.updated = updated
  }
}

extension AgentSessionStart {
  /// Which session is gone on with, as a sentence; nil for a new one.
  /// - Parameter known: the session as a list shows it; nil where none does.
  package func told(_ known: AgentSessionSummary?) -> String? {
    let (session, part): (AgentSessionID, String)
    switch self {
    case .new: return nil
    case .resume(let id): (session, part) = (id, "")
    case .fork(let id, let message): (session, part) = (id, message == nil ? "a copy of " : "an earlier state of ")
    }
    let title = known.flatMap { $0.title.isEmpty ? nil : "“\($0.title.firstLine)”" } ?? session.rawValue
    let used = known?.updated.map { $0.isEmpty ? "" : " (last used: \($0))" } ?? ""
    return "Going on with \(part)\(title)\(used)."
  }
}

/// One message of an earlier session.
package struct AgentSessionMessage: Equatable, Sendable, Codable {
  /// Who wrote it.
  package enum Author: String, Sendable, Codable { case user, agent, tool }

  /// The agent's name of the message, where one can go back to it.
  package var id: String?
  package var author: Author
  package var text: String

  package init(id: String? = nil, author: Author, text: String) {
    self.id = id
    self.author = author
    self.text = text
  }
}
