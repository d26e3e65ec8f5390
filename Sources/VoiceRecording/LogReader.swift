package import VoiceFoundation
import VoiceJSON
import VoiceSystem
import VoiceVocabulary

/// Reads a whole voice-event log.
package struct LogReader {
  /// The readable lines, in order.
  package let lines: [LogLine]
  /// What could not be read, if anything: one sentence for people. Where only the last line was not written to its end, as
  /// when the program was killed, nothing is damaged: the session broke off, as one does between two lines.
  package let damage: String?
  /// Whether the last line was not written to its end, and all others are whole.
  package let isTorn: Bool

  /// Read the log at a path. Lines that cannot be read, or that go back in time, are left out, and `damage` tells of them.
  package init(_ path: String) throws(FileFailure) {
    try self.init(try PlainFile.data(path, limit: Limits.logBytes), from: path)
  }

  /// Read a log. Damaged lines are left out; throws if it is none, or of a newer version.
  package init(_ data: Data, from path: String) throws(FileFailure) {
    let codec = LogCodec()
    let rows = Array(data).split(separator: 0x0A, omittingEmptySubsequences: true)
    try codec.checkHeader(rows.first ?? [], of: path)
    var lines: [LogLine] = []
    var damaged = DamagedLines()
    var tornLine: Int?
    // Whether what stands before the next line was read.
    var isWhole = true
    for (index, row) in rows.enumerated().dropFirst() {
      do {
        let line = try codec.decodeLine(row)
        if isWhole { damaged.expect(line.step.sequence, behind: lines.last) }
        isWhole = true
        if !line.follows(lines.last) {
          damaged.add(index + 1)
          // One of the two is wrong: the one before, if this one fits behind what was before that.
          guard line.follows(lines.dropLast().last) else { continue }
          lines.removeLast()
        }
        lines.append(line)
      } catch {
        damaged.add(index + 1)
        isWhole = false
        if index == rows.count - 1, data.last != 0x0A { tornLine = index + 1 }
      }
    }
    self.lines = lines
    isTorn = tornLine.map { damaged.isFirst($0) } ?? false
    damage = isTorn ? nil : damaged.sentence(path)
  }
}

extension LogCodec {
  /// See that a first line is that of a log which this program can read; throws the sentence that says why it is not.
  package func checkHeader(_ row: ArraySlice<UInt8>, of path: String) throws(FileFailure) {
    let header: LogHeader?
    do {
      header = try JSON.decode(LogHeader.self, from: row)
    } catch {
      header = nil
    }
    guard let header, header.format == LogHeader.current.format else {
      throw FileFailure("\(path) is not a voice-event log, or its first line is damaged.")
    }
    guard header.version >= 1 else { throw FileFailure("\(path) has no version of the log format that there is.") }
    guard header.version <= LogHeader.current.version else {
      throw FileFailure("\(path) has version \(header.version) of the log format, which needs a newer parley.")
    }
  }
}
