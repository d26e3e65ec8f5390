/// A string inside a text of JSON: where it stands, between its quotation marks.
struct StringPlace: Sendable {
  var range: Range<Int>
  /// Whether there is a backslash in it.
  var isEscaped: Bool

  /// The string. Bytes that are no UTF-8, and half a surrogate pair, become U+FFFD.
  func string(in bytes: [UInt8]) -> String {
    if isEscaped { return String(decoding: unescaped(in: bytes), as: UTF8.self) }
    return bytes.withUnsafeBufferPointer { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
  }

  /// The string's bytes, not repaired; without escapes they stay where they are.
  func utf8(in bytes: [UInt8]) -> ArraySlice<UInt8> { isEscaped ? unescaped(in: bytes)[...] : bytes[range] }

  private func unescaped(in bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(range.count)
    bytes.withUnsafeBufferPointer { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes[range])
      var index = 0
      while index < bytes.count {
        // What stands behind a backslash was looked at when the text was read.
        guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
          output.append(bytes[index])
          index += 1
          continue
        }
        let escape = bytes[index + 1]
        index += 2
        switch escape {
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "u"): output += Self.scalar(in: bytes, at: &index).utf8
        default: output.append(escape)
        }
      }
    }
    return output
  }

  /// The scalar whose digits stand there, joined with the second half of a pair if one follows.
  private static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar {
    guard let first = fourDigits(in: bytes, at: index) else { return "\u{FFFD}" }
    index += 4
    guard first & 0xFC00 == 0xD800 else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u"),
      let second = fourDigits(in: bytes, at: index + 2), second & 0xFC00 == 0xDC00
    else { return "\u{FFFD}" }
    index += 6
    return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) ?? "\u{FFFD}"
  }

  private static func fourDigits(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for place in index..<index + 4 {
      switch bytes[place] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(bytes[place] - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(bytes[place] - 0x57)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(bytes[place] - 0x37)
      default: return nil
      }
    }
    return value
  }

  /// How many bytes an escape has, with its backslash; nil if it is none.
  ///
  /// - Parameter index: behind the backslash.
  static func escapeLength(in bytes: [UInt8], at index: Int) -> Int? {
    switch bytes[index] {
    case UInt8(ascii: "u"): bytes.withUnsafeBufferPointer { fourDigits(in: $0, at: index + 1) } == nil ? nil : 6
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      2
    default: nil
    }
  }

  /// The closing quotation mark of the string that begins there, whatever its escapes are; nil if it has none.
  static func end(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while true {
      index = endOfPlain(in: bytes, from: index)
      guard index < bytes.count else { return nil }
      if bytes[index] == UInt8(ascii: "\"") { return index }
      index += 2
    }
  }

  /// The first quotation mark or backslash from there on; at least the end if there is none. Strings of sound are long: once
  /// that is known, 32 bytes are looked at together.
  static func endOfPlain(in bytes: [UInt8], from start: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      var index = start
      if let found = firstMark(in: bytes, from: &index, before: min(start &+ 64, bytes.count)) { return found }
      let quote = SIMD32<UInt8>(repeating: UInt8(ascii: "\""))
      let backslash = SIMD32<UInt8>(repeating: UInt8(ascii: "\\"))
      while index &+ 32 <= bytes.count {
        let some = bytes.loadUnaligned(fromByteOffset: index, as: SIMD32<UInt8>.self)
        // All lanes at once: `any` looks for the least of them, for which older processors have no instruction.
        let marks = unsafeBitCast((some .== quote) .| (some .== backslash), to: SIMD4<UInt64>.self)
        if marks.x | marks.y | marks.z | marks.w != 0 { break }
        index &+= 32
      }
      if let found = firstMark(in: bytes, from: &index, before: bytes.count) { return found }
      while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") { index &+= 1 }
      return index
    }
  }

  /// The first quotation mark or backslash, eight bytes at a time; nil if less than eight are left, which begin at the index.
  @inline(__always)
  private static func firstMark(in bytes: UnsafeRawBufferPointer, from index: inout Int, before end: Int) -> Int? {
    while index &+ 8 <= end {
      let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found = zeroBytes(eight ^ 0x2222_2222_2222_2222) | zeroBytes(eight ^ 0x5C5C_5C5C_5C5C_5C5C)
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    return nil
  }

  /// Marks the highest bit of each byte that is zero; of the bytes above the first such one, others may be marked too.
  @inline(__always)
  private static func zeroBytes(_ eight: UInt64) -> UInt64 {
    (eight &- 0x0101_0101_0101_0101) & ~eight & 0x8080_8080_8080_8080
  }
}
