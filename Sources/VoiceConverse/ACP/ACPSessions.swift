import VoiceJSON
package import VoiceVocabulary

/// The earlier sessions of an ACP agent, as it tells them itself.
package struct ACPSessions: AgentSessions {
  private let dialogue: RPCDialogue
  private let workingFolder: String

  init(_ agent: ChildAgentSpecification, _ environment: AgentEnvironment) {
    let command = agent.command(agent.settings(in: environment), start: .new, in: environment)
    dialogue = RPCDialogue(command: command, form: .complete, name: agent.name)
    workingFolder = environment.workingFolder
  }

  private static func open(_ talk: RPCTalk) async throws(AgentError) -> ACPAbilities {
    ACPAbilities(answer: try await talk.ask("initialize", ACPDialect.initialization))
  }

  package func list() async throws(AgentError) -> [AgentSessionSummary] {
    let folder = workingFolder
    return try await dialogue.run { talk async throws(AgentError) in
      guard try await Self.open(talk).listsSessions else { throw talk.failure("cannot list its sessions.") }
      return try await talk.list("session/list", ["cwd": .string(folder)], of: "sessions").compactMap(Self.summary)
    }
  }

  private static func summary(_ session: JSON) -> AgentSessionSummary? {
    session["sessionId"]?.string.map {
      AgentSessionSummary(
        id: AgentSessionID(rawValue: $0),
        title: (session["title"]?.string ?? "").shortened(to: ConverseLimits.titleCharacters),
        updated: session["updatedAt"]?.string)
    }
  }

  /// A loaded session tells its history, which is what is wanted here.
  package func messages(
    of session: AgentSessionID
  ) async throws(AgentError) -> [AgentSessionMessage] {
    let folder = workingFolder
    return try await dialogue.run { talk async throws(AgentError) in
      guard try await Self.open(talk).loadsSessions else { throw talk.failure("cannot show its sessions.") }
      let parameters: JSON = [
        "sessionId": .string(session.rawValue), "cwd": .string(folder), "mcpServers": [],
      ]
      _ = try await talk.ask("session/load", parameters)
      return Self.messages(talk.takeNotifications().map { $0.parameters["update"] ?? .null })
    }
  }

  package func delete(_ session: AgentSessionID) async throws(AgentError) {
    try await dialogue.run { talk async throws(AgentError) in
      guard try await Self.open(talk).deletesSessions else {
        throw talk.failure("cannot delete its sessions over this protocol. Delete it with the agent itself.")
      }
      _ = try await talk.ask("session/delete", ["sessionId": .string(session.rawValue)])
    }
  }

  private static func messages(_ updates: [JSON]) -> [AgentSessionMessage] {
    var messages: [AgentSessionMessage] = []
    for update in updates {
      let author: AgentSessionMessage.Author
      var text = update["content"]?["text"]?.string ?? ""
      switch update["sessionUpdate"]?.string {
      case "user_message_chunk": author = .user
      case "agent_message_chunk": author = .agent
      case "tool_call":
        author = .tool
        var tool = ToolCall(id: "")
        tool.merge(update)
        text = tool.spokenTitle
      default: continue
      }
      // Pieces of one message come one after the other.
      if author != .tool, messages.last?.author == author {
        messages[messages.count - 1].text += text
      } else {
        messages.append(AgentSessionMessage(author: author, text: text))
      }
    }
    return messages
  }
}
