import Testing
import VoiceLanguage
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

/// A repository in a folder, with these files in its index and this branch.
private func repository(_ folder: String, _ paths: [String] = ["Main.swift"], branch: String = "main-idea") throws {
  try write("ref: refs/heads/\(branch)\n".utf8, folder, "HEAD")
  try write(index(paths, version: 2), folder, "index")
  try write("0123\n".utf8, folder, "refs/heads/\(branch)")
}

/// An index may have been made by hand; what it names outside of the project is not read, and no name of it.
@Test(arguments: [
  "../secret/Deal.swift", "../project/../secret/Deal.swift", "src/Deal.swift", "src/../../secret/Deal.swift",
  "./src/Deal.swift",
  "ABSOLUTE/secret/Deal.swift", "src//Deal.swift", "deep/src/Deal.swift",
])
func whatAnIndexNamesOutsideOfTheProjectIsNotRead(_ path: String) throws {
  let root = try TemporaryFolder()
  let project = root.path + "/project"
  try write("struct Merger2 {}".utf8, root.path, "secret/Deal.swift")
  try write("struct Own2 {}".utf8, project, "Main.swift")
  try write("".utf8, project, "deep/readme.md")
  for link in ["/src", "/deep/src"] {
    try FileManager.default.createSymbolicLink(
      atPath: project + link, withDestinationPath: root.path + "/secret")
  }
  try repository(project + "/.git", ["Main.swift", path.replacing("ABSOLUTE", with: root.path)])
  let names = ProjectFolder(project).names()
  #expect(names.contains("Own2") && names.contains("main-idea"))
  #expect(!names.contains("Merger2") && !names.contains("Deal.swift"))
}

/// A file that leads to another repository, or a link, shows nothing of it: neither its branches nor what it tracks.
@Test(arguments: ["../other/.git", "ABSOLUTE/other/.git", "../other/.git/worktrees/wt", "fake", ".git", "../none"])
func whoeverLeadsToAnotherRepositorySeesNothingOfIt(_ place: String) throws {
  let root = try TemporaryFolder()
  let (other, project) = (root.path + "/other/.git", root.path + "/project")
  try repository(other, branch: "secret-merger")
  try write((root.path + "/tree/.git\n").utf8, other, "worktrees/wt/gitdir")
  try write("../..\n".utf8, other, "worktrees/wt/commondir")
  try write(index(["Hidden.swift"], version: 2), other, "worktrees/wt/index")
  try write("struct Own2 {}".utf8, project, "Own2.swift")
  // It leads back as a linked work tree does; but what it calls its repository does not know it.
  try write((project + "/.git\n").utf8, project, "fake/gitdir")
  try write("../../other/.git\n".utf8, project, "fake/commondir")
  let line = "gitdir: " + place.replacing("ABSOLUTE", with: root.path) + "\n"
  try write(line.utf8, project, ".git")
  let names = ProjectFolder(project).names()
  #expect(names.contains("Own2"))
  #expect(!names.contains("secret-merger") && !names.contains("Hidden.swift"))
}

@Test(arguments: [".git", ".git/refs", ".git/refs/heads"]) func noLinkLeadsToTheBranchesOfAnother(_ link: String) throws
{
  let root = try TemporaryFolder()
  let project = root.path + "/project"
  try repository(root.path + "/other/.git", branch: "secret-merger")
  try repository(project + "/.git")
  try FileManager.default.removeItem(atPath: project + "/" + link)
  try FileManager.default.createSymbolicLink(
    atPath: project + "/" + link, withDestinationPath: root.path + "/other/" + link)
  #expect(!ProjectFolder(project).names().contains("secret-merger"))
}

/// A linked work tree and a submodule have their repository elsewhere, which says so.
@Test(arguments: [true, false]) func aWorkTreeThatItsRepositoryKnowsIsRead(_ isAbsolute: Bool) throws {
  let root = try TemporaryFolder()
  let (main, tree) = (root.path + "/main/.git", root.path + "/tree")
  try repository(main, branch: "old-idea")
  try write(index(["EventInbox.swift"], version: 2), main, "worktrees/tree/index")
  try write(((isAbsolute ? tree : "../../../../tree") + "/.git\n").utf8, main, "worktrees/tree/gitdir")
  try write("../..\n".utf8, main, "worktrees/tree/commondir")
  try write("gitdir: \(isAbsolute ? main : "../main/.git")/worktrees/tree\n".utf8, tree, ".git")
  let names = ProjectFolder(tree).names()
  #expect(Set(["EventInbox.swift", "old-idea"]).isSubset(of: names))
}

@Test(arguments: [
  "worktree = ../../../sub", "worktree = \"../../../sub\"", "worktree = ../../../other", "bare = false",
])
func aSubmoduleIsReadWhereItsRepositoryKnowsIt(_ setting: String) throws {
  let root = try TemporaryFolder()
  let (modules, sub) = (root.path + "/main/.git/modules/sub", root.path + "/main/sub")
  try repository(modules, ["EventInbox.swift"], branch: "old-idea")
  try write("[core]\n\tbare = false\n\t\(setting)\n".utf8, modules, "config")
  try write("gitdir: ../.git/modules/sub\n".utf8, sub, ".git")
  let names = ProjectFolder(sub).names()
  #expect(names.contains("EventInbox.swift") == setting.contains("sub"))
  #expect(names.contains("old-idea") == setting.contains("sub"))
}

/// All that is in the folder is its own, wherever it has its repository there.
@Test func aRepositoryUnderAnotherNameInTheFolderIsRead() throws {
  let folder = try TemporaryFolder()
  try repository(folder.path + "/.bare", branch: "old-idea")
  try write("gitdir: .bare\n".utf8, folder.path, ".git")
  #expect(ProjectFolder(folder.path).names().contains("old-idea"))
}

@Test func theWordsOfAProjectAreNotReadThroughALink() throws {
  let root = try TemporaryFolder()
  try write("Merger Corp\n".utf8, root.path, "secret/words.txt")
  try write("Own Corp\n".utf8, root.path, "own/.parley/words.txt")
  try write("".utf8, root.path, "project/readme.md")
  try FileManager.default.createSymbolicLink(
    atPath: root.path + "/project/.parley", withDestinationPath: root.path + "/secret")
  func expected(_ folder: String) -> [String] {
    WordsFile.expected(workingFolder: root.path + "/" + folder, environment: [:]).map(\.written)
  }
  #expect(!expected("project").contains("Merger Corp") && expected("own").contains("Own Corp"))
}
