import Testing
import VoiceTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What befell a session's folder.
private enum Damage: String, CaseIterable {
  case noLog, emptyLog, noise, line, beginning, none

  /// How the listing of sessions calls it.
  var listed: String { self == .none ? "completed" : "damaged" }

  /// Whether nothing of the session can be read.
  var isTotal: Bool { [.noLog, .emptyLog, .noise].contains(self) }

  func befall(_ log: String) throws {
    switch self {
    case .noLog: try FileManager.default.removeItem(atPath: log)
    case .emptyLog: try Data().write(to: URL(filePath: log))
    case .noise: try Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 131) }).write(to: URL(filePath: log))
    case .line:
      var rows = try Data(contentsOf: URL(filePath: log)).split(separator: 0x0A)
      rows[40] = Data("{broken".utf8)
      try Data(rows.joined(separator: [0x0A])).write(to: URL(filePath: log))
    case .beginning:
      let rows = try Data(contentsOf: URL(filePath: log)).split(separator: 0x0A)
      try Data((rows[..<3] + [Data("{broken".utf8), rows[3]]).joined(separator: [0x0A])).write(to: URL(filePath: log))
    case .none: break
    }
  }
}

private let verbs: [[String]] = [
  ["log"], ["why"], ["report"], ["log", "export", "--as", "markdown"], ["log", "export", "--as", "webvtt"],
  ["log", "export", "--as", "otlp"], ["fixture", "new"], ["replay"],
]

/// Every verb says the same of the same session, and the list of sessions leaves none out.
@Test(arguments: Damage.allCases) private func everyVerbJudgesADamagedSessionAlike(_ damage: Damage) async throws {
  let home = try TemporaryFolder()
  let root = home.path + "/sessions"
  let session = root + "/2026-11-21"
  try FileManager.default.createDirectory(atPath: session, withIntermediateDirectories: true)
  let fixture = Repository.path + "/audio-fixtures/direct/expected.jsonl"
  try FileManager.default.copyItem(atPath: fixture, toPath: session + "/events.jsonl")
  let manifest = #"{"format":1,"program":"parley","started":"2026-11-21T10:00:00Z","plan":[],"libraries":{}}"#
  try Data(manifest.utf8).write(to: URL(filePath: session + "/manifest.json"))
  try damage.befall(session + "/events.jsonl")
  let list = try await Program.run(["log", "--sessions", root], home: home)
  #expect(list.code == 0, "\(list.errors)")
  #expect(list.output.contains("2026-11-21  \(damage.listed)"), "\(list.output)")
  // A search is of all that was said, or says that it is not; the index has of a session what can be read.
  for verb in [["log", "--search", "build"], ["log", "--search", "build", "--no-index"]] {
    let told = try await Program.run(verb + ["--sessions", root], home: home)
    #expect((told.code == 65) == (damage != .none), "\(verb): \(told.code) \(told.errors)")
    #expect(told.output.isEmpty == (damage != .none && damage != .line), "\(verb): \(told.output)")
  }
  let indexed = try await Program.run(["log", "index", "--rebuild", "--sessions", root], home: home)
  #expect((indexed.code == 65) == damage.isTotal, "\(indexed.code) \(indexed.errors)")
  guard damage != .none else { return }
  var sentences: Set<String> = []
  let redacting = ["log", "export", "--as", "session", "--redact", "--output", home.path + "/redacted"]
  for verb in verbs + [redacting] {
    let told = try await Program.run(verb + ["2026-11-21", "--sessions", root], home: home)
    #expect(told.code == 65, "\(verb): \(told.output)\(told.errors)")
    let text = told.errors
    let sentence = text.split(separator: "\n").first { $0.contains("events.jsonl") }
    sentences.insert(sentence.map { String($0.drop { $0 != "/" }) } ?? "\(verb) says \(text)")
  }
  #expect(sentences.count == 1, "\(sentences.sorted().joined(separator: "\n"))")
  let ledger = try await Program.run(["ledger", "2026-11-21", "--sessions", root], home: home)
  #expect(ledger.code == 65)
  #expect(ledger.errors.contains("has no ledger.jsonl"), "\(ledger.errors)")
}

/// What a file is not is one thing, and a flag another.
@Test(arguments: ["--mode=fast", "--patience=endless", "--agent=nosuch", "--live=nowhere", "--working-folder=/nowhere"])
func aWrongFlagIsAWrongCall(_ flag: String) async throws {
  let home = try TemporaryFolder()
  let told = try await Program.run(["run", "--speaker", "none", "--microphone", "-", flag], home: home)
  #expect(told.code == 64, "\(told.errors)")
}
