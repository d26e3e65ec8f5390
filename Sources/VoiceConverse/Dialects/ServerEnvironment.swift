package import VoiceVocabulary

/// What an agent behind HTTP is told besides its specification.
package struct ServerEnvironment: Sendable {
  /// Where the token is, if the server wants one.
  package var credential: HTTPCredential?
  /// A PEM file with the only authorities to be trusted; nil for the system's.
  package var certificateAuthorityFile: String?
  /// The folder of the conversations with servers that keep none.
  package var conversationsFolder: String?
  /// What a new conversation is called that the server does not name.
  package var newSession: AgentSessionID
  /// They go with the first instruction.
  package var attachments: [AgentAttachment]
  /// How a bare model is to answer.
  package var generation = GenerationOptions.none
  /// What the model is told before everything else; nil for the program's own words about listening.
  package var systemPrompt: String?
  /// What the model is told before everything else.
  var prompt: String {
    systemPrompt ?? "The user talks to you and hears your answer read aloud. Answer in short plain sentences."
  }
  /// nil leaves each request its own time.
  package var silenceMilliseconds: Int?

  /// - Parameter newSession: what a new conversation is called that the server does not name.
  package init(
    credential: HTTPCredential? = nil, certificateAuthorityFile: String? = nil, conversationsFolder: String? = nil,
    newSession: AgentSessionID = AgentSessionID(rawValue: "conversation"), attachments: [AgentAttachment] = []
  ) {
    self.credential = credential
    self.certificateAuthorityFile = certificateAuthorityFile
    self.conversationsFolder = conversationsFolder
    self.newSession = newSession
    self.attachments = attachments
  }
}

extension AgentSpecification {
  /// Whether this program keeps the conversations with it, because nobody else does.
  package var keepsConversationsHere: Bool {
    if case .http(let server) = self { server.kind.keepsConversationsHere } else { false }
  }
}

extension HTTPAgentSpecification {
  /// Make the agent; nothing is sent before `openAgent` or the first run.
  ///
  /// - Throws: When a conversation to go on with is not there, or this kind of server cannot go on with one.
  func makeAgent(
    in environment: AgentEnvironment, post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws(AgentError) -> any ConverseAgent {
    let own = environment.server
    let store = store(own.conversationsFolder)
    var lock: ConversationLock?
    // Before it is read.
    if case .resume(let id) = environment.start { lock = try store?.lock(id) }
    func agent(_ dialect: some HTTPDialect) throws(AgentError) -> any ConverseAgent {
      if let refusal = environment.start.lack(of: kind.title, that: dialect.capabilities) { throw refusal }
      return HTTPAgent(
        dialect,
        in: .init(
          certificateAuthorityFile: own.certificateAuthorityFile, silenceMilliseconds: own.silenceMilliseconds,
          store: store, lock: lock, tap: environment.traffic, pace: environment.pace), post: post)
    }
    let dialect = try kind.dialect(self, environment)
    // The copy stands where every other program finds it.
    if case .fork = environment.start, let store, try store.has(own.newSession) {
      lock = try store.lock(own.newSession)
    }
    return try agent(dialect)
  }

  /// The model that was named, wherever.
  func model(in environment: AgentEnvironment) -> String? { name ?? environment.model }

  /// The server, with the token in the header that it expects.
  func server(_ credential: HTTPCredential?) -> HTTPServer {
    var credential = credential
    if let header = kind.tokenHeader, credential?.form == .bearer { credential?.form = .header(header) }
    return HTTPServer(kind: kind.title, address: address, credential: credential, tokenRemedy: kind.tokenRemedy)
  }

  /// Where conversations with this kind of server are kept; nil if nowhere, or at the server.
  func store(_ folder: String?) -> ConversationStore? {
    guard kind.keepsConversationsHere, let folder else { return nil }
    return ConversationStore(folder: "\(folder)/\(kind.name)")
  }

  /// The conversation to begin or to go on with, where this program keeps it.
  ///
  /// - Throws: When it is not there, or cannot be read or copied.
  func conversation(in environment: AgentEnvironment) throws(AgentError) -> BranchingConversation {
    let own = environment.server
    let new = BranchingConversation(own.newSession, attachments: own.attachments)
    guard let store = store(own.conversationsFolder) else { return new }
    switch environment.start {
    case .new: return new
    case .resume(let id): return BranchingConversation(id, tree: try store.read(id), attachments: own.attachments)
    case .fork(let id, let message):
      var tree = try store.read(id)
      if let message {
        guard let number = Int(message), tree.goBack(to: number) else {
          throw AgentError("There is no message \(message) in the conversation \(id.rawValue).", about: .session)
        }
      }
      // The copy is written as it stands, so that it can be resumed by itself.
      var copy = MessageTree()
      let lines = tree.branch.map { MessageTree.line(copy.add($0.role, $0.parts)) }
      if !lines.isEmpty { try store.append(ConversationRecord(conversation: own.newSession, lines: lines)) }
      return BranchingConversation(own.newSession, tree: copy, attachments: own.attachments)
    }
  }
}
