import VoiceFoundation
import VoiceJSON
package import VoiceVocabulary

/// Codex's earlier threads, as its server tells them.
package struct CodexSessions: AgentSessions {
  private let dialogue: RPCDialogue
  private let workingFolder: String

  init(_ agent: ChildAgentSpecification, _ environment: AgentEnvironment) {
    let command = agent.command(agent.settings(in: environment), start: .new, in: environment)
    dialogue = RPCDialogue(command: command, form: .withoutVersion, name: "Codex")
    workingFolder = environment.workingFolder
  }

  private static func open(_ talk: RPCTalk) async throws(AgentError) {
    _ = try await talk.ask("initialize", CodexDialect.initialization)
    talk.notify("initialized")
  }

  package func list() async throws(AgentError) -> [AgentSessionSummary] {
    let folder = workingFolder
    return try await dialogue.run { talk async throws(AgentError) in
      try await Self.open(talk)
      return try await talk.list("thread/list", ["cwd": .string(folder), "limit": 100], of: "data")
        .compactMap(Self.summary)
    }
  }

  private static func summary(_ thread: JSON) -> AgentSessionSummary? {
    thread["id"]?.string.map {
      AgentSessionSummary(
        id: AgentSessionID(rawValue: $0),
        title: (thread["name"]?.string ?? thread["preview"]?.string ?? "")
          .shortened(to: ConverseLimits.titleCharacters),
        updated: (thread["updatedAt"]?.number).map { Date(timeIntervalSince1970: $0).ISO8601Format() })
    }
  }

  /// One can go back to the end of a turn, so a turn's last message carries its name.
  package func messages(
    of session: AgentSessionID
  ) async throws(AgentError) -> [AgentSessionMessage] {
    try await dialogue.run { talk async throws(AgentError) in
      try await Self.open(talk)
      let parameters: JSON = ["threadId": .string(session.rawValue), "includeTurns": true]
      let answer = try await talk.ask("thread/read", parameters)
      return (answer["thread"]?["turns"]?.elements ?? []).flatMap(Self.messages)
    }
  }

  package func delete(_ session: AgentSessionID) async throws(AgentError) {
    try await dialogue.run { talk async throws(AgentError) in
      try await Self.open(talk)
      _ = try await talk.ask("thread/delete", ["threadId": .string(session.rawValue)])
    }
  }

  private static func messages(_ turn: JSON) -> [AgentSessionMessage] {
    var messages = (turn["items"]?.elements ?? []).compactMap { item -> AgentSessionMessage? in
      switch item["type"]?.string {
      case "userMessage":
        let words = (item["content"]?.elements ?? []).compactMap { $0["text"]?.string }
        return AgentSessionMessage(author: .user, text: words.joined(separator: "\n"))
      case "agentMessage": return AgentSessionMessage(author: .agent, text: item["text"]?.string ?? "")
      default:
        var turn = AgentTurn()
        guard case .toolStarted(let tool)? = turn.apply(item: item).first else { return nil }
        return AgentSessionMessage(author: .tool, text: tool.title)
      }
    }
    if !messages.isEmpty { messages[messages.count - 1].id = turn["id"]?.string }
    return messages
  }
}
