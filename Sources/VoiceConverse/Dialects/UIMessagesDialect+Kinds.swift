import VoiceJSON
import VoiceVocabulary

extension HTTPAgentKind {
  /// PageSpace; what stands behind its address is one of its agents.
  package static let pageSpace = HTTPAgentKind(
    "page-space", title: "PageSpace", form: "page-space:https://HOST[#AGENT]"
  ) { UIMessagesDialect(.pageSpace(agent: $0.name), $0, in: $1) }.with {
    $0.takes = [.attachments]
    $0.models = .withProvider
    $0.headers = { ["X-Browser-Session-Id: \($0.rawValue)"] }
    $0.places = { at throws(AgentError) in try await at.pageSpaceDrives() }
    $0.signIn = { at, user, password throws(AgentError) in try await at.pageSpaceSignIn(user, password) }
    $0.sessions = Sessions { at throws(AgentError) in
      try await at.pages(
        UIMessagesDialect.conversations(of: at.specification.name), of: "conversations",
        limit: ConverseLimits.listedSessions
      ).compactMap {
        at.summary($0, title: ["title"], updated: ["updatedAt", "lastMessageAt", "createdAt"])
      }
    } messages: { at, session throws(AgentError) in
      let path =
        "\(UIMessagesDialect.conversations(of: at.specification.name))/\(session.rawValue.percentEncoded())/messages"
      return try await at.pages(path, of: "messages", limit: ConverseLimits.listedEntries)
        .flatMap(at.messages)
    }
  }

  /// Any server that streams UI messages, as the AI SDK has them.
  package static let uiMessages = HTTPAgentKind(
    "ui-messages", title: "the chat server", form: "ui-messages:https://HOST/PATH[#MODEL]"
  ) { UIMessagesDialect(.plain, $0, in: $1) }.with { $0.takes = [.attachments] }
}
