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
