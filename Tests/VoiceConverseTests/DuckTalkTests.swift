import Testing
import VoiceConverse
import VoiceCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A scripted Duck Talk server as a child process, while the body runs.
private func withDuckTalkServer(
  _ arguments: [String] = [], _ body: (_ port: Int, _ folder: String) async throws -> Void
) async throws {
  try #require(Fixtures.ignoresBrokenPipes)
  let folder = try Fixtures.folder()
  defer {
    unlink(folder + "/log")
    unlink(folder + "/socket")
    rmdir(folder)
  }
  let (lines, continuation) = AsyncStream.makeStream(of: String.self)
  let outbox = Outbox()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      let command = ChildCommand(
        executable: Fixtures.python, arguments: [Fixtures.duckTalkServer, "--log", "log"] + arguments,
        workingFolder: folder)
      _ = await ChildProcess(command).run(outbox: outbox) { event in
        if case .output(.line(let line)) = event { continuation.yield(String(decoding: line, as: UTF8.self)) }
        if case .outputEnded = event { continuation.finish() }
      }
    }
    defer { outbox.finish() }
    var port: Int?
    for await line in lines {
      port = Int(line)
      break
    }
    try await body(try #require(port), folder)
  }
}

private func withDuckTalk(
  _ arguments: [String] = [], tokenVariable: String? = nil, silenceMilliseconds: Int? = nil,
  _ body: (DuckTalkAgent, Journal, _ folder: String) async throws -> Void
) async throws {
  try await withDuckTalkServer(arguments) { port, folder in
    let socket = arguments.contains("--unix") ? "unix:\(folder)/socket" : "http://127.0.0.1:\(port)"
    var settings = DuckTalkAgent.Settings(address: try #require(HTTPAddress(socket)), tokenVariable: tokenVariable)
    if let silenceMilliseconds { settings.silenceMilliseconds = silenceMilliseconds }
    let journal = Journal()
    let agent = DuckTalkAgent(settings, post: journal.post)
    try await withAgent(agent) { try await body(agent, journal, folder) }
  }
}

private func contents(_ path: String) -> String {
  let descriptor = open(path, O_RDONLY)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
}

/// The whole way: a real server process, real sockets.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DuckTalkTests {
  @Test func anAnswerStreamsAndTheConversationGoesOn() async throws {
    try await withDuckTalk { agent, journal, folder in
      agent.openAgent()
      #expect(await journal.ready() == AgentDescription(name: "Duck Talk"))
      agent.startRun(1, Instruction("hello"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(
        journal.reports(of: 1) == [
          .turnStarted, .text(delta: "You said: "), .text(delta: "hello."),
          .usage(usage: AgentUsage(costInDollars: 0.25)), .turnEnded(end: .completed),
        ])
      agent.startRun(2, Instruction("and now"))
      #expect(await journal.end(of: 2) == .completed)
      let bodies = contents(folder + "/log").split(separator: "\n").map { JSON(parsing: $0.utf8) }
      #expect(bodies.count == 2)
      #expect(bodies.first??["session_id"] == nil)
      #expect(bodies.first??["instruction"] == "hello")
      #expect(bodies.first??["model"] == "sonnet")
      #expect(bodies.first??["system_prompt"]?.string?.isEmpty == false)
      #expect(bodies.last??["session_id"] == "s-None")
    }
  }

  @Test func toolsAreDescribed() async throws {
    try await withDuckTalk { agent, journal, _ in
      agent.startRun(1, Instruction("tools"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(
        journal.reports(of: 1) == [
          .turnStarted, .text(delta: "I look."), .paragraphEnded,
          .toolStarted(tool: AgentTool(id: "t1", title: "Read b.md", kind: "read")),
          .toolFinished(id: "t1", outcome: .completed),
          .toolStarted(tool: AgentTool(id: "t2", title: "Run ls -l", kind: "execute")),
          .usage(usage: AgentUsage(costInDollars: 0.5)), .toolFinished(id: "t2", outcome: .unknown),
          .turnEnded(end: .completed),
        ])
    }
  }

  @Test func aStreamInCrumbsIsReadWhole() async throws {
    try await withDuckTalk { agent, journal, _ in
      agent.startRun(1, Instruction("crumbs"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == "Grüße 🦆 two lines")
    }
  }

  @Test func anEventOfManyMebibytesIsTaken() async throws {
    try await withDuckTalk { agent, journal, _ in
      agent.startRun(1, Instruction("huge"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1).utf8.count == 4 << 20)
    }
  }

  @Test(arguments: [
    ("401", "did not accept us (401). It wants a token. It said: as you asked"),
    ("403", "does not allow this (403)"), ("404", "does not know the call (404)"),
    ("429", "has too much to do (429). Wait a little"), ("500", "failed inside (500)"),
    ("503", "is not available now (503)"), ("302", "unexpected status 302"),
    ("broken", "reported an error: the agent fell over"), ("page", "is not Duck Talk"),
    ("cut", "closed the connection before its answer was complete"), ("reset", "broke"),
  ])
  func aFaultIsOneSentenceAndTheInstructionIsSentOnce(_ word: String, _ words: String) async throws {
    try await withDuckTalk { agent, journal, folder in
      agent.startRun(1, Instruction(word))
      guard case .failed(let reason) = await journal.end(of: 1) else {
        Issue.record("the run did not fail")
        return
      }
      #expect(reason.contains(words))
      agent.startRun(2, Instruction("hello"))
      #expect(await journal.end(of: 2) == .completed)
      let requests = contents(folder + "/log").split(separator: "\n").filter { $0.contains("\"\(word)\"") }
      #expect(requests.count == 1)
      #expect(journal.reports(of: 1).filter { if case .turnEnded = $0 { true } else { false } }.count == 1)
    }
  }

  @Test func aSilentServerIsLeftAfterTheSilenceTime() async throws {
    try await withDuckTalk(silenceMilliseconds: 150) { agent, journal, _ in
      agent.startRun(1, Instruction("stall"))
      guard case .failed(let reason) = await journal.end(of: 1) else {
        Issue.record("the run did not fail")
        return
      }
      #expect(reason.contains("fell silent (no byte for 150 ms)"))
      #expect(journal.text(of: 1) == "Half.")
    }
  }

  @Test func aHaltClosesTheConnectionAndSaysThatTheServerMayGoOn() async throws {
    try await withDuckTalk { agent, journal, _ in
      agent.startRun(1, Instruction("stall"))
      #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Half.")) })
      agent.cancelRun(1)
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      let statuses = journal.reports(of: 1).compactMap { if case .status(let text) = $0 { text } else { nil } }
      #expect(statuses.count == 1)
      #expect(statuses.first?.contains("cannot confirm a stop") == true)
      agent.startRun(2, Instruction("left"))
      #expect(await journal.end(of: 2) == .completed)
      #expect(journal.text(of: 2) == "left")
    }
  }

  @Test func aTokenComesFromTheEnvironmentAndIsNeverTold() async throws {
    setenv("PARLEY_TEST_TOKEN", "quack-quack", 1)
    setenv("PARLEY_TEST_BAD_TOKEN", "wrong-wrong", 1)
    try await withDuckTalk(["--token", "quack-quack"], tokenVariable: "PARLEY_TEST_TOKEN") { agent, journal, _ in
      agent.openAgent()
      #expect(await journal.ready() != nil)
      agent.startRun(1, Instruction("hello"))
      #expect(await journal.end(of: 1) == .completed)
    }
    try await withDuckTalk(["--token", "quack-quack"], tokenVariable: "PARLEY_TEST_BAD_TOKEN") { agent, journal, _ in
      agent.openAgent()
      let reason = try #require(await journal.unavailable())
      #expect(reason.contains("Check the token in the environment variable PARLEY_TEST_BAD_TOKEN"))
      agent.startRun(1, Instruction("hello"))
      guard case .failed(let words) = await journal.end(of: 1) else {
        Issue.record("the run did not fail")
        return
      }
      #expect(!(reason + words).contains("wrong-wrong"))
    }
    try await withDuckTalk(tokenVariable: "PARLEY_TEST_NO_TOKEN") { agent, journal, _ in
      agent.openAgent()
      let reason = try #require(await journal.unavailable())
      #expect(reason.contains("the environment variable PARLEY_TEST_NO_TOKEN is not set"))
    }
  }

  @Test func aTokenIsNotSentUnencryptedOverANetwork() async throws {
    setenv("PARLEY_TEST_TOKEN", "quack-quack", 1)
    let journal = Journal()
    let address = try #require(HTTPAddress("http://duck.example"))
    let agent = DuckTalkAgent(.init(address: address, tokenVariable: "PARLEY_TEST_TOKEN"), post: journal.post)
    try await withAgent(agent) {
      agent.openAgent()
      #expect(await journal.unavailable()?.contains("the token would go over the network unencrypted") == true)
    }
  }

  @Test func nobodyListeningIsUnavailableWithWhatToDo() async throws {
    let journal = Journal()
    let agent = DuckTalkAgent(.init(address: try #require(HTTPAddress("http://127.0.0.1:1"))), post: journal.post)
    try await withAgent(agent) {
      agent.openAgent()
      #expect(
        await journal.unavailable()
          == "Nobody answers at http://127.0.0.1:1. Start Duck Talk's server, or check the address.")
    }
  }

  @Test func aUnixSocketServes() async throws {
    try await withDuckTalk(["--unix", "socket"]) { agent, journal, _ in
      agent.startRun(1, Instruction("hello"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == "You said: hello.")
    }
  }

  @Test func shuttingDownEndsTheRunAndTheThread() async throws {
    try await withDuckTalk { agent, journal, _ in
      agent.startRun(1, Instruction("stall"))
      #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Half.")) })
      agent.shutDown()
      agent.startRun(2, Instruction("hello"))
      #expect(await journal.end(of: 1) == .failed(reason: "The session is over."))
      #expect(await journal.end(of: 2) == .failed(reason: "The session is over."))
    }
  }

  @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0)) func anUntrustedCertificateIsRefusedAndAGivenOneTrusted()
    async throws
  {
    let folder = try Fixtures.folder()
    let key = folder + "/key.pem"
    let certificate = folder + "/certificate.pem"
    let both = folder + "/both.pem"
    defer {
      for file in [key, certificate, both] { unlink(file) }
      rmdir(folder)
    }
    let script = """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
      -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>/dev/null
      cat key.pem certificate.pem > both.pem
      """
    let made = await ChildProcess(
      ChildCommand(executable: "/bin/sh", arguments: ["-c", script], workingFolder: folder)
    ).run(outbox: Outbox()) { _ in }
    #expect(made == .exited(code: 0, errorTail: ""))
    try await withDuckTalkServer(["--certificate", both]) { port, _ in
      let address = try #require(HTTPAddress("https://127.0.0.1:\(port)"))
      var settings = DuckTalkAgent.Settings(address: address)
      let stranger = Journal()
      let untrusting = DuckTalkAgent(settings, post: stranger.post)
      try await withAgent(untrusting) {
        untrusting.openAgent()
        #expect(await stranger.unavailable()?.contains("No trusted connection") == true)
      }
      settings.certificateAuthorityFile = certificate
      let friend = Journal()
      let trusting = DuckTalkAgent(settings, post: friend.post)
      try await withAgent(trusting) {
        trusting.startRun(1, Instruction("hello"))
        #expect(await friend.end(of: 1) == .completed)
      }
    }
  }
}
