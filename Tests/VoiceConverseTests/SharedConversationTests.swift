import Testing
import VoiceJSON
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A conversation that is kept here, and two processes that want to go on with it.
@Suite(.timeLimit(.minutes(5)))
struct SharedConversationTests {
  private static func tree() -> MessageTree {
    var tree = MessageTree()
    tree.add(.user, [["text": "hi"]])
    tree.add(.model, [["text": "one"]])
    return tree
  }

  private static func words(_ tree: MessageTree) -> [String] {
    tree.branch.flatMap { $0.parts.compactMap { $0["text"]?.string } }
  }

  /// What a full disk or a crash has cut off does not take along what is written behind it.
  @Test(arguments: [1, 5, 1_000]) func whatIsAddedBehindALineThatWasCutOffIsReadBack(_ lost: Int) throws {
    let folder = try TemporaryFolder()
    let store = ConversationStore(folder: folder.path)
    let id = AgentSessionID(rawValue: "cut")
    let lines = Self.tree().messages.map(MessageTree.line)
    try store.append(ConversationRecord(conversation: id, lines: lines))
    let path = folder.path + "/cut.jsonl"
    let bytes = try PlainFile.contents(path, limit: Limits.recordBytes)
    #expect(truncate(path, off_t(max(3, bytes.count - lost))) == 0)
    let rest = try store.read(id)
    try store.append(ConversationRecord(conversation: id, lines: [lines[lost > bytes.count ? 0 : 1]]))
    #expect(try store.read(id).messages.count == rest.messages.count + 1)
  }

  /// What could not be written is written before what builds on it, or at the end.
  @Test(arguments: [true, false]) func whatCouldNotBeWrittenIsWrittenOnceItCan(_ hasNext: Bool) async throws {
    try await HTTPTestServer.run { server in
      let folder = server.folder.path + "/conversations"
      #expect(mkdir(folder, 0o700) == 0)
      let descriptor = open(folder + "/chat", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      #expect(descriptor >= 0 && close(descriptor) == 0)
      try await HTTPKind.chat.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("hello"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(unlink(folder + "/chat") == 0)
        if hasNext {
          agent.startRun(2, Instruction("hello again"))
          #expect(await journal.end(of: 2) == .completed)
        }
      }
      let tree = try ConversationStore(folder: folder + "/chat").read(AgentSessionID(rawValue: "new-1"))
      #expect(tree.messages.map(\.role) == (hasNext ? [.user, .model, .user, .model] : [.user, .model]))
    }
  }

  @Test func twoWritersWhoDidNotKnowOfEachOtherAreBothRead() throws {
    let folder = try TemporaryFolder()
    let store = ConversationStore(folder: folder.path)
    let id = AgentSessionID(rawValue: "two")
    let base = Self.tree()
    try store.append(ConversationRecord(conversation: id, lines: base.messages.map(MessageTree.line)))
    for words in ["from A", "from B"] {
      var tree = base
      let added = [tree.add(.user, [["text": .string(words)]]), tree.add(.model, [["text": .string("to " + words)]])]
      try store.append(ConversationRecord(conversation: id, lines: added.map(MessageTree.line)))
    }
    var read = try store.read(id)
    #expect(Self.words(read) == ["hi", "one", "from B", "to from B"])
    #expect(read.siblings(of: 3).map(\.id) == [3, 5])
    let isThere = read.switchTo(3)
    #expect(isThere)
    #expect(Self.words(read) == ["hi", "one", "from A", "to from A"])
    // Who has read all of it goes on in its numbers.
    let more = read.add(.user, [["text": "more"]])
    try store.append(ConversationRecord(conversation: id, lines: [MessageTree.line(more)]))
    #expect(Self.words(try store.read(id)) == ["hi", "one", "from A", "to from A", "more"])
  }

  @Test func aConversationInUseByAnotherProcessIsRefused() async throws {
    let folder = try TemporaryFolder()
    let store = ConversationStore(folder: folder.path + "/chat")
    let id = AgentSessionID(rawValue: "c1")
    try store.append(ConversationRecord(conversation: id, lines: Self.tree().messages.map(MessageTree.line)))
    var environment = AgentEnvironment(
      workingFolder: "/", executablePath: "/bin/false", server: ServerEnvironment(conversationsFolder: folder.path))
    environment.start = .resume(id)
    func resume() throws { _ = try AgentSpecification(parsing: "chat#m").makeAgent(in: environment) { _ in } }
    // An agent that takes the place of another is of the same process.
    do {
      let own = try store.lock(id)
      try resume()
      withExtendedLifetime(own) {}
    }
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let outbox = Outbox()
    let script = """
      import fcntl, sys
      file = open(sys.argv[1])
      fcntl.flock(file, fcntl.LOCK_EX)
      print("locked", flush=True)
      sys.stdin.read()
      """
    let command = ChildCommand(
      executable: Fixtures.python, arguments: ["-c", script, store.folder + "/c1.jsonl"], workingFolder: folder.path)
    let other = Task {
      await ChildProcess(command).run(outbox: outbox) { event in
        if case .output(.line(let line)) = event { continuation.yield(String(decoding: line, as: UTF8.self)) }
        if case .outputEnded = event { continuation.finish() }
      }
    }
    var isLocked = false
    for await line in lines where line == "locked" {
      isLocked = true
      break
    }
    #expect(isLocked)
    let refusal = #expect(throws: AgentError.self) { try resume() }
    #expect(refusal?.description.contains("is in use by another parley, so nothing was sent") == true)
    outbox.finish()
    _ = await other.value
    try resume()
  }

  /// A slip in a command is no sentence for the model.
  @Test(
    arguments: [HTTPKind.better, .chat], ["/switch four", "/switch 1 2", "/regenerate please", "/branches all"])
  func aSlipInACommandIsNotSent(_ kind: HTTPKind, _ slip: String) async throws {
    try await HTTPTestServer.run { server in
      try await kind.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction(slip))
        guard case .failed(let reason)? = await journal.end(of: 1) else { return #expect(Bool(false), "\(slip)") }
        #expect(reason.hasSuffix("so it was not sent.") && !server.seen.contains { $0.method == "POST" }, "\(reason)")
      }
    }
  }
}
