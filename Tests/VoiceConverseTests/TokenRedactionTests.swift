import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a server quotes of the token does not reach anybody.
struct TokenRedactionTests {
  private static func server(_ variable: String, _ token: String, as form: HTTPCredential.Form = .bearer) throws
    -> HTTPServer
  {
    setenv(variable, token, 1)
    return HTTPServer(
      kind: "the model server", address: try #require(HTTPAddress("http://127.0.0.1:9")),
      credential: HTTPCredential(.variable(variable), as: form))
  }

  @Test(arguments: [
    "correct/horse-battery", #"correct\/horse-battery"#, "correct%2Fhorse-battery", "correct%2fhorse%2Dbattery",
    #"correct\u002fhorse-battery"#, #"\u0063\u006f\u0072\u0072\u0065\u0063\u0074\u002f\u0068orse-battery"#,
    "correct/horse-batter", "rrect/horse-battery",
  ])
  func aTokenIsCutOutInWhateverForm(_ form: String) throws {
    let server = try Self.server("PARLEY_TEST_REDACTION", "correct/horse-battery")
    let head = HTTPHead(status: 400, headers: ["content-type": "text/plain"])
    let told = [
      server.refused(head, Array("the key \(form) is not known".utf8), hasLeft: true),
      server.refused(
        HTTPHead(status: 400), Array(#"{"error":{"message":"the key \#(form) is not known"}}"#.utf8), hasLeft: true),
      server.failed("the key \(form) is not known"),
      server.noStream(HTTPHead(status: 200), ["error": .string("the key \(form) is not known")]),
    ]
    for end in told {
      #expect(end.words.contains("the key (the token) is not known"), "\(end.words)")
    }
  }

  /// Three ways in which it may lie in a Base64 text; what is beside it stays.
  @Test(arguments: ["", "u:", "me:", "user:"], ["", ":x", "\n"])
  func aTokenIsCutOutOfBase64(_ before: String, _ after: String) throws {
    let server = try Self.server("PARLEY_TEST_REDACTION", "correct/horse-battery")
    for urlSafe in [false, true] {
      var text = Data((before + "correct/horse-battery" + after).utf8).base64EncodedString()
      if urlSafe { text = text.replacing("+", with: "-").replacing("/", with: "_") }
      let words = server.failed("Authorization: Basic \(text) is not known").words
      let rest = words.split(separator: "Basic ").last.map { $0.replacing("(the token)", with: "").count } ?? 99
      #expect(words.contains("(the token)") && rest <= " is not known".count + 16, "\(text): \(words)")
    }
  }

  @Test func aTokenInTheAddressOfARedirectIsCutOut() throws {
    let server = try Self.server("PARLEY_TEST_REDACTION", "correct/horse-battery")
    let head = HTTPHead(status: 302, headers: ["location": "https://correct-horse-battery.login.example/x"])
    #expect(server.refused(head, [], hasLeft: true).words.contains("to correct-(the token).login.example ("))
  }

  @Test func eachCookieIsASecretOfItsOwn() throws {
    let server = try Self.server("PARLEY_TEST_COOKIE", "theme=dark; session=kangaroo/pouch%3D", as: .cookie)
    for form in ["kangaroo/pouch%3D", "kangaroo/pouch=", "kangaroo%2Fpouch%253D"] {
      let words = server.failed("The session \(form) of the dark theme expired").words
      #expect(words.hasSuffix("The session (the token) of the dark theme expired"), "\(words)")
    }
  }

  /// Eight bytes in a row are no chance, wherever they stand and however they are escaped; seven may be.
  @Test(arguments: [
    ("horse-ba", "(the token)"), ("orse-ba", "orse-ba"), ("no", "no"), ("", ""), ("a horse-ba", "a (the token)"),
    ("horse-ba!", "(the token)!"), ("horse-ba and rect/hor", "(the token) and (the token)"),
    ("correct%2F", "(the token)"), (#"correct\u002f"#, "(the token)"), (#"correct\/"#, "(the token)"),
    ("correct%2", "correct%2"), (#"correct\u002"#, #"correct\u002"#), (#"correct\"#, #"correct\"#),
    (#"horse-ba\"#, #"(the token)\"#), ("horse-ba%", "(the token)%"),
  ])
  func aPieceOfATokenIsASecret(_ words: String, _ shown: String) {
    #expect(TokenRedaction(Array("correct/horse-battery".utf8), isCookie: false)(words) == shown)
  }

  /// A value of five bytes is the name of a theme, or the like.
  @Test(arguments: [
    ("id=abcdef", "abcdef", true), ("theme=light; id=abcdefgh", "light", false),
    ("theme=light; id=abcdef", "abcdef", true), ("theme=light; abcdef", "abcdef", true),
    ("theme=light", "theme=light", true),
  ])
  func whatACookieHasMayBeASecret(_ cookie: String, _ word: String, _ isSecret: Bool) {
    let shown = TokenRedaction(Array(cookie.utf8), isCookie: true)("It is \(word).")
    #expect(shown == (isSecret ? "It is (the token)." : "It is \(word)."))
  }

  /// An answer may be about anything: only the whole of a token that is no word is hidden there, wherever its bytes are cut.
  @Test(arguments: [
    ("data: the correct/horse-battery!\n\n", "data: the (the token)!\n\n"),
    (#"data: "correct\/horse-battery""#, #"data: "(the token)""#), ("rect/horse-battery\r\n", "rect/horse-battery\r\n"),
    ("correct/\rhorse-battery", "correct/\rhorse-battery"), ("", ""),
  ])
  func anAnswerIsReadWithoutTheToken(_ answer: String, _ read: String) {
    for size in [1, 3, 7, 1_000] {
      var filter = TokenFilter(TokenRedaction(Array("correct/horse-battery".utf8), isCookie: false, extent: .whole))
      var rest = Array(answer.utf8)[...]
      var events: [HTTPEvent] = []
      while !rest.isEmpty {
        events += filter.take(.bytes(Array(rest.prefix(size))))
        rest = rest.dropFirst(size)
      }
      events += filter.take(.ended(.complete))
      #expect(events.last == .ended(.complete))
      let bytes = events.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [UInt8]() } }
      #expect(String(decoding: bytes, as: UTF8.self) == read, "in pieces of \(size)")
    }
  }

  /// Lines are read as they come, whichever sign ends them.
  @Test(arguments: ["\n", "\r"])
  func aLineIsReadOnceItHasEnded(_ end: String) {
    var filter = TokenFilter(TokenRedaction(Array("correct/horse-battery".utf8), isCookie: false, extent: .whole))
    #expect(filter.take(.bytes(Array("one".utf8))).isEmpty)
    #expect(filter.take(.bytes(Array("\(end)two".utf8))) == [.bytes(Array("one\(end)".utf8))])
    #expect(filter.take(.ended(.cancelled)) == [.bytes(Array("two".utf8)), .ended(.cancelled)])
  }

  @Test func aWordThatServesAsATokenStaysInAnswers() {
    let redaction = TokenRedaction(Array("development-key".utf8), isCookie: false, extent: .whole)
    #expect(redaction.redacted(Array("the development-key".utf8)) == nil)
    #expect(TokenRedaction(Array("development-key".utf8), isCookie: false)("the development-key") == "the (the token)")
  }

  @Test func whatIsNoSecretStays() throws {
    let server = try Self.server("PARLEY_TEST_REDACTION", "correct/horse-battery")
    #expect(server.failed("The horse-b is not a battery").words.hasSuffix("The horse-b is not a battery"))
  }
}
