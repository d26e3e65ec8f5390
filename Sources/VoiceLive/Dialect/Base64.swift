import VoiceJSON

/// Sound to and from base64, without a string or a second buffer in between. Samples are little-endian on the wire, as
/// they are in the memory of every machine this program runs on.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let invalid: UInt8 = 0xFF
  /// The value of each character, of the standard and the URL-safe alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    return values
  }()

  /// Append samples in the standard alphabet, with padding.
  package static func append(_ samples: [Int16], to text: inout [UInt8]) {
    samples.withUnsafeBytes { append($0, to: &text) }
  }

  /// Append bytes in the standard alphabet, with padding.
  package static func append(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
    var count = text.count
    text.append(contentsOf: repeatElement(0, count: (bytes.count + 2) / 3 * 4))
    alphabet.withUnsafeBufferPointer { alphabet in
      text.withUnsafeMutableBufferPointer { out in
        var index = 0
        while index + 3 <= bytes.count {
          let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
          out[count] = alphabet[Int(group >> 18)]
          out[count + 1] = alphabet[Int(group >> 12 & 63)]
          out[count + 2] = alphabet[Int(group >> 6 & 63)]
          out[count + 3] = alphabet[Int(group & 63)]
          index += 3
          count += 4
        }
        if index == bytes.count { return }
        let isPair = index + 2 == bytes.count
        let group = UInt32(bytes[index]) << 16 | (isPair ? UInt32(bytes[index + 1]) << 8 : 0)
        out[count] = alphabet[Int(group >> 18)]
        out[count + 1] = alphabet[Int(group >> 12 & 63)]
        out[count + 2] = isPair ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "=")
        out[count + 3] = UInt8(ascii: "=")
      }
    }
  }

  /// The bytes; nil if the text holds anything outside both alphabets, or ends inside a byte. Padding may be missing.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var text = text
    while text.last == UInt8(ascii: "=") { text = text.dropLast() }
    if text.count % 4 == 1 { return nil }
    var all: UInt8 = 0
    let bytes = text.withUnsafeBufferPointer { text in
      values.withUnsafeBufferPointer { values in
        [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { out, initialized in
          // Locals, not captured: they stay in registers.
          var (index, count, seen) = (0, 0, UInt8(0))
          while index &+ 4 <= text.count {
            let (a, b) = (values[Int(text[index])], values[Int(text[index &+ 1])])
            let (c, d) = (values[Int(text[index &+ 2])], values[Int(text[index &+ 3])])
            seen |= a | b | c | d
            out[count] = a << 2 | b >> 4
            out[count &+ 1] = b << 4 | c >> 2
            out[count &+ 2] = c << 6 | d
            index &+= 4
            count &+= 3
          }
          let rest = text.count - index
          if rest >= 2 {
            let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
            seen |= a | b
            out[count] = a << 2 | b >> 4
            count += 1
            if rest == 3 {
              let c = values[Int(text[index + 2])]
              seen |= c
              out[count] = b << 4 | c >> 2
              count += 1
            }
          }
          (initialized, all) = (count, seen)
        }
      }
    }
    // Values have six bits; only the mark for invalid characters has more.
    return all > 63 ? nil : bytes
  }
}

extension JSONNode {
  /// The bytes behind a string in base64, of either alphabet, decoded where it arrived; nil if this is no such string.
  var base64: [UInt8]? { utf8.flatMap(Base64.decode) }
}

/// Joins chunks of bytes to samples: a server may cut its sound inside a sample.
package struct SampleJoiner: Sendable {
  private var carried: UInt8?

  package init() {}

  /// The samples that are complete with these bytes.
  package mutating func samples(from bytes: [UInt8]) -> [Int16] {
    let lead = carried == nil ? 0 : 1
    let count = (bytes.count + lead) / 2
    let samples = [Int16](unsafeUninitializedCapacity: count) { out, initialized in
      let raw = UnsafeMutableRawBufferPointer(out)
      if count > 0 {
        if let carried { raw[0] = carried }
        UnsafeMutableRawBufferPointer(rebasing: raw[lead..<count * 2]).copyBytes(from: bytes[..<(count * 2 - lead)])
      }
      initialized = count
    }
    if (bytes.count + lead) % 2 == 1 { carried = bytes.last ?? carried } else { carried = nil }
    return samples
  }

  /// A new turn begins: half a sample of the one before is of no use.
  package mutating func reset() { carried = nil }
}
