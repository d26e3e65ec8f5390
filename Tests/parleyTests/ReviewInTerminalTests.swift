import Testing
import VoiceTesting

private let recording = ProjectFolder.path + "/audio-fixtures/recordings/d06_flite_slt.wav"

/// Whether this machine can run these tests; without tmux they are skipped by name.
private let hasTerminal = Program.isInstalled("tmux") && Program.isInstalled("python3")

private func review(
  _ home: TemporaryFolder, _ body: @Sendable @escaping (Terminal) async throws -> Void
) async throws {
  try await IndependentServer.run(["--instruction", "why is the build failing"]) { server in
    let command =
      "HOME=\(home.path) XDG_STATE_HOME=\(home.path) \(Program.path) run --live \(server.url) --speaker none --agent echo "
      + "--microphone \(recording) --session \(home.path)/session"
    try await Terminal.run(command, home: home, body)
  }
}

@Suite(.enabled(if: hasTerminal, "tmux and python3 are needed")) struct ReviewInTerminalTests {
  @Test(.timeLimit(.minutes(1))) func theKeyAHandsTheHeldInstructionOn() async throws {
    let home = try TemporaryFolder()
    try await review(home) { terminal in
      await terminal.waitFor("a approve   r reject   e edit")
      #expect(try await terminal.screen().contains("held      why is the build failing"))
      try await terminal.press("a")
      await terminal.waitFor("code 0")
      let screen = try await terminal.screen()
      #expect(screen.contains("approved  why is the build failing"), "\(screen)")
      #expect(screen.contains("sent      why is the build failing"), "\(screen)")
      #expect(screen.contains("agent     why is the build failing"), "\(screen)")
    }
  }

  @Test(.timeLimit(.minutes(1))) func theKeyRDropsIt() async throws {
    let home = try TemporaryFolder()
    try await review(home) { terminal in
      await terminal.waitFor("a approve   r reject   e edit")
      try await terminal.press("r")
      await terminal.waitFor("code 0")
      let screen = try await terminal.screen()
      #expect(screen.contains("rejected  why is the build failing"), "\(screen)")
      #expect(!screen.contains("sent "), "\(screen)")
    }
  }

  @Test(.timeLimit(.minutes(1))) func theKeyEEditsItInPlace() async throws {
    let home = try TemporaryFolder()
    try await review(home) { terminal in
      await terminal.waitFor("a approve   r reject   e edit")
      try await terminal.press("e")
      try await terminal.press("C-w")
      try await terminal.type("green again")
      try await terminal.press("Enter")
      await terminal.waitFor("amended   why is the build green again")
      try await terminal.press("a")
      await terminal.waitFor("code 0")
      let screen = try await terminal.screen()
      #expect(screen.contains("sent      why is the build green again"), "\(screen)")
    }
  }

  @Test(.timeLimit(.minutes(1))) func theTerminalIsUsableAfterTheProgramWasAskedToEnd() async throws {
    let home = try TemporaryFolder()
    try await review(home) { terminal in
      await terminal.waitFor("Listening")
      try await terminal.press("?")
      await terminal.waitFor("Esc quiet")
      try await terminal.press("C-c")
      await terminal.waitFor("code 0")
      // The shell's `cat` echoes only if echoing was switched on again.
      try await terminal.type("still here")
      try await terminal.press("Enter")
      await terminal.waitFor("still here")
      #expect(try await terminal.screen().contains("still here"))
    }
  }
}
