import Testing
import VoiceConverse
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The answer of every server is cut wherever it can be, over real sockets: the instruction is sent at most once, and the run ends as
/// done, failed or unconfirmed just as the server's own log has it.
///
/// A sample of the places, unless the environment has `PARLEY_EVERY_BYTE`.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct CutAnswerTests {
  /// What the server makes of the instruction, which begins with this word.
  enum Word: String, CaseIterable {
    case hello
    /// The agent fails, as it says in its stream.
    case broken
    /// The server does not take it.
    case refused = "429"
  }

  /// One run, and what came of it.
  private struct Cut {
    let text: String
    let place: Int
    let wasCut: Bool
    let end: AgentTurnEnd?
    let said: String
  }

  private static let sample = 36

  @Test(arguments: HTTPKind.allCases) func noCutMakesTheEndUntrue(_ kind: HTTPKind) async throws {
    var (runs, done, failed, unconfirmed) = (0, 0, 0, 0)
    // opcode takes whatever comes.
    for word in Word.allCases where word != .refused || kind != .opcode {
      let cuts = try await Self.cuts(kind, word)
      for cut in cuts.found {
        if let wrong = Self.wrong(cut, word, received: cuts.received[cut.text] ?? 0) {
          Issue.record("\(kind.rawValue), “\(cut.text)” cut after \(cut.place) bytes: \(wrong)")
        }
        runs += 1
        switch cut.end {
        case .completed?: done += 1
        case .failed?: failed += 1
        default: unconfirmed += 1
        }
      }
    }
    print("cuts: \(kind.rawValue), \(runs) runs: \(done) done, \(failed) failed, \(unconfirmed) unconfirmed")
  }

  /// Every run of one instruction, and how often the server had each.
  private static func cuts(_ kind: HTTPKind, _ word: Word) async throws -> (found: [Cut], received: [String: Int]) {
    let results = VoiceTesting.Journal<Cut>()
    let counts = VoiceTesting.Journal<[String: Int]>()
    try await HTTPTestServer.run { server in
      let whole = try await run(kind, "\(word.rawValue) 0000", server, limit: .max, .closed)
      results.append(whole)
      let isEveryByte = ProcessInfo.processInfo.environment["PARLEY_EVERY_BYTE"] != nil
      let step = isEveryByte ? 1 : max(1, whole.place / sample)
      // Other places for each instruction, and for each way of breaking.
      for (index, place) in stride(from: (word.rawValue.count * 5) % step, to: whole.place, by: step).enumerated() {
        let text = "\(word.rawValue) \(String(10_001 + index).dropFirst())"
        results.append(try await run(kind, text, server, limit: place, index % 2 == 0 ? .closed : .reset))
      }
      let seen = server.seen.filter { ["POST", "SOCKET"].contains($0.method) && $0.path != "/api/v1/conversations" }
      var received: [String: Int] = [:]
      for body in seen.map({ String(decoding: $0.body.bytes, as: UTF8.self) }) {
        guard let place = body.firstRange(of: "\"\(word.rawValue) ") else { continue }
        received["\(word.rawValue) \(body[place.upperBound...].prefix(4))", default: 0] += 1
      }
      counts.append(received)
    }
    return (results.all, counts.all.first ?? [:])
  }

  private static func run(
    _ kind: HTTPKind, _ text: String, _ server: HTTPTestServer, limit: Int, _ form: CuttingProxy.Break
  ) async throws -> Cut {
    let port = try #require(server.base.split(separator: ":").last.flatMap { Int($0) })
    let proxy = CuttingProxy(to: port, limit: limit, form)
    defer { proxy.stop() }
    let end = VoiceTesting.Journal<(AgentTurnEnd?, String)>()
    let place = HTTPTestServer(base: "http://127.0.0.1:\(proxy.port)", folder: server.folder)
    try await kind.withAgent(place) { agent, journal in
      agent.startRun(1, Instruction(text))
      end.append((await journal.end(of: 1), journal.text(of: 1)))
    }
    let (last, said) = try #require(end.all.first)
    return Cut(text: text, place: proxy.passed, wasCut: proxy.wasCut, end: last, said: said)
  }

  /// What is untrue of an end; nil if nothing is.
  private static func wrong(_ cut: Cut, _ word: Word, received: Int) -> String? {
    if received > 1 { return "it was sent \(received) times" }
    switch cut.end {
    case .completed:
      if word != .hello || received == 0 { return "it is called done, and is not" }
      return cut.said == "You said: \(cut.text)." ? nil : "it is called done, and “\(cut.said)” is not all of it"
    case .failed(let reason):
      let isTold = word == .broken && reason.contains("fell over") || word == .refused && reason.contains("(429)")
      return received == 0 || isTold ? nil : "it is called failed, and the server has it: \(reason)"
    case .unconfirmed(let reason, _):
      if received == 0 { return "it is called unconfirmed, and never left: \(reason)" }
      return cut.wasCut ? nil : "it is called unconfirmed, and nothing was cut: \(reason)"
    default: return "it ended as \(cut.end.map { "\($0)" } ?? "nothing")"
    }
  }
}
