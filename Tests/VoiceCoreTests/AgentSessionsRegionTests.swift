import Testing
import VoiceReplay
import VoiceVocabulary

@testable import VoiceCore

/// The agent's sessions, listed and chosen from inside.
struct AgentSessionsRegionTests {
  private static let summaries = [
    AgentSessionSummary(id: AgentSessionID(rawValue: "ab-1"), title: "Fix the build", updated: "2026-11-22"),
    AgentSessionSummary(id: AgentSessionID(rawValue: "ac-2"), title: ""),
  ]

  private static func refusals(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .show(.cannot(let text)) = $0 { text } else { nil } }
  }

  @Test func aNumberOfTheListOrTheBeginningOfANameIsThatSession() {
    var region = AgentSessionsRegion()
    #expect(region.session("1") == nil)
    region.list(Self.summaries)
    for (name, id) in [("1", "ab-1"), ("2", "ac-2"), ("ab", "ab-1"), ("ac-2", "ac-2")] {
      #expect(region.session(name)?.rawValue == id)
    }
    for name in ["0", "3", "a", "x", "", "-1", "\(Int.min)", "\(Int.max)"] {
      #expect(region.session(name) == nil, "\(name)")
      #expect(region.message(name) == nil)
    }
    #expect(region.message("1") == nil)
  }

  @Test func aNumberOfTheMessagesGoesBackThereAndOneOfTheSessionsStaysThat() {
    var region = AgentSessionsRegion()
    region.list(Self.summaries)
    region.list(["m1", "m2"], of: AgentSessionID(rawValue: "s"))
    #expect(region.message("2") == .fork(AgentSessionID(rawValue: "s"), at: "m2"))
    #expect(region.message("3") == nil && region.session("1")?.rawValue == "ab-1")
    for name in ["0", "\(Int.min)", "\(Int.max)"] { #expect(region.message(name) == nil) }
  }

  @Test func whatIsListedIsShownWithNumbersAndOneIsGoneOnWith() throws {
    var talk = Talk(.init { $0.mode = .direct })
    #expect(try talk.command("agent-session").contains(.listAgentSessions))
    let listed = talk.give(.agentSessionsListed(sessions: Self.summaries))
    #expect(listed.contains(.show(notice: .agentListed(number: 1, text: "Fix the build (2026-11-22)"))))
    #expect(listed.contains(.show(notice: .agentListed(number: 2, text: "ac-2"))))
    #expect(try talk.command("agent-session 2").contains(.reopenAgent(start: .resume(Self.summaries[1].id))))
    #expect(
      try talk.command("agent-session fork 1").contains(.reopenAgent(start: .fork(Self.summaries[0].id, at: nil))))
    #expect(try talk.command("agent-session new").contains(.reopenAgent(start: .new)))
    // Which one it is, is told: a number may be mistaken.
    #expect(
      try talk.command("agent-session 2").contains(.show(notice: .agentStatus(text: "Going on with ac-2."))))
    let copy = "Going on with a copy of “Fix the build” (last used: 2026-11-22)."
    #expect(try talk.command("agent-session fork 1").contains(.show(notice: .agentStatus(text: copy))))
    #expect(
      try !talk.command("agent-session new").contains { if case .show(.agentStatus) = $0 { true } else { false } })
    #expect(!Self.refusals(try talk.command("agent-session 7")).isEmpty)
  }

  @Test func theMessagesOfTheOpenSessionAreListedThoseThatHaveANameAlone() throws {
    var talk = Talk(.init { $0.mode = .direct })
    #expect(!Self.refusals(try talk.command("agent-session back")).isEmpty)
    let session = AgentSessionID(rawValue: "s")
    talk.give(.agentReady(agent: AgentDescription(name: "a", session: session, capabilities: [.rewind])))
    #expect(try talk.command("agent-session back").contains(.listAgentMessages(session: session)))
    let listed = talk.give(
      .agentMessagesListed(
        session: session,
        messages: [
          .init(id: "m1", author: .user, text: "hello\nthere"), .init(author: .tool, text: "ls"),
          .init(id: "m2", author: .agent, text: "hi"),
        ]))
    #expect(listed.contains(.show(notice: .agentListed(number: 1, text: "user: hello"))))
    #expect(listed.contains(.show(notice: .agentListed(number: 2, text: "agent: hi"))))
    let back = try talk.command("agent-session back 2")
    #expect(back.contains(.reopenAgent(start: .fork(session, at: "m2"))))
    #expect(back.contains(.show(notice: .agentStatus(text: "Going on with an earlier state of s."))))
  }

  @Test func nothingIsChangedWhileTheAgentWorksOrOwesWork() throws {
    var talk = Talk(.init { $0.mode = .direct })
    talk.give(.agentOwes(work: ["make"]))
    #expect(Self.refusals(try talk.command("agent-session new")).count == 1)
    talk.give(.agentOwes(work: []))
    try talk.work()
    #expect(Self.refusals(try talk.command("agent-session new")).count == 1)
  }

  @Test(arguments: ["", "new", "back", "back 3", "fork ab", "2"])
  func whatIsChosenReadsAsItIsWritten(_ line: String) throws {
    let choice = try #require(AgentSessionChoice(line: line))
    #expect(choice.line == line)
    #expect(UserCommand(line: "agent-session \(line)") == .agentSession(choice: choice))
  }

  @Test(arguments: ["new 1", "back 1 2", "fork", "a b"]) func anythingElseIsNoCommand(_ line: String) {
    #expect(AgentSessionChoice(line: line) == nil)
  }
}
