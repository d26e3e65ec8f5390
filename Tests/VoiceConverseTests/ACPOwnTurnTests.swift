import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// What an agent begins by itself over a protocol that tells neither the beginning nor the end of it.
struct ACPOwnTurnTests {
  private static func acp() -> OwnTurnTests.Driver<ACPDialect> {
    var driver = OwnTurnTests.Driver<ACPDialect>("acp")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["id": 1, "result": ["protocolVersion": 1]], ["id": 2, "result": ["sessionId": "s"]])
    return driver
  }

  private static func update(_ tag: String, _ fields: [String: JSON] = [:]) -> JSON {
    let update = JSON.object(fields.merging(["sessionUpdate": .string(tag)]) { $1 })
    return ["method": "session/update", "params": ["sessionId": "s", "update": update]]
  }

  private static func chunk(_ words: String, of message: String? = nil) -> JSON {
    var fields: [String: JSON] = ["content": ["type": "text", "text": .string(words)]]
    if let message { fields["messageId"] = .string(message) }
    return update("agent_message_chunk", fields)
  }

  private static let permission: JSON = [
    "id": 7, "method": "session/request_permission",
    "params": [
      "sessionId": "s", "toolCall": ["toolCallId": "t", "title": "run", "rawInput": ["command": "make"]],
      "options": [["optionId": "yes", "name": "Yes", "kind": "allow_once"]],
    ],
  ]

  @Test func whatIsToldOutsideOfAPromptIsARunOfItsOwn() throws {
    var driver = Self.acp()
    driver.receive(Self.chunk("The build is over."), Self.update("tool_call", ["toolCallId": "t", "title": "run"]))
    #expect(driver.begun == ["acp goes on by itself."] && driver.text(of: -1) == "The build is over.")
    driver.receive(Self.permission)
    let permission = try #require(driver.permission(of: -1))
    // An instruction waits for what is open, and only for that.
    driver.say(1)
    let wait = "It waits until what acp began by itself is over; halt that to go on at once."
    #expect(driver.reports(of: 1) == [.status(text: wait)])
    driver.tell { $0.passed(.quiet(-1, told: 4)) }
    #expect(driver.end(of: -1) == nil && !driver.sent.contains { $0["method"] == "session/prompt" })
    driver.tell { $0.answer(permission, of: -1, with: .allowOnce) }
    #expect(driver.sent.last?["result"]?["outcome"]?["optionId"] == "yes")
    driver.receive(Self.update("tool_call_update", ["toolCallId": "t", "status": "completed"]))
    driver.say(2)
    #expect(driver.end(of: -1) == .completed && driver.sent.last?["method"] == "session/prompt")
    driver.receive(Self.chunk("Yours."), ["id": 3, "result": ["stopReason": "end_turn"]])
    #expect(driver.text(of: 1) == "Yours." && driver.end(of: 1) == .completed)
  }

  /// Agents greet.
  @Test func whatOnlySaysSomethingIsLookedAtSooner() {
    func waits(_ driver: OwnTurnTests.Driver<ACPDialect>) -> Int? {
      driver.effects.compactMap { if case .arm(.quiet, let milliseconds) = $0 { milliseconds } else { nil } }.last
    }
    var driver = Self.acp()
    driver.receive(Self.chunk("Hello."))
    #expect(waits(driver) == ConverseLimits.quietWordsMilliseconds)
    driver.receive(Self.update("tool_call", ["toolCallId": "t", "title": "run"]))
    driver.tell { $0.passed(.quiet(-1, told: 0)) }
    #expect(waits(driver) == ConverseLimits.quietMilliseconds)
  }

  @Test func itIsOverWhenNothingMoreCame() {
    var driver = Self.acp()
    driver.receive(Self.chunk("One."))
    guard
      case .arm(.quiet(-1, let told), _)? = driver.effects.last(where: { if case .arm = $0 { true } else { false } })
    else { return #expect(Bool(false)) }
    driver.tell { $0.passed(.quiet(-1, told: told)) }
    #expect(driver.end(of: -1) == nil)
    guard case .arm(.quiet(-1, let later), _)? = driver.effects.last else { return #expect(Bool(false)) }
    driver.tell { $0.passed(.quiet(-1, told: later)) }
    #expect(driver.end(of: -1) == .completed)
    driver.receive(Self.chunk("Two."))
    #expect(driver.text(of: -2) == "Two.")
  }

  @Test func aHaltOfItIsConfirmedByTheEndOfTheAgent() {
    var driver = Self.acp()
    driver.receive(Self.permission)
    driver.tell { $0.cancel(-1) }
    #expect(driver.sent.suffix(2).map { $0["method"] } == ["session/cancel", nil])
    #expect(driver.sent.last?["result"]?["outcome"]?["outcome"] == "cancelled")
    driver.tell { $0.passed(.quiet(-1, told: 2)) }
    #expect(driver.end(of: -1) == nil)
    driver.tell { $0.passed(.cancellation(-1)) }
    #expect(driver.effects.last == .terminateAtOnce && driver.end(of: -1) == nil)
    driver.tell { $0.ended(.killed(signal: 9, errorTail: "")) }
    #expect(driver.end(of: -1) == .cancelled)
  }

  @Test func lateNewsOfAPromptBeginNothing() {
    var driver = Self.acp()
    driver.say(1)
    driver.receive(
      Self.update("tool_call", ["toolCallId": "t", "title": "run"]), Self.chunk("Yours.", of: "m"),
      ["id": 3, "result": ["stopReason": "end_turn"]], Self.chunk(" Late.", of: "m"),
      Self.update("tool_call_update", ["toolCallId": "t", "status": "completed"]), Self.update("usage_update"))
    #expect(driver.begun.isEmpty && driver.text(of: 1) == "Yours.")
    // After a halt nothing is spoken, but what it does is seen.
    driver.say(2)
    driver.tell { $0.cancel(2) }
    driver.receive(["id": 4, "result": ["stopReason": "cancelled"]], Self.chunk("And so on."))
    #expect(driver.begun.isEmpty)
    driver.receive(Self.update("tool_call", ["toolCallId": "u", "title": "run"]))
    #expect(driver.begun.count == 1)
  }
}
