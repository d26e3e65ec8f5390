import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Of the files of agents one approval is removed, and nothing else is touched.
struct ApprovalFilesTests {
  private static let settings = """
    {
      "env": {"A": "Bash(ls)"},
      "permissions": {
        "deny": ["Bash(ls)"],
        "allow": [
          "Bash(ls)",
          "Bash(printf \'a, \\"b\\"\')",
          "Read"
        ],
        "additionalDirectories": ["/tmp/x"]
      }
    }

    """

  private static func removed(_ entry: String) throws -> String? {
    ClaudeSettingsFile.removing(entry, from: Array(settings.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func aRuleOfClaudeCodeIsRemovedAndTheFileStaysAsItWas() throws {
    #expect(
      try Self.removed("Read")
        == Self.settings.replacing(",\n      \"Read\"", with: ""))
    #expect(
      try Self.removed("Bash(ls)")
        == Self.settings.replacing("\n      \"Bash(ls)\",", with: ""))
    let quoted = try #require(try Self.removed("Bash(printf 'a, \"b\"')"))
    #expect(JSON(parsing: Array(quoted.utf8))?["permissions"]?["allow"] == ["Bash(ls)", "Read"])
    let folders = try #require(try Self.removed("/tmp/x"))
    #expect(JSON(parsing: Array(folders.utf8))?["permissions"]?["additionalDirectories"] == [])
  }

  @Test(arguments: ["Bash(rm)", "deny", "A", ""]) func whatIsNoRuleThatAllowsIsNotTouched(_ entry: String) throws {
    #expect(try Self.removed(entry) == nil)
  }

  @Test(arguments: ["", "{", "[]", "{\"permissions\": 1}", "{\"permissions\": {\"allow\": \"Read\"}}", "\"", "\"\\"])
  func whatIsNoSettingsFileIsNotTouched(_ text: String) {
    #expect(ClaudeSettingsFile.removing("Read", from: Array(text.utf8)) == nil)
  }

  @Test func aRuleOfCodexIsRemovedHoweverItIsSpaced() {
    let other = "prefix_rule(pattern=[\"ls\"], decision=\"allow\")\n# mine\n"
    let text = other + "prefix_rule(pattern=[\"/bin/bash\", \"-lc\", \"printf \'%s\\\\n\'\"], decision=\"allow\")\n"
    let line = CodexRulesFile.line(allowing: ["/bin/bash", "-lc", "printf '%s\\n'"])
    #expect(CodexRulesFile.removing(line, from: Array(text.utf8)) == Array(other.utf8))
    #expect(CodexRulesFile.removing(line, from: Array(other.utf8)) == nil)
  }

  @Test func allOfAnApprovalInSeveralPartsOfOneFileIsRemoved() throws {
    let folder = try TemporaryFolder()
    let files = ApprovalFiles(workingFolder: folder.path, environment: [:])
    try FileManager.default.createDirectory(atPath: folder.path + "/.claude", withIntermediateDirectories: true)
    let path = folder.path + "/.claude/settings.local.json"
    try Data(Self.settings.utf8).write(to: URL(filePath: path))
    let places = ["Read", "Bash(ls)"].map { rule in
      ApprovalRecord.Place(file: ".claude/settings.local.json", entries: [rule])
    }
    try files.remove(ApprovalRecord(places: places))
    let rest = JSON(parsing: try Data(contentsOf: URL(filePath: path)))
    #expect(rest?["permissions"]?["allow"] == ["Bash(printf 'a, \"b\"')"])
  }

  @Test func filesAreFoundWhereTheAgentKeepsThemAndAMissingOneIsSaid() throws {
    let folder = try TemporaryFolder()
    let files = ApprovalFiles(workingFolder: folder.path, environment: ["HOME": folder.path + "/home"])
    for path in [".claude", "home/.codex/rules"] {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/\(path)", withIntermediateDirectories: true)
    }
    let rule = CodexRulesFile.line(allowing: ["make"])
    let (settings, rules) = (
      folder.path + "/.claude/settings.local.json", folder.path + "/home/.codex/rules/default.rules"
    )
    try Data(Self.settings.utf8).write(to: URL(filePath: settings))
    try Data((rule + "\n").utf8).write(to: URL(filePath: rules))
    let local = ApprovalRecord.Place(file: ".claude/settings.local.json", entries: ["Read"])
    // All of it or nothing.
    #expect(throws: AgentError.self) {
      try files.remove(ApprovalRecord(places: [local, .init(file: CodexRulesFile.name, entries: [rule, rule])]))
    }
    #expect(FileManager.default.contents(atPath: settings) == Data(Self.settings.utf8))
    try files.remove(ApprovalRecord(places: [local, .init(file: CodexRulesFile.name, entries: [rule])]))
    #expect(FileManager.default.contents(atPath: rules) == Data())
    #expect(FileManager.default.contents(atPath: settings) != Data(Self.settings.utf8))
    #expect(throws: AgentError.self) {
      try files.remove(ApprovalRecord(places: [.init(file: "~/.claude/settings.json", entries: ["Read"])]))
    }
  }
}
