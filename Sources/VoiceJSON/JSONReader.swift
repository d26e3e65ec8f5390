/// Why a text is not JSON.
package struct JSONReadingError: Error, Equatable {
  /// A clause for people, without anything of the text.
  package var reason: String
  /// Bytes from the start of the text.
  package var offset: Int
}

/// What a text is made into while it is read: values of their own, or places in the text.
protocol JSONForm {
  /// What any value becomes.
  associatedtype Value
  /// What the members of an object are gathered in.
  associatedtype Members

  /// What `null` becomes.
  static var null: Value { get }
  /// What `true` or `false` becomes.
  static func bool(_ value: Bool) -> Value
  /// What a number becomes, whose digits stand there.
  ///
  /// - Parameter isWhole: there is neither fraction nor exponent.
  static func number(_ place: Range<Int>, isWhole: Bool, in bytes: [UInt8]) -> Value
  /// What a string becomes.
  static func string(_ place: StringPlace, in bytes: [UInt8]) -> Value
  /// What a list becomes, in order.
  static func array(_ values: [Value]) -> Value

  /// The members of an object without any.
  static var noMembers: Members { get }
  /// One more member; of two with one name the form decides.
  static func add(_ value: Value, named name: StringPlace, in bytes: [UInt8], to members: inout Members)
  /// What an object becomes.
  static func object(_ members: Members) -> Value
}

/// The grammar of RFC 8259, in one pass and in time that grows with the text alone. Lenient in two things: control characters
/// and bytes that are no UTF-8 may stand in a string, because some senders do not escape or cut what they were given.
///
/// It is our own because messages hold many MiB of text, an answer's first word waits for it, and sound is to be decoded
/// where it arrived.
struct JSONReader<Form: JSONForm> {
  let bytes: [UInt8]
  private var index = 0

  /// Deeper nesting than any message has; keeps a hostile one from using up the stack.
  private static var deepest: Int { 200 }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The one value that the text holds.
  mutating func document() throws(JSONReadingError) -> Form.Value {
    let value = try value(depth: 0)
    skipSpace()
    if index < bytes.count { throw error("something follows the value") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONReadingError) -> Form.Value {
    guard depth < Self.deepest else { throw error("it is nested too deeply") }
    skipSpace()
    guard index < bytes.count else { throw error("it ends too early") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return Form.string(try string(), in: bytes)
    case UInt8(ascii: "t"): return try word("true", Form.bool(true))
    case UInt8(ascii: "f"): return try word("false", Form.bool(false))
    case UInt8(ascii: "n"): return try word("null", Form.null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONReadingError) -> Form.Value {
    index += 1
    var members = Form.noMembers
    if takes(UInt8(ascii: "}")) { return Form.object(members) }
    repeat {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw error("a name is missing") }
      let name = try string()
      if !takes(UInt8(ascii: ":")) { throw error("a colon is missing") }
      Form.add(try value(depth: depth + 1), named: name, in: bytes, to: &members)
    } while takes(UInt8(ascii: ","))
    if !takes(UInt8(ascii: "}")) { throw error("an object is not closed") }
    return Form.object(members)
  }

  private mutating func array(depth: Int) throws(JSONReadingError) -> Form.Value {
    index += 1
    var values: [Form.Value] = []
    if takes(UInt8(ascii: "]")) { return Form.array(values) }
    repeat { values.append(try value(depth: depth + 1)) } while takes(UInt8(ascii: ","))
    if !takes(UInt8(ascii: "]")) { throw error("an array is not closed") }
    return Form.array(values)
  }

  /// A string whose escapes can all be read.
  private mutating func string() throws(JSONReadingError) -> StringPlace {
    let start = index + 1
    index = start
    var isEscaped = false
    while true {
      index = StringPlace.endOfPlain(in: bytes, from: index)
      guard index < bytes.count else { throw error("a string is not closed") }
      if bytes[index] == UInt8(ascii: "\"") {
        index += 1
        return StringPlace(range: start..<index - 1, isEscaped: isEscaped)
      }
      isEscaped = true
      guard index + 1 < bytes.count, let length = StringPlace.escapeLength(in: bytes, at: index + 1) else {
        throw error("an escape cannot be read")
      }
      index += length
    }
  }

  private mutating func number() throws(JSONReadingError) -> Form.Value {
    let start = index
    var isWhole = true
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      try digits()
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return Form.number(start..<index, isWhole: isWhole, in: bytes)
  }

  /// At least one.
  private mutating func digits() throws(JSONReadingError) {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    if start == index { throw error("there is no value") }
  }

  private mutating func word(_ word: StaticString, _ value: Form.Value) throws(JSONReadingError) -> Form.Value {
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
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private func error(_ reason: String) -> JSONReadingError { JSONReadingError(reason: reason, offset: index) }
}
