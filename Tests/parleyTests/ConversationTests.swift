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

private let recordings = Repository.path + "/audio-fixtures/recordings/"

private func steps(_ session: String) throws -> [VoiceStep] {
  try LogReader(session + "/events.jsonl").lines.flatMap(\.steps)
}

private func arguments(_ server: IndependentServer, _ home: TemporaryFolder, _ more: [String]) -> [String] {
  ["run", "--live", server.url, "--speaker", "none", "--mode", "direct", "--session", home.path + "/session"] + more
}

@Test(.timeLimit(.minutes(5))) func aSpokenTurnRunsAToolOfTheGuideThroughAnotherServer() async throws {
  let home = try TemporaryFolder()
  try await IndependentServer.run(["--instruction", "how many files are there"]) { server in
    let finished = try await Program.run(
      arguments(
        server, home,
        ["--microphone", recordings + "d06_flite_slt.wav", "--agent", "guide", "--working-folder", Repository.path]),
      home: home)
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(finished.output.contains("sent      how many files are there"), "\(finished.output)")
    #expect(finished.output.contains("tool "), "\(finished.output)")
    #expect(finished.output.contains("done "), "\(finished.output)")
  }
  let events = try steps(home.path + "/session").map(\.event)
  #expect(events.contains { if case .playbackEnded = $0 { true } else { false } })
}

@Test(.timeLimit(.minutes(5))) func speakingOverTheAnswerSilencesItAndTheWorkGoesOn() async throws {
  let home = try TemporaryFolder()
  // Two utterances with a pause: the second begins while the answer to the first, made long, is being spoken.
  let twice = home.path + "/twice.raw"
  try Recordings.write(
    [.recording("d06_flite_slt.wav"), .silence(milliseconds: 3_000), .recording("d04_flite_slt.wav")], to: twice)
  try await IndependentServer.run(
    [
      "--instruction", "tell me everything about the build", "--instruction", "show me the diff", "--voice-activity",
      "--ms-per-character", "400",
    ]
  ) { server in
    let finished = try await Program.run(
      arguments(server, home, ["--microphone", twice, "--agent", "echo"]), home: home)
    #expect(finished.code == 0, "\(finished.errors)")
    // A file is heard by nobody, so nobody is told of the interruption.
    #expect(!finished.output.contains("barge-in"), "\(finished.output)")
  }
  let steps = try steps(home.path + "/session")
  #expect(steps.contains { $0.actions.contains(.clearPlayback) })
  let sent = steps.flatMap(\.actions).compactMap { action -> String? in
    if case .startRun(_, let instruction) = action { instruction.text } else { nil }
  }
  #expect(sent == ["tell me everything about the build", "show me the diff"])
}

/// The server says once more what the user said before, with its own marks of a voice, while nobody speaks.
@Test(.timeLimit(.minutes(5))) func aServerThatRepeatsAnOldApprovalSendsNothing() async throws {
  let home = try TemporaryFolder()
  let thrice = home.path + "/thrice.raw"
  try Recordings.write(
    [
      .recording("d06_flite_slt.wav"), .silence(milliseconds: 3_000), .recording("d04_flite_slt.wav"),
      .silence(milliseconds: 3_000), .recording("d06_flite_slt.wav"), .silence(milliseconds: 9_000),
    ], to: thrice)
  let quiet = home.path + "/quiet.json5"
  try Data("{ interaction: { readBack: false } }".utf8).write(to: URL(filePath: quiet))
  let journal = try await IndependentServer.run([
    "--instruction", "run the tests", "--instruction", "Yes, send it.", "--instruction", "explain the parser",
    "--unheard", "Yes, send it.",
  ]) { server in
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--speaker", "none", "--mode", "review", "--session", home.path + "/session",
        "--microphone", thrice, "--agent", "echo", "--config", quiet,
      ], home: home)
    #expect(finished.code == 75 && finished.errors.contains("Nobody approved it"), "\(finished.errors)")
    #expect(finished.output.contains("The microphone has heard nothing since this came up."), "\(finished.output)")
    return server.journal.all
  }
  #expect(journal.contains { $0.contains("pretended") })
  let sent = try steps(home.path + "/session").flatMap(\.actions).compactMap { action -> String? in
    if case .startRun(_, let instruction) = action { instruction.text } else { nil }
  }
  #expect(sent == ["run the tests"])
}

@Test(.timeLimit(.minutes(5))) func anEndWordJoinsWhatIsSaidWithAPauseBetween() async throws {
  let home = try TemporaryFolder()
  let twice = home.path + "/twice.raw"
  try Recordings.write(
    [.recording("d06_flite_slt.wav"), .silence(milliseconds: 3_000), .recording("d04_flite_slt.wav")], to: twice)
  try await IndependentServer.run(
    ["--instruction", "open the settings", "--instruction", "and add a switch, over"]
  ) { server in
    let finished = try await Program.run(
      arguments(server, home, ["--microphone", twice, "--agent", "echo", "--end-word", "over"]), home: home)
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(finished.output.contains("so far    open the settings …"), "\(finished.output)")
  }
  let sent = try steps(home.path + "/session").flatMap(\.actions).compactMap { action -> String? in
    if case .startRun(_, let instruction) = action { instruction.text } else { nil }
  }
  #expect(sent == ["open the settings and add a switch"])
}

@Test(.timeLimit(.minutes(5))) func theSessionOutlivesItsConnection() async throws {
  let home = try TemporaryFolder()
  let twice = home.path + "/twice.raw"
  try Recordings.write(
    [.recording("d06_flite_slt.wav"), .silence(milliseconds: 4_000), .recording("d04_flite_slt.wav")], to: twice)
  try await IndependentServer.run(
    ["--instruction", "first", "--instruction", "second", "--goaway-after", "5", "--cut-after", "2"]
  ) { server in
    let finished = try await Program.run(
      arguments(server, home, ["--microphone", twice, "--agent", "echo"]), home: home)
    #expect(finished.code == 0, "\(finished.errors)")
  }
  let steps = try steps(home.path + "/session")
  #expect(steps.contains { if case .linkReady(_, resumed: true) = $0.event { true } else { false } })
  let sent = steps.flatMap(\.actions).compactMap { action -> String? in
    if case .startRun(_, let instruction) = action { instruction.text } else { nil }
  }
  #expect(sent == ["first", "second"])
}

@Test(.timeLimit(.minutes(5))) func linesOnStandardInputDecideAsKeysDo() async throws {
  let home = try TemporaryFolder()
  // A script that decides before it is asked says so.
  let inAdvance = home.path + "/in-advance.json5"
  try Data("{ interaction: { shownMilliseconds: 0 } }".utf8).write(to: URL(filePath: inAdvance))
  let quiet = home.path + "/quiet.raw"
  try Recordings.write([.silence(milliseconds: 5_000)], to: quiet)
  try await IndependentServer.run([]) { server in
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--speaker", "none", "--agent", "echo", "--microphone", quiet,
        "--session", home.path + "/session", "--config", inAdvance,
      ], home: home,
      input: "say run the tests\namend run all the tests\nfrobnicate\napprove\n")
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(finished.output.contains("sent      run all the tests"), "\(finished.output)")
    #expect(finished.output.contains("“frobnicate” is not a command"), "\(finished.output)")
  }
}

@Test(.timeLimit(.minutes(5))) func aLineThatWasWrittenInAdvanceDecidesNothing() async throws {
  let home = try TemporaryFolder()
  try await IndependentServer.run([]) { server in
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--speaker", "none", "--agent", "echo", "--microphone",
        recordings + "nonspeech_keyboard_fan.wav", "--session", home.path + "/session",
      ], home: home, input: "say run the tests\napprove\n")
    #expect(finished.code == 75 && finished.errors.contains("Nobody approved it"), "\(finished.errors)")
    #expect(finished.output.contains("cannot    This has only just appeared"), "\(finished.output)")
    #expect(finished.output.contains("lapsed    run the tests"), "\(finished.output)")
    #expect(!finished.output.contains("sent "), "\(finished.output)")
  }
}
