import VoiceSystem

/// The lines that arrive on a file descriptor, in order: ACP sends one message a line.
///
/// One thread blocks in `read` for as long as the descriptor is open; the lines are taken by one task.
enum MessageLines {
  /// Messages that may wait unread; a client sends a few at a time, so more means that it went wrong.
  private static let waiting = 1_024

  /// Begin to read. The stream ends at the end of the input, and if more lines wait than make sense.
  static func lines(from descriptor: Int32) -> AsyncStream<LineSplitter.Piece> {
    let (lines, continuation) = AsyncStream.makeStream(
      of: LineSplitter.Piece.self, bufferingPolicy: .bufferingOldest(waiting))
    SystemThread.detach(for: "messages") {
      var splitter = LineSplitter(limit: GuideLimits.messageBytes)
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      reading: while true {
        let count: Int
        // A descriptor that cannot be read is as good as one at its end.
        do { count = try Descriptors.read(descriptor, into: &buffer) } catch { break }
        if count == 0 { break }
        for line in splitter.append(Array(buffer[..<count])) {
          if case .enqueued = continuation.yield(line) { continue }
          break reading
        }
      }
      continuation.finish()
    }
    return lines
  }
}
