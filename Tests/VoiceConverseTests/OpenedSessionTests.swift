import Testing
import VoiceConverse
import VoiceJSON
import VoiceVocabulary

/// An agent that opens another session than it was asked for, and tells so when the first instruction is there. Those that tell
/// before are refused (`SessionOpeningTests`).
struct OpenedSessionTests {
  private typealias Driver = OwnTurnTests.Driver

  private static let asked = AgentSessionID(rawValue: "old")

  private static func told<Dialect>(_ driver: Driver<Dialect>, of run: RunID) -> [String] {
    driver.reports(of: run).compactMap { if case .status(let text) = $0 { text } else { nil } }
  }

  private static func claude(_ start: AgentSessionStart, opens session: String) -> Driver<ClaudeDialect> {
    var driver = Driver<ClaudeDialect>("claude", start: start)
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
    driver.say(1)
    driver.receive(["type": "system", "subtype": "init", "session_id": .string(session)])
    return driver
  }

  @Test(arguments: [
    (AgentSessionStart.new, "new", 0), (.resume(asked), "old", 0), (.resume(asked), "new", 1),
    (.fork(asked, at: nil), "new", 0), (.fork(asked, at: nil), "old", 1),
  ])
  func thatClaudeCodeOpenedAnotherSessionIsTold(_ start: AgentSessionStart, _ session: String, _ count: Int) {
    var driver = Self.claude(start, opens: session)
    #expect(driver.reports(of: 1).contains(.sessionReady(session: AgentSessionID(rawValue: session))))
    #expect(Self.told(driver, of: 1).count == count, "\(Self.told(driver, of: 1))")
    driver.receive(["type": "result", "subtype": "success", "num_turns": 1])
    // The user may want another one.
    driver.say(2)
    driver.receive(["type": "system", "subtype": "init", "session_id": "third"])
    #expect(Self.told(driver, of: 2).isEmpty)
  }

  /// It is gone on with where the agent is.
  @Test func afterItsEndClaudeCodeIsStartedInTheSessionThatItOpened() {
    var driver = Self.claude(.resume(Self.asked), opens: "new")
    driver.receive(["type": "result", "subtype": "success", "num_turns": 1])
    driver.tell { $0.ended(.exited(code: 1, errorTail: "")) }
    driver.say(2)
    #expect(driver.effects.last == .launch(.resume(AgentSessionID(rawValue: "new"))))
  }

  @Test(arguments: [("old", 0), ("new", 1)])
  func thatCodexExecOpenedAnotherSessionIsTold(_ session: String, _ count: Int) {
    var driver = Driver<CodexExecDialect>("codex-exec", start: .resume(Self.asked))
    driver.tell { $0.open() + $0.launched() }
    driver.say(1)
    driver.receive(["type": "thread.started", "thread_id": .string(session)])
    #expect(Self.told(driver, of: 1).count == count, "\(Self.told(driver, of: 1))")
  }
}
