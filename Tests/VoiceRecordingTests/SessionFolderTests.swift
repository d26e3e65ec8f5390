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

private func instruction(_ id: Int) -> Instruction {
  Instruction(id: InstructionID(rawValue: id), text: "run the tests", heard: nil, source: .voice)
}

@Test func aSessionFolderIsPrivate() throws {
  let parent = try TemporaryFolder()
  let folder = try SessionFolder(creating: parent.path + "/a/b")
  let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
  #expect(mode == 0o700)
}

@Test func aFolderThatHoldsASessionIsNotOverwritten() throws {
  let parent = try TemporaryFolder()
  let folder = try SessionFolder(creating: parent.path + "/s")
  _ = try LogWriter(folder.log)
  #expect(throws: FileFailure.self) { try SessionFolder(creating: folder.path) }
}

@Test func aFolderOfSomebodyElseIsNeitherFilledNorClosedToOthers() throws {
  let parent = try TemporaryFolder()
  let own = parent.path + "/own"
  try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: own)
  _ = try SessionFolder(creating: own)
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: own)
  try Data().write(to: URL(filePath: own + "/thesis.txt"))
  let refusal = #expect(throws: FileFailure.self) { try SessionFolder(creating: own) }
  #expect("\(try #require(refusal))".contains("thesis.txt"))
  #expect(try FileManager.default.attributesOfItem(atPath: own)[.posixPermissions] as? Int == 0o755)
}

@Test func aFolderBelowAFileCannotBeMade() throws {
  let parent = try TemporaryFolder()
  try Data().write(to: URL(filePath: parent.path + "/file"))
  #expect(throws: FileFailure.self) { try SessionFolder(creating: parent.path + "/file/session") }
}

/// The ledger of a damaged one may still tell something.
@Test(arguments: [("ledger.jsonl", "is damaged"), ("thesis.txt", "is not a session folder")])
func aFolderWithoutALogIsDamagedOrNone(_ file: String, _ told: String) throws {
  let folder = try TemporaryFolder()
  try Data().write(to: URL(filePath: folder.path + "/" + file))
  let refusal = try #require(#expect(throws: FileFailure.self) { try SessionFolder(reading: folder.path) })
  #expect("\(refusal)".contains(told))
}

@Test func theLedgerRefusesToEnterAnInstructionTwice() throws {
  let parent = try TemporaryFolder()
  var ledger = try Ledger(parent.path + "/ledger.jsonl")
  try ledger.write(.entered(instruction: instruction(1), run: RunID(rawValue: 1)))
  #expect(throws: FileFailure.self) {
    try ledger.write(.entered(instruction: instruction(1), run: RunID(rawValue: 2)))
  }
}

@Test(.timeLimit(.minutes(5))) func theRecorderSaysThatAnInstructionStandsInTheLedgerOnlyOnceItDoes() async throws {
  let parent = try TemporaryFolder()
  let folder = try SessionFolder(creating: parent.path + "/s")
  let posted = Journal<VoiceEvent>()
  let recorder = try SessionRecorder(folder) { posted.append($0) }
  recorder.enterInLedger(instruction(7), as: RunID(rawValue: 1))
  #expect(try await posted.next { $0 } == .ledgerEntered(instruction: InstructionID(rawValue: 7)))
  let written = try Data(contentsOf: URL(filePath: folder.ledger))
  #expect(String(decoding: written, as: UTF8.self).contains("run the tests"))
}
