import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session that left so many instructions open, and whose agent worked in this folder.
private func brokenOff(_ name: String, in root: TemporaryFolder, open: Int, workingFolder: String?) throws {
  let folder = try SessionFolder(creating: "\(root.path)/\(name)")
  try SessionManifest(program: "parley 1", started: "2026-01-01T00:00:00Z", plan: [], workingFolder: workingFolder)
    .write(to: folder.manifest)
  let recorder = try SessionRecorder(folder) { _ in }
  for id in 0..<open {
    let instruction = Instruction(id: .init(rawValue: id + 1), text: "\(name) \(id)", heard: nil, source: .voice)
    recorder.noteInLedger(.proposed(instruction: instruction))
  }
}

private func texts(_ leftOver: LeftOver) -> [String] {
  leftOver.events.compactMap { if case .instructionRecovered(let text, _, _, _) = $0 { text } else { nil } }
}

@Test func whatWasMeantForAnotherFolderIsCountedAndNotOffered() throws {
  let root = try TemporaryFolder()
  try brokenOff("1", in: root, open: 1, workingFolder: "/projects/one")
  try brokenOff("2", in: root, open: 2, workingFolder: "/projects/two")
  try brokenOff("3", in: root, open: 1, workingFolder: nil)
  try brokenOff("4", in: root, open: 1, workingFolder: "/projects/two")
  // A secret was taken out of this one's path.
  try brokenOff("5", in: root, open: 1, workingFolder: "/projects/(secret)")
  do {
    let leftOver = LeftOver(EarlierSession.all(in: root.path), in: "/projects/one")
    #expect(texts(leftOver) == ["1 0", "3 0", "5 0"])
    #expect(leftOver.elsewhere.map(\.workingFolder) == ["/projects/two"])
    #expect(leftOver.elsewhere.map(\.count) == [3])
    // Whoever starts there meanwhile is offered it.
    let there = LeftOver(EarlierSession.all(in: root.path), in: "/projects/two")
    #expect(texts(there) == ["2 0", "2 1", "4 0"])
    #expect(there.elsewhere.isEmpty)
    withExtendedLifetime(leftOver) {}
  }
  #expect(texts(LeftOver(EarlierSession.all(in: root.path))).count == 6)
}

/// It is told once more, and closed, wherever that is.
@Test func aSessionThatLeftNothingOpenIsNoOtherFolders() throws {
  let root = try TemporaryFolder()
  try brokenOff("1", in: root, open: 0, workingFolder: "/projects/one")
  let leftOver = LeftOver(EarlierSession.all(in: root.path), in: "/projects/two")
  #expect(leftOver.sessions.map(\.name) == ["1"])
  #expect(leftOver.elsewhere.isEmpty)
}
