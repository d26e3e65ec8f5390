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

/// One of each, and more where a case has several forms. `covers` below does not compile once there is a new case.
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
    .connected(resumed: true), .drafting(text: "b"), .draftDropped(text: "c"), .longThought(isOn: true),
    .longThought(isOn: false), .duplex(duplex: .half), .duplex(duplex: .full), .duplex(duplex: .drowned),
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

/// Which case it is; the number of the cases is the last one's.
private func number(_ notice: Notice) -> Int {
  switch notice {
  case .listening: 0
  case .withoutMicrophone: 1
  case .agentReady: 2
  case .heard: 3
  case .modelSaid: 4
  case .held: 5
  case .selected: 6
  case .explained: 7
  case .approved: 8
  case .rejected: 9
  case .editing: 10
  case .amended: 11
  case .extending: 12
  case .permissionAnswered: 13
  case .questionAnswered: 14
  case .lapsed, .kept: if case .lapsed = notice { 15 } else { 62 }
  case .queued: 16
  case .steering: 17
  case .runStarted: 18
  case .agentSession: 19
  case .agentText: 20
  case .agentThought: 21
  case .agentStatus: 22
  case .toolStarted: 23
  case .toolFinished: 24
  case .plan: 25
  case .halting, .haltUnconfirmed: notice == .halting ? 26 : 28
  case .runEnded: 27
  case .escalated: 29
  case .quieted: 30
  case .bargedIn: 31
  case .falseInterruption: 32
  case .mode: 33
  case .speechRate: 34
  case .listeningChanged: 35
  case .selfCorrected: 36
  case .notTaken: 37
  case .learned: 38
  case .linkLost: 39
  case .rotating: 40
  case .duplicateIgnored: 41
  case .warning: 42
  case .error: 43
  case .cannot: 44
  case .help: 45
  case .usage, .connected: if case .usage = notice { 46 } else { 47 }
  case .drafting, .draftDropped: if case .drafting = notice { 48 } else { 49 }
  case .longThought: 50
  case .duplex: 51
  case .loading, .loaded: if case .loading = notice { 52 } else { 53 }
  case .quitAsked: 54
  case .work: 55
  case .agentBegan: 56
  case .agentChoice, .agentOffers: if case .agentChoice = notice { 57 } else { 58 }
  case .agentChanged, .agentCommands: if case .agentChanged = notice { 59 } else { 60 }
  case .agentListed: 61
  }
}

private let commands: [UserCommand] = [
  .approve, .reject(reason: nil), .reject(reason: "too risky"), .choose(numbers: [1, 3]), .answer(text: "yes, it is"),
  .steer, .next, .previous, .extend, .explain, .listen(isOn: true), .listen(isOn: false), .skip, .back, .slower,
  .faster,
  .amend(text: "run all"), .say(text: "list the files"), .mode(mode: .direct), .mode(mode: .review), .quiet, .halt,
  .again, .help, .quit, .done, .longThought,
  .agentSetting(setting: .mode, name: ""), .agentSetting(setting: .model, name: "opus"), .agentCommands,
  .agentSession(choice: .list), .agentSession(choice: .rewind(number: "2")), .agentApprovals(undo: nil),
  .agentApprovals(undo: 2),
]

private func line(_ event: VoiceEvent, _ actions: [VoiceAction] = [], at milliseconds: Int64 = 0) -> LogLine {
  LogLine(
    step: VoiceStep(
      sequence: 0, time: SessionTime(microseconds: milliseconds * 1000), event: event, actions: actions))
}

@Test func noNoticeShowsHowTheProgramIsBuilt() {
  #expect(Set(notices.map(number)) == Set(0...62), "a case of Notice is tried by nobody")
  // As a session's timeline, which remembers what came before, and each for itself.
  let history = SessionHistory(notices.map { line(.commandsEnded, [.show(notice: $0)]) })
  for text in history.entries.map(\.row) + notices.compactMap({ NoticeText($0)?.line }) {
    #expect(Internals.found(in: text) == nil, "\(text)")
  }
  #expect(history.entries.contains { $0.text.line == "tool      Read a file – it failed" })
}

@Test func everyCommandIsShownAsTheLineThatGivesIt() {
  for command in commands {
    #expect(UserCommand(line: command.line) == command, "\(command.line)")
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
