/// One event of a `text/event-stream`.
package struct ServerSentEvent: Equatable, Sendable {
  /// Empty where the stream names none; the standard then says `message`.
  package var name = ""
  /// The `data` lines, joined by line feeds.
  package var data: String
  /// The newest identifier of the stream so far; empty where there is none.
  package var id = ""
}

/// Reads a `text/event-stream` (WHATWG HTML, section 9.2.6): bytes in, cut anywhere, events out.
///
/// Invalid UTF-8 is repaired. One thing is more lenient than the standard, which forgets an event that the end of the
/// stream cuts off before its blank line: `finish` still gives it, because servers forget that line.
package struct ServerSentEvents: Sendable {
  private enum LineEnd { case none, afterCarriageReturn }

  /// The line that has begun.
  private var line: [UInt8] = []
  private var lineEnd = LineEnd.none
  private var name = ""
  private var data: [UInt8]?
  private var id = ""
  private var isAtStart = true
  private let limit: Int

  /// - Parameter limit: Bytes that one event may have.
  package init(limit: Int = ConverseLimits.eventBytes) { self.limit = limit }

  /// An event grew beyond the limit; the stream is of no use any more.
  package struct TooLong: Error, Equatable {}

  /// The events that these bytes complete.
  package mutating func append(_ bytes: some Collection<UInt8>) throws(TooLong) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var rest = bytes[...]
    if lineEnd == .afterCarriageReturn, let first = rest.first {
      lineEnd = .none
      if first == 0x0A { rest = rest.dropFirst() }
    }
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      try extend(rest[..<end])
      if let event = endLine() { events.append(event) }
      let next = rest.index(after: end)
      let isCarriageReturn = rest[end] == 0x0D
      rest = rest[next...]
      guard isCarriageReturn else { continue }
      if let first = rest.first {
        if first == 0x0A { rest = rest.dropFirst() }
      } else {
        lineEnd = .afterCarriageReturn
      }
    }
    try extend(rest)
    return events
  }

  /// The stream is over: what was begun.
  package mutating func finish() -> ServerSentEvent? {
    if !line.isEmpty { _ = endLine() }
    return dispatch()
  }

  private mutating func extend(_ bytes: some Collection<UInt8>) throws(TooLong) {
    line += bytes
    guard line.count + (data?.count ?? 0) <= limit else { throw TooLong() }
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
    // A comment has an empty field name. `retry` is for who connects again by himself, which an agent's client never
    // does: it would send an instruction twice.
    let field = line[..<colon]
    if field.elementsEqual("data".utf8) {
      if data == nil { data = Array(value) } else { data?.append(0x0A); data? += value }
    } else if field.elementsEqual("event".utf8) {
      name = String(decoding: value, as: UTF8.self)
    } else if field.elementsEqual("id".utf8), !value.contains(0) {
      id = String(decoding: value, as: UTF8.self)
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      name = ""
      data = nil
    }
    return data.map { ServerSentEvent(name: name, data: String(decoding: $0, as: UTF8.self), id: id) }
  }
}
