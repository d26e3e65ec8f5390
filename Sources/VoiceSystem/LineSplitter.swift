/// Cuts a stream of bytes into lines at 0x0A and nowhere else: JSON may hold U+2028 and other line separators.
package struct LineSplitter {
  /// One line, or the one way in which a stream can be useless.
  package enum Piece: Equatable, Sendable {
    /// A line that is not empty, without its end; a carriage return before the end is dropped.
    case line([UInt8])
    /// A line grew beyond the limit. Its bytes are gone, and so is the rest of it.
    case overlong
  }

  private enum State { case collecting, skipping }

  private let limit: Int
  private var state = State.collecting
  private var rest: [UInt8] = []

  /// - Parameter limit: the bytes that a line may have.
  package init(limit: Int) { self.limit = limit }

  /// The lines that these bytes complete, in order.
  package mutating func append(_ bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      take(bytes[start..<end], &pieces)
      if case .collecting = state, let line = finishedLine() { pieces.append(.line(line)) }
      state = .collecting
      start = end + 1
    }
    take(bytes[start...], &pieces)
    return pieces
  }

  /// The stream is over: the line that it ends in, if that has no end of its own.
  package mutating func finish() -> Piece? {
    defer { state = .collecting }
    guard case .collecting = state else { return nil }
    return finishedLine().map { .line($0) }
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, _ pieces: inout [Piece]) {
    guard case .collecting = state else { return }
    guard rest.count + bytes.count <= limit else {
      rest = []
      state = .skipping
      pieces.append(.overlong)
      return
    }
    rest += bytes
  }

  private mutating func finishedLine() -> [UInt8]? {
    defer { rest = [] }
    if rest.last == 0x0D { rest.removeLast() }
    return rest.isEmpty ? nil : rest
  }
}
