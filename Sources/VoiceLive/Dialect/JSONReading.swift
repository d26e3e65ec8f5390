internal import VoiceCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A JSON value inside a received frame, read in place.
///
/// Made for what live models send: strings stay where they are until somebody asks, so that sound is decoded straight
/// from the frame; names are found in camelCase and snake_case alike; and a value of an unexpected type is absent,
/// not an error, because servers write `"true"` for `true` and numbers as strings.
package struct JSONNode: Sendable {
  private enum Value: Sendable {
    case null
    case bool(Bool)
    case number(Range<Int>)
    case string(Range<Int>, isEscaped: Bool)
    case array([Value])
    case object([(name: Range<Int>, value: Value)])
  }

  private let bytes: [UInt8]
  private let value: Value

  private init(bytes: [UInt8], value: Value) {
    self.bytes = bytes
    self.value = value
  }

  /// - Throws: When the text is not JSON: where and why, without repeating the text.
  package init(parsing bytes: [UInt8]) throws(JSONReadingError) {
    var parser = Parser(bytes: bytes)
    value = try parser.document()
    self.bytes = bytes
  }

  /// The member of that name, given in camelCase; nil if absent, null, or if this is no object.
  package subscript(name: StaticString) -> JSONNode? {
    guard case .object(let members) = value,
      let member = members.last(where: { isNamed($0.name, name) })
    else { return nil }
    if case .null = member.value { return nil }
    return JSONNode(bytes: bytes, value: member.value)
  }

  /// The names of an object's members, in the order of the text.
  package var names: [String] {
    guard case .object(let members) = value else { return [] }
    return members.map { text($0.name) }
  }

  package var isObject: Bool { if case .object = value { true } else { false } }

  /// The elements of an array; none if this is no array.
  package var elements: [JSONNode] {
    guard case .array(let values) = value else { return [] }
    return values.map { JSONNode(bytes: bytes, value: $0) }
  }

  package var string: String? {
    guard case .string(let range, let isEscaped) = value else { return nil }
    return isEscaped ? unescaped(range) : text(range)
  }

  /// `true`, or a string that says so; anything else is false, as absence is.
  package var isTrue: Bool {
    switch value {
    case .bool(let isTrue): isTrue
    case .string(let range, _): text(range).lowercased() == "true"
    default: false
    }
  }

  /// A number, or a string that holds one.
  package var number: Double? {
    switch value {
    case .number(let range), .string(let range, _): Double(text(range))
    default: nil
    }
  }

  package var integer: Int? { number.flatMap { Int(exactly: $0.rounded()) } }

  /// How much there is of something.
  package var count: Int? { integer.map { Int(countTold: $0) } }

  /// The value as it stands in the text, for messages and for arguments of any shape.
  package var plainText: String {
    switch value {
    case .null: ""
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .number(let range): text(range)
    case .string: string ?? ""
    case .array(let values): values.map { JSONNode(bytes: bytes, value: $0).plainText }.joined(separator: "\n")
    case .object(let members):
      members.map { "\(text($0.name)): \(JSONNode(bytes: bytes, value: $0.value).plainText)" }.joined(separator: "\n")
    }
  }

  /// The bytes behind a string in base64, of either alphabet; nil if this is not such a string.
  package var base64: [UInt8]? {
    guard case .string(let range, let isEscaped) = value else { return nil }
    if isEscaped { return Base64.decode(Array(unescaped(range).utf8)[...]) }
    return Base64.decode(bytes[range])
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func isNamed(_ range: Range<Int>, _ name: StaticString) -> Bool { Self.isSame(bytes[range], name) }

  /// Whether a name is a camelCase one, or its snake_case form.
  static func isSameName(_ text: String, _ name: StaticString) -> Bool { isSame(text.utf8, name) }

  /// Underscores and case do not count.
  private static func isSame(_ text: some Sequence<UInt8>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { name in
      var next = 0
      for byte in text where byte != UInt8(ascii: "_") {
        // Setting this bit makes ASCII letters small.
        if next == name.count || byte | 0x20 != name[next] | 0x20 { return false }
        next += 1
      }
      return next == name.count
    }
  }

  private func unescaped(_ range: Range<Int>) -> String {
    var units: [UInt8] = []
    units.reserveCapacity(range.count)
    var index = range.lowerBound
    func hexadecimal() -> UInt32? {
      guard index + 4 <= range.upperBound else { return nil }
      return UInt32(text(index..<index + 4), radix: 16)
    }
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < range.upperBound else {
        units.append(byte)
        continue
      }
      let escape = bytes[index]
      index += 1
      switch escape {
      case UInt8(ascii: "n"): units.append(10)
      case UInt8(ascii: "t"): units.append(9)
      case UInt8(ascii: "r"): units.append(13)
      case UInt8(ascii: "b"): units.append(8)
      case UInt8(ascii: "f"): units.append(12)
      case UInt8(ascii: "u"):
        var code = hexadecimal() ?? 0xFFFD
        index = min(index + 4, range.upperBound)
        if 0xD800..<0xDC00 ~= code, bytes[index..<range.upperBound].starts(with: [0x5C, 0x75]) {
          index += 2
          if let low = hexadecimal(), 0xDC00..<0xE000 ~= low {
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            index += 4
          } else {
            index -= 2
          }
        }
        units.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF8.self)
  }

  private struct Parser {
    /// Deeper nesting than any message of these protocols has; keeps a hostile frame from using up the stack.
    static let deepest = 64

    let bytes: [UInt8]
    var index = 0

    mutating func document() throws(JSONReadingError) -> Value {
      let value = try self.value(depth: 0)
      skipSpace()
      if index < bytes.count { throw error("something follows the value") }
      return value
    }

    private mutating func value(depth: Int) throws(JSONReadingError) -> Value {
      if depth > Self.deepest { throw error("it is nested too deeply") }
      skipSpace()
      guard index < bytes.count else { throw error("it ends too early") }
      switch bytes[index] {
      case UInt8(ascii: "{"): return try object(depth: depth)
      case UInt8(ascii: "["): return try array(depth: depth)
      case UInt8(ascii: "\""):
        let (range, isEscaped) = try string()
        return .string(range, isEscaped: isEscaped)
      case UInt8(ascii: "t"): return try word("true", .bool(true))
      case UInt8(ascii: "f"): return try word("false", .bool(false))
      case UInt8(ascii: "n"): return try word("null", .null)
      default:
        let start = index
        while index < bytes.count, isNumeric(bytes[index]) { index += 1 }
        if start == index { throw error("there is no value") }
        return .number(start..<index)
      }
    }

    private mutating func object(depth: Int) throws(JSONReadingError) -> Value {
      index += 1
      var members: [(name: Range<Int>, value: Value)] = []
      if takes(UInt8(ascii: "}")) { return .object(members) }
      repeat {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw error("a name is missing") }
        let (name, _) = try string()
        if !takes(UInt8(ascii: ":")) { throw error("a colon is missing") }
        members.append((name, try value(depth: depth + 1)))
      } while takes(UInt8(ascii: ","))
      if !takes(UInt8(ascii: "}")) { throw error("an object is not closed") }
      return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONReadingError) -> Value {
      index += 1
      var values: [Value] = []
      if takes(UInt8(ascii: "]")) { return .array(values) }
      repeat { values.append(try value(depth: depth + 1)) } while takes(UInt8(ascii: ","))
      if !takes(UInt8(ascii: "]")) { throw error("an array is not closed") }
      return .array(values)
    }

    /// The inside of a string. Strings of sound are long: the closing quote is found by `memchr`.
    private mutating func string() throws(JSONReadingError) -> (Range<Int>, isEscaped: Bool) {
      let start = index + 1
      let (end, isEscaped) = bytes.withUnsafeBytes { all -> (Int?, Bool) in
        var from = start
        guard let base = all.baseAddress else { return (nil, false) }
        var isEscaped = false
        while from < all.count, let quote = memchr(base + from, 0x22, all.count - from) {
          let end = base.distance(to: UnsafeRawPointer(quote))
          var backslashes = 0
          while end - backslashes > start, all[end - backslashes - 1] == 0x5C { backslashes += 1 }
          if backslashes % 2 == 0 {
            isEscaped = isEscaped || memchr(base + start, 0x5C, end - start) != nil
            return (end, isEscaped)
          }
          isEscaped = true
          from = end + 1
        }
        return (nil, false)
      }
      guard let end else { throw error("a string is not closed") }
      index = end + 1
      return (start..<end, isEscaped)
    }

    private mutating func word(_ word: StaticString, _ value: Value) throws(JSONReadingError) -> Value {
      let count = word.utf8CodeUnitCount
      let isThere = word.withUTF8Buffer { word in bytes[index...].prefix(count).elementsEqual(word) }
      if !isThere { throw error("there is no value") }
      index += count
      return value
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
      skipSpace()
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    private mutating func skipSpace() {
      while index < bytes.count, bytes[index] == 32 || (9...13).contains(bytes[index]) { index += 1 }
    }

    private func isNumeric(_ byte: UInt8) -> Bool {
      switch byte {
      case 48...57, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
      default: false
      }
    }

    private func error(_ reason: String) -> JSONReadingError { JSONReadingError(reason: reason, offset: index) }
  }
}

package struct JSONReadingError: Error, Equatable {
  package var reason: String
  /// Bytes from the start of the text.
  package var offset: Int
}
