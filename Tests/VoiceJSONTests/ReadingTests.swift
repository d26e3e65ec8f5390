import Testing

@testable import VoiceJSON

/// What both readers make of a text: the one that makes values, and the one that reads in place.
struct ReadingTests {
  static let values: [(String, JSON)] = [
    ("null", .null), (" true ", true), ("\t\r\nfalse", false), ("-12", -12), ("0", 0), ("-0", 0),
    ("1.5e2", .number(150)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("92233720368547758080", .number(92_233_720_368_547_758_080)), ("1e999", .number(.infinity)),
    ("-1E+999", .number(-.infinity)), ("1e-999", .number(0)), ("\"\"", ""), ("[]", []), ("{}", [:]),
    ("[1,[2,{\"a\":[]}]]", [1, [2, ["a": []]]]), ("\"a\\n\\u00e9\\ud83e\\udd86\\/\"", "a\né🦆/"),
    ("\"\\\"\\\\\\b\\f\\r\\t\"", "\"\\\u{8}\u{C}\r\t"), ("\"\\ud83e alone\"", "\u{FFFD} alone"),
    ("\"\\udd86\\ud83e\\ud83e\"", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("\"\\ud83e\\u0041\"", "\u{FFFD}A"),
    ("\"line\u{2028}end\"", "line\u{2028}end"), ("{\"a\":1,\"a\":2}", ["a": 2]), ("{\"\\u0061\":1}", ["a": 1]),
    ("\"raw \u{1}\u{9}control\"", "raw \u{1}\u{9}control"),
  ]

  @Test(arguments: values) func jsonIsRead(_ text: String, _ value: JSON) throws {
    #expect(JSON(parsing: text.utf8) == value)
    #expect(try JSONNode(parsing: Array(text.utf8)).json == value)
    if !value.isInfinite { #expect(JSON(parsing: value.bytes) == value) }
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "[1 2]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}", "\"open",
    "\"bad \\x\"",
    "\"\\u12\"", "\"\\u12g4\"", "\"\\", "\"\\u", "1 2", "tru", "+1", ".5", "-", "1.", "1.e5", "1e", "1e+", "01", "-01",
    "0x10",
    "NaN", "Infinity", "nullx", "\u{B}1", "\u{A0}1", "\u{FEFF}1", "]", "}", "\"a\"b", "'a'", "// a\n1",
    String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
    "\"" + String(repeating: "\\", count: 100_001), "[" + String(repeating: "\"a\",", count: 100_000),
  ])
  func whatIsNotJSONIsRefused(_ text: String) {
    #expect(JSON(parsing: text.utf8) == nil)
    #expect(throws: JSONReadingError.self) { try JSONNode(parsing: Array(text.utf8)) }
  }

  @Test func theReasonNamesThePlaceAndRepeatsNothing() {
    #expect(throws: JSONReadingError(reason: "a colon is missing", offset: 10)) {
      try JSONNode(parsing: Array("{\"secret\" \"x\"}".utf8))
    }
  }

  @Test func invalidUTF8InsideJSONIsRepaired() throws {
    let bytes = Array("{\"k".utf8) + [0x80] + Array("\":\"a".utf8) + [0xFF, 0xC3] + Array("\"}".utf8)
    #expect(JSON(parsing: bytes) == ["k\u{FFFD}": "a\u{FFFD}\u{FFFD}"])
    let node = try JSONNode(parsing: bytes)
    #expect(node.json == JSON(parsing: bytes))
    #expect(node.names == ["k\u{FFFD}"])
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")]) func deepIsReadAndTooDeepIsRefused(_ open: String, _ close: String) {
    func text(_ depth: Int) -> [UInt8] {
      Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    #expect(JSON(parsing: text(199)) != nil)
    #expect(JSON(parsing: text(200)) == nil)
    #expect(throws: Never.self) { try JSONNode(parsing: text(199)) }
    #expect(throws: JSONReadingError.self) { try JSONNode(parsing: text(200)) }
  }

  /// Strings are looked through in pieces of several sizes.
  @Test func theEndOfAStringIsFoundWhereverItStands() {
    for length in 0..<150 {
      for lead in [0, 1, 7] {
        let plain = String(repeating: "x", count: length)
        let text = Array((String(repeating: " ", count: lead) + "[\"\(plain)\",\"\(plain)\\\"\(plain)\"]").utf8)
        #expect(JSON(parsing: text) == [.string(plain), .string(plain + "\"" + plain)], "\(length) behind \(lead)")
        #expect(JSON(parsing: text.dropLast(2)) == nil)
      }
    }
  }

  // MARK: In place

  private func node(_ text: String) throws -> JSONNode { try JSONNode(parsing: Array(text.utf8)) }

  @Test func namesAreFoundInBothStyles() throws {
    let node = try node(#"{"server_content":1,"toolCall":{"function_calls":[7]},"go\u0041way":3,"nothing":null}"#)
    #expect(node["serverContent"]?.integer == 1)
    #expect(node["toolCall"]?["functionCalls"]?.elements.first?.integer == 7)
    #expect(node["goAway"]?.integer == 3)
    #expect(node["nothing"] == nil && node["serverContents"] == nil && node["server"] == nil)
    #expect(node["toolCall"]?["functionCalls"]?["x"] == nil)
    #expect(node.names == ["server_content", "toolCall", "goAway", "nothing"])
    #expect(try self.node(#"{"a":1,"A":2,"a_":3}"#)["a"]?.integer == 3)
  }

  @Test func valuesOfOtherTypesAreReadOrAbsent() throws {
    let node = try node(
      #"{"t":"True","f":"yes","one":1,"n":"12.5","s":"x","big":1e300,"nan":"nan","o":{"a":[1,null,"b"]}}"#)
    #expect(node["t"]?.isTrue == true && node["f"]?.isTrue == false && node["one"]?.isTrue == false)
    #expect(node["n"]?.number == 12.5 && node["n"]?.integer == 13 && node["s"]?.number == nil)
    #expect(node["big"]?.integer == nil && node["nan"]?.integer == nil)
    #expect(node["one"]?.string == nil && node["one"]?.utf8 == nil && node["s"]?.elements.isEmpty == true)
    #expect(node["o"]?.plainText == "a: 1\n\nb" && node["big"]?.plainText == "1e300")
    #expect(node.isObject && node["s"]?.isObject == false)
  }

  @Test func aStringWithoutEscapesStaysWhereItIs() throws {
    let node = try node(#"["AQID","\u0041\/"]"#)
    #expect(node.elements[0].utf8?.startIndex == 2)
    #expect(node.elements.map(\.utf8) == [Array("AQID".utf8)[...], Array("A/".utf8)[...]])
  }
}

extension JSON {
  fileprivate var isInfinite: Bool { if case .number(let value) = self { value.isInfinite } else { false } }
}

extension JSONNode {
  /// What the other reader makes of the same text.
  var json: JSON {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number:
      Int(plainText).map { .integer($0) } ?? .number(Double(plainText) ?? .nan)
    case .string: .string(plainText)
    case .array: .array(elements.map(\.json))
    case .object(let members):
      .object(Dictionary(zip(names, members.map { JSONNode(bytes: bytes, value: $0.value).json })) { _, last in last })
    }
  }
}
