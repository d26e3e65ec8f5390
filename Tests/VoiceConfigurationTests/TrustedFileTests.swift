import Testing
import VoiceConfiguration
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

/// Why a file is not taken for a configuration; nil if it is.
private func refusal(_ path: String) -> String? {
  do {
    _ = try PlanLayer(readingFile: path)
    return nil
  } catch {
    return error.description
  }
}

private func written(_ path: String, mode: mode_t) throws -> String {
  try FileManager.default.createDirectory(
    atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
  try Data("{ interaction: { mode: 'direct' } }".utf8).write(to: URL(filePath: path))
  try #require(chmod(path, mode) == 0)
  return path
}

@Test(arguments: [0o600, 0o400, 0o640, 0o644, 0o755] as [mode_t])
func aConfigurationThatOnlyItsOwnerCanChangeIsRead(_ mode: mode_t) throws {
  let home = try TemporaryFolder()
  #expect(refusal(try written(home.path + "/own/parley.json5", mode: mode)) == nil)
}

@Test(arguments: [0o660, 0o664, 0o620, 0o602, 0o646, 0o666, 0o777] as [mode_t])
func aConfigurationThatOthersCanChangeIsRefused(_ mode: mode_t) throws {
  let home = try TemporaryFolder()
  let path = try written(home.path + "/own/parley.json5", mode: mode)
  #expect(refusal(path)?.hasSuffix("Run: chmod go-w \(path)") == true)
  // A link does not make it better.
  try #require(symlink(path, home.path + "/link.json5") == 0)
  #expect(refusal(home.path + "/link.json5")?.contains("chmod go-w") == true)
}

@Test func aLinkThatLeadsNowhereIsNotCalledMissing() throws {
  let home = try TemporaryFolder()
  let (path, link) = (home.path + "/none.json5", home.path + "/link.json5")
  #expect(refusal(path) == "\(path): there is no such file. Name another with --config.")
  for destination in ["none.json5", "/nowhere/at/all"] {
    try #require(symlink(destination, link) == 0)
    let words = "\(link) is a symbolic link to \(destination), and what it leads to does not exist."
    #expect(refusal(link)?.hasPrefix(words) == true, "\(refusal(link) ?? "")")
    try #require(unlink(link) == 0)
  }
}

@Test func aConfigurationInAFolderThatAllCanChangeIsRefused() throws {
  let home = try TemporaryFolder()
  let path = try written(home.path + "/own/parley.json5", mode: 0o600)
  try #require(symlink(path, home.path + "/link.json5") == 0)
  let folder = home.path + "/own"
  for (mode, isRefused) in [(0o777, true), (0o733, true), (0o1777, false), (0o775, false), (0o700, false)] {
    try #require(chmod(folder, mode_t(mode)) == 0)
    for name in [path, home.path + "/link.json5"] {
      #expect((refusal(name)?.hasSuffix("Run: chmod o-w \(folder)") == true) == isRefused, "\(mode) \(name)")
    }
  }
}

@Test(.enabled(if: geteuid() == 0, "only root can give files away"))
func aConfigurationOfAnotherUserIsRefused() throws {
  let home = try TemporaryFolder()
  let path = try written(home.path + "/own/parley.json5", mode: 0o600)
  try #require(chown(path, 12_345, 12_345) == 0)
  #expect(refusal(path)?.contains("belongs to another user") == true)
}

@Test(.timeLimit(.minutes(5))) func whatIsNoFileIsNoConfiguration() throws {
  let home = try TemporaryFolder()
  try #require(mkfifo(home.path + "/pipe", 0o600) == 0)
  #expect(refusal(home.path + "/pipe")?.contains("not a regular file") == true)
  #expect(refusal(home.path)?.contains("it is a folder") == true)
  #expect(refusal(home.path + "/none")?.contains("there is no such file") == true)
  #expect(refusal("/dev/zero")?.contains("not a regular file") == true)
  #expect(refusal("/dev/null") == nil)
}

@Test func withoutAHomeNoConfigurationIsRead() throws {
  for environment in [[:], ["HOME": ""], ["HOME": "."], ["XDG_CONFIG_HOME": "relative", "HOME": "relative"]] {
    var asked: [String] = []
    _ = try Plan.resolve(
      file: nil, commandLine: PlanLayer(origin: "test"), providers: [], environment: environment,
      fileExists: {
        asked.append($0)
        return false
      })
    #expect(asked == [], "\(environment)")
  }
}
