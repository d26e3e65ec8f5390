import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// Turns that an agent begins by itself, message by message as Claude Code 2.1.330 and Codex 0.163 wrote them.
struct OwnTurnTests {
  /// A session that is driven by hand; remembers what it did.
  struct Driver<Dialect: ChildDialect> {
    var session: ChildSession<Dialect>
    var effects: [ChildEffect] = []

    init(_ name: String, start: AgentSessionStart = .new) {
      var settings = ChildSettings(name: name, workingFolder: "/work")
      settings.start = start
      session = ChildSession(settings: settings)
    }

    mutating func tell(_ change: (inout ChildSession<Dialect>) -> [ChildEffect]) { effects += change(&session) }

    mutating func receive(_ messages: JSON...) { for message in messages { effects += session.receive(message.bytes) } }

    var sent: [JSON] {
      effects.compactMap { if case .send(let bytes) = $0 { JSON(parsing: bytes) } else { nil } }
    }

    var posted: [VoiceEvent] { effects.compactMap { if case .post(let event) = $0 { event } else { nil } } }

    func reports(of run: RunID) -> [AgentEvent] { Journal.reports(of: run, in: posted) }

    func text(of run: RunID) -> String {
      reports(of: run).map { if case .text(let delta) = $0 { delta } else { "" } }.joined()
    }

    func end(of run: RunID) -> AgentTurnEnd? {
      reports(of: run).compactMap { if case .turnEnded(let end) = $0 { end } else { nil } }.first
    }

    /// Why the agent began something by itself, in order.
    var begun: [String] { posted.compactMap { if case .agentStartedRun(_, let text) = $0 { text } else { nil } } }

    /// What it owed, in order.
    var owed: [[String]] { posted.compactMap { if case .agentOwes(let work) = $0 { work } else { nil } } }

    func permission(of run: RunID) -> PermissionID? {
      reports(of: run).compactMap { if case .permissionRequested(let request) = $0 { request.id } else { nil } }.first
    }
  }

  // MARK: Claude Code

  typealias Claude = Driver<ClaudeDialect>

  /// A session that is ready, in the middle of the user's turn.
  static func working() -> Claude {
    var driver = Claude("claude")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
    driver.say(1)
    driver.receive(lifecycle(1, "queued"), lifecycle(1, "started"), initial)
    return driver
  }

  static let initial: JSON = ["type": "system", "subtype": "init", "session_id": "s"]
  static let requesting: JSON = ["type": "system", "subtype": "status", "status": "requesting"]

  static func name(_ message: Int) -> JSON { .string("00000000-0000-4000-8000-00010000000\(message)") }

  static func lifecycle(_ message: Int, _ state: String) -> JSON {
    ["type": "command_lifecycle", "command_uuid": name(message), "state": .string(state)]
  }

  static func says(_ words: String) -> JSON {
    [
      "type": "assistant",
      "message": ["id": .string("m-" + words), "content": [["type": "text", "text": .string(words)]]],
    ]
  }

  static func result(_ more: [String: JSON] = [:]) -> JSON {
    .object(
      ["type": "result", "subtype": "success", "terminal_reason": "completed", "num_turns": 1, "result": "x"]
        .merging(more) { $1 })
  }

  static let asks: JSON = [
    "type": "control_request", "request_id": "r",
    "request": [
      "subtype": "can_use_tool", "tool_name": "Write", "input": ["file_path": "/home/dev/a"], "tool_use_id": "t",
    ],
  ]

  static func tasks(_ names: String...) -> JSON {
    let tasks = names.map { name -> JSON in ["task_id": .string(name), "description": .string(name)] }
    return ["type": "system", "subtype": "background_tasks_changed", "tasks": .array(tasks)]
  }

  static let told: JSON = [
    "type": "system", "subtype": "task_notification", "status": "completed", "task_id": "make",
    "summary": "Background command \"make\" completed (exit code 0)",
  ]

  @Test func whatEndsInTheBackgroundBeginsARunOfItsOwn() throws {
    var driver = Self.working()
    driver.receive(Self.requesting, Self.says("It runs."), Self.tasks("make"), Self.result())
    #expect(driver.end(of: 1) == .completed)
    driver.receive(Self.told, Self.tasks())
    #expect(driver.owed == [["make"]])
    driver.receive(Self.initial, Self.requesting, Self.says("It is done."), Self.asks)
    #expect(driver.begun == ["Background command \"make\" completed (exit code 0)"])
    #expect(driver.owed.last == [])
    #expect(driver.reports(of: -1).first == .turnStarted && driver.text(of: -1) == "It is done.")
    let permission = try #require(driver.permission(of: -1))
    driver.tell { $0.answer(permission, of: -1, with: .allowOnce) }
    #expect(driver.sent.last?["response"]?["response"]?["behavior"] == "allow")
    driver.receive(Self.result(["origin": ["kind": "task-notification"]]))
    #expect(driver.end(of: -1) == .completed)
    #expect(driver.text(of: 1) == "It runs.")
    // The next one is another.
    driver.receive(Self.initial, Self.says("Once more."), Self.result())
    #expect(driver.end(of: -2) == .completed && driver.text(of: -2) == "Once more.")
  }

  /// The end of a turn that is told twice is not that of the next one.
  @Test func anEndToldTwiceEndsOneTurn() {
    var driver = Self.working()
    driver.receive(Self.result(["uuid": "first"]))
    driver.say(2)
    driver.receive(Self.lifecycle(2, "started"), Self.initial, Self.result(["uuid": "first"]), Self.says("Yours."))
    #expect(driver.end(of: 1) == .completed && driver.end(of: 2) == nil)
    driver.receive(Self.result(["uuid": "second"]))
    #expect(driver.end(of: 2) == .completed && driver.text(of: 2) == "Yours.")
    // A program in between that gives every message one name.
    driver.say(3)
    driver.receive(Self.lifecycle(3, "started"), Self.initial, Self.result(["uuid": "second", "result": "other"]))
    #expect(driver.end(of: 3) == .completed)
  }

  @Test func anInstructionWaitsUntilThatIsOver() {
    var driver = Self.working()
    driver.receive(Self.result(), Self.initial)
    driver.say(2)
    #expect(!driver.sent.contains { $0["uuid"] == Self.name(2) })
    driver.receive(Self.says("Mine."), Self.result())
    #expect(driver.end(of: -1) == .completed && driver.end(of: 2) == nil)
    #expect(driver.sent.last?["uuid"] == Self.name(2))
    driver.receive(
      Self.lifecycle(2, "queued"), Self.lifecycle(2, "started"), Self.initial, Self.says("Yours."), Self.result())
    #expect(driver.end(of: 2) == .completed && driver.text(of: 2) == "Yours." && driver.text(of: -1) == "Mine.")
  }

  @Test func whatItBeganFirstDoesNotEndTheUsersRun() {
    var driver = Self.working()
    driver.receive(Self.result())
    // Both at once: the instruction is on its way, and the agent has begun already.
    driver.say(2)
    driver.receive(Self.initial, Self.says("Mine."), Self.lifecycle(2, "queued"), Self.result())
    #expect(driver.text(of: -1) == "Mine." && driver.end(of: -1) == .completed && driver.end(of: 2) == nil)
    driver.receive(Self.lifecycle(2, "started"), Self.initial, Self.says("Yours."), Self.result())
    #expect(driver.text(of: 2) == "Yours." && driver.end(of: 2) == .completed)
  }

  @Test func anInstructionThatWentIntoWhatItBeganIsTheRun() {
    var driver = Self.working()
    driver.receive(Self.result())
    driver.say(2)
    driver.receive(
      Self.initial, Self.says("Mine."), Self.lifecycle(2, "queued"), Self.lifecycle(2, "started"), Self.says("Yours."),
      Self.lifecycle(2, "completed"), Self.result())
    guard case .stopped = driver.end(of: -1) else { return #expect(Bool(false)) }
    #expect(driver.text(of: -1) == "Mine." && driver.text(of: 2) == "Yours." && driver.end(of: 2) == .completed)
  }

  @Test func eachIsHaltedByItself() {
    var driver = Self.working()
    driver.receive(Self.result())
    driver.say(2)
    driver.receive(Self.initial, Self.lifecycle(2, "queued"), Self.asks)
    // What waits is taken back, and the other goes on.
    driver.tell { $0.cancel(2) }
    #expect(driver.sent.last?["request"] == ["subtype": "cancel_async_message", "message_uuid": Self.name(2)])
    driver.receive(Self.lifecycle(2, "cancelled"))
    #expect(driver.end(of: 2) == .cancelled && driver.end(of: -1) == nil)
    driver.tell { $0.cancel(-1) }
    #expect(driver.sent.last?["request"] == ["subtype": "interrupt"])
    #expect(driver.reports(of: -1).contains { if case .permissionWithdrawn = $0 { true } else { false } })
    driver.receive(Self.result(["terminal_reason": "aborted_tools", "is_error": true]))
    #expect(driver.end(of: -1) == .cancelled)
  }

  @Test func whatIsTakenBackTooLateIsInterrupted() {
    var driver = Self.working()
    driver.receive(Self.result())
    driver.say(2)
    driver.receive(Self.initial, Self.lifecycle(2, "queued"))
    driver.tell { $0.cancel(2) }
    driver.receive(Self.result(), Self.lifecycle(2, "started"))
    #expect(driver.sent.last?["request"] == ["subtype": "interrupt"])
    driver.receive(Self.initial, Self.result(["terminal_reason": "aborted_streaming", "is_error": true]))
    #expect(driver.end(of: 2) == .cancelled && driver.end(of: -1) == .completed)
  }

  @Test func bothEndWithTheirProcess() {
    var driver = Self.working()
    driver.receive(Self.tasks("make"), Self.result(), Self.initial)
    driver.tell { $0.ended(.exited(code: 1, errorTail: "")) }
    guard case .unconfirmed = driver.end(of: -1) else { return #expect(Bool(false)) }
    #expect(driver.owed.last == [])
  }

  @Test func whatAHookStoppedIsNotDone() {
    var driver = Self.working()
    driver.receive(
      [
        "type": "system", "subtype": "informational", "content": "UserPromptSubmit operation blocked by hook",
        "prompt_submit_outcome": ["kind": "blocked_by_hook", "reason": "not on Fridays"],
      ],
      Self.result(["num_turns": 0, "result": "UserPromptSubmit operation blocked by hook"]))
    #expect(driver.end(of: 1) == .failed(reason: "A hook blocked it before it reached the model: not on Fridays"))
  }

  @Test func whatReachedNoModelIsNotDoneAndWhatItAnsweredIsTold() {
    var driver = Self.working()
    driver.receive(Self.result(["num_turns": 0, "result": ""]))
    guard case .failed(let reason) = driver.end(of: 1) else { return #expect(Bool(false)) }
    #expect(reason.contains("before it reached the model"))
    driver.tell { $0.start(2, Instruction("/cost")) }
    driver.receive(
      Self.lifecycle(2, "started"), Self.initial, Self.result(["num_turns": 0, "result": "Estimated cost: $0.0006"]))
    #expect(driver.end(of: 2) == .completed && driver.text(of: 2) == "Estimated cost: $0.0006")
  }

  @Test func anOlderOneThatFollowsNoMessagesAnswersAsBefore() {
    var driver = Claude("claude")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
    driver.say(1)
    driver.receive(Self.initial, Self.says("Yours."), Self.result())
    #expect(driver.end(of: 1) == .completed && driver.text(of: 1) == "Yours." && driver.begun.isEmpty)
  }

  // MARK: Codex

  private static func codex() -> Driver<CodexDialect> {
    var driver = Driver<CodexDialect>("codex")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(
      ["id": 1, "result": [:]], ["id": 2, "result": ["thread": ["id": "t"], "approvalPolicy": "untrusted"]])
    return driver
  }

  private static func turn(_ method: String, _ name: String, _ more: [String: JSON] = [:]) -> JSON {
    let turn = JSON.object(["id": .string(name)].merging(more) { $1 })
    return ["method": .string("turn/" + method), "params": ["threadId": "t", "turn": turn]]
  }

  private static func delta(_ turn: String, _ words: String) -> JSON {
    [
      "method": "item/agentMessage/delta",
      "params": ["threadId": "t", "turnId": .string(turn), "itemId": .string(turn), "delta": .string(words)],
    ]
  }

  private static func goal(_ status: String) -> JSON {
    [
      "method": "thread/goal/updated",
      "params": ["threadId": "t", "goal": ["objective": "all tests pass", "status": .string(status)]],
    ]
  }

  @Test func aGoalBeginsRunsOfItsOwn() {
    var driver = Self.codex()
    driver.receive(Self.goal("active"), Self.turn("started", "a"), Self.delta("a", "One."))
    #expect(driver.begun == ["towards its goal: all tests pass"] && driver.owed == [["all tests pass"]])
    driver.receive(Self.turn("completed", "a", ["status": "completed"]), Self.turn("started", "b"))
    #expect(driver.end(of: -1) == .completed && driver.text(of: -1) == "One.")
    driver.tell { $0.cancel(-2) }
    #expect(driver.sent.suffix(2).map { $0["method"] } == ["turn/interrupt", "thread/goal/set"])
    #expect(driver.sent.last?["params"] == ["threadId": "t", "status": "paused"])
    driver.receive(Self.goal("paused"), Self.turn("completed", "b", ["status": "interrupted"]))
    #expect(driver.end(of: -2) == .cancelled && driver.owed.last == [])
  }

  @Test func onlyTheAnswerTellsWhoseTurnItIs() {
    var driver = Self.codex()
    driver.say(1)
    var asked = driver.askedTurn
    // Begun by itself before ours was read; what it says comes before the answer.
    driver.receive(
      Self.turn("started", "a"), Self.delta("a", "Mine."), Self.turn("completed", "a", ["status": "completed"]),
      ["id": asked, "result": ["turn": ["id": "b"]]], Self.turn("started", "b"), Self.delta("b", "Yours."),
      Self.turn("completed", "b", ["status": "completed"]))
    #expect(driver.text(of: 1) == "Yours." && driver.end(of: 1) == .completed)
    #expect(driver.text(of: -1) == "Mine." && driver.end(of: -1) == .completed)
    // Read while one goes on, ours goes into that.
    driver.say(2)
    asked = driver.askedTurn
    driver.receive(
      Self.turn("started", "c"), Self.delta("c", "Mine."), ["id": asked, "result": ["turn": ["id": "c"]]],
      Self.delta("c", "Yours."), Self.turn("completed", "c", ["status": "completed"]))
    guard case .stopped = driver.end(of: -2) else { return #expect(Bool(false)) }
    #expect(driver.text(of: -2) == "Mine." && driver.text(of: 2) == "Yours." && driver.end(of: 2) == .completed)
  }

  @Test func whatComesLateOfATurnIsNotTheNext() {
    var driver = Self.codex()
    driver.say(1)
    var asked = driver.askedTurn
    driver.receive(
      ["id": asked, "result": ["turn": ["id": "a"]]], Self.turn("started", "a"),
      Self.turn("completed", "a", ["status": "completed"]))
    driver.say(2)
    asked = driver.askedTurn
    driver.receive(
      Self.delta("a", "Late."), ["id": asked, "result": ["turn": ["id": "b"]]], Self.delta("b", "Yours."),
      Self.turn("completed", "a", ["status": "completed"]))
    #expect(driver.text(of: 2) == "Yours." && driver.end(of: 2) == nil)
  }
}

extension OwnTurnTests.Driver {
  /// The name of the newest request for a turn.
  var askedTurn: JSON { sent.last { $0["method"] == "turn/start" }?["id"] ?? .null }

  mutating func say(_ run: RunID) { tell { $0.start(run, Instruction("do it \(run)")) } }
}
