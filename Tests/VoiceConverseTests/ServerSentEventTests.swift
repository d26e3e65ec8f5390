import Testing
import VoiceReplay
import VoiceTesting

@testable import VoiceConverse

/// The reader of event streams. The cases are those of the web platform tests for `EventSource`, restated.
struct ServerSentEventTests {
  /// What a stream gives by the standard, and what `finish` adds to it.
  struct Case: Sendable, CustomTestStringConvertible {
    let stream: [UInt8]
    let events: [String]
    var last: String?

    init(_ stream: String, _ events: [String], last: String? = nil) {
      self.init(Array(stream.utf8), events, last: last)
    }

    init(_ stream: [UInt8], _ events: [String], last: String? = nil) {
      (self.stream, self.events, self.last) = (stream, events, last)
    }

    var testDescription: String { String(decoding: stream, as: UTF8.self).debugDescription }
  }

  static let cases: [Case] = [
    // Line ends: each kind, mixed, doubled; a carriage return and a line feed are one.
    .init("data:a\n\ndata:b\n\n", ["a", "b"]), .init("data:a\r\rdata:b\r\r", ["a", "b"]),
    .init("data:a\r\n\r\ndata:b\r\n\r\n", ["a", "b"]), .init("data:a\r\n\ndata:b\n\r\n", ["a", "b"]),
    .init("data:a\n\r\ndata:b\r\n\r", ["a", "b"]), .init("data:a\r\n\r\n\r\n\n\r", ["a"]),
    // Fields: the space behind the colon, none, two, a tabulator; fields without a colon; unknown fields.
    .init("data: a\n\n", ["a"]), .init("data:  a\n\n", [" a"]), .init("data:\ta\n\n", ["\ta"]),
    .init("data: a: b\n\n", ["a: b"]), .init("data\n\n", [""]), .init("data:\n\n", [""]), .init("data: \n\n", [""]),
    .init("data\ndata\n\n", ["\n"]), .init("data:\ndata\ndata:a\n\n", ["\n\na"]),
    .init("data:a\nfoobar:x\ndata:b\n\n", ["a\nb"]), .init("Data:a\n\n", []), .init(" data:a\n\n", []),
    .init("data :a\n\n", []), .init("data:a\n data:b\n\n", ["a"]), .init("justsometext\ndata:a\n\n", ["a"]),
    .init("data:a\ndataxyz:b\n\n", ["a"]), .init("dat:a\n\ndata:b\n\n", ["b"]),
    // A null inside data stays; in a field's name it makes another field.
    .init("data:a\u{0}b\n\n", ["a\u{0}b"]), .init("data\u{0}:a\n\ndata:b\n\n", ["b"]),
    // Comments.
    .init(":\n:x\ndata:a\n:y\n\n", ["a"]), .init(": keepalive\n\n: keepalive\n\n", []),
    .init("data:a\n:\u{0}\n:\r\n\n", ["a"]), .init(":" + String(repeating: "x", count: 9_000) + "\ndata:a\n\n", ["a"]),
    // The byte order mark: one at the very beginning is no part of the stream, a second one is.
    .init("\u{FEFF}data:a\n\n", ["a"]), .init("\u{FEFF}\u{FEFF}data:a\n\ndata:b\n\n", ["b"]),
    .init("\u{FEFF}\n\ndata:a\n\n", ["a"]), .init("data:a\n\n\u{FEFF}data:b\n\ndata:c\n\n", ["a", "c"]),
    .init("\u{FEFF}: x\ndata:a\n\n", ["a"]),
    // Names of events; a name alone is no event, and does not pass on to the next.
    .init("event:x\ndata:a\n\ndata:b\n\n", ["x|a", "b"]), .init("event:x\nevent:y\ndata:a\n\n", ["y|a"]),
    .init("event:x\n\ndata:a\n\n", ["a"]), .init("event:x\ndata:a\nevent:\n\n", ["a"]),
    .init("event: message\ndata:a\n\n", ["message|a"]), .init("data:a\nevent:x\n\n", ["x|a"]),
    // Identifiers: kept for the events behind, emptied by an empty one, not changed by one that holds a null.
    .init("id:1\ndata:a\n\ndata:b\n\n", ["a#1", "b#1"]), .init("id:1\ndata:a\n\nid\ndata:b\n\n", ["a#1", "b"]),
    .init("id:1\ndata:a\n\nid:2\u{0}3\ndata:b\n\n", ["a#1", "b#1"]), .init("id:1\n\ndata:a\n\n", ["a#1"]),
    .init("data:a\nid: …\n\n", ["a#…"]),
    // Times to wait are read over, whatever they say.
    .init("retry:3000\ndata:a\n\n", ["a"]), .init("retry:x\nretry\ndata:a\n\n", ["a"]),
    // UTF-8: of any length, and repaired.
    .init("data:ok…\n\n", ["ok…"]), .init("data:grün 🦆\u{2028}x\n\n", ["grün 🦆\u{2028}x"]),
    .init(Array("data:a".utf8) + [0xFF, 0xC3] + Array("\n\n".utf8), ["a\u{FFFD}\u{FFFD}"]),
    // Data of many lines, and data that look like other things.
    .init("data:{\ndata:}\n\n", ["{\n}"]), .init("data: data: a\n\n", ["data: a"]),
    .init("data:event:x\n\n", ["event:x"]),
    // An end without a blank line: no event by the standard, but servers forget it.
    .init("data:a", [], last: "a"), .init("data:a\n", [], last: "a"), .init("data:a\r", [], last: "a"),
    .init("event:x\ndata:a\ndata:b", [], last: "x|a\nb"), .init("", []), .init("dat", []), .init(":x", []),
    .init("data:a\n\ndata", ["a"], last: ""),
    .init(Array("data:gr".utf8) + [0xC3], [], last: "gr\u{FFFD}"),
  ]

  private static func words(_ event: ServerSentEvent) -> String {
    (event.name.isEmpty ? "" : event.name + "|") + event.data + (event.id.isEmpty ? "" : "#" + event.id)
  }

  @Test(arguments: cases)
  func eachStreamGivesItsEventsWhereverItIsCut(_ example: Case) throws {
    for cut in 0...example.stream.count {
      var reader = ServerSentEvents()
      var events = try reader.append(example.stream[..<cut])
      events += try reader.append(example.stream[cut...])
      #expect(events.map(Self.words) == example.events, "cut at \(cut)")
      #expect(reader.finish().map(Self.words) == example.last, "cut at \(cut)")
    }
  }

  @Test(arguments: cases)
  func eachStreamGivesItsEventsByteByByte(_ example: Case) throws {
    var reader = ServerSentEvents()
    var events: [ServerSentEvent] = []
    for byte in example.stream { events += try reader.append(CollectionOfOne(byte)) }
    #expect(events.map(Self.words) == example.events)
    #expect(reader.finish().map(Self.words) == example.last)
  }

  @Test(arguments: 1...20)
  func allStreamsInARowGiveAllEventsInRandomCuts(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    // Each begins on a line of its own; what one leaves begun is ended by the blank lines.
    let whole = Self.cases.filter { $0.last == nil && !$0.stream.contains(0x23) }
      .map { $0.stream + Array("\n\nid\n".utf8) }
    let stream = whole.flatMap { $0 }
    var atOnce = ServerSentEvents()
    let expected = try atOnce.append(stream)
    var reader = ServerSentEvents()
    var events: [ServerSentEvent] = []
    var position = 0
    while position < stream.count {
      let end = min(stream.count, position + Int.random(in: 1...40, using: &generator))
      events += try reader.append(stream[position..<end])
      position = end
    }
    #expect(events == expected)
    #expect(events.count > 40)
  }

  @Test func anEventBeyondTheLimitIsAnErrorWhereverItGrew() throws {
    var whole = ServerSentEvents(limit: 20)
    #expect(try whole.append("data: 01234567890123\n\n".utf8).map(\.data) == ["01234567890123"])
    var reader = ServerSentEvents(limit: 20)
    #expect(try reader.append("data: 0123456789\n".utf8) == [])
    #expect(throws: ServerSentEvents.TooLong()) { try reader.append("data: 0123456789\n".utf8) }
    var line = ServerSentEvents(limit: 20)
    #expect(throws: ServerSentEvents.TooLong()) { try line.append(String(repeating: ":", count: 21).utf8) }
    var many = ServerSentEvents(limit: 20)
    #expect(try many.append(String(repeating: "data: 0123456789\n\n", count: 100).utf8).count == 100)
  }
}
