package import VoiceVocabulary

/// The agent's sessions, as they were listed for the user, who then names one by its number.
package struct AgentSessionsRegion: Equatable, Sendable, DigestedState {
  /// The session that is open, once the agent told it.
  package private(set) var current: AgentSessionID?
  /// As they are shown, the first as number 1.
  private var sessions: [AgentSessionID] = []
  /// Where one can go back to, as it is shown, the first as number 1.
  private var messages: [AgentSessionStart] = []

  /// The agent works in this session.
  package mutating func opened(_ session: AgentSessionID?) { current = session ?? current }

  /// These sessions are shown.
  package mutating func list(_ summaries: [AgentSessionSummary]) { sessions = summaries.map(\.id) }

  /// These messages are shown.
  package mutating func list(_ names: [String], of session: AgentSessionID) {
    messages = names.map { .fork(session, at: $0) }
  }

  /// The session that a number of the list, a name, or how it begins stands for; nil if none does.
  package func session(_ name: String) -> AgentSessionID? {
    if let number = Int(name) { return sessions.indices.contains(number - 1) ? sessions[number - 1] : nil }
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
    guard let number = Int(number), messages.indices.contains(number - 1) else { return nil }
    return messages[number - 1]
  }
}

extension AgentSessionsRegion {
  /// Nothing where no session was ever listed.
  package func fold(into digest: inout StateDigest) {
    guard !sessions.isEmpty || !messages.isEmpty else { return }
    for session in sessions { digest.fold(session.rawValue) }
    for case .fork(let session, let message) in messages { digest.fold("\(session) \(message ?? "")") }
    digest.fold(current?.rawValue)
  }
}

extension InteractionController {
  /// The user wants to see the agent's sessions, or to go on in another one.
  mutating func agentSession(_ choice: AgentSessionChoice) {
    let notListed = "There is no such number. List the sessions first, then choose one."
    switch choice {
    case .list: act(.listAgentSessions)
    case .messages:
      guard let session = sessions.current else {
        return show(.cannot(text: "The agent has not opened a session yet; it starts with the first instruction."))
      }
      act(.listAgentMessages(session: session))
    case .new: reopen(.new)
    case .resume(let name):
      guard let session = sessions.session(name) else { return show(.cannot(text: notListed)) }
      reopen(.resume(session))
    case .fork(let name):
      guard let session = sessions.session(name) else { return show(.cannot(text: notListed)) }
      reopen(.fork(session, at: nil))
    case .rewind(let number):
      guard let start = sessions.message(number) else { return show(.cannot(text: notListed)) }
      reopen(start)
    }
  }

  /// Go on in another session: only between two runs, since the agent is ended for it.
  private mutating func reopen(_ start: AgentSessionStart) {
    guard !run.isAtWork, run.owed.isEmpty else {
      return show(.cannot(text: "The agent is at work; stop it before you go to another session."))
    }
    act(.reopenAgent(start: start))
  }

  /// The agent's sessions are known.
  mutating func agentSessionsListed(_ summaries: [AgentSessionSummary]) {
    sessions.list(summaries)
    guard !summaries.isEmpty else { return show(.cannot(text: "There are no sessions of the agent in this folder.")) }
    for (number, summary) in zip(1..., summaries) {
      let title = summary.title.isEmpty ? summary.id.rawValue : summary.title
      show(.agentListed(number: number, text: title + (summary.updated.map { " (\($0))" } ?? "")))
    }
  }

  /// The messages of a session are known: those that one can go back to, the newest at the end.
  mutating func agentMessagesListed(_ session: AgentSessionID, _ messages: [AgentSessionMessage]) {
    let named = messages.compactMap { message in message.id.map { ($0, message) } }
    sessions.list(named.map(\.0), of: session)
    guard !named.isEmpty else { return show(.cannot(text: "The agent lists no message to go back to.")) }
    for (number, (_, message)) in zip(1..., named) {
      show(.agentListed(number: number, text: "\(message.author.rawValue): \(message.text.firstLine)"))
    }
  }
}

extension String {
  /// Up to the end of its first line.
  fileprivate var firstLine: String { String(prefix { !$0.isNewline }) }
}
