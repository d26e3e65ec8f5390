import Testing
import VoiceJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Foundation's encoder is the judge: equal values are equal bytes.
struct EncodingTests {
  private struct Form: Codable, Equatable {
    enum Kind: String, Codable { case one, two }
    enum Choice: Codable, Equatable { case named(name: String, times: Int?), plain, inner(Kind) }
    var whole = 1
    var small: UInt8?
    var half: Double?
    var single: Float?
    var isOn: Bool?
    var kind: Kind?
    var choices: [Choice]?
    var names: [String: Int]?
    var grid: [[Int?]]?
  }

  /// Writes itself through every kind of container that an encoder can be asked for.
  private struct Handmade: Encodable {
    enum Key: String, CodingKey { case first, rows, inner, parent }
    class Base: Encodable {
      func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode("base")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Key.self)
      try members.encodeNil(forKey: .first)
      var rows = members.nestedUnkeyedContainer(forKey: .rows)
      try rows.encode(1)
      try rows.encodeNil()
      var row = rows.nestedUnkeyedContainer()
      try row.encode("a")
      var pair = rows.nestedContainer(keyedBy: Key.self)
      try pair.encode([true, false], forKey: .first)
      try Base().encode(to: rows.superEncoder())
      #expect(rows.count == 5)
      var inner = members.nestedContainer(keyedBy: Key.self, forKey: .inner)
      try inner.encode(2.5, forKey: .first)
      try Base().encode(to: members.superEncoder(forKey: .parent))
      try Base().encode(to: members.superEncoder())
      // Who asks once more goes on where he was.
      var again = encoder.container(keyedBy: Key.self)
      try again.encode(Int.min, forKey: .first)
    }
  }

  private func foundations(_ value: some Encodable, _ format: JSONEncoder.OutputFormatting = []) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = format.union([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func ours(_ value: some Encodable) -> String { String(decoding: JSON(encoding: value).bytes, as: UTF8.self) }

  @Test func everyKindOfValueIsWrittenAsBefore() throws {
    let text = "a/b \"c\" \\ é 👋\n\t\u{1F}"
    let forms = [
      Form(), Form(whole: -1, small: 255, half: 0.1, single: 0.1, isOn: false, kind: .two),
      Form(half: 3, single: -2, choices: [.named(name: text, times: nil), .plain, .inner(.one)]),
      Form(half: 1e-7, single: 1.5, choices: [], names: ["b": 2, "a": 1, "B": 3, "a1": 4, "a10": 5, "a2": 6]),
      Form(single: .pi, names: [:], grid: [[1, nil], []]),
    ]
    for form in forms {
      #expect(try ours(form) == foundations(form))
      #expect(try JSON(encoding: form).decoded(Form.self) == form)
    }
    #expect(try ours(forms) == foundations(forms))
    // Written, and refused where they are read.
    for form in [Form(whole: .min), Form(whole: .max), Form(half: 1e300)] {
      #expect(try ours(form) == foundations(form))
    }
  }

  @Test func everyKindOfContainerIsWrittenAsBefore() throws {
    #expect(try ours(Handmade()) == foundations(Handmade()))
    #expect(try ours([Handmade(), Handmade()]) == foundations([Handmade(), Handmade()]))
  }

  @Test func aValueAloneIsWritten() {
    #expect(JSON(encoding: "x") == "x")
    #expect(JSON(encoding: UInt64.max) == .number(Double(UInt64.max)))
    #expect(JSON(encoding: Optional<Int>.none) == .null)
    #expect(JSON(encoding: [Double.infinity]).bytes == Array("[null]".utf8))
  }

  @Test func forPeopleItHasALineForEachMember() throws {
    let form = Form(choices: [.plain, .inner(.two)], names: ["a": 1], grid: [[1, 2]])
    let text = String(decoding: JSON(encoding: [form, Form()]).indented, as: UTF8.self)
    // Foundation writes nothing between braces on three lines.
    #expect(try text == foundations([form, Form()], .prettyPrinted).replacing(/\{\s+\}/, with: "{}"))
    #expect(JSON.object([:]).indented == Array("{}".utf8))
    #expect(JSON.array([]).indented == Array("[]".utf8))
  }
}
