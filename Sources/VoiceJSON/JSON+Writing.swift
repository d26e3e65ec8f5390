// Without a raw line feed in a text, names sorted, so that the same value is always the same bytes.
extension JSON {
  /// The value as UTF-8 on one line, without a line feed.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    append(to: &output)
    return output
  }

  /// The value as UTF-8 with a line feed behind it.
  package var line: [UInt8] { bytes + [0x0A] }

  /// Append the value as UTF-8. Cannot fail: a number that JSON does not know (infinite, or none) is written as `null`.
  package func append(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    case .number(let value): output += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): JSONTexts.append(value, to: &output)
    case .array(let values):
      output.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.append(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSONTexts.append(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.append(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// The value as UTF-8 for people, each element and member on a line of its own; without a line feed at its end.
  package var indented: [UInt8] {
    var output: [UInt8] = []
    append(to: &output, depth: 0)
    return output
  }

  private func append(to output: inout [UInt8], depth: Int) {
    let lines: [(name: String?, value: JSON)]
    switch self {
    case .array(let values) where !values.isEmpty: lines = values.map { (nil, $0) }
    case .object(let members) where !members.isEmpty: lines = members.sorted { $0.key < $1.key }.map { ($0, $1) }
    default: return append(to: &output)
    }
    let isObject = lines[0].name != nil
    output.append(UInt8(ascii: isObject ? "{" : "["))
    for (index, line) in lines.enumerated() {
      output += (index > 0 ? ",\n" : "\n").utf8
      output += [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth + 2)
      if let name = line.name {
        JSONTexts.append(name, to: &output)
        output += " : ".utf8
      }
      line.value.append(to: &output, depth: depth + 1)
    }
    output.append(UInt8(ascii: "\n"))
    output += [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
    output.append(UInt8(ascii: isObject ? "}" : "]"))
  }
}

extension JSONTexts {
  /// Append a text with its quotation marks.
  package static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { append(inside: $0, to: &output) }
    output.append(UInt8(ascii: "\""))
  }

  /// The text as it stands between the quotation marks. Bytes that are no UTF-8 become U+FFFD.
  package static func escaped(_ text: [UInt8]) -> [UInt8] {
    var repaired = String(decoding: text, as: UTF8.self)
    var output: [UInt8] = []
    output.reserveCapacity(text.count + text.count / 8)
    repaired.withUTF8 { append(inside: $0, to: &output) }
    return output
  }

  /// What is written by its number: whatever JSON does not allow, what may drive a terminal (C0, DEL, C1), what turns the
  /// direction of writing, and the two separators that some readers of lines take for a line's end.
  private static func append(inside text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var copied = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      // Nearly everything stands as it is.
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
      else {
        index += 1
        continue
      }
      let second = index + 1 < text.count ? text[index + 1] : 0
      let third = index + 2 < text.count ? text[index + 2] : 0
      let number: UInt16?
      switch (byte, second, third) {
      case (..<0x80, _, _): number = UInt16(byte)
      case (0xC2, 0x80...0x9F, _): number = UInt16(second)
      case (0xD8, 0x9C, _): number = 0x061C
      case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xA8...0xAE), (0xE2, 0x81, 0xA6...0xA9):
        number = 0x2000 + UInt16(second & 0x3F) << 6 + UInt16(third & 0x3F)
      default: number = nil
      }
      guard let number else {
        index += 1
        continue
      }
      output += text[copied..<index]
      append(escape: number, to: &output)
      index += number < 0x80 ? 1 : number < 0x800 ? 2 : 3
      copied = index
    }
    output += text[copied...]
  }

  private static func append(escape number: UInt16, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch number {
    case 0x22, 0x5C: output.append(UInt8(number))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x09: output.append(UInt8(ascii: "t"))
    default:
      let digits = String(number, radix: 16)
      output += ("u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
  }
}
