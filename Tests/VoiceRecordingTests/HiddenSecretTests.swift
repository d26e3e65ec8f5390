import Foundation
import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceRecording

/// A secret that is parted by what nobody sees once it is shown: it would be read there as it is.
struct HiddenSecretTests {
  private static let value = "Zq7vTt0pXw9LmN3bRs5Y"
  private static let token = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
  /// What `grep --color=always` puts around a match; an address behind a word; signs that take no room; a tag; controls.
  private static let hidden = [
    "\u{1B}[01;31m\u{1B}[K", "\u{9B}31m", "\u{1B}]8;;http://a.example/\u{7}", "\u{1B}]8;;http://a.example/\u{1B}\\",
    "\u{200B}",
    "\u{AD}", "\u{2060}", "\u{200D}", "\u{FE0F}", "\u{E0041}", "\u{8}", "\u{1B}", "\u{202E}\u{202C}",
  ]

  /// The text cut into pieces of so many signs.
  private static func pieces(_ text: String, of count: Int) -> [String] {
    let scalars = Array(text.unicodeScalars)
    return stride(from: 0, to: scalars.count, by: count).map { start in
      String(String.UnicodeScalarView(scalars[start..<min(start + count, scalars.count)]))
    }
  }

  private static func parted(_ secret: String, by hidden: String) -> String {
    pieces(secret, of: 4).joined(separator: hidden)
  }

  /// As JSON writes it: with every sign that is not plain by its number, or as it is.
  private static func json(_ text: String, isASCII: Bool) -> String {
    text.utf16.reduce(into: "") { result, unit in
      switch unit {
      case 0x5C: result += #"\\"#
      case 0..<0x20,
        0x80...0xFFFF where isASCII || unit < 0x20:
        let digits = String(unit, radix: 16)
        result += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
      case 0..<0x80: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default: break
      }
    }
  }

  private static func shown(_ text: String) -> String { text.withoutTerminalSequences.sanitized() }

  @Test(arguments: hidden, [value, token]) func whatPartsASecretDoesNotHideIt(_ hidden: String, _ secret: String) throws
  {
    let scrubber = Scrubber([Self.value])
    let text = "It is \(Self.parted(secret, by: hidden)), é – all."
    let plain = String(decoding: scrubber.scrubbed(Array(text.utf8)[...]) ?? Array(text.utf8), as: UTF8.self)
    #expect(plain == "It is (secret), é – all.")
    var line = #"{"a":"\#(Self.json("It is " + Self.parted(secret, by: hidden) + "!", isASCII: true))","b":1}"#
    #expect(scrubber.scrubbed(json: Array(line.utf8)) == Array(#"{"a":"It is (secret)!","b":1}"#.utf8), "\(line)")
    // JSON in JSON, as a tool's arguments often are.
    line = String(decoding: try JSONEncoder().encode(["a": line]), as: UTF8.self)
    let nested = scrubber.scrubbed(json: Array(line.utf8)) ?? []
    #expect(String(decoding: nested, as: UTF8.self).contains("It is (secret)!"), "\(line)")
  }

  /// It may also stand in what one way to show it leaves out.
  @Test func noSequenceHidesWhatIsShownWithoutIt() {
    let secret = Self.parted(Self.value, by: "\u{200B}")
    for text in ["\u{1B}]0;\(secret)\u{7}", "\u{1B}]0;\(secret)", "\u{1B}[3\u{1B}[\(secret)"] {
      let left = Scrubber([Self.value]).scrubbed(Array(text.utf8)[...]) ?? []
      #expect(String(decoding: left, as: UTF8.self).contains("(secret)"), "\(text.debugDescription)")
    }
    // The one text begins a sequence, and the other ends it.
    let line = #"{"a":"\u001b]0;","b":"\#(Self.json(secret, isASCII: true))","c":"\u0007"}"#
    let left = Scrubber([Self.value]).scrubbed(json: Array(line.utf8))
    #expect(left == Array(#"{"a":"\u001b]0;","b":"(secret)","c":"\u0007"}"#.utf8))
  }

  @Test(arguments: [
    "An e\u{301}t\u{E9}, “quoted” – and 👩\u{200D}💻 \u{1B}[1mbold\u{1B}[0m", #"C:\\foo\\bar and a \\bword"#, "a\u{1B}[",
    "\u{1B}",
  ])
  func whatIsNoSecretStays(_ text: String) {
    #expect(Scrubber([Self.value]).scrubbed(Array(text.utf8)[...]) == nil)
    #expect(Scrubber([Self.value]).scrubbed(json: Array(#"{"a":"\#(text)"}"#.utf8)) == nil)
  }

  /// The pieces may be cut in the secret, and in what parts it.
  @Test(arguments: hidden, [1, 2, 3, 5, 8, 20, 1_000]) func inPiecesItsBeginningAloneIsWritten(
    _ hidden: String, _ count: Int
  ) {
    for (secret, most) in [(Self.value, 7), (Self.token, 15 + count)] {
      var scrubber = PieceScrubber(Scrubber([Self.value]))
      let text = "It is \(Self.parted(secret, by: hidden)), and that is all."
      let left = Self.pieces(text, of: count).map { piece in
        let line = Array(#"{"delta":"\#(Self.json(piece, isASCII: true))"}"#.utf8)
        return String(decoding: scrubber.scrubbed(json: line) ?? line, as: UTF8.self)
      }
      let written = left.joined().replacing(#"{"delta":""#, with: "").replacing(#""}"#, with: "")
      let seen = written.filter { $0.isLetter || $0.isNumber }
      #expect(written.contains("(secret)"), "\(written)")
      #expect(!seen.contains(secret.filter { $0 != "_" }.prefix(most + 1)), "\(written)")
      #expect(!written.contains(secret.suffix(4)), "\(written)")
      #expect(written.hasSuffix("that is all."), "\(written)")
    }
  }

  @Test func aShownTextKnowsWhereItStands() throws {
    let text = Array("a\u{1B}[1mb\u{200B}c\u{1B}[3".utf8)
    let ways = ShownText.ways(of: text[...])
    #expect(ways.map { String(decoding: $0.bytes, as: UTF8.self) } == ["abc[3", "a[1mbc[3"])
    #expect(ways.first?.whole(0..<3) == 0..<10)
    #expect(ways.first?.openEnd == 10)
    #expect(ShownText.ways(of: Array("plain “text”, été\n".utf8)[...]).isEmpty)
  }
}
