import Testing
import VoiceConverse
import VoiceVocabulary

/// What is done with a session that a server keeps, besides going on with it.
@Suite(.timeLimit(.minutes(5)))
struct SessionChangeTests {
  @Test func aConversationIsDeletedWhereTheServerHasACallForIt() async throws {
    try await HTTPTestServer.run { server in
      let mobile = try ConversationTests.sessions(.mobile, server)
      try await mobile.change(AgentSessionID(rawValue: "c/1"), .delete)
      #expect(server.seen.last?.method == "DELETE")
      #expect(server.seen.last?.path == "/api/v1/conversations/c%2F1")
      let unknown = await #expect(throws: AgentError.self) {
        try await mobile.change(AgentSessionID(rawValue: "nothing"), .delete)
      }
      #expect(unknown?.description.contains("(404)") == true)
    }
  }

  /// Nothing is sent of what no server is known to do.
  @Test func whatHasNoCallIsRefusedUnsent() async throws {
    try await HTTPTestServer.run { server in
      for kind in [HTTPKind.mobile, .duckTalk, .pageSpace, .opcode] {
        let sessions = try ConversationTests.sessions(kind, server)
        for change in AgentSessionChange.allCases where kind != .mobile || change != .delete {
          let session = AgentSessionID(rawValue: "c/1")
          let refusal = await #expect(throws: AgentError.self) { try await sessions.change(session, change) }
          #expect(refusal?.description.hasPrefix("No call is known to \(change.rawValue) a session of ") == true)
        }
      }
      #expect(server.seen.isEmpty)
    }
  }
}
