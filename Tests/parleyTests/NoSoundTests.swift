import Testing
import VoiceTesting

private let hasTerminal = Program.isInstalled("tmux") && Program.isInstalled("python3")

/// Nothing that could make sound is found: no sound server, no sound card.
private let noSound =
  "PULSE_SERVER=unix:/nowhere PIPEWIRE_REMOTE=/nowhere ALSA_CONFIG_PATH=/dev/null JACK_NO_START_SERVER=1"

@Suite(.serialized, .enabled(if: hasTerminal, "tmux and python3 are needed")) struct NoSoundTests {
  @Test(.timeLimit(.minutes(1))) func withoutASoundDeviceATerminalSessionGoesOnByTyping() async throws {
    let home = try TemporaryFolder()
    try await IndependentServer.run([]) { server in
      let command =
        "HOME=\(home.path) XDG_STATE_HOME=\(home.path) \(noSound) \(Program.path) run --live \(server.url) --agent echo "
        + "--session \(home.path)/session"
      try await Terminal.run(command, home: home) { terminal in
        try await terminal.waitFor("There is no microphone: type instructions.")
        let start = try await terminal.screen()
        #expect(start.contains("press i to type an instruction"), "\(start)")
        #expect(start.contains("The session goes on without sound."), "\(start)")
        #expect(!start.contains("Listening."), "\(start)")
        try await terminal.press("i")
        try await terminal.look(for: "say >")
        try await terminal.type("list the files")
        try await terminal.press("Enter")
        try await terminal.waitFor("held      list the files")
        // Not in the moment in which it appears: a key decides what has been seen.
        try await terminal.look(for: "a approve   r reject")
        while try await !terminal.screen().contains("approved  list the files") { try await terminal.press("a") }
        try await terminal.waitFor("agent     list the files")
        try await terminal.press("q")
        try await terminal.look(for: "q")
        try await terminal.press("q")
        try await terminal.waitFor("code 0")
      }
    }
  }
}
