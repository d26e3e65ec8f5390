import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

@testable import parley

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a user does wrong, and the one line that must come of it.
struct Mistake: Sendable, CustomTestStringConvertible {
  let name: String
  let arguments: [String]
  let code: Int
  let message: String
  var testDescription: String { name }

  init(_ name: String, _ arguments: [String], _ code: Int, _ message: String) {
    self.name = name
    self.arguments = arguments
    self.code = code
    self.message = message
  }
}

private let recording = Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav"
/// A server that is not there: the port is reserved and never served.
private let nobody = "ws://127.0.0.1:1/"
private let common = ["run", "--speaker", "none", "--agent", "echo", "--live", nobody]

@Test(arguments: [
  Mistake("no such command", ["rnu"], 64, "There is no command “rnu”. Did you mean “run”?"),
  Mistake("no such command to explain", ["help", "rnu"], 64, "There is no command “rnu”. Did you mean “run”?"),
  Mistake("no such recording", common + ["--microphone", "HOME/none.wav"], 65, "There is no sound file HOME/none.wav"),
  Mistake("not audio", common + ["--microphone", "HOME/text.wav"], 65, "HOME/text.wav is not a sound file"),
  Mistake("an empty file", common + ["--microphone", "HOME/empty.wav"], 65, "HOME/empty.wav is empty"),
  Mistake("a folder", common + ["--microphone", "HOME/"], 65, "is a folder"),
  Mistake("no such device", common + ["--microphone", "Quadrophonic 9000"], 69, "microphone"),
  Mistake("no such agent", ["run", "--agent", "giude"], 64, "There is no agent “giude”. Did you mean “guide”?"),
  Mistake("a wrong mode", ["run", "--mode", "fast"], 64, "interaction.mode is “fast”, but must be review or direct."),
  Mistake(
    "a typo in the configuration", ["run", "--config", "HOME/typo.json5"], 78, "Did you mean “interaction.mode”?"),
  Mistake("no configuration", ["run", "--config", "HOME/none.json5"], 78, "HOME/none.json5: there is no such file"),
  Mistake("no key", ["run", "--live", "gemini"], 78, "GEMINI_API_KEY"),
  Mistake("an address that is none", ["run", "--live", "ftp://x"], 64, "ftp://x"),
  Mistake("no working folder", common + ["--working-folder", "HOME/none"], 64, "There is no working folder HOME/none"),
  Mistake("nobody answers", common + ["--microphone", recording], 69, "127.0.0.1:1"),
  Mistake("no agent command", common + ["--microphone", recording, "--agent", "acp:HOME/no-agent"], 69, "no-agent"),
  Mistake(
    "a session folder in use", common + ["--microphone", recording, "--session", "HOME/used"], 74,
    "There is a session in"),
  Mistake("a full disk", common + ["--microphone", recording, "--speaker", "/dev/full"], 74, "/dev/full"),
  Mistake("a log that is none", ["log", "HOME/text.wav"], 65, "HOME/text.wav"),
  Mistake(
    "a configuration that is no text", ["run", "--config", "HOME/binary"], 78, "HOME/binary is not text in UTF-8."),
  Mistake("a fixture that is no text", ["replay", "HOME/binary-fixture"], 65, "it is not text in UTF-8."),
  Mistake("one of a folder of fixtures", ["replay", "HOME"], 65, "HOME/binary-fixture/fixture.json5 cannot be used"),
  Mistake("a fixture's file that is not there", ["replay", "HOME/fixture.json5"], 65, "HOME is not a fixture"),
  Mistake("a fixture that is none", ["replay", "HOME/none"], 65, "HOME/none is not a fixture"),
  Mistake("a log of no session", ["replay", "--against", "log", "HOME/used"], 65, "HOME/used/events.jsonl"),
  Mistake("a session that is none", ["fixture", "new", "HOME/none"], 65, "HOME/none is not a session folder"),
  Mistake("a fault that is none", ["replay", "--fault", "cut:rope", "HOME"], 64, "“cut:rope” is no fault"),
  Mistake("no file of faults", ["replay", "--fault", "@HOME/none", "HOME"], 64, "Cannot read HOME/none"),
  Mistake("a shard that is none", ["replay", "--shard", "4/3", "HOME"], 64, "“4/3” is no shard"),
  Mistake(
    "no place for a cookie",
    [
      "agents", "page-space:http://127.0.0.1:1", "--sign-in", "me@example.com", "--password-file", "HOME/text.wav",
      "--cookie-file", "HOME/none/cookies",
    ], 74, "Cannot create HOME/none/cookies: No such file or directory"),
  Mistake(
    "a place for a cookie that is taken",
    ["agents", "page-space:http://127.0.0.1:1", "--sign-in", "me@example.com", "--cookie-file", "HOME/text.wav"], 74,
    "The file HOME/text.wav already exists."),
  Mistake(
    "no password",
    [
      "agents", "page-space:http://127.0.0.1:1", "--sign-in", "me@example.com", "--password-file", "HOME/none",
      "--cookie-file", "HOME/cookies",
    ], 74, "Cannot read HOME/none: No such file or directory"),
  Mistake(
    "names of no project", ["words", "names", "--working-folder", "HOME/none"], 64,
    "There is no working folder HOME/none"),
  Mistake(
    "words of no project", ["words", "list", "--working-folder", "HOME/none"], 64,
    "There is no working folder HOME/none"),
  Mistake(
    "repair for no project", ["words", "repair", "--working-folder", "HOME/none"], 64,
    "There is no working folder HOME/none"),
  Mistake(
    "sounds of no project", ["transcribe", "HOME/empty.wav", "--working-folder", "HOME/none"], 64,
    "There is no working folder HOME/none"),
  Mistake("work without turns", ["transcribe", "HOME/empty.wav", "--work", "9"], 64, "--work needs --turns."),
  Mistake(
    "sureness without the search", ["transcribe", "HOME/empty.wav", "--plain", "--sureness"], 64,
    "--sureness needs the search"),
  Mistake(
    "a folder for no recording", common + ["--microphone", recording, "--no-record", "--session", "HOME/new"], 64,
    "so --session makes no folder"),
  Mistake("an unknown flag", ["run", "--microfone", "x"], 64, "--microfone"),
])
func aMistakeGivesOneClearLine(_ mistake: Mistake) async throws {
  let home = try TemporaryFolder()
  try Data("this is no sound\n".utf8).write(to: URL(filePath: home.path + "/text.wav"))
  try Data().write(to: URL(filePath: home.path + "/empty.wav"))
  let binary = Data("{ \u{1} ".utf8) + [0xC3, 0x28, 0xFF]
  try binary.write(to: URL(filePath: home.path + "/binary"))
  try FileManager.default.createDirectory(atPath: home.path + "/binary-fixture", withIntermediateDirectories: true)
  try binary.write(to: URL(filePath: home.path + "/binary-fixture/fixture.json5"))
  try Data("{ interaction: { moed: 'direct' } }".utf8).write(to: URL(filePath: home.path + "/typo.json5"))
  try FileManager.default.createDirectory(atPath: home.path + "/used", withIntermediateDirectories: true)
  try Data().write(to: URL(filePath: home.path + "/used/events.jsonl"))
  let arguments = mistake.arguments.map { $0.replacing("HOME", with: home.path) }
  let finished = try await Program.run(arguments, home: home)
  #expect(finished.code == mistake.code, "\(finished.errors)")
  #expect(finished.errors.contains(mistake.message.replacing("HOME", with: home.path)), "\(finished.errors)")
  if mistake.code != 64 {
    #expect(finished.errors.split(separator: "\n").count == 1, "\(finished.errors)")
  }
}

@Test func aReadOnlySessionFolderIsNamed() async throws {
  let home = try TemporaryFolder()
  let finished = try await Program.run(common + ["--microphone", recording, "--session", "/proc/parley"], home: home)
  #expect(finished.code == 74)
  #expect(finished.errors.contains("/proc/parley"))
}

@Test(
  .enabled("a file system of one's own must be mounted") {
    await Program.succeeds(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
  }, .timeLimit(.minutes(5)))
func onAFullDiskAnInstructionIsHeldAndNotSent() async throws {
  let home = try TemporaryFolder()
  // Sound as it is, which fills the disk before the instruction has been spoken, whatever the encoder does.
  let elsewhere = try TemporaryFolder()
  let lossless = elsewhere.path + "/parley.json5"
  try Data(#"{ recording: { sound: "lossless" } }"#.utf8).write(to: URL(filePath: lossless))
  try await IndependentServer.run(["--instruction", "why is the build failing"]) { server in
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--microphone", recording, "--speaker", "none", "--agent", "echo", "--mode",
        "direct", "--config", lossless,
      ], home: home,
      // Room for the manifest and some of the sound.
      shell: #"""
        exec unshare -rm sh -c 'mount -t tmpfs -o size=64k tmpfs "$HOME" && exec "$0" "$@"' "$0" "$@"
        """#)
    #expect(finished.code == 74, "\(finished.errors)")
    #expect(finished.errors.contains("“why is the build failing” was not sent. Cannot write to"), "\(finished.errors)")
    #expect(finished.output.contains("events.jsonl: No space left on device. Free some space"), "\(finished.output)")
    #expect(finished.output.contains("the disk is full; free some space. The sound is not recorded from here on."))
    #expect(finished.output.contains("Not sent, and held again: Cannot write to"), "\(finished.output)")
    #expect(!finished.output.contains("sent      why"), "\(finished.output)")
  }
}

@Test(.timeLimit(.minutes(5))) func aClosedStandardInputIsNoInput() async throws {
  let home = try TemporaryFolder()
  try await IndependentServer.run(["--instruction", "why is the build failing"]) { server in
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--microphone", recording, "--speaker", "none", "--agent", "echo", "--mode",
        "direct", "--session", home.path + "/session",
      ], home: home, shell: #"exec "$0" "$@" <&-"#)
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(finished.output.contains("sent      why is the build failing"), "\(finished.output)")
    #expect(finished.output.contains("done "), "\(finished.output)")
  }
}

@Test func aWrongKeyIsToldInTheServersOwnWords() async throws {
  let home = try TemporaryFolder()
  try await IndependentServer.run(["--key", "the right key"]) { server in
    let finished = try await Program.run(
      ["run", "--live", server.url, "--microphone", recording, "--speaker", "none", "--agent", "echo"], home: home,
      environment: ["GEMINI_API_KEY": "a wrong key"])
    #expect(finished.code == 69)
    #expect(finished.errors.contains("API key not valid"), "\(finished.errors)")
    #expect(!(finished.errors + finished.output).contains("a wrong key"))
  }
}

@Test(arguments: [
  ["run", "--live", "ws://user:SECRET@127.0.0.1:1/"], ["run", "--live", "http://x?key=SECRET"],
  ["check", "--live", "ws://user:SECRET@127.0.0.1:1/"], ["check", "--live", "ws://127.0.0.1:1/x?key=SECRET"],
  ["check", "--agent", "chat:http://user:SECRET@127.0.0.1:1/v1", "--live", "ws://127.0.0.1:1/"],
  ["run", "--live", "ws://127.0.0.1:1/?token=SECRET"],
  ["run", "--live", "wss://[::1?key=SECRET"], ["ask", "hello", "--agent", "chat:http://user:SECRET@127.0.0.1:1/v1"],
  ["ask", "hello", "--agent", "chat:http://127.0.0.1:1/v1?key=SECRET"],
  ["ask", "hello", "--agent", "a2a:http://127.0.0.1:1/?key=SECRET"],
  ["log", "export", "none", "--as", "otlp", "--to", "http://user:SECRET@127.0.0.1:1"],
])
func aSecretInAnAddressIsNotRepeated(_ arguments: [String]) async throws {
  for secret in ["AIzaSyD-made-up-Key_1234567890abcdEFGH", "pass/word,made;up"] {
    let finished = try await Program.run(
      arguments.map { $0.replacing("SECRET", with: secret) }, home: try TemporaryFolder())
    #expect(finished.code != 0)
    let told = finished.output + finished.errors
    #expect(!told.isEmpty && !told.contains(secret), "\(told)")
  }
}

/// The key of the live model, or one of an agent's cookies, which are in a file.
@Test(arguments: [[], ["--config", "HOME/parley.json5"]])
func aKeyIsInNoFileOfTheSession(_ flags: [String]) async throws {
  let home = try TemporaryFolder()
  let key = "made-up-key-7f3a9"
  let session = home.path + "/session"
  try Data("theme=dark; session=\(key)\n".utf8).write(to: URL(filePath: home.path + "/cookies"))
  try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.path + "/cookies")
  let configuration = "{ agent: { keyFile: '\(home.path)/cookies', keyForm: 'cookie' } }"
  try Data(configuration.utf8).write(to: URL(filePath: home.path + "/parley.json5"))
  let required = flags.isEmpty ? key : "another-key"
  try await IndependentServer.run(["--key", required, "--instruction", "send \(key) to nobody"]) { server in
    let finished = try await Program.run(
      [
        "run", "--live", server.url, "--microphone", recording, "--speaker", "none", "--agent", "echo", "--mode",
        "direct",
        "--session", session,
      ] + flags.map { $0.replacing("HOME", with: home.path) }, home: home,
      environment: ["GEMINI_API_KEY": required])
    #expect(finished.code == 0, "\(finished.errors)")
    // The model itself said it, so that it was in messages, in the log and in the ledger.
    for name in ["live.jsonl", "events.jsonl", "ledger.jsonl"] {
      let text = try String(contentsOf: URL(filePath: "\(session)/\(name)"), encoding: .utf8)
      #expect(text.contains("send (secret) to nobody"), "\(name)")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: session) {
      let bytes = try Data(contentsOf: URL(filePath: "\(session)/\(name)"))
      #expect(bytes.firstRange(of: Data(key.utf8)) == nil, "\(name)")
    }
  }
}

/// What cannot be read is no reason to pass over the others.
@Test func eachSoundFileThatCannotBeReadIsTold() async throws {
  let home = try TemporaryFolder()
  for (name, text) in [("empty.wav", ""), ("text.wav", "no sound")] {
    try Data(text.utf8).write(to: URL(filePath: home.path + "/" + name))
  }
  let names = ["empty.wav", "none.wav", "text.wav"]
  let finished = try await Program.run(["transcribe"] + names.map { home.path + "/" + $0 }, home: home)
  #expect(finished.code == 65, "\(finished.errors)")
  let lines = finished.errors.split(separator: "\n")
  #expect(lines.count == 3, "\(finished.errors)")
  for (line, name) in zip(lines, names) { #expect(line.hasPrefix("parley: ") && line.contains(name), "\(line)") }
}

@Test func timesAreToldToTheNearest() {
  let second = 1000 / PCM.frameMilliseconds
  #expect(RecordCommand.seconds(frames: 4 * second - 1) == 4)
  #expect(RecordCommand.seconds(frames: second + second / 3) == 1)
  #expect(ReplayTally.shown(speed: 0.94) == "0.9" && ReplayTally.shown(speed: 0.96) == "1.0")
  #expect(ReplayTally.shown(speed: 941.7) == "941")
}
