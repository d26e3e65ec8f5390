import CSQLite
import VoiceRecording

/// An SQLite database in one file, of mode 0600, or in memory. One thread uses it.
final class Database {
  /// The path of a database that is nowhere but in memory.
  static let inMemory = ":memory:"

  /// What a statement is given, and gives.
  enum Value: Equatable {
    case text(String)
    case number(Int64)
    case none
  }

  private let path: String
  private var handle: OpaquePointer?
  /// Statements that were prepared before, by their text.
  private var prepared: [String: OpaquePointer] = [:]

  init(_ path: String) throws(FileFailure) {
    self.path = path
    // Made here, so that it is private from its first byte.
    if path != Self.inMemory { _ = try AppendFile(path) }
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK else {
      let reason = failure("open")
      sqlite3_close_v2(handle)
      handle = nil
      throw reason
    }
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit {
    for statement in prepared.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Run statements that give nothing and take nothing.
  func execute(_ sql: String) throws(FileFailure) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure("change") }
  }

  /// Run one statement, and give its rows.
  @discardableResult
  func rows(_ sql: String, _ values: [Value] = []) throws(FileFailure) -> [[Value]] {
    let statement = try prepare(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .text(let text): _ = parley_sqlite_bind_text(statement, place, text, Int32(text.utf8.count))
      case .number(let number): sqlite3_bind_int64(statement, place, number)
      case .none: sqlite3_bind_null(statement, place)
      }
    }
    var rows: [[Value]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { Self.column(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw failure("read")
      }
    }
  }

  private func prepare(_ sql: String) throws(FileFailure) -> OpaquePointer {
    if let known = prepared[sql] { return known }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure("read")
    }
    prepared[sql] = statement
    return statement
  }

  private static func column(_ statement: OpaquePointer, _ index: Int32) -> Value {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .number(sqlite3_column_int64(statement, index))
    case SQLITE_NULL: .none
    default: .text(sqlite3_column_text(statement, index).map { String(cString: $0) } ?? "")
    }
  }

  private func failure(_ act: String) -> FileFailure {
    let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    return FileFailure("Cannot \(act) the index \(path): \(reason).")
  }
}

extension Database.Value {
  /// The text; empty for any other value.
  var text: String { if case .text(let text) = self { text } else { "" } }
  /// The number; nil for any other value.
  var number: Int64? { if case .number(let number) = self { number } else { nil } }
}
