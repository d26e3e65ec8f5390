#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a whole voice-event log.
package struct LogReader {
  /// The readable lines, in order.
  package let lines: [LogLine]
  /// What could not be read, if anything: one sentence for people.
  package let damage: String?

  /// Read the log at a path. A log that was cut off, as by a crash, is read as far as it goes and says so in `damage`.
  package init(_ path: String) throws(FileFailure) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FileFailure("Cannot read \(path): there is no such file, or it may not be read.")
    }
    try self.init(data, from: path)
  }

  init(_ data: Data, from path: String) throws(FileFailure) {
    let codec = LogCodec()
    let rows = data.split(separator: 0x0A, omittingEmptySubsequences: true)
    guard let first = rows.first, let header = Self.header(first, codec) else {
      throw FileFailure("\(path) is not a voice-event log: its first line does not say so.")
    }
    guard header.version <= LogHeader.current.version else {
      throw FileFailure("\(path) has version \(header.version) of the log format, which needs a newer parley.")
    }
    var lines: [LogLine] = []
    var damage: String?
    for (index, row) in rows.enumerated().dropFirst() {
      do {
        lines.append(try codec.decodeLine(row))
      } catch {
        damage = "\(path) is damaged in line \(index + 1) of \(rows.count); it was read as far as there."
        break
      }
    }
    self.lines = lines
    self.damage = damage
  }

  private static func header(_ row: Data, _ codec: LogCodec) -> LogHeader? {
    do {
      let header = try codec.decodeHeader(row)
      return header.format == LogHeader.current.format ? header : nil
    } catch {
      return nil
    }
  }
}
