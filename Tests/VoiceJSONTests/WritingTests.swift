import Testing
import VoiceJSON

struct WritingTests {
  private func text(_ value: JSON) -> String { String(decoding: value.bytes, as: UTF8.self) }

  @Test func whatIsWrittenIsOneLineWithSortedNames() {
    let value: JSON = ["b": "x\ny\u{0}\"\\", "a": [1, .number(0.5), .null, false], "é": [:], "c": []]
    #expect(text(value) == #"{"a":[1,0.5,null,false],"b":"x\ny\u0000\"\\","c":[],"é":{}}"#)
    #expect(value.line == value.bytes + [0x0A])
  }

  @Test func aMemberWithoutAValueIsLeftOut() {
    let none: JSON? = nil
    #expect(text(["a": none, "b": .null, "c": 1]) == #"{"b":null,"c":1}"#)
    #expect(text(.strings(["x", "y"])) == #"["x","y"]"#)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan]) func aNumberThatJSONDoesNotKnowIsNull(_ number: Double) {
    #expect(text([.number(number)]) == "[null]")
  }

  @Test func numbersAreWrittenSoThatTheyAreReadAsTheSame() {
    for number in [0, -0.0, 1, 0.1, 1e16, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      #expect(JSON(parsing: JSON.number(number).bytes) == .number(number))
    }
    for number in [Int.min, -1, 0, .max] { #expect(JSON(parsing: JSON.integer(number).bytes) == .integer(number)) }
  }

  /// A terminal takes C1 for the beginning of a command, and a mark of direction shows a text that is not there.
  @Test func whatDrivesATerminalOrTurnsTheTextIsWrittenByItsNumber() {
    let scalars =
      Array(0x00...0x1F) + Array(0x7F...0x9F) + [0x061C, 0x200E, 0x200F, 0x2028, 0x2029]
      + Array(0x202A...0x202E) + Array(0x2066...0x2069)
    for number in scalars {
      guard let scalar = Unicode.Scalar(UInt32(number)) else { continue }
      let value: JSON = ["a\(scalar)b": .string("\(scalar)\(scalar)z")]
      let bytes = value.bytes
      #expect(bytes.allSatisfy { (0x20..<0x7F).contains($0) }, "U+\(String(number, radix: 16)) stands as it is")
      #expect(JSON(parsing: bytes) == value)
    }
    #expect(text("\u{9B}31m\u{202E}") == #""\u009b31m\u202e""#)
  }

  @Test func otherTextStandsAsItIs() {
    let plain = "aé\u{A0}\u{A9}\u{600}\u{61B}\u{61D}\u{2010}\u{2027}\u{2030}\u{2065}\u{206A}あ🦆\u{FFFD}/"
    #expect(text(.string(plain)) == "\"\(plain)\"")
  }

  // MARK: Texts of a document

  @Test func textsAreReplacedAndAllElseStays() {
    let document = Array(#"{ "a" : "one", "b":[ "two" ,3,"fo\"ur"],"c":"one"} "#.utf8)
    var seen: [String] = []
    let result = JSONTexts.rewrite(document) { place, text in
      seen.append(String(decoding: place.name, as: UTF8.self) + "=" + String(decoding: text, as: UTF8.self))
      return text.elementsEqual("one".utf8) ? Array("1".utf8) : nil
    }
    #expect(seen == ["a=one", "b=two", #"b=fo\"ur"#, "c=one"])
    #expect(String(decoding: result, as: UTF8.self) == #"{ "a" : "1", "b":[ "two" ,3,"fo\"ur"],"c":"1"} "#)
    #expect(JSONTexts.rewrite(document) { _, _ in nil } == document)
  }

  @Test(arguments: ["", "{", "\"", "\"a", "{\"a\":\"b", "\"a\\", "no texts", "\"\\\"", "a\"b\"c\""])
  func aDamagedDocumentIsGoneThroughAsFarAsItGoes(_ text: String) {
    let document = Array(text.utf8)
    #expect(JSONTexts.rewrite(document) { _, text in Array(text) } == document)
  }

  @Test func aTextIsEscapedAndRepaired() {
    let escaped = JSONTexts.escaped(Array("a\"\\\r\t\u{85}".utf8) + [0xFF])
    #expect(String(decoding: escaped, as: UTF8.self) == "a\\\"\\\\\\r\\t\\u0085\u{FFFD}")
  }
}
