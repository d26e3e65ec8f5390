import Testing
import VoiceTesting

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

/// Real agents in a terminal, as a person has them: by key and by voice, read from the screen.
@Suite(.serialized) struct RealAgentInTerminalTests {
  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(1)))
  func aPlanOfClaudeCodeIsReadAndApprovedAndItsChangeLookedAt() async throws {
    try await inATerminal(.claude) { terminal, folder in
      try await terminal.press("M")
      try await terminal.waitFor("It can be: ")
      try await terminal.type("plan")
      try await terminal.press("Enter")
      try await terminal.waitFor("The mode is “plan” now")
      try await terminal.press("i")
      try await terminal.type("please plan \(folder)/new.txt")
      try await terminal.press("Enter")
      try await terminal.waitFor("asks      Leave plan mode")
      #expect(try await terminal.screen().contains("First write "))
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
      try await terminal.waitFor("did       2 files changed, 2 lines added")
    }
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(1)))
  func aCommandOfClaudeCodeIsSpoken() async throws {
    let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"
    try await inATerminal(.claude, instruction: "slash context", recording: recording) { terminal, _ in
      try await terminal.waitFor("sent      /context")
      try await terminal.waitFor("Context Usage")
      try await terminal.waitFor("done ")
    }
  }

  /// Claude Code remembers its mode, Codex writes a rule: both are listed and taken back, and then they ask again.
  @Test(.timeLimit(.minutes(1)), arguments: [RealAgent.Kind.claude, .codex].filter(RealAgent.isInstalled))
  func whatIsAllowedFromNowOnIsTakenBack(_ kind: RealAgent.Kind) async throws {
    let told = kind == .claude ? "please write" : "please run-write"
    try await inATerminal(kind) { terminal, folder in
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

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(1)))
  func claudeCodeIsSetFromInside() async throws {
    try await isSetFromInside(.claude, mode: "acceptEdits", model: "haiku")
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.codex), "Codex is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(1)))
  func codexIsSetFromInside() async throws {
    try await isSetFromInside(.codex, mode: "on-request", model: nil)
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(1)))
  func claudeCodeGoesBackFromInside() async throws {
    try await inATerminal(.claude) { terminal, _ in
      func count() async throws -> Int {
        try await terminal.press("i")
        try await terminal.type("count us")
        try await terminal.press("Enter")
        let counted = try await terminal.number(between: "There are ", and: " messages.")
        try await terminal.waitFor("done ")
        return counted
      }
      try await terminal.press("i")
      try await terminal.type("good morning")
      try await terminal.press("Enter")
      try await terminal.waitFor("done ")
      let before = try await count()
      try await terminal.press("S")
      try await terminal.waitFor("1         good morning")
      try await terminal.type("back")
      try await terminal.press("Enter")
      try await terminal.waitFor("2         agent: You said")
      try await terminal.press("S")
      try await terminal.type("back 2")
      try await terminal.press("Enter")
      // What was said behind that is unknown to it, so the same question has no more before it than the first time.
      try await terminal.waitFor("is ready")
      #expect(try await count() == before)
    }
  }

  /// In a terminal: its modes are shown, a mode is completed and set, the model is set and answers, and in the status line is
  /// what it is set to.
  private func isSetFromInside(_ kind: RealAgent.Kind, mode: String, model: String?) async throws {
    try await inATerminal(kind) { terminal, _ in
      try await terminal.press("M")
      try await terminal.waitFor("It can be: ")
      try await terminal.type(String(mode.prefix(4)))
      try await terminal.press("Tab", "Enter")
      try await terminal.waitFor("The mode is “\(mode)” now")
      try await terminal.press("o")
      let shown = try await terminal.look(for: "model of the agent >")
      // Which there are changes with each release.
      let first = shown.firstMatch(of: /The model [^\n]*It can be: ([^,\s]+),/)
      let model = try #require(model ?? first.map { String($0.1) }, "\(shown)")
      try await terminal.type(model)
      try await terminal.press("Enter")
      try await terminal.waitFor("The model is “\(model)” now")
      try await terminal.press("i")
      try await terminal.type("what are you")
      try await terminal.press("Enter")
      _ = try await terminal.journal.next { $0.contains("I am ") && $0.contains(model) ? true : nil }
      try await terminal.look(for: "| \(mode) |")
    }
  }

  /// A real agent in a terminal with a status line, in direct mode and with a silent microphone, or one that hears a recording,
  /// of which the live model makes this instruction; it quits behind the body, which is told the working folder.
  private func inATerminal(
    _ kind: RealAgent.Kind, instruction: String = "good morning", recording: String? = nil,
    _ body: @Sendable @escaping (Terminal, _ folder: String) async throws -> Void
  ) async throws {
    let agent = try #require(RealAgent(kind))
    try #require(Program.isInstalled("tmux"))
    let home = try TemporaryFolder()
    try await RealAgent.withModel { port in
      let environment = try agent.prepare(home, port: port, shownMilliseconds: 300)
      let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      try await IndependentServer.run(["--instruction", instruction]) { server in
        let flags = agent.flags.map { "'\($0)'" }.joined(separator: " ")
        let command =
          "env HOME=\(home.path) XDG_STATE_HOME=\(home.path) XDG_CONFIG_HOME=\(home.path) \(variables) \(Program.path) run "
          + "--live \(server.url) --speaker none --mode direct --display status --working-folder \(home.path) "
          + "--microphone \(recording ?? home.path + "/silence") --session \(home.path)/session \(flags)"
        #expect(mkfifo(home.path + "/silence", 0o600) == 0)
        try await Terminal.run(command, home: home) { terminal in
          try await terminal.waitFor("is ready")
          try await body(terminal, home.path)
          try await terminal.press("q")
          try await terminal.waitFor("code 0")
        }
      }
    }
  }
}
