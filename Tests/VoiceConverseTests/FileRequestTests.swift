import Testing
import VoiceJSON
import VoiceTesting

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lines as an agent may name them: none of them stops the program that reads for it.
@Test(arguments: [Int.min, -1, 0, 1, 3, Int.max], [Int.min, -1, 0, 1, Int.max])
func anyLinesOfAFileMayBeAskedFor(_ line: Int, _ limit: Int) throws {
  let folder = try TemporaryFolder()
  try Data("one\ntwo\nthree".utf8).write(to: URL(filePath: folder.path + "/in.txt"))
  let files = WorkingFolderFiles(folder.path)
  let request = FileRequest(request: 1, path: folder.path + "/in.txt", operation: .read(line: line, limit: limit))
  let answer = try files.answer(request).get()
  let lines = ["one", "two", "three"].dropFirst(line > 3 ? 3 : max(1, line) - 1).prefix(min(3, max(0, limit)))
  #expect(answer["content"]?.string == lines.joined(separator: "\n"))
}

@Test func linesAreCountedInAFileOfWindowsToo() throws {
  let folder = try TemporaryFolder()
  try Data("one\r\ntwo\r\nthree\r\n".utf8).write(to: URL(filePath: folder.path + "/in.txt"))
  let request = FileRequest(request: 1, path: folder.path + "/in.txt", operation: .read(line: 2, limit: 1))
  #expect(try WorkingFolderFiles(folder.path).answer(request).get()["content"]?.string == "two\r")
}

@Test(arguments: [0, 1]) func aFileMayBeAsLargeAsTheLimit(_ more: Int) throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/in.txt"
  try Data(count: ConverseLimits.fileBytes + more).write(to: URL(filePath: path))
  let request = FileRequest(request: 1, path: path, operation: .read(line: nil, limit: nil))
  switch WorkingFolderFiles(folder.path).answer(request) {
  case .success(let answer): #expect(more == 0 && answer["content"]?.string?.utf8.count == ConverseLimits.fileBytes)
  case .failure(let refusal): #expect(more == 1 && refusal.message.hasSuffix("is too large"))
  }
}

/// What the user refused is not written by Parley either, whatever the file is called.
@Test(arguments: ["hooks/new", "hooks/there", "./hooks/there", "link", "whole/in"])
func whatTheUserRefusedIsNotWritten(_ name: String) throws {
  let folder = try TemporaryFolder()
  try FileManager.default.createDirectory(atPath: folder.path + "/hooks", withIntermediateDirectories: false)
  try Data("before".utf8).write(to: URL(filePath: folder.path + "/hooks/there"))
  try FileManager.default.createSymbolicLink(
    atPath: folder.path + "/link", withDestinationPath: folder.path + "/hooks/there")
  let files = WorkingFolderFiles(folder.path)
  var request = FileRequest(
    request: 1, path: folder.path + "/" + name, operation: .write(content: "after"),
    denied: [folder.path + "/hooks/new", "hooks/there", "whole"])
  guard case .failure(let refusal) = files.answer(request) else {
    Issue.record("it was written")
    return
  }
  #expect(refusal.message.hasSuffix("is not written: the user has not allowed it"))
  #expect(!FileManager.default.fileExists(atPath: folder.path + "/hooks/new"))
  #expect(try String(contentsOf: URL(filePath: folder.path + "/hooks/there"), encoding: .utf8) == "before")
  request.denied = []
  #expect(try files.answer(request).get() == [:])
}
