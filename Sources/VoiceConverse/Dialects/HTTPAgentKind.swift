package import VoiceVocabulary

/// A kind of server that an agent may be behind: how it is named, what it takes, its dialect, and its earlier conversations. What is
/// above it knows no server by name.
///
/// One more is a file with a dialect and one of these, and its line in `all`.
package struct HTTPAgentKind: Sendable {
  /// What not every server takes.
  package enum Extra: Sendable {
    /// Files with an instruction, but no HEIC images.
    case attachments
    case heicImages
    /// Parameters of the model, and tools that its server runs.
    case generation
    case systemPrompt
  }

  /// Which modes can be asked for before the server was asked.
  package enum Modes: Sendable {
    case none
    case these([String])
    /// Whether there is such a mode is for the server to say.
    case any
  }

  /// How a model is named.
  package enum Models: Sendable {
    /// It is the agent's own affair.
    case none
    /// Behind the address, or beside it.
    case atAddress
    /// The same, but only of a conversation that begins: the server keeps it with that.
    case ofNewSession
    /// As `PROVIDER/MODEL`; what stands behind the address is an agent.
    case withProvider
  }

  /// The conversations that it keeps, or that are kept here for it.
  package struct Sessions: Sendable {
    let list: @Sendable (HTTPSessions) async throws(AgentError) -> [AgentSessionSummary]
    let messages: @Sendable (HTTPSessions, AgentSessionID) async throws(AgentError) -> [AgentSessionMessage]
    /// Deletes one for good; nil where no call does so.
    var delete: (@Sendable (HTTPSessions, AgentSessionID) async throws(AgentError) -> Void)?
  }

  /// The name that `--agent` takes.
  package let name: String
  /// For people.
  let title: String
  /// How it is written.
  package let form: String
  /// Where it is unless an address is named; nil where one must be.
  var defaultAddress: String?
  var takes: Set<Extra> = []
  var modes = Modes.none
  var models = Models.atAddress
  /// Whether this program keeps the conversations, because the server does not.
  var keepsConversationsHere = false
  /// The header for a token; nil for `Authorization: Bearer`.
  var tokenHeader: String?
  /// What to do where no token was named, if nobody may use the server without one.
  var tokenRemedy: String?
  /// What each of its requests has besides, in a program whose new conversation would be called so.
  var headers: @Sendable (_ newSession: AgentSessionID) -> [String] = { _ in [] }
  /// nil where it can name none.
  var sessions: Sessions?
  /// The agents that it offers by name; nil where it offers none so.
  var places: (@Sendable (HTTPSessions) async throws(AgentError) -> [AgentPlace])?
  /// How a user signs in with a name and a password; gives the cookies. nil where he cannot.
  var signIn: (@Sendable (HTTPSessions, _ user: String, _ password: String) async throws(AgentError) -> String)?
  /// A value that speaks the protocol, for one session.
  let dialect: @Sendable (HTTPAgentSpecification, AgentEnvironment) throws(AgentError) -> any HTTPDialect

  /// Every kind that there is, in the order of the help.
  package static let all: [HTTPAgentKind] = [
    .duckTalk, .geminiMobile, .pageSpace, .uiMessages, .better, .chat, .opcode, .agentToAgent,
  ]

  /// The kind of this name; nil if there is none.
  package init?(named name: String) {
    guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}

extension HTTPAgentKind {
  /// - Parameter dialect: a value that speaks the protocol, for one session.
  init(
    _ name: String, title: String, form: String,
    dialect: @escaping @Sendable (HTTPAgentSpecification, AgentEnvironment) throws(AgentError) -> any HTTPDialect
  ) {
    self.name = name
    self.title = title
    self.form = form
    self.dialect = dialect
  }

  /// The same, changed.
  func with(_ change: (inout HTTPAgentKind) -> Void) -> HTTPAgentKind {
    var kind = self
    change(&kind)
    return kind
  }
}

extension HTTPAgentKind {
  /// The dialect alone, with all that may be told it, for who feeds it with bytes.
  package func makeDialect(newSession: AgentSessionID) throws(AgentError) -> any HTTPDialect {
    let environment = AgentEnvironment(
      workingFolder: "/", executablePath: "", preferredMode: "default",
      server: ServerEnvironment(newSession: newSession))
    return try dialect(HTTPAgentSpecification(self, at: "http://127.0.0.1#name"), environment)
  }
}

extension HTTPAgentKind: Equatable {
  package static func == (left: HTTPAgentKind, right: HTTPAgentKind) -> Bool { left.name == right.name }
}
