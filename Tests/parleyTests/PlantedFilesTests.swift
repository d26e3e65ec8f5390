import Subprocess
import Testing
import VoiceRecording
import VoiceSystem
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What somebody may put where a file of the program is expected.
enum Plant: String, CaseIterable, CustomTestStringConvertible {
  case link, linkToNothing, linkToDevice, pipe, folder, socket

  var testDescription: String { rawValue }

  /// - Parameter target: what a link leads to: a file of the reader's own.
  func put(at path: String, target: String) throws {
    unlink(path)
    switch self {
    case .link: try #require(symlink(target, path) == 0)
    case .linkToNothing: try #require(symlink(target + "-that-is-not-there", path) == 0)
    case .linkToDevice: try #require(symlink("/dev/zero", path) == 0)
    case .pipe: try #require(mkfifo(path, 0o600) == 0)
    case .folder: try #require(mkdir(path, 0o700) == 0)
    case .socket: try #require(bound(path))
    }
  }

  private func bound(_ path: String) -> Bool {
    #if canImport(Glibc)
      mknod(path, S_IFSOCK | 0o600, 0) == 0
    #else
      mkfifo(path, 0o600) == 0
    #endif
  }
}

private let recordings = Repository.path + "/audio-fixtures/recordings/"
/// Words of the file that a link leads to; no other has them.
private let secretWords = "open the secret drawer"

/// A home with a session as it may have been received, and with files of the reader's own.
private struct Home {
  let folder: TemporaryFolder
  let session: SessionFolder

  init() throws {
    folder = try TemporaryFolder()
    session = try SessionFolder(creating: folder.path + "/received")
    try SessionManifest(program: "parley 0.1.0", started: "2026-11-20T10:00:00Z", plan: []).write(to: session.manifest)
    let log = try text("\(Repository.path)/audio-fixtures/direct/expected.jsonl")
    try write(log, to: session.log)
    try AppendFile(session.ledger).append([])
    for sound in [session.wave(.microphone), session.wave(.speaker)] {
      try FileManager.default.copyItem(atPath: recordings + "d06_flite_slt.wav", toPath: sound)
    }
    // What links lead to can be read as what it is taken for.
    try write(log.replacing("why is the build failing", with: secretWords), to: own("events.jsonl"))
    try write("{\"settled\":{\"instruction\":1}}\n", to: own("ledger.jsonl"))
    try SessionManifest(program: secretWords, started: "2026-11-20T10:00:00Z", plan: []).write(to: own("manifest.json"))
    for name in ["microphone.wav", "speaker.wav"] {
      try FileManager.default.copyItem(atPath: recordings + "d16_piper_joe.wav", toPath: own(name))
    }
    try write("OggS \(secretWords)", to: own("microphone.opus"))
  }

  /// A file of the reader's own.
  func own(_ name: String) -> String { folder.path + "/own-" + name }

  func text(_ path: String) throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }

  func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  func run(_ arguments: [String], shell: String? = nil) async throws -> Finished {
    try await Program.run(arguments.map { $0.replacing("HOME", with: folder.path) }, home: folder, shell: shell)
  }
}

@Test(.timeLimit(.minutes(5)), arguments: Plant.allCases)
func whatIsPlantedInAReceivedSessionIsNotReadAndSaidInOneLine(_ plant: Plant) async throws {
  let reads: [(file: String, verbs: [[String]])] = [
    (
      "events.jsonl",
      [
        ["log", "HOME/received/"], ["log", "HOME/received/", "--follow"], ["why", "HOME/received/"],
        ["report", "HOME/received", "--output", "HOME/page"], ["replay", "HOME/received"],
        ["replay", "HOME/received", "--against", "log"], ["fixture", "new", "HOME/received", "--to", "HOME/fixture"],
        ["log", "export", "HOME/received/", "--as", "markdown"],
      ]
    ),
    ("ledger.jsonl", [["ledger", "HOME/received/"]]),
    (
      "microphone.wav",
      [
        ["report", "HOME/received", "--output", "HOME/page"],
        ["fixture", "new", "HOME/received", "--to", "HOME/fixture"],
      ]
    ),
    (
      "speaker.wav",
      [
        ["report", "HOME/received", "--output", "HOME/page"],
        ["log", "export", "HOME/received/", "--as", "conversation", "--output", "HOME/page.opus"],
      ]
    ),
    ("microphone.opus", [["report", "HOME/received", "--output", "HOME/page"]]),
  ]
  for (file, verbs) in reads {
    let home = try Home()
    try plant.put(at: home.session.path + "/" + file, target: home.own(file))
    for verb in verbs {
      let finished = try await home.run(verb)
      #expect(finished.code == 65, "\(verb) \(file): \(finished.output)\(finished.errors)")
      #expect(finished.errors.split(separator: "\n").count == 1, "\(verb) \(file): \(finished.errors)")
      #expect(!(finished.output + finished.errors).contains(secretWords), "\(verb) \(file)")
      #expect(!PlainFile.isThere(home.folder.path + "/page"), "\(verb) \(file)")
      #expect(!PlainFile.isThere(home.folder.path + "/fixture"), "\(verb) \(file)")
    }
  }
}

/// A file that claims to be huge costs its sender nothing.
@Test(.timeLimit(.minutes(5))) func whatIsFarTooLargeIsNotRead() async throws {
  for (file, code, verb) in [
    ("events.jsonl", Int32(65), ["log", "HOME/received/"]), ("ledger.jsonl", 65, ["ledger", "HOME/received/"]),
    ("microphone.opus", 65, ["report", "HOME/received", "--output", "HOME/page"]),
    ("manifest.json", 0, ["report", "HOME/received", "--output", "HOME/page"]),
  ] {
    let home = try Home()
    let path = home.session.path + "/" + file
    if !PlainFile.isThere(path) { try home.write("", to: path) }
    try #require(truncate(path, 4 << 30) == 0)
    let finished = try await home.run(verb)
    #expect(finished.code == code, "\(file): \(finished.output)\(finished.errors)")
    #expect(code == 0 || finished.errors.contains("which no such file has. Remove it"), "\(finished.errors)")
    #expect(finished.errors.split(separator: "\n").count == (code == 0 ? 0 : 1), "\(finished.errors)")
  }
}

@Test(.timeLimit(.minutes(5)), arguments: Plant.allCases)
func aPlantedManifestIsNoneAndItsWordsStayWhereTheyAre(_ plant: Plant) async throws {
  let home = try Home()
  try plant.put(at: home.session.manifest, target: home.own("manifest.json"))
  let finished = try await home.run(["report", "HOME/received", "--output", "HOME/page"])
  #expect(finished.code == 0, "\(finished.errors)")
  #expect(try !home.text(home.folder.path + "/page").contains(secretWords))
}

@Test(.timeLimit(.minutes(5)), arguments: Plant.allCases)
func nothingIsWrittenThroughWhatIsPlantedInASessionFolder(_ plant: Plant) async throws {
  for file in [
    "events.jsonl", "manifest.json", "ledger.jsonl", "live.jsonl", "agent.jsonl", "running.lock", "microphone.wav",
    "microphone.opus", "speaker.wav",
  ] {
    let home = try Home()
    try #require(mkdir(home.folder.path + "/new", 0o700) == 0)
    try home.write("precious", to: home.own(file))
    try plant.put(at: home.folder.path + "/new/" + file, target: home.own(file))
    let finished = try await home.run([
      "run", "--speaker", "none", "--agent", "echo", "--live", "ws://127.0.0.1:1/", "--microphone",
      recordings + "d06_flite_slt.wav", "--session", "HOME/new",
    ])
    #expect(finished.code == 74, "\(file): \(finished.output)\(finished.errors)")
    #expect(finished.errors.split(separator: "\n").count == 1, "\(file): \(finished.errors)")
    #expect(try home.text(home.own(file)) == "precious", "\(file)")
    #expect(!PlainFile.isThere(home.own(file) + "-that-is-not-there"), "\(file)")
  }
}

/// Where libraries write; a session does not fail for it.
@Test(.timeLimit(.minutes(5)), arguments: Plant.allCases)
func diagnosticsAreNotWrittenThroughWhatIsPlanted(_ plant: Plant) async throws {
  let home = try Home()
  try #require(mkdir(home.folder.path + "/new", 0o700) == 0)
  try home.write("precious", to: home.own("diagnostics.txt"))
  try plant.put(at: home.folder.path + "/new/diagnostics.txt", target: home.own("diagnostics.txt"))
  // The library that is asked for devices prints at length what it does not find.
  let finished = try await home.run([
    "run", "--agent", "echo", "--live", "ws://127.0.0.1:1/", "--session", "HOME/new", "--microphone",
    recordings + "d06_flite_slt.wav", "--speaker", "none",
  ])
  #expect(finished.code == 69, "\(finished.output)\(finished.errors)")
  #expect(try home.text(home.own("diagnostics.txt")) == "precious")
  #expect(!PlainFile.isThere(home.own("diagnostics.txt") + "-that-is-not-there"))
}

@Test(.timeLimit(.minutes(5)), arguments: Plant.allCases)
func aReportAndAFixtureAreMadeBesideWhatIsPlantedAndNotThroughIt(_ plant: Plant) async throws {
  let home = try Home()
  try home.write("precious", to: home.own("report.html"))
  try plant.put(at: home.session.path + "/report.html", target: home.own("report.html"))
  let report = try await home.run(["report", "HOME/received"])
  #expect(report.code == (plant == .folder ? 74 : 0), "\(report.errors)")
  #expect(try home.text(home.own("report.html")) == "precious")

  let elsewhere = home.own("elsewhere")
  try #require(mkdir(elsewhere, 0o700) == 0)
  try plant.put(at: home.session.path + "/fixture-1", target: elsewhere)
  let fixture = try await home.run(["fixture", "new", "HOME/received", "--turn", "1"])
  #expect(fixture.code == (plant == .folder ? 0 : 74), "\(fixture.output)\(fixture.errors)")
  #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
}

@Test(.timeLimit(.minutes(5)), arguments: Plant.allCases)
func anExpectedLogIsNotAcceptedThroughWhatIsPlanted(_ plant: Plant) async throws {
  let home = try Home()
  let made = try await home.run(["fixture", "new", "HOME/received", "--to", "HOME/fixture"])
  #expect(made.code == 0, "\(made.errors)")
  let expected = home.folder.path + "/fixture/expected.jsonl"
  try home.write("precious", to: home.own("expected.jsonl"))
  try plant.put(at: expected, target: home.own("expected.jsonl"))
  let accepted = try await home.run(["replay", "HOME/fixture", "--accept"])
  #expect(accepted.code == (plant == .folder ? 74 : 0), "\(accepted.output)\(accepted.errors)")
  #expect(try home.text(home.own("expected.jsonl")) == "precious")
}

/// A folder of fixtures may have a link in it that leads to one elsewhere.
@Test(.timeLimit(.minutes(5)), arguments: ["world", "log"])
func aLinkInAFolderOfFixturesIsNotFollowed(_ gear: String) async throws {
  let home = try Home()
  let made = try await home.run(["fixture", "new", "HOME/received", "--to", "HOME/elsewhere"])
  #expect(made.code == 0, "\(made.errors)")
  try #require(mkdir(home.folder.path + "/sent", 0o700) == 0)
  try #require(symlink(home.folder.path + "/elsewhere", home.folder.path + "/sent/linked") == 0)
  let expected = home.folder.path + "/elsewhere/expected.jsonl"
  unlink(expected)
  let arguments = ["replay", "HOME/sent", "--against", gear] + (gear == "world" ? ["--accept"] : [])
  let replayed = try await home.run(arguments)
  #expect(replayed.code == 65, "\(replayed.output)\(replayed.errors)")
  #expect(
    (replayed.output + replayed.errors).contains("links are not followed"), "\(replayed.output)\(replayed.errors)")
  #expect(!PlainFile.isThere(expected))
  // The user may name it.
  let named = try await home.run(["replay", "HOME/sent/linked", "--accept"])
  #expect(named.code == 0, "\(named.output)\(named.errors)")
}

@Test(.timeLimit(.minutes(5)), arguments: Plant.allCases)
func whatIsNoIndexIsSaidInOneLine(_ plant: Plant) async throws {
  let home = try Home()
  try #require(mkdir(home.folder.path + "/all", 0o700) == 0)
  try #require(rename(home.session.path, home.folder.path + "/all/one") == 0)
  try home.write("precious", to: home.own("index.sqlite"))
  try plant.put(at: home.folder.path + "/all/index.sqlite", target: home.own("index.sqlite"))
  for verb in [["log"], ["log", "--search", "build"], ["log", "index"], ["log", "index", "--rebuild"]] {
    let finished = try await home.run(verb + ["--sessions", "HOME/all"])
    #expect(finished.code == 74, "\(verb): \(finished.output)\(finished.errors)")
    #expect(finished.errors.split(separator: "\n").count == 1, "\(verb): \(finished.errors)")
  }
  #expect(try home.text(home.own("index.sqlite")) == "precious")
}

@Test(
  .enabled(if: Program.isInstalled("python3"), "python3 is needed"), .timeLimit(.minutes(5)),
  arguments: [
    "", "create table session (id, name)",
    "create table session (id, name, stamp, started, duration, turns, outcome, title)",
    "create view session as select 1", "create table entry (text, kind, turn, time)",
  ])
func anIndexWithoutItsTablesIsMadeAnew(_ statements: String) async throws {
  let home = try Home()
  try #require(mkdir(home.folder.path + "/all", 0o700) == 0)
  try #require(rename(home.session.path, home.folder.path + "/all/one") == 0)
  let script = """
    import sqlite3, sys
    base = sqlite3.connect(sys.argv[1])
    base.executescript(sys.argv[2] + "; pragma user_version = 1")
    """
  _ = try await Subprocess.run(
    .name("python3"), arguments: ["-c", script, home.folder.path + "/all/index.sqlite", statements], output: .discarded)
  let finished = try await home.run(["log", "--sessions", "HOME/all"])
  #expect(finished.code == 0, "\(finished.errors)")
  #expect(finished.output.contains("why is the build failing"), "\(finished.output)\(finished.errors)")
}

/// A name with everything in it that could drive a terminal or turn what stands beside it.
private let evilName = "one\u{1B}]52;c;cm0gLXJm\u{07}\u{1B}[2J\u{202E}drah\u{2066}\ntwo\u{9B}31m\u{85}three"

@Test(.timeLimit(.minutes(5))) func theNameOfAFolderIsPrintedHarmless() async throws {
  let home = try Home()
  let root = home.folder.path + "/all"
  try #require(mkdir(root, 0o700) == 0)
  try #require(rename(home.session.path, root + "/" + evilName) == 0)
  // One that cannot be read, and one whose beginning is that of the other.
  try #require(mkdir(root + "/" + evilName + "-broken", 0o700) == 0)
  try home.write("no log\n", to: root + "/" + evilName + "-broken/events.jsonl")
  let path = root + "/" + evilName
  let common = ["--sessions", root]
  let verbs: [[String]] = [
    ["log"] + common, ["log", "--search", "build"] + common, ["log", "--search", "build", "--no-index"] + common,
    ["log", "index", "--rebuild"] + common, ["log", path], ["log", path + "-broken"], ["log", "one"] + common,
    ["log", "prune", "--keep-days", "0"] + common, ["why", path], ["report", path], ["report", path + "-broken"],
    ["ledger", path], ["ledger", root], ["ledger", path + "-broken"], ["replay", path],
    ["replay", path, "--against", "log"], ["replay", path + "-broken"],
    ["fixture", "new", path], ["fixture", "new", path], ["log", "export", path + "-broken", "--as", "markdown"],
    ["log", "export", path, "--as", "session", "--redact", "--output", path + "-redacted"],
    ["run", "--config", path], ["run", "--agent", "echo", "--live", "ws://127.0.0.1:1/", "--session", path],
    ["run", "--agent", "echo", "--live", "ws://127.0.0.1:1/", "--microphone", path],
    ["ask", "hello", "--agent", "acp:" + evilName],
    ["ask", "hello", "--agent", "echo", "--working-folder", path + "-no"],
    ["sessions", "echo", "resume", evilName], ["agents", "acp:" + evilName], ["record", path], ["transcribe", path],
    ["check", "--config", path],
  ]
  for verb in verbs {
    let finished = try await Program.run(verb, home: home.folder)
    let printed = finished.output + finished.errors
    #expect(!printed.isEmpty, "\(verb)")
    for scalar in printed.unicodeScalars where scalar != "\n" {
      let isHarmful = scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
      #expect(!isHarmful, "\(verb): \(scalar.value) in \(printed.debugDescription)")
      if isHarmful { break }
    }
    #expect(!printed.contains("\ntwo"), "\(verb): \(printed.debugDescription)")
  }
}
