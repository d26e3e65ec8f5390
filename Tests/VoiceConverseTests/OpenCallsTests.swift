import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

struct OpenCallsTests {
  /// As a list would have it, whatever begins and ends.
  @Test func theyStandInTheOrderInWhichTheyBegan() {
    var calls = OpenCalls()
    var expected: [String] = []
    var dice = 1
    for number in 0..<2_000 {
      dice = dice * 16_807 % 2_147_483_647
      if dice % 5 < 3 || expected.isEmpty {
        calls.append("\(number)")
        expected.append("\(number)")
      } else {
        calls.remove(expected.remove(at: dice % expected.count))
      }
      #expect(calls.last == expected.last && calls.isEmpty == expected.isEmpty)
    }
    #expect(calls.names == expected && expected.allSatisfy(calls.contains))
    for name in expected { calls.remove(name) }
    #expect(calls == OpenCalls() && calls.last == nil)
    calls.remove("0")
    calls.append("0")
    calls.append("0")
    #expect(calls.names == ["0"])
  }

  /// An agent may begin all before the first is over, and end them in any order.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func thousandsOfOpenCallsAreEndedAtOnce(_ isReversed: Bool) {
    var turn = AgentTurn()
    let names = (0..<40_000).map { "call \($0)" }
    for name in names {
      #expect(turn.tool(name, ["title": "ls", "kind": "read"]).count == 1)
      #expect(turn.progress(name, "on its way").count == 1)
    }
    for name in isReversed ? names.reversed() : names {
      #expect(turn.finish(name, .completed).last == .toolFinished(id: name, outcome: .completed))
    }
    #expect(!turn.isOpen && turn.end().isEmpty)
  }
}
