import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// What Codex tells in another form or order than usual.
struct CodexMessageTests {
  private typealias Driver = OwnTurnTests.Driver<CodexDialect>

  private static func driver() -> Driver {
    var driver = Driver("codex")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(
      ["id": 1, "result": [:]], ["id": 2, "result": ["thread": ["id": "t"], "approvalPolicy": "untrusted"]])
    driver.say(1)
    return driver
  }

  private static func turn(_ method: String, _ more: [String: JSON] = [:]) -> JSON {
    let turn = JSON.object(["id": "u"].merging(more) { $1 })
    return ["method": .string("turn/" + method), "params": ["threadId": "t", "turn": turn]]
  }

  private static func delta(_ item: String, _ words: String) -> JSON {
    [
      "method": "item/agentMessage/delta",
      "params": ["threadId": "t", "turnId": "u", "itemId": .string(item), "delta": .string(words)],
    ]
  }

  private static func completed(_ item: String, _ type: String, _ words: String) -> JSON {
    [
      "method": "item/completed",
      "params": [
        "threadId": "t", "turnId": "u", "item": ["id": .string(item), "type": .string(type), "text": .string(words)],
      ],
    ]
  }

  @Test func whatComesInNoPiecesIsToldWholeAndWhatCameInPiecesIsNotRepeated() {
    var driver = Self.driver()
    driver.receive(["id": driver.askedTurn, "result": ["turn": ["id": "u"]]])
    driver.receive(
      Self.delta("a", "Piece "), Self.delta("a", "by piece."), Self.completed("a", "agentMessage", "Piece by piece."))
    driver.receive(Self.completed("b", "agentMessage", "Whole."), Self.completed("c", "plan", "Then."))
    driver.receive(Self.completed("d", "userMessage", "Mine."))
    driver.receive(Self.turn("completed", ["status": "completed"]))
    #expect(driver.text(of: 1) == "Piece by piece.Whole.Then." && driver.end(of: 1) == .completed)
  }

  @Test func aTurnThatIsOverBeforeItIsNamedIsTheUsers() {
    var driver = Self.driver()
    let asked = driver.askedTurn
    driver.receive(Self.turn("started"), Self.delta("a", "Done."), Self.turn("completed", ["status": "completed"]))
    #expect(driver.end(of: 1) == nil)
    driver.receive(["id": asked, "result": ["turn": ["id": "u"]]])
    #expect(driver.text(of: 1) == "Done." && driver.end(of: 1) == .completed && driver.begun.isEmpty)
  }

  /// It may have been taken: that it was not sent is said of what has not left alone.
  @Test(arguments: [true, false]) func whatLeftForATurnThatIsOverIsNotCalledUnsent(_ hasLeft: Bool) {
    var driver = Self.driver()
    let asked = driver.askedTurn
    if hasLeft { driver.receive(["id": asked, "result": ["turn": ["id": "u"]]]) }
    driver.tell { $0.steer(1, Instruction("also this")) }
    driver.tell { $0.ended(.exited(code: 1, errorTail: "")) }
    let refused = driver.reports(of: 1).contains { if case .steeringRefused = $0 { true } else { false } }
    #expect(refused == !hasLeft)
  }
}
