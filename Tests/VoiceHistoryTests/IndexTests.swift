import Testing
import VoiceHistory
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

@testable import VoiceIndex

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A library with one session of each of these fixtures, an hour apart.
private func makeLibrary(_ fixtures: [String], in home: TemporaryFolder) throws -> SessionLibrary {
  for (index, fixture) in fixtures.enumerated() {
    let started = "2026-11-21T1\(index):00:00Z"
    _ = try Histories.folder(fixture, at: "\(home.path)/sessions/2026-11-21-\(index)", started: started)
  }
  return SessionLibrary(root: home.path + "/sessions")
}

@Test func aSearchFindsTheLinesThatAScanFinds() throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["review-approve", "direct", "two-turns"], in: home)
  let index = try SessionIndex(library)
  #expect(try index.refresh().read == 3)
  for words in ["build", "BUILD fail", "fixture", "nothing-of-this", "a", "\"quoted", "main branch"] {
    let found = try index.search(words)
    #expect(found == LibraryScan(library).search(words).findings, "\(words)")
  }
  let found = try index.search("build failing", kinds: ["you"])
  #expect(!found.isEmpty)
  #expect(found.allSatisfy { $0.kind == "you" && $0.turn == 1 })
}

@Test func theIndexFollowsTheFolders() throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["review-approve", "direct"], in: home)
  let index = try SessionIndex(library)
  try index.refresh()
  #expect(try index.refresh() == SessionIndex.Refreshed())
  try FileManager.default.removeItem(atPath: library.root + "/2026-11-21-0")
  _ = try Histories.folder("silence", at: library.root + "/2026-11-21-7", started: "2026-11-21T17:00:00Z")
  #expect(try index.refresh() == SessionIndex.Refreshed(read: 1, forgotten: 1))
  #expect(try index.sessions().map(\.name) == ["2026-11-21-7", "2026-11-21-1"])
  #expect(try index.sessions(since: "2026-11-21T12").map(\.name) == ["2026-11-21-7"])
  #expect(try index.rebuild().read == 2)
}

@Test func aDamagedIndexIsMadeAnew() throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["direct"], in: home)
  let path = library.root + "/index.sqlite"
  try Data(repeating: 0x55, count: 10_000).write(to: URL(filePath: path))
  let index = try SessionIndex(library)
  #expect(try index.refresh().read == 1)
  let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  #expect(mode == 0o600)
}

/// Who has made the folder may have made its index: a query would never end.
@Test(arguments: [
  "DROP TABLE session; CREATE VIEW session AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) "
    + "SELECT i AS id, i AS name, '' AS stamp, '' AS started, 0 AS duration, 0 AS turns, '' AS outcome, '' AS title FROM n;",
  "CREATE TRIGGER grow AFTER INSERT ON session BEGIN INSERT INTO session (name, stamp, started, duration, turns, outcome, "
    + "title) VALUES (NEW.name || 'x', '', '', 0, 0, '', ''); END;",
])
func anIndexWithMoreThanItsTablesIsMadeAnew(_ sql: String) throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["direct"], in: home)
  _ = try SessionIndex(library).refresh()
  try Database(library.root + "/index.sqlite").execute(sql)
  let index = try SessionIndex(library)
  #expect(try index.refresh().read == 1)
  #expect(try index.sessions().count == 1)
}

@Test func aSessionThatCannotBeReadIsNamedAndTheOthersAreRead() throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["direct", "silence"], in: home)
  try Data("nonsense\n".utf8).write(to: URL(filePath: library.root + "/2026-11-21-0/events.jsonl"))
  let index = try SessionIndex(library)
  let done = try index.refresh()
  #expect(done.read == 1)
  #expect(done.unreadable.map(\.name) == ["2026-11-21-0"])
  #expect(done.unreadable.first?.reason.contains("events.jsonl") == true)
  // Each time, for as long as it is there.
  #expect(try index.refresh() == done.again)
  #expect(!LibraryScan(library).search("nothing like this").isWhole)
}

extension SessionIndex.Refreshed {
  /// The same, with nothing read.
  fileprivate var again: Self {
    var again = self
    again.read = 0
    return again
  }
}

@Test func aSessionIsFoundByTheBeginningOfItsName() throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["direct", "silence"], in: home)
  #expect(try library.folder("2026-11-21-1") == library.root + "/2026-11-21-1")
  #expect(throws: FileFailure.self) { try library.folder("2026-11") }
  #expect(throws: FileFailure.self) { try library.folder("1999") }
  #expect(throws: FileFailure.self) { try SessionLibrary(root: home.path + "/none").folder(nil) }
}

@Test func pruningKeepsTheNewestByAgeAndBySize() throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["direct", "review-approve", "silence"], in: home)
  let now = Date()
  for (index, days) in [40.0, 20.0, 3.0].enumerated() {
    try FileManager.default.setAttributes(
      [.modificationDate: now.addingTimeInterval(-days * 86_400)],
      ofItemAtPath: "\(library.root)/2026-11-21-\(index)/events.jsonl")
  }
  let byAge = Retention(keepDays: 30, keepBytes: nil)
  #expect(byAge.condemned(in: library, now: now).map(\.place.name) == ["2026-11-21-0"])
  let newest = SessionLibrary.size(of: library.root + "/2026-11-21-2")
  let bySize = Retention(keepDays: nil, keepBytes: newest)
  #expect(bySize.condemned(in: library, now: now).map(\.place.name) == ["2026-11-21-0", "2026-11-21-1"])
  for session in bySize.condemned(in: library, now: now) { try bySize.delete(session) }
  #expect(library.places().map(\.name) == ["2026-11-21-2"])
}

@Test func aSessionThatStillRunsIsNotPruned() throws {
  let home = try TemporaryFolder()
  let library = try makeLibrary(["direct"], in: home)
  let log = library.root + "/2026-11-21-0/events.jsonl"
  let whole = try Data(contentsOf: URL(filePath: log))
  let lines = whole.split(separator: 0x0A)
  try Data(lines.dropLast().joined(separator: [0x0A]) + [0x0A]).write(to: URL(filePath: log))
  #expect(Retention(keepDays: nil, keepBytes: 0).condemned(in: library, now: Date()).isEmpty)
}
