import Testing
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

/// The way to a server: sockets, certificates, tokens, proxies, and what is never done twice.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HTTPTransferTests {
  @Test func aUnixSocketServes() async throws {
    try await HTTPTestServer.run(["--unix", "socket"]) { server in
      try await HTTPKind.duckTalk.withAgent(server) { agent, journal in
        agent.startRun(1, Instruction("hello"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "You said: hello.")
      }
    }
  }

  @Test func aConnectionThatDiesIsNoReasonToSendTwice() async throws {
    // The server takes the probe and, on the same connection, the instruction; then it hangs up without a byte.
    try await HTTPTestServer.run { server in
      try await HTTPKind.duckTalk.withAgent(server) { agent, journal in
        agent.openAgent()
        #expect(await journal.ready() != nil)
        agent.startRun(1, Instruction("hangup"))
        guard case .unconfirmed = await journal.end(of: 1) else {
          Issue.record("the run is not unconfirmed")
          return
        }
        #expect(server.count(of: "hangup") == 1)
      }
    }
  }

  @Test func http2Streams() async throws {
    let folder = try TemporaryFolder()
    let identity = try await Self.makeIdentity(folder)
    try await HTTPTestServer.run(["--certificate", identity.both], script: "http2_server.py") { server in
      try await HTTPKind.duckTalk.withAgent(server, { $0.server.certificateAuthorityFile = identity.certificate }) {
        agent, journal in
        agent.startRun(1, Instruction("hello"))
        #expect(await journal.end(of: 1) == .completed)
        #expect(journal.text(of: 1) == "over HTTP/2")
        agent.startRun(2, Instruction("stall"))
        #expect(await journal.wait { Journal.reports(of: 2, in: $0).contains(.text(delta: "Half.")) })
        agent.cancelRun(2)
        agent.abandonRun(2)
        #expect(await journal.end(of: 2)?.mayGoOn == true)
        agent.startRun(3, Instruction("left"))
        #expect(await journal.end(of: 3) == .completed)
        #expect(journal.text(of: 3) == "left")
      }
    }
  }

  @Test func anUntrustedCertificateIsRefusedAndAGivenOneTrusted() async throws {
    let folder = try TemporaryFolder()
    let identity = try await Self.makeIdentity(folder)
    try await HTTPTestServer.run(["--certificate", identity.both]) { server in
      for kind in [HTTPKind.duckTalk, .opcode] {
        try await kind.withAgent(server) { agent, journal in
          agent.openAgent()
          #expect(await journal.unavailable()?.contains("No trusted connection") == true)
        }
        try await kind.withAgent(server, { $0.server.certificateAuthorityFile = identity.certificate }) {
          agent, journal in
          agent.startRun(1, Instruction("hello"))
          #expect(await journal.end(of: 1) == .completed)
        }
      }
      #expect(!server.seen.contains { $0.method == "GET" && $0.path == "/api/config" })
    }
  }

  /// A certificate that is its own authority, and with its key in one file.
  private static func makeIdentity(_ folder: TemporaryFolder) async throws -> (certificate: String, both: String) {
    let script = """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
      -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>/dev/null
      cat key.pem certificate.pem > both.pem
      """
    let made = await ChildProcess(
      ChildCommand(executable: "/bin/sh", arguments: ["-c", script], workingFolder: folder.path)
    ).run(outbox: Outbox()) { _ in }
    #expect(made == .exited(code: 0, errorTail: ""))
    return (folder.path + "/certificate.pem", folder.path + "/both.pem")
  }

  // Tokens.

  private static let secret = "quack-quack-1"

  @Test func aTokenComesFromTheEnvironmentInTheHeaderOfItsServer() async throws {
    setenv("PARLEY_TEST_TOKEN", Self.secret, 1)
    let headers: [(HTTPKind, String)] = [
      (.duckTalk, "Authorization: Bearer "), (.mobile, "Authorization: Bearer "),
      (.pageSpace, "Authorization: Bearer "),
      (.better, "x-goog-api-key: "), (.chat, "Authorization: Bearer "), (.opcode, "Authorization: Bearer "),
    ]
    for (kind, header) in headers {
      try await HTTPTestServer.run(["--secret", header + Self.secret]) { server in
        try await kind.withAgent(server, { $0.server.credential = HTTPCredential(.variable("PARLEY_TEST_TOKEN")) }) {
          agent, journal in
          agent.openAgent()
          #expect(await journal.ready() != nil)
          agent.startRun(1, Instruction("hello"))
          #expect(await journal.end(of: 1) == .completed, "\(kind)")
          #expect(!server.seen.contains { $0.path.contains(Self.secret) })
        }
      }
    }
  }

  @Test func aWrongTokenIsNamedByItsPlaceAndNeverTold() async throws {
    setenv("PARLEY_TEST_WRONG_TOKEN", "wrong-wrong", 1)
    try await HTTPTestServer.run(["--secret", "Authorization: Bearer " + Self.secret]) { server in
      for kind in [HTTPKind.duckTalk, .chat, .pageSpace] {
        try await kind.withAgent(
          server, { $0.server.credential = HTTPCredential(.variable("PARLEY_TEST_WRONG_TOKEN")) }
        ) {
          agent, journal in
          agent.openAgent()
          let reason = try #require(await journal.unavailable())
          #expect(reason.contains("Check the token in the environment variable PARLEY_TEST_WRONG_TOKEN."))
          agent.startRun(1, Instruction("hello"))
          let end = await journal.end(of: 1)
          // The server quotes the token in its answer.
          #expect(end?.words.contains("not even Bearer (the token)") == true)
          let told = reason + (end?.words ?? "")
          #expect(!told.contains("wrong-wrong"))
        }
      }
    }
  }

  @Test func aTokenComesFromAFileThatOnlyItsOwnerReads() async throws {
    try await HTTPTestServer.run(["--secret", "Authorization: Bearer " + Self.secret]) { server in
      let path = server.folder.path + "/token"
      try Data((Self.secret + "\n").utf8).write(to: URL(filePath: path))
      for (mode, words) in [(mode_t(0o600), nil as String?), (0o640, "may be read by others; run chmod 600")] {
        chmod(path, mode)
        try await HTTPKind.duckTalk.withAgent(server, { $0.server.credential = HTTPCredential(.file(path)) }) {
          agent, journal in
          agent.startRun(1, Instruction("hello"))
          let end = await journal.end(of: 1)
          if let words {
            guard case .failed(let reason) = end else {
              Issue.record("the run did not fail")
              return
            }
            #expect(reason.contains("Nothing was sent") && reason.contains(words))
          } else {
            #expect(end == .completed)
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("PARLEY_TEST_NO_TOKEN", nil as String?, "the environment variable PARLEY_TEST_NO_TOKEN is not set"),
    ("PARLEY_TEST_SPLIT_TOKEN", "a\r\nX-Evil: 1", "holds characters that no token has"),
    ("PARLEY_TEST_EMPTY_TOKEN", "", "is not set"),
  ])
  func aTokenThatCannotBeUsedIsNotSent(_ name: String, _ value: String?, _ words: String) async throws {
    if let value { setenv(name, value, 1) }
    try await HTTPTestServer.run { server in
      try await HTTPKind.chat.withAgent(server, { $0.server.credential = HTTPCredential(.variable(name)) }) {
        agent, journal in
        agent.openAgent()
        #expect(await journal.unavailable()?.contains(words) == true)
        #expect(server.seen.isEmpty)
      }
    }
  }

  @Test(arguments: ["http://duck.example", "http://127.0.0.1.example", "http://127.evil.example:80"])
  func aTokenIsNotSentUnencryptedOverANetwork(_ address: String) async throws {
    setenv("PARLEY_TEST_TOKEN", Self.secret, 1)
    for kind in ["duck-talk", "opcode"] {
      let journal = Journal()
      let agent = try AgentSpecification(parsing: "\(kind):\(address)").makeAgent(
        in: AgentEnvironment(
          workingFolder: "/", executablePath: "/bin/false",
          server: ServerEnvironment(credential: HTTPCredential(.variable("PARLEY_TEST_TOKEN")))), post: journal.post)
      try await Self.open(agent) {
        #expect(await journal.unavailable()?.contains("the token would go over the network unencrypted") == true)
      }
    }
  }

  private static func open(_ agent: some ConverseAgent, _ body: () async throws -> Void) async throws {
    try await withAgent(agent) {
      agent.openAgent()
      try await body()
    }
  }

  @Test func aCookieGoesWithAFreshTokenAgainstForgedRequests() async throws {
    setenv("PARLEY_TEST_COOKIE", "session=abc; other=d", 1)
    try await HTTPTestServer.run(["--secret", "Cookie: session=abc; other=d", "--csrf"]) { server in
      let credential = HTTPCredential(.variable("PARLEY_TEST_COOKIE"), as: .cookie)
      try await HTTPKind.pageSpace.withAgent(server, { $0.server.credential = credential }) { agent, journal in
        for run: RunID in [1, 2] {
          agent.startRun(run, Instruction("hello"))
          #expect(await journal.end(of: run) == .completed)
        }
        agent.startRun(3, Instruction("stall"))
        #expect(await journal.wait { Journal.reports(of: 3, in: $0).contains(.text(delta: "Half.")) })
        agent.cancelRun(3)
        #expect(await journal.end(of: 3) == .cancelled)
        #expect(server.seen.suffix(2).map(\.path) == ["/api/auth/csrf", "/api/ai/abort"])
      }
    }
  }

  // Proxies.

  @Test func aProxyOfTheEnvironmentIsTakenForOtherMachinesOnly() async throws {
    try await HTTPTestServer.run { server in
      setenv("http_proxy", server.base, 1)
      defer { unsetenv("http_proxy") }
      let journal = Journal()
      let agent = try AgentSpecification(parsing: "duck-talk:http://duck.example").makeAgent(
        in: AgentEnvironment(workingFolder: "/", executablePath: "/bin/false"), post: journal.post)
      try await Self.open(agent) {
        #expect(await journal.ready() != nil)
        #expect(server.seen.last?.path == "http://duck.example/api/config")
      }
      try await HTTPKind.duckTalk.withAgent(server) { agent, journal in
        agent.openAgent()
        #expect(await journal.ready() != nil)
        #expect(server.seen.last?.path == "/api/config")
      }
    }
  }
}
