import Testing
import VoiceTesting

private let hasTerminal = Program.isInstalled("tmux") && Program.isInstalled("python3")

/// No sound server is found.
private let noServer = ["PULSE_SERVER": "unix:/nowhere", "PIPEWIRE_REMOTE": "/nowhere", "JACK_NO_START_SERVER": "1"]

/// A machine without a sound card. Where there is one, the sound system cannot be kept from it.
@Suite(
  .serialized,
  .enabled("a machine without a sound card is needed") {
    let home = try TemporaryFolder()
    return try await Program.run(["devices"], home: home, environment: noServer).code == 69
  })
struct NoSoundTests {
  @Test func withoutATerminalARunEndsWithTheRemedy() async throws {
    let home = try TemporaryFolder()
    let finished = try await Program.run(
      ["run", "--agent", "echo", "--live", "ws://127.0.0.1:1/", "--no-record"], home: home, environment: noServer)
    #expect(finished.code == 69)
    #expect(finished.errors.contains("name a sound file"), "\(finished.errors)")
  }

  @Test(.enabled(if: hasTerminal, "tmux and python3 are needed"), .timeLimit(.minutes(5)))
  func withoutASoundDeviceATerminalSessionGoesOnByTyping() async throws {
    let home = try TemporaryFolder()
    try await IndependentServer.run([]) { server in
      let command =
        noServer.map { "\($0.key)=\($0.value) " }.joined()
        + "HOME=\(home.path) XDG_STATE_HOME=\(home.path) \(Program.path) run --live \(server.url) --agent echo "
        + "--session \(home.path)/session"
      try await Terminal.run(command, home: home) { terminal in
        try await terminal.waitFor("No microphone: type your instructions")
        let start = try await terminal.screen()
        #expect(start.contains("Press i to type an instruction"), "\(start)")
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
        try await terminal.waitFor("done ")
        try await terminal.press("q")
        try await terminal.waitFor("code 0")
      }
    }
  }
}
