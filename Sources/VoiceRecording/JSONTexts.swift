/// Goes through the texts of a JSON document without taking it apart: what cannot be read stays as it is.
package enum JSONTexts {
  /// The document with some of its texts replaced. Names of fields stay; numbers and marks are not looked at.
  ///
  /// - Parameter replacement: gets the name of the field that the text belongs to (of an array, the field that holds it)
  ///   and the text, both as they are written, without quotes; nil leaves the text as it is.
  package static func rewrite(
    _ document: [UInt8], _ replacement: (_ name: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> [UInt8]?
  ) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var name: ArraySlice<UInt8> = []
    var index = 0
    while let open = document[index...].firstIndex(of: quote) {
      guard let close = endOfText(document, from: open + 1) else { break }
      let text = document[(open + 1)..<close]
      index = close + 1
      let next = document[index...].first { !isBlank($0) }
      if next == UInt8(ascii: ":") {
        name = text
      } else if let new = replacement(name, text) {
        result += document[copied...open] + new
        copied = close
      }
    }
    return copied == 0 ? document : result + document[copied...]
  }

  private static let quote = UInt8(ascii: "\"")

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func endOfText(_ document: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < document.count {
      if document[index] == quote { return index }
      index += document[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// The text as it stands between the quotes of a JSON document. Bytes that are no UTF-8 become U+FFFD.
  package static func escaped(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 8)
    for byte in String(decoding: text, as: UTF8.self).utf8 {
      switch byte {
      case quote, UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case 0x0A: result += Array("\\n".utf8)
      case 0x0D: result += Array("\\r".utf8)
      case 0x09: result += Array("\\t".utf8)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        result += Array(("\\u00" + (byte < 16 ? "0" : "") + digits).utf8)
      default: result.append(byte)
      }
    }
    return result
  }
}
