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
  let (path, other) = (folder.path + "/file", folder.path + "/other")
  try AppendFile(other).append(Array("other".utf8))
  // A link is not followed.
  #expect(symlink(other, path) == 0)
  try PlainFile.replace(path, with: Array("after".utf8))
  #expect(try text(path) == "after")
  #expect(try text(other) == "other")
  try PlainFile.replace(path, with: Array("again".utf8))
  #expect(try text(path) == "again")
  // A folder cannot be replaced: the draft goes.
  let blocked = folder.path + "/blocked"
  try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
  #expect(throws: FileFailure.self) { try PlainFile.replace(blocked, with: []) }
  #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["blocked", "file", "other"])
}

/// Whatever it is called, it is somebody's own.
@Test func whatLiesBesideAFileThatIsReplacedStays() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/file"
  let others = [".new", "~", ".tmp", ".\(getpid())", ".0A1B2C3D.new"].map { path + $0 }
  for other in others { try AppendFile(other).append(Array("own".utf8)) }
  try PlainFile.replace(path, with: Array("after".utf8))
  #expect(try text(path) == "after")
  for other in others { #expect(try text(other) == "own") }
  #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == others.count + 1)
}
