import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// The decisions alone, message by message.
struct ACPSessionTests {
  /// A session that is driven by hand; remembers what it did.
  struct Driver {
    var session: ChildSession<ACPDialect>
    var effects: [ChildEffect] = []

    init(preferredMode: String? = nil) {
      session = ChildSession(settings: .init(name: "agent", workingFolder: "/work", preferredMode: preferredMode))
    }

    mutating func tell(_ change: (inout ChildSession<ACPDialect>) -> [ChildEffect]) { effects += change(&session) }

    mutating func receive(_ message: JSON) { effects += session.receive(message.bytes) }

    mutating func update(_ update: JSON, session name: String = "s") {
      receive(["method": "session/update", "params": ["sessionId": .string(name), "update": update]])
    }

    /// Everything up to a running prompt, which is request 3.
    mutating func startRun(_ run: RunID = 1, _ text: String = "do it") {
      tell { $0.start(run, Instruction(text)) }
      tell { $0.launched() }
      receive(["id": 1, "result": ["protocolVersion": 1]])
      receive(["id": 2, "result": ["sessionId": "s"]])
    }

    mutating func ask(_ id: JSON, options: JSON, session name: String = "s") {
      receive([
        "id": id, "method": "session/request_permission",
        "params": ["sessionId": .string(name), "toolCall": ["toolCallId": "t", "title": "Do it"], "options": options],
      ])
    }

    var sent: [JSON] {
      effects.compactMap { if case .send(let bytes) = $0 { JSON(parsing: bytes) } else { nil } }
    }

    func reports(of run: RunID) -> [AgentEvent] {
      Journal.reports(of: run, in: effects.compactMap { if case .post(let event) = $0 { event } else { nil } })
    }
  }

  static let once: JSON = [
    ["optionId": "yes", "kind": "allow_once"], ["optionId": "no", "kind": "reject_once"],
    ["optionId": "odd", "kind": "something_new"],
  ]

  @Test func aRemarkIsABlockOfItsOwnForTheAgentAlone() {
    var driver = Driver()
    driver.tell {
      var instruction = Instruction("do it")
      instruction.remark = "The user interrupted your last answer."
      return $0.start(1, instruction)
    }
    driver.tell { $0.launched() }
    driver.receive(["id": 1, "result": ["protocolVersion": 1]])
    driver.receive(["id": 2, "result": ["sessionId": "s"]])
    #expect(
      driver.sent.last?["params"]?["prompt"] == [
        ["type": "text", "text": "do it"],
        [
          "type": "text", "text": "\n\n(The user interrupted your last answer.)",
          "annotations": ["audience": ["assistant"]],
        ],
      ])
  }

  @Test func theReasonOfADenialIsTheMessageThatClaudeGets() throws {
    var session = ChildSession<ClaudeDialect>(settings: .init(name: "claude", workingFolder: "/work"))
    var effects = session.open()
    effects += session.start(1, Instruction("do it"))
    effects += session.launched()
    func receive(_ message: JSON) { effects += session.receive(message.bytes) }
    receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
    receive([
      "type": "control_request", "request_id": "r",
      "request": [
        "subtype": "can_use_tool", "tool_name": "Bash", "input": ["command": "make"], "tool_use_id": "t",
      ],
    ])
    let events = effects.compactMap { if case .post(let event) = $0 { event } else { nil } }
    let request = try #require(
      Journal.reports(of: 1, in: events).compactMap {
        if case .permissionRequested(let request) = $0 { request } else { nil }
      }.first)
    effects += session.answer(request.id, of: 1, with: .rejectOnce, because: "it takes an hour")
    let sent = effects.compactMap { if case .send(let bytes) = $0 { JSON(parsing: bytes) } else { nil } }
    #expect(
      sent.last?["response"]?["response"] == [
        "behavior": "deny", "message": "The user did not allow this, for this reason: it takes an hour",
      ])
    #expect(
      events.contains {
        if case .agentReady(let agent) = $0 { agent.capabilities.contains(.hearReason) } else { false }
      })
  }

  @Test func anAgentThatIsNeverReadyIsGivenUp() {
    var driver = Driver()
    driver.tell { $0.open() }
    driver.tell { $0.start(1, Instruction("do it")) }
    driver.tell { $0.launched() }
    #expect(driver.effects.contains(.arm(.start, milliseconds: ConverseLimits.startMilliseconds)))
    driver.tell { $0.passed(.start) }
    driver.tell { $0.passed(.start) }
    let reason = "agent was not ready after 300 seconds. Start it in a terminal to see why."
    #expect(driver.effects.filter { $0 == .post(.agentUnavailable(reason: reason)) }.count == 1)
    #expect(driver.reports(of: 1) == [.turnEnded(end: .failed(reason: reason))])
    #expect(driver.effects.last == .terminate)
    driver.tell { $0.start(2, Instruction("again")) }
    driver.effects = []
    driver.tell { $0.ended(.killed(signal: 9, errorTail: "")) }
    #expect(driver.effects == [.launch(.new)])
  }

  @Test func anAgentThatTakesItsTimeToStartIsWaitedForAndThatIsSaid() {
    var driver = Driver()
    driver.tell { $0.open() }
    driver.tell { $0.start(1, Instruction("do it")) }
    driver.tell { $0.launched() }
    #expect(driver.effects.contains(.arm(.slowStart, milliseconds: ConverseLimits.slowStartMilliseconds)))
    driver.effects = []
    driver.tell { $0.passed(.slowStart) }
    guard case .post(.agentDelayed(let reason)) = driver.effects.first, driver.effects.count == 1 else {
      Issue.record("\(driver.effects)")
      return
    }
    #expect(reason.hasPrefix("agent is not ready after 60 seconds; still waiting."))
    #expect(driver.reports(of: 1) == [])
  }

  @Test func aHaltThatIsIgnoredEndsTheChildAfterItsTime() {
    var driver = Driver()
    driver.startRun()
    driver.tell { $0.passed(.cancellation(1)) }
    driver.tell { $0.cancel(1) }
    #expect(
      driver.effects.contains(.arm(.cancellation(1), milliseconds: ConverseLimits.cancelMilliseconds)))
    driver.tell { $0.passed(.cancellation(2)) }
    #expect(!driver.effects.contains(.terminateAtOnce))
    driver.tell { $0.passed(.cancellation(1)) }
    #expect(driver.effects.last == .terminateAtOnce)
    // It has stopped when it is gone, and is not said to have before.
    #expect(driver.reports(of: 1) == [.turnStarted])
    driver.tell { $0.ended(.killed(signal: 9, errorTail: "")) }
    #expect(driver.reports(of: 1) == [.turnStarted, .turnEnded(end: .cancelled)])
  }

  /// An agent that is told to end tells whatever its turn was in the middle of; it was seen to call that the turn's end.
  @Test(arguments: ["end_turn", "cancelled"]) func whatAnAgentTellsWhileItIsBeingEndedIsNotItsEnd(_ reason: String) {
    var driver = Driver()
    driver.startRun()
    driver.tell { $0.cancel(1) }
    driver.tell { $0.cancel(1) }
    #expect(driver.effects.last == .terminateAtOnce)
    driver.receive(["id": 3, "result": ["stopReason": .string(reason)]])
    #expect(driver.reports(of: 1) == [.turnStarted])
    driver.tell { $0.ended(.exited(code: 0, errorTail: "")) }
    #expect(driver.reports(of: 1) == [.turnStarted, .turnEnded(end: .cancelled)])
  }

  @Test func aHaltOfAWaitingRunNeverReachesTheAgent() {
    var driver = Driver()
    driver.startRun()
    driver.tell { $0.start(2, Instruction("later")) }
    driver.tell { $0.cancel(2) }
    driver.receive(["id": 3, "result": ["stopReason": "end_turn"]])
    #expect(driver.reports(of: 2) == [.turnEnded(end: .cancelled)])
    #expect(driver.sent.filter { $0["method"] == "session/prompt" }.count == 1)
    #expect(!driver.sent.contains { $0["method"] == "session/cancel" })
  }

  /// Whatever its mode is called: what it does is looked at.
  @Test(arguments: [false, true]) func whatItDoesUnaskedIsToldOnceUnlessItHasAsked(_ hasAsked: Bool) {
    var driver = Driver()
    driver.startRun()
    if hasAsked {
      driver.ask(7, options: Self.once)
      driver.tell { $0.answer(PermissionID(rawValue: "permission-1"), of: 1, with: .allowOnce) }
    }
    for name in ["a", "b"] {
      for (tag, more) in [
        ("tool_call", ["kind": "execute", "title": "run", "rawInput": ["command": "make"]]),
        ("tool_call_update", ["status": "completed"]),
      ] as [(String, [String: JSON])] {
        let update = more.merging(["sessionUpdate": .string(tag), "toolCallId": .string(name)]) { $1 }
        driver.receive(["method": "session/update", "params": ["sessionId": "s", "update": .object(update)]])
      }
    }
    let told = driver.reports(of: 1).compactMap { if case .status(let text) = $0 { text } else { nil } }
    #expect(told == (hasAsked ? [] : ["agent did this without asking for permission: Run make."]))
  }

  @Test(arguments: [JSON.integer(0), .string("0"), .string("srv_1"), .integer(-7)])
  func aRequestIsAnsweredUnderItsOwnIdentifier(_ id: JSON) {
    var driver = Driver()
    driver.startRun()
    driver.ask(id, options: Self.once)
    driver.tell { $0.answer(PermissionID(rawValue: "permission-1"), of: 1, with: .allowOnce) }
    #expect(
      driver.sent.last
        == ["jsonrpc": "2.0", "id": id, "result": ["outcome": ["outcome": "selected", "optionId": "yes"]]])
  }

  @Test(arguments: [PermissionRequest.Choice.allowAlways, .rejectAlways])
  func aChoiceThatIsNotOfferedIsNeverReplacedByAnother(_ choice: PermissionRequest.Choice) {
    var driver = Driver()
    driver.startRun()
    driver.ask(5, options: Self.once)
    driver.tell { $0.answer(PermissionID(rawValue: "permission-1"), of: 1, with: choice) }
    #expect(driver.sent.last?["result"] == ["outcome": ["outcome": "cancelled"]])
  }

  @Test func aRequestThatNobodyCanAnswerIsAnsweredAsCancelled() {
    var driver = Driver()
    driver.startRun()
    driver.ask(5, options: [["optionId": "odd", "kind": "something_new"]])
    driver.ask(6, options: Self.once, session: "another")
    driver.receive(["id": 3, "result": ["stopReason": "end_turn"]])
    driver.ask(7, options: Self.once)
    let answers = driver.sent.filter { $0["result"] != nil }
    // The last one is of what the agent begins by itself, and held there.
    #expect(answers.map { $0["id"] } == [5, 6])
    #expect(driver.reports(of: -1).contains { if case .permissionRequested = $0 { true } else { false } })
    #expect(answers.allSatisfy { $0["result"] == ["outcome": ["outcome": "cancelled"]] })
    #expect(!driver.reports(of: 1).contains { if case .permissionRequested = $0 { true } else { false } })
  }

  @Test func aRequestLapsesWhenItsToolOrItsTurnIsOver() {
    var driver = Driver()
    driver.startRun()
    driver.update(["sessionUpdate": "tool_call", "toolCallId": "t", "title": "One"])
    driver.ask(5, options: Self.once)
    driver.update(["sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "failed"])
    driver.ask(6, options: Self.once)
    driver.receive(["id": 3, "result": ["stopReason": "end_turn"]])
    let withdrawn = driver.reports(of: 1).compactMap { event -> String? in
      if case .permissionWithdrawn(let id) = event { id.rawValue } else { nil }
    }
    #expect(withdrawn == ["permission-1", "permission-2"])
    driver.tell { $0.answer(PermissionID(rawValue: "permission-2"), of: 1, with: .allowOnce) }
    #expect(!driver.sent.contains { $0["result"]?["outcome"]?["outcome"] == "selected" })
  }

  /// One of the agent's own commands may have nothing to say.
  @Test func aCommandIsDoneWithoutAWord() {
    var driver = Driver()
    driver.startRun(1, "/clear")
    driver.receive(["id": 3, "result": ["stopReason": "end_turn"]])
    #expect(driver.reports(of: 1).last == .turnEnded(end: .completed))
  }

  @Test func aReplayOfAnotherSessionIsNotNews() {
    var driver = Driver()
    driver.startRun()
    let text: JSON = ["sessionUpdate": "agent_message_chunk", "content": ["type": "text", "text": "old"]]
    driver.update(text, session: "another")
    driver.receive(["id": 3, "result": ["stopReason": "end_turn"]])
    driver.update(text)
    // Without a word of its own it has not done what it was asked for.
    let silent = "It ended its turn without a word, and told of nothing that it did."
    #expect(driver.reports(of: 1) == [.turnStarted, .turnEnded(end: .stopped(reason: silent))])
  }

  /// The configuration prefers a mode; who names one for this session insists on it.
  @Test func anAgentThatHasNoModesIsUsedAndThatIsSaid() {
    var driver = Driver(preferredMode: "ask")
    driver.startRun()
    let words = "agent has no modes, so it cannot be put into “ask”."
    #expect(driver.reports(of: 1).contains(.status(text: words)))
    #expect(driver.sent.last?["method"] == "session/prompt")
  }

  @Test func usageIsToldForTheRunAndNotForTheSession() {
    var driver = Driver()
    driver.startRun()
    driver.update(["sessionUpdate": "usage_update", "used": 5, "cost": ["amount": .number(0.5), "currency": "USD"]])
    driver.receive(["id": 3, "result": ["stopReason": "end_turn", "usage": ["inputTokens": 100, "outputTokens": 10]]])
    driver.tell { $0.start(2, Instruction("more")) }
    driver.update(["sessionUpdate": "usage_update", "cost": ["amount": .number(0.75), "currency": "USD"]])
    driver.update(["sessionUpdate": "usage_update", "cost": ["amount": 9, "currency": "EUR"]])
    driver.receive(["id": 4, "result": ["stopReason": "end_turn", "usage": ["inputTokens": 130, "outputTokens": 15]]])
    let last = driver.reports(of: 2).last { if case .usage = $0 { true } else { false } }
    #expect(last == .usage(usage: AgentUsage(inputTokens: 30, outputTokens: 5, costInDollars: 0.25, contextTokens: 5)))
  }

  @Test func aToolThatStartsAfterAHaltIsNotToldAtAll() {
    var driver = Driver()
    driver.startRun()
    driver.update(["sessionUpdate": "tool_call", "toolCallId": "before", "title": "before"])
    driver.tell { $0.cancel(1) }
    driver.update(["sessionUpdate": "tool_call", "toolCallId": "after", "title": "after"])
    driver.update(["sessionUpdate": "tool_call_update", "toolCallId": "after", "status": "completed"])
    driver.receive(["id": 3, "result": ["stopReason": "cancelled"]])
    let finished = driver.reports(of: 1).compactMap { event in
      if case .toolFinished(let id, _) = event { id } else { nil }
    }
    #expect(finished == ["before"])
  }

  @Test func anAgentThatWentMadIsEndedAndTheNextRunStartsAnother() {
    var driver = Driver()
    driver.startRun()
    driver.tell { $0.misbehaved("sent a line without an end") }
    #expect(driver.reports(of: 1) == [.turnStarted])
    driver.tell { $0.start(2, Instruction("again")) }
    driver.tell { $0.outputEnded() }
    driver.tell { $0.ended(.exited(code: 0, errorTail: "")) }
    #expect(driver.effects.last == .launch(.new))
    guard case .turnEnded(.unconfirmed(let reason, _)) = driver.reports(of: 1).last else {
      Issue.record("the run was not lost")
      return
    }
    #expect(reason.contains("agent sent a line without an end, so it was ended."))
  }

  /// An agent may wait for ever for the answer to what nobody could read.
  @Test func aMessageThatCannotBeReadIsTold() {
    var driver = Driver()
    driver.startRun()
    driver.tell { $0.receive(Array("Starting {up}".utf8)) }
    driver.tell { $0.receive(Array("{no message}".utf8)) }
    #expect(driver.reports(of: 1) == [.turnStarted])
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    for _ in 0..<2 { driver.tell { $0.receive(Array("{\"id\":4,\"method\":\"ask\",\"params\":\(deep)}".utf8)) } }
    let words = driver.reports(of: 1).dropFirst().map { if case .status(let text) = $0 { text } else { "" } }
    #expect(words.count == 1 && words[0].hasPrefix("agent sent a message that cannot be read ({\"id\":4,"), "\(words)")
  }

  @Test func aMessageThatCannotBeReadIsToldWhileTheAgentIsStarted() {
    var driver = Driver()
    driver.tell { $0.open() }
    driver.tell { $0.launched() }
    driver.tell { $0.receive(Array("{ \"id\":0,\"result\":NaN}".utf8)) }
    // What it asks then is another matter.
    driver.startRun()
    driver.tell { $0.receive(Array("{\"id\":4,\"result\":NaN}".utf8)) }
    #expect(driver.reports(of: 1).contains { if case .status = $0 { true } else { false } })
    let told = driver.effects.compactMap { if case .post(.agentDelayed(let reason)) = $0 { reason } else { nil } }
    #expect(told.count == 1 && told[0].hasPrefix("agent sent a message that cannot be read ({ \"id\":0,"), "\(told)")
  }

  @Test func whateverArrivesAtAnyMomentDoesNoHarm() {
    let messages: [JSON] = [
      [:], ["id": 3], ["id": 3, "error": "odd"], ["id": "3", "result": .null], ["method": 7, "id": 1],
      ["method": "session/update"], ["method": "session/update", "params": ["sessionId": "s", "update": []]],
      ["method": "session/update", "params": ["sessionId": "s", "update": ["sessionUpdate": "tool_call"]]],
      ["method": "session/request_permission", "id": 4, "params": []], ["method": "$/cancel_request", "params": 1],
      ["method": "session/update", "params": ["sessionId": "s", "update": ["sessionUpdate": "plan", "entries": 4]]],
    ]
    for stage in 0...4 {
      for message in messages {
        var driver = Driver()
        if stage > 0 { driver.tell { $0.start(1, Instruction("do it")) } }
        if stage > 1 { driver.tell { $0.launched() } }
        if stage > 2 { driver.receive(["id": 1, "result": ["protocolVersion": 1]]) }
        if stage > 3 { driver.receive(["id": 2, "result": ["sessionId": "s"]]) }
        driver.receive(message)
        driver.tell { $0.ended(.exited(code: 1, errorTail: "")) }
        let ends = driver.reports(of: 1).filter { if case .turnEnded = $0 { true } else { false } }
        #expect(ends.count == (stage > 0 ? 1 : 0))
      }
    }
  }
}
