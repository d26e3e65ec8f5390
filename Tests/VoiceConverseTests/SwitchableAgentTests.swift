import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An agent that goes on in another session while the program runs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SwitchableAgentTests {
  private static func ready(_ events: [VoiceEvent]) -> Int {
    events.count { if case .agentReady = $0 { true } else { false } }
  }

  @Test(arguments: [ConformanceTests.Back.acp, .claude, .codex])
  func itGoesOnInTheSessionThatIsNamed(_ back: ConformanceTests.Back) async throws {
    try await withSwitchable(ConformanceTests.specification(back)) { agent, journal in
      agent.startRun(1, Instruction("text"))
      #expect(await journal.end(of: 1) == .completed)
      agent.reopenAgent(.resume(AgentSessionID(rawValue: "earlier")))
      #expect(await journal.wait { Self.ready($0) == 1 })
      agent.startRun(2, Instruction("text"))
      #expect(await journal.end(of: 2) == .completed)
      agent.reopenAgent(.new)
      #expect(await journal.wait { Self.ready($0) == 2 })
      agent.startRun(3, Instruction("text"))
      #expect(await journal.end(of: 3) == .completed)
    }
  }

  @Test func whatEachBeginsByItselfHasANumberOfItsOwn() async throws {
    try await withSwitchable(ConformanceTests.specification(.claude)) { agent, journal in
      for (run, own) in [(1, -1), (2, -1_000_001)] {
        agent.startRun(RunID(rawValue: run), Instruction("later"))
        let own = RunID(rawValue: own)
        #expect(
          await journal.wait { events in
            Journal.reports(of: own, in: events).contains { if case .permissionRequested = $0 { true } else { false } }
          })
        for case .permissionRequested(let request) in Journal.reports(of: own, in: journal.all) {
          agent.answerPermission(request.id, of: own, with: .allowOnce, because: nil)
        }
        #expect(await journal.end(of: own) == .completed)
        agent.reopenAgent(.new)
      }
    }
  }

  @Test func whatItCannotDoIsRefusedAndTheSessionStays() async throws {
    let plain = ChildAgentSpecification(
      name: "scripted", language: .acp, executable: Fixtures.python, arguments: [Fixtures.scriptedAgent])
    try await withSwitchable(plain) { agent, journal in
      agent.startRun(1, Instruction("text"))
      #expect(await journal.end(of: 1) == .completed)
      agent.openAgent()
      #expect(await journal.ready() != nil)
      agent.reopenAgent(.resume(AgentSessionID(rawValue: "earlier")))
      #expect(
        await journal.wait {
          $0.contains {
            if case .agentSessionRefused(let reason) = $0 { reason.contains("cannot go on") } else { false }
          }
        })
      agent.startRun(2, Instruction("text"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test func itsSessionsAndTheirMessagesAreListed() async throws {
    try await withSwitchable(ConformanceTests.specification(.codex)) { agent, journal in
      agent.listAgentSessions()
      #expect(
        await journal.wait {
          $0.contains {
            if case .agentSessionsListed(let all) = $0 { all.first?.title == "Fix the build" } else { false }
          }
        })
      agent.listAgentMessages(of: AgentSessionID(rawValue: "thread-1"))
      #expect(
        await journal.wait {
          $0.contains { if case .agentMessagesListed(_, let all) = $0 { all.last?.text == "Fixed." } else { false } }
        })
    }
  }

  /// What an agent writes is read at the session's pace.
  @Test(arguments: [ConformanceTests.Back.acp, .claude, .codex])
  func whoReadsFromAChildWaitsForTheSession(_ back: ConformanceTests.Back) async throws {
    let waits = Locked(0)
    let pace = ReadingPace(onThread: {}, inTask: { waits.withLock { $0 += 1 } })
    try await withChild(ConformanceTests.specification(back), { $0.pace = pace }) { agent, journal in
      agent.startRun(1, Instruction("text"))
      #expect(await journal.end(of: 1) == .completed)
    }
    #expect(waits.withLock { $0 } > 0)
  }

  /// One that is to stop has to get through what it has written to read that.
  @Test func whatIsToStopIsReadWithoutWaiting() throws {
    let waits = Locked(0)
    let pace = ReadingPace(onThread: { waits.withLock { $0 += 1 } }, inTask: {})
    let (kept, journal) = (Locked<(@Sendable (VoiceEvent) -> Void)?>(nil), Journal())
    let agent = try SwitchableAgent(start: .new, sessions: nil, pace: pace, post: journal.post) {
      (_, _, post) throws(AgentError) in
      kept.withLock { $0 = post }
      return EchoAgent(post: post)
    }
    func waited() -> Int {
      pace.waitOnThread()
      return waits.withLock { $0 }
    }
    #expect(waited() == 1)
    agent.cancelRun(1)
    #expect(waited() == 1)
    kept.withLock { $0 }?(.agentReported(run: 1, event: .turnEnded(end: .cancelled)))
    #expect(waited() == 2)
    agent.abandonRun(1)
    #expect(waited() == 2)
    agent.startRun(2, Instruction("text"))
    #expect(waited() == 3)
  }

  /// As one whose program cannot be started any more: nothing is to be switched to.
  @Test func anAgentThatEndsByItselfIsNotRunAgain() async throws {
    let journal = Journal()
    let echo = EchoAgent(post: journal.post)
    let agent = try SwitchableAgent(start: .new, sessions: nil, post: journal.post) { (_, _, _) throws(AgentError) in
      echo
    }
    echo.shutDown()
    await agent.run()
    #expect(journal.all.isEmpty)
  }

  /// Says how often its work was begun.
  private final class CountedAgent: ConverseAgent {
    private let echo: EchoAgent
    private let count: @Sendable () -> Void

    init(post: @escaping @Sendable (VoiceEvent) -> Void, _ count: @escaping @Sendable () -> Void) {
      echo = EchoAgent(post: post)
      self.count = count
    }

    func openAgent() { echo.openAgent() }
    func startRun(_ run: RunID, _ instruction: Instruction) { echo.startRun(run, instruction) }
    func cancelRun(_ run: RunID) { echo.cancelRun(run) }
    func shutDown() { echo.shutDown() }
    func run() async {
      count()
      await echo.run()
    }
  }

  /// What an agent leaves is cleared away where its work ends.
  @Test func eachAgentIsRunHoweverSoonAnotherFollows() async throws {
    let (runs, journal) = (Locked(0), Journal())
    let agent = try SwitchableAgent(start: .new, sessions: nil, post: journal.post) {
      (_, _, post) throws(AgentError) in CountedAgent(post: post) { runs.withLock { $0 += 1 } }
    }
    agent.reopenAgent(.new)
    agent.reopenAgent(.new)
    agent.shutDown()
    await agent.run()
    #expect(runs.withLock { $0 } == 3)
  }

  /// A session of days: only its end is told, and of each message only the beginning.
  private struct LongSessions: AgentSessions {
    func list() async throws(AgentError) -> [AgentSessionSummary] {
      (1...500).map {
        AgentSessionSummary(id: AgentSessionID(rawValue: "s\($0)"), title: String(repeating: "x", count: 9_000))
      }
    }

    func delete(_ session: AgentSessionID) {}

    func messages(of session: AgentSessionID) async throws(AgentError) -> [AgentSessionMessage] {
      (1...5_000).map { AgentSessionMessage(id: "m\($0)", author: .user, text: String(repeating: "y", count: 9_000)) }
    }
  }

  @Test func aLongSessionMakesNoLongEvent() async throws {
    let journal = Journal()
    let agent = try SwitchableAgent(start: .new, sessions: LongSessions(), post: journal.post) {
      (_, _, post) throws(AgentError) in EchoAgent(post: post)
    }
    agent.listAgentSessions()
    agent.listAgentMessages(of: AgentSessionID(rawValue: "s1"))
    try await runAgent(agent) { #expect(await journal.wait { $0.count == 2 }) }
    for event in journal.all { #expect(try JSONEncoder().encode(event).count < 10_000) }
    guard case .agentMessagesListed(_, let messages) = journal.all.last else {
      Issue.record("no messages")
      return
    }
    #expect(messages.count == Limits.shownSessions && messages.last?.id == "m5000")
  }
}
