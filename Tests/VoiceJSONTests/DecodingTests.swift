import Testing
import VoiceJSON

struct DecodingTests {
  private struct Form: Codable, Equatable {
    enum Kind: String, Codable { case one, two }
    enum Choice: Codable, Equatable { case named(name: String, times: Int?), plain, inner(Kind) }
    var whole: Int
    var small: UInt8?
    var half: Double?
    var isOn: Bool?
    var kind: Kind?
    var choices: [Choice]?
    var names: [String: Int]?
  }

  private func decode(_ text: String) throws -> Form { try JSON.decode(Form.self, from: text.utf8) }

  @Test func everyKindOfValueIsDecoded() throws {
    let form = try decode(
      """
      {"whole":-7,"small":255,"half":0.5,"isOn":true,"kind":"two","names":{"a":1},
      "choices":[{"named":{"name":"x","times":null}},{"plain":{}},{"inner":{"_0":"one"}}]}
      """)
    #expect(
      form
        == Form(
          whole: -7, small: 255, half: 0.5, isOn: true, kind: .two,
          choices: [.named(name: "x", times: nil), .plain, .inner(.one)], names: ["a": 1]))
    #expect(try decode(#"{"whole":3.0,"other":[]}"#) == Form(whole: 3))
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"whole":"1"}"#, #"{"whole":1.5}"#, #"{"whole":null}"#, #"{"whole":1,"small":256}"#,
    #"{"whole":1,"small":-1}"#, #"{"whole":1,"kind":"three"}"#, #"{"whole":1,"choices":[{}]}"#,
    #"{"whole":1,"choices":{}}"#, #"{"whole":1}}"#,
  ])
  func whatHasAnotherFormIsRefused(_ text: String) { #expect(throws: DecodingError.self) { try decode(text) } }

  @Test func whatIsNoTextIsRefused() {
    #expect(throws: DecodingError.self) { try JSON.decode(String.self, from: [0x22, 0xFF, 0x22]) }
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "4503599627370497", "1e999", "-1e16", "1E+300", "9e15",
    "99999999999999999999999999999999",
  ]) func aNumberBeyondAllCountsIsRefused(_ number: String) {
    #expect(throws: DecodingError.self) { try decode(#"{"whole":\#(number)}"#) }
    #expect(throws: DecodingError.self) { try decode(#"{"whole":1,"half":\#(number)}"#) }
  }

  @Test(arguments: ["0", "-1", "4503599627370496", "-4503599627370496", "1e9"])
  func otherNumbersPass(_ number: String) throws {
    #expect(try Double(decode(#"{"whole":\#(number)}"#).whole) == Double(number))
  }

  @Test func itIsToldWhereSomethingIsWrong() throws {
    let error = #expect(throws: DecodingError.self) {
      try decode(#"{"whole":1,"choices":[{"plain":{}},{"named":{"name":1}}]}"#)
    }
    guard case .typeMismatch(_, let context)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(
      context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["choices", "1", "named", "name"])
  }

  @Test func whatPeopleWriteIsTheSameValue() throws {
    let text =
      "{ // a comment\n title: 'it\\'s', list: [1, -0x10, .5, +2, 1e3, Infinity,], 'a b': { }, nothing: null, }"
    let json = try JSON5Reader.read(text)?.json
    #expect(
      json == [
        "title": "it's", "list": [1, -16, .number(0.5), 2, 1_000, .number(.infinity)], "a b": [:], "nothing": .null,
      ])
    // A mark that combines with the quotation mark is part of the text.
    #expect(try JSON5Reader.read("['\u{301}a\u{301}']")?.json == ["\u{301}a\u{301}"])
    #expect(try JSON5Reader.read("1\r\n// two\r\n")?.json == 1)
  }
}
