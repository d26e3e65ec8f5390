import VoiceFoundation
package import VoiceJSON

/// What is written into logs, scripts and manifests has types of its own, which the compiler writes the form of (`Codable`);
/// where it is looked at whatever it is, it is a value like any other.
extension JSON {
  /// A value of one of our own types. Its numbers are finite, and it is less than 200 levels deep.
  package init(encoding value: some Encodable) {
    guard let json = JSON(parsing: Self.bytes(of: value)) else {
      preconditionFailure("an encoded value is too deep to be read")
    }
    self = json
  }

  /// A value of one of our own types as a line.
  package static func line(of value: some Encodable) -> [UInt8] { bytes(of: value) + [0x0A] }

  /// A value of one of our own types: its keys in order, so that equal values are equal bytes.
  static func bytes(of value: some Encodable, with encoder: JSONEncoder = encoder()) -> [UInt8] {
    do {
      return Array(try encoder.encode(value))
    } catch {
      preconditionFailure("a value cannot be encoded: \(error)")
    }
  }

  /// One that is kept is quicker than one for each value.
  static func encoder(_ format: JSONEncoder.OutputFormatting = []) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = format.union([.sortedKeys, .withoutEscapingSlashes])
    return encoder
  }
}
