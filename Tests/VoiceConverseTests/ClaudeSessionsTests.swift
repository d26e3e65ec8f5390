import Testing
import VoiceConverse
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Claude Code's session files, as it writes them.
struct ClaudeSessionsTests {
  private func withSession(
    _ lines: [String], named name: String = "s1", _ body: (ClaudeSessions) async throws -> Void
  ) async throws {
    let home = try TemporaryFolder()
    let folder = home.path + "/projects/-home-dev-my-project-"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: "\(folder)/\(name).jsonl"))
    try await body(
      ClaudeSessions(workingFolder: "/home/dev/my project.", environment: ["CLAUDE_CONFIG_DIR": home.path]))
  }

  private static let conversation = [
    #"{"type":"queue-operation","operation":"enqueue"}"#,
    #"{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"fix it"}}"#,
    #"{"type":"attachment","uuid":"x1","parentUuid":"u1"}"#,
    #"{"type":"assistant","uuid":"a1","parentUuid":"x1","message":{"content":[{"type":"text","text":"Old."}]}}"#,
    #"{"type":"user","uuid":"m1","parentUuid":"u1","isMeta":true,"message":{"content":"a reminder"}}"#,
    #"{"type":"assistant","uuid":"a2","parentUuid":"m1","message":{"content":[{"type":"thinking","thinking":"hm"},"#
      + #"{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}},{"type":"text","text":"Fixed."}]}}"#,
    #"{"type":"assistant","uuid":"s9","parentUuid":"u1","isSidechain":true,"message":{"content":"a helper"}}"#,
    "{broken",
  ]

  @Test func aBranchIsShownFromItsBeginningToItsEnd() async throws {
    try await withSession(Self.conversation) { sessions in
      let messages = try await sessions.messages(of: AgentSessionID(rawValue: "s1"))
      #expect(
        messages == [
          AgentSessionMessage(id: "u1", author: .user, text: "fix it"),
          AgentSessionMessage(id: "a2", author: .tool, text: "Run make"),
          AgentSessionMessage(id: "a2", author: .agent, text: "Fixed."),
        ])
    }
  }

  @Test(arguments: [
    ([], "fix it"), ([#"{"type":"last-prompt","lastPrompt":"and test it"}"#], "and test it"),
    ([#"{"type":"ai-title","aiTitle":"A repair"}"#, #"{"lastPrompt":"x"}"#], "A repair"),
    ([#"{"type":"custom-title","customTitle":"Mine"}"#, #"{"aiTitle":"A repair"}"#], "Mine"),
  ])
  func theBestTitleIsTaken(_ more: [String], _ title: String) async throws {
    try await withSession(Self.conversation + more) { sessions in
      let list = try await sessions.list()
      #expect(list.map(\.title) == [title])
      #expect(list.map(\.id.rawValue) == ["s1"])
    }
  }

  @Test func aTitleIsFoundAtTheEndOfALongSession() async throws {
    let filler = #"{"type":"system","text":"\#(String(repeating: "x", count: 1000))"}"#
    let lines = Self.conversation + Array(repeating: filler, count: 300) + [#"{"aiTitle":"A repair"}"#]
    try await withSession(lines) { sessions in
      let list = try await sessions.list()
      #expect(list.map(\.title) == ["A repair"])
    }
  }

  @Test func helpersSessionsAndOtherFilesAreLeftOut() async throws {
    let helper = #"{"type":"user","uuid":"u1","isSidechain":true,"message":{"content":"look"}}"#
    try await withSession([helper]) { sessions in
      let list = try await sessions.list()
      #expect(list.isEmpty)
    }
    try await withSession(["{broken"]) { sessions in
      let list = try await sessions.list()
      #expect(list.isEmpty)
    }
  }

  @Test(arguments: ["none", "../s1", "s1/../s1"]) func aSessionThatIsNotThereIsNamed(_ name: String) async throws {
    try await withSession(Self.conversation) { sessions in
      await #expect(throws: AgentError.self) {
        try await sessions.messages(of: AgentSessionID(rawValue: name))
      }
    }
  }
}
