import Testing
import VoiceCore
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse
@testable import VoiceLanguage

/// What an agent tells of an act reaches the user whole.
struct PermissionDetailTests {
  private func asked(_ fields: JSON, after tools: [(String, JSON)] = []) throws -> PermissionRequest {
    var turn = AgentTurn()
    for (id, fields) in tools { _ = turn.tool(id, fields) }
    let events = turn.ask(
      .init(rawValue: "p"), request: 1, options: [(.allowOnce, true), (.rejectOnce, false)], about: fields)
    let requests = try #require(events).compactMap { event -> PermissionRequest? in
      if case .permissionRequested(let request) = event { request } else { nil }
    }
    return try #require(requests.first)
  }

  @Test func aLongCommandIsToldToItsEnd() throws {
    let command = "echo " + String(repeating: "x", count: 50_000) + "; rm -rf build"
    let request = try asked(["kind": "execute", "rawInput": ["command": .string(command)]])
    #expect(request.subject.command == command)
    #expect(request.detail == command)
    #expect(request.unseenCharacters == nil)
  }

  @Test func whatIsTooLongToBeCarriedSaysSo() throws {
    let command = "echo " + String(repeating: "x", count: ConverseLimits.detailCharacters)
    let request = try asked(["kind": "execute", "rawInput": ["command": .string(command)]])
    #expect(request.unseenCharacters == 5)
    #expect(request.refusal(ofAllowing: true) != nil)
  }

  @Test func aTitleThatIsCutSaysSo() throws {
    let hidden = "ls" + String(repeating: " ", count: 3_000) + "; rm -rf build"
    let request = try asked(["kind": "execute", "title": .string(hidden), "rawInput": ["command": .string(hidden)]])
    #expect(request.title.hasSuffix("…") && request.detail.contains(hidden))
  }

  /// What was shown is not what would be allowed any more.
  @Test func aCallThatChangesWhileItIsAskedAboutIsAskedAnew() throws {
    var turn = AgentTurn()
    _ = turn.tool("t", ["kind": "execute", "title": "Run ls", "rawInput": ["command": "ls"]])
    let about: JSON = ["toolCallId": "t", "title": "Run ls", "rawInput": ["command": "ls"]]
    _ = turn.ask(.init(rawValue: "p"), request: 1, options: [(.allowOnce, true)], about: about)
    #expect(turn.tool("t", ["status": "pending", "rawInput": ["command": "ls"]]) == [])
    let events = turn.tool("t", ["title": "Run rm", "rawInput": ["command": "rm -rf build"]])
    #expect(events.contains(.permissionWithdrawn(id: .init(rawValue: "p"))))
    guard case .permissionRequested(let request)? = events.last else { return #expect(Bool(false), "\(events)") }
    #expect(request.subject.command == "rm -rf build" && request.title.contains("rm -rf build"))
    #expect(turn.close(request.id, choosing: .allowOnce)?.options == [.allowOnce: true])
  }

  @Test func ofSeveralWaysToAllowOnceTheOneThatIsGivenIsNamed() async throws {
    var session = ChildSession<ACPDialect>(settings: .init(name: "agent", workingFolder: "/work"))
    var effects = session.open() + session.launched()
    func receive(_ message: [String: JSON]) {
      effects += session.receive(JSON.object(message.merging(["jsonrpc": "2.0"]) { $1 }).bytes)
    }
    receive(["id": 1, "result": ["protocolVersion": 1]])
    receive(["id": 2, "result": ["sessionId": "s"]])
    effects += session.start(1, Instruction("do it"))
    let options: JSON = [
      ["optionId": "risk", "name": "Confirm low risk", "kind": "allow_once"],
      ["optionId": "yes", "name": "Yes", "kind": "allow_once"],
      ["optionId": "no", "name": "No", "kind": "reject_once"],
    ]
    receive([
      "id": 7, "method": "session/request_permission",
      "params": ["sessionId": "s", "toolCall": ["toolCallId": "t", "title": "make"], "options": options],
    ])
    let requests = effects.compactMap { effect -> PermissionRequest? in
      if case .post(.agentReported(_, .permissionRequested(let request))) = effect { request } else { nil }
    }
    let request = try #require(requests.first)
    let names = "“Confirm low risk”, and not “Yes”, which only the agent's own terminal offers"
    #expect(request.particulars.contains("Answer 1 allows once: \(names)"))
    effects = session.answer(request.id, of: 1, with: .allowOnce)
    let sent = effects.compactMap { if case .send(let bytes) = $0 { JSON(parsing: bytes) } else { nil } }
    #expect(sent.first?["result"]?["outcome"]?["optionId"] == "risk")
  }

  @Test func everyFileOfAnEditIsThere() throws {
    let names = (1...40).map { "src/file\($0).c" }
    let content = names.map { name -> JSON in
      ["type": "diff", "path": .string(name), "oldText": "same\nold\nend", "newText": .string("same\n\(name)\nend")]
    }
    let request = try asked(["kind": "edit", "title": "Edit", "content": .array(content)])
    #expect(request.subject.paths == names)
    for name in names { #expect(request.detail.contains("\n\(name)\n- old\n+ \(name)") || name == names[0]) }
    #expect(request.detail.hasPrefix("src/file1.c\n- old\n+ src/file1.c"))
    #expect(request.subject.change == .init(files: 40, linesAdded: 40, linesRemoved: 40))
  }

  @Test func severalEditsOfOneFileAreThere() throws {
    let edits: JSON = [["old_string": "a", "new_string": "b"], ["old_string": "c", "new_string": "rm -rf"]]
    let request = try asked(["kind": "edit", "rawInput": ["file_path": "x.c", "edits": edits]])
    #expect(request.detail == "x.c\n- a\n+ b\n- c\n+ rm -rf")
    #expect(request.subject.overwrites == nil)
    #expect(request.subject.arguments == nil)
  }

  @Test func whatWritesOverAFileSaysSo() throws {
    let request = try asked(["kind": "edit", "rawInput": ["file_path": "x.c", "content": "new"]])
    #expect(request.subject.overwrites == true)
    #expect(request.detail == "x.c\n+ new")
  }

  @Test func everyArgumentOfAToolIsThere() throws {
    let request = try asked([
      "kind": "other", "title": "query", "toolName": "query",
      "rawInput": ["path": "x", "sql": "DROP SCHEMA public", "options": ["cascade": true]],
    ])
    #expect(request.detail == "x\noptions: {\"cascade\":true}\nsql: DROP SCHEMA public")
    #expect(request.subject.arguments?.map(\.name) == ["options", "sql"])
  }

  @Test(arguments: [JSON.string("rm -rf build"), ["rm", "-rf", "build"], 7])
  func anInputThatIsNoObjectIsThere(_ input: JSON) throws {
    let request = try asked(["kind": "other", "title": "x", "rawInput": input])
    #expect(request.detail.hasPrefix("input: "))
  }

  @Test func anArgumentBesideACommandIsThere() throws {
    let request = try asked([
      "kind": "execute",
      "rawInput": ["command": "ls", "description": "List", "run_in_background": true, "env": ["PATH": "."]],
    ])
    #expect(request.detail == "ls\nenv: {\"PATH\":\".\"}\nrun_in_background: true")
    #expect(KeyboardOnlyActs(workingFolder: "/w").refusal(of: request) != nil)
  }

  @Test func aTitleThatIsCutIsThereWhole() throws {
    let title = String(repeating: "very ", count: 60) + "rm -rf build"
    let request = try asked(["kind": "other", "title": .string(title)])
    #expect(request.detail.hasSuffix("rm -rf build"))
  }

  @Test func aTitleThatCannotBeSaidIsThere() throws {
    let title = "rm -rf / {\"a\":1}"
    #expect(try asked(["kind": "other", "title": .string(title)]).detail == title)
  }

  /// OpenHands names a call that it never announced, and means the newest.
  @Test func aRequestThatDoesNotSayWhatForIsShownAsTheNewestCallAndNeedsAKey() throws {
    let announced = [("a", ["kind": "execute", "title": "run", "rawInput": ["command": "ls"]] as JSON)]
    let vague = try asked(["toolCallId": "b", "title": "Confirm"], after: announced)
    #expect(vague.subject.command == "ls")
    #expect(vague.subject.isGuessed == true)
    #expect(KeyboardOnlyActs(workingFolder: "/w").refusal(of: vague) != nil)
    let kindless = try asked(["toolCallId": "b", "rawInput": ["command": "ls"]], after: announced)
    #expect(kindless.subject.isGuessed == true)
    let named = try asked(["toolCallId": "a"], after: announced)
    #expect(named.subject.isGuessed == nil)
    #expect(KeyboardOnlyActs(workingFolder: "/w").refusal(of: named) == nil)
  }

  @Test func aPatternIsAnArgumentToBeJudged() throws {
    let request = try asked(["kind": "search", "toolName": "Glob", "rawInput": ["pattern": "/etc/*"]])
    #expect(request.subject.arguments?.map(\.name) == ["pattern"])
    #expect(KeyboardOnlyActs(workingFolder: "/w").refusal(of: request) != nil)
  }
}
