import Testing
import VoiceConverse
import VoiceJSON
import VoiceVocabulary

/// What Claude Code's helpers in the background ask: it is held until somebody answers, whichever turn ends meanwhile.
extension OwnTurnTests {
  @Test func whatAHelperInTheBackgroundAsksIsHeldAndNotDenied() throws {
    var driver = Self.working()
    driver.receive(Self.tasks("make"), Self.result(), Self.asks)
    #expect(driver.end(of: 1) == .completed && driver.begun == ["“make” goes on in the background."])
    let permission = try #require(driver.permission(of: -1))
    #expect(!driver.sent.contains { $0["response"]?["request_id"] == "r" })
    driver.tell { $0.answer(permission, of: -1, with: .allowOnce) }
    #expect(driver.sent.last?["response"]?["response"]?["behavior"] == "allow")
    driver.say(2)
    driver.receive(Self.told, Self.tasks(), Self.initial, Self.requesting, Self.says("It is done."), Self.result())
    #expect(driver.text(of: -1) == "It is done." && driver.end(of: -1) == .completed && driver.begun.count == 1)
    #expect(driver.sent.last?["uuid"] == Self.name(2))
  }

  @Test func whatAHelperStillAsksWhenTheTurnEndsIsAskedOn() throws {
    var driver = Self.working()
    driver.receive(Self.tasks("make"), Self.asks, Self.result())
    #expect(driver.end(of: 1) == .completed && !driver.sent.contains { $0["response"]?["request_id"] == "r" })
    let permission = try #require(driver.permission(of: -1))
    #expect(driver.isAskedOn(permission, from: 1, to: -1))
    driver.tell { $0.answer(permission, of: -1, with: .allowOnce) }
    let answers = driver.sent.filter { $0["response"]?["request_id"] == "r" }
    #expect(answers.map { $0["response"]?["response"]?["behavior"] } == ["allow"])
    driver.receive(Self.tasks())
    #expect(driver.end(of: -1) == .completed)
  }

  /// The turn ends while the user's answer is on its way: it answers what was asked again.
  @Test(arguments: [PermissionRequest.Choice.allowOnce, .rejectOnce])
  func anAnswerThatComesWhenTheTurnIsOverIsGivenAllTheSame(_ choice: PermissionRequest.Choice) throws {
    var driver = Self.working()
    driver.receive(Self.tasks("make"), Self.asks)
    let permission = try #require(driver.permission(of: 1))
    driver.receive(Self.result())
    #expect(driver.end(of: 1) == .completed && driver.permission(of: -1) == permission)
    driver.tell { $0.answer(permission, of: 1, with: choice) }
    #expect(driver.reports(of: -1).last == .permissionWithdrawn(id: permission))
    driver.tell { $0.answer(permission, of: -1, with: .rejectOnce) }
    let answers = driver.sent.filter { $0["response"]?["request_id"] == "r" }
    #expect(answers.map { $0["response"]?["response"]?["behavior"] } == [choice.allows ? "allow" : "deny"])
  }

  /// What was answered of questions that are asked together stays, and so does an answer that is on its way when the turn ends.
  @Test func questionsThatAHelperStillAsksKeepTheirAnswers() throws {
    var driver = Self.working()
    func question(_ text: String) -> JSON { ["question": .string(text), "options": [["label": "a"], ["label": "b"]]] }
    driver.receive(
      Self.tasks("helper"),
      [
        "type": "control_request", "request_id": "q",
        "request": [
          "subtype": "can_use_tool", "tool_name": "AskUserQuestion", "tool_use_id": "t",
          "input": ["questions": [question("One?"), question("Two?"), question("Three?")]],
        ],
      ])
    let first = driver.questions(of: 1)[0].id
    driver.tell { $0.answer(first, of: 1, with: .options(indices: [0])) }
    driver.receive(Self.result())
    #expect(driver.questions(of: 1).map(\.text) == ["One?", "Two?"])
    #expect(driver.questions(of: -1).map(\.text) == ["Two?"])
    let second = driver.questions(of: 1)[1].id
    let withdrawn = AgentEvent.questionWithdrawn(id: second)
    #expect(!driver.reports(of: 1).contains(withdrawn))
    driver.tell { $0.answer(second, of: 1, with: .options(indices: [1])) }
    #expect(driver.reports(of: -1).contains(withdrawn))
    driver.tell { $0.answer(second, of: -1, with: .options(indices: [0])) }
    let third = driver.questions(of: -1)[1].id
    driver.tell { $0.answer(third, of: -1, with: .text(text: "c")) }
    let answer = driver.sent.last { $0["response"]?["request_id"] == "q" }?["response"]?["response"]
    #expect(answer?["updatedInput"]?["answers"] == ["One?": "a", "Two?": "b", "Three?": "c"])
    #expect(driver.sent.count { $0["response"]?["request_id"] == "q" } == 1)
  }

  @Test func anAnswerThatComesWhenTheRunWasHaltedIsNotGiven() throws {
    var driver = Self.working()
    driver.receive(Self.tasks("helper"), Self.asks)
    let permission = try #require(driver.permission(of: 1))
    driver.tell { $0.cancel(1) }
    driver.tell { $0.answer(permission, of: 1, with: .allowOnce) }
    #expect(!driver.sent.contains { $0["response"]?["request_id"] == "r" })
  }

  /// A child begun anew may give its first request the name that the first one of the last child had.
  @Test func anAnswerToAChildThatIsGoneIsNoneToTheNext() throws {
    var driver = Self.working()
    driver.receive(Self.asks)
    let permission = try #require(driver.permission(of: 1))
    driver.receive(Self.result())
    driver.tell { $0.ended(.exited(code: 1, errorTail: "")) + $0.start(2, Instruction("go on")) + $0.launched() }
    driver.receive(
      ["type": "control_response", "response": ["subtype": "success", "response": [:]]], Self.initial, Self.asks)
    #expect(driver.permission(of: 2) == permission)
    driver.tell { $0.answer(permission, of: 1, with: .allowOnce) }
    #expect(!driver.sent.contains { $0["response"]?["request_id"] == "r" })
  }

  /// A command in the background ends while the helper waits: the turn that speaks of it goes on in the helper's run.
  @Test func whatAHelperStillAsksWhenATurnOfTheAgentsOwnEndsIsAskedOn() throws {
    var driver = Self.working()
    driver.receive(Self.tasks("helper", "make"), Self.result(), Self.asks)
    let permission = try #require(driver.permission(of: -1))
    driver.receive(
      Self.told, Self.tasks("helper"), Self.initial, Self.requesting, Self.says("It is made."), Self.result())
    #expect(driver.text(of: -1) == "It is made." && driver.end(of: -1) == nil)
    #expect(driver.reports(of: -1).count { $0.isAbout(permission) } == 1)
    driver.tell { $0.answer(permission, of: -1, with: .allowOnce) }
    let answers = driver.sent.filter { $0["response"]?["request_id"] == "r" }
    #expect(answers.map { $0["response"]?["response"]?["behavior"] } == ["allow"])
    driver.receive(Self.tasks())
    #expect(driver.end(of: -1) == .completed && driver.begun.count == 1)
  }

  @Test func whatAHelperStillAsksIsAskedInTheRunThatWaitedBehindATurnOfTheAgentsOwn() throws {
    var driver = Self.working()
    driver.receive(Self.tasks("helper"), Self.result())
    driver.say(2)
    driver.receive(Self.initial, Self.lifecycle(2, "queued"), Self.asks)
    #expect(driver.permission(of: -1) != nil)
    driver.receive(Self.result())
    #expect(driver.end(of: -1) == .completed)
    let permission = try #require(driver.permission(of: 2))
    driver.receive(Self.lifecycle(2, "started"), Self.initial)
    driver.tell { $0.answer(permission, of: 2, with: .rejectOnce) }
    #expect(driver.sent.last?["response"]?["response"]?["behavior"] == "deny")
    driver.receive(Self.says("Yours."), Self.result())
    #expect(driver.end(of: 2) == .completed && driver.text(of: 2) == "Yours.")
  }

  @Test func whatAHelperStillAsksIsAskedInTheRunThatATurnOfTheAgentsOwnBecomes() throws {
    var driver = Self.working()
    driver.receive(Self.tasks("helper"), Self.result())
    driver.say(2)
    driver.receive(Self.initial, Self.lifecycle(2, "queued"), Self.asks, Self.lifecycle(2, "started"))
    let permission = try #require(driver.permission(of: 2))
    #expect(driver.permission(of: -1) == permission && driver.end(of: -1) != nil)
    #expect(driver.isAskedOn(permission, from: -1, to: 2))
    driver.tell { $0.answer(permission, of: 2, with: .allowOnce) }
    #expect(driver.sent.last?["response"]?["response"]?["behavior"] == "allow")
  }

  @Test func anInstructionDoesNotOvertakeWhatAHelperStillAsks() throws {
    var driver = Self.working()
    driver.receive(Self.tasks("helper"), Self.result(), Self.initial, Self.asks)
    driver.say(2)
    driver.receive(Self.result())
    #expect(driver.end(of: -1) == nil && !driver.sent.contains { $0["uuid"] == Self.name(2) })
    driver.receive(Self.tasks())
    #expect(driver.end(of: -1) == .completed && driver.sent.last?["uuid"] == Self.name(2))
  }

  /// As Claude Code 2.1 does it: an interrupt ends its helpers, too.
  @Test func aHaltThatEndsAHelperIsAStop() {
    var driver = Self.working()
    driver.receive(Self.tasks("helper"), Self.result(), Self.asks)
    driver.tell { $0.cancel(-1) }
    driver.receive(
      ["type": "control_cancel_request", "request_id": "r"],
      ["type": "system", "subtype": "task_notification", "status": "stopped", "task_id": "helper"], Self.tasks(),
      ["type": "control_response", "response": ["subtype": "success", "request_id": "parley-2", "response": [:]]])
    #expect(driver.end(of: -1) == .cancelled && driver.begun.count == 1)
  }

  @Test(arguments: [true, false]) func aHaltThatAHelperOutlivesAsksAgain(_ isWithdrawn: Bool) {
    var driver = Self.working()
    driver.receive(Self.tasks("helper"), Self.asks)
    driver.tell { $0.cancel(1) }
    if isWithdrawn { driver.receive(["type": "control_cancel_request", "request_id": "r"]) }
    driver.receive(Self.result(["terminal_reason": "aborted_tools", "is_error": true]))
    #expect(driver.end(of: 1) == .cancelled && (driver.permission(of: -1) == nil) == isWithdrawn)
  }

  @Test func aHelperThatIsGoneEndsItsRun() {
    var driver = Self.working()
    driver.receive(Self.tasks("make"), Self.result(), Self.asks, Self.tasks())
    #expect(driver.end(of: -1) == .completed)
    #expect(driver.reports(of: -1).contains { if case .permissionWithdrawn = $0 { true } else { false } })
  }
}

extension OwnTurnTests.Driver {
  fileprivate func questions(of run: RunID) -> [AgentQuestion] {
    reports(of: run).compactMap { if case .questionAsked(let question) = $0 { question } else { nil } }
  }

  /// Whether the second run asks what the first did before the end of that is told, which does not take it back.
  func isAskedOn(_ permission: PermissionID, from first: RunID, to second: RunID) -> Bool {
    guard
      let asked = posted.firstIndex(where: {
        if case .agentReported(second, .permissionRequested(let it)) = $0 { it.id == permission } else { false }
      }),
      let ended = posted.firstIndex(where: { if case .agentReported(first, .turnEnded) = $0 { true } else { false } })
    else { return false }
    return asked < ended && !reports(of: first).contains(.permissionWithdrawn(id: permission))
  }
}

extension AgentEvent {
  fileprivate func isAbout(_ permission: PermissionID) -> Bool {
    switch self {
    case .permissionRequested(let request): request.id == permission
    case .permissionWithdrawn(let id): id == permission
    default: false
    }
  }
}
