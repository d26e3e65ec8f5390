/// Looks at the numbers of a JSON document before anything is made of them.
package enum WrittenNumbers {
  /// 2 to the 52nd: a century in microseconds. What this program counts stays far below, and beyond it a sum or a change of
  /// unit could overflow.
  package static let greatest: Int64 = 1 << 52

  /// The first number beyond that, as it is written; nil if there is none. Texts are not looked at, and the document need not
  /// be JSON.
  package static func excess(in document: [UInt8]) -> String? {
    var index = 0
    while index < document.count {
      let start = index
      while index < document.count, isPart(document[index]) { index += 1 }
      if isExcessive(document[start..<index]) {
        return String(decoding: document[start..<index].prefix(40), as: UTF8.self)
      }
      if index < document.count, document[index] == UInt8(ascii: "\"") {
        guard let end = StringPlace.end(in: document, from: index + 1) else { return nil }
        index = end
      }
      index += 1
    }
    return nil
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

  private static func isExcessive(_ number: ArraySlice<UInt8>) -> Bool {
    // Most are short.
    guard number.count > 3, let value = Double(String(decoding: number, as: UTF8.self)) else { return false }
    return !(value.magnitude <= Double(greatest))
  }
}
