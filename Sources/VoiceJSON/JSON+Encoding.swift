/// What is written into logs, scripts and manifests has types of its own, which the compiler writes the form of (`Encodable`): here
/// it becomes a value like any other.
extension JSON {
  /// A value of one of our own types. Its numbers are finite.
  package init(encoding value: some Encodable) {
    do {
      self = try JSONDraft.json(of: value)
    } catch {
      preconditionFailure("a value cannot be encoded: \(error)")
    }
  }
}

/// A value that is being written, by whoever has asked for a container of it.
private final class JSONDraft: Encoder {
  /// What it has become so far: containers are handed out before they are full.
  private enum Content {
    case value(JSON)
    case elements([Part])
    case members([String: Part])
  }

  /// A value that is finished, or one whose container was handed out.
  enum Part {
    case value(JSON)
    case draft(JSONDraft)

    var json: JSON {
      switch self {
      case .value(let json): json
      case .draft(let draft): draft.json
      }
    }
  }

  private var content: Content

  // What is written stands somewhere, but none of our types looks.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init() { content = .value(.null) }

  /// What JSON has itself is not asked how to encode it.
  static func json(of value: some Encodable) throws -> JSON {
    if let scalar = value as? any JSONScalar { return scalar.json }
    let draft = JSONDraft()
    try value.encode(to: draft)
    return draft.json
  }

  private var json: JSON {
    switch content {
    case .value(let value): value
    case .elements(let elements): .array(elements.map(\.json))
    case .members(let members): .object(members.mapValues(\.json))
    }
  }

  func become(_ value: JSON) { content = .value(value) }

  func put(_ part: Part, _ name: String) {
    guard case .members(var members) = content else { return }
    // Out of its place meanwhile, or all members are copied for each.
    content = .value(.null)
    members[name] = part
    content = .members(members)
  }

  func append(_ part: Part) {
    guard case .elements(var elements) = content else { return }
    content = .value(.null)
    elements.append(part)
    content = .elements(elements)
  }

  var count: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A type may ask more than once: what is there stays.
    if case .members = content {} else { content = .members([:]) }
    return KeyedEncodingContainer(JSONDraftMembers(draft: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .elements = content {} else { content = .elements([]) }
    return JSONDraftElements(draft: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONDraftValue(draft: self) }
}

private struct JSONDraftValue: SingleValueEncodingContainer {
  let draft: JSONDraft
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { draft.become(.null) }
  func encode<Value: Encodable>(_ value: Value) throws { draft.become(try JSONDraft.json(of: value)) }
}

private struct JSONDraftMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let draft: JSONDraft
  var codingPath: [any CodingKey] { [] }

  private func member(_ name: String) -> JSONDraft {
    let member = JSONDraft()
    draft.put(.draft(member), name)
    return member
  }

  func encodeNil(forKey key: Key) { draft.put(.value(.null), key.stringValue) }
  // The commonest, without asking what kind of value it is.
  func encode(_ value: Bool, forKey key: Key) { draft.put(.value(.bool(value)), key.stringValue) }
  func encode(_ value: Int, forKey key: Key) { draft.put(.value(.integer(value)), key.stringValue) }
  func encode(_ value: String, forKey key: Key) { draft.put(.value(.string(value)), key.stringValue) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    draft.put(.value(try JSONDraft.json(of: value)), key.stringValue)
  }
  func nestedContainer<Other>(keyedBy type: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
    member(key.stringValue).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key.stringValue).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { member("super") }
  func superEncoder(forKey key: Key) -> any Encoder { member(key.stringValue) }
}

private struct JSONDraftElements: UnkeyedEncodingContainer {
  let draft: JSONDraft
  var codingPath: [any CodingKey] { [] }
  var count: Int { draft.count }

  private func element() -> JSONDraft {
    let element = JSONDraft()
    draft.append(.draft(element))
    return element
  }

  func encodeNil() { draft.append(.value(.null)) }
  func encode<Value: Encodable>(_ value: Value) throws { draft.append(.value(try JSONDraft.json(of: value))) }
  func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    element().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }
}
