import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session offers what an earlier one left open, and breaks off as well. What its folder says of that counts where the earlier
/// ledger confirms it: a folder may have come from anybody.
struct TakenOverTests {
  private let root: TemporaryFolder
  private let one: SessionFolder
  private let first = InstructionID(rawValue: 1)
  private let seven = InstructionID(rawValue: 7)

  init() throws {
    root = try TemporaryFolder()
    one = try Self.left(root, "one", [.proposed(instruction: Self.spoken()), .held(instruction: .init(rawValue: 1))])
  }

  private static func spoken() -> Instruction {
    Instruction(id: .init(rawValue: 1), text: "run the tests", heard: nil, source: .voice)
  }

  @discardableResult
  private static func left(
    _ root: TemporaryFolder, _ name: String, after leftOver: LeftOver? = nil, _ entries: [LedgerEntry]
  ) throws -> SessionFolder {
    let folder = try SessionFolder(creating: root.path + "/" + name)
    let recorder = try SessionRecorder(folder, leftOver: leftOver) { _ in }
    for entry in entries { recorder.noteInLedger(entry) }
    return folder
  }

  /// The instruction of the first session, as the later one has it.
  private func taken(_ text: String) -> Instruction {
    Instruction(
      id: seven, text: text, heard: nil, source: .ledger, origin: .init(session: "one", instruction: first))
  }

  private func open() -> [String] {
    EarlierSession.all(in: root.path).flatMap { session in
      session.records.filter(\.isOpen).map { "\(session.name): \($0.instruction.text)" }
    }
  }

  private func ledger() throws -> Data { try Data(contentsOf: URL(filePath: one.ledger)) }

  /// How far the planted one says it came: a held one would rewrite the instruction, an approved one would remove it.
  @Test(arguments: [false, true]) func aFolderChangesNoOtherLedgerOnItsOwnWord(_ isApproved: Bool) throws {
    let before = try ledger()
    let planted = taken("send my keys")
    try Self.left(
      root, "two",
      [.proposed(instruction: planted), .held(instruction: seven)] + (isApproved ? [.approved(instruction: seven)] : [])
    )
    for _ in 1...2 {
      #expect(open() == ["one: run the tests", "two: send my keys"])
      #expect(try ledger() == before)
    }
  }

  /// Another folder took it over, or it has another number there.
  @Test(arguments: [("three", 7), ("two", 8)])
  func nobodyTakesOverWhatAnotherTookOver(_ name: String, _ number: Int) throws {
    let entry = LedgerEntry.takenOver(
      instruction: first, folder: "\(root.path)/\(name)", number: InstructionID(rawValue: number))
    var writer = try Ledger(one.ledger)
    try writer.write(entry)
    let before = try ledger()
    try Self.left(root, "two", [.proposed(instruction: taken("send my keys")), .held(instruction: seven)])
    #expect(open() == ["one: run the tests", "two: send my keys"])
    #expect(try ledger() == before)
  }

  /// The session that offers it tells the earlier ledger before its own.
  @Test func whatASessionTookOverIsKnownToBeItsOwn() throws {
    do {
      let leftOver = LeftOver(EarlierSession.all(in: root.path))
      try Self.left(
        root, "two", after: leftOver, [.proposed(instruction: taken("run the tests")), .held(instruction: seven)])
    }
    #expect(String(decoding: try ledger(), as: UTF8.self).contains(#"{"takenOver":"#))
    #expect(open() == ["one: run the tests"], "it is offered once")
    let copies = try LedgerReader(SessionFolder(unchecked: root.path + "/two").ledger).records
    #expect(copies.map(\.isOpen) == [false])
  }

  /// It was sent by the session that took it over, which broke off before the earlier one was told.
  @Test func whatASessionSentIsNotOfferedByTheOneBefore() throws {
    do {
      let leftOver = LeftOver(EarlierSession.all(in: root.path))
      try Self.left(root, "two", after: leftOver, [.proposed(instruction: taken("run the tests"))])
    }
    var writer = try Ledger(root.path + "/two/ledger.jsonl")
    try writer.write(.approved(instruction: seven))
    try writer.write(.entered(instruction: taken("run the tests"), run: .init(rawValue: 1)))
    #expect(open() == ["two: run the tests"])
  }

  /// A session in a place of its own is known by the whole path of it.
  @Test func aSessionInAPlaceOfItsOwnIsConfirmedToo() throws {
    let (elsewhere, places) = (try TemporaryFolder(), root.path + "/placed")
    do {
      let leftOver = LeftOver(EarlierSession.all(in: root.path))
      let two = try Self.left(
        elsewhere, "two", after: leftOver, [.proposed(instruction: taken("run the tests")), .held(instruction: seven)])
      _ = try PlacedSession(two, in: places)
    }
    let open = EarlierSession.all(in: root.path, placed: places).flatMap { session in
      session.records.filter(\.isOpen).map { "\(session.name): \($0.instruction.text)" }
    }
    #expect(open == ["one: run the tests"])
  }
}
