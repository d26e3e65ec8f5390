import Testing
import VoiceCore
import VoiceHistory
import VoiceRecording
import VoiceSound
import VoiceTesting
import VoiceVocabulary

private let instruction = Instruction(
  id: .init(rawValue: 3), text: "Run the tests", heard: "run the tests", source: .voice)
private let request = PermissionRequest(
  id: .init(rawValue: "call-7"), title: "Run swift test", detail: "",
  subject: PermissionSubject(
    kind: "execute", tool: "Bash", command: "swift test", paths: ["Package.swift"],
    change: ChangeSummary(files: 1, linesAdded: 1, linesRemoved: 0)),
  choices: [.allowOnce, .rejectOnce])
private let question = AgentQuestion(
  id: .init(rawValue: "call-8"), text: "Which one?", options: [.init(label: "a", explanation: "the first")],
  selection: .one)
private let item = HeldItemID(rawValue: 5)
private let run = RunID(rawValue: 2)

private func held(_ content: HeldItem.Content) -> HeldItem { HeldItem(id: item, content: content, since: .zero) }

private let usage: SessionUsage = {
  var usage = SessionUsage()
  usage.listener = .init(input: 1, output: 1)
  usage.agentCostInDollars = 0.5
  return usage
}()

/// One of each, and more where a case has several forms.
private let notices: [Notice] =
  [
    .listening(resumed: false), .listening(resumed: true), .withoutMicrophone,
    .agentReady(agent: AgentDescription(name: "parley guide", session: .init(rawValue: "s-1"))), .heard(text: "a"),
    .modelSaid(text: "b"), .held(item: held(.instruction(instruction: instruction)), position: 1),
    .held(item: held(.permission(run: run, request: request)), position: 2),
    .selected(item: held(.question(run: run, question: question)), position: 1, count: 2, waited: 1),
    .explained(item: item, text: "c"), .approved(item: item, text: "d"), .rejected(item: item, text: "e"),
    .editing(text: "f"), .amended(item: item, text: "g"), .extending(text: "h"),
    .questionAnswered(item: item, question: question, answer: .options(indices: [0])),
    .questionAnswered(item: item, question: question, answer: .declined),
    .lapsed(item: nil, text: "i", reason: "j"), .kept(item: item, instruction: instruction),
    .kept(item: item, instruction: instruction, doubt: .sent),
    .kept(item: item, instruction: instruction, doubt: .unwritten),
    .queued(instruction: instruction), .steering(run: run, text: "k"),
    .runStarted(run: run, text: "l"), .agentBegan(run: RunID(rawValue: -1), text: "a command ended"),
    .agentSession(session: .init(rawValue: "s-2")), .agentText(delta: "m"),
    .agentThought(delta: "n"), .agentStatus(text: "o"),
    .toolStarted(tool: AgentTool(id: "call-1", title: "Read a file", kind: "read")),
    .plan(entries: [AgentPlanEntry(text: "p", status: "in_progress")]), .halting, .haltUnconfirmed, .escalated,
    .quieted,
    .bargedIn, .falseInterruption, .mode(mode: .direct), .mode(mode: .review), .speechRate(percent: 112),
    .listeningChanged(isOn: true), .listeningChanged(isOn: false), .selfCorrected(said: "q", meant: "r"),
    .notTaken(text: "s", reason: "t"), .learned(correction: Correction(heard: "u", meant: "v")),
    .linkLost(reason: "w", retryInMilliseconds: 500), .rotating, .duplicateIgnored(text: "x"), .warning(text: "y"),
    .error(text: "z"), .cannot(text: "a"), .help,
    .usage(usage: usage),
    .connected(resumed: true), .drafting(text: "b"), .leaving(milliseconds: 2_000), .draftDropped(text: "c"),
    .longThought(isOn: true),
    .longThought(isOn: false), .duplex(duplex: .half), .duplex(duplex: .full), .duplex(duplex: .noEcho),
    .duplex(duplex: .drowned),
    .agentChoice(setting: .mode, choice: .init(current: "plan", offered: ["plan", "default"])),
    .agentListed(number: 1, text: "Fix the build"), .agentOffers(controls: AgentControls()),
    .agentCommands(commands: ["compact"]),
    .agentChanged(setting: .model, value: "opus", remark: nil), .quitAsked(unfinished: "the agent works"),
    .work(summary: "One file changed.", lines: ["Edit a.c", "+ b"]),
  ]
  + SpeechPart.allCases.flatMap { [.loading(part: $0), .loaded(part: $0)] }
  + PermissionRequest.Choice.allCases.map { .permissionAnswered(item: item, title: request.title, choice: $0) }
  + [.failed, .completed, .declined, .unknown].map { .toolFinished(id: "call-1", outcome: $0) }
  + [.completed, .cancelled, .stopped(reason: "a"), .failed(reason: "b"), .unconfirmed(reason: "c")].map {
    .runEnded(run: run, end: $0)
  }

private func line(_ event: VoiceEvent, _ actions: [VoiceAction] = [], at milliseconds: Int64 = 0) -> LogLine {
  LogLine(
    step: VoiceStep(
      sequence: 0, time: SessionTime(microseconds: milliseconds * 1000), event: event, actions: actions))
}

@Test func noNoticeShowsHowTheProgramIsBuilt() throws {
  #expect(try Declared.cases(of: Notice.self).subtracting(notices.map(Declared.name)) == [])
  // As a session's timeline, which remembers what came before, and each for itself.
  let history = SessionHistory(notices.map { line(.commandsEnded, [.show(notice: $0)]) })
  for text in history.entries.map(\.row) + notices.compactMap({ NoticeText($0)?.line }) {
    #expect(Internals.found(in: text) == nil, "\(text)")
  }
  #expect(history.entries.contains { $0.text.line == "tool      Read a file – it failed" })
  #expect(history.entries.contains { $0.text.line == "listed    1  Fix the build" })
  // By its label a line is looked for: a number is none.
  #expect(history.entries.allSatisfy { entry in Int(entry.text.label) == nil })
}

@Test func everyCommandIsShownAsTheLineThatGivesIt() throws {
  #expect(try Declared.cases(of: UserCommand.self).subtracting(UserCommand.every.map(Declared.name)) == [])
  for command in UserCommand.everyLine { #expect(UserCommand(line: command.line) == command, "\(command.line)") }
  for command in UserCommand.every {
    let rows = SessionHistory([line(.commandGiven(command: command))]).entries.map(\.row)
    #expect(rows.first?.hasSuffix(command.line) == true)
    for row in rows { #expect(Internals.found(in: row) == nil, "\(row)") }
  }
}

@Test func noErrorShowsHowTheProgramIsBuilt() {
  let sounds: [SoundFileError] = [
    .missing(path: "a"), .isFolder(path: "a"), .empty(path: "a"), .noSamples(path: "a"),
    .notSound(path: "a", reason: "b"), .unreadable(path: "a", reason: "b"), .exists(path: "a"),
    .unwritable(path: "a", reason: "b"),
  ]
  let texts =
    sounds.map { "\($0)" } + [FileFailure("delete", "a", POSIXFailure()).description]
    + PermissionRequest.Choice.allCases.map(\.words)
  for text in texts { #expect(Internals.found(in: text) == nil, "\(text)") }
}

/// An error that says nothing for people.
private struct POSIXFailure: Error {
  let mode = InteractionMode.direct
}

@Test(arguments: Histories.all) func whatIsToldOfAnyFixtureHoldsNoInternals(_ fixture: String) throws {
  let history = try Histories.history(fixture)
  let rows = history.entries.map(\.row) + history.turns.flatMap { Explanation($0, in: history).sentences.map(\.row) }
  for row in rows { #expect(Internals.found(in: row) == nil, "\(row)") }
}
