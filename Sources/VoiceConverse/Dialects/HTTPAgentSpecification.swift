/// Which agent behind HTTP, as a person writes it: `KIND[:ADDRESS][#NAME]`, where the name is that of a model or, with
/// PageSpace, of an agent.
package struct HTTPAgentSpecification: Equatable, Sendable {
  /// The protocol of a server, by the name that `--agent` takes.
  package enum Kind: String, CaseIterable, Sendable {
    case duckTalk = "duck-talk"
    case geminiMobile = "gemini-mobile"
    case pageSpace = "page-space"
    case uiMessages = "ui-messages"
    case better
    case chat
    case opcode
    case agentToAgent = "a2a"
  }

  package let kind: Kind
  package let address: HTTPAddress
  package let name: String?

  /// Why a server cannot be meant by what was written.
  /// - Parameter place: What stands behind `KIND:`; nil for the usual address of this kind.
  package init(_ kind: Kind, at place: String?) throws(AgentError) {
    self.kind = kind
    // Splitting gives one part at least.
    let parts = (place ?? "").split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    name = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
    guard let text = parts[0].isEmpty ? kind.defaultAddress : parts[0] else {
      throw AgentError(description: "The agent \(kind.rawValue) needs an address: \(kind.form).")
    }
    guard let address = HTTPAddress(text) else {
      throw AgentError(
        description: """
          The agent “\(kind.rawValue):\(place ?? "")” has no address that makes sense. Write \(kind.form), without \
          a password or a question mark; unix:/PATH names a Unix socket.
          """)
    }
    self.address = address
  }
}

extension HTTPAgentSpecification.Kind {
  fileprivate var defaultAddress: String? {
    switch self {
    case .duckTalk: "http://127.0.0.1:8000"
    case .better: "https://generativelanguage.googleapis.com"
    case .chat: "http://127.0.0.1:11434/v1"
    case .opcode: "http://127.0.0.1:8080"
    case .geminiMobile, .pageSpace, .uiMessages, .agentToAgent: nil
    }
  }

  /// How it is written.
  package var form: String {
    switch self {
    case .duckTalk: "duck-talk[:http://HOST:PORT]"
    case .geminiMobile: "gemini-mobile:https://HOST[#MODEL]"
    case .pageSpace: "page-space:https://HOST[#AGENT]"
    case .uiMessages: "ui-messages:https://HOST/PATH[#MODEL]"
    case .better: "better[:https://HOST][#MODEL]"
    case .chat: "chat[:http://HOST:PORT/v1][#MODEL]"
    case .opcode: "opcode[:http://HOST:PORT][#MODEL]"
    case .agentToAgent: "a2a:https://HOST"
    }
  }

  /// For people.
  var title: String {
    switch self {
    case .duckTalk: "Duck Talk"
    case .geminiMobile: "Gemini CLI mobile"
    case .pageSpace: "PageSpace"
    case .uiMessages: "the chat server"
    case .better: "Gemini"
    case .chat: "the model server"
    case .opcode: "opcode"
    case .agentToAgent: "A2A"
    }
  }

  /// Whether this program keeps the conversations, because the server does not.
  package var keepsConversationsHere: Bool { self == .better || self == .chat }

  /// Whether files can go with an instruction.
  package var takesAttachments: Bool { [.better, .chat, .pageSpace, .uiMessages].contains(self) }
}
