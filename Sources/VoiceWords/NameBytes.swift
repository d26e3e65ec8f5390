/// Names are read as UTF-8 bytes.
extension UInt8 {
  /// Beyond ASCII everything counts as a letter.
  var isLetter: Bool { self >= 0x80 || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")) }

  /// A to Z.
  var isCapital: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }

  /// 0 to 9.
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
