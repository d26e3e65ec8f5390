import Testing
import VoiceCore
import VoiceRecording
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"

/// A session in the usual place that broke off while an instruction was on its way and another one waited.
private func brokenOff(in home: TemporaryFolder, workingFolder: String? = nil) throws -> SessionFolder {
  let folder = try SessionFolder(creating: home.path + "/parley/sessions/2026-01-01T000000Z-1")
  try SessionManifest(
    program: "parley 0.1.0", started: "2026-01-01T00:00:00Z", plan: [], workingFolder: workingFolder
  ).write(to: folder.manifest)
  let recorder = try SessionRecorder(folder) { _ in }
  let sent = Instruction(id: .init(rawValue: 1), text: "run the tests", heard: nil, source: .voice)
  let held = Instruction(id: .init(rawValue: 2), text: "push it", heard: nil, source: .voice)
  for entry: LedgerEntry in [
    .proposed(instruction: sent), .entered(instruction: sent, run: .init(rawValue: 1)),
    .dispatched(instruction: sent.id), .proposed(instruction: held), .held(instruction: held.id),
  ] { recorder.noteInLedger(entry) }
  return folder
}

@Test(.timeLimit(.minutes(5))) func withoutATerminalWhatIsLeftOverIsOnlyTold() async throws {
  let home = try TemporaryFolder()
  let broken = try brokenOff(in: home)
  try await IndependentServer.run([]) { server in
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--speaker", "none", "--agent", "echo", "--mode", "direct", "--microphone",
        Repository.path + "/audio-fixtures/recordings/nonspeech_keyboard_fan.wav",
      ], home: home)
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(finished.output.contains("earlier   Session 2026-01-01T000000Z-1 was interrupted."), "\(finished.output)")
    #expect(finished.output.contains("earlier   not confirmed: “run the tests”"), "\(finished.output)")
    #expect(finished.output.contains("earlier   not sent: “push it”"), "\(finished.output)")
    #expect(finished.output.contains("Nothing is sent again by itself."), "\(finished.output)")
    for text in ["run the tests", "push it"] {
      #expect(!finished.output.contains("sent      \(text)"), "\(finished.output)")
    }
  }
  let told = try await Program.run(["ledger", broken.path], home: home)
  #expect(told.code == 0, "\(told.errors)")
  #expect(told.output.contains("This session was interrupted."))
  #expect(told.output.contains("1  not confirmed: “run the tests” – it was sent; the agent never acknowledged it."))
  let all = try await Program.run(["ledger"], home: home)
  #expect(all.output.contains("not sent: “push it” – it waited for your decision."), "\(all.output)\(all.errors)")
}

/// What was meant for one project is put in front of nobody who works in another.
@Test(.timeLimit(.minutes(5))) func inAnotherFolderWhatIsLeftOverIsOneLine() async throws {
  let home = try TemporaryFolder()
  let files = FileManager.default
  for name in ["first", "second"] {
    try files.createDirectory(atPath: home.path + "/" + name, withIntermediateDirectories: true)
  }
  try files.createSymbolicLink(atPath: home.path + "/link", withDestinationPath: home.path + "/first")
  let first = try #require(PlainFile.real(home.path + "/first"))
  _ = try brokenOff(in: home, workingFolder: first)
  @Sendable func run(in name: String, _ server: IndependentServer) async throws -> String {
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--speaker", "none", "--agent", "echo", "--mode", "direct", "--working-folder",
        home.path + "/" + name, "--microphone",
        Repository.path + "/audio-fixtures/recordings/nonspeech_keyboard_fan.wav",
      ], home: home)
    #expect(finished.code == 0, "\(finished.errors)")
    return finished.output
  }
  try await IndependentServer.run([]) { server in
    let elsewhere = try await run(in: "second", server)
    let open = "2 instructions of ~/first are open. To decide, start parley run there; parley ledger shows them."
    #expect(elsewhere.contains("earlier   \(open)"), "\(elsewhere)")
    #expect(!elsewhere.contains("push it") && !elsewhere.contains("run the tests"), "\(elsewhere)")
    let same = try await run(in: "link", server)
    #expect(same.contains("not sent: “push it”") && !same.contains("are open"), "\(same)")
  }
  let all = try await Program.run(["ledger"], home: home)
  #expect(all.output.contains("was interrupted. It worked in ~/first."), "\(all.output)\(all.errors)")
}

@Suite(.enabled(if: Program.isInstalled("tmux") && Program.isInstalled("python3"), "tmux and python3 are needed"))
struct AfterACrashInTerminalTests {
  @Test(.timeLimit(.minutes(5))) func inATerminalItIsOfferedAndTheAnswerSettlesIt() async throws {
    let home = try TemporaryFolder()
    let broken = try brokenOff(in: home)
    try await IndependentServer.run([]) { server in
      let configuration = home.path + "/parley.json5"
      try Data("{ interaction: { shownMilliseconds: 1 } }".utf8).write(to: URL(filePath: configuration))
      let command =
        "HOME=\(home.path) XDG_STATE_HOME=\(home.path) \(Program.path) run --live \(server.url) --speaker none "
        + "--agent echo --mode direct --config \(configuration) --microphone "
        + Repository.path + "/audio-fixtures/recordings/nonspeech_keyboard_fan.wav"
      try await Terminal.run(command, home: home) { terminal in
        try await terminal.waitFor("push it  (number 2)")
        try await terminal.press("a")
        try await terminal.waitFor("sent      run the tests")
        try await terminal.press("r")
        try await terminal.waitFor("rejected  push it")
        try await terminal.waitFor("code 0")
      }
    }
    #expect(EarlierSession(broken) == nil)
    #expect(try LedgerReader(broken.ledger).records.map(\.isSettled) == [true, true])
  }
}

@Test func aLedgerThatIsNotThereIsOneClearLine() async throws {
  let home = try TemporaryFolder()
  let finished = try await Program.run(["ledger", home.path + "/none"], home: home)
  #expect(finished.code == 65)
  #expect(finished.errors == "parley: There is no folder \(home.path)/none.\n")
}

/// In direct mode nobody decided about what was behind running work.
@Test(arguments: [
  (false, "it waited for the work that was under way."), (true, "it was just understood."),
])
func whatWaitedForRunningWorkIsSaidToHaveWaited(_ isOver: Bool, _ words: String) async throws {
  let home = try TemporaryFolder()
  func brokenOff() throws -> SessionFolder {
    let folder = try SessionFolder(creating: home.path + "/parley/sessions/2026-01-01T000000Z-1")
    let recorder = try SessionRecorder(folder) { _ in }
    let first = Instruction(id: .init(rawValue: 1), text: "run the tests", heard: nil, source: .keyboard)
    let second = Instruction(id: .init(rawValue: 2), text: "fix them", heard: nil, source: .keyboard)
    let run = RunID(rawValue: 1)
    let entries: [LedgerEntry] = [
      .proposed(instruction: first), .entered(instruction: first, run: run), .dispatched(instruction: first.id),
      .acknowledged(instruction: first.id), .proposed(instruction: second),
    ]
    for entry in entries + (isOver ? [.ended(run: run, end: .completed)] : []) { recorder.noteInLedger(entry) }
    return folder
  }
  let told = try await Program.run(["ledger", try brokenOff().path], home: home)
  #expect(told.output.contains("2  not sent: “fix them” – \(words)"), "\(told.output)\(told.errors)")
}
