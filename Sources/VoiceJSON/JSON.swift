/// A JSON value, whoever sent it and whoever it is for.
///
/// Reading is lenient about shapes: what others send differs between versions, so members are looked up one by one, and one
/// of an unexpected type reads as absent. A decoder of fixed shapes would refuse the whole message.
package enum JSON: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number without fraction or exponent that fits; kept exact, because identifiers are echoed.
  case integer(Int)
  /// Any other number; one that no Double holds is infinite.
  case number(Double)
  /// Text, without invalid UTF-8 and without half surrogate pairs: U+FFFD stands there.
  case string(String)
  /// Values in their order.
  case array([JSON])
  /// Members by their names. Of two with one name, the last is there.
  case object([String: JSON])

  /// An array of strings.
  package static func strings(_ strings: [String]) -> JSON { .array(strings.map { .string($0) }) }

  /// The member of that name; nil where there is none, and in anything that is not an object.
  package subscript(name: String) -> JSON? { if case .object(let members) = self { members[name] } else { nil } }

  /// The text; nil in anything that is not a string.
  package var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The number; nil in anything that is not a whole number that fits.
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  /// Any number; nil in anything else.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// True or false; nil in anything else.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements; none in anything that is not an array.
  package var elements: [JSON] { if case .array(let values) = self { values } else { [] } }

  /// The members; none in anything that is not an object.
  package var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }

  /// The value with every string in it changed; names stay.
  package func mapStrings(_ change: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let values): .array(values.map { $0.mapStrings(change) })
    case .object(let members): .object(members.mapValues { $0.mapStrings(change) })
    case .null, .bool, .integer, .number: self
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }

  /// A member whose value is nil is left out; `.null` writes `null`.
  package init(dictionaryLiteral members: (String, JSON?)...) {
    var object = [String: JSON](minimumCapacity: members.count)
    for case (let name, let value?) in members { object[name] = value }
    self = .object(object)
  }
}
