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

private func instruction(_ id: Int, _ text: String = "run the tests") -> Instruction {
  Instruction(id: .init(rawValue: id), text: text, heard: nil, source: .voice)
}

/// A session that wrote these entries and broke off: its recorder is gone, and its mark is there.
private func brokenOff(_ name: String, in root: TemporaryFolder, _ entries: [LedgerEntry]) throws -> SessionFolder {
  let folder = try SessionFolder(creating: "\(root.path)/\(name)")
  let recorder = try SessionRecorder(folder) { _ in }
  for entry in entries { recorder.noteInLedger(entry) }
  return folder
}

/// What the ledger of old says once another session offers an instruction, here under the same number.
private func takenOver(_ id: Int, to name: String, in root: TemporaryFolder) -> LedgerEntry {
  .takenOver(instruction: .init(rawValue: id), folder: "\(root.path)/\(name)", number: .init(rawValue: id))
}

@Test func aSessionThatRunsOrEndedInOrderIsNotTakenForBroken() throws {
  let root = try TemporaryFolder()
  let folder = try SessionFolder(creating: root.path + "/one")
  let recorder = try SessionRecorder(folder) { _ in }
  #expect(EarlierSession(folder) == nil)
  recorder.finish(.completed)
  #expect(EarlierSession(folder) == nil)
  #expect(EarlierSession.all(in: root.path).isEmpty)
  #expect(EarlierSession.all(in: root.path + "/none").isEmpty)
}

/// Closing the terminal is nobody's decision about what waits; quitting is.
@Test(arguments: [SessionOutcome.completed, .terminated(signal: "SIGHUP"), .failed(reason: "It failed.")])
func whatWasOpenWhenASessionWasEndedIsOfferedAgain(_ outcome: SessionOutcome) throws {
  let root = try TemporaryFolder()
  let folder = try SessionFolder(creating: root.path + "/one")
  do {
    let recorder = try SessionRecorder(folder) { _ in }
    recorder.noteInLedger(.proposed(instruction: instruction(1)))
    recorder.noteInLedger(.held(instruction: .init(rawValue: 1)))
    recorder.record(
      VoiceStep(
        sequence: 0, time: .zero, event: .terminationRequested(signal: "SIGHUP"), actions: [.end(outcome: outcome)]))
    recorder.finish(outcome)
  }
  let sessions = EarlierSession.all(in: root.path)
  #expect(sessions.map(\.outcome) == (outcome == .completed ? [] : [outcome]))
  #expect(LeftOver(sessions).events.count == sessions.count)
}

/// The agent tells at the end that an instruction did not leave: it is dropped only if the user quit or had halted it.
@Test(arguments: [SessionOutcome.completed, .terminated(signal: "SIGTERM")], [true, false])
func whatDidNotLeaveWhenTheSessionEndedIsKeptAsUnsent(_ outcome: SessionOutcome, _ isHalted: Bool) throws {
  let root = try TemporaryFolder()
  let folder = try SessionFolder(creating: root.path + "/one")
  do {
    let recorder = try SessionRecorder(folder) { _ in }
    for id in 1...3 {
      recorder.noteInLedger(.proposed(instruction: instruction(id)))
      recorder.enterInLedger(instruction(id), as: RunID(rawValue: id))
      recorder.noteInLedger(.dispatched(instruction: .init(rawValue: id)))
    }
    recorder.noteInLedger(.acknowledged(instruction: .init(rawValue: 2)))
    let stop = [VoiceAction.cancelRun(run: RunID(rawValue: 1))]
    if isHalted {
      recorder.record(VoiceStep(sequence: 0, time: .zero, event: .commandGiven(command: .halt), actions: stop))
    }
    let last = stop + [.end(outcome: outcome)]
    recorder.record(
      VoiceStep(sequence: 1, time: .zero, event: .terminationRequested(signal: "SIGTERM"), actions: last))
    let ends: [AgentTurnEnd] = [.cancelled, .cancelled, .unconfirmed(reason: "The session is over.", mayGoOn: true)]
    var reports = LateReports()
    for (run, end) in zip(1...3, ends) { reports.take(.turnEnded(end: end), of: RunID(rawValue: run)) }
    recorder.finish(outcome, reports)
  }
  let isKept = outcome != .completed && !isHalted
  let certainties = try LedgerReader(folder.ledger).records.map(\.certainty)
  #expect(certainties == [isKept ? .notSent : .over, .confirmed, .unconfirmed])
  let open = EarlierSession.all(in: root.path).flatMap(\.records).filter(\.isOpen).map(\.instruction.id.rawValue)
  #expect(open == (outcome == .completed ? [] : isHalted ? [2, 3] : [1, 2, 3]), "who quits was asked before")
}

@Test func aSessionThatWasEndedAndLeftNothingOpenIsOver() throws {
  let root = try TemporaryFolder()
  let folder = try SessionFolder(creating: root.path + "/one")
  do {
    let recorder = try SessionRecorder(folder) { _ in }
    recorder.noteInLedger(.proposed(instruction: instruction(1)))
    recorder.noteInLedger(.rejected(instruction: .init(rawValue: 1)))
    recorder.finish(.terminated(signal: "SIGTERM"))
  }
  #expect(EarlierSession(folder) == nil)
}

@Test func whatASessionThatBrokeOffLeftOpenIsToldByStages() throws {
  let root = try TemporaryFolder()
  _ = try brokenOff(
    "one", in: root,
    [
      .proposed(instruction: instruction(1)), .held(instruction: .init(rawValue: 1)),
      .proposed(instruction: instruction(2)), .held(instruction: .init(rawValue: 2)),
      .amended(instruction: .init(rawValue: 2), text: "run all tests"), .approved(instruction: .init(rawValue: 2)),
      .entered(instruction: instruction(2, "run all tests"), run: .init(rawValue: 1)),
      .dispatched(instruction: .init(rawValue: 2)),
      .proposed(instruction: instruction(3)), .rejected(instruction: .init(rawValue: 3)),
    ])
  let sessions = EarlierSession.all(in: root.path)
  #expect(sessions.count == 1)
  #expect(sessions.first?.records.map(\.certainty) == [.notSent, .unconfirmed, .over])
  #expect(sessions.first?.records.map(\.instruction.text) == ["run the tests", "run all tests", "run the tests"])
  #expect(LeftOver(sessions).events.count == 2)
}

@Test func theLedgerKnowsWhatOfARunWasNotAllowed() throws {
  let root = try TemporaryFolder()
  let folder = try brokenOff(
    "one", in: root,
    [
      .proposed(instruction: instruction(1)), .entered(instruction: instruction(1), run: .init(rawValue: 1)),
      .dispatched(instruction: .init(rawValue: 1)), .denied(run: .init(rawValue: 1), act: "Run make"),
      .ended(run: .init(rawValue: 1), end: .completed),
      .proposed(instruction: instruction(2)), .entered(instruction: instruction(2), run: .init(rawValue: 2)),
      .ended(run: .init(rawValue: 2), end: .completed),
    ])
  #expect(try LedgerReader(folder.ledger).records.map(\.denied) == [["Run make"], []])
}

/// One that was entered again is of the run that it was entered for last; so many belong to one run, and no more.
@Test func theEndOfARunIsThatOfItsOwnInstructions() throws {
  let (first, second) = (RunID(rawValue: 1), RunID(rawValue: 2))
  let ids = 1...(Limits.instructionsOfRun + 1)
  var entries = ids.map { LedgerEntry.entered(instruction: instruction($0), run: first) }
  entries += ids.map { .acknowledged(instruction: .init(rawValue: $0)) }
  entries += [.entered(instruction: instruction(1), run: second), .ended(run: first, end: .completed)]
  let ledger = try entries.reduce(into: Data()) { $0 += try JSONEncoder().encode($1) + [0x0A] }
  let stages = LedgerReader(ledger, from: "ledger.jsonl").records.map(\.stage)
  let ended = LedgerRecord.Stage.ended(.completed)
  #expect(stages == [.entered] + Array(repeating: ended, count: Limits.instructionsOfRun - 1) + [.acknowledged])
}

@Test func nobodyElseIsOfferedWhatSomebodyDecides() throws {
  let root = try TemporaryFolder()
  _ = try brokenOff("one", in: root, [.proposed(instruction: instruction(1))])
  let sessions = EarlierSession.all(in: root.path)
  #expect(sessions.count == 1)
  #expect(EarlierSession.all(in: root.path).isEmpty)
  withExtendedLifetime(sessions) {}
}

@Test func aDecisionSettlesWhatWasOpenAndClosesTheSession() throws {
  let root = try TemporaryFolder()
  let folder = try brokenOff(
    "one", in: root, [.proposed(instruction: instruction(1)), .proposed(instruction: instruction(2))])
  do {
    let leftOver = LeftOver(EarlierSession.all(in: root.path))
    for (index, event) in leftOver.events.enumerated() {
      guard case .instructionRecovered(let text, let origin, _, _) = event else { continue }
      var offered = instruction(10 + index, text)
      offered.origin = origin
      try leftOver.note(.proposed(instruction: offered), scrubber: Scrubber())
    }
    try leftOver.note(.approved(instruction: .init(rawValue: 10)), scrubber: Scrubber())
    // Nobody decided about the other one.
    try leftOver.note(.lapsed(instruction: .init(rawValue: 11)), scrubber: Scrubber())
  }
  do {
    let again = EarlierSession.all(in: root.path)
    #expect(again.first?.records.map(\.isOpen) == [false, true])
    try again.first?.settle(.init(rawValue: 2))
  }
  #expect(EarlierSession.all(in: root.path).isEmpty)
  #expect(try LedgerReader(folder.ledger).records.allSatisfy { !$0.isOpen })
}

@Test func whatTwoSessionsLeftOverIsOfferedOnce() throws {
  let root = try TemporaryFolder()
  _ = try brokenOff(
    "one", in: root,
    [.proposed(instruction: instruction(1)), .proposed(instruction: instruction(2))]
      + (1...2).map { takenOver($0, to: "two", in: root) })
  var first = instruction(1)
  first.origin = .init(session: "one", instruction: .init(rawValue: 1))
  var second = instruction(2)
  second.origin = .init(session: "one", instruction: .init(rawValue: 2))
  // The second session offered both, got an approval for one, and broke off as well.
  _ = try brokenOff(
    "two", in: root,
    [
      .proposed(instruction: first), .held(instruction: first.id), .proposed(instruction: second),
      .held(instruction: second.id), .approved(instruction: first.id),
    ])
  let open = EarlierSession.all(in: root.path).map { session in
    session.records.filter(\.isOpen).map { "\(session.name) \($0.instruction.id.rawValue)" }
  }
  #expect(open == [["one 2"], ["two 1"]])
}

/// One that broke off, and a later one that offered the same words and broke off as well.
private func sameWordsTwice(in root: TemporaryFolder) throws {
  _ = try brokenOff("one", in: root, [.proposed(instruction: instruction(1)), takenOver(1, to: "two", in: root)])
  var again = instruction(1)
  again.origin = .init(session: "one", instruction: .init(rawValue: 1))
  _ = try brokenOff(
    "two", in: root,
    [
      .proposed(instruction: again), .held(instruction: again.id), .proposed(instruction: instruction(2, "push it")),
      .held(instruction: .init(rawValue: 2)),
    ])
}

@Test func twoThatStartAtTheSameMomentAreNotOfferedTheSameWords() async throws {
  for _ in 0..<60 {
    let root = try TemporaryFolder()
    try sameWordsTwice(in: root)
    let all = await withTaskGroup(of: [EarlierSession].self) { group in
      for _ in 0..<4 { group.addTask { EarlierSession.all(in: root.path) } }
      return await group.reduce(into: [[EarlierSession]]()) { $0.append($1) }
    }
    let offers = all.map { sessions in sessions.flatMap { $0.records.filter(\.isOpen).map(\.instruction.text) } }
    #expect(offers.filter { !$0.isEmpty } == [["run the tests", "push it"]], "\(offers)")
  }
}

@Test func wordsThatWereDecidedDoNotComeUpAgainFromACopy() throws {
  let root = try TemporaryFolder()
  try sameWordsTwice(in: root)
  do {
    let sessions = EarlierSession.all(in: root.path)
    #expect(sessions.map { $0.records.count(where: \.isOpen) } == [1, 1])
    try sessions.first?.settle(.init(rawValue: 1))
  }
  let left = EarlierSession.all(in: root.path)
  #expect(left.flatMap { $0.records.filter(\.isOpen).map(\.instruction.text) } == ["push it"])
}

/// A mark is never seen before it is locked.
@Test func aSessionThatJustStartsIsNotTakenForBroken() async throws {
  let root = try TemporaryFolder()
  await withTaskGroup(of: Void.self) { group in
    group.addTask { for _ in 0..<400 { #expect(EarlierSession.all(in: root.path).isEmpty) } }
    group.addTask {
      for number in 0..<200 {
        #expect(throws: Never.self) {
          let recorder = try SessionRecorder(SessionFolder(creating: "\(root.path)/\(number)")) { _ in }
          recorder.finish(.completed)
        }
      }
    }
  }
}

@Test func aDamagedLedgerIsReadAsFarAsItCanBe() throws {
  let root = try TemporaryFolder()
  let folder = try brokenOff(
    "one", in: root, [.proposed(instruction: instruction(1)), .proposed(instruction: instruction(2))])
  var bytes = try Data(contentsOf: URL(filePath: folder.ledger))
  bytes[5] = 0xFF
  let reader = LedgerReader(bytes, from: "ledger.jsonl")
  #expect(reader.records.map(\.instruction.id.rawValue) == [2])
  #expect(reader.damage == "ledger.jsonl is damaged: line 1 cannot be read. What can be read is shown.")
  for length in 0..<bytes.count { _ = LedgerReader(bytes.prefix(length), from: "x") }
}

@Test func everyFlippedBitOfALogIsSurvived() throws {
  let root = try TemporaryFolder()
  let path = root.path + "/events.jsonl"
  var writer = try LogWriter(path)
  for index in 0..<4 {
    let frame = MicrophoneFrame(position: index * 320, samples: [])
    try writer.append(
      VoiceStep(
        sequence: index * 2, time: .milliseconds(Int64(index)), event: .microphoneFrame(frame: frame), actions: []))
    try writer.append(
      VoiceStep(
        sequence: index * 2 + 1, time: .milliseconds(Int64(index)),
        event: .commandGiven(command: .say(text: "é \"x\"")),
        actions: [.show(notice: .mode(mode: .review))], reasons: ["why"], state: InteractionController().digest))
  }
  let whole = try Data(contentsOf: URL(filePath: path))
  var damaged = 0
  for index in whole.indices {
    for bit in 0..<8 {
      var bytes = whole
      bytes[index] ^= 1 << bit
      do {
        let reader = try LogReader(bytes, from: "log")
        // One line is lost, or two that were joined; where a line feed came in, its two halves.
        #expect(reader.lines.count >= 6, "byte \(index), bit \(bit)")
        for line in reader.lines { #expect(line.steps.count == line.repeated) }
        if reader.damage != nil { damaged += 1 }
      } catch {
        #expect(error.description.contains("log"))
      }
    }
  }
  #expect(damaged > whole.count)
}

@Test func aFolderOfTheUsersOwnIsNotRemovedWithASessionThatNeverBegan() throws {
  let root = try TemporaryFolder()
  let folder = try SessionFolder(creating: root.path + "/mine")
  try Data("precious".utf8).write(to: URL(filePath: folder.path + "/thesis.txt"))
  _ = try LogWriter(folder.log)
  folder.discard()
  #expect(FileManager.default.fileExists(atPath: folder.path + "/thesis.txt"))
  #expect(!FileManager.default.fileExists(atPath: folder.log))
}

/// The last line may be torn, the one before it may not have reached the ledger; what is older is settled.
@Test(arguments: [(0, true), (1, true), (2, false)])
func onlyTheEndOfALogTellsWhatTheLedgerWasNotToldOf(_ linesBehind: Int, _ isOpen: Bool) throws {
  let root = try TemporaryFolder()
  let folder = try brokenOff("one", in: root, [])
  var writer = try LogWriter(folder.log)
  let proposed = VoiceAction.noteInLedger(entry: .proposed(instruction: instruction(1)))
  for sequence in 0...1 + linesBehind {
    try writer.append(
      VoiceStep(
        sequence: sequence, time: .zero, event: .commandGiven(command: .say(text: "a")),
        actions: sequence == 1 ? [proposed] : []))
  }
  try writer.writeGathered()
  let session = try #require(EarlierSession(folder))
  #expect(session.records.map(\.instruction.text) == (isOpen ? ["run the tests"] : []))
}

@Test func theFolderOfASessionThatNeverBeganGoesWithIt() throws {
  let root = try TemporaryFolder()
  let folder = try SessionFolder(creating: root.path + "/mine")
  _ = try LogWriter(folder.log)
  // What the sound libraries print is diverted before there is a device.
  try Data().write(to: URL(filePath: folder.diagnostics))
  folder.discard()
  #expect(!FileManager.default.fileExists(atPath: folder.path))
}

@Test func aMarkIsTheOnlyFileThatMarkingLeaves() throws {
  let root = try TemporaryFolder()
  let folder = try SessionFolder(creating: root.path + "/one")
  let mark = try RunningMark(creating: folder.mark)
  #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["running.lock"])
  withExtendedLifetime(mark) {}
}

@Test func aManifestIsReadOrRefusedByName() throws {
  let root = try TemporaryFolder()
  let path = root.path + "/manifest.json"
  try SessionManifest(
    program: "parley 1", started: "2026-01-01T00:00:00Z",
    plan: [.init(key: "agent.agent", value: "acp:x --token made-up-key-9", origin: "command line")],
    libraries: ["libopus": "1"]
  ).write(to: path, scrubber: Scrubber(["made-up-key-9"]))
  let manifest = try SessionManifest(reading: path)
  #expect(manifest.plan.first?.value == "acp:x --token (secret)")
  #expect(manifest.libraries == ["libopus": "1"])
  let newer = #"{"format":9,"program":"parley 9","started":"x","plan":[],"libraries":{}}"#
  #expect(throws: FileFailure("m is not a session's manifest, or it is damaged.")) {
    try SessionManifest(Data("{".utf8), from: "m")
  }
  #expect(throws: FileFailure("m has format 9 of session folders, which needs a newer parley.")) {
    try SessionManifest(Data(newer.utf8), from: "m")
  }
}

@Test func aSessionBehindALinkIsNotTakenForOneOfTheseAndNotTouched() throws {
  let home = try TemporaryFolder()
  let elsewhere = try SessionFolder(creating: home.path + "/elsewhere")
  _ = try AppendFile(elsewhere.mark)
  try AppendFile(elsewhere.ledger).append([])
  try FileManager.default.createDirectory(atPath: home.path + "/sessions", withIntermediateDirectories: true)
  try FileManager.default.createSymbolicLink(
    atPath: home.path + "/sessions/link", withDestinationPath: elsewhere.path)
  #expect(EarlierSession.all(in: home.path + "/sessions").isEmpty)
  #expect(EarlierSession.all(in: home.path).map(\.name) == ["elsewhere"])
}

@Test func aLedgerThatIsALinkIsDamageAndIsNotRead() throws {
  let home = try TemporaryFolder()
  let folder = try SessionFolder(creating: home.path + "/session")
  _ = try AppendFile(folder.mark)
  try AppendFile(home.path + "/own").append(Array("own words\n".utf8))
  try FileManager.default.createSymbolicLink(atPath: folder.ledger, withDestinationPath: home.path + "/own")
  let session = try #require(EarlierSession(folder))
  #expect(session.damage?.contains("links are not followed") == true)
  #expect(session.records.isEmpty)
}
