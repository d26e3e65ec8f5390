import Testing
import VoiceSystem
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

@Suite(.timeLimit(.minutes(5)))
struct SessionDeletionTests {
  @Test func aConversationIsDeletedWhereTheServerHasACallForIt() async throws {
    try await HTTPTestServer.run { server in
      let mobile = try ConversationTests.sessions(.mobile, server)
      try await mobile.delete(AgentSessionID(rawValue: "c/1"))
      #expect(server.seen.last?.method == "DELETE")
      #expect(server.seen.last?.path == "/api/v1/conversations/c%2F1")
      let unknown = await #expect(throws: AgentError.self) {
        try await mobile.delete(AgentSessionID(rawValue: "nothing"))
      }
      #expect(unknown?.description.contains("(404)") == true)
    }
  }

  /// Nothing is sent of what no server is known to do.
  @Test func whatHasNoCallIsRefusedUnsent() async throws {
    try await HTTPTestServer.run { server in
      for kind in [HTTPKind.duckTalk, .pageSpace, .opcode] {
        let sessions = try ConversationTests.sessions(kind, server)
        let refusal = await #expect(throws: AgentError.self) {
          try await sessions.delete(AgentSessionID(rawValue: "c/1"))
        }
        #expect(refusal?.description.hasPrefix("No call is known that deletes a session of ") == true)
      }
      #expect(server.seen.isEmpty)
    }
  }

  /// What this program keeps itself is a file, which is gone then, unless another process goes on with it.
  @Test(arguments: [HTTPKind.chat, .better]) func aKeptConversationIsDeleted(_ kind: HTTPKind) async throws {
    try await HTTPTestServer.run { server in
      let sessions = try ConversationTests.sessions(kind, server)
      guard case .http(let agent) = try kind.specification(server.base) else { throw NoServer() }
      let store = try #require(agent.store(server.folder.path + "/conversations"))
      let id = AgentSessionID(rawValue: "one")
      try store.append(ConversationRecord(conversation: id, lines: []))
      #expect(try await sessions.list().map(\.id) == [id])
      let other = open(store.folder + "/one.jsonl", O_RDONLY | O_CLOEXEC)
      #expect(FileLock.take(other))
      let refusal = await #expect(throws: AgentError.self) { try await sessions.delete(id) }
      #expect(refusal?.description.contains("is in use by another parley") == true)
      FileLock.release(closing: other)
      try await sessions.delete(id)
      #expect(try await sessions.list().isEmpty)
      await #expect(throws: AgentError.self) { try await sessions.delete(id) }
      #expect(server.seen.isEmpty)
    }
  }

  private struct NoServer: Error {}

  /// Nobody's files are removed but by their owner, who is told which.
  @Test func claudeCodeNamesTheFileToRemove() async throws {
    let folder = try TemporaryFolder()
    let sessions = ClaudeSessions(workingFolder: "/w", environment: ["CLAUDE_CONFIG_DIR": folder.path])
    let file = folder.path + "/projects/-w/one.jsonl"
    try FileManager.default.createDirectory(atPath: folder.path + "/projects/-w", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: file))
    let refusal = await #expect(throws: AgentError.self) { try await sessions.delete(AgentSessionID(rawValue: "one")) }
    #expect(refusal?.description.contains("It is the file \(file): remove that.") == true)
    #expect(FileManager.default.fileExists(atPath: file))
    let unknown = await #expect(throws: AgentError.self) {
      try await sessions.delete(AgentSessionID(rawValue: "../one"))
    }
    #expect(unknown?.description.hasPrefix("There is no Claude Code session ../one") == true)
  }
}
