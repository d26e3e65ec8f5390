import Testing
import VoiceTesting

/// The program as a job of a shell: stopped, in the background, and in the foreground again.
@Suite(
  .serialized,
  .enabled(if: Program.isInstalled("tmux") && Program.isInstalled("python3"), "tmux and python3 are needed"))
struct JobControlTests {
  @Test(.timeLimit(.minutes(5))) func suspendedItLeavesTheTerminalAndResumedItTakesItAgain() async throws {
    let home = try TemporaryFolder()
    try await IndependentServer.run(["--instruction", "why is the build failing"]) { server in
      let command = try TerminalStart().command(server, home)
      try await Terminal.run("PS1='ready> ' bash --norc -i", home: home) { terminal in
        try await terminal.look(for: "ready>")
        try await terminal.type(command)
        try await terminal.press("Enter")
        try await terminal.waitFor("a approve   r reject   e edit")
        try await terminal.press("C-z")
        try await terminal.waitFor("Stopped")
        // What is typed is echoed and taken by the shell.
        try await terminal.type("echo usable-$((20 + 3))")
        try await terminal.press("Enter")
        try await terminal.waitFor("usable-23")
        #expect(try await terminal.screen().contains("echo usable-$((20 + 3))"))
        // In the background it is stopped again, since it would read.
        try await terminal.type("clear; bg; until jobs %1 | grep Stopped; do :; done; echo held-$((1 + 1)); fg")
        try await terminal.press("Enter")
        try await terminal.waitFor("held-2")
        // What is held may be far above by now, or gone.
        try await terminal.look(for: "(1 of 1, for")
        try await terminal.press("?")
        try await terminal.waitFor("Esc quiet")
        try await terminal.press("a")
        try await terminal.waitFor("sent      why is the build failing")
      }
    }
  }

  /// The terminal stays as the shell has it until then.
  @Test(.timeLimit(.minutes(5))) func startedInTheBackgroundItWaitsForTheTerminal() async throws {
    let home = try TemporaryFolder()
    try await IndependentServer.run(["--instruction", "why is the build failing"]) { server in
      let command = try TerminalStart().command(server, home)
      try await Terminal.run("PS1='ready> ' bash --norc -i", home: home) { terminal in
        try await terminal.look(for: "ready>")
        try await terminal.type(
          "\(command) & until jobs %1 | grep Stopped; do :; done; stty -a | grep -o -w -e -icanon -e icanon; fg")
        try await terminal.press("Enter")
        try await terminal.waitFor("held      why is the build failing")
        let lines = try await terminal.screen().split(separator: "\n")
        #expect(lines.contains("icanon") && !lines.contains("-icanon"), "\(lines)")
        try await terminal.press("?")
        try await terminal.waitFor("Esc quiet")
        try await terminal.press("a")
        try await terminal.waitFor("sent      why is the build failing")
      }
    }
  }
}
