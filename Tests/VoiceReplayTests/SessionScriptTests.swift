import Testing
import VoiceRecording
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session folder with the log of a fixture, and silence for sound: what was said is in the log.
private func recordedSession(_ slug: String, in temporary: TemporaryFolder) throws -> String {
  let log = try Data(contentsOf: URL(filePath: load(slug).expectedPath))
  try log.write(to: URL(filePath: temporary.path + "/events.jsonl"))
  return temporary.path
}

private func silence(_ path: String) -> [Int16] { [Int16](repeating: 0, count: 60 * PCM.microphoneRate) }

@Test(arguments: [
  "direct", "two-turns", "review-approve", "review-edit", "review-reject", "permission-allowed", "permission-denied",
  "question", "halt", "spoken-stop", "queued-instruction", "link-cut", "link-starts-afresh", "client-turn-detection",
  "agent-failure", "quit-while-running", "speaker-lost", "mode-while-held",
])
func aRecordedSessionIsDecidedAlikeInTheSimulatedWorld(_ slug: String) async throws {
  let temporary = try TemporaryFolder()
  let script = try SessionScript(recordedSession(slug, in: temporary), readSound: silence)
  let replay = await script.folder.replay()
  #expect(replay.breaches.isEmpty)
  #expect(script.differences(in: replay).isEmpty)
  #expect(replay.lines.count > 10)
}

@Test func oneTurnOfASessionIsAFixtureOfItsOwn() async throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession("two-turns", in: temporary)
  let script = try SessionScript(session, turn: 2, readSound: silence)
  #expect(script.turns.count == 2)
  let folder = try script.folder.write(to: temporary.path + "/turn")
  let read = try FixtureFolder(folder.path) { try WaveFile.samples($0) }
  #expect(read.fixture == script.folder.fixture)
  #expect(read.fixture.model.count == 1)
  #expect(read.fixture.agent.count == 1)
  // What was understood is what was heard, and stands there once.
  #expect(read.fixture.model[0].heard == "show me the diff for the last commit")
  #expect(read.fixture.model[0].instruction == nil)
  let replay = await read.replay()
  #expect(replay.handedOn.map(\.text) == ["show me the diff for the last commit"])
  #expect(replay.outcome == .completed)
  // It holds what somebody said.
  let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/fixture.json5")
  #expect("\(attributes[.posixPermissions] ?? "none")" == "\(0o600)")
  #expect(throws: FixtureFailure.self) { try script.folder.write(to: folder.path) }
}

/// The user changed what was held, saw the change at once, and approved it.
@Test func aScriptWaitsForWhatTheActionBeforeItDid() throws {
  let temporary = try TemporaryFolder()
  let steps = try SessionScript(recordedSession("review-edit", in: temporary), readSound: silence).folder.fixture.user
  let place = try #require(steps.firstIndex { $0.await == .amended }, "\(steps)")
  #expect(
    steps[place].do == .command(line: "approve") || steps[place].do == .happen(event: .commandGiven(command: .approve)))
}

/// What was held in the first turn was decided in another, or lapsed, or its run never ended.
@Test(arguments: [
  "mode-while-held", "three-held", "quit-while-running", "halt-before-ledger", "link-given-up", "link-down-for-good",
  "permission-withdrawn",
])
func aTurnWhoseDecisionIsLeftOutIsNotWaitedForInVain(_ slug: String) async throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession(slug, in: temporary)
  let count = try SessionScript(session, readSound: silence).turns.count
  for turn in 1...count {
    let script = try SessionScript(session, turn: turn, readSound: silence)
    let replay = await script.folder.ending().replay()
    #expect(replay.duration < .milliseconds(90_000), "turn \(turn)")
    #expect(replay.breaches.isEmpty)
  }
}

/// What is approved or rejected after the user has gone on talking is decided in the fixture of its own turn, and in no other.
@Test func whatWasDecidedLaterBelongsToTheTurnItIsAbout() async throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession("three-held", in: temporary)
  let sent = try LogReader(session + "/events.jsonl").lines.flatMap(\.step.actions).compactMap { action in
    if case .startRun(_, let instruction) = action { instruction.text } else { nil }
  }
  #expect(!sent.isEmpty)
  for turn in 1...3 {
    let script = try SessionScript(session, turn: turn, readSound: silence)
    let said = try #require(script.folder.fixture.model.first?.heard)
    let replay = await script.folder.ending().replay()
    #expect(replay.handedOn.map(\.text) == sent.filter { $0 == said }, "turn \(turn)")
  }
}

@Test(arguments: ["mode-while-held", "three-held"])
func aTurnWhoseDecisionIsLeftOutIsDecidedAsFarAsItWent(_ slug: String) async throws {
  let temporary = try TemporaryFolder()
  let script = try SessionScript(recordedSession(slug, in: temporary), turn: 1, readSound: silence)
  let replay = await script.folder.ending().replay()
  #expect(replay.duration < .milliseconds(90_000))
  #expect(replay.breaches.isEmpty)
  #expect(script.differences(in: replay) == [])
}

@Test func aSessionInWhichNobodySpokeHasNoTurn() throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession("direct", in: temporary)
  let lines = try LogReader(session + "/events.jsonl").lines.prefix(1)
  let codec = LogCodec()
  let log = lines.reduce(into: codec.encode(LogHeader.current)) { $0 += codec.encode($1) }
  try Data(log).write(to: URL(filePath: session + "/events.jsonl"))
  let failure = #expect(throws: FixtureFailure.self) { try SessionScript(session, turn: 1, readSound: silence) }
  #expect(failure?.description.contains("has no turn: nobody said anything in it") == true)
  // Nor any sound, which is not missed.
  #expect(try SessionScript(session) { throw FixtureFailure("\($0) is not there.") }.turns.isEmpty)
}

@Test(arguments: [(0, false), (1, true), (100, true), (101, false)])
func anAnswerComesOnceToAHundredTimes(_ times: Int, _ isFixture: Bool) throws {
  let temporary = try TemporaryFolder()
  let script = "{title: 'a', settings: {}, user: [], model: [{heard: 'a', times: \(times)}], agent: []}"
  try Data(script.utf8).write(to: URL(filePath: temporary.path + "/fixture.json5"))
  do {
    _ = try FixtureFolder(temporary.path) { try WaveFile.samples($0) }
    #expect(isFixture)
  } catch {
    #expect(!isFixture && "\(error)".contains("answer 1 comes \(times) time"), "\(error)")
  }
}

@Test func aTurnThatIsNotThereIsNamed() throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession("direct", in: temporary)
  let failure = #expect(throws: FixtureFailure.self) { try SessionScript(session, turn: 7, readSound: silence) }
  #expect(failure?.description.contains("has no turn 7: it has 1") == true)
}

@Test func aKeyThatSomebodySaidIsNotInAFixture() async throws {
  let temporary = try TemporaryFolder()
  let key = "ghp_" + String(repeating: "a1B2", count: 9)
  let path = temporary.path + "/events.jsonl"
  let log = try String(contentsOf: URL(filePath: load("direct").expectedPath), encoding: .utf8)
  try Data(log.replacing("main branch", with: "branch \(key)").utf8).write(to: URL(filePath: path))
  let script = try SessionScript(temporary.path, turn: 1, readSound: silence)
  let folder = try script.folder.write(to: temporary.path + "/turn")
  let text = try String(contentsOf: URL(filePath: folder.path + "/fixture.json5"), encoding: .utf8)
  #expect(text.contains("branch (secret)"))
  #expect(!text.contains(key))
}

/// Of the defaults a fixture need not speak.
@Test(arguments: [(false, ["mode"]), (true, ["endWord", "mode", "readsBack"])])
func aFixtureNamesTheSettingsOfItsSession(_ isChanged: Bool, _ names: [String]) throws {
  let temporary = try TemporaryFolder()
  var lines = try LogReader(load("direct").expectedPath).lines
  var settings = InteractionSettings { $0.mode = .direct }
  if isChanged { (settings.endWord, settings.readsBack) = ("over", false) }
  lines[0].step.event = .sessionStarted(settings: settings)
  try write(lines, inserting: .commandsEnded, in: temporary)
  let script = try SessionScript(temporary.path, turn: 1, readSound: silence)
  let folder = try script.folder.write(to: temporary.path + "/turn")
  let text = try String(contentsOf: URL(filePath: folder.path + "/fixture.json5"), encoding: .utf8)
  let row = try #require(text.split(separator: "\n").first { $0.contains("settings:") })
  #expect(InteractionSettings.names.filter { row.contains("\($0):") }.sorted() == names, "\(row)")
  let again = try FixtureFolder(folder.path) { try WaveFile.samples($0) }
  #expect(again.fixture.settings == settings)
}

/// A recorded session with one step more, behind its first.
private func write(_ lines: [LogLine], inserting event: VoiceEvent, in temporary: TemporaryFolder) throws {
  let codec = LogCodec()
  var log = codec.encode(LogHeader.current)
  for (index, line) in lines.enumerated() {
    var line = line
    if index > 0 { line.step.sequence += 1 }
    log += codec.encode(line)
    let inserted = LogLine(step: VoiceStep(sequence: 1, time: .zero, event: event, actions: []))
    if index == 0 { log += codec.encode(inserted) }
  }
  try Data(log).write(to: URL(filePath: temporary.path + "/events.jsonl"))
}

@Test(arguments: [1, 2]) func theNamesOfTheProjectAreInTheFixtureOfEachTurn(_ turn: Int) async throws {
  let temporary = try TemporaryFolder()
  let names = VoiceEvent.wordsLearned(words: ProjectWords(names: ["SessionRecorder"], corrections: []))
  try write(LogReader(load("two-turns").expectedPath).lines, inserting: names, in: temporary)
  let script = try SessionScript(temporary.path, turn: turn, readSound: silence)
  #expect(script.folder.fixture.user.first?.do == .happen(event: names))
  let replay = await script.folder.replay()
  #expect(replay.outcome == .completed)
  #expect(replay.handedOn.count == 1)
  #expect(replay.duration.seconds < 30)
}

@Test func whatTheSpeechEngineDidForOtherTurnsIsNotInAFixture() async throws {
  let temporary = try TemporaryFolder()
  let work = VoiceEvent.speechEngineReported(report: .working(part: .recogniser))
  try write(LogReader(load("two-turns").expectedPath).lines, inserting: work, in: temporary)
  let script = try SessionScript(temporary.path, turn: 1, readSound: silence)
  #expect(!script.folder.fixture.user.contains { $0.do == .happen(event: work) })
  let replay = await script.folder.replay()
  #expect(replay.outcome == .completed)
}

@Test func aPermissionIsAskedForWithTheChoicesThatItHad() async throws {
  let temporary = try TemporaryFolder()
  let choices: [PermissionRequest.Choice] = [.allowAlways, .allowOnce, .rejectAlways, .rejectOnce]
  let lines = try LogReader(load("permission-allowed").expectedPath).lines.map { line in
    var line = line
    if case .agentReported(let run, .permissionRequested(var request)) = line.step.event {
      request.choices = choices
      line.step.event = .agentReported(run: run, event: .permissionRequested(request: request))
    }
    if line.step.event == .commandGiven(command: .approve) {
      line.step.event = .commandGiven(command: .choose(numbers: [1]))
    }
    return line
  }
  let codec = LogCodec()
  let log = lines.reduce(into: codec.encode(LogHeader.current)) { $0 += codec.encode($1) }
  try Data(log).write(to: URL(filePath: temporary.path + "/events.jsonl"))
  let script = try SessionScript(temporary.path, readSound: silence)
  let replay = await script.folder.replay()
  let answers = replay.lines.flatMap(\.step.actions).compactMap { action -> PermissionRequest.Choice? in
    if case .answerPermission(_, _, let choice, _) = action { choice } else { nil }
  }
  #expect(answers == [.allowAlways])
  #expect(replay.outcome == .completed)
}

/// The log of a fixture with other lines in the place of each; what comes behind them has its place.
private func write(_ slug: String, in temporary: TemporaryFolder, _ replace: (LogLine) -> [LogLine]) throws {
  let codec = LogCodec()
  var (log, sequence) = (codec.encode(LogHeader.current), 0)
  for line in try LogReader(load(slug).expectedPath).lines.flatMap(replace) {
    var line = line
    line.step.sequence = sequence
    sequence += line.repeated
    log += codec.encode(line)
  }
  try Data(log).write(to: URL(filePath: temporary.path + "/events.jsonl"))
}

/// The loudspeaker goes and returns twice while a held instruction is read back. The simulated voice is done before the second time,
/// and what the user waited for in the session never comes again.
@Test func whatCameSoonerThanInTheSessionIsNotWaitedForInVain() async throws {
  let temporary = try TemporaryFolder()
  var shift = 0
  try write("review-approve", in: temporary) { line in
    var line = line
    line.step.time = line.step.time.advanced(byMilliseconds: shift)
    guard line.step.event == .commandGiven(command: .approve) else { return [line] }
    shift = 20_700
    let away = VoiceEvent.soundDeviceSilent(kind: .speaker, name: "default")
    let back = VoiceEvent.soundDeviceReturned(kind: .speaker, name: "default")
    let between: [(Int, VoiceEvent)] = [
      (0, away), (100, back), (20_000, away), (20_100, back),
      (20_200, .playbackEnded(speech: SpeechID(rawValue: 1))),
    ]
    var approval = line
    approval.step.time = line.step.time.advanced(byMilliseconds: shift)
    let lines = between.map { milliseconds, event in
      let time = line.step.time.advanced(byMilliseconds: milliseconds)
      return LogLine(step: VoiceStep(sequence: 0, time: time, event: event, actions: []))
    }
    return lines + [approval]
  }
  let script = try SessionScript(temporary.path, turn: 1, readSound: silence)
  #expect(script.folder.fixture.user.contains { $0.await == .speechEnded })
  let whole = await script.folder.ending()
  #expect(whole.fixture.user.count == script.folder.fixture.user.count)
  let replay = await whole.replay()
  #expect(replay.handedOn.map(\.text) == ["why is the build failing on the main branch"])
  #expect(replay.outcome == .completed && replay.breaches.isEmpty)
  #expect(script.differences(in: replay) == [])
}

/// A history may count a turn from its words on, long after what they are of began.
@Test func theTurnOfWordsIsTheOneInWhichTheyWereSaid() throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession("two-turns", in: temporary)
  let script = try SessionScript(session, readSound: silence)
  let lines = try LogReader(session + "/events.jsonl").lines
  func steps(where isWanted: (VoiceEvent) -> Bool) -> [Int] {
    lines.filter { isWanted($0.step.event) }.map(\.step.sequence)
  }
  let proposed = steps { if case .instructionProposed = $0 { true } else { false } }
  #expect(proposed.map { script.place(of: $0, until: nil) } == [1, 2])
  let answered = steps { if case .agentReported = $0 { true } else { false } }
  #expect(!answered.isEmpty && answered.allSatisfy { script.place(of: $0, until: nil) == nil })
}

/// What the agent of a fixture does that is made of a session whose agent says words one by one, so far apart.
private func agentSaying(_ words: Int, apart milliseconds: Int) throws -> [Fixture.AgentStep] {
  let temporary = try TemporaryFolder()
  var shift = 0
  try write("direct", in: temporary) { line in
    var line = line
    line.step.time = line.step.time.advanced(byMilliseconds: shift)
    guard shift == 0, case .agentReported(let run, .text) = line.step.event else { return [line] }
    shift = milliseconds * (words - 1)
    return (0..<words).map { number in
      var word = line
      word.step.event = .agentReported(run: run, event: .text(delta: "word "))
      word.step.time = line.step.time.advanced(byMilliseconds: number * milliseconds)
      return word
    }
  }
  return try #require(SessionScript(temporary.path, readSound: silence).folder.fixture.agent.first)
}

/// Its first twenty words are what is cut for the ear: they come as they came. What follows is one step.
@Test func theBeginningOfAnAnswerComesWordByWord() throws {
  let texts = try agentSaying(23, apart: 1).compactMap { if case .text(let delta) = $0 { delta } else { nil } }
  #expect(texts.prefix(20).map { $0 == "word " } == Array(repeating: true, count: 19) + [false])
}

@Test(arguments: [(49, false), (50, true)]) func aPauseOfTheAgentIsKept(_ milliseconds: Int, _ isKept: Bool) throws {
  let steps = try agentSaying(2, apart: milliseconds)
  #expect(steps.contains(.wait(milliseconds: milliseconds)) == isKept)
}

@Test func whatTheLiveModelSaidItselfIsInItsAnswer() throws {
  let temporary = try TemporaryFolder()
  try write("direct", in: temporary) { line in
    guard case .userTranscribed(let connection, _, true, _) = line.step.event else { return [line] }
    var said = line
    said.step.event = .modelTranscribed(connection: connection, text: "Which file?")
    said.step.actions = []
    return [line, said]
  }
  let script = try SessionScript(temporary.path, readSound: silence)
  #expect(script.folder.fixture.model.map(\.says) == ["Which file?"])
}

@Test func whatTheRecogniserToldOfTheWordsIsInTheAnswer() throws {
  let temporary = try TemporaryFolder()
  let unsure = Hearing(sureness: [40], alternatives: ["run the text"])
  try write("direct", in: temporary) { line in
    guard case .userTranscribed(let connection, let text, true, _) = line.step.event else { return [line] }
    var told = line
    told.step.event = .userTranscribed(connection: connection, text: text, isFinal: true, hearing: unsure)
    return [told]
  }
  let script = try SessionScript(temporary.path, readSound: silence)
  #expect(script.folder.fixture.model.map(\.hearing) == [unsure])
}
