import Testing
import VoiceCore
import VoiceRecording
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// MARK: Differences

@Test func aDifferenceIsTheFirstStepInWords() async throws {
  let folder = try TemporaryFolder()
  let log = try String(contentsOf: URL(filePath: load("direct").expectedPath), encoding: .utf8)
  // What the log says was handed on is another instruction than what was proposed.
  let changed = log.replacing(
    "\"startRun\":{\"instruction\":{\"heard\":\"why", with: "\"startRun\":{\"instruction\":{\"heard\":\"where")
  #expect(changed != log)
  let path = folder.path + "/events.jsonl"
  try Data(changed.utf8).write(to: URL(filePath: path))
  let (verdict, _) = try await LogReplay(path).run()
  guard case .differs(let difference) = verdict else {
    Issue.record("the log gives the same")
    return
  }
  let rows = difference.description.split(separator: "\n")
  #expect(rows.first?.hasPrefix("first difference at step ") == true)
  // The three lines right before it.
  let lines = try LogReader(path).lines
  let place = try #require(
    lines.firstIndex { line in if case .ledgerEntered = line.step.event { true } else { false } })
  let before = rows.filter { $0.hasPrefix("  before    step ") }
  #expect(before.count == 3)
  #expect(before.last?.hasPrefix("  before    step \(lines[place - 1].step.sequence)") == true, "\(before)")
  #expect(rows.contains { $0.contains("happened") && $0.contains("ledger entered") })
  #expect(rows.contains { $0.contains("expected") && $0.contains("start run") && $0.contains("“where is the build") })
  #expect(rows.contains { $0.contains("actual") && $0.contains("start run") && $0.contains("“why is the build") })
}

@Test func aLogThatGoesOnBehindItsEndIsDamaged() async throws {
  let folder = try TemporaryFolder()
  let log = try String(contentsOf: URL(filePath: load("silence").expectedPath), encoding: .utf8)
  let last = try #require(log.split(separator: "\n").last)
  let path = folder.path + "/events.jsonl"
  try Data((log + last + "\n").utf8).write(to: URL(filePath: path))
  let error = await #expect(throws: (any Error).self) { _ = try await LogReplay(path).run() }
  #expect("\(try #require(error))".contains("is damaged"))
}

// MARK: Damage

/// Bytes of a file, one bit of which is turned.
private func turned(_ bytes: [UInt8], _ place: Int, _ bit: Int) -> [UInt8] {
  var bytes = bytes
  bytes[place] ^= 1 << bit
  return bytes
}

@Test func aDamagedFixtureGivesOneClearErrorOrWorks() async throws {
  let temporary = try TemporaryFolder()
  let source = Repository.path + "/audio-fixtures/permission-allowed"
  let script = try [UInt8](Data(contentsOf: URL(filePath: source + "/fixture.json5")))
  var generator = SeededGenerator(seed: 11)
  var errors = 0
  let places = (0..<60).map { _ in Int.random(in: 0..<script.count, using: &generator) }
  let damaged =
    places.map { turned(script, $0, $0 % 8) } + stride(from: 0, to: script.count, by: 50).map { Array(script[..<$0]) }
  for bytes in damaged {
    try Data(bytes).write(to: URL(filePath: temporary.path + "/fixture.json5"))
    do {
      let folder = try FixtureFolder(temporary.path) { name in
        let file = name.split(separator: "/").last.map(String.init) ?? ""
        return try WaveFile.samples(Repository.path + "/audio-fixtures/recordings/" + file)
      }
      // What can still be read as a script runs like any other, and no such script stops the program.
      _ = await folder.replay()
    } catch {
      errors += 1
      #expect(error.description.contains(temporary.path + "/fixture.json5"), "\(error)")
      #expect(!error.description.contains("\n"))
      #expect(error.description.count < 400, "\(error)")
    }
  }
  #expect(errors > 20)
}

@Test func aDamagedExpectedLogIsADifference() async throws {
  let temporary = try TemporaryFolder()
  let source = try load("silence")
  let replay = await source.replay()
  let script = Repository.path + "/audio-fixtures/silence/fixture.json5"
  try Data(contentsOf: URL(filePath: script)).write(to: URL(filePath: temporary.path + "/fixture.json5"))
  let folder = try FixtureFolder(temporary.path) { try WaveFile.samples($0) }
  var generator = SeededGenerator(seed: 12)
  for _ in 0..<100 {
    let place = Int.random(in: 0..<replay.log.count, using: &generator)
    try Data(turned(replay.log, place, place % 8)).write(to: URL(filePath: folder.expectedPath))
    guard case .differs = folder.compare(replay) else {
      Issue.record("a turned bit at \(place) was not noticed")
      continue
    }
  }
  try Data(replay.log.dropLast(40)).write(to: URL(filePath: folder.expectedPath))
  guard case .differs = folder.compare(replay) else {
    Issue.record("a log that was cut short was not noticed")
    return
  }
}

// MARK: CI

@Test func shardsTogetherAreEverythingOnce() throws {
  let all = Array(0..<61)
  for count in [1, 2, 3, 7, 61, 100] {
    let parts = try (1...count).map { try Shard("\($0)/\(count)").part(of: all) }
    #expect(parts.flatMap { $0 }.sorted() == all)
    let sizes = parts.map(\.count).sorted()
    #expect(sizes[count - 1] - sizes[0] <= 1)
  }
}

@Test(arguments: [
  (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"], "1/4"),
  (["BUILDKITE_PARALLEL_JOB": "3", "BUILDKITE_PARALLEL_JOB_COUNT": "4"], "4/4"),
  (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], "2/5"),
  (["JOB_COMPLETION_INDEX": "1", "PARLEY_SHARD_COUNT": "3"], "2/3"),
  (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "1"], "1/1"), (["JOB_COMPLETION_INDEX": "1"], "1/1"), ([:], "1/1"),
])
func aMachineKnowsItsShard(_ environment: [String: String], _ shard: String) throws {
  #expect(try Shard(environment: environment) == Shard(shard))
}

@Test(arguments: ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2", "1/99999999999999999999"])
func aShardThatIsNoneIsNamed(_ text: String) {
  let failure = #expect(throws: FixtureFailure.self) { try Shard(text) }
  #expect(failure?.description.contains("K/N") == true)
}

@Test func aShardOutsideItsCountIsRefused() {
  let failure = #expect(throws: FixtureFailure.self) {
    try Shard(environment: ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"])
  }
  #expect(failure?.description.contains("CI_NODE_INDEX") == true)
}

@Test func aReportHoldsWhateverWasSaid() {
  var report = JUnitReport()
  report.add("a", seconds: 0.25, .passed)
  report.add("b <&>", seconds: 1, .failed("said \"no\" \u{1B}[2J\nand more ]]>"))
  report.add("c", seconds: 0, .unusable("no such file"))
  #expect(report.xml.contains("<testsuites tests=\"3\" failures=\"1\" errors=\"1\" time=\"1.250000\">"))
  #expect(report.xml.contains("name=\"b &lt;&amp;&gt;\""))
  #expect(report.xml.contains("message=\"said &quot;no&quot; \u{FFFD}[2J\""))
  #expect(report.xml.contains("and more ]]&gt;</failure>"))
  #expect(!report.xml.contains("\u{1B}"))
}

/// An older report is written over; what is none is not.
@Test(arguments: [
  ("<?xml version=\"1.0\"?>\n<testsuites>", true), ("<?xml version=\"1.0\"?>\n<svg>", false), ("<testsuites>", false),
  ("", false),
])
func aReportIsKnownByItsBeginning(_ beginning: String, _ isReport: Bool) {
  #expect(JUnitReport.isReport(Array(beginning.utf8)) == isReport)
}
