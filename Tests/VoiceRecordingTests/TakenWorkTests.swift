import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the agent had taken, and what a later session makes of what an earlier one left open.
struct TakenWorkTests {
  private func instruction(_ id: Int, _ text: String = "run the tests", of session: String? = nil) -> Instruction {
    Instruction(
      id: .init(rawValue: id), text: text, heard: nil, source: session == nil ? .voice : .ledger,
      origin: session.map { .init(session: $0, instruction: .init(rawValue: 1)) })
  }

  private func left(_ root: TemporaryFolder, _ name: String, _ entries: [LedgerEntry]) throws {
    let folder = try SessionFolder(creating: root.path + "/" + name)
    let recorder = try SessionRecorder(folder) { _ in }
    for entry in entries { recorder.noteInLedger(entry) }
  }

  private func open(_ root: TemporaryFolder) -> [String] {
    EarlierSession.all(in: root.path).flatMap { session in
      session.records.filter(\.isOpen).map { "\(session.name): \($0.instruction.text)" }
    }
  }

  /// It broke off, or was ended, while the agent worked: whether that is to be done again is for the user to decide.
  @Test(arguments: [nil, AgentTurnEnd.completed, .cancelled, .stopped(reason: "No more turns.")])
  func whatTheAgentTookAndWasNotSeenToFinishIsOffered(_ end: AgentTurnEnd?) throws {
    let root = try TemporaryFolder()
    let run = RunID(rawValue: 1)
    try left(
      root, "one",
      [
        .proposed(instruction: instruction(1)), .entered(instruction: instruction(1), run: run),
        .dispatched(instruction: .init(rawValue: 1)), .acknowledged(instruction: .init(rawValue: 1)),
      ] + (end.map { [.ended(run: run, end: $0)] } ?? []))
    #expect(open(root) == (end == nil ? ["one: run the tests"] : []))
  }

  @Test(arguments: [(true, [2]), (false, [1, 2])]) func whatTheUserHaltedIsNot(_ isHalted: Bool, _ ids: [Int]) throws {
    let root = try TemporaryFolder()
    let folder = try SessionFolder(creating: root.path + "/one")
    do {
      let recorder = try SessionRecorder(folder) { _ in }
      for id in 1...3 {
        recorder.enterInLedger(instruction(id), as: RunID(rawValue: id))
        recorder.noteInLedger(.acknowledged(instruction: .init(rawValue: id)))
      }
      if isHalted {
        recorder.record(
          VoiceStep(
            sequence: 0, time: .zero, event: .commandGiven(command: .halt),
            actions: [.cancelRun(run: .init(rawValue: 1))]))
      }
      var reports = LateReports()
      reports.take(.turnEnded(end: .completed), of: RunID(rawValue: 3))
      recorder.finish(.terminated(signal: "SIGHUP"), reports)
    }
    #expect(EarlierSession.all(in: root.path).flatMap(\.records).filter(\.isOpen).map(\.instruction.id.rawValue) == ids)
  }

  /// The session was killed before the agent told how it ended; of the last step, perhaps only the log knows.
  @Test(arguments: [false, true]) func whatTheUserHaltedIsNotThoughTheSessionWasKilled(_ isLedgerWritten: Bool) throws {
    let root = try TemporaryFolder()
    let folder = try SessionFolder(creating: root.path + "/one")
    let run = RunID(rawValue: 1)
    let step = VoiceStep(
      sequence: 0, time: .zero, event: .commandGiven(command: .halt), actions: [.cancelRun(run: run)])
    do {
      let recorder = try SessionRecorder(folder) { _ in }
      recorder.enterInLedger(instruction(1), as: run)
      recorder.noteInLedger(.dispatched(instruction: .init(rawValue: 1)))
      recorder.noteInLedger(.acknowledged(instruction: .init(rawValue: 1)))
      recorder.record(step)
    }
    if !isLedgerWritten {
      let lines = try Data(contentsOf: URL(filePath: folder.ledger)).split(separator: 0x0A)
      try Data(lines.dropLast().joined(separator: [0x0A]) + [0x0A]).write(to: URL(filePath: folder.ledger))
    }
    #expect(open(root) == [])
    for session in EarlierSession.all(in: root.path) { session.closeIfSettled() }
    #expect(try LedgerReader(folder.ledger).records.map(\.isHalted) == [true], "the ledger alone tells it")
  }

  /// It was to go into work that was halted, and was given to the agent by itself then.
  @Test func whatWasSentAnewAfterAHaltIsOpenLikeAnyOther() throws {
    let root = try TemporaryFolder()
    let further = instruction(2, "push it")
    try left(
      root, "one",
      [
        .proposed(instruction: further), .entered(instruction: further, run: RunID(rawValue: 1)),
        .halted(run: RunID(rawValue: 1)), .held(instruction: further.id), .approved(instruction: further.id),
        .entered(instruction: further, run: RunID(rawValue: 2)), .dispatched(instruction: further.id),
        .acknowledged(instruction: further.id),
      ])
    #expect(open(root) == ["one: push it"])
  }

  /// The work it was to go into ended, and the session was killed before anything else was entered.
  @Test(arguments: [false, true]) func whatWasOnItsWayIntoWorkThatEndedIsOffered(_ isDispatched: Bool) throws {
    let root = try TemporaryFolder()
    let run = RunID(rawValue: 1)
    let further = instruction(2, "push it")
    try left(
      root, "one",
      [
        .proposed(instruction: instruction(1)), .entered(instruction: instruction(1), run: run),
        .dispatched(instruction: .init(rawValue: 1)), .acknowledged(instruction: .init(rawValue: 1)),
        .proposed(instruction: further), .entered(instruction: further, run: run),
      ] + (isDispatched ? [.dispatched(instruction: further.id)] : []) + [.ended(run: run, end: .completed)])
    #expect(open(root) == ["one: push it"])
  }

  /// The user changed it in a later session, which did not send it either.
  @Test(arguments: [false, true]) func whatWasChangedSinceIsOfferedAsItIsNow(_ isTold: Bool) throws {
    let root = try TemporaryFolder()
    let seven = InstructionID(rawValue: 7)
    let takenOver = LedgerEntry.takenOver(instruction: .init(rawValue: 1), folder: root.path + "/two", number: seven)
    try left(root, "one", [.proposed(instruction: instruction(1, "drop the table")), takenOver])
    let changed = [
      LedgerEntry.proposed(instruction: instruction(7, "drop the table", of: "one")),
      .held(instruction: .init(rawValue: 7)), .amended(instruction: .init(rawValue: 7), text: "back up the table"),
    ]
    if isTold {
      let leftOver = LeftOver(EarlierSession.all(in: root.path))
      for entry in changed { try leftOver.note(entry, scrubber: Scrubber()) }
    } else {
      // It broke off before the earlier one was told.
      try left(root, "two", changed)
    }
    #expect(open(root) == ["one: back up the table"])
    #expect(open(root) == ["one: back up the table"])
  }

  /// A change is scrubbed as in the session's own ledger; and where nothing of the session is kept, nor is that.
  @Test(arguments: [true, false]) func noSecretGoesIntoTheLedgerOfOld(_ isRecorded: Bool) throws {
    let root = try TemporaryFolder()
    let secret = "zq81supersecretvalue"
    try left(root, "one", [.proposed(instruction: instruction(1, "use the token"))])
    do {
      let leftOver = LeftOver(EarlierSession.all(in: root.path))
      let scrubber = isRecorded ? Scrubber([secret]) : nil
      try leftOver.note(.proposed(instruction: instruction(7, "use the token", of: "one")), scrubber: scrubber)
      try leftOver.note(.amended(instruction: .init(rawValue: 7), text: "use the token " + secret), scrubber: scrubber)
    }
    #expect(open(root) == [isRecorded ? "one: use the token (secret)" : "one: use the token"])
  }
}
