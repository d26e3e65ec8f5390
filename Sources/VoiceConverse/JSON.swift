internal import VoiceCore

/// Any JSON value.
///
/// Reading is lenient on purpose: what agents send differs between versions, so fields are looked up one by one and a
/// field of an unexpected type reads as absent. A decoder of fixed shapes would refuse the whole message instead.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction or exponent that fits; kept exact, because identifiers are echoed.
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// The value of a key; nil where there is none, and in anything that is not an object.
  package subscript(key: String) -> JSON? {
    if case .object(let members) = self { return members[key] }
    return nil
  }

  package var string: String? {
    if case .string(let value) = self { return value }
    return nil
  }

  package var integer: Int? {
    if case .integer(let value) = self { return value }
    return nil
  }

  /// Any number.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// How much there is of something: tokens, lines.
  package var count: Int? { integer.map { Int(countTold: $0) } }

  /// How much something cost.
  package var amount: Double? { number.map { Double(amountTold: $0) } }

  package var bool: Bool? {
    if case .bool(let value) = self { return value }
    return nil
  }

  /// The elements; none in anything that is not an array.
  package var elements: [JSON] {
    if case .array(let values) = self { return values }
    return []
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

// Writing: one line without a raw line feed, keys sorted, so that the same value always gives the same bytes.
extension JSON {
  /// The value as UTF-8 on one line.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    case .number(let value): output += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): Self.write(value, to: &output)
    case .array(let values):
      output.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    let hexadecimal = Array("0123456789abcdef".utf8)
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case 0..<0x20:
        output += "\\u00".utf8
        output.append(hexadecimal[Int(byte >> 4)])
        output.append(hexadecimal[Int(byte & 15)])
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
