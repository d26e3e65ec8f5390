#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON value. The guide answers a handful of small messages, so one tree serves for all of them.
enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// The member of that name; null if there is none, or if this is no object.
  subscript(name: String) -> JSON {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  /// One message, without its line end.
  init(line: [UInt8]) throws { self = try JSONDecoder().decode(JSON.self, from: Data(line)) }

  /// The message as one line, with its end.
  var line: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    do { return [UInt8](try encoder.encode(self)) + [0x0A] } catch {
      preconditionFailure("a message of the guide cannot be written as JSON: \(error)")
    }
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
}

extension JSON: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = Self.decode(Bool.self, from: container) {
      self = .bool(value)
    } else if let value = Self.decode(Int.self, from: container) {
      self = .int(value)
    } else if let value = Self.decode(Double.self, from: container) {
      self = .number(value)
    } else if let value = Self.decode(String.self, from: container) {
      self = .string(value)
    } else if let value = Self.decode([JSON].self, from: container) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// A JSON value says its type only by decoding: nil means "not of this type".
  private static func decode<Value: Decodable>(
    _ type: Value.Type, from container: any SingleValueDecodingContainer
  ) -> Value? {
    do { return try container.decode(type) } catch { return nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
