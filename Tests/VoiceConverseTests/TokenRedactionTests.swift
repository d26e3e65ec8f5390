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

  /// Takes these tokens out.
  private static func redaction(_ tokens: String...) -> AnswerRedaction {
    var redaction = AnswerRedaction()
    for token in tokens { redaction.know(TokenRedaction(Array(token.utf8), isCookie: false, extent: .whole)) }
    return redaction
  }

  /// The texts that are told of these pieces, where the server has this token.
  private static func told(_ pieces: [String], between event: AgentEvent? = nil) -> [String] {
    var redaction = redaction("correct/horse-battery")
    var events: [VoiceEvent] = []
    for piece in pieces {
      events += redaction.take(.agentReported(run: 1, event: .text(delta: piece)))
      if let event { events += redaction.take(.agentReported(run: 1, event: event)) }
    }
    events += redaction.take(.agentReported(run: 1, event: .turnEnded(end: .completed)))
    #expect(events.last == .agentReported(run: 1, event: .turnEnded(end: .completed)))
    return events.compactMap { if case .agentReported(_, .text(let text)) = $0 { text } else { nil } }
  }

  private static func pieces(of text: String, _ size: Int) -> [String] {
    var rest = text[...]
    var pieces: [String] = []
    while !rest.isEmpty {
      pieces.append(String(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return pieces
  }

  /// An answer may be about anything: only the whole of a token that is no word is hidden there, wherever it is cut and however it is
  /// escaped, and most of one behind which no more comes. Of one in pieces the first letters may be told before.
  @Test(arguments: [
    ("the correct/horse-battery!", "the (the token)!"), ("rect/horse-battery", "rect/horse-battery"),
    ("correct/correct/horse-battery", "correct/(the token)"), ("correct/horse-batter", "(the token)"),
    ("correct/horse-b", "correct/horse-b"), ("", ""),
    ("it is c\u{e9}correct/horse-battery", "it is c\u{e9}(the token)"), ("cccccc", "cccccc"),
    ("a=correct%2Fhorse-battery&b", "a=(the token)&b"),
    (#""correct\/horse-battery""#, #""(the token)""#),
    (#"\u0063orrect\u002fhorse-battery\n"#, #"(the token)\n"#),
    (#"100% correct\horse"#, #"100% correct\horse"#),
    (#"correct%2Fhor%2"#, #"correct%2Fhor%2"#), ("correct/horse-batterycorrect/horse-battery", "(the token)"),
  ])
  func anAnswerIsToldWithoutTheToken(_ answer: String, _ told: String) {
    let between: [AgentEvent?] = [nil, .status(text: "busy"), .thought(delta: "Hm.")]
    for (size, event) in [1, 2, 3, 7, 1_000].flatMap({ size in between.map { (size, $0) } }) {
      let words = Self.told(Self.pieces(of: answer, size), between: event).joined()
      // Of the two in a row, the second is one of its own where they come in pieces.
      let once = words.replacing(#/([corect\\%u063]{1,7}\(the token\)|\(the token\))+/#) { _ in "(the token)" }
      #expect(once == told, "in pieces of \(size), between them \(event as Any): \(words)")
      if size == 1_000 { #expect(words == told) }
    }
  }

  /// What nobody sees may part it, and colour an answer: where that is shown, the token would be read.
  @Test(arguments: [
    "\u{200B}", "\u{AD}", "\u{E0041}", "\u{1B}[1m", "\u{1B}[01;31m\u{1B}[K", "\u{1B}]8;;http://a.example\u{7}",
    #"\u200b"#,
  ])
  func whatIsNotSeenDoesNotHideTheToken(_ hidden: String) {
    let parted = Self.pieces(of: "correct/horse-battery", 4).joined(separator: hidden)
    let redaction = TokenRedaction(Array("correct/horse-battery".utf8), isCookie: false)
    #expect(redaction("the key \(parted) is bad") == "the key (the token) is bad")
    for size in [1, 2, 3, 5, 8, 20, 1_000] {
      let told = Self.told(Self.scalars(of: "the \(parted), all of \u{1B}[1mit\u{1B}[0m.", size)).joined()
      #expect(told.contains("(the token)") && !told.contains("battery") && !told.contains("tery"), "\(size): \(told)")
      #expect(told.hasSuffix(", all of \u{1B}[1mit\u{1B}[0m."), "\(size): \(told)")
      let seen = told.withoutTerminalSequences.withoutHiddenSigns.replacing(hidden, with: "")
      #expect(!seen.contains("correct/"), "\(size): \(told)")
    }
  }

  /// Pieces of so many signs, which may be less than what is seen as one letter.
  private static func scalars(of text: String, _ size: Int) -> [String] {
    let all = Array(text.unicodeScalars)
    return stride(from: 0, to: all.count, by: size).map { start in
      String(String.UnicodeScalarView(all[start..<min(start + size, all.count)]))
    }
  }

  /// What nobody sees is kept no longer than it is wanted, however much of it comes.
  @Test(.timeLimit(.minutes(1))) func aFloodOfWhatIsNotSeenHidesNothing() {
    let flood = String(repeating: "\u{200B}", count: 1_000)
    let flooded = Self.pieces(of: "correct/horse-battery", 1).flatMap { [$0] + [String](repeating: flood, count: 8) }
    let told = Self.told(flooded).joined().withoutHiddenSigns
    #expect(told == "correct(the token)")
  }

  /// What is not to be told is not told in two pieces with a tool in between, either.
  @Test func aTokenWithAToolInItIsTwo() {
    let tool = AgentEvent.toolStarted(tool: AgentTool(id: "t", title: "ls", kind: "execute"))
    #expect(Self.told(["the correct/horse-bat", "tery!"], between: tool) == ["the ", "(the token)", "(the token)!"])
    #expect(Self.told(["the correct/hor", "ses."], between: tool) == ["the ", "correct/hor", "ses."])
  }

  /// No more than the beginning of the token has to wait, which no other text has.
  @Test func onlyWhatMayBeTheTokenWaits() {
    #expect(Self.told(["I see", " a cor", "al", "", " reef"]) == ["I see", " a cor", "al", " reef"])
    #expect(Self.told(["a correct/ho", "use"]) == ["a ", "correct/house"])
  }

  /// A file may have had another before.
  @Test func everyTokenThatWasSentIsKnown() {
    var redaction = Self.redaction("correct/horse-battery", "another/horse-battery")
    let words = "correct/horse-battery, another/horse-battery"
    let told = redaction.take(.agentReported(run: 1, event: .status(text: words)))
    #expect(told == [.agentReported(run: 1, event: .status(text: "(the token), (the token)"))])
    #expect(redaction.redacted(Array("a correct/horse-battery".utf8)) == Array("a (the token)".utf8))
  }

  /// Of a part of a token nobody can tell any more what it was.
  @Test func wordsAreCutOnceTheTokenIsOutOfThem() {
    var turn = HTTPTurn(TokenRedaction(Array("correct/horse-battery".utf8), isCookie: false, extent: .whole))
    let long = String(repeating: "a", count: ConverseLimits.titleCharacters - 15)
    turn.tool("1", ["kind": "execute", "title": .string("\(long) correct/horse-battery")])
    turn.tool("2", ["kind": "read", "rawInput": ["path": "/tmp/correct/horse-battery"]])
    turn.toolFinished("1", .completed, output: .string(String(repeating: "correct/horse-battery ", count: 500)))
    turn.take(["text": "correct/horse-battery"]) { [.status(text: $0["text"]?.string ?? "")] + $1.endParagraph() }
    turn.status(String(repeating: "a", count: ConverseLimits.reasonCharacters - 15) + " correct/horse-battery")
    let told = "\(turn.takeSteps())"
    #expect(told.contains("(the token)") && !told.contains("horse"), "\(told)")
  }

  /// Whatever else a server names: the titles of its tools, its reasons.
  @Test func aTokenInOtherWordsIsCutOutAsWell() {
    var redaction = AnswerRedaction()
    let status = VoiceEvent.agentReported(run: 1, event: .status(text: "with correct/horse-battery"))
    #expect(redaction.take(status) == [status])
    redaction = Self.redaction("correct/horse-battery")
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
