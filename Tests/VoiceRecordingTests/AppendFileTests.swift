import Testing
import VoiceRecording
import VoiceSystem
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private func text(_ path: String) throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }

/// What Foundation itself writes of an error is not for people.
@Test func aFailureIsToldInTheWordsOfWhoKnowsThem() {
  struct Full: Error, CustomStringConvertible { let description = "the shelf is full" }
  #expect(FileFailure("write", "/log", Full()).description == "Cannot write /log: the shelf is full")
  let unknown = FileFailure("write", "/log", CocoaError(.fileWriteUnknown))
  #expect(unknown.description == "Cannot write /log. Look at what is there, and at its permissions.")
}

@Test func aFileThatLostItsNameKnowsIt() throws {
  let folder = try TemporaryFolder()
  let file = try AppendFile(folder.path + "/log")
  try file.append(Array("one\n".utf8))
  #expect(!file.isRemoved)
  #expect(rename(folder.path + "/log", folder.path + "/moved") == 0)
  #expect(!file.isRemoved)
  #expect(unlink(folder.path + "/moved") == 0)
  #expect(file.isRemoved)
}

@Test func whatIsReplacedIsReplacedWholeAndLeavesNothingBehind() throws {
  let folder = try TemporaryFolder()
  let (path, draft, other) = (folder.path + "/file", folder.path + "/file.new", folder.path + "/other")
  try AppendFile(other).append(Array("other".utf8))
  try AppendFile(path).append(Array("before".utf8))
  // What a run that broke off left, or somebody laid there: no link is followed.
  #expect(symlink(other, draft) == 0)
  try PlainFile.replace(path, with: Array("after".utf8))
  #expect(try text(path) == "after")
  #expect(try text(other) == "other")
  try AppendFile(draft).append(Array("half".utf8))
  try PlainFile.replace(path, with: Array("again".utf8))
  #expect(try text(path) == "again")
  // A folder cannot be replaced: the draft goes.
  let blocked = folder.path + "/blocked"
  try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
  #expect(throws: FileFailure.self) { try PlainFile.replace(blocked, with: []) }
  #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["blocked", "file", "other"])
}
