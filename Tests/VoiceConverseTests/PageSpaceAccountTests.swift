import Testing
import VoiceConverse
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A user's account at PageSpace: its drives and agents, and signing in.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PageSpaceAccountTests {
  private static let environment = AgentEnvironment(workingFolder: "/", executablePath: "/bin/false")

  private static func signIn(
    _ server: HTTPTestServer, _ password: String = "open sesame"
  ) async throws(AgentError) -> String {
    let agent = try AgentSpecification(parsing: "page-space:\(server.base)")
    return try await agent.signIn("me@example.com", password: password, in: environment)
  }

  private static func failure(_ body: () async throws(AgentError) -> String) async -> String {
    do throws(AgentError) {
      return "signed in: \(try await body())"
    } catch {
      return error.description
    }
  }

  @Test func itsAgentsAreListedByTheirDrives() async throws {
    try await HTTPTestServer.run { server in
      let places = try await AgentSpecification(parsing: "page-space:\(server.base)").places(in: Self.environment)
      let found = try #require(places)
      #expect(found.map(\.title) == ["Work", "Empty"])
      #expect(found[0].agents.map(\.name) == ["page-1", "page-2"] && found[0].agents.map(\.title) == ["Planner", ""])
      #expect(found[1].agents.isEmpty)
      let others = try await AgentSpecification(parsing: "duck-talk:\(server.base)").places(in: Self.environment)
      #expect(others == nil)
    }
  }

  @Test func whoSignsInGetsTheCookiesThatAreSetAndNotThoseThatAreTakenAway() async throws {
    try await HTTPTestServer.run { server in
      let cookies = try await Self.signIn(server)
      #expect(cookies == "accessToken=a.b.c; refreshToken=r")
      #expect(server.seen.map { "\($0.method) \($0.path)" } == ["GET /api/auth/login-csrf", "POST /api/auth/login"])
    }
  }

  /// With a line end behind it, it is what a file of a token may hold, and one byte more.
  @Test(arguments: [16_382, 16_383]) func aCookieThatCouldNotBeSentIsNotKept(_ count: Int) async throws {
    let rest = "accessToken=; refreshToken=r".utf8.count
    try await HTTPTestServer.run(["--cookie-bytes", "\(count - rest)"]) { server in
      let words = await Self.failure { () async throws(AgentError) in try await Self.signIn(server) }
      guard count == 16_382 else { return #expect(words.contains("too long for a token"), "\(words.prefix(200))") }
      let path = server.folder.path + "/cookies"
      #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
      let cookies = words.dropFirst("signed in: ".count)
      try Data((cookies + "\n").utf8).write(to: URL(filePath: path))
      #expect(HTTPCredential(.file(path), as: .cookie).secrets.first == String(cookies))
    }
  }

  @Test func aWrongPasswordIsToldOnceAndIsNotInTheWords() async throws {
    try await HTTPTestServer.run { server in
      let words = await Self.failure { () async throws(AgentError) in try await Self.signIn(server, "open barley") }
      #expect(!words.contains("barley") && !words.contains("signed in"), "\(words)")
      #expect(server.seen.count { $0.path == "/api/auth/login" } == 1)
    }
  }

  @Test func aServerWithoutPasswordsSaysWhatToDoAndGetsNone() async throws {
    try await HTTPTestServer.run(["--no-login"]) { server in
      let words = await Self.failure { () async throws(AgentError) in try await Self.signIn(server) }
      #expect(words.contains("no sign-in by password") && words.contains("agent.keyVariable"), "\(words)")
      #expect(!server.seen.contains { $0.path == "/api/auth/login" })
    }
  }

  @Test func aPasswordDoesNotLeaveUnencryptedAndOthersTakeNone() async throws {
    for (agent, words) in [("page-space:http://pages.example", "unencrypted"), ("echo", "no sign-in by password")] {
      let found = await Self.failure { () async throws(AgentError) in
        try await AgentSpecification(parsing: agent).signIn("me", password: "p", in: Self.environment)
      }
      #expect(found.contains(words), "\(found)")
    }
  }
}
