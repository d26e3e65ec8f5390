import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an agent does not have is refused before anything is sent: every adapter, with every flag.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RefusalTests {
  enum Adapter: Hashable, CustomTestStringConvertible {
    case guide, echo
    /// An ACP agent that only begins new sessions and has neither modes nor models.
    case poorACP
    case child(ConformanceTests.Back)
    case server(HTTPKind)

    static let allCases =
      [.guide, .echo, .poorACP] + ConformanceTests.Back.allCases.map(Adapter.child)
      + HTTPKind.ofEachKind.map(Adapter.server)

    var testDescription: String {
      switch self {
      case .guide: "guide"
      case .echo: "echo"
      case .poorACP: "acp-poor"
      case .child(let back): back.rawValue
      case .server(let kind): kind.rawValue
      }
    }

    func specification(_ base: String) throws -> AgentSpecification {
      switch self {
      case .guide: .guide
      case .echo: .echo
      case .child(.acp):
        .child(
          ChildAgentSpecification(
            name: "scripted", language: .acp, executable: Fixtures.python,
            arguments: [Fixtures.scriptedAgent, "--sessions", "--modes", "ask,all", "--models", "small,large"]))
      case .poorACP:
        .child(
          ChildAgentSpecification(
            name: "scripted", language: .acp, executable: Fixtures.python, arguments: [Fixtures.scriptedAgent]))
      case .child(let back): .child(ConformanceTests.specification(back))
      case .server(let kind): try kind.specification(base)
      }
    }
  }

  enum Flag: String, CaseIterable {
    case resume = "--resume ID"
    case resumeMissing = "--resume none"
    case fork = "--fork ID"
    case rewind = "--fork ID --at MESSAGE"
    case rewindMissing = "--fork ID --at nonsense"
    case mode = "--agent-mode MODE"
    case modeMissing = "--agent-mode nonsense"
    case model = "--agent-model MODEL"
    case modelMissing = "--agent-model nonsense"
    case attach = "--attach FILE"
  }

  /// What each adapter has; everything else it refuses.
  private static let taken: [Adapter: Set<Flag>] = [
    .guide: [], .echo: [], .poorACP: [],
    .child(.acp): [.resume, .fork, .mode, .model],
    // Whether there is such a model is for the server to say, when it is asked for an answer.
    .child(.claude): [.resume, .fork, .rewind, .mode, .model, .modelMissing],
    .child(.codex): [.resume, .fork, .rewind, .mode, .model, .modelMissing],
    .child(.codexExec): [.resume, .resumeMissing, .mode, .model, .modelMissing],
    .server(.duckTalk): [.resume, .rewind, .mode, .model, .modelMissing],
    .server(.mobile): [.resume, .resumeMissing, .mode, .model, .modelMissing],
    .server(.pageSpace): [.resume, .resumeMissing, .model, .attach],
    .server(.uiMessages): [.model, .modelMissing, .attach],
    // The same model is named behind its address.
    .server(.better): [.resume, .fork, .rewind, .model, .attach],
    .server(.chat): [.resume, .fork, .rewind, .model, .modelMissing, .attach],
    .server(.opcode): [.resume, .resumeMissing, .model, .modelMissing],
    .server(.agentToAgent): [.resume, .resumeMissing],
  ]

  private static func set(_ flag: Flag, _ adapter: Adapter, in environment: inout AgentEnvironment) throws {
    let session: AgentSessionID = AgentSessionID(
      rawValue: [.server(.duckTalk): "s-1", .server(.better): "kept", .server(.chat): "kept"][adapter] ?? "session-1")
    let message = [.server(.duckTalk): "u1", .server(.better): "2", .server(.chat): "2"][adapter] ?? "turn-1"
    switch flag {
    case .resume: environment.start = .resume(session)
    case .resumeMissing: environment.start = .resume(AgentSessionID(rawValue: "none"))
    case .fork: environment.start = .fork(session, at: nil)
    case .rewind: environment.start = .fork(session, at: message)
    case .rewindMissing: environment.start = .fork(session, at: "nonsense")
    case .mode:
      environment.preferredMode =
        switch adapter {
        case .child(.acp): "ask"
        case .child(.claude), .server(.duckTalk): "plan"
        case .child(.codex): "untrusted/read-only"
        case .child(.codexExec): "read-only"
        default: "default"
        }
    case .modeMissing: environment.preferredMode = "nonsense"
    case .model:
      environment.model = [.server(.pageSpace): "someone/large", .child(.acp): "large"][adapter] ?? "gemini-test"
    case .modelMissing: environment.model = "nonsense"
    case .attach: environment.server.attachments = [try attachment()]
    }
  }

  private static func attachment() throws -> AgentAttachment {
    let folder = try TemporaryFolder()
    try Data([0x89, 0x50, 0x4E, 0x47, 1]).write(to: URL(filePath: folder.path + "/a.png"))
    return try AgentAttachment(readingFile: folder.path + "/a.png")
  }

  /// A conversation of two messages, for the adapters that keep them here.
  private static func keepConversation(_ adapter: Adapter, in folder: String) throws {
    guard [.server(.better), .server(.chat)].contains(adapter) else { return }
    var tree = MessageTree()
    let lines = [
      MessageTree.line(tree.add(.user, [["text": "hi"]])), MessageTree.line(tree.add(.model, [["text": "ho"]])),
    ]
    try ConversationStore(folder: folder + "/" + adapter.testDescription).append(
      ConversationRecord(conversation: AgentSessionID(rawValue: "kept"), lines: lines))
  }

  @Test(arguments: Adapter.allCases) func whatAnAgentDoesNotHaveIsRefused(_ adapter: Adapter) async throws {
    try await HTTPTestServer.run { server in
      try Self.keepConversation(adapter, in: server.folder.path + "/conversations")
      for flag in Flag.allCases { try await Self.check(flag, adapter, server) }
    }
  }

  private static func check(_ flag: Flag, _ adapter: Adapter, _ server: HTTPTestServer) async throws {
    let name = "\(adapter.testDescription) \(flag.rawValue)"
    let isTaken = try #require(taken[adapter]).contains(flag)
    let (journal, traffic) = (Journal(), VoiceTesting.Journal<WireFrame>())
    var environment = AgentEnvironment(
      workingFolder: server.folder.path, executablePath: Program.path,
      server: ServerEnvironment(
        conversationsFolder: server.folder.path + "/conversations", newSession: AgentSessionID(rawValue: "new-1")))
    environment.host = Program.path
    environment.traffic = WireTap("agent") { traffic.append($1) }
    try set(flag, adapter, in: &environment)
    let agent: any ConverseAgent
    do {
      agent = try adapter.specification(server.base).makeAgent(in: environment, post: journal.post)
    } catch let refusal as AgentError {
      #expect(!isTaken, "\(name): \(refusal)")
      return
    }
    try await runAgent(agent) {
      agent.openAgent()
      _ = await journal.wait { events in
        events.contains {
          if case .agentReady = $0 { true } else if case .agentUnavailable = $0 { true } else { false }
        }
      }
      let refusal = journal.all.compactMap { if case .agentUnavailable(let reason) = $0 { reason } else { nil } }.first
      #expect((refusal == nil) == isTaken, "\(name): \(refusal ?? "taken")")
    }
    // Nothing but what opens a session has left.
    #expect(!server.seen.contains { ["POST", "SOCKET"].contains($0.method) }, "\(name)")
    let sent = traffic.all.filter(\.isSent).map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(!sent.contains { $0.contains("session/prompt") || $0.contains("turn/start") }, "\(name)")
  }

  // Commands.

  @Test(arguments: [
    ("/compcat", "compact"), ("/compac", "compact"), ("/modle opus", "model"), ("/secruity-reviw", "security-review"),
  ])
  func aSlipInACommandIsHeldBackOnce(_ text: String, _ meant: String) {
    var check = CommandCheck()
    let commands = ["compact", "model", "cost", "security-review", "run"]
    let refusal = check.refusal(of: text, knowing: commands, by: "Claude Code")
    #expect(refusal?.contains("did you mean /\(meant)?") == true)
    #expect(check.refusal(of: text, knowing: commands, by: "Claude Code") == nil)
    #expect(check.refusal(of: text, knowing: commands, by: "Claude Code") != nil)
  }

  @Test(arguments: [
    "/compact", "/model opus", "/tmp is full", "/etc/hosts is wrong", "/ruin", "compcat", "/", "/ compcat",
    "/costs\nand so on",
    "/something-else",
  ])
  func whatIsNoSlipIsSent(_ text: String) {
    var check = CommandCheck()
    #expect(check.refusal(of: text, knowing: ["compact", "model", "cost", "run"], by: "Claude Code") == nil)
    #expect(check.refusal(of: text, knowing: [], by: "Claude Code") == nil)
  }

  @Test(arguments: [Adapter.child(.acp), .child(.claude), .server(.better), .server(.chat)])
  func aCommandWithASlipIsNotSentAndThenIs(_ adapter: Adapter) async throws {
    try await HTTPTestServer.run { server in
      let journal = Journal()
      var environment = AgentEnvironment(workingFolder: server.folder.path, executablePath: Program.path)
      environment.host = Program.path
      let agent = try adapter.specification(server.base).makeAgent(in: environment, post: journal.post)
      let slip = if case .server = adapter { "/regenrate" } else { "/compcat" }
      try await runAgent(agent) {
        agent.openAgent()
        #expect(await journal.ready() != nil)
        agent.startRun(1, Instruction(slip))
        guard case .failed(let reason) = await journal.end(of: 1) else { return #expect(Bool(false)) }
        #expect(reason.contains("did you mean") && reason.contains("Nothing was sent"))
        #expect(!server.seen.contains { $0.method == "POST" })
        agent.startRun(2, Instruction(slip))
        #expect(await journal.end(of: 2) == .completed)
        #expect(journal.text(of: 2).contains(slip))
      }
    }
  }
}
