extension JSON {
  /// Read one JSON value; nil if the bytes hold anything else, or it is nested more than 200 deep. Invalid UTF-8 inside
  /// strings is repaired, not refused.
  package init?(parsing bytes: [UInt8]) {
    var reader = JSONReader<Tree>(bytes)
    do { self = try reader.document() } catch { return nil }
  }

  /// The same, for a part of a text, or one that is no array yet.
  package init?(parsing bytes: some Sequence<UInt8>) { self.init(parsing: Array(bytes)) }

  private enum Tree: JSONForm {
    static var null: JSON { .null }
    static var noMembers: [String: JSON] { [:] }
    static func bool(_ value: Bool) -> JSON { .bool(value) }
    static func string(_ place: StringPlace, in bytes: [UInt8]) -> JSON { .string(place.string(in: bytes)) }
    static func array(_ values: [JSON]) -> JSON { .array(values) }
    static func object(_ members: [String: JSON]) -> JSON { .object(members) }

    static func number(_ place: Range<Int>, isWhole: Bool, in bytes: [UInt8]) -> JSON {
      let text = String(decoding: bytes[place], as: UTF8.self)
      if isWhole, let value = Int(text) { return .integer(value) }
      // What the grammar takes for a number always is one here.
      return .number(Double(text) ?? .infinity)
    }

    static func add(_ value: JSON, named name: StringPlace, in bytes: [UInt8], to members: inout [String: JSON]) {
      members[name.string(in: bytes)] = value
    }
  }
}
