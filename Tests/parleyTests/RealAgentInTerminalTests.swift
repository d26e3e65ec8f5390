import Testing
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Real agents in a terminal, as a person has them: by key and by voice, read from the screen.
@Suite(.serialized) struct RealAgentInTerminalTests {
  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func aPlanOfClaudeCodeIsReadAndApprovedAndItsChangeLookedAt() async throws {
    let home = try TemporaryFolder()
    let folder = home.path
    try await #require(RealAgent(.claude)).inATerminal(home: home) { terminal in
      try await terminal.press("M")
      try await terminal.waitFor("It can be: ")
      try await terminal.type("plan")
      try await terminal.press("Enter")
      try await terminal.waitFor("The mode is “plan” now")
      try await terminal.press("i")
      try await terminal.type("please plan \(folder)/new.txt")
      try await terminal.press("Enter")
      try await terminal.waitFor("asks      Leave plan mode")
      #expect(try await terminal.screen().contains("First write"))
      try await terminal.press("d")
      try await terminal.waitFor("explains  ")
      #expect(try await terminal.screen().contains("| plan |"))
      try await terminal.press("a")
      try await terminal.waitFor("allowed   Leave plan mode")
      // It begins to work, in the mode that it was in before.
      try await terminal.waitFor("asks      Edit new.txt")
      try await terminal.look(for: "| default |")
      #expect(!FileManager.default.fileExists(atPath: folder + "/new.txt"))
      try await terminal.press("d")
      let change = try await terminal.look(for: "+ Written by the model.")
      #expect(change.contains("Change: 1 file, 1 line added"), "\(change)")
      try await terminal.press("a")
      try await terminal.waitFor("done ")
      #expect(FileManager.default.contents(atPath: folder + "/new.txt") == Data("Written by the model.\n".utf8))
      try await terminal.press("d")
      try await terminal.waitFor("work      2 files changed, 2 lines added")
    }
  }

  /// Claude Code remembers its mode, Codex writes a rule: both are listed and taken back, and then they ask again.
  @Test(.timeLimit(.minutes(5)), arguments: [RealAgent.Kind.claude, .codex].filter(RealAgent.isInstalled))
  func whatIsAllowedFromNowOnIsTakenBack(_ kind: RealAgent.Kind) async throws {
    let told = kind == .claude ? "please write" : "please run-write"
    let home = try TemporaryFolder()
    let folder = home.path
    try await #require(RealAgent(kind)).inATerminal(home: home) { terminal in
      func instruct() async throws {
        try await terminal.press("i")
        try await terminal.type("\(told) \(folder)/new.txt")
        try await terminal.press("Enter")
      }
      func rules() -> Int {
        let rules = FileManager.default.contents(atPath: folder + "/.codex/rules/default.rules") ?? Data()
        return String(decoding: rules, as: UTF8.self).split(separator: "\n").count
      }
      try await instruct()
      try await terminal.waitFor("asks      ")
      try await terminal.press("2")
      try await terminal.waitFor("Allowed from now on, without being asked")
      try await terminal.waitFor("done ")
      #expect(kind == .claude || rules() == 1)
      // Not asked any more.
      try await instruct()
      try await terminal.waitFor("done ")
      try await terminal.press("A")
      try await terminal.look(for: "take back: a number >")
      try await terminal.type("1")
      try await terminal.press("Enter")
      try await terminal.waitFor("Not allowed any more without being asked")
      #expect(rules() == 0)
      try await instruct()
      try await terminal.waitFor("asks      ")
      try await terminal.press("r")
      try await terminal.waitFor("done ")
    }
  }

  /// A form of an MCP server is filled in field by field, after its tool was allowed.
  @Test(.timeLimit(.minutes(5)), arguments: [RealAgent.Kind.claude, .codex].filter(RealAgent.isInstalled))
  func theFormOfAnMCPServerIsAnsweredByKey(_ kind: RealAgent.Kind) async throws {
    let home = try TemporaryFolder()
    let path = home.path + "/a.txt"
    try await #require(RealAgent(kind)).inATerminal(hasNotes: true, home: home) { terminal in
      try await terminal.press("i")
      try await terminal.type("please use ask \(path)")
      try await terminal.press("Enter")
      try await terminal.waitFor("asks      ")
      try await terminal.press("a")
      try await terminal.waitFor("What shall it be?")
      let form = try await terminal.look(for: "blue")
      #expect(form.contains("notes asks through the agent") && form.contains("red"), "\(form)")
      try await terminal.press("2")
      try await terminal.waitFor("How many")
      try await terminal.press("w")
      try await terminal.look(for: "answer >")
      try await terminal.type("3")
      try await terminal.press("Enter")
      try await terminal.waitFor("done ")
    }
    let written = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    #expect(written.contains(#""action": "accept", "content": {"colour": "blue", "count": 3}"#), "\(written)")
  }

  /// Claude Code goes on when its command in the background has ended, Codex towards its goal. What that asks is never answered:
  /// it is halted, and nobody's instruction is booked as stopped.
  @Test(.timeLimit(.minutes(5)), arguments: [RealAgent.Kind.claude, .codex].filter(RealAgent.isInstalled))
  func whatItBeginsByItselfIsHaltedAndBookedAsItsOwn(_ kind: RealAgent.Kind) async throws {
    let (told, file) = kind == .claude ? ("please run-twice", "a.txt.then") : ("please pursue", "a.txt")
    let home = try TemporaryFolder()
    let folder = home.path
    try await #require(RealAgent(kind)).inATerminal(home: home) { terminal in
      try await terminal.press("i")
      try await terminal.type("\(told) \(folder)/a.txt")
      try await terminal.press("Enter")
      if kind == .claude {
        try await terminal.waitFor("asks      ")
        try await terminal.press("a")
      }
      try await terminal.waitFor("begins    by itself: ")
      try await terminal.waitFor("asks      ")
      try await terminal.press("h")
      try await terminal.waitFor("The agent stopped.")
    }
    #expect(!FileManager.default.fileExists(atPath: folder + "/" + file))
    let ledger = try await Program.run(["ledger", folder + "/session"], home: home)
    let lines = ledger.output.split(separator: "\n").filter { $0.contains("  over: “") }
    #expect(lines.count == 2, "\(ledger.output) \(ledger.errors)")
    #expect(lines.first?.hasSuffix("the agent said that it was done.") == true, "\(ledger.output)")
    #expect(lines.last?.contains("the agent was stopped. It had begun that by itself.") == true, "\(ledger.output)")
  }
}
