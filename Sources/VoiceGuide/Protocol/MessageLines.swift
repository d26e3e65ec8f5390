#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Dispatch

/// The lines that arrive on a file descriptor, in order: ACP sends one message a line.
///
/// One queue's thread blocks in `read` for as long as the descriptor is open; the lines are taken by one task.
enum MessageLines {
  /// What came: a line, or that it was too long.
  enum Line: Equatable, Sendable {
    /// The bytes of a line without its end.
    case message([UInt8])
    /// A line longer than `GuideLimits.messageBytes`; it was dropped.
    case tooLong
  }

  /// Messages that may wait unread; a client sends a few at a time, so more means that it went wrong.
  private static let waiting = 1_024

  /// Begin to read. The stream ends at the end of the input, and if more lines wait than make sense.
  static func lines(from descriptor: Int32) -> AsyncStream<Line> {
    let (lines, continuation) = AsyncStream.makeStream(of: Line.self, bufferingPolicy: .bufferingOldest(waiting))
    DispatchQueue(label: "parley.guide.input").async {
      var splitter = MessageSplitter()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      reading: while true {
        let count = take(from: descriptor, into: &buffer)
        if count <= 0 { break }
        for line in splitter.lines(in: buffer[..<count]) {
          if case .enqueued = continuation.yield(line) { continue }
          break reading
        }
      }
      continuation.finish()
    }
    return lines
  }

  /// `read(2)`, again after a signal; 0 or less at the end.
  private static func take(from descriptor: Int32, into buffer: inout [UInt8]) -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      return count
    }
  }
}

/// Cuts bytes into lines at 0x0A only: JSON text may hold other line separators.
struct MessageSplitter {
  private var line: [UInt8] = []
  private var isTooLong = false

  /// The lines that end in this piece of input.
  mutating func lines(in bytes: ArraySlice<UInt8>) -> [MessageLines.Line] {
    var found: [MessageLines.Line] = []
    var rest = bytes
    while let end = rest.firstIndex(of: 0x0A) {
      append(rest[..<end])
      found.append(isTooLong ? .tooLong : .message(line))
      line.removeAll(keepingCapacity: true)
      isTooLong = false
      rest = rest[(end + 1)...]
    }
    append(rest)
    return found
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if line.count + bytes.count > GuideLimits.messageBytes {
      isTooLong = true
      line.removeAll(keepingCapacity: false)
    }
    if !isTooLong { line.append(contentsOf: bytes) }
  }
}
