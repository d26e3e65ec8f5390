/// Types whose form is a promise of this program's own are read from a value like any other: the compiler writes how
/// (`Decodable`), and this says what stands where.
extension JSON {
  /// The value as one of our own types.
  ///
  /// - Throws: `DecodingError` where it is none, or holds a number beyond `greatestNumber`.
  package func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONPlace(value: self, codingPath: []).decode(type)
  }

  /// What these bytes hold as one of our own types; whatever is not UTF-8 is damage.
  ///
  /// - Throws: `DecodingError`, for bytes that are not JSON as well.
  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
    let bytes = Array(bytes)
    guard String(validating: bytes, as: UTF8.self) != nil, let value = JSON(parsing: bytes) else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is not JSON"))
    }
    return try value.decoded(type)
  }

  /// 2 to the 52nd: a century in microseconds. What this program counts stays far below, and beyond it a sum or a change of
  /// unit could overflow.
  package static let greatestNumber: Int64 = 1 << 52
}

/// A value and where it stands.
private struct JSONPlace: Decoder, SingleValueDecodingContainer {
  let value: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch(type) }
    return KeyedDecodingContainer(JSONMembers(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch([JSON].self) }
    return JSONElements(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  /// Serves for every type that a container is asked for: what JSON has itself is not asked how to decode it.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let scalar = type as? any JSONScalar.Type else { return try Value(from: self) }
    if let number = value.number, !(number.magnitude <= Double(JSON.greatestNumber)) {
      let reason = "it holds the number \(number)"
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
    }
    guard let found = scalar.init(json: value) as? Value else { throw mismatch(type) }
    return found
  }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "a value is of the wrong kind")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSON]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

  private func place(_ key: Key) throws -> JSONPlace {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "a member is missing"))
    }
    return JSONPlace(value: value, codingPath: codingPath + [key])
  }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { members[key.stringValue] == .null }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try place(key).decode(type) }
  func nestedContainer<Other>(keyedBy type: Other.Type, forKey key: Key) throws -> KeyedDecodingContainer<Other> {
    try place(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try place(key).unkeyedContainer()
  }
  func superDecoder() -> any Decoder { JSONPlace(value: .object(members), codingPath: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try place(key) }
}

private struct JSONElements: UnkeyedDecodingContainer {
  private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map(String.init) ?? "" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { return nil }
  }

  let values: [JSON]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex == values.count }

  private mutating func next() throws -> JSONPlace {
    let path = codingPath + [Index(intValue: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(JSON.self, .init(codingPath: path, debugDescription: "an element is missing"))
    }
    defer { currentIndex += 1 }
    return JSONPlace(value: values[currentIndex], codingPath: path)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, values[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
  mutating func nestedContainer<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try next() }
}
