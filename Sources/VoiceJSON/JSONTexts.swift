/// Goes through the texts of a JSON document without taking it apart: what cannot be read stays as it is.
package enum JSONTexts {
  /// Where a text stands. Names are as they are written, without quotation marks.
  package struct Place {
    /// Of the member that it belongs to; of an array, the member that holds it.
    package fileprivate(set) var name: ArraySlice<UInt8> = []
    /// Of the member in front of that one: beside it, or around it.
    package fileprivate(set) var before: ArraySlice<UInt8> = []
  }

  /// The document with some of its texts replaced. Names of members stay; numbers and words are not looked at.
  ///
  /// - Parameter replacement: gets the text as it is written, without quotation marks; nil leaves it as it is.
  package static func rewrite(
    _ document: [UInt8], _ replacement: (_ place: Place, _ text: ArraySlice<UInt8>) -> [UInt8]?
  ) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var place = Place()
    var index = 0
    while let open = document[index...].firstIndex(of: UInt8(ascii: "\"")) {
      guard let close = StringPlace.end(in: document, from: open + 1) else { break }
      let text = document[(open + 1)..<close]
      index = close + 1
      let next = document[index...].first { !isBlank($0) }
      if next == UInt8(ascii: ":") {
        (place.before, place.name) = (place.name, text)
      } else if let new = replacement(place, text) {
        result += document[copied...open] + new
        copied = close
      }
    }
    return copied == 0 ? document : result + document[copied...]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
