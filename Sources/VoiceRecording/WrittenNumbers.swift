/// Looks at the numbers of a JSON document before anything is made of them.
package enum WrittenNumbers {
  /// 2 to the 52nd: a century in microseconds. What this program counts stays far below, and beyond it a sum or a change of
  /// unit could overflow.
  package static let greatest: Int64 = 1 << 52

  /// The first number beyond that, as it is written; nil if there is none. Texts are not looked at.
  package static func excess(in document: some Sequence<UInt8>) -> String? {
    var number: [UInt8] = []
    var isInText = false
    var isEscaped = false
    for byte in document {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
      } else if isPart(byte) {
        number.append(byte)
      } else {
        if isExcessive(number) { return shown(number) }
        number.removeAll(keepingCapacity: true)
        isInText = byte == UInt8(ascii: "\"")
      }
    }
    return isExcessive(number) ? shown(number) : nil
  }

  /// Also the letters of `true` and `null`, which are no numbers for anybody.
  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "+-.".utf8.contains(byte)
    }
  }

  private static func isExcessive(_ number: [UInt8]) -> Bool {
    // Most are short.
    guard number.count > 3, let value = Double(String(decoding: number, as: UTF8.self)) else { return false }
    return !(value.magnitude <= Double(greatest))
  }

  private static func shown(_ number: [UInt8]) -> String { String(decoding: number.prefix(40), as: UTF8.self) }
}
