import Testing
import VoiceCore
import VoiceRecording
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"

/// Everything below a folder, with the time at which it was changed last.
private func contents(_ folder: TemporaryFolder) throws -> [String] {
  try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
}

@Test(.timeLimit(.minutes(5)))
func aCheckStartsEachPartThatItNamesAndLeavesNothingBehind() async throws {
  let home = try TemporaryFolder()
  let before = try contents(home)
  try await IndependentServer.run([]) { server in
    let finished = try await Program.run(
      [
        "check", "--live", server.url, "--agent", "guide", "--microphone", recording, "--speaker",
        home.path + "/answer.wav",
      ], home: home)
    #expect(finished.code == 0, "\(finished.output)\(finished.errors)")
    for start in [
      "ok       microphone: the recording \(recording), ", "ok       speaker: the file \(home.path)/answer.wav can be",
      "ok       live model: \(server.url) answered the setup after ", "ok       local speech: not needed",
      "ok       agent: Parley guide (guide) was ready after ", "ok       recording: sessions can be kept in ",
    ] {
      #expect(finished.output.contains("\n" + start), "\(start)\n\(finished.output)")
    }
    #expect(Internals.found(in: finished.output) == nil)
  }
  #expect(try contents(home) == before)
}

@Test(
  .timeLimit(.minutes(5)),
  arguments: [
    (["--agent", "claude"], "agent: ", "was not found"),
    (["--agent", "acp:false"], "agent: ", "false"),
    (["--live", "ws://127.0.0.1:1/"], "live model: ", "127.0.0.1:1"),
    (["--microphone", "HOME/none.wav"], "microphone: ", "there is no sound file HOME/none.wav"),
    (["--speaker", "HOME/there.wav"], "speaker: ", "HOME/there.wav already exists"),
    (["--speaker", "HOME/none/a.wav"], "speaker: ", "its folder does not exist"),
  ])
func aCheckNamesWhatIsMissingWithTheRemedy(_ wrong: [String], _ part: String, _ words: String) async throws {
  let home = try TemporaryFolder()
  try Data("mine".utf8).write(to: URL(filePath: home.path + "/there.wav"))
  try await IndependentServer.run([]) { server in
    let usual = ["--live", server.url, "--agent", "echo", "--microphone", recording, "--speaker", "none"]
    let arguments = (["check"] + usual + wrong).map { $0.replacing("HOME", with: home.path) }
    // No agent is on the search path.
    let finished = try await Program.run(arguments, home: home, environment: ["PATH": "/nowhere"])
    #expect(finished.code == 69, "\(finished.output)")
    let missing = finished.output.split(separator: "\n").filter { $0.hasPrefix("missing") }
    #expect(missing.count == 1, "\(finished.output)")
    #expect(missing.first?.hasPrefix("missing  " + part) == true, "\(missing)")
    #expect(missing.first?.contains(words.replacing("HOME", with: home.path)) == true, "\(missing)")
  }
  #expect(FileManager.default.contents(atPath: home.path + "/there.wav") == Data("mine".utf8))
}

@Test(.timeLimit(.minutes(5)), arguments: ["answer.wav", "answer.raw"])
func aSpeakersFileThatIsThereIsOverwrittenOnlyWhenAskedTo(_ name: String) async throws {
  let home = try TemporaryFolder()
  let file = home.path + "/" + name
  try Data("mine".utf8).write(to: URL(filePath: file))
  try await IndependentServer.run([]) { server in
    let arguments = [
      "run", "--live", server.url, "--agent", "echo", "--mode", "direct", "--microphone", recording, "--pace", "fast",
      "--speaker", file, "--no-record",
    ]
    let refused = try await Program.run(arguments, home: home)
    #expect(refused.code == 74)
    #expect(
      refused.errors
        == "parley: \(file) already exists and is not overwritten: name another file, or add --overwrite\n")
    #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
    let taken = try await Program.run(arguments + ["--overwrite"], home: home)
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(FileManager.default.contents(atPath: file) != Data("mine".utf8))
  }
}

@Test func aRecordingThatNeverBeganLeavesItsPlaceFree() async throws {
  let home = try TemporaryFolder()
  let arguments = ["record", home.path + "/sound", "--microphone", home.path + "/none.wav"]
  let failed = try await Program.run(arguments, home: home)
  #expect(failed.code == 65)
  #expect(!FileManager.default.fileExists(atPath: home.path + "/sound"))
}

@Test func aRecordingOfNothingLeavesNothing() async throws {
  let home = try TemporaryFolder()
  let finished = try await Program.run(["record", home.path + "/sound", "--microphone", "-"], home: home)
  #expect(finished.code == 0, "\(finished.errors)")
  #expect(finished.output.hasSuffix("Nothing was heard, and nothing was kept.\n"), "\(finished.output)")
  #expect(!FileManager.default.fileExists(atPath: home.path + "/sound"))
}

@Test func aRecordingIsNeverRecordedOver() async throws {
  let home = try TemporaryFolder()
  let arguments = ["record", home.path + "/sound", "--microphone", recording]
  let first = try await Program.run(arguments, home: home)
  #expect(first.code == 0, "\(first.errors)")
  let sound = FileManager.default.contents(atPath: home.path + "/sound/microphone.wav")
  #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/sound") == ["microphone.wav"])
  let second = try await Program.run(arguments, home: home)
  #expect(second.code == 74)
  #expect(second.errors.contains("There is a recording in"), "\(second.errors)")
  #expect(FileManager.default.contents(atPath: home.path + "/sound/microphone.wav") == sound)
}

@Test func theHelpOfAnAgentListsWhatThereIs() async throws {
  let home = try TemporaryFolder()
  for verb in ["run", "ask", "check", "sessions"] {
    let help = try await Program.run([verb, "--help"], home: home).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for agent in ["guide", "echo", "claude,", "codex,", "acp:COMMAND", "claude:COMMAND", "page-space", "a2a", "chat"] {
      #expect(help.contains(agent), "\(verb): \(agent)")
    }
  }
}

@Test(arguments: [
  [], ["run"], ["ask"], ["agents"], ["sessions"], ["check"], ["log"], ["log", "show"], ["log", "export"],
  ["log", "prune"], ["log", "index"], ["ledger"], ["why"], ["report"], ["replay"], ["fixture"], ["fixture", "new"],
  ["record"], ["devices"], ["transcribe"], ["words"], ["words", "add"], ["words", "forget"],
  ["words", "names"], ["words", "repair"], ["guide"],
])
func noHelpShowsHowTheProgramIsBuilt(_ verb: [String]) async throws {
  let home = try TemporaryFolder()
  let help = try await Program.run(verb + ["--help"], home: home)
  #expect(help.code == 0)
  #expect(Internals.found(in: help.output) == nil, "\(help.output)")
}

@Test func aBrokenConfigurationNamesLineAndColumnAndAnEmptyOneIsTheDefaults() async throws {
  let home = try TemporaryFolder()
  let file = home.path + "/parley.json5"
  try Data("{\n  audio: {\n    pase: 'real',\n  },\n}\n".utf8).write(to: URL(filePath: file))
  let run = try await Program.run(["run", "--config", file], home: home)
  #expect(run.code == 78)
  #expect(run.errors == "parley: \(file), line 3, column 5: there is no key “audio.pase”. Did you mean “audio.pace”?\n")
  try Data("// nothing yet\n".utf8).write(to: URL(filePath: file))
  let ask = try await Program.run(["ask", "hello", "--agent", "echo", "--config", file], home: home)
  #expect(ask.code == 0, "\(ask.errors)")
}

@Test func aWordThatIsAddedIsKeptAndNothingElseIs() async throws {
  let home = try TemporaryFolder()
  let add = ["words", "add"]
  #expect(try await Program.run(add + ["Zyx_Store", "--heard", "zix store"], home: home).code == 0)
  #expect(try await Program.run(add + ["frobnicate"], home: home).code == 0)
  #expect(try await Program.run(add + ["frobnicate"], home: home).output.contains("already"))
  #expect(try await Program.run(add + ["NumPy; rm"], home: home).code == 64)
  #expect(try await Program.run(add + ["x", "--heard", "$HOME"], home: home).code == 64)
  let file = home.path + "/parley/words.txt"
  #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "Zyx_Store: zix store\nfrobnicate\n")
  let listed = try await Program.run(["words"], home: home).output
  #expect(listed.contains("“Zyx_Store” is expected, heard as “zix store”"), "\(listed)")
  let repaired = try await Program.run(["words", "repair"], home: home, input: "open the zix store\n")
  #expect(repaired.output == "open the Zyx_Store\n")
  #expect(try await Program.run(["words", "forget", "zix", "store"], home: home).code == 0)
  #expect(try await Program.run(["words", "forget", "zix", "store"], home: home).code == 65)
  #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "Zyx_Store\nfrobnicate\n")
  #expect(try await Program.run(["words", "forget", "zyx_store"], home: home).code == 0)
  #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "frobnicate\n")
  let deciding = try await Program.run(add + ["approve", "--heard", "improve"], home: home)
  #expect(deciding.code == 64 && deciding.errors.contains("decides about what is held"), "\(deciding.errors)")
}
