import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse

/// The parts of a UI message stream, chunk by chunk: what is told of them, and the message that goes back to the server.
struct UIMessagePartsTests {
  /// A dialect in its first run, and what came of that.
  private struct Driver {
    var dialect: UIMessagesDialect
    var turn = HTTPTurn()
    var steps: [HTTPTurn.Step] = []

    init(_ flavour: UIMessagesDialect.Flavour = .plain, _ credential: HTTPCredential? = nil) throws {
      dialect = UIMessagesDialect(
        flavour, try HTTPAgentSpecification(.uiMessages, at: "http://127.0.0.1:9/chat"),
        in: AgentEnvironment(
          workingFolder: "/", executablePath: "", server: ServerEnvironment(credential: credential)))
      tell { $0.start(Instruction("do it"), &$1) }
    }

    mutating func tell(_ change: (inout UIMessagesDialect, inout HTTPTurn) -> Void) {
      change(&dialect, &turn)
      steps += turn.takeSteps()
    }

    mutating func receive(_ chunks: JSON...) {
      for chunk in chunks { receive(data: String(decoding: chunk.bytes, as: UTF8.self)) }
    }

    mutating func receive(data: String) { tell { $0.received(ServerSentEvent(data: data), &$1) } }

    var events: [AgentEvent] { steps.compactMap { if case .report(let event) = $0 { event } else { nil } } }

    var end: AgentTurnEnd? { steps.compactMap { if case .end(let end) = $0 { end } else { nil } }.first }

    /// What is read aloud, a line for each paragraph.
    var said: String {
      events.map { event in
        switch event {
        case .text(let delta): delta
        case .paragraphEnded: "\n"
        default: ""
        }
      }.joined()
    }

    /// The answer as the next instruction brings it back to the server, without its marks of steps.
    mutating func kept() -> JSON? {
      if end == nil { receive(["type": "finish"], ["type": "finish-step"]) }
      if end == nil { receive(data: "[DONE]") }
      guard let end else { return nil }
      tell { $0.ended(end, &$1) }
      turn = HTTPTurn()
      tell { $0.start(Instruction("and now"), &$1) }
      return sent?["messages"]?.elements.dropLast().last
    }

    mutating func parts() -> [JSON] { kept()?["parts"]?.elements.filter { $0["type"] != "step-start" } ?? [] }

    /// The newest request.
    var sent: JSON? {
      steps.compactMap { if case .stream(let request) = $0 { JSON(parsing: request.body) } else { nil } }.last
    }
  }

  private static func text(_ kind: String, _ id: String, _ delta: String? = nil) -> JSON {
    var fields: [String: JSON] = ["type": .string(kind), "id": .string(id)]
    if let delta { fields["delta"] = .string(delta) }
    return .object(fields)
  }

  private static func tool(_ kind: String, _ fields: [String: JSON] = [:]) -> JSON {
    .object(["type": .string("tool-" + kind), "toolCallId": "t"].merging(fields) { $1 })
  }

  /// What is told of a call costs the same, however many were told before.
  @Test(.timeLimit(.minutes(1))) func thousandsOfCallsInOneAnswerAreTakenAtOnce() throws {
    var driver = try Driver()
    let count = ConverseLimits.toolsInRun
    driver.receive(["type": "start"], ["type": "start-step"])
    for number in 0..<count + 10 {
      driver.receive(Self.text("text-start", "x\(number)"), Self.text("text-delta", "x\(number)", "."))
      let call: [String: JSON] = [
        "toolCallId": .string("c\(number)"), "toolName": "ls", "input": [:], "output": "done",
      ]
      for kind in ["input-start", "input-available", "output-available"] { driver.receive(Self.tool(kind, call)) }
    }
    let ended = driver.events.compactMap { if case .toolFinished(let id, .completed) = $0 { id } else { nil } }
    #expect(ended == (0..<count).map { "c\($0)" })
    #expect(driver.said.count { $0 == "." } == count + 10)
  }

  /// A token against forged requests becomes a line of the head: nothing that could end that line is sent.
  @Test(arguments: [
    ("!~", true), ("", false), ("a b", false), ("a\n", false), ("a\r\nX-Other: 1", false), ("a\u{7F}", false),
    ("a\u{0}", false), ("ä", false),
  ])
  func aTokenOfTheServerIsSentOnlyAsAToken(_ token: String, _ isSent: Bool) throws {
    var driver = try Driver(.pageSpace(agent: "p"), HTTPCredential(.variable("COOKIE"), as: .cookie))
    driver.tell { $0.answered(["csrfToken": .string(token)], &$1) }
    let heads = driver.steps.compactMap { if case .stream(let request) = $0 { request.headers } else { nil } }
    #expect(heads.map { $0.contains("X-CSRF-Token: \(token)") } == (isSent ? [true] : []))
    #expect((driver.end == nil) == isSent)
  }

  /// An approval is for one call: a name that the server gives twice approves no second one.
  @Test func anApprovalIsForOneCallWhateverItsName() throws {
    var driver = try Driver()
    driver.receive(
      ["type": "start", "messageId": "m"], Self.ready,
      ["type": "tool-input-available", "toolCallId": "u", "toolName": "run", "input": ["command": "rm -rf /"]],
      Self.tool("approval-request", ["approvalId": "a"]),
      ["type": "tool-approval-request", "toolCallId": "u", "approvalId": "a"], ["type": "finish"])
    driver.receive(data: "[DONE]")
    let asked = driver.events.compactMap { if case .permissionRequested(let request) = $0 { request } else { nil } }
    #expect(asked.map(\.subject.command) == ["make", "rm -rf /"] && Set(asked.map(\.id)).count == 2)
    for (request, choice) in zip(asked, [PermissionRequest.Choice.allowOnce, .rejectOnce]) {
      driver.tell { dialect, turn in
        let asked = turn.close(request.id, choice)
        #expect(asked != nil)
        dialect.decided(request.id, choice, because: nil, &turn)
      }
    }
    let sent = driver.sent?["messages"]?.elements.last?["parts"]?.elements ?? []
    #expect(sent.filter { $0["approval"] != nil }.map { $0["approval"]?["approved"] } == [true, false])
  }

  @Test func whatWasShownIsWhatIsApproved() throws {
    var driver = try Driver()
    driver.receive(
      ["type": "start", "messageId": "m"], Self.ready, Self.tool("approval-request", ["approvalId": "a"]),
      Self.tool("input-available", ["input": ["command": "rm -rf /"]]), ["type": "finish"])
    driver.receive(data: "[DONE]")
    let asked = driver.events.compactMap { if case .permissionRequested(let request) = $0 { request } else { nil } }
    let request = try #require(asked.first)
    #expect(asked.count == 1 && request.subject.command == "make")
    driver.tell { dialect, turn in
      let asked = turn.close(request.id, .allowOnce)
      #expect(asked != nil)
      dialect.decided(request.id, .allowOnce, because: nil, &turn)
    }
    #expect(driver.sent?["messages"]?.elements.last?["parts"]?.elements.first?["input"] == ["command": "make"])
  }

  /// Nor is it changed between the decision and what tells the server of it.
  @Test(arguments: [
    tool("input-delta", ["input": ["command": "rm -rf /"]]), tool("input-start", ["toolName": "delete_file"]),
    tool("input-available", ["input": ["command": "rm -rf /"], "title": "Look", "dynamic": true]),
  ])
  func whatWasApprovedIsWhatGoesBack(_ late: JSON) throws {
    var driver = try Driver()
    driver.receive(
      ["type": "start", "messageId": "m"], Self.ready, Self.tool("approval-request", ["approvalId": "a"]))
    let asked = driver.events.compactMap { if case .permissionRequested(let request) = $0 { request } else { nil } }
    let request = try #require(asked.first)
    driver.tell { dialect, turn in
      let asked = turn.close(request.id, .allowOnce)
      #expect(asked != nil)
      dialect.decided(request.id, .allowOnce, because: nil, &turn)
    }
    driver.receive(late, ["type": "finish"])
    driver.receive(data: "[DONE]")
    let part = driver.sent?["messages"]?.elements.last?["parts"]?.elements.first
    #expect(part?["type"] == "tool-run" && part?["input"] == ["command": "make"])
    #expect(part?["approval"] == ["id": "a", "approved": true])
  }

  private static let ready = tool("input-available", ["toolName": "run", "input": ["command": "make"]])

  /// Models name the texts of each step anew, and many name each the same.
  @Test func aTextThatBeginsIsAPartOfItsOwnWhateverItsName() throws {
    var driver = try Driver()
    driver.receive(
      ["type": "start", "messageId": "m"], ["type": "start-step"], Self.text("text-start", "0"),
      Self.text("text-delta", "0", "I will "), Self.text("text-delta", "0", "run it."), Self.text("text-end", "0"),
      ["type": "finish-step"], ["type": "start-step"], Self.text("text-start", "0"),
      Self.text("text-delta", "0", "It is done."), Self.text("text-end", "0"), ["type": "finish-step"])
    #expect(driver.said == "I will run it.\nIt is done.")
    let kept = driver.kept()
    let message = try #require(kept)
    #expect(message["id"] == "m" && message["role"] == "assistant")
    #expect(
      message["parts"] == [
        ["type": "step-start"], ["type": "text", "text": "I will run it."], ["type": "step-start"],
        ["type": "text", "text": "It is done."],
      ])
  }

  @Test func whatIsWrittenByTurnsIsKeptApart() throws {
    var driver = try Driver()
    driver.receive(
      Self.text("reasoning-start", "a"), Self.text("text-start", "a"), Self.text("text-delta", "a", "One"),
      Self.text("reasoning-delta", "a", "Hm"), Self.text("text-start", "b"), Self.text("text-delta", "b", "Two"),
      Self.text("text-delta", "a", " more."), Self.text("reasoning-delta", "a", "."), Self.text("text-delta", "b", "."))
    #expect(driver.said == "One\nTwo\n more.\n.")
    #expect(driver.events.filter { if case .thought = $0 { true } else { false } }.count == 2)
    // One that said nothing is none.
    driver.receive(Self.text("text-start", "c"), Self.text("text-end", "c"))
    let parts = driver.parts()
    #expect(
      parts.map { [$0["type"], $0["text"]] } == [
        ["text", "One more."], ["reasoning", "Hm."], ["text", "Two."],
      ])
  }

  @Test func aStepThatIsTakenBackIsNotSentBack() throws {
    var driver = try Driver()
    driver.receive(
      ["type": "start-step"], Self.text("text-delta", "0", "Kept."), ["type": "start-step"],
      Self.text("text-delta", "1", "Lost."), Self.ready, ["type": "reset-step"], Self.text("text-delta", "2", "Anew."))
    #expect(driver.said == "Kept.\nLost.\nAnew.")
    let parts = driver.parts()
    #expect(parts.map { $0["text"] } == ["Kept.", "Anew."])
  }

  /// How far a tool call is: what is told of it, and how it goes back.
  @Test(
    arguments: [
      (
        [tool("input-start", ["toolName": "run"]), tool("input-delta", ["inputTextDelta": "{"])], nil, "input-streaming"
      ),
      ([ready], nil, "input-available"),
      ([ready, tool("output-available", ["output": "half", "preliminary": true])], nil, "input-available"),
      ([ready, tool("output-available", ["output": "all"])], .completed, "output-available"),
      ([ready, tool("output-error", ["errorText": "no"])], .failed, "output-error"),
      ([tool("input-error", ["toolName": "run", "input": [:], "errorText": "no"])], .failed, "output-error"),
      ([ready, tool("output-denied")], .declined, "output-denied"),
      ([ready, tool("approval-request", ["approvalId": "a"]), tool("output-denied")], .declined, "output-denied"),
    ] as [([JSON], AgentTool.Outcome?, String)])
  func aToolCallIsToldOnceAndGoesBackAsItIs(_ chunks: [JSON], _ outcome: AgentTool.Outcome?, _ state: String) throws {
    var driver = try Driver()
    for chunk in chunks { driver.receive(chunk) }
    let started = driver.events.filter { if case .toolStarted = $0 { true } else { false } }
    #expect(started.count == (state == "input-streaming" ? 0 : 1))
    let finished = driver.events.compactMap { if case .toolFinished(_, let outcome) = $0 { outcome } else { nil } }
    #expect(finished == (outcome.map { [$0] } ?? []))
    let parts = driver.parts()
    let part = try #require(parts.first)
    #expect(part["type"] == "tool-run" && part["toolCallId"] == "t" && part["state"]?.string == state)
    #expect(part["output"] == (state == "output-available" ? "all" : nil))
    #expect(part["errorText"] == (state == "output-error" ? "no" : nil))
  }

  @Test func aServerThatAsksAgainForWhatWasDecidedIsLeft() throws {
    var driver = try Driver()
    driver.receive(Self.ready, Self.tool("approval-request", ["approvalId": "a"]), ["type": "finish"])
    driver.receive(data: "[DONE]")
    let id = try #require(
      driver.events.compactMap { if case .permissionRequested(let asked) = $0 { asked.id } else { nil } }.first)
    driver.tell { dialect, turn in
      let asked = turn.close(id, .rejectOnce)
      #expect(asked != nil)
      dialect.decided(id, .rejectOnce, because: nil, &turn)
    }
    #expect(driver.end == nil)
    driver.receive(Self.ready, Self.tool("approval-request", ["approvalId": "a"]))
    #expect(driver.end == .stopped(reason: "The server asks again for what was decided."))
  }

  @Test func allThatIsAskedIsDecidedBeforeTheServerHearsIt() throws {
    var driver = try Driver()
    driver.receive(Self.ready, Self.tool("approval-request", ["approvalId": "a"]))
    driver.receive(
      ["type": "tool-input-available", "toolCallId": "u", "toolName": "look", "input": [:], "dynamic": true],
      ["type": "tool-approval-request", "toolCallId": "u", "approvalId": "b"], ["type": "finish-step"],
      ["type": "finish"])
    driver.receive(data: "[DONE]")
    #expect(driver.end == nil)
    let before = driver.steps.count
    func decide(_ name: String, _ choice: PermissionRequest.Choice, _ reason: String? = nil) {
      let id = PermissionID(rawValue: name)
      driver.tell { dialect, turn in
        let asked = turn.close(id, choice)
        #expect(asked != nil)
        dialect.decided(id, choice, because: reason, &turn)
      }
    }
    decide(#"["b","u"]"#, .rejectOnce, "not now")
    #expect(!driver.steps[before...].contains { if case .stream = $0 { true } else { false } })
    decide(#"["a","t"]"#, .allowOnce)
    let message = try #require(driver.sent?["messages"]?.elements.last)
    #expect(driver.sent?["trigger"] == "submit-message" && driver.sent?["messageId"] == message["id"])
    #expect(
      message["parts"] == [
        [
          "type": "tool-run", "toolCallId": "t", "input": ["command": "make"], "state": "approval-responded",
          "approval": ["id": "a", "approved": true],
        ],
        [
          "type": "dynamic-tool", "toolName": "look", "toolCallId": "u", "input": [:], "state": "approval-responded",
          "approval": ["id": "b", "approved": false, "reason": "not now"],
        ],
      ])
  }

  @Test func dataOfOneNameIsReplacedAndWhatIsPassingIsNotKept() throws {
    var driver = try Driver()
    driver.receive(
      ["type": "data-mood", "id": "d", "data": 1], ["type": "data-mood", "data": 2], ["type": "data-mood", "data": 3],
      ["type": "data-mood", "id": "d", "data": 4], ["type": "data-mood", "id": "e", "data": 5, "transient": true],
      ["type": "file", "mediaType": "image/png", "url": "data:image/png;base64,"])
    let parts = driver.parts()
    #expect(parts.map { $0["data"] ?? $0["type"] } == [4, 2, 3, "file"])
  }

  @Test func whatIsUnknownOrBrokenChangesNothing() throws {
    var driver = try Driver()
    for data in ["", "{", "7", "[]", "{}", #"{"type": 7}"#, #"{"type": "later"}"#, #"{"type": "tool-later"}"#] {
      driver.receive(data: data)
    }
    driver.receive(Self.text("text-delta", "0", "Hello."))
    #expect(driver.said == "Hello." && driver.events.count == 1)
    let parts = driver.parts()
    #expect(parts == [["type": "text", "text": "Hello."]])
  }

  @Test(
    arguments: [
      (nil, nil), ("stop", nil), ("tool-calls", nil), ("length", "length limit"), ("error", "failed"),
      ("content-filter", "broke its answer off: content-filter"),
    ] as [(String?, String?)])
  func howItFinishedIsItsEnd(_ finish: String?, _ words: String?) throws {
    var driver = try Driver()
    driver.receive(Self.text("text-delta", "0", "Hello."))
    driver.receive(["type": "finish", "finishReason": finish.map { .string($0) } ?? .null])
    driver.tell { $0.streamEnded(&$1) }
    guard let words else { return #expect(driver.end == .completed) }
    switch driver.end {
    case .stopped(let reason), .failed(let reason), .unconfirmed(let reason, _): #expect(reason.contains(words))
    default: Issue.record("\(String(describing: driver.end))")
    }
  }

  @Test func aStreamThatEndsWithoutSayingSoIsNotOver() throws {
    var driver = try Driver()
    driver.receive(Self.text("text-delta", "0", "Hello."))
    driver.tell { $0.streamEnded(&$1) }
    #expect(driver.end == nil)
  }

  @Test(arguments: [(true, .several), (false, .one), (nil, .one)] as [(JSON?, AgentQuestion.Selection)])
  func aQuestionSaysHowManyAnswersItTakes(_ isMulti: JSON?, _ selection: AgentQuestion.Selection) throws {
    var driver = try Driver()
    var question: [String: JSON] = ["question": "Which?", "options": ["a", "b"]]
    question["multiSelect"] = isMulti
    driver.receive(
      ["type": "start", "messageId": "m"],
      [
        "type": "tool-input-available", "toolCallId": "t", "toolName": "ask",
        "input": ["questions": [.object(question)]],
      ], ["type": "finish"])
    driver.receive(data: "[DONE]")
    let asked = driver.events.compactMap { if case .questionAsked(let question) = $0 { question } else { nil } }
    #expect(asked.map(\.selection) == [selection])
  }
}
