import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

@testable import VoiceRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let cash = Correction(heard: "cash", meant: "cache", before: "the", after: "hit")
private let left = Correction(heard: "poll", meant: "poll")

@Test func whatWasTaughtIsKeptInAFileThatOnlyItsOwnerMayRead() throws {
  let folder = try TemporaryFolder()
  let file = CorrectionFile(folder.path + "/data/parley/words.jsonl")
  let nothing = try file.read()
  #expect(nothing.entries.isEmpty && nothing.damagedLines == 0)
  try file.append([cash], in: "/a")
  try file.append([left], in: "/b")
  #expect(try file.read().entries == [.init(folder: "/a", correction: cash), .init(folder: "/b", correction: left)])
  let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
  #expect(mode.map { $0 & 0o777 } == 0o600)
}

@Test func aLessonHoldsWhereItWasTaughtAndWhereItsNameIsKnown() throws {
  let folder = try TemporaryFolder()
  let file = CorrectionFile(folder.path + "/words.jsonl")
  try file.append([cash, left], in: "/a")
  #expect(try file.corrections(in: "/a", names: []) == [cash, left])
  #expect(try file.corrections(in: "/b", names: ["cache"]) == [cash, left])
  #expect(try file.corrections(in: "/b", names: []) == [left])
}

@Test func aLessonCanBeForgottenByEitherOfItsSides() throws {
  let folder = try TemporaryFolder()
  let file = CorrectionFile(folder.path + "/words.jsonl")
  try file.append([cash, left, cash], in: "/a")
  func number() throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
  }
  let before = try number()
  #expect(try file.forget("nothing") == 0)
  #expect(try number() == before, "written anew, though nothing was forgotten")
  #expect(try file.forget("Cache") == 2)
  #expect(try file.read().entries.map(\.correction) == [left])
  #expect(try file.forget("poll") == 1)
  #expect(try file.read().entries.isEmpty)
}

@Test func aDamagedLineIsLeftOutAndCounted() throws {
  let folder = try TemporaryFolder()
  let file = CorrectionFile(folder.path + "/words.jsonl")
  try file.append([cash], in: "/a")
  try AppendFile(file.path).append(Array("{not json\n".utf8))
  try file.append([left], in: "/a")
  let (entries, damagedLines) = try file.read()
  #expect(entries.map(\.correction) == [cash, left])
  #expect(damagedLines == 1)
}

@Test func aFileThatCannotBeWrittenIsOneClearError() throws {
  let folder = try TemporaryFolder()
  try AppendFile(folder.path + "/blocked").append([])
  let failure = #expect(throws: FileFailure.self) {
    try CorrectionFile(folder.path + "/blocked/words.jsonl").append([cash], in: "/a")
  }
  #expect(failure?.description.contains("blocked") == true)
}
