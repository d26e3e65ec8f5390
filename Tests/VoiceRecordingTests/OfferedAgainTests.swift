import Testing
import VoiceCore
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

private func instruction(_ id: Int, _ text: String = "run the tests") -> Instruction {
  Instruction(id: .init(rawValue: id), text: text, heard: nil, source: .voice)
}

/// What a session writes whose agent ends a run like this: what it was given is held again under the next number.
private func entries(_ end: AgentTurnEnd, _ first: Instruction = instruction(1)) -> [LedgerEntry] {
  var again = first
  again.id = .init(rawValue: first.id.rawValue + 1)
  return [
    .proposed(instruction: first), .entered(instruction: first, run: .init(rawValue: 1)),
    .dispatched(instruction: first.id), .acknowledged(instruction: first.id),
    .ended(run: .init(rawValue: 1), end: end), .proposed(instruction: again), .held(instruction: again.id),
  ]
}

private func brokenOff(_ name: String, in root: TemporaryFolder, _ entries: [LedgerEntry]) throws -> SessionFolder {
  let folder = try SessionFolder(creating: "\(root.path)/\(name)")
  let recorder = try SessionRecorder(folder) { _ in }
  for entry in entries { recorder.noteInLedger(entry) }
  return folder
}

/// Approved twice, it would be sent twice.
@Test(arguments: [AgentTurnEnd.unconfirmed(reason: "It died."), .failed(reason: "The model is down.")])
func whatWasHeldAgainWhenTheSessionBrokeOffIsOfferedOnce(_ end: AgentTurnEnd) throws {
  let root = try TemporaryFolder()
  let folder = try brokenOff("one", in: root, entries(end))
  let records = try LedgerReader(folder.ledger).records
  #expect(records.map(\.isOpen) == [false, true])
  #expect(records.map(\.isOfferedAgain) == [true, false])
  #expect(records[1].certainty == .unconfirmed, "it was sent, whoever holds it now")
  let events = LeftOver(EarlierSession.all(in: root.path)).events
  #expect(
    events == [
      .instructionRecovered(
        text: "run the tests", origin: .init(session: "one", instruction: .init(rawValue: 2)), wasSpoken: true)
    ])
}

/// An agent is told of spoken words that they may be misheard, whichever session hands them on in the end.
@Test func whatWasSpokenIsOfferedAsThatByEveryLaterSession() throws {
  let root = try TemporaryFolder()
  var recovered = Instruction(id: .init(rawValue: 3), text: "push it", heard: nil, source: .ledger)
  recovered.wasSpoken = true
  let texts: [Instruction] = [
    instruction(1), Instruction(id: .init(rawValue: 2), text: "typed", heard: nil, source: .keyboard), recovered,
    Instruction(id: .init(rawValue: 4), text: "typed long ago", heard: nil, source: .ledger),
  ]
  _ = try brokenOff("one", in: root, texts.map { .proposed(instruction: $0) })
  let spoken = LeftOver(EarlierSession.all(in: root.path)).events.compactMap { event -> [Bool?]? in
    if case .instructionRecovered(_, _, _, let wasSpoken) = event { [wasSpoken] } else { nil }
  }
  #expect(spoken == [[true], [nil], [true], [nil]])
}

/// A step is logged before it is performed: one that was killed meanwhile has told the ledger the first of its entries, or none.
@Test(arguments: [false, true], [0, 1, 2, 3])
func whatTheStepThatEndedTheRunEnteredIsKnownFromTheLog(_ isAcknowledged: Bool, _ written: Int) throws {
  let root = try TemporaryFolder()
  var all = entries(.unconfirmed(reason: "It died."))
  if !isAcknowledged { all.remove(at: 3) }
  let folder = try SessionFolder(creating: "\(root.path)/one")
  do {
    let recorder = try SessionRecorder(folder) { _ in }
    for entry in all.dropLast(3) { recorder.noteInLedger(entry) }
    recorder.record(
      VoiceStep(
        sequence: 0, time: .zero, event: .commandsEnded, actions: all.suffix(3).map { .noteInLedger(entry: $0) }))
    for entry in all.suffix(3).prefix(written) { recorder.noteInLedger(entry) }
  }
  for _ in 1...2 {
    let session = try #require(EarlierSession(folder))
    #expect(session.records.map(\.isOpen) == [false, true])
    #expect(session.records.map(\.certainty) == [.unconfirmed, .unconfirmed])
    #expect(LeftOver([session]).events.count == 1)
  }
  try #require(EarlierSession(folder)).settle(.init(rawValue: 2))
  #expect(EarlierSession(folder) == nil)
  #expect(try LedgerReader(folder.ledger).records.allSatisfy { !$0.isOpen }, "the ledger alone tells it")
}

/// The work it went into was done before it was taken: it is not known whether it was.
@Test func whatWentIntoWorkAndWasNotAcknowledgedWasSent() throws {
  let root = try TemporaryFolder()
  let run = RunID(rawValue: 1)
  let folder = try brokenOff(
    "one", in: root,
    [
      .proposed(instruction: instruction(1)), .entered(instruction: instruction(1), run: run),
      .dispatched(instruction: .init(rawValue: 1)), .acknowledged(instruction: .init(rawValue: 1)),
      .proposed(instruction: instruction(2, "push it")), .entered(instruction: instruction(2, "push it"), run: run),
      .dispatched(instruction: .init(rawValue: 2)), .ended(run: run, end: .completed),
      .proposed(instruction: instruction(3, "push it")), .held(instruction: .init(rawValue: 3)),
    ])
  let records = try LedgerReader(folder.ledger).records
  #expect(records.map(\.isOfferedAgain) == [false, true, false])
  #expect(records.map(\.isOpen) == [false, false, true])
  #expect(records[2].certainty == .unconfirmed)
}

@Test func theSameWordsSaidLaterAreAnotherInstruction() throws {
  let root = try TemporaryFolder()
  let folder = try brokenOff(
    "one", in: root,
    entries(.unconfirmed(reason: "It died.")) + [
      .rejected(instruction: .init(rawValue: 2)), .proposed(instruction: instruction(3)),
      .held(instruction: .init(rawValue: 3)),
    ])
  let records = try LedgerReader(folder.ledger).records
  #expect(records.map(\.wasSent) == [false, true, false])
  #expect(records.map(\.isOpen) == [false, false, true])
}

/// It was recovered, approved, sent and lost its agent: it is this session's own now, though the first one left more open.
@Test func whatAnEarlierSessionHadAndThisOneSentIsOfferedByThisOne() throws {
  let root = try TemporaryFolder()
  let first = try brokenOff(
    "one", in: root,
    [
      .proposed(instruction: instruction(1)), .held(instruction: .init(rawValue: 1)),
      .settled(instruction: .init(rawValue: 1)), .proposed(instruction: instruction(2, "push it")),
      .held(instruction: .init(rawValue: 2)),
    ])
  var recovered = instruction(1)
  recovered.origin = .init(session: "one", instruction: .init(rawValue: 1))
  let second = try brokenOff("two", in: root, entries(.unconfirmed(reason: "It died."), recovered))
  for _ in 0..<2 {
    let texts = LeftOver(EarlierSession.all(in: root.path)).events.map {
      if case .instructionRecovered(let text, _, _, _) = $0 { text } else { "" }
    }
    #expect(texts == ["push it", "run the tests"])
  }
  #expect(first.path != second.path)
}
