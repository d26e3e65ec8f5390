/// A JSON value inside a received frame, read in place.
///
/// Made for what live models send: strings stay where they are until somebody asks, so that sound is decoded straight
/// from the frame; names are found in camelCase and snake_case alike; and a value of an unexpected type is absent,
/// not an error, because servers write `"true"` for `true` and numbers as strings.
package struct JSONNode: Sendable {
  let bytes: [UInt8]
  let value: Place.Value

  init(bytes: [UInt8], value: Place.Value) {
    self.bytes = bytes
    self.value = value
  }

  /// - Throws: When the text is not JSON: where and why, without repeating the text.
  package init(parsing bytes: [UInt8]) throws(JSONReadingError) {
    var reader = JSONReader<Place>(bytes)
    value = try reader.document()
    self.bytes = bytes
  }

  /// The member of that name, given in camelCase; nil if absent, null, or if this is no object. Of several, the last.
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
    return members.map { $0.name.string(in: bytes) }
  }

  /// Whether there may be members.
  package var isObject: Bool { if case .object = value { true } else { false } }

  /// The elements of an array; none if this is no array.
  package var elements: [JSONNode] {
    guard case .array(let values) = value else { return [] }
    return values.map { JSONNode(bytes: bytes, value: $0) }
  }

  /// The text; nil if this is no string.
  package var string: String? { if case .string(let place) = value { place.string(in: bytes) } else { nil } }

  /// The bytes of the text, where they arrived unless there are escapes in it; nil if this is no string.
  package var utf8: ArraySlice<UInt8>? { if case .string(let place) = value { place.utf8(in: bytes) } else { nil } }

  /// `true`, or a string that says so; anything else is false, as absence is.
  package var isTrue: Bool {
    switch value {
    case .bool(let isTrue): isTrue
    case .string(let place): place.string(in: bytes).lowercased() == "true"
    default: false
    }
  }

  /// A number, or a string that holds one.
  package var number: Double? {
    switch value {
    case .number(let range): Double(String(decoding: bytes[range], as: UTF8.self))
    case .string(let place): Double(place.string(in: bytes))
    default: nil
    }
  }

  /// The nearest whole number; nil if there is no number, or none that fits.
  package var integer: Int? { number.flatMap { Int(exactly: $0.rounded()) } }

  /// The value as it stands in the text, for messages and for arguments of any shape.
  package var plainText: String {
    switch value {
    case .null: ""
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .number(let range): String(decoding: bytes[range], as: UTF8.self)
    case .string(let place): place.string(in: bytes)
    case .array: elements.map(\.plainText).joined(separator: "\n")
    case .object(let members):
      members.map { "\($0.name.string(in: bytes)): \(JSONNode(bytes: bytes, value: $0.value).plainText)" }
        .joined(separator: "\n")
    }
  }

  /// Whether a name is a camelCase one, or its snake_case form.
  package static func isSameName(_ text: String, _ name: StaticString) -> Bool { isSame(text.utf8, name) }

  private func isNamed(_ place: StringPlace, _ name: StaticString) -> Bool {
    if place.isEscaped { return Self.isSame(place.utf8(in: bytes), name) }
    return bytes.withUnsafeBufferPointer { Self.isSame($0[place.range], name) }
  }

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

  /// Values as places in the text.
  enum Place: JSONForm {
    enum Value: Sendable {
      case null
      case bool(Bool)
      case number(Range<Int>)
      case string(StringPlace)
      case array([Value])
      case object([(name: StringPlace, value: Value)])
    }

    static var null: Value { .null }
    static var noMembers: [(name: StringPlace, value: Value)] { [] }
    static func bool(_ value: Bool) -> Value { .bool(value) }
    static func number(_ place: Range<Int>, isWhole: Bool, in bytes: [UInt8]) -> Value { .number(place) }
    static func string(_ place: StringPlace, in bytes: [UInt8]) -> Value { .string(place) }
    static func array(_ values: [Value]) -> Value { .array(values) }
    static func object(_ members: [(name: StringPlace, value: Value)]) -> Value { .object(members) }

    static func add(
      _ value: Value, named name: StringPlace, in bytes: [UInt8], to members: inout [(name: StringPlace, value: Value)]
    ) {
      members.append((name, value))
    }
  }
}
