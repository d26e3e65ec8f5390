import Testing
import VoiceCore
import VoiceSystem
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder that was made to be taken for a home.
private func plantedFolder(in home: TemporaryFolder) throws -> String {
  let folder = home.path + "/project"
  let configuration = "{ agent: { agent: 'acp:\(home.path)/trap' }, recording: { folder: '\(home.path)/stolen' } }"
  for name in [".config/parley", "parley"] {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    try Data(configuration.utf8).write(to: URL(filePath: "\(folder)/\(name)/parley.json5"))
  }
  try Data(configuration.utf8).write(to: URL(filePath: folder + "/parley.json5"))
  try Data("#!/bin/sh\ntouch '\(home.path)/sprung'\n".utf8).write(to: URL(filePath: home.path + "/trap"))
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path + "/trap")
  return folder
}

/// How a home is missing: not set, empty, relative.
@Test(
  .timeLimit(.minutes(5)),
  arguments: [
    "unset HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME",
    "export HOME= XDG_CONFIG_HOME= XDG_STATE_HOME= XDG_DATA_HOME=",
    "export HOME=. XDG_CONFIG_HOME=. XDG_STATE_HOME=. XDG_DATA_HOME=.",
  ])
func withoutAHomeNothingOfTheCurrentFolderIsTakenForIts(_ missing: String) async throws {
  let home = try TemporaryFolder()
  let folder = try plantedFolder(in: home)
  let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  let here = "cd '\(folder)' && \(missing) && exec \"$0\" \"$@\""
  for (arguments, code) in [
    (["ask", "where are you"], 0), (["log"], 78), (["why"], 78), (["ledger"], 78),
    (["words", "list"], 78), (["words", "add", "frobnicate"], 78), (["log", "index"], 78),
    (["ask", "hello", "--agent", "chat:http://127.0.0.1:1/v1"], 78), (["sessions", "chat:http://127.0.0.1:1/v1"], 78),
    (["run", "--agent", "echo", "--live", "ws://127.0.0.1:1/", "--speaker", "none", "--microphone", "none.wav"], 78),
  ] {
    let finished = try await Program.run(arguments, home: home, shell: here)
    #expect(finished.code == code, "\(arguments): \(finished.output)\(finished.errors)")
    if code == 78 {
      #expect(finished.errors.split(separator: "\n").count == 1, "\(arguments): \(finished.errors)")
      #expect(finished.errors.contains("HOME"), "\(arguments): \(finished.errors)")
    }
    #expect(!finished.output.contains("stolen"), "\(arguments): \(finished.output)")
  }
  #expect(!PlainFile.isThere(home.path + "/sprung"), "the project's agent was started")
  #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
}

/// A project may bring a configuration along; only the user can name it.
@Test(.timeLimit(.minutes(5))) func aProjectsOwnConfigurationIsNotRead() async throws {
  let home = try TemporaryFolder()
  let folder = try plantedFolder(in: home)
  let finished = try await Program.run(
    ["ask", "where are you", "--working-folder", folder], home: home, shell: "cd '\(folder)' && exec \"$0\" \"$@\"")
  #expect(finished.code == 0, "\(finished.errors)")
  #expect(!PlainFile.isThere(home.path + "/sprung"))
}

@Test(.timeLimit(.minutes(5))) func aConfigurationThatOthersCanChangeIsRefusedInOneLine() async throws {
  let home = try TemporaryFolder()
  let file = home.path + "/parley.json5"
  try Data("{ agent: { agent: 'acp:touch \(home.path)/sprung' } }".utf8).write(to: URL(filePath: file))
  try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
  let finished = try await Program.run(["ask", "hello", "--config", file], home: home)
  #expect(finished.code == 78)
  #expect(finished.errors.contains("chmod go-w \(file)"), "\(finished.errors)")
  #expect(finished.errors.split(separator: "\n").count == 1, "\(finished.errors)")
}

/// The folder of a session goes while it records; what it says and does goes on.
@Test(.timeLimit(.minutes(5))) func aSessionFolderThatIsRemovedIsToldOnceAndTheSessionGoesOn() async throws {
  let home = try TemporaryFolder()
  let session = home.path + "/session"
  try await IndependentServer.run(["--instruction", "why is the build failing"]) { server in
    async let finished = Program.run(
      [
        "run", "--live", server.url, "--microphone",
        Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav",
        "--speaker", "none", "--agent", "echo", "--mode", "direct", "--session", session,
      ], home: home)
    _ = try await server.journal.next { $0.contains("\"setup\"") ? true : nil }
    try FileManager.default.removeItem(atPath: session)
    let result = try await finished
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.split(separator: "was removed").count == 2, "\(result.output)")
    #expect(result.output.contains("done "), "\(result.output)")
  }
}
