import VoiceFoundation
package import VoiceJSON

/// What is written into logs, scripts and manifests has types of its own, which the compiler writes the form of (`Codable`);
/// where it is looked at whatever it is, it is a value like any other.
extension JSON {
  /// A value of one of our own types. Its numbers are finite, and it is less than 200 levels deep.
  package init(encoding value: some Encodable) {
    do {
      let bytes = [UInt8](try JSONEncoder().encode(value))
      guard let json = JSON(parsing: bytes) else { preconditionFailure("an encoded value is too deep to be read") }
      self = json
    } catch {
      preconditionFailure("a value cannot be encoded: \(error)")
    }
  }

  /// A value of one of our own types as a line: its keys in order, so that equal values are equal bytes.
  package static func line(of value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value)) + [0x0A]
    } catch {
      preconditionFailure("a value cannot be encoded: \(error)")
    }
  }
}
