import Testing
import VoiceCore
import VoiceLanguage
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private func scrub(_ text: String, _ secrets: [String] = []) -> String {
  String(decoding: Scrubber(secrets).scrubbed(Array(text.utf8)[...]) ?? Array(text.utf8), as: UTF8.self)
}

private func scrubJSON(_ text: String, _ secrets: [String] = []) -> String {
  String(decoding: Scrubber(secrets).scrubbed(json: Array(text.utf8)) ?? Array(text.utf8), as: UTF8.self)
}

@Test(arguments: [
  ("the key is made-up-key-1, twice: made-up-key-1", "the key is (secret), twice: (secret)"),
  ("Authorization: Bearer abc.DEF-123_x and more", "Authorization: Bearer (secret) and more"),
  ("use sk-0123456789abcdefghij now", "use (secret) now"),
  ("export GITHUB_TOKEN=ghp_0123456789abcdefghij", "export GITHUB_TOKEN=(secret)"),
  ("a task-runner is no key, nor is sk-short", "a task-runner is no key, nor is sk-short"),
  ("bearer of bad news", "bearer of bad news"),
  ("", ""),
])
func aSecretIsTakenOut(_ text: String, _ expected: String) {
  #expect(scrub(text, ["made-up-key-1"]) == expected)
}

@Test func aLineStaysJSONWhateverTheSecretIs() throws {
  let line = #"{"sequence":1,"event":{"text":"the sequence is sequence"},"time":12345678}"#
  let scrubbed = scrubJSON(line, ["sequence", "12345678"])
  #expect(scrubbed == #"{"sequence":1,"event":{"text":"the (secret) is (secret)"},"time":12345678}"#)
  let quoted = #"{"a":"say \"pass\\word\" now"}"#
  #expect(scrubJSON(quoted, [#""pass\word""#]) == #"{"a":"say (secret) now"}"#)
}

/// At the beginning of a line, behind a tab, a control or a colour, in JSON and in JSON within JSON.
@Test(arguments: [
  "", "x ", "x\n", "x\r\n", "x\t", "x\u{8}\u{C}", "x\u{1}", "x\u{7F}", "x\u{9B}", "x\u{202E}", "\u{1B}[1;32m",
  "\u{1B}[01;31m\u{1B}[K", "\u{9B}32m", "=",
])
func aTokenIsFoundWhateverStandsBeforeIt(_ before: String) throws {
  for token in ["ghp_0123456789abcdefghij", "Bearer 0123456789abcdef"] {
    let text = before + token
    #expect(!scrub(text).contains("0123456789"), "\(text)")
    var line = text
    for _ in 1...3 {
      line = String(decoding: try JSONEncoder().encode(["a": line]), as: UTF8.self)
      #expect(!scrubJSON(line).contains("0123456789"), "\(line)")
    }
    let step = VoiceStep(sequence: 0, time: .zero, event: .commandGiven(command: .say(text: text)), actions: [])
    let logged = String(decoding: LogCodec().encode(LogLine(step: step)), as: UTF8.self)
    #expect(!scrubJSON(logged).contains("0123456789"), "\(logged)")
  }
}

/// Part of a longer word is something else.
@Test(arguments: ["x", "12", "_", "u0001", "[xm", "m", "[a"]) func aWordThatEndsLikeATokenStays(_ before: String) {
  #expect(scrub(before + "ghp_0123456789abcdefghij") == before + "ghp_0123456789abcdefghij")
}

/// What a server echoes of a header, and what a command makes of a token.
@Test(arguments: ["", "x:", "me:", "user:"], ["", ":x", "\n"])
func aSecretIsTakenOutOfBase64(_ before: String, _ after: String) {
  let secret = "made-up/key?>~-\(String(repeating: "long-", count: 20))"
  for (escaped, isWrapped) in [(false, false), (true, false), (false, true)] {
    var text = Data((before + secret + after).utf8).base64EncodedString()
    if escaped { text = text.replacing("+", with: "%2B").replacing("/", with: "%2f").replacing("=", with: "%3D") }
    if isWrapped { text.insert("\n", at: text.index(text.startIndex, offsetBy: 76)) }
    let scrubbed = scrub("the text is \(text) here", [secret])
    #expect(scrubbed.contains("(secret)") && scrubbed.utf8.count < 50, "\(text): \(scrubbed)")
    let line = #"{"a":"the text is \#(text.replacing("\n", with: #"\n"#))"}"#
    let json = scrubJSON(line, [secret])
    #expect(json.contains("(secret)") && json.utf8.count < 60, "\(line): \(json)")
  }
}

@Test(arguments: ["made-up%2Fkey%3F1", "made%2dup%2fkey%3f1", "%6d%61de-up/key?1"])
func aSecretIsTakenOutOfAnAddress(_ text: String) {
  #expect(scrub("?token=\(text)&x=1", ["made-up/key?1"]) == "?token=(secret)&x=1")
}

/// As programs of others write a text in JSON, on a page and for a shell, at whatever depth.
@Test(arguments: [
  #"made\u002dup\u0026key+1"#, #"made-up\\u0026key\\u002B1"#, #"made-up\\\\u0026key+1"#, #"\u006dade-up&key\u002b1"#,
  #"made-up&amp;key&#43;1"#, #"made-up\&key\+1"#, #"made-up%26key\u002b1"#,
])
func aSecretIsTakenOutHoweverItIsEscaped(_ text: String) {
  let secret = "made-up&key+1"
  #expect(scrub("it is \(text)x", [secret]) == "it is (secret)x")
  #expect(scrubJSON(#"{"a":"it is \#(text)x"}"#, [secret]) == #"{"a":"it is (secret)x"}"#)
  #expect(scrub(#"no \n\u00e9\t&amp;amp; secret"#, [secret]) == #"no \n\u00e9\t&amp;amp; secret"#)
}

/// What is said aloud is the same words in another writing.
@Test(arguments: ["tr0ub4dor&3-battery", "hunter2hunter2!", "Zq8+vT4/kLm2Np6=Rs9wXy"])
func aSecretIsTakenOutOfWhatIsSpoken(_ secret: String) {
  let scrubber = Scrubber([secret], worded: SpokenWording.of)
  let spoken = SpokenWording.of("The password is \(secret) as configured.")
  let scrubbed = scrubber.scrubbed(Array(spoken.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
  #expect(scrubbed == "The password is (secret) as configured.", "\(spoken)")
}

/// Of an address or a path, what is spoken may be a name that anybody says.
@Test(arguments: [
  "https://example.com/", "/home/me/keys/service-account.json", "~/keys/service account", "./deploy/database-auth.yaml",
])
func aNameThatIsSpokenStays(_ value: String) {
  let scrubber = Scrubber([value], worded: SpokenWording.of)
  #expect(scrubber.scrubbed(Array(SpokenWording.of(value).utf8)[...]) == nil)
}

/// Whatever is looked for behind a backslash, each of a long run is looked at once.
@Test func aRunOfBackslashesIsNoSearchForEach() {
  let run = String(repeating: "\\", count: 200_000)
  #expect(scrub(run + "made-up-key", ["made-up-key"]) == run + "(secret)")
}

/// Whoever they are of.
@Test func aUserWithAPasswordIsTakenOut() {
  #expect(scrub("Authorization: Basic dXNlcjpwYXNz and more") == "Authorization: Basic (secret) and more")
  #expect(scrub("basic instructions, Basic understanding") == "basic instructions, Basic understanding")
}

/// A text may be cut anywhere: in a secret, in what stands for one of its bytes, in a line end.
@Test(arguments: ["", "\\", "\\n", "\n", "\r\n", "%", "%2", "%2F"]) func aTextMayEndInTheMiddleOfASecret(_ end: String)
{
  let secret = "made-up/key?>~-long"
  for beginning in ["", "made-up", String(Data(secret.utf8).base64EncodedString().prefix(10))] {
    let text = "the text is \(beginning)\(end)"
    #expect(scrub(text, [secret]) == text)
  }
  #expect(scrub("it is made-up%2Fkey%3F%3e~-long" + end, [secret]) == "it is (secret)" + end)
}

/// Base64 goes over several lines; nothing else may stand in it.
@Test(arguments: [
  ("\n", true), ("\r\n", true), (#"\n"#, true), (#"\r\n"#, true), (#"\t"#, false), (#"\"#, false), (" ", false),
  ("-", false),
])
func aSecretInBase64IsPartedByLineEndsAlone(_ between: String, _ isSecret: Bool) {
  let secret = "made-up/key?>~-long"
  var code = Data(secret.utf8).base64EncodedString()
  code.insert(contentsOf: between, at: code.index(code.startIndex, offsetBy: 8))
  #expect(scrub("it is \(code) here", [secret]).contains("(secret)") == isSecret)
}

@Test func whatIsTooShortToBeASecretStays() { #expect(scrub("true is true", ["true"]) == "true is true") }

@Test func secretsAreFoundByTheNamesOfTheirVariables() {
  let scrubber = Scrubber(
    secretVariables: ["LIVE_KEY"], others: ["NODE_ENV", "MY_TOKEN", "NOT_SET", "SERVICE"],
    environment: [
      "LIVE_KEY": " made-up-live ", "NODE_ENV": "production", "MY_TOKEN": "made-up-token",
      "SERVICE": "x-sk-0123456789abcdefghij",
    ])
  let text = Array("made-up-live production made-up-token".utf8)
  #expect(scrubber.scrubbed(text[...]) == Array("(secret) production (secret)".utf8))
}

@Test func aLogThatLostASecretIsReadAndClaimsNoState() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/events.jsonl"
  var writer = try LogWriter(path, scrubber: Scrubber(["made-up-key"]))
  let state = InteractionController().digest
  for (index, text) in ["before", "use made-up-key here", "after"].enumerated() {
    try writer.append(
      VoiceStep(
        sequence: index, time: .zero, event: .commandGiven(command: .say(text: text)),
        actions: [.show(notice: .heard(text: text))], state: state))
  }
  let reader = try LogReader(path)
  #expect(reader.damage == nil)
  #expect(reader.lines.map(\.step.state) == [state, nil, nil])
  #expect(reader.lines[1].step.event == .commandGiven(command: .say(text: "use (secret) here")))
  #expect(try !String(contentsOf: URL(filePath: path), encoding: .utf8).contains("made-up-key"))
}

@Test func theWireIsRecordedWithoutSoundAndSecrets() throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/live.jsonl"
  let thread = WriteBehind()
  let recorder = try WireRecorder(
    path, scrubber: Scrubber(["made-up-key"]), thread: thread, now: { .milliseconds(7) }, post: { _ in })
  let tap = recorder.tap("listener").connection(2)
  let sound = String(repeating: "AAAA", count: 160)
  tap(.sent(Array(#"{"setup":{"sessionResumption":{"handle":"abc"},"note":"made-up-key"}}"#.utf8)))
  for index in 0..<50 { tap(.sentSound(position: index * 320, count: 320)) }
  for _ in 0..<2 { tap(.received(Array(#"{"data":"\#(sound)"}"#.utf8))) }
  tap(.received([0xFF, 0x22]))
  thread.finish {}
  let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n").map(String.init)
  #expect(
    lines == [
      #"{"time":7000,"wire":"listener 2","sent":"{\"setup\":{\"sessionResumption\":{\"handle\":\"(secret)\"},\"note\":\"(secret)\"}}"}"#,
      #"{"time":7000,"wire":"listener 2","sound":{"position":0,"samples":16000}}"#,
      #"{"time":7000,"wire":"listener 2","received":"{\"data\":\"(samples 0..<240)\"}"}"#,
      #"{"time":7000,"wire":"listener 2","received":"{\"data\":\"(samples 240..<480)\"}"}"#,
      #"{"time":7000,"wire":"listener 2","received":"\#u{FFFD}\""}"#,
    ])
  for line in lines { _ = try JSONDecoder().decode(WireLine.self, from: Data(line.utf8)) }
}

private struct WireLine: Decodable {
  let time: Int
  let wire: String
}

/// Base64 ends with signs that stand for no byte.
@Test(arguments: [("", 240), ("=", 239), ("==", 239)])
func soundOfAnyLengthHasItsPlace(_ padding: String, _ samples: Int) throws {
  let folder = try TemporaryFolder()
  let thread = WriteBehind()
  let recorder = try WireRecorder(
    folder.path + "/live.jsonl", scrubber: Scrubber(), thread: thread, now: { .zero }, post: { _ in })
  let sound = String(repeating: "A", count: 640 - padding.count) + padding
  for _ in 0..<2 { recorder.tap("wire")(.received(Array(#"{"data":"\#(sound)"}"#.utf8))) }
  thread.finish {}
  let text = try String(contentsOf: URL(filePath: folder.path + "/live.jsonl"), encoding: .utf8)
  #expect(text.contains("(samples 0..<\(samples))") && text.contains("(samples \(samples)..<\(2 * samples))"))
}

/// A shorter text of letters and digits may be words.
@Test(arguments: [(255, false), (256, true)])
func aLongTextOfNothingButBase64IsSound(_ count: Int, _ isSound: Bool) throws {
  let folder = try TemporaryFolder()
  let thread = WriteBehind()
  let path = folder.path + "/live.jsonl"
  let recorder = try WireRecorder(path, scrubber: Scrubber(), thread: thread, now: { .zero }, post: { _ in })
  let data = String(repeating: "A", count: count)
  recorder.tap("wire")(.received(Array(#"{"data":"\#(data)"}"#.utf8)))
  thread.finish {}
  let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
  #expect(text.contains("(samples 0..<96)") == isSound && text.contains(data) == !isSound)
}

@Test(arguments: [
  ("Bearer abcdefgh now", "Bearer (secret) now"), ("Bearer abcdefg now", "Bearer abcdefg now"),
  ("sk-abcdefghijklm", "(secret)"), ("sk-abcdefghijkl", "sk-abcdefghijkl"),
  ("task-abcdefghijklm", "task-abcdefghijklm"),
  ("key=sk-abcdefghijklm", "key=(secret)"),
])
func whatIsLongEnoughForASecretIsTakenOut(_ text: String, _ expected: String) {
  let scrubbed = Scrubber().scrubbed(Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
  #expect(scrubbed ?? text == expected)
}

/// What went over it is in the file soon, though nothing comes after it and nobody ends the session.
@Test(.timeLimit(.minutes(5))) func asSoonAsSomethingGoesOverTheWireItWillBeWritten() async throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/agent.jsonl"
  let thread = WriteBehind()
  let recorder = try WireRecorder(path, scrubber: Scrubber(), thread: thread, now: { .zero }, post: { _ in })
  let written = Journal<Bool>()
  thread.add { written.append(true) }
  for word in ["once", "again"] {
    recorder.tap("agent")(.received(Array(word.utf8)))
    _ = try await written.next { $0 }
    #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8).contains(word))
  }
}

/// A wire that outruns the disk is bounded.
@Test(arguments: [1, 2, 3])
func eachMessageThatIsMissingIsCounted(_ missing: Int) throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/agent.jsonl"
  let thread = WriteBehind()
  let recorder = try WireRecorder(path, scrubber: Scrubber(), thread: thread, now: { .zero }, post: { _ in })
  let tap = recorder.tap("agent")
  let message = [UInt8](repeating: UInt8(ascii: "x"), count: Limits.waitingWireBytes / 2)
  for _ in 0...missing { tap(.received(message)) }
  thread.finish {}
  #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8).contains("{\"dropped\":\(missing)}"))
}

@Test func aWireOfWhichNothingIsMissingSaysNothingOfIt() throws {
  let folder = try TemporaryFolder()
  let thread = WriteBehind()
  let recorder = try WireRecorder(
    folder.path + "/agent.jsonl", scrubber: Scrubber(), thread: thread, now: { .zero }, post: { _ in })
  recorder.tap("agent")(.received(Array("{}".utf8)))
  thread.finish {}
  #expect(try !String(contentsOf: URL(filePath: folder.path + "/agent.jsonl"), encoding: .utf8).contains("dropped"))
}

@Test(arguments: [(0, false), (1, true)]) func aMessageMayFillAllThatMayWait(_ more: Int, _ isMissing: Bool) throws {
  let folder = try TemporaryFolder()
  let path = folder.path + "/agent.jsonl"
  let thread = WriteBehind()
  let recorder = try WireRecorder(path, scrubber: Scrubber(), thread: thread, now: { .zero }, post: { _ in })
  let length = Limits.waitingWireBytes - WireFrame.received([]).count + more
  recorder.tap("agent")(.received([UInt8](repeating: UInt8(ascii: "x"), count: length)))
  thread.finish {}
  #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8).contains("dropped") == isMissing)
}
