import Testing
import VoiceConverse
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
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
        #expect(refusal?.description.contains("has no call that deletes a session, so nothing was sent") == true)
      }
      #expect(server.seen.isEmpty)
    }
  }

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
