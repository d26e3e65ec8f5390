import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private func entry(_ name: String, in folder: String = "/home/me/project") -> RunningSessions.Entry {
  .init(name: name, started: "14:05", workingFolder: folder)
}

@Test func sessionsInOneWorkingFolderSeeEachOther() throws {
  let state = try TemporaryFolder()
  let folder = state.path + "/running"
  let one = try RunningSessions(entry("one"), in: folder)
  #expect(one.neighbours().isEmpty, "nobody is a neighbour of its own")
  do {
    let two = try RunningSessions(entry("two"), in: folder)
    let elsewhere = try RunningSessions(entry("three", in: "/home/me/other"), in: folder)
    #expect(one.neighbours() == [entry("two")])
    #expect(two.neighbours() == [entry("one")])
    #expect(elsewhere.neighbours().isEmpty)
  }
  #expect(one.neighbours().isEmpty, "they are over")
  #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
}

#if os(Linux)
  @Test func aSessionThatIsOverHasNoFileOpen() throws {
    let state = try TemporaryFolder()
    func open() -> [String] {
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return descriptors.filter { descriptor in
        let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return file?.hasPrefix(state.path) == true
      }
    }
    do {
      let one = try RunningSessions(entry("one"), in: state.path + "/running")
      #expect(open().count == 1)
      withExtendedLifetime(one) {}
    }
    #expect(open().isEmpty)
  }
#endif

@Test func aSessionThatBrokeOffIsNobodysNeighbour() throws {
  let state = try TemporaryFolder()
  let folder = state.path + "/running"
  let one = try RunningSessions(entry("one"), in: folder)
  let left = folder + "/1-broken.session"
  try JSONEncoder().encode(entry("broken")).write(to: URL(filePath: left))
  try Data("not ours".utf8).write(to: URL(filePath: folder + "/2-torn.session.new"))
  #expect(one.neighbours().isEmpty)
  #expect(!FileManager.default.fileExists(atPath: left), "whoever sees it removes it")
}

@Test func aFolderThatCannotBeMadeIsOneClearLine() {
  #expect(throws: FileFailure.self) { try RunningSessions(entry("one"), in: "/dev/null/running") }
}
