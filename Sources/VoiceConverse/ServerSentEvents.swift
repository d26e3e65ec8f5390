/// One event of a `text/event-stream`.
package struct ServerSentEvent: Equatable, Sendable {
  /// Empty where the stream names none.
  package var name: String
  /// The `data` lines, joined by line feeds.
  package var data: String
}

/// Reads a `text/event-stream` (WHATWG HTML, section 9.2): bytes in, cut anywhere, events out.
///
/// One thing is more lenient than the standard: an event that the end of the stream cuts off before its blank line is
/// still given by `finish`, because servers forget that line.
package struct ServerSentEvents: Sendable {
  private enum LineEnd { case none, afterCarriageReturn }

  private var line: [UInt8] = []
  private var lineEnd = LineEnd.none
  private var name = ""
  private var data: [UInt8]?
  private var isAtStart = true
  private let limit: Int

  package init(limit: Int = ConverseLimits.eventBytes) { self.limit = limit }

  /// An event grew beyond the limit; the stream is of no use any more.
  package struct TooLong: Error, Equatable {
    package init() {}
  }

  /// The events that these bytes complete.
  package mutating func append(_ bytes: [UInt8]) throws(TooLong) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      let previousEnd = lineEnd
      lineEnd = .none
      switch byte {
      case 0x0A where previousEnd == .afterCarriageReturn: break
      case 0x0D, 0x0A:
        if byte == 0x0D { lineEnd = .afterCarriageReturn }
        if let event = endLine() { events.append(event) }
      default:
        line.append(byte)
        guard line.count + (data?.count ?? 0) <= limit else { throw TooLong() }
      }
    }
    return events
  }

  /// The stream is over: what was begun.
  package mutating func finish() -> ServerSentEvent? {
    if !line.isEmpty { _ = endLine() }
    return dispatch()
  }

  private mutating func endLine() -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    if isAtStart {
      isAtStart = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    if line.isEmpty { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "data":
      if data != nil { data?.append(0x0A) }
      data = (data.take() ?? []) + value
    case "event": name = String(decoding: value, as: UTF8.self)
    default: break  // Comments have an empty field name; identifiers and retry times are of no use to us.
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      name = ""
      data = nil
    }
    return data.map { ServerSentEvent(name: name, data: String(decoding: $0, as: UTF8.self)) }
  }
}
