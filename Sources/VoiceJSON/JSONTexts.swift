/// Goes through the texts of a JSON document without taking it apart: what cannot be read stays as it is.
package enum JSONTexts {
  /// The document with some of its texts replaced. Names of members stay; numbers and words are not looked at.
  ///
  /// - Parameter replacement: gets the name of the member that the text belongs to (of an array, the member that holds it)
  ///   and the text, both as they are written, without quotation marks; nil leaves the text as it is.
  package static func rewrite(
    _ document: [UInt8], _ replacement: (_ name: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> [UInt8]?
  ) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var name: ArraySlice<UInt8> = []
    var index = 0
    while let open = document[index...].firstIndex(of: UInt8(ascii: "\"")) {
      guard let close = StringPlace.end(in: document, from: open + 1) else { break }
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

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
