import Foundation
import Testing
import VoiceFoundation
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceRecording

/// A secret that an agent tells a few letters at a time.
struct PieceScrubberTests {
  private static let token = "ghp_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
  private static let value = "a pass phrase"

  /// The text in pieces of so many letters.
  private static func pieces(_ text: String, of count: Int) -> [String] {
    stride(from: 0, to: text.count, by: count).map { String(text.dropFirst($0).prefix(count)) }
  }

  /// What is left of a text that comes in pieces.
  private static func written(_ text: String, of count: Int) -> String {
    var scrubber = PieceScrubber(Scrubber([value]))
    return pieces(text, of: count).map { piece in
      let members = #""event":{"delta":"\#(piece)"},"action":{"inputTextDelta":"\#(piece)"},"name":"\#(piece)""#
      let line = Array("{\(members)}".utf8)
      let left = String(decoding: scrubber.scrubbed(json: line) ?? line, as: UTF8.self)
      let deltas = left.components(separatedBy: #"elta":""#).dropFirst().map { $0.prefix { $0 != "\"" } }
      #expect(deltas.count == 2 && deltas[0] == deltas[1], "\(left)")
      return String(deltas.first ?? "")
    }.joined()
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13, 20, 100]) func atMostItsBeginningIsWritten(count: Int) {
    for (secret, most) in [(Self.token, 15 + count), (Self.value, 7)] {
      let text = Self.written("The key is \(secret), and that is all.", of: count)
      #expect(text.hasPrefix("The key is ") && text.contains("(secret)"), "\(text)")
      #expect(!text.contains(secret.prefix(most + 1)) && !text.contains(secret.suffix(4)), "\(text)")
      #expect(text.filter { ", and that is all.".contains($0) }.count >= 10, "\(text)")
    }
  }

  @Test(arguments: [1, 3, 7]) func whatIsNoneIsWritten(count: Int) {
    for text in [
      "A pass is no phrase. Say ghp_short, or sk-ip it; a pass", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa pass",
    ] {
      #expect(Self.written(text, of: count) == text)
    }
  }

  /// A token that an agent prints on a line of its own, and a secret that is longer than any other.
  @Test(arguments: [1, 4, 7]) func whatFollowsAnEscapeIsNoPartOfAWord(count: Int) {
    for escape in [#"\n"#, #"\t"#, #"\u001b[0m"#] {
      var scrubber = PieceScrubber(Scrubber())
      let written = (["It is:" + escape] + Self.pieces(Self.token, of: count)).map { piece in
        let line = Array(#"{"delta":"\#(piece)"}"#.utf8)
        return String(decoding: scrubber.scrubbed(json: line) ?? line, as: UTF8.self)
      }.joined().replacing(#"{"delta":""#, with: "").replacing(#""}"#, with: "")
      #expect(!written.contains(Self.token.prefix(16 + count)) && !written.contains(Self.token.suffix(4)), "\(written)")
    }
  }

  @Test func aLongSecretIsTakenOutToItsEnd() {
    let value = (0..<200).map { "line \($0) of it" }.joined(separator: ", ")
    let token = "eyJ" + String(repeating: "aB3.", count: 500)
    for secret in [value, token] {
      var scrubber = PieceScrubber(Scrubber([value]))
      let written = Self.pieces(secret, of: 20).map { piece in
        let line = Array(#"{"delta":"\#(piece)"}"#.utf8)
        return String(decoding: scrubber.scrubbed(json: line) ?? line, as: UTF8.self)
      }
      #expect(written.dropFirst().allSatisfy { $0 == #"{"delta":"(secret)"}"# }, "\(written)")
    }
  }

  /// Several events of a stream in one read, a thought or another transcript between two pieces, and a token of which two thirds are one.
  @Test func nothingOnTheWireHidesASecret() throws {
    let folder = try TemporaryFolder()
    let thread = WriteBehind()
    let recorder = try WireRecorder(
      folder.path + "/wire.jsonl", scrubber: Scrubber(["abcdefghijklmnop"]), thread: thread, now: { .zero },
      post: { _ in })
    func update(_ kind: String, _ text: String) -> String {
      #"{"method":"session/update","params":{"update":{"sessionUpdate":"\#(kind)","content":{"type":"text","text":"\#(text)"}}}}"#
    }
    for piece in Self.pieces("abcdefghijklmnop", of: 4) {
      recorder.tap("agent")(.received(Array(update("agent_message_chunk", piece).utf8)))
      recorder.tap("agent")(.received(Array(update("agent_thought_chunk", "Hm.").utf8)))
      for name in ["inputTranscription", "outputTranscription"] {
        let text = name.hasPrefix("i") ? piece : "So."
        recorder.tap("live")(.received(Array(#"{"serverContent":{"\#(name)":{"text":"\#(text)"}}}"#.utf8)))
      }
    }
    for piece in ["The key is \(Self.token.prefix(19))", String(Self.token.dropFirst(19))] {
      recorder.tap("other")(.received(Array(#"{"delta":"\#(piece)"}"#.utf8)))
    }
    thread.finish {}
    let wire = try String(contentsOf: URL(filePath: folder.path + "/wire.jsonl"), encoding: .utf8)
    for rest in ["ijkl", "mnop", "6789"] { #expect(!wire.contains(rest), "\(rest): \(wire)") }
    #expect(wire.contains("Hm.") && wire.contains("So.") && wire.contains("The key is "))
  }

  /// What closed connections brought is forgotten, what an open one brings is not.
  @Test func aSecretInPiecesIsTakenOutHoweverManyConnectionsComeAndGo() throws {
    let folder = try TemporaryFolder()
    let thread = WriteBehind()
    let recorder = try WireRecorder(
      folder.path + "/wire.jsonl", scrubber: Scrubber(), thread: thread, now: { .zero }, post: { _ in })
    for (number, piece) in Self.pieces(Self.token, of: 4).enumerated() {
      recorder.tap("agent")(.received(Array(#"{"delta":"\#(piece)"}"#.utf8)))
      for connection in 0..<10 {
        recorder.tap("listener").connection(number * 10 + connection)(.received(Array(#"{"delta":"So."}"#.utf8)))
      }
    }
    thread.finish {}
    let wire = try String(contentsOf: URL(filePath: folder.path + "/wire.jsonl"), encoding: .utf8)
    for rest in Self.pieces(Self.token, of: 4).dropFirst(5) { #expect(!wire.contains(rest), "\(rest): \(wire)") }
    #expect(wire.contains("\"listener 99\""))
  }

  /// In the log and on the wire.
  @Test func noFileOfASessionHoldsIt() throws {
    var lines = ScrubbedLines(Scrubber([Self.value]))
    let folder = try TemporaryFolder()
    let thread = WriteBehind()
    let recorder = try WireRecorder(
      folder.path + "/agent.jsonl", scrubber: Scrubber([Self.value]), thread: thread, now: { .zero }, post: { _ in })
    var log = ""
    for (number, piece) in Self.pieces("It is \(Self.token). It is \(Self.value).", of: 6).enumerated() {
      let step = VoiceStep(
        sequence: number, time: .zero, event: .agentReported(run: RunID(rawValue: 1), event: .text(delta: piece)),
        actions: [.show(notice: .agentText(delta: piece))])
      log += String(decoding: lines.encode(LogLine(step: step)), as: UTF8.self)
      let thought = VoiceStep(
        sequence: number, time: .zero,
        event: .agentReported(run: RunID(rawValue: 1), event: .thought(delta: "Hm.")), actions: [])
      log += String(decoding: lines.encode(LogLine(step: thought)), as: UTF8.self)
      recorder.tap("agent")(.received(Array(#"{"content":{"type":"text","text":"\#(piece)"}}"#.utf8)))
    }
    thread.finish {}
    let wire = try String(contentsOf: URL(filePath: folder.path + "/agent.jsonl"), encoding: .utf8)
    for text in [log, wire] {
      #expect(text.contains("ghp_") && text.contains("(secret)"))
      for piece in Self.pieces(String(Self.token.dropFirst(18)), of: 6).dropLast() {
        #expect(!text.contains(piece), "\(piece)")
      }
      #expect(!text.contains("phrase"))
    }
  }
}
