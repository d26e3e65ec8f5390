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

  /// The texts that are told of these pieces, where the server has this token.
  private static func told(_ pieces: [String], between event: AgentEvent? = nil) throws -> [String] {
    setenv("PARLEY_TEST_PIECES", "correct/horse-battery", 1)
    var redaction = AnswerRedaction()
    redaction.know(try HTTPCredential(.variable("PARLEY_TEST_PIECES")).line())
    var events: [VoiceEvent] = []
    for piece in pieces {
      events += redaction.take(.agentReported(run: 1, event: .text(delta: piece)))
      if let event { events += redaction.take(.agentReported(run: 1, event: event)) }
    }
    events += redaction.take(.agentReported(run: 1, event: .turnEnded(end: .completed)))
    #expect(events.last == .agentReported(run: 1, event: .turnEnded(end: .completed)))
    return events.compactMap { if case .agentReported(_, .text(let text)) = $0 { text } else { nil } }
  }

  /// An answer may be about anything: only the whole of a token that is no word is hidden there, wherever it is cut.
  @Test(arguments: [
    ("the correct/horse-battery!", "the (the token)!"), ("rect/horse-battery", "rect/horse-battery"),
    ("correct/correct/horse-battery", "correct/(the token)"), ("correct/horse-batter", "correct/horse-batter"),
    ("it is c\u{e9}correct/horse-battery", "it is c\u{e9}(the token)"), ("", ""), ("cccccc", "cccccc"),
  ])
  func anAnswerIsToldWithoutTheToken(_ answer: String, _ told: String) throws {
    for size in [1, 2, 3, 7, 1_000] {
      var rest = answer[...]
      var pieces: [String] = []
      while !rest.isEmpty {
        pieces.append(String(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(try Self.told(pieces).joined() == told, "in pieces of \(size)")
      #expect(try Self.told(pieces, between: .status(text: "busy")).joined() == told, "in pieces of \(size), busy")
    }
  }

  /// What cannot be the beginning of the token is told at once.
  @Test func onlyWhatMayBeTheTokenWaits() throws {
    #expect(try Self.told(["I see", " a cor", "al", "", " reef"]) == ["I see", " a ", "coral", " reef"])
  }

  /// Whatever else a server names: the titles of its tools, its reasons.
  @Test func aTokenInOtherWordsIsCutOutAsWell() throws {
    setenv("PARLEY_TEST_PIECES", "correct/horse-battery", 1)
    var redaction = AnswerRedaction()
    let status = VoiceEvent.agentReported(run: 1, event: .status(text: "with correct/horse-battery"))
    #expect(redaction.take(status) == [status])
    redaction.know(try HTTPCredential(.variable("PARLEY_TEST_PIECES")).line())
    #expect(redaction.take(status) == [.agentReported(run: 1, event: .status(text: "with (the token)"))])
    func failed(_ reason: String) -> VoiceEvent {
      .agentReported(run: 1, event: .turnEnded(end: .failed(reason: reason)))
    }
    #expect(redaction.take(failed("no correct/horse-battery")) == [failed("no (the token)")])
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
