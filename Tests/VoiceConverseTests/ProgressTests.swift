import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// What an agent tells of how far it is: its to-do list, and who works for it.
struct ProgressTests {
  private typealias Driver = OwnTurnTests.Driver

  /// Claude Code at work for the user.
  private static func claude() -> Driver<ClaudeDialect> {
    var driver = Driver<ClaudeDialect>("claude")
    driver.tell { $0.open() + $0.launched() }
    driver.receive(["type": "control_response", "response": ["subtype": "success", "response": [:]]])
    driver.tell { $0.start(1, Instruction("work")) }
    driver.receive(["type": "system", "subtype": "init", "session_id": "s"])
    return driver
  }

  private static func call(_ id: String, _ name: String, _ input: JSON, parent: JSON = .null) -> JSON {
    let block: JSON = ["type": "tool_use", "id": .string(id), "name": .string(name), "input": input]
    return [
      "type": "assistant", "parent_tool_use_id": parent, "message": ["id": .string("m" + id), "content": [block]],
    ]
  }

  private static func result(_ id: String, _ words: String, isError: Bool = false) -> JSON {
    let block: JSON = [
      "type": "tool_result", "tool_use_id": .string(id), "is_error": .bool(isError), "content": .string(words),
    ]
    return ["type": "user", "message": ["content": [block]]]
  }

  private static func plans(_ reports: [AgentEvent]) -> [[String]] {
    reports.compactMap {
      if case .plan(let entries) = $0 { entries.map { "\($0.text): \($0.status)" } } else { nil }
    }
  }

  private static func titles(_ reports: [AgentEvent]) -> [String] {
    reports.compactMap {
      switch $0 {
      case .toolStarted(let tool): tool.title
      case .toolUpdated(_, let title): title
      default: nil
      }
    }
  }

  @Test func aListThatClaudeCodeWritesWholeIsShownAsItChanges() {
    var driver = Self.claude()
    func list(_ status: String) -> JSON {
      ["todos": [["content": "Look", "status": .string(status)], ["content": "Mend", "status": "pending"]]]
    }
    driver.receive(Self.call("a", "TodoWrite", list("in_progress")))
    #expect(Self.plans(driver.reports(of: 1)).isEmpty)
    driver.receive(Self.result("a", "Todos have been modified successfully"))
    driver.receive(Self.call("b", "TodoWrite", list("cancelled")), Self.result("b", "not now", isError: true))
    driver.receive(Self.call("c", "TodoWrite", list("completed")), Self.result("c", "Todos have been modified"))
    #expect(
      Self.plans(driver.reports(of: 1)) == [
        ["Look: in_progress", "Mend: pending"], ["Look: completed", "Mend: pending"],
      ])
    #expect(Self.titles(driver.reports(of: 1)) == Array(repeating: "Write the to-do list", count: 3))
  }

  @Test func aListThatClaudeCodeWritesEntryByEntryIsShownAsItChanges() {
    var driver = Self.claude()
    let calls: [(tool: String, input: JSON, answer: String)] = [
      ("TaskCreate", ["subject": "Look", "description": "at it"], "Task #1 created successfully: Look"),
      ("TaskCreate", ["subject": "Mend", "description": "it"], "Task #2 created successfully: Mend"),
      ("TaskUpdate", ["taskId": "1", "status": "in_progress"], "Updated task #1 status"),
      ("TaskUpdate", ["taskId": "2", "subject": "Mend all"], "Updated task #2 subject"),
      ("TaskUpdate", ["taskId": "9", "status": "completed"], "Task not found"),
      ("TaskUpdate", ["taskId": "1", "status": "deleted"], "Updated task #1 deleted"),
    ]
    for (place, call) in calls.enumerated() {
      driver.receive(Self.call("\(place)", call.tool, call.input), Self.result("\(place)", call.answer))
    }
    #expect(
      Self.plans(driver.reports(of: 1)) == [
        ["Look: pending"], ["Look: pending", "Mend: pending"], ["Look: in_progress", "Mend: pending"],
        ["Look: in_progress", "Mend all: pending"], ["Mend all: pending"],
      ])
  }

  @Test func aHelperOfClaudeCodeIsNamedWithWhatItIsForAndWhatItDoes() {
    var driver = Self.claude()
    driver.receive(
      Self.call("h", "Task", ["subagent_type": "Explore", "description": "find the parser", "prompt": "Look."]),
      Self.call("t", "Bash", ["command": "make"], parent: "h"))
    #expect(Self.titles(driver.reports(of: 1)) == ["Helper Explore: find the parser", "Helper Explore: Run make"])
  }

  /// Codex at work for the user.
  private static func codex() -> Driver<CodexDialect> {
    var driver = Driver<CodexDialect>("codex")
    driver.tell { $0.open() + $0.launched() }
    func answer(_ method: String, _ result: JSON) {
      let request = driver.sent.last { $0["method"]?.string == method }
      driver.receive(["id": request?["id"] ?? .null, "result": result])
    }
    answer("initialize", [:])
    answer("thread/start", ["thread": ["id": "t"]])
    driver.tell { $0.start(1, Instruction("work")) }
    answer("turn/start", ["turn": ["id": "u"]])
    return driver
  }

  @Test func whatCodexHasItsHelpersDoIsShown() {
    var driver = Self.codex()
    for (tool, prompt) in [("spawnAgent", "Find the parser.\nThen stop."), ("wait", nil), ("listAgents", nil)]
      as [(String, String?)]
    {
      let item: JSON = [
        "type": "collabAgentToolCall", "id": .string(tool), "tool": .string(tool), "status": "inProgress",
        "prompt": prompt.map { .string($0) } ?? .null,
      ]
      driver.receive(["method": "item/started", "params": ["threadId": "t", "turnId": "u", "item": item]])
    }
    #expect(Self.titles(driver.reports(of: 1)) == ["Ask a helper: Find the parser.", "Wait for helpers"])
  }

  private static func hook(_ event: String, _ status: String, _ words: String, _ name: String = "h") -> JSON {
    let entry: JSON = ["kind": "feedback", "text": .string(words)]
    let run: JSON = [
      "id": .string(name), "eventName": .string(event), "status": .string(status), "entries": [entry],
    ]
    return [
      "method": status == "running" ? "hook/started" : "hook/completed",
      "params": ["threadId": "t", "turnId": "u", "run": run],
    ]
  }

  private static let completed: JSON = [
    "method": "turn/completed", "params": ["threadId": "t", "turn": ["id": "u", "status": "completed"]],
  ]

  @Test(arguments: ["blocked", "stopped"]) func whatAHookOfCodexStoppedIsNotDone(_ status: String) {
    var driver = Self.codex()
    driver.receive(Self.hook("userPromptSubmit", status, "not on Fridays"), Self.completed)
    #expect(driver.end(of: 1) == .failed(reason: "A hook blocked it before it reached the model: not on Fridays"))
    // The next one is another.
    driver.tell { $0.start(2, Instruction("again")) }
    let request = driver.sent.last { $0["method"]?.string == "turn/start" }
    driver.receive(["id": request?["id"] ?? .null, "result": ["turn": ["id": "u"]]], Self.completed)
    #expect(driver.end(of: 2) == .completed)
  }

  @Test func whatElseAHookOfCodexStopsIsToldAndTheTurnGoesOn() {
    var driver = Self.codex()
    driver.receive(
      Self.hook("preToolUse", "blocked", "not on Fridays"), Self.hook("postToolUse", "failed", "no such file"),
      [
        "method": "item/agentMessage/delta", "params": ["threadId": "t", "turnId": "u", "itemId": "i", "delta": "Hm."],
      ],
      Self.hook("userPromptSubmit", "blocked", "nor that"), Self.completed)
    let told = driver.reports(of: 1).compactMap { if case .status(let text) = $0 { text } else { nil } }
    #expect(
      told == [
        "A hook did not let Codex act: not on Fridays", "A hook of Codex failed: no such file",
        "A hook blocked what was added before it reached the model: nor that",
      ])
    #expect(driver.end(of: 1) == .completed)
  }

  @Test(arguments: [false, true]) func onlyAHookThatLastsIsShown(_ lasts: Bool) {
    var driver = Self.codex()
    driver.receive(Self.hook("userPromptSubmit", "running", ""))
    #expect(driver.effects.last == .arm(.hook("h"), milliseconds: 2_000))
    if !lasts { driver.receive(Self.hook("userPromptSubmit", "completed", "")) }
    driver.tell { $0.passed(.hook("h")) }
    let told = driver.reports(of: 1).compactMap { if case .status(let text) = $0 { text } else { nil } }
    #expect(told == (lasts ? ["Codex runs a hook before it begins."] : []))
  }

  @Test func asManyHooksAsTheLimitAreWatched() {
    var driver = Self.codex()
    let names = (0...ConverseLimits.hooksInTurn).map { "h\($0)" }
    for name in names { driver.receive(Self.hook("userPromptSubmit", "running", "", name)) }
    let watched = names.filter { name in
      driver.effects.contains { if case .arm(.hook(name), _) = $0 { true } else { false } }
    }
    #expect(watched == names.dropLast())
  }

  /// What is said into the turn before anything came of it is refused; the instruction itself was not.
  @Test func aHookThatRefusesWhatWasAddedIsNotOneThatRefusesTheTurn() {
    var driver = Self.codex()
    driver.receive(Self.hook("userPromptSubmit", "running", ""), Self.hook("userPromptSubmit", "completed", ""))
    driver.tell { $0.steer(1, Instruction("and that")) }
    driver.receive(
      Self.hook("userPromptSubmit", "running", "", "i"), Self.hook("userPromptSubmit", "blocked", "no", "i"))
    driver.receive(Self.completed)
    #expect(
      driver.reports(of: 1).contains(.status(text: "A hook blocked what was added before it reached the model: no")))
    #expect(driver.end(of: 1) == .completed)
    // One of the instruction itself that ends only behind it refuses the turn.
    var other = Self.codex()
    other.receive(Self.hook("userPromptSubmit", "running", ""))
    other.tell { $0.steer(1, Instruction("and that")) }
    other.receive(Self.hook("userPromptSubmit", "blocked", "no"), Self.completed)
    #expect(other.end(of: 1) == .failed(reason: "A hook blocked it before it reached the model: no"))
  }

  @Test func theListOfCodexIsShownAsItChanges() {
    let plan: JSON = [["step": "Look.", "status": "completed"], ["step": "Mend."]]
    let entries = [
      AgentPlanEntry(text: "Look.", status: "completed"), AgentPlanEntry(text: "Mend.", status: "pending"),
    ]
    var driver = Self.codex()
    driver.receive(["method": "turn/plan/updated", "params": ["threadId": "t", "turnId": "u", "plan": plan]])
    #expect(driver.reports(of: 1).last == .plan(entries: entries))
    var exec = Driver<CodexExecDialect>("codex")
    exec.tell { $0.open() + $0.launched() + $0.start(1, Instruction("work")) }
    let items: JSON = [["text": "Look.", "completed": true], ["text": "Mend.", "completed": false]]
    exec.receive(["type": "item.updated", "item": ["id": "i", "type": "todo_list", "items": items]])
    #expect(exec.reports(of: 1).last == .plan(entries: entries))
  }
}
