import Testing
import VoiceJSON
import VoiceVocabulary

@testable import VoiceConverse
@testable import VoiceLanguage

/// Which call a permission request is about: the one that it names, as soon as the agent tells that one.
struct AskedCallTests {
  private let name = PermissionID(rawValue: "p")
  private let remark = "The agent does not say which of its calls it asks for."

  /// `ls` is announced, and permission is asked for something that was not told yet.
  private func turn(about fields: JSON) -> (turn: AgentTurn, request: PermissionRequest?) {
    var turn = AgentTurn()
    _ = turn.tool("x", ["kind": "execute", "title": "ls", "rawInput": ["command": "ls"]])
    let events = turn.ask(name, request: 1, options: [(.allowOnce, true), (.rejectOnce, false)], about: fields)
    return (turn, events.flatMap(Self.requests)?.first)
  }

  private static func requests(_ events: [AgentEvent]) -> [PermissionRequest] {
    events.compactMap { if case .permissionRequested(let request) = $0 { request } else { nil } }
  }

  static let undescribed: [JSON] = [
    ["toolCallId": "zzz"], ["toolCallId": "zzz", "title": "Confirm"],
    ["toolCallId": "zzz", "kind": "execute", "title": "ls", "rawInput": ["command": "ls"]],
  ]

  @Test(arguments: undescribed) func aCallThatIsToldAfterItWasAskedAboutIsAskedAboutAnew(_ fields: JSON) throws {
    var (turn, first) = turn(about: fields)
    #expect(first?.subject.command == "ls")
    let events = turn.tool("zzz", ["kind": "execute", "title": "rm", "rawInput": ["command": "rm -rf /important"]])
    #expect(events.contains(.permissionWithdrawn(id: name)))
    let second = try #require(Self.requests(events).first)
    #expect(second.subject.command == "rm -rf /important" && second.wholeText.contains("rm -rf /important"))
    #expect(second.subject.isGuessed == nil && !second.detail.contains(remark))
    // A yes to what was shown before is none to this.
    #expect(turn.close(name, choosing: .allowOnce) == nil)
    #expect(turn.close(second.id, choosing: .allowOnce)?.tool == "zzz")
  }

  @Test func whatIsToldOfACallThatIsNotYetDescribedIsShownOnceItIs() throws {
    var (turn, _) = turn(about: ["toolCallId": "zzz"])
    let bare = try #require(Self.requests(turn.tool("zzz", ["title": "Something", "status": "pending"])).first)
    #expect(bare.title == "Something" && bare.subject.command == nil)
    // Another call is none of this one's concern.
    #expect(Self.requests(turn.tool("y", ["kind": "execute", "rawInput": ["command": "pwd"]])) == [])
    let events = turn.tool("zzz", ["kind": "execute", "rawInput": ["command": "rm x"]])
    let told = try #require(Self.requests(events).first)
    #expect(told.subject.command == "rm x")
    // Nor does it end with the call that it was shown as.
    _ = turn.finish("x", .completed)
    #expect(turn.permissions.map(\.id) == [told.id])
    #expect(turn.finish("zzz", .completed).contains(.permissionWithdrawn(id: told.id)))
  }

  /// A request that says itself what it is about is none of a call that happens to be open.
  @Test func anotherCallDoesNotEndARequestThatDescribesItself() throws {
    var (turn, first) = turn(about: [
      "toolCallId": "zzz", "kind": "execute", "title": "rm", "rawInput": ["command": "rm x"],
    ])
    #expect(first?.subject.command == "rm x")
    #expect(!turn.finish("x", .completed).contains(.permissionWithdrawn(id: name)))
    #expect(turn.close(name, choosing: .rejectOnce) != nil)
    (turn, first) = self.turn(about: [
      "toolCallId": "zzz", "kind": "execute", "title": "rm", "rawInput": ["command": "rm x"],
    ])
    _ = turn.close(name, choosing: .rejectOnce)
    #expect(turn.finish("x", .completed).contains(.toolFinished(id: "x", outcome: .completed)))
  }

  /// Where an answer allows what stands in the request, nothing that is told of the call may take its place on the screen.
  @Test func whatIsShownIsWhatIsAnswered() {
    var turn = AgentTurn()
    let asked: JSON = ["toolCallId": "t", "kind": "execute", "title": "Run", "rawInput": ["command": "rm -rf src"]]
    let events = turn.ask(
      name, request: 1, options: [(.allowOnce, true), (.rejectOnce, false)], about: asked, allows: .request)
    #expect(Self.requests(events ?? []).first?.subject.command == "rm -rf src")
    _ = turn.tool("t", ["kind": "execute", "title": "Run", "rawInput": ["command": "ls docs"]])
    #expect(turn.permissions.first?.asked.subject.command == "rm -rf src")
    #expect(turn.permissions.first?.asked.wholeText.contains("ls docs") == false)
  }

  @Test(arguments: [200, 201]) func whatIsAllowedFromNowOnIsShownWholeOrNotOffered(_ count: Int) throws {
    var turn = AgentTurn()
    let scope = String(repeating: "x", count: count)
    let events = turn.ask(
      name, request: 1, options: [(.allowOnce, true), (.allowAlways, 2), (.rejectOnce, false)],
      about: ["toolCallId": "t", "kind": "execute", "rawInput": ["command": "ls"]], always: scope)
    let request = try #require(Self.requests(events ?? []).first)
    #expect(request.always == (count == 200 ? scope : nil))
    #expect(request.choices.contains(.allowAlways) == (count == 200))
  }

  /// What changes of the call that is shown says nothing of the one that is asked for.
  @Test func aGuessStaysAGuess() throws {
    var (turn, first) = turn(about: ["toolCallId": "zzz", "title": "Confirm"])
    #expect(first?.detail == "ls\n\(remark) It says: Confirm")
    #expect(first?.subject.isGuessed == true && first?.wholeText.contains(remark) == true)
    _ = turn.tool("y", ["kind": "execute", "rawInput": ["command": "pwd"]])
    let events = turn.tool("x", ["toolCallId": "x", "title": "ls -l", "rawInput": ["command": "ls -l"]])
    let second = try #require(Self.requests(events).first)
    #expect(second.subject.command == "ls -l" && second.subject.isGuessed == true)
    let third = try #require(Self.requests(turn.tool("zzz", ["title": "rm", "rawInput": ["command": "rm"]])).first)
    #expect(third.subject.command == "rm")
  }

  /// The name of a call that is over, for another one.
  @Test func aCallThatIsToldOnceMoreIsAskedAboutAnew() throws {
    var turn = AgentTurn()
    _ = turn.tool("zzz", ["kind": "execute", "rawInput": ["command": "pwd"]])
    _ = turn.finish("zzz", .completed)
    _ = turn.tool("x", ["kind": "execute", "rawInput": ["command": "ls"]])
    _ = turn.ask(name, request: 1, options: [(.allowOnce, true)], about: ["toolCallId": "zzz"])
    let events = turn.tool("zzz", ["kind": "execute", "rawInput": ["command": "rm x"]])
    #expect(try #require(Self.requests(events).first).subject.command == "rm x")
  }

  /// What is asked for in a turn that is over is asked in the next one, where its call may still change.
  @Test func aCallThatChangesInTheNextTurnIsAskedAboutAnew() throws {
    var turn = AgentTurn()
    _ = turn.tool("x", ["kind": "execute", "title": "ls", "rawInput": ["command": "ls"]])
    _ = turn.ask(name, request: 1, options: [(.allowOnce, true)], about: ["toolCallId": "x"])
    let next = turn.successor { _ in true }
    var (same, other) = (next, next)
    #expect(Self.requests(same.tool("x", ["status": "pending"])) == [])
    let events = other.tool("x", ["rawInput": ["command": "rm x"]])
    #expect(try #require(Self.requests(events).first).subject.command == "rm x")
  }
}
