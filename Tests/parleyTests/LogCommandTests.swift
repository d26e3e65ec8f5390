import Subprocess
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

/// A home with sessions made of these fixtures, where `parley` looks for them.
private func homeOfSessions(_ fixtures: [String]) throws -> (home: TemporaryFolder, sessions: String) {
  let home = try TemporaryFolder()
  let sessions = try SessionFolder.defaultRoot(environment: ["XDG_STATE_HOME": home.path])
  for (index, fixture) in fixtures.enumerated() {
    let folder = try SessionFolder(creating: "\(sessions)/2026-11-2\(index)T100000Z-1")
    try SessionManifest(program: "parley 0.1.0", started: "2026-11-2\(index)T10:00:00Z", plan: [])
      .write(to: folder.manifest)
    try FileManager.default.copyItem(
      atPath: "\(Repository.path)/audio-fixtures/\(fixture)/expected.jsonl", toPath: folder.log)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + Double(index))], ofItemAtPath: folder.log)
  }
  return (home, sessions)
}

private func rows(_ finished: Finished) -> [Substring] { finished.output.split(separator: "\n") }

@Test func sessionsAreListedSearchedShownAndExplained() async throws {
  let (home, _) = try homeOfSessions(["review-approve", "direct", "silence"])
  let list = try await Program.run(["log"], home: home)
  #expect(list.code == 0, "\(list.errors)")
  #expect(rows(list).map { $0.prefix(10) } == ["2026-11-22", "2026-11-21", "2026-11-20"])
  #expect(list.output.contains("why is the build failing"))

  let found = try await Program.run(["log", "--search", "build failing", "--kind", "you"], home: home)
  #expect(found.code == 0)
  #expect(found.output.contains("2026-11-20T100000Z-1  turn 1"), "\(found.output)")
  let scanned = try await Program.run(
    ["log", "--search", "build failing", "--kind", "you", "--no-index"], home: home)
  #expect(scanned.output == found.output)
  let nothing = try await Program.run(["log", "--search", "mongoose"], home: home)
  #expect(nothing.code == 1)

  let shown = try await Program.run(
    ["log", "2026-11-20", "--kind", "held", "--kind", "sent", "--turn", "1"], home: home)
  #expect(rows(shown).count == 2, "\(shown.output)")
  let part = try await Program.run(["log", "2026-11-20", "--from", "0:04", "--to", "4.7"], home: home)
  #expect(!part.output.isEmpty)
  #expect(rows(part).allSatisfy { $0.hasPrefix("00:04.") })

  let why = try await Program.run(["why", "2026-11-20"], home: home)
  #expect(why.output.hasPrefix("Turn 1 of 1 of session 2026-11-20T100000Z-1\n00:00.800  You spoke"))
  let silent = try await Program.run(["why"], home: home)
  #expect(silent.code == 0)
  #expect(silent.output.contains("Nothing that you said became a turn."), "\(silent.output)")
}

/// Midnight is where the user is; the sessions began at ten in the morning of UTC. `ABC-14` is fourteen hours before that.
@Test(arguments: [
  ("ABC-14", "2026-11-21", 3), ("ABC0", "2026-11-21", 2), ("ABC11", "2026-11-21", 1), ("ABC11", "2026-11-21Z", 2),
  ("ABC-14", "2026-11-21T00:01", 2), ("ABC-14", "2026-11", 3), ("ABC11", "2027", 0),
])
func aDayBeginsWhereTheUserIs(_ zone: String, _ day: String, _ count: Int) async throws {
  let (home, _) = try homeOfSessions(["review-approve", "direct", "review-approve"])
  let there = ["TZ": zone]
  let list = try await Program.run(["log", "--since", day], home: home, environment: there)
  #expect(rows(list).count { $0.hasPrefix("2026-11-2") } == count, "\(list.output)\(list.errors)")
  for way in [["--index"], ["--no-index"]] {
    let search = ["log", "--search", "why is the build failing", "--kind", "you", "--since", day]
    let found = try await Program.run(search + way, home: home, environment: there)
    let sessions = Set(rows(found).filter { $0.hasPrefix("2026-11-2") }.map { $0.prefix(10) })
    #expect(sessions.count == count, "\(found.output)\(found.errors)")
  }
}

@Test(arguments: ["2026-1", "2026-02-30", "2026-11-21T1", "Z", "yesterday"])
func whatIsNoDayIsRefused(_ day: String) async throws {
  let (home, _) = try homeOfSessions([])
  #expect(try await Program.run(["log", "--since", day], home: home).code == 64)
}

@Test func aSessionWithoutAnEndRunsOrBrokeOff() async throws {
  let (home, sessions) = try homeOfSessions(["review-approve"])
  let folder = try SessionFolder(reading: "\(sessions)/2026-11-20T100000Z-1")
  let lines = try String(contentsOf: URL(filePath: folder.log), encoding: .utf8).split(separator: "\n")
  try Data(lines.dropLast(4).joined(separator: "\n").utf8 + [0x0A]).write(to: URL(filePath: folder.log))
  let brokeOff = try await Program.run(["log"], home: home)
  #expect(brokeOff.output.contains("2026-11-20T100000Z-1  broke off "), "\(brokeOff.output)")
  let mark = try RunningMark(creating: folder.mark)
  let running = try await Program.run(["log"], home: home)
  #expect(running.output.contains("2026-11-20T100000Z-1  running   "), "\(running.output)")
  mark.remove()
  let followed = try await Program.run(["log", "last", "--follow"], home: home)
  #expect(followed.code == 75 && followed.errors.contains("The session broke off"), "\(followed.errors)")
}

@Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
func whatCannotBePrintedIsAnError() async throws {
  let (home, _) = try homeOfSessions(["review-approve"])
  for verb in ["log export last --as markdown", "why last", "log last", "ask hello --agent echo"] {
    let shell = try await Subprocess.run(
      .name("sh"), arguments: ["-c", "\(Program.path) \(verb) > /dev/full"],
      environment: .inherit.updating(["XDG_STATE_HOME": home.path]), output: .discarded,
      error: .string(limit: 4_096))
    #expect(shell.terminationStatus == .exited(74), "\(verb)")
    #expect(shell.standardError.contains("Standard output cannot be written: No space left on device."), "\(verb)")
  }
}

/// On a full disk the sessions that there are can be looked at. The limit is one of blocks of 512 bytes.
@Test(arguments: [0, 1, 40]) func theSessionsAreListedWhereTheIndexHasNoRoom(_ blocks: Int) async throws {
  let (home, sessions) = try homeOfSessions(["review-approve", "direct"])
  func run(_ arguments: String) async throws -> (code: TerminationStatus, output: String, errors: String) {
    let shell = try await Subprocess.run(
      .name("sh"), arguments: ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec \(Program.path) \(arguments)"],
      environment: .inherit.updating(["XDG_STATE_HOME": home.path]), output: .string(limit: 9_999),
      error: .string(limit: 9_999))
    return (shell.terminationStatus, shell.standardOutput, shell.standardError)
  }
  let listed = try await run("log")
  #expect(listed.code == .exited(0) && listed.output.split(separator: "\n").count == 2, "\(listed)")
  #expect(listed.errors.contains("\(sessions)/index.sqlite") && listed.errors.contains("read instead"), "\(listed)")
  let found = try await run("log --search build")
  #expect(found.code == .exited(0) && !found.output.isEmpty && !found.errors.isEmpty, "\(found)")
  #expect(try await run("log index").code == .exited(74))
}

/// What each verb is given besides the session.
@Test(arguments: [
  ["log"], ["why"], ["report", "--output", "HOME/page"], ["log", "export", "--as", "markdown"], ["ledger"],
  ["replay", "--against", "log"],
])
func everyVerbTakesASessionByFolderByNameByItsBeginningAndByLast(_ verb: [String]) async throws {
  let (home, sessions) = try homeOfSessions(["review-approve", "direct"])
  for folder in ["\(sessions)/2026-11-20T100000Z-1", "\(sessions)/2026-11-21T100000Z-1"] {
    try AppendFile(SessionFolder(reading: folder).ledger).append([])
  }
  var outputs: [String] = []
  for session in ["\(sessions)/2026-11-21T100000Z-1", "2026-11-21T100000Z-1", "2026-11-21", "last"] {
    if FileManager.default.fileExists(atPath: home.path + "/page") {
      try FileManager.default.removeItem(atPath: home.path + "/page")
    }
    let finished = try await Program.run(
      (verb + [session]).map { $0.replacing("HOME", with: home.path) }, home: home)
    #expect(finished.code == 0, "\(session): \(finished.output)\(finished.errors)")
    outputs.append(finished.output.replacing(/[0-9,.]+ s: .*/, with: ""))
  }
  #expect(Set(outputs).count == 1, "\(outputs)")
  let ambiguous = try await Program.run(verb.map { $0.replacing("HOME", with: home.path) } + ["2026-11"], home: home)
  #expect(ambiguous.code == 65)
  #expect(ambiguous.errors.contains("begin with 2026-11: 2026-11-20T100000Z-1, 2026-11-21T100000Z-1."), "\(ambiguous)")
}

@Test func followingEndsWithTheSession() async throws {
  let (home, _) = try homeOfSessions(["direct"])
  let whole = try await Program.run(["log", "last"], home: home)
  let followed = try await Program.run(["log", "last", "--follow"], home: home)
  #expect(followed.code == 0)
  #expect(followed.output == whole.output)
}

@Test func pruningShowsFirstAndDeletesOnlyWhenToldTo() async throws {
  let (home, sessions) = try homeOfSessions(["direct", "silence"])
  let shown = try await Program.run(["log", "prune", "--keep-days", "30"], home: home)
  #expect(shown.output.contains("2 sessions"), "\(shown.output)")
  #expect(shown.output.contains("Nothing was deleted"))
  #expect(try FileManager.default.contentsOfDirectory(atPath: sessions).count == 2)
  let deleted = try await Program.run(["log", "prune", "--keep-days", "30", "--delete"], home: home)
  #expect(deleted.output.contains("2 sessions deleted"), "\(deleted.output + deleted.errors)")
  #expect(try FileManager.default.contentsOfDirectory(atPath: sessions).isEmpty)
}

@Test func aRedactedSessionReplaysAndTellsNothing() async throws {
  let (home, _) = try homeOfSessions(["review-approve"])
  let folder = home.path + "/redacted"
  let written = try await Program.run(
    ["log", "export", "--as", "session", "--redact", "--output", folder], home: home)
  #expect(written.code == 0, "\(written.errors)")
  let shown = try await Program.run(["log", folder], home: home)
  #expect(shown.code == 0)
  #expect(shown.output.contains("held "))
  #expect(!shown.output.contains("build failing"))
  let page = try await Program.run(["log", "export", "--as", "markdown", "--redact"], home: home)
  #expect(page.output.contains("## Turn 1"))
  #expect(!page.output.contains("failing"))
}

/// What an agent begins by itself is a turn that is there, and begins with nothing that a fixture could.
@Test func aTurnThatNobodyBeganCannotBeAFixture() async throws {
  let home = try TemporaryFolder()
  let folder = try SessionFolder(creating: home.path + "/own")
  let run = RunID(rawValue: -1)
  let told: [AgentEvent] = [.turnStarted, .text(delta: "It is done."), .turnEnded(end: .completed)]
  let events: [VoiceEvent] =
    [
      .sessionStarted(settings: InteractionSettings { $0.mode = .direct }),
      .agentReady(agent: AgentDescription(name: "agent")), .agentStartedRun(run: run, text: "a command ended"),
    ] + told.map { .agentReported(run: run, event: $0) }
  var controller = InteractionController()
  let codec = LogCodec()
  var log = codec.encode(LogHeader.current)
  for (index, event) in events.enumerated() {
    let time = SessionTime.milliseconds(Int64(index) * 100)
    var step = VoiceStep(sequence: index, time: time, event: event, actions: controller.handle(event, at: time))
    (step.reasons, step.state) = (controller.takeReasons(), controller.digest)
    log += codec.encode(LogLine(step: step))
  }
  try AppendFile(folder.log).append(log)
  let why = try await Program.run(["why", folder.path, "--turn", "1"], home: home)
  #expect(why.code == 0 && why.output.hasPrefix("Turn 1 of 1"), "\(why.output)\(why.errors)")
  let refused = try await Program.run(["fixture", "new", folder.path, "--turn", "1"], home: home)
  #expect(refused.code == 65 && refused.errors.contains("cannot be a fixture by itself"), "\(refused)")
}

@Test func aReportIsWrittenIntoTheSessionFolderAndMadeAnewTheNextTime() async throws {
  let (home, sessions) = try homeOfSessions(["direct"])
  for _ in 0..<2 {
    let finished = try await Program.run(["report"], home: home)
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(finished.output == "\(sessions)/2026-11-20T100000Z-1/report.html\n")
  }
  let mode = try FileManager.default.attributesOfItem(atPath: "\(sessions)/2026-11-20T100000Z-1/report.html")[
    .posixPermissions]
  #expect(mode as? Int == 0o600)
}

@Test(.timeLimit(.minutes(5)), arguments: [[], ["--reject"], ["--token", "another"]])
func tracesGoToACollector(_ behaviour: [String]) async throws {
  let (home, _) = try homeOfSessions(["review-approve"])
  let journal = Journal<String>()
  _ = try await Subprocess.run(
    .name("python3"), arguments: Arguments([Repository.path + "/Tests/servers/otlp_collector.py"] + behaviour),
    input: .none, output: .sequence, error: .discarded
  ) { execution in
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await line in execution.standardOutput.strings() { journal.append(line.trimmingWhitespace()) }
      }
      let port = try await journal.next { Int($0) }
      let address = "http://127.0.0.1:\(port)"
      let finished = try await Program.run(
        ["log", "export", "--as", "otlp", "--to", address, "--token-variable", "COLLECTOR_TOKEN"], home: home,
        environment: ["COLLECTOR_TOKEN": "secret-token"])
      let request: [String] = try await journal.next { line in
        do { return try JSONDecoder().decode([String].self, from: Data(line.utf8)) } catch { return nil }
      }
      #expect(request[0] == "/v1/traces")
      #expect(request[1] == "application/json")
      #expect(request[2].contains("\"resourceSpans\""))
      #expect(!(finished.output + finished.errors).contains("secret-token"))
      switch behaviour.first {
      case "--reject": #expect(finished.code == 69 && finished.errors.contains("too old"), "\(finished.errors)")
      case "--token": #expect(finished.code == 69 && finished.errors.contains("status 401"), "\(finished.errors)")
      default: #expect(finished.code == 0 && finished.output.contains("1 turn sent"), "\(finished.errors)")
      }
      try execution.send(signal: .terminate)
      try await group.waitForAll()
    }
  }
}

@Test(arguments: [
  Mistake("no such session", ["log", "nowhere"], 65, "There is no session nowhere"),
  Mistake("no session at all", ["why"], 65, "There is no session in HOME/parley/sessions yet"),
  Mistake("no such turn", ["why", "HOME/used", "--turn", "3"], 1, "There is no turn 3: the session has one turn."),
  Mistake(
    "no such turn in a log", ["log", "HOME/used", "--turn", "9"], 1, "There is no turn 9: the session has one turn."),
  Mistake("no such turn for a fixture", ["fixture", "new", "HOME/used", "--turn", "9"], 1, "There is no turn 9"),
  Mistake("a turn before the first", ["why", "HOME/used", "--turn", "0"], 64, "Turns count from 1."),
  Mistake(
    "no such label", ["log", "HOME/used", "--kind", "hedl"], 1, "No line of the session has the label “hedl”. It has:"),
  Mistake("after the end", ["log", "HOME/used", "--from", "9:00"], 1, "The session is over by then: it lasted 00:"),
  Mistake("nothing in between", ["log", "HOME/used", "--from", "1", "--to", "0"], 1, "The session has no such line."),
  Mistake("no such session for a ledger", ["ledger", "nowhere"], 65, "There is no session nowhere"),
  Mistake("no such session for a replay", ["replay", "nowhere"], 65, "There is no session nowhere"),
  Mistake("no such session for a fixture", ["fixture", "new", "nowhere"], 65, "There is no session nowhere"),
  Mistake(
    "a report in place of a folder", ["replay", "HOME/used", "--against", "log", "--junit", "HOME"], 74,
    "Cannot write the report HOME: it is a folder, not a file"),
  Mistake(
    "a report that is none", ["replay", "HOME/used", "--against", "log", "--junit", "HOME/text"], 74,
    "HOME/text already exists"),
  Mistake(
    "a conversation without its name", ["log", "export", "HOME/used", "--as", "conversation"], 64,
    "--as conversation needs --output"),
  Mistake("a session kept with its words", ["log", "export", "--as", "session"], 64, "--as session needs --redact"),
  Mistake(
    "nobody collects", ["log", "export", "HOME/used", "--as", "otlp", "--to", "http://127.0.0.1:1"], 69, "127.0.0.1:1"),
  Mistake("a page that is there", ["report", "HOME/used", "--output", "HOME/text"], 74, "HOME/text already exists"),
  Mistake("nothing to keep", ["log", "prune"], 64, "Say what to keep"),
  Mistake(
    "a search before any session", ["log", "--search", "y"], 1, "There is no session in HOME/parley/sessions yet."),
  Mistake(
    "words that are there anyhow", ["log", "export", "HOME/used", "--as", "markdown", "--words"], 64,
    "--words takes --as otlp"),
  Mistake(
    "a token for nobody", ["log", "export", "HOME/used", "--as", "otlp", "--token-variable", "TOKEN"], 64,
    "--token-variable needs --to."),
  Mistake(
    "a budget for a log", ["replay", "HOME/used", "--against", "log", "--word-budget", "3"], 64,
    "the budgets go with the gear “live”"),
  Mistake("a search in one session", ["log", "x", "--search", "y"], 64, "--search looks through all sessions"),
])
func aMistakeWithALogGivesOneClearLine(_ mistake: Mistake) async throws {
  let home = try TemporaryFolder()
  let folder = try SessionFolder(creating: home.path + "/used")
  try SessionManifest(program: "parley 0.1.0", started: "2026-11-20T10:00:00Z", plan: []).write(to: folder.manifest)
  try FileManager.default.copyItem(
    atPath: "\(Repository.path)/audio-fixtures/direct/expected.jsonl", toPath: folder.log)
  try Data("text\n".utf8).write(to: URL(filePath: home.path + "/text"))
  try FileManager.default.copyItem(
    atPath: Repository.path + "/audio-fixtures/recordings/d06_flite_slt.wav", toPath: folder.wave(.microphone))
  let finished = try await Program.run(mistake.arguments.map { $0.replacing("HOME", with: home.path) }, home: home)
  #expect(finished.code == mistake.code, "\(finished.output + finished.errors)")
  #expect(finished.errors.contains(mistake.message.replacing("HOME", with: home.path)), "\(finished.errors)")
  if mistake.code != 64 { #expect(finished.errors.split(separator: "\n").count == 1, "\(finished.errors)") }
}
