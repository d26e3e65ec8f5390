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

  /// Only 64 KiB at either end are read: nothing is lost where these meet.
  @Test(arguments: [(64 << 10) - 1, 64 << 10, (64 << 10) + 1, (64 << 10) + 20, 128 << 10, (128 << 10) + 1, 300 << 10])
  func aTitleIsFoundWhateverTheSize(_ size: Int) async throws {
    let title = #"{"aiTitle":"A repair"}"#
    let start = Self.conversation.joined(separator: "\n").utf8.count + title.utf8.count + 3
    let filler = #"{"type":"system","text":""}"#
    let text = String(repeating: "x", count: size - start - filler.utf8.count)
    let lines = Self.conversation + [filler.replacing(#""""#, with: #""\#(text)""#), title]
    #expect(lines.joined(separator: "\n").utf8.count + 1 == size)
    try await withSession(lines) { sessions in
      let list = try await sessions.list()
      #expect(list.map(\.title) == ["A repair"])
    }
    // One that is cut into by the gap is passed over.
    let long = String(repeating: "x", count: size - start + 9)
    try await withSession(Self.conversation + [title.replacing("A repair", with: long)]) { sessions in
      let list = try await sessions.list()
      #expect(list.map { $0.title.first } == [size > 128 << 10 ? "f" : "x"])
    }
  }

  @Test(arguments: [(120, 120), (121, 120)]) func aTitleIsNoLongerThanAnybodyListensTo(_ count: Int, _ told: Int)
    async throws
  {
    let title = #"{"aiTitle":"\#(String(repeating: "x", count: count))"}"#
    try await withSession(Self.conversation + [title]) { sessions in
      let list = try await sessions.list()
      #expect(list.map(\.title.count) == [told] && list.first?.title.hasSuffix("…") == (count > told))
    }
  }

  /// Claude Code cuts the name of a folder at 200 characters, and puts a hash behind it.
  @Test(arguments: [(200, "", 200), (201, "-1a2b3c", 199), (500, "-1a2b3c", 199)])
  func theSessionsOfALongFolderAreFound(_ count: Int, _ hash: String, _ alike: Int) async throws {
    let home = try TemporaryFolder()
    let working = "/" + String(repeating: "d", count: count - 1)
    let kept = "-" + String(repeating: "d", count: min(count, 200) - 1)
    for (name, folder) in [("own", kept + hash), ("other", String(kept.prefix(alike)) + "e")] {
      let path = "\(home.path)/projects/\(folder)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(Self.conversation.joined(separator: "\n").utf8).write(to: URL(filePath: "\(path)/\(name).jsonl"))
    }
    let sessions = ClaudeSessions(workingFolder: working, environment: ["CLAUDE_CONFIG_DIR": home.path])
    #expect(try await sessions.list().map(\.id.rawValue) == ["own"])
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
