import Testing
import VoiceTesting

@testable import VoiceWords

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An index as git writes it, with nothing in it but paths.
private func index(_ paths: [String], version: UInt8) -> [UInt8] {
  var bytes = Array("DIRC".utf8) + [0, 0, 0, version, 0, 0, 0, UInt8(paths.count)]
  var previous: [UInt8] = []
  for path in paths {
    let start = bytes.count
    let name = Array(path.utf8)
    bytes += [UInt8](repeating: 1, count: 60) + [0, UInt8(name.count)]
    if version == 4 {
      let shared = zip(previous, name).prefix { $0 == $1 }.count
      bytes += [UInt8(previous.count - shared)] + name[shared...] + [0]
      previous = name
    } else {
      bytes += name + [0]
      while (bytes.count - start) % 8 != 0 { bytes.append(0) }
    }
  }
  return bytes
}

@Test(arguments: [2, 3, 4] as [UInt8])
func theIndexOfARepositoryNamesItsFiles(_ version: UInt8) {
  let paths = ["README.md", "Sources/A.swift", "Sources/AB.swift", "Tests/A.swift"]
  let bytes = index(paths, version: version)
  #expect(GitIndex(bytes, hashBytes: 20)?.paths == paths)
  #expect(GitIndex(Array(bytes.dropLast(12)), hashBytes: 20) == nil)
}

private func write(_ text: some Collection<UInt8>, _ folder: String, _ path: String) throws {
  let file = URL(filePath: folder + "/" + path)
  try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  try Data(text).write(to: file)
}

@Test func inARepositoryOnlyTrackedFilesCountAndBranchesAreNames() throws {
  let folder = try TemporaryFolder()
  try write("ref: refs/heads/main\n".utf8, folder.path, ".git/HEAD")
  try write(index(["Sources/EventInbox.swift"], version: 2), folder.path, ".git/index")
  try write("0123 refs/heads/old-idea\n".utf8, folder.path, ".git/packed-refs")
  try write("0123\n".utf8, folder.path, ".git/refs/heads/feature/dark-mode")
  try write("struct Inbox2 {}".utf8, folder.path, "Sources/EventInbox.swift")
  try write("struct Generated {}".utf8, folder.path, "Sources/Ignored.swift")
  let names = ProjectFolder(folder.path).names()
  #expect(Set(["EventInbox.swift", "Inbox2", "feature/dark-mode", "old-idea"]).isSubset(of: names))
  #expect(!names.contains("Ignored.swift") && !names.contains("Generated"))
  #expect(ProjectFolder(folder.path + "/Sources").names().contains("EventInbox.swift"))
}

@Test func aBranchMayBeCalledLikeAProductOfABuild() throws {
  let folder = try TemporaryFolder()
  try write("ref: refs/heads/main\n".utf8, folder.path, ".git/HEAD")
  for branch in ["build/dark-mode", "vendor/new-parser"] {
    try write("0123\n".utf8, folder.path, ".git/refs/heads/\(branch)")
  }
  #expect(Set(["build/dark-mode", "vendor/new-parser"]).isSubset(of: ProjectFolder(folder.path).names()))
}

@Test func withoutARepositoryIgnoreFilesAndTheUsualProductsAreRespected() throws {
  let folder = try TemporaryFolder()
  for path in ["app/MainLoop.py", "node_modules/left/Pad.js", "secret/Hidden.py", "app/Made.gen.py", ".cache/Deep.py"] {
    try write("".utf8, folder.path, path)
  }
  try write("secret/\n*.gen.py\n# comment\n".utf8, folder.path, ".gitignore")
  #expect(ProjectFolder(folder.path).names() == ["MainLoop.py", "MainLoop"])
}

@Test func aFolderThatIsNotThereHasNoNames() { #expect(ProjectFolder("/nonexistent/folder").names() == []) }

@Test func aLinkOutOfTheFolderIsNotFollowed() throws {
  let folder = try TemporaryFolder()
  try write("struct Outside {}".utf8, folder.path, "elsewhere/Outside.swift")
  try FileManager.default.createDirectory(atPath: folder.path + "/project", withIntermediateDirectories: true)
  try FileManager.default.createSymbolicLink(
    atPath: folder.path + "/project/Link.swift", withDestinationPath: folder.path + "/elsewhere/Outside.swift")
  #expect(ProjectFolder(folder.path + "/project").names() == [])
}
