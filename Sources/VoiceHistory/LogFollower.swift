import VoiceFoundation
package import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// Reads the lines that are appended to a log, as they come. One thread uses it.
package final class LogFollower {
  private let path: String
  private let descriptor: Int32
  private let codec = LogCodec()
  /// Bytes behind the last line feed.
  private var pending: [UInt8] = []
  /// How many lines were read, and which of them cannot be.
  private var count = 0
  private var damaged = DamagedLines()

  /// What could not be read so far, if anything: one sentence for people.
  package var damage: String? { damaged.sentence(path) }

  package init(_ path: String) throws(FileFailure) {
    self.path = path
    do throws(PlainFile.Refusal) {
      descriptor = try PlainFile.open(reading: path)
    } catch {
      throw FileFailure("read", path, error)
    }
  }

  deinit { close(descriptor) }

  /// The complete lines that were appended since the last call. Damaged ones are left out, and `damage` tells of them; throws if it
  /// is no log, or one of a newer version.
  package func next() throws(FileFailure) -> [LogLine] {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count: Int
      do throws(Descriptors.Failure) {
        count = try Descriptors.read(descriptor, into: &block)
      } catch {
        throw FileFailure("read", path, errno: error.number)
      }
      if count == 0 { break }
      pending += block[..<count]
    }
    guard let end = pending.lastIndex(of: 0x0A) else { return [] }
    let complete = pending[...end]
    defer { pending.removeFirst(end + 1) }
    var lines: [LogLine] = []
    for row in complete.split(separator: 0x0A) {
      count += 1
      if count == 1 {
        try codec.checkHeader(row, of: path)
        continue
      }
      do {
        lines.append(try codec.decodeLine(row))
      } catch {
        damaged.add(count)
      }
    }
    return lines
  }
}
