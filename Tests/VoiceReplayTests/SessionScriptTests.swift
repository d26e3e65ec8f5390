import Testing
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session folder with the log of a fixture, and silence for sound: what was said is in the log.
private func recordedSession(_ slug: String, in temporary: TemporaryFolder) throws -> String {
  let log = try Data(contentsOf: URL(filePath: load(slug).expectedPath))
  try log.write(to: URL(filePath: temporary.path + "/events.jsonl"))
  return temporary.path
}

private func silence(_ path: String) -> [Int16] { [Int16](repeating: 0, count: 60 * PCM.microphoneRate) }

@Test(arguments: [
  "direct", "two-turns", "review-approve", "review-edit", "review-reject", "permission-allowed", "permission-denied",
  "question", "halt", "spoken-stop", "queued-instruction", "link-cut", "link-starts-afresh", "client-turn-detection",
  "agent-failure", "quit-while-running", "speaker-lost", "mode-while-held",
])
func aRecordedSessionIsDecidedAlikeInTheSimulatedWorld(_ slug: String) async throws {
  let temporary = try TemporaryFolder()
  let script = try SessionScript(recordedSession(slug, in: temporary), readSound: silence)
  let replay = await script.folder.replay()
  #expect(replay.breaches.isEmpty)
  #expect(script.differences(in: replay).isEmpty)
  #expect(replay.lines.count > 10)
}

@Test func oneTurnOfASessionIsAFixtureOfItsOwn() async throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession("two-turns", in: temporary)
  let script = try SessionScript(session, turn: 2, readSound: silence)
  #expect(script.turnCount == 2)
  let folder = try script.folder.write(to: temporary.path + "/turn")
  let read = try FixtureFolder(folder.path) { try WaveFile.samples($0) }
  #expect(read.fixture == script.folder.fixture)
  #expect(read.fixture.model.count == 1)
  #expect(read.fixture.agent.count == 1)
  let replay = await read.replay()
  #expect(replay.handedOn.map(\.text) == ["show me the diff for the last commit"])
  #expect(replay.outcome == .completed)
  // It holds what somebody said.
  let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/fixture.json5")
  #expect("\(attributes[.posixPermissions] ?? "none")" == "\(0o600)")
  #expect(throws: FixtureFailure.self) { try script.folder.write(to: folder.path) }
}

@Test func aTurnThatIsNotThereIsNamed() throws {
  let temporary = try TemporaryFolder()
  let session = try recordedSession("direct", in: temporary)
  let failure = #expect(throws: FixtureFailure.self) { try SessionScript(session, turn: 7, readSound: silence) }
  #expect(failure?.description.contains("has no turn 7: it has 1") == true)
}

@Test func aKeyThatSomebodySaidIsNotInAFixture() async throws {
  let temporary = try TemporaryFolder()
  let key = "ghp_" + String(repeating: "a1B2", count: 9)
  let path = temporary.path + "/events.jsonl"
  let log = try String(contentsOf: URL(filePath: load("direct").expectedPath), encoding: .utf8)
  try Data(log.replacing("main branch", with: "branch \(key)").utf8).write(to: URL(filePath: path))
  let script = try SessionScript(temporary.path, turn: 1, readSound: silence)
  let folder = try script.folder.write(to: temporary.path + "/turn")
  let text = try String(contentsOf: URL(filePath: folder.path + "/fixture.json5"), encoding: .utf8)
  #expect(text.contains("branch (secret)"))
  #expect(!text.contains(key))
}
