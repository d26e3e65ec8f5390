import Testing
import VoiceCore
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Somebody speaks, closes the microphone, and speaks on.
private struct Talk {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// - Parameter milliseconds: from the end of what is said first to what is said into the closed microphone.
  func arguments(_ server: IndependentServer, pause milliseconds: Int) throws -> [String] {
    let said = home.path + "/said.raw"
    try Recordings.write(
      [
        .recording("d06_flite_slt.wav"), .silence(milliseconds: milliseconds), .recording("d04_flite_slt.wav"),
        .silence(milliseconds: 1_000),
      ], to: said)
    let configuration = home.path + "/parley.json5"
    try Data("{ recording: { sound: 'lossless' }, interaction: { shownMilliseconds: 1 } }".utf8)
      .write(to: URL(filePath: configuration))
    return [
      "run", "--live", server.url, "--speaker", "none", "--mode", "review", "--agent", "echo", "--microphone", said,
      "--session", home.path + "/session", "--config", configuration,
    ]
  }

  /// What was said first is in the recording; of what was said later, nothing is there or in the log.
  func expectNothingOfWhatWasSaidLater() throws {
    let steps = try LogReader(home.path + "/session/events.jsonl").lines.flatMap(\.steps)
    let closed = try #require(
      steps.first { step in
        step.actions.contains { if case .show(.listeningChanged(isOn: false)) = $0 { true } else { false } }
      })
    let samples = try WaveFile.samples(home.path + "/session/microphone.wav")
    // What was on its way when it was closed may still be written.
    let place = Int(closed.time.microseconds) * PCM.microphoneRate / 1_000_000 + 5 * PCM.frameSamples
    #expect(samples.prefix(place).contains { $0.magnitude > 1_000 })
    #expect(samples.dropFirst(place).allSatisfy { $0 == 0 })
    // It was said, and loudly enough for that to be seen.
    let later = steps.filter { $0.time > closed.time }.map(\.event)
    #expect(later.contains(.soundLevelChanged(level: .sound)))
    #expect(!later.contains { if case .userTranscribed = $0 { true } else { false } })
  }
}

@Test(.timeLimit(.minutes(2))) func nothingIsLeftOfWhatIsSaidBehindTheSleepPhrase() async throws {
  let talk = try Talk()
  try await IndependentServer.run(["--instruction", "stop listening", "--instruction", "explain the parser"]) {
    server in
    let finished = try await Program.run(try talk.arguments(server, pause: 3_000), home: talk.home)
    #expect(finished.output.contains("The microphone is closed."), "\(finished.output)")
  }
  try talk.expectNothingOfWhatWasSaidLater()
}

@Test(
  .timeLimit(.minutes(2)),
  .enabled(if: Program.isInstalled("tmux") && Program.isInstalled("python3"), "tmux and python3 are needed"))
func nothingIsLeftOfWhatIsSaidOnceSpaceHasClosedTheMicrophone() async throws {
  let talk = try Talk()
  try await IndependentServer.run(["--instruction", "explain the parser"]) { server in
    let command = ([Program.path] + (try talk.arguments(server, pause: 6_000))).joined(separator: " ")
    try await Terminal.run("HOME=\(talk.home.path) XDG_STATE_HOME=\(talk.home.path) " + command, home: talk.home) {
      terminal in
      try await terminal.waitFor("a approve   r reject   e edit")
      try await terminal.press("Space")
      try await terminal.waitFor("mic       The microphone is closed.")
      try await terminal.press("r")
      try await terminal.waitFor("code 0")
    }
  }
  try talk.expectNothingOfWhatWasSaidLater()
}
