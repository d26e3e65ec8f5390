import VoiceFoundation
package import VoiceHistory
package import VoiceRecording
import VoiceSystem
package import VoiceVocabulary

/// What was said and done in all sessions of a library, for searching: an SQLite database with a full-text index (FTS5)
/// beside the session folders.
///
/// Nothing is in it that is not in the folders. It follows them: what is new or changed is read again, what is gone is
/// forgotten, and one that is damaged or of another version is made anew. Where it cannot be written, it is made in memory, as
/// good but slower. One thread uses it.
package final class SessionIndex {
  /// Raised with every change of the tables: an index of another version is made anew.
  private static let version = 1
  /// Entries of one session have row numbers of their own: its number, then this many bits.
  private static let entryBits: Int64 = 24

  /// The outcome of a session whose log has no end: it runs, or broke off.
  package static let open = "open"
  /// The outcome of a session of which a part cannot be read.
  package static let damaged = "damaged"

  /// A session, as the list shows it.
  package struct Summary: Equatable, Sendable {
    package var name: String
    /// Wall-clock start, ISO 8601; empty if not known.
    package var started: String
    package var duration: SessionTime
    package var turns: Int
    /// `completed`, `ended`, `failed`, `SessionIndex.damaged`, or `SessionIndex.open`.
    package var outcome: String
    /// The first instruction, or the first words.
    package var title: String
  }

  /// One line of a timeline in which the words were found.
  package struct Finding: Equatable, Sendable {
    package var session: String
    package var turn: Int?
    package var time: SessionTime
    package var kind: String
    package var text: String
  }

  /// What a refresh did.
  package struct Refreshed: Equatable, Sendable {
    package var read = 0
    package var forgotten = 0
    /// All whose log cannot be read at all, also those that could not be before, oldest first.
    package var unreadable: [UnreadableSession] = []

    package init(read: Int = 0, forgotten: Int = 0) { (self.read, self.forgotten) = (read, forgotten) }
  }

  private let library: SessionLibrary
  /// Why the file does not have all of it, and the next time begins anew; nil if it does.
  package private(set) var obstacle: FileFailure?
  private var database: Database

  /// Open the index of a library, or make one.
  package init(_ library: SessionLibrary) throws(FileFailure) {
    self.library = library
    let path = library.root + "/index.sqlite"
    do {
      database = try Self.open(path)
    } catch {
      // Damaged, or of another version: everything in it can be read again from the folders. What is no file is no index,
      // and somebody else's.
      if let status = FileStatus(path), !status.isFile { throw error }
      do {
        try Self.remove(path)
        database = try Self.open(path)
      } catch {
        database = try Self.open(Database.inMemory)
        obstacle = error
      }
    }
  }

  private static func open(_ path: String) throws(FileFailure) -> Database {
    let database = try Database(path)
    // Losing it in a power cut costs nothing but reading again.
    try database.execute(
      "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")
    let found = try database.rows("PRAGMA user_version").first?.first?.number ?? 0
    if found == version {
      // A number alone is no index, and who has made the file may have put a view or a trigger in it that never ends.
      let made = try Database(Database.inMemory)
      try makeTables(in: made)
      guard try schema(of: database) == schema(of: made) else { throw FileFailure("\(path) is no index of Parley's.") }
      return database
    }
    guard found == 0 else { throw FileFailure("The index \(path) is of another version.") }
    try makeTables(in: database)
    return database
  }

  /// What the tables of an index are, and all else that it has. Nothing of it is run.
  private static func schema(of database: Database) throws(FileFailure) -> [[Database.Value]] {
    try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name LIMIT 100")
  }

  private static func makeTables(in database: Database) throws(FileFailure) {
    try database.execute(
      """
      BEGIN IMMEDIATE;
      CREATE TABLE session (
        id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, stamp TEXT NOT NULL, started TEXT NOT NULL,
        duration INTEGER NOT NULL, turns INTEGER NOT NULL, outcome TEXT NOT NULL, title TEXT NOT NULL
      );
      CREATE VIRTUAL TABLE entry USING fts5(
        text, kind UNINDEXED, turn UNINDEXED, time UNINDEXED, tokenize = "unicode61 remove_diacritics 2"
      );
      PRAGMA user_version = \(version);
      COMMIT;
      """)
  }

  private static func remove(_ path: String) throws(FileFailure) {
    for name in [path, path + "-journal"] where PlainFile.isThere(name) {
      guard unlink(name) == 0 else { throw FileFailure("replace the damaged index", name) }
    }
  }

  // MARK: Following the folders

  /// Forget everything and read all folders again.
  package func rebuild() throws(FileFailure) -> Refreshed {
    try database.execute("BEGIN IMMEDIATE; DELETE FROM entry; DELETE FROM session; COMMIT;")
    return try refresh()
  }

  /// Read what is new or changed, forget what is gone.
  @discardableResult
  package func refresh() throws(FileFailure) -> Refreshed {
    do {
      return try follow()
    } catch {
      guard obstacle == nil else { throw error }
      // The disk is full, for one.
      database = try Self.open(Database.inMemory)
      obstacle = error
      return try follow()
    }
  }

  private func follow() throws(FileFailure) -> Refreshed {
    var known: [String: (id: Int64, stamp: String)] = [:]
    for row in try database.rows("SELECT id, name, stamp FROM session") {
      if let id = row[0].number { known[row[1].text] = (id, row[2].text) }
    }
    var done = Refreshed()
    var changes: [(place: SessionLibrary.Place, id: Int64?)] = []
    for place in library.places() {
      let before = known.removeValue(forKey: place.name)
      if before?.stamp != Self.stamp(place) { changes.append((place, before?.id)) }
    }
    guard !changes.isEmpty || !known.isEmpty else { return done }
    // What fails is rolled back with the database, which is given up.
    try database.execute("BEGIN IMMEDIATE")
    for (place, id) in changes { try read(place, id, &done) }
    for (id, _) in known.values {
      try forget(id)
      done.forgotten += 1
    }
    try database.execute("COMMIT")
    return done
  }

  private static func stamp(_ place: SessionLibrary.Place) -> String {
    "\(place.logBytes)/\(Int64(place.modified.timeIntervalSince1970 * 1_000_000))"
  }

  private func read(_ place: SessionLibrary.Place, _ id: Int64?, _ done: inout Refreshed) throws(FileFailure) {
    if let id { try forget(id) }
    let session: RecordedSession
    do {
      session = try RecordedSession(place.path)
    } catch {
      done.unreadable.append(UnreadableSession(place, error))
      return
    }
    let history = session.history
    try database.rows(
      "INSERT INTO session (id, name, stamp, started, duration, turns, outcome, title) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [
        id.map { .number($0) } ?? .none, .text(place.name), .text(Self.stamp(place)),
        .text(session.manifest?.started ?? ""), .number(history.duration.microseconds),
        .number(Int64(history.turns.count)), .text(Self.outcome(session)), .text(Self.title(history)),
      ])
    guard let number = try database.rows("SELECT id FROM session WHERE name = ?", [.text(place.name)]).first?[0].number
    else {
      throw FileFailure(
        "The index of \(library.root) does not keep what is written to it. Remove it; it will be rebuilt.")
    }
    for (index, entry) in history.entries.enumerated() where index < 1 << Self.entryBits {
      try database.rows(
        "INSERT INTO entry (rowid, text, kind, turn, time) VALUES (?, ?, ?, ?, ?)",
        [
          .number(number << Self.entryBits | Int64(index)), .text(entry.text.text), .text(entry.text.label),
          entry.turn.map { .number(Int64($0)) } ?? .none, .number(entry.moment.time.microseconds),
        ])
    }
    done.read += 1
  }

  private func forget(_ id: Int64) throws(FileFailure) {
    let first = id << Self.entryBits
    try database.rows(
      "DELETE FROM entry WHERE rowid BETWEEN ? AND ?",
      [.number(first), .number(first | ((1 << Self.entryBits) - 1))])
    try database.rows("DELETE FROM session WHERE id = ?", [.number(id)])
  }

  private static func outcome(_ session: RecordedSession) -> String {
    if session.damage != nil { return damaged }
    return switch session.history.outcome {
    case .completed: "completed"
    case .terminated: "ended"
    case .failed: "failed"
    case nil: open
    }
  }

  private static func title(_ history: SessionHistory) -> String {
    let turn = history.turns.first { $0.instruction != nil } ?? history.turns.first { !$0.heard.isEmpty }
    return (turn?.instruction ?? turn?.heard ?? "").sanitized(limit: 200)
  }

  // MARK: Asking

  /// The sessions, newest first; with `since` only those that started then or later (ISO 8601, or its beginning).
  package func sessions(since: String? = nil) throws(FileFailure) -> [Summary] {
    try database.rows(
      """
      SELECT name, started, duration, turns, outcome, title FROM session WHERE started >= ?
      ORDER BY started DESC, name DESC
      """, [.text(since ?? "")]
    ).map { row in
      Summary(
        name: row[0].text, started: row[1].text, duration: SessionTime(microseconds: row[2].number ?? 0),
        turns: Int(row[3].number ?? 0), outcome: row[4].text, title: row[5].text)
    }
  }

  /// The lines in which all words occur, of the newest sessions first.
  ///
  /// - Parameters:
  ///   - words: as typed; each stands for any word that begins with it, whatever its case and accents.
  ///   - kinds: only lines with these labels; all if empty.
  package func search(
    _ words: String, kinds: [String] = [], since: String? = nil, limit: Int = 200
  ) throws(FileFailure) -> [Finding] {
    let query = Self.query(words)
    guard !query.isEmpty else { return [] }
    var values: [Database.Value] = [.text(query), .text(since ?? "")]
    var condition = ""
    if !kinds.isEmpty {
      condition = "AND entry.kind IN (\(kinds.map { _ in "?" }.joined(separator: ", ")))"
      values += kinds.map { .text($0) }
    }
    values.append(.number(Int64(limit)))
    return try database.rows(
      """
      SELECT session.name, entry.turn, entry.time, entry.kind, entry.text
      FROM entry CROSS JOIN session ON session.id = entry.rowid >> \(Self.entryBits)
      WHERE entry MATCH ? AND session.started >= ? \(condition)
      ORDER BY entry.rowid DESC LIMIT ?
      """, values
    ).map { row in
      Finding(
        session: row[0].text, turn: row[1].number.map { Int($0) },
        time: SessionTime(microseconds: row[2].number ?? 0), kind: row[3].text, text: row[4].text)
    }
  }

  /// Each word quoted, so that nothing in it is an operator, and taken as a beginning.
  private static func query(_ words: String) -> String {
    words.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map { "\"\($0)\"*" }.joined(separator: " ")
  }
}
