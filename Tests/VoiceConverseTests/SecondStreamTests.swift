import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// An A2A agent whose first stream goes on behind the user's answer. The published kit tells over both what happens from then on.
struct SecondStreamTests {
  private struct Driver {
    var exchange: HTTPExchange<AgentToAgentDialect>
    var effects: [HTTPExchange<AgentToAgentDialect>.Effect] = []

    /// Of a run whose question was answered.
    init() throws {
      let agent = try HTTPAgentSpecification(.agentToAgent, at: "http://127.0.0.1:9")
      exchange = HTTPExchange(AgentToAgentDialect(agent, in: AgentEnvironment(workingFolder: "/", executablePath: "")))
      tell { $0.start(1, Instruction("do it")) }
      tell { $0.receive(.head(HTTPHead(status: 200)), of: 1) }
      let card: JSON = ["name": "agent", "capabilities": ["streaming": true], "url": "http://127.0.0.1:9/"]
      tell { $0.receive(.bytes(card.bytes), of: 1) }
      tell { $0.receive(.ended(.complete), of: 1) }
      open(2)
      status(2, "input-required", "Which colour?")
      let question = try #require(questions.first)
      tell { $0.decide(question.id, of: 1, .text(text: "green")) }
      #expect(calls == [1, 2, 3])
    }

    mutating func tell(
      _ change: (inout HTTPExchange<AgentToAgentDialect>) -> [HTTPExchange<AgentToAgentDialect>.Effect]
    ) {
      effects += change(&exchange)
    }

    mutating func open(_ call: Int) {
      tell { $0.receive(.head(HTTPHead(status: 200, headers: ["content-type": "text/event-stream"])), of: call) }
    }

    mutating func give(_ call: Int, _ result: JSON) {
      let answer: JSON = ["jsonrpc": "2.0", "id": .integer(call), "result": result]
      tell { $0.receive(.bytes(Array("data: ".utf8) + answer.bytes + [0x0A, 0x0A]), of: call) }
    }

    mutating func status(_ call: Int, _ state: String, _ words: String? = nil) {
      var status: [String: JSON] = ["state": .string(state)]
      if let words {
        status["message"] = ["messageId": .string(words), "parts": [["kind": "text", "text": .string(words)]]]
      }
      give(call, ["kind": "status-update", "taskId": "t", "contextId": "c", "status": .object(status)])
    }

    mutating func piece(_ call: Int, _ words: String) {
      let artifact: JSON = ["artifactId": "a", "parts": [["kind": "text", "text": .string(words)]]]
      give(call, ["kind": "artifact-update", "taskId": "t", "contextId": "c", "artifact": artifact, "append": true])
    }

    var calls: [Int] { effects.compactMap { if case .send(let call, _) = $0 { call } else { nil } } }

    var reports: [AgentEvent] {
      effects.compactMap { if case .post(.agentReported(1, let event)) = $0 { event } else { nil } }
    }

    var questions: [AgentQuestion] {
      reports.compactMap { if case .questionAsked(let question) = $0 { question } else { nil } }
    }

    var text: String { reports.compactMap { if case .text(let delta) = $0 { delta } else { nil } }.joined() }

    var told: [String] { reports.compactMap { if case .status(let text) = $0 { text } else { nil } } }

    var ends: [AgentTurnEnd] {
      reports.compactMap { if case .turnEnded(let end) = $0 { end } else { nil } }
    }
  }

  @Test func whatTheFirstStreamStillTellsIsTold() throws {
    var driver = try Driver()
    driver.piece(2, "one ")
    driver.open(3)
    driver.piece(2, "two ")
    driver.piece(3, "three ")
    driver.tell { $0.receive(.ended(.complete), of: 2) }
    #expect(driver.ends.isEmpty)
    driver.status(3, "completed")
    #expect(driver.text == "one two three " && driver.ends == [.completed])
  }

  /// In whichever order the two arrive; what is said twice is heard twice.
  @Test(arguments: ["232323", "323232", "222333", "333222", "223332"])
  func whatBothStreamsTellIsToldOnce(_ order: String) throws {
    var driver = try Driver()
    driver.piece(2, "go ")
    driver.open(3)
    var given = [2: 0, 3: 0]
    for call in order.compactMap(\.wholeNumberValue) {
      driver.piece(call, ["on ", "on ", "and on"][given[call, default: 0]])
      given[call, default: 0] += 1
    }
    driver.status(3, "completed")
    #expect(driver.text == "go on on and on" && driver.ends == [.completed])
  }

  @Test(arguments: [2, 3]) func theEndOfTheTaskIsTheEndOverEitherStream(_ call: Int) throws {
    var driver = try Driver()
    driver.open(3)
    driver.status(call, "completed")
    driver.status(5 - call, "completed")
    #expect(driver.ends == [.completed])
    #expect(driver.effects.contains(.cancel(call: 2)) && driver.effects.contains(.cancel(call: 3)))
  }

  @Test(arguments: [true, false]) func anAnswerWithoutATaskDoesNotEndTheTask(_ isStream: Bool) throws {
    var driver = try Driver()
    let message: JSON = ["kind": "message", "messageId": "m", "parts": [["kind": "text", "text": "Green it is. "]]]
    if isStream {
      driver.open(3)
      driver.give(3, message)
    } else {
      driver.tell { $0.receive(.head(HTTPHead(status: 200, headers: ["content-type": "application/json"])), of: 3) }
      driver.tell { $0.receive(.bytes((["result": message] as JSON).bytes), of: 3) }
      driver.tell { $0.receive(.ended(.complete), of: 3) }
    }
    #expect(driver.ends.isEmpty)
    driver.piece(2, "Painted.")
    driver.status(2, "completed")
    #expect(driver.text == "Green it is. Painted." && driver.ends == [.completed])
  }

  @Test func aQuestionOverTheFirstStreamIsAskedOnce() throws {
    var driver = try Driver()
    driver.open(3)
    driver.status(2, "input-required", "Which shade?")
    driver.status(3, "input-required", "Which shade?")
    driver.status(3, "input-required", "Which shade?")
    #expect(driver.questions.map(\.text) == ["Which colour?", "Which shade?"])
    let shade = driver.questions[1].id
    driver.tell { $0.decide(shade, of: 1, .text(text: "dark")) }
    #expect(driver.calls == [1, 2, 3, 4])
    // Asked once more, it was not enough.
    driver.open(4)
    driver.status(4, "input-required", "Which shade?")
    #expect(driver.questions.count == 3)
  }

  /// The agent that does not take the answer still works.
  @Test(arguments: ["error", "refusal"]) func anAnswerThatIsNotTakenIsToldAndTheTaskGoesOn(_ how: String) throws {
    var driver = try Driver()
    if how == "error" {
      driver.open(3)
      let error: JSON = ["jsonrpc": "2.0", "id": 3, "error": ["code": -32004, "message": "not now"]]
      driver.tell { $0.receive(.bytes(Array("data: ".utf8) + error.bytes + [0x0A, 0x0A]), of: 3) }
    } else {
      let head = HTTPHead(status: 400, headers: ["content-type": "text/plain"])
      driver.tell { $0.receive(.ended(.refused(head, body: Array("not now".utf8))), of: 3) }
    }
    #expect(driver.told.count == 1 && driver.told[0].contains("not now"), "\(driver.told)")
    driver.piece(2, "Red then.")
    driver.status(2, "completed")
    #expect(driver.text == "Red then." && driver.ends == [.completed])
  }

  @Test func aRunWithNoStreamLeftWasCutOff() throws {
    var driver = try Driver()
    driver.open(3)
    driver.tell { $0.receive(.ended(.complete), of: 3) }
    #expect(driver.ends.isEmpty)
    driver.tell { $0.receive(.ended(.complete), of: 2) }
    guard case .unconfirmed? = driver.ends.first, driver.ends.count == 1 else {
      Issue.record("\(driver.ends)")
      return
    }
  }

  @Test func whatIsAnsweredAfterAHaltIsNotSent() throws {
    var driver = try Driver()
    driver.open(3)
    driver.status(3, "input-required", "Which shade?")
    driver.tell { $0.stop(1) }
    let calls = driver.calls
    let shade = driver.questions[1].id
    driver.tell { $0.decide(shade, of: 1, .text(text: "dark")) }
    #expect(driver.calls == calls)
  }
}
