import Testing
import VoiceJSON
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Conversations that are kept here: the tree, its file, and the instructions that move in it.
@Suite(.timeLimit(.minutes(5)))
struct ConversationTests {
  private static func tree(_ words: String...) -> MessageTree {
    var tree = MessageTree()
    for (index, word) in words.enumerated() {
      tree.add(index.isMultiple(of: 2) ? .user : .model, [["text": .string(word)]])
    }
    return tree
  }

  private static func words(_ tree: MessageTree) -> [String] {
    tree.branch.flatMap { $0.parts.compactMap { $0["text"]?.string } }
  }

  private func done(_ isDone: Bool, _ place: SourceLocation = #_sourceLocation) {
    #expect(isDone, sourceLocation: place)
  }

  @Test func aSecondAnswerIsASiblingAndTheOldOneIsKept() {
    var tree = Self.tree("hi", "one")
    done(tree.regenerate())
    tree.add(.model, [["text": "two"]])
    #expect(Self.words(tree) == ["hi", "two"])
    #expect(tree.siblings(of: 2).map(\.id) == [2, 3])
    #expect(tree.siblings(of: 3).map(\.id) == [2, 3])
    done(tree.switchTo(2))
    #expect(Self.words(tree) == ["hi", "one"])
  }

  @Test func switchingGoesToTheEndOfTheBranchThatWasSelectedLast() {
    var tree = Self.tree("hi", "one", "more", "three")
    done(tree.goBack(to: 2))
    #expect(Self.words(tree) == ["hi", "one"])
    tree.add(.user, [["text": "else"]])
    tree.add(.model, [["text": "six"]])
    #expect(Self.words(tree) == ["hi", "one", "else", "six"])
    #expect(tree.siblings(of: 5).map(\.id) == [3, 5])
    done(tree.switchTo(3))
    #expect(Self.words(tree) == ["hi", "one", "more", "three"])
    done(tree.switchTo(1))
    #expect(Self.words(tree) == ["hi", "one", "more", "three"])
  }

  @Test func whatIsNotThereIsRefused() {
    var tree = Self.tree("hi")
    let before = tree
    let taken = [tree.regenerate(), tree.switchTo(2), tree.switchTo(0), tree.goBack(to: -1)]
    #expect(taken == [false, false, false, false])
    #expect(tree.siblings(of: 7) == [])
    #expect(tree == before)
  }

  @Test(arguments: 1...50)
  func aRandomTreeIsReadBackFromItsLines(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var tree = MessageTree()
    var lines: [JSON] = []
    for step in 1...60 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where !tree.messages.isEmpty:
        _ = tree.switchTo(Int.random(in: 1...tree.messages.count, using: &generator))
        lines.append(MessageTree.line(tip: tree.tip))
      case 1 where !tree.messages.isEmpty:
        _ = tree.goBack(to: Int.random(in: 1...tree.messages.count, using: &generator))
        lines.append(MessageTree.line(tip: tree.tip))
      default:
        let role: MessageTree.Role = Bool.random(using: &generator) ? .user : .model
        lines.append(MessageTree.line(tree.add(role, [["text": .string("\(step)")]])))
      }
    }
    var read = MessageTree()
    let taken = lines.map { read.read($0) }
    #expect(!taken.contains(false))
    #expect(read.branch.map(\.id) == tree.branch.map(\.id))
    #expect(read.tip == tree.tip && read.messages.map(\.parts) == tree.messages.map(\.parts))
  }

  @Test(arguments: [
    #"{}"#, #"{"message":{"id":2,"role":"user","parts":[]}}"#, #"{"message":{"id":1,"role":"robot","parts":[]}}"#,
    #"{"message":{"id":1,"role":"user"}}"#, #"{"message":{"id":1,"role":"user","parts":[],"parent":1}}"#, #"{"tip":1}"#,
    #"{"tip":"a"}"#, #"[]"#,
  ])
  func aLineThatDoesNotBelongIsRefused(_ line: String) throws {
    var tree = MessageTree()
    let isTaken = tree.read(try #require(JSON(parsing: line.utf8)))
    #expect(!isTaken)
  }

  // The file.

  @Test func aConversationIsKeptForItsOwnerAloneAndReadBack() throws {
    let folder = try TemporaryFolder()
    let store = ConversationStore(folder: folder.path + "/deep/chat")
    #expect(store.list() == [])
    let tree = Self.tree("what is this", "a test")
    let id = AgentSessionID(rawValue: "a-1")
    try store.append(ConversationRecord(conversation: id, lines: tree.messages.map(MessageTree.line)))
    #expect(try store.read(id) == tree)
    #expect(store.list().map(\.title) == ["what is this"])
    #expect(store.list().first?.updated?.hasSuffix("Z") == true)
    var status = stat()
    #expect(stat(store.folder + "/a-1.jsonl", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(store.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test func aLineThatWasCutOffIsLeftOutAndADamagedOneIsToldOf() throws {
    let folder = try TemporaryFolder()
    let store = ConversationStore(folder: folder.path)
    let lines = Self.tree("hi", "one").messages.map { String(decoding: MessageTree.line($0).bytes, as: UTF8.self) }
    try Data((lines[0] + "\n" + lines[1].dropLast(3)).utf8).write(to: URL(filePath: folder.path + "/cut.jsonl"))
    #expect(try store.read(AgentSessionID(rawValue: "cut")).messages.count == 1)
    try Data(("junk\n" + lines[0] + "\n").utf8).write(to: URL(filePath: folder.path + "/bad.jsonl"))
    let damage = #expect(throws: AgentError.self) { try store.read(AgentSessionID(rawValue: "bad")) }
    #expect(damage?.description.contains("is damaged") == true)
  }

  @Test(arguments: ["", "..", "a/b", "../a", "a b", "ä", String(repeating: "a", count: 129)])
  func aNameThatCouldLeadElsewhereIsRefused(_ name: String) {
    let store = ConversationStore(folder: "/nowhere")
    let failure = #expect(throws: AgentError.self) { try store.read(AgentSessionID(rawValue: name)) }
    #expect(failure?.description.contains("is no name of a conversation") == true)
  }

  @Test func aNameMayBeAsLongAsTheLimit() {
    let name = AgentSessionID(rawValue: String(repeating: "a", count: 128))
    let failure = #expect(throws: AgentError.self) { try ConversationStore(folder: "/nowhere").read(name) }
    #expect(failure?.description.contains("is no name of a conversation") == false)
  }

  // The whole way.

  @Test(arguments: [HTTPKind.better, .chat])
  func aConversationIsResumedRewoundAndBranches(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        for (run, words) in [(RunID(rawValue: 1), "first"), (RunID(rawValue: 2), "second")] {
          agent.startRun(run, Instruction(words))
          #expect(await journal.end(of: run) == .completed)
        }
      }
      let id = AgentSessionID(rawValue: "new-1")
      let sessions = try Self.sessions(kind, server)
      #expect(try await sessions.list().map(\.id) == [id])
      #expect(
        try await sessions.messages(of: id).map(\.text) == ["first", "You said: first.", "second", "You said: second."])

      // Resumed by a later program.
      try await kind.withAgent(server, { $0.start = .resume(id) }) { agent, journal in
        agent.startRun(1, Instruction("third"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(Self.sent(kind, server) == ["first", "You said: first.", "second", "You said: second.", "third"])
        // The newest answer once more, and back.
        agent.startRun(2, Instruction("/regenerate"))
        #expect(await journal.end(of: 2) == .completed)
        #expect(Self.sent(kind, server) == ["first", "You said: first.", "second", "You said: second.", "third"])
        agent.startRun(3, Instruction("/switch 4"))
        #expect(await journal.end(of: 3) == .completed)
        agent.startRun(4, Instruction("/switch 99"))
        #expect(await journal.end(of: 4) == .failed(reason: "There is no message 99; there are 7."))
      }
      #expect(try await sessions.messages(of: id).map(\.id) == ["1", "2", "3", "4", "5", "7"])

      // From an earlier message on, as a copy.
      let fork: (inout AgentEnvironment) -> Void = {
        $0.start = .fork(id, at: "2")
        $0.server.newSession = AgentSessionID(rawValue: "new-2")
      }
      try await kind.withAgent(server, fork) { agent, journal in
        agent.startRun(1, Instruction("other"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(Self.sent(kind, server) == ["first", "You said: first.", "other"])
      }
      #expect(try await sessions.messages(of: id).count == 6)
      #expect(try await sessions.messages(of: AgentSessionID(rawValue: "new-2")).count == 4)

      for (start, words) in [
        (AgentSessionStart.resume(AgentSessionID(rawValue: "nobody")), "There is no conversation nobody"),
        (.fork(id, at: "99"), "There is no message 99"), (.fork(id, at: "x"), "There is no message x"),
      ] {
        let mistake = await #expect(throws: AgentError.self) {
          try await kind.withAgent(server, { $0.start = start }) { _, _ in }
        }
        #expect(mistake?.description.contains(words) == true)
      }
    }
  }

  static func sessions(_ kind: HTTPKind, _ server: HTTPTestServer) throws -> any AgentSessions {
    let environment = AgentEnvironment(
      workingFolder: "/home/dev/project", executablePath: "/bin/false",
      server: ServerEnvironment(conversationsFolder: server.folder.path + "/conversations"))
    return try #require(try kind.specification(server.base).sessions(in: environment))
  }

  /// The words of the conversation as the server got it last.
  private static func sent(_ kind: HTTPKind, _ server: HTTPTestServer) -> [String] {
    let body = server.seen.last { $0.method == "POST" }?.body
    if kind == .chat { return body?["messages"]?.elements.dropFirst().compactMap { $0["content"]?.string } ?? [] }
    return body?["contents"]?.elements.compactMap { $0["parts"]?.elements.first?["text"]?.string } ?? []
  }

  @Test func anUnfinishedAnswerIsKeptAfterAHaltAndForgottenAfterAFault() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.chat.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("stall"))
        #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Half.")) })
        agent.cancelRun(1)
        #expect(await journal.end(of: 1)?.mayGoOn == true)
        agent.startRun(2, Instruction("cut"))
        guard case .unconfirmed = await journal.end(of: 2) else {
          Issue.record("the run is not unconfirmed")
          return
        }
        agent.startRun(3, Instruction("hello"))
        #expect(await journal.end(of: 3) == .completed)
        #expect(Self.sent(.chat, server) == ["stall", "Half.", "hello"])
      }
    }
  }

  // Sessions of servers that keep them.

  @Test func theServersSessionsAreListedShownAndResumed() async throws {
    let shown: [(HTTPKind, String, [String])] = [
      (.duckTalk, "s-1", ["hello", "You said: hello.", "Read b.md"]), (.mobile, "c/1", ["hello", "You said: hello."]),
      (.pageSpace, "c1", ["hello", "and now"]), (.opcode, "claude-1", ["hello", "You said: hello."]),
    ]
    try await HTTPTestServer.run { server in
      for (kind, id, words) in shown {
        let sessions = try Self.sessions(kind, server)
        let session = AgentSessionID(rawValue: id)
        #expect(try await sessions.list().first?.id == session, "\(kind)")
        #expect(try await sessions.list().first?.title.hasPrefix("the first") == (kind == .duckTalk))
        #expect(try await sessions.messages(of: session).map(\.text) == words, "\(kind)")
        try await kind.withAgent(server, { $0.start = .resume(session) }) { agent, journal in
          agent.startRun(1, Instruction("again"))
          #expect(await journal.end(of: 1) == .completed)
          let body =
            String(decoding: server.seen.last?.body.bytes ?? [], as: UTF8.self) + (server.seen.last?.path ?? "")
          #expect(body.contains(id) || body.contains("c%2F1"), "\(kind)")
        }
      }
      // Duck Talk goes back to a message.
      let back = AgentSessionStart.fork(AgentSessionID(rawValue: "s-1"), at: "u2")
      try await HTTPKind.duckTalk.withAgent(server, { $0.start = back }) { agent, journal in
        agent.startRun(1, Instruction("else"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(server.seen.last?.body["leaf_uuid"] == "u2")
        agent.startRun(2, Instruction("on"))
        #expect(await journal.end(of: 2) == .completed)
        #expect(server.seen.last?.body["leaf_uuid"] == nil)
        #expect(server.seen.last?.body["session_id"] == "s-s-1")
      }
    }
  }

  @Test func aServerThatDoesNotListSaysWhy() async throws {
    try await HTTPTestServer.run(["--secret", "Authorization: Bearer x"]) { server in
      let mistake = await #expect(throws: AgentError.self) {
        try await Self.sessions(.duckTalk, server).list()
      }
      #expect(mistake?.description.contains("did not accept us (401)") == true)
    }
  }

  // PageSpace.

  @Test func aResumedConversationOfPageSpaceOverwritesNothing() async throws {
    try await HTTPTestServer.run(["--keep"]) { server in
      for process in ["1d0e8a4c-0a52-4a47-9a7e-000000000001", "2d0e8a4c-0a52-4a47-9a7e-000000000002"] {
        func change(_ environment: inout AgentEnvironment) {
          environment.start = .resume(AgentSessionID(rawValue: "c1"))
          environment.server.newSession = AgentSessionID(rawValue: process)
        }
        try await HTTPKind.pageSpace.withAgent(server, change) { agent, journal in
          agent.startRun(1, Instruction("hello from \(process)"))
          #expect(await journal.end(of: 1) == .completed)
        }
      }
    }
  }

  @Test func pageSpaceGetsAModelWithItsProvider() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.pageSpace.withAgent(server, { $0.model = "someone/large/latest" }) { agent, journal in
        agent.startRun(1, Instruction("hello"))
        #expect(await journal.end(of: 1) == .completed)
        let body = server.seen.last?.body
        #expect(body?["selectedProvider"] == "someone" && body?["selectedModel"] == "large/latest")
      }
    }
  }

  // Modes and attachments.

  @Test func theMobileModeIsSetReadAgainAndRefusedIfItDoesNotTake() async throws {
    try await HTTPTestServer.run { server in
      try await HTTPKind.mobile.withAgent(server, preferredMode: "default") { agent, journal in
        agent.openAgent()
        #expect(await journal.ready() != nil)
        #expect(server.seen.map(\.method) == ["GET", "PUT", "GET"])
      }
      try await HTTPKind.mobile.withAgent(server, preferredMode: "ask-nicely") { agent, journal in
        agent.openAgent()
        #expect(await journal.unavailable()?.contains("does not take the approval mode ask-nicely") == true)
      }
    }
  }

  @Test func attachmentsStandBeforeTheWordsAndGoOnce() async throws {
    let folder = try TemporaryFolder()
    let image = folder.path + "/a.dat"
    let document = folder.path + "/b.pdf"
    try Data([0x89, 0x50, 0x4E, 0x47, 1]).write(to: URL(filePath: image))
    try Data("%PDF-1.7".utf8).write(to: URL(filePath: document))
    let attachments = [try AgentAttachment(readingFile: image), try AgentAttachment(readingFile: document)]
    let pixels = "iVBORwE="
    let pages = "JVBERi0xLjc="
    try await HTTPTestServer.run { server in
      for kind in [HTTPKind.better, .chat, .uiMessages] {
        try await kind.withAgent(server, { $0.server.attachments = attachments }) { agent, journal in
          // What is not taken is sent again with the instruction.
          agent.startRun(1, Instruction("500"))
          #expect(await journal.end(of: 1) != .completed)
          agent.startRun(2, Instruction("hello"))
          #expect(await journal.end(of: 2) == .completed)
          let body = try #require(server.seen.last?.body)
          switch kind {
          case .better:
            #expect(
              body["contents"]?.elements.last?["parts"] == [
                ["inlineData": ["mimeType": "image/png", "data": .string(pixels)]],
                ["inlineData": ["mimeType": "application/pdf", "data": .string(pages)]], ["text": "hello"],
              ])
          case .chat:
            #expect(
              body["messages"]?.elements.last?["content"] == [
                ["type": "image_url", "image_url": ["url": .string("data:image/png;base64," + pixels)]],
                [
                  "type": "file",
                  "file": ["filename": "b.pdf", "file_data": .string("data:application/pdf;base64," + pages)],
                ], ["type": "text", "text": "hello"],
              ])
          default:
            let parts = body["messages"]?.elements.last?["parts"]?.elements ?? []
            #expect(parts.map { $0["type"] } == ["file", "file", "text"])
            #expect(parts.first?["url"] == .string("data:image/png;base64," + pixels))
          }
          agent.startRun(3, Instruction("and now"))
          #expect(await journal.end(of: 3) == .completed)
          let bytes = String(decoding: server.seen.last?.body.bytes ?? [], as: UTF8.self)
          #expect(bytes.components(separatedBy: pixels).count == 2, "\(kind): it stays where it was said")
        }
      }
    }
  }

  @Test func anAttachmentThatCannotGoIsRefusedAtOnce() async throws {
    let folder = try TemporaryFolder()
    let text = folder.path + "/a.png"
    try Data("not a picture".utf8).write(to: URL(filePath: text))
    for (path, words) in [(text, "is no PNG"), (folder.path + "/none", "cannot be read")] {
      let failure = #expect(throws: AgentError.self) { try AgentAttachment(readingFile: path) }
      #expect(failure?.description.contains(words) == true)
    }
    try Data("GIF89a".utf8).write(to: URL(filePath: folder.path + "/b.gif"))
    let attachment = try AgentAttachment(readingFile: folder.path + "/b.gif")
    #expect(attachment.mediaType == "image/gif")
    for text in ["duck-talk", "opcode", "echo", "guide", "acp:x"] {
      let mistake = #expect(throws: AgentError.self) {
        _ = try AgentSpecification(parsing: text).makeAgent(
          in: AgentEnvironment(
            workingFolder: "/", executablePath: "/bin/false", server: ServerEnvironment(attachments: [attachment])),
          post: { _ in })
      }
      #expect(mistake?.description.contains("no attachments") == true, "\(text)")
    }
  }
}
