import Subprocess
import Testing
import VoiceTesting
import VoiceVocabulary

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

struct RealAgentTests {
  /// What is tried here and what is not: nothing is left out unsaid, and in CI nothing at all.
  @Test func whatIsNotInstalledIsSaid() {
    let (agents, servers) = (RealAgent.Kind.installed, RealServer.installed)
    func told(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
    let missing =
      RealAgent.Kind.allCases.filter { !agents.contains($0) }.map(\.rawValue)
      + RealServer.allCases.filter { !servers.contains($0) }.map(\.rawValue)
    print("Real agents tried: \(told(agents.map(\.rawValue))).")
    print("Published servers tried: \(told(servers.map(\.rawValue))).")
    print("Left out, since script/bootstrap --agents has not installed them: \(told(missing)).")
    guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
    #expect(missing.isEmpty, "not installed: \(told(missing)); script/bootstrap --agents says why")
  }

  @Test(.timeLimit(.minutes(5)), arguments: RealAgent.Kind.installed)
  func itAsksEditsAndStops(_ kind: RealAgent.Kind) async throws { try await asksEditsAndStops(kind) }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func claudeCodeIsSpokenTo() async throws { try await isSpokenTo(.claude) }

  @Test(
    .enabled(if: RealAgent.isInstalled(.codex), "Codex is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func codexIsSpokenTo() async throws { try await isSpokenTo(.codex) }

  @Test(
    .enabled(if: RealAgent.isInstalled(.agentao), "Agentao is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func agentaoIsSpokenTo() async throws { try await isSpokenTo(.agentao) }

  @Test(
    .enabled(if: RealAgent.isInstalled(.codex), "Codex is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func codexOfOneTurnWorksWithoutAskingGoesOnAndStops() async throws {
    let agent = try #require(RealAgent(.codex))
    let flags = ["--agent", "codex-exec:\(agent.executable)", "--agent-mode", "danger-full-access"]
    try await RealAgent.withModel { port in
      let home = try TemporaryFolder()
      let environment = try agent.prepare(home, port: port)
      func ask(_ text: String, _ more: [String] = []) async throws -> Finished {
        try await Program.run(
          ["ask", text, "--working-folder", home.path] + flags + more, home: home, environment: environment)
      }
      let file = home.path + "/written.txt"
      let written = try await ask(agent.instruction(toWrite: file), ["--json"])
      #expect(written.code == 0, "\(written.errors)")
      #expect(FileManager.default.contents(atPath: file) == Data("Written by the model.\n".utf8), "\(written.output)")
      let session = try #require(written.output.firstMatch(of: /"session":"([-0-9a-f]+)"/)?.1)

      let again = try await ask("good morning", ["--resume", String(session)])
      #expect(again.code == 0 && again.output.contains("You said:"), "\(again.output) \(again.errors)")

      // Its words come when it has said all of them: it is halted by what it tells before.
      let halted = try await Program.haltInTheMiddle(
        ["ask", "please be slow", "--json", "--working-folder", home.path] + flags, home: home,
        environment: environment,
        once: "turnStarted")
      #expect(halted.code == 75, "\(halted.errors)")
    }
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func claudeCodeGoesOnByItselfAndIsWaitedFor() async throws {
    let words = "by itself: Background command"
    try await goesOnByItself(.claude, told: "please run-twice", words, files: ["a.txt", "a.txt.then"])
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.codex), "Codex is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func codexPursuesItsGoalAndIsWaitedFor() async throws {
    try await goesOnByItself(.codex, told: "please pursue", "by itself: towards its goal", files: ["a.txt"])
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.codex), "Codex is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func aSessionOfCodexIsDeleted() async throws {
    let agent = try #require(RealAgent(.codex))
    try await RealAgent.withModel { port in
      let home = try TemporaryFolder()
      let environment = try agent.prepare(home, port: port)
      func parley(_ words: [String]) async throws -> Finished {
        try await Program.run(
          words + ["--working-folder", home.path] + agent.flags, home: home, environment: environment)
      }
      let asked = try await parley(["ask", "good morning"])
      #expect(asked.code == 0, "\(asked.errors)")
      let sessions = ["sessions", "codex:\(agent.executable)"]
      let listed = try await parley(sessions)
      let session = String(try #require(listed.output.split(separator: " ").first, "\(listed.errors)"))
      let deleted = try await parley(sessions + ["delete", session])
      #expect(deleted.code == 0 && deleted.output == "The session \(session) is deleted.\n", "\(deleted.errors)")
      let left = try await parley(sessions)
      #expect(left.code == 0 && left.output == "There are no sessions in this folder.\n", "\(left.output)")
    }
  }

  /// What it does in turns of its own is asked about, and waited for. Denied, it is not done.
  private func goesOnByItself(_ kind: RealAgent.Kind, told: String, _ words: String, files: [String]) async throws {
    let agent = try #require(RealAgent(kind))
    try await RealAgent.withModel { port in
      for answer in ["approve", "reject"] {
        let home = try TemporaryFolder()
        let environment = try agent.prepare(home, port: port)
        // The user's own run may ask, too.
        let input = String(repeating: "approve\n", count: files.count - 1) + answer + "\n"
        let done = try await Program.run(
          ["ask", "\(told) \(home.path)/a.txt", "--working-folder", home.path] + agent.flags, home: home,
          environment: environment, input: input)
        #expect(done.code == 0 && done.errors.contains(words), "\(done.errors)")
        for (index, file) in files.enumerated() {
          let isThere = FileManager.default.fileExists(atPath: home.path + "/" + file)
          #expect(isThere == (answer == "approve" || index < files.count - 1), "\(file) \(answer): \(done.errors)")
        }
      }
    }
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func whatAHookOfClaudeCodeStopsIsNotDone() async throws {
    try await withHook("UserPromptSubmit", "good morning") { done, _ in
      #expect(done.code != 0 && done.errors.contains("not on Fridays"), "\(done.errors)")
    }
    // A tool that it stops is not asked for, and the agent goes on.
    try await withHook("PreToolUse", "please write HOME/a.txt") { done, home in
      #expect(done.code == 0 && done.output.contains("PreToolUse:Write hook error"), "\(done.errors)")
      #expect(!done.errors.contains("asks      ") && !FileManager.default.fileExists(atPath: home + "/a.txt"))
    }
  }

  /// Ask Claude Code, with a hook that blocks everything and says why; `HOME` is the working folder.
  private func withHook(
    _ event: String, _ text: String, _ check: @escaping @Sendable (_ done: Finished, _ home: String) -> Void
  ) async throws {
    let agent = try #require(RealAgent(.claude))
    try await RealAgent.withModel { port in
      let home = try TemporaryFolder()
      let environment = try agent.prepare(home, port: port)
      let hook = #"{"type": "command", "command": "cat >/dev/null; echo 'not on Fridays' >&2; exit 2"}"#
      try FileManager.default.createDirectory(atPath: home.path + "/.claude", withIntermediateDirectories: true)
      try Data(#"{"hooks": {"\#(event)": [{"hooks": [\#(hook)]}]}}"#.utf8)
        .write(to: URL(filePath: home.path + "/.claude/settings.json"))
      let told = text.replacing("HOME", with: home.path)
      let done = try await Program.run(
        ["ask", told, "--working-folder", home.path] + agent.flags, home: home, environment: environment,
        input: "approve\n")
      check(done, home.path)
    }
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func claudeCodeIsSetFromInside() async throws {
    try await isSetFromInside(.claude, mode: "acceptEdits", model: "haiku")
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.codex), "Codex is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func codexIsSetFromInside() async throws {
    try await isSetFromInside(.codex, mode: "on-request", model: nil)
  }

  /// Claude Code goes back to a message, Codex to a turn.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [(RealAgent.Kind.claude, 2), (.codex, 1)].filter { RealAgent.isInstalled($0.0) })
  func itGoesBackFromInside(_ kind: RealAgent.Kind, _ answer: Int) async throws {
    try await #require(RealAgent(kind)).inATerminal { terminal in
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
      try await terminal.waitFor("listed    1  good morning")
      try await terminal.type("back")
      try await terminal.press("Enter")
      #expect(try await terminal.look(for: "listed    \(answer)  agent: You said").contains("good morning"))
      try await terminal.press("S")
      try await terminal.type("back \(answer)")
      try await terminal.press("Enter")
      // What was said behind that is unknown to it, so the same question has no more before it than the first time.
      try await terminal.waitFor("is ready")
      #expect(try await count() == before)
    }
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func aPlanOfClaudeCodeIsReadAndApproved() async throws {
    let agent = try #require(RealAgent(.claude))
    try await agent.inATerminal(flags: agent.flags + ["--agent-mode", "plan"]) { terminal in
      try await terminal.look(for: "| plan")
      try await terminal.press("i")
      try await terminal.type("please plan")
      try await terminal.press("Enter")
      try await terminal.waitFor("asks      ")
      // All of it can be read before it is decided.
      let shown = try await terminal.look(for: "Mend it.")
      #expect(shown.contains("Look at the build."), "\(shown)")
      try await terminal.press("a")
      try await terminal.waitFor("You have exited plan mode.")
      try await terminal.waitFor("done ")
      // Who has approved a plan wants it carried out.
      try await terminal.look(for: "| default")
    }
  }

  @Test(
    .enabled(if: RealAgent.isInstalled(.claude), "Claude Code is not installed: script/bootstrap --agents"),
    .timeLimit(.minutes(5)))
  func aCommandOfClaudeCodeIsSpoken() async throws {
    let agent = try #require(RealAgent(.claude))
    try await agent.inATerminal(heard: "slash context") { terminal in
      // The command and what came of it can be seen.
      #expect(try await terminal.look(for: "Context Usage").contains("/context"))
      try await terminal.waitFor("done ")
    }
  }

  /// In a terminal: its modes are shown, a mode is completed and set, the model is set and answers, and in the status line is
  /// what it is set to.
  private func isSetFromInside(_ kind: RealAgent.Kind, mode: String, model: String?) async throws {
    try await #require(RealAgent(kind)).inATerminal { terminal in
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

  /// Allowed, it writes the file; denied, it does not; halted in the middle of an answer, it stops; and its session is
  /// gone on with.
  private func asksEditsAndStops(_ kind: RealAgent.Kind) async throws {
    let agent = try #require(RealAgent(kind))
    try await RealAgent.withModel { port in
      let home = try TemporaryFolder()
      let environment = try agent.prepare(home, port: port)
      func ask(_ text: String, input: String = "", _ more: [String] = []) async throws -> Finished {
        try await Program.run(
          ["ask", text, "--working-folder", home.path] + agent.flags + more, home: home, environment: environment,
          input: input)
      }
      let hello = try await ask("good morning")
      #expect(hello.code == 0, "\(hello.errors)")
      #expect(hello.output.contains("You said:"), "\(hello.output) \(hello.errors)")

      let allowed = home.path + "/allowed.txt"
      let written = try await ask(agent.instruction(toWrite: allowed), input: "approve\napprove\n")
      #expect(written.code == 0, "\(written.errors)")
      #expect(written.errors.contains("asks      "), "\(written.errors)")
      #expect(
        FileManager.default.contents(atPath: allowed) == Data("Written by the model.\n".utf8), "\(written.output)")

      let denied = home.path + "/denied.txt"
      let refused = try await ask(agent.instruction(toWrite: denied), input: "reject\nreject\n")
      #expect(refused.errors.contains("asks      "), "\(refused.errors)")
      #expect(!FileManager.default.fileExists(atPath: denied), "\(refused.output) \(refused.errors)")

      let halted = try await Program.haltInTheMiddle(
        ["ask", "please be slow", "--working-folder", home.path] + agent.flags, home: home, environment: environment)
      #expect(halted.code == 75, "\(halted.errors)")
    }
  }

  /// One spoken fixture through the whole program: the permission is given by a key, and the file is written, which is told.
  private func isSpokenTo(_ kind: RealAgent.Kind) async throws {
    let agent = try #require(RealAgent(kind))
    try #require(Program.isInstalled("tmux"))
    let home = try TemporaryFolder()
    let file = home.path + "/spoken.txt"
    let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"
    try await RealAgent.withModel { port in
      let environment = try agent.prepare(home, port: port, shownMilliseconds: 1)
      let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      try await IndependentServer.run(["--instruction", agent.instruction(toWrite: file)]) { server in
        let flags = agent.flags.map { "'\($0)'" }.joined(separator: " ")
        let command =
          "env HOME=\(home.path) XDG_STATE_HOME=\(home.path) XDG_CONFIG_HOME=\(home.path) \(variables) \(Program.path) run "
          + "--live \(server.url) --speaker none --mode direct --microphone \(recording) --working-folder \(home.path) "
          + "--session \(home.path)/session \(flags)"
        try await Terminal.run(command, home: home) { terminal in
          try await terminal.waitFor("asks      ")
          try await terminal.press("a")
          try await terminal.waitFor("done ")
          // What it did is told on demand.
          try await terminal.press("d")
          try await terminal.waitFor("work      One ")
          try await terminal.press("q")
          try await terminal.waitFor("code 0")
        }
      }
    }
    #expect(FileManager.default.contents(atPath: file) == Data("Written by the model.\n".utf8))
  }
}
