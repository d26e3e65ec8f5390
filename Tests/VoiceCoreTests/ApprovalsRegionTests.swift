import Testing
import VoiceReplay
import VoiceVocabulary

@testable import VoiceCore

/// What is allowed from now on is listed, and taken back.
struct ApprovalsRegionTests {
  private static let session = AgentSessionID(rawValue: "s")
  private static let record = ApprovalRecord(places: [.init(file: "rules", entries: ["make"])])

  private static func request(_ id: String, _ record: ApprovalRecord?) -> PermissionRequest {
    PermissionRequest(
      id: PermissionID(rawValue: id), title: "Run \(id)", detail: "", choices: [.allowOnce, .allowAlways, .rejectOnce],
      always: "every \(id)", record: record)
  }

  private static func agent(_ capabilities: AgentCapabilities) -> AgentDescription {
    AgentDescription(name: "a", session: session, capabilities: capabilities)
  }

  private static func shown(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { action in
      switch action {
      case .show(.agentListed(let number, let text)): "\(number) \(text)"
      case .show(.cannot(let text)), .show(.warning(let text)): text
      default: nil
      }
    }
  }

  @Test func numbersStayAndWhatOnlyTheAgentRemembersEndsWithIt() {
    var region = ApprovalsRegion()
    region.given(Self.request("a", ApprovalRecord()))
    region.given(Self.request("b", Self.record))
    region.given(Self.request("c", nil))
    #expect(region.takeBack(7) == nil)
    #expect(region.takeBack(2)?.title == "Run b")
    region.takeBackFailed()
    // It begins again for another reason: what is written stays, and what nobody knows of too.
    #expect(region.reopened().map(\.number) == [1])
    #expect(region.takeBack(3)?.title == "Run c")
    #expect(region.reopened().map(\.number) == [3])
    #expect(region.standing.map(\.number) == [2])
  }

  @Test func whatIsAllowedFromNowOnIsListedAndTakenBackInTheSameSession() throws {
    var talk = Talk(.init { $0.mode = .direct })
    talk.give(.agentReady(agent: Self.agent([.resume, .ask])))
    #expect(Self.shown(try talk.command("agent-approvals")) == ["No standing approvals."])
    try talk.work()
    let run = talk.run
    talk.give(.agentReported(run: run, event: .permissionRequested(request: Self.request("make", Self.record))))
    let given = try talk.command("choose 2")
    #expect(Self.shown(given).contains("Allowed from now on, without being asked: every make."))
    #expect(Self.shown(try talk.command("agent-approvals")) == ["1 Run make: every make"])
    #expect(talk.controller.status.approvals == 1)
    // Not while it works.
    #expect(
      !(try talk.command("agent-approvals undo 1")).contains { if case .takeBackApproval = $0 { true } else { false } })
    talk.give(.agentReported(run: run, event: .turnEnded(end: .completed)))
    #expect(Self.shown(try talk.command("agent-approvals undo 2")).first?.contains("no such number") == true)
    let back = try talk.command("agent-approvals undo 1")
    #expect(back.contains(.takeBackApproval(record: Self.record, start: .resume(Self.session))))
    // It could not be removed, so it stands.
    talk.give(.agentSessionRefused(reason: "It cannot be taken back."))
    #expect(Self.shown(try talk.command("agent-approvals")) == ["1 Run make: every make"])
    _ = try talk.command("agent-approvals undo 1")
    let told = talk.give(.agentReady(agent: Self.agent([.resume, .ask])))
    #expect(Self.shown(told).contains("Not allowed any more without being asked: Run make."))
    #expect(Self.shown(try talk.command("agent-approvals")) == ["No standing approvals."])
  }

  @Test func whereTheAgentKeepsItIsNotKnownAndSoNeitherIsItsEnd() throws {
    var talk = Talk(.init { $0.mode = .direct })
    talk.give(.agentReady(agent: Self.agent([.resume, .ask])))
    try talk.work()
    let run = talk.run
    talk.give(.agentReported(run: run, event: .permissionRequested(request: Self.request("make", nil))))
    _ = try talk.command("choose 2")
    talk.give(.agentReported(run: run, event: .turnEnded(end: .completed)))
    _ = try talk.command("agent-approvals undo 1")
    let told = Self.shown(talk.give(.agentReady(agent: Self.agent([.resume, .ask]))))
    #expect(told.contains("a has begun again, and does not say whether it still allows this without asking: Run make."))
    #expect(!told.contains { $0.contains("Not allowed any more") })
  }

  @Test func anAgentThatCannotGoOnWithASessionIsNotEnded() throws {
    var talk = Talk(.init { $0.mode = .direct })
    talk.give(.agentReady(agent: Self.agent([.ask])))
    try talk.work()
    let run = talk.run
    talk.give(.agentReported(run: run, event: .permissionRequested(request: Self.request("make", nil))))
    _ = try talk.command("choose 2")
    talk.give(.agentReported(run: run, event: .turnEnded(end: .completed)))
    let words = Self.shown(try talk.command("agent-approvals undo 1"))
    #expect(words.count == 1 && words[0].contains("cannot restart in the same session"))
  }

  @Test(arguments: ["agent-approvals", "agent-approvals undo 3"]) func theLineReadsAsItIsWritten(_ line: String) {
    #expect(UserCommand(line: line)?.line == line)
  }

  @Test(arguments: ["agent-approvals 3", "agent-approvals undo", "agent-approvals undo x", "agent-approvals undo 1 2"])
  func anotherLineIsNone(_ line: String) { #expect(UserCommand(line: line) == nil) }
}
