import Testing
import VoiceJSON
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What every child-process agent must do, whatever it speaks.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConformanceTests {
  /// A scripted agent of each language.
  enum Back: String, CaseIterable {
    case acp, claude, codex
    case codexExec = "codex-exec"

    static let asking: [Back] = [.acp, .claude, .codex]
  }

  private func withAgent(
    _ back: Back, start: AgentSessionStart = .new, traffic: WireTap? = nil,
    _ body: (any ConverseAgent, Journal) async throws -> Void
  ) async throws {
    try await withChild(Self.specification(back)) {
      $0.start = start
      $0.traffic = traffic
    } _: {
      try await body($0, $1)
    }
  }

  static func environment(_ folder: TemporaryFolder) -> AgentEnvironment {
    var environment = AgentEnvironment(workingFolder: folder.path, executablePath: "/nowhere")
    environment.host = Program.path
    return environment
  }

  static func specification(_ back: Back) -> ChildAgentSpecification {
    switch back {
    case .acp:
      ChildAgentSpecification(
        name: "scripted", language: .acp, executable: Fixtures.python,
        arguments: [Fixtures.scriptedAgent, "--sessions"])
    case .claude:
      ChildAgentSpecification(
        name: "scripted", language: .claude, executable: Fixtures.python,
        arguments: [Fixtures.scriptedAgents, "claude"])
    case .codex:
      ChildAgentSpecification(
        name: "scripted", language: .codex, executable: Fixtures.python, arguments: [Fixtures.scriptedAgents, "codex"])
    case .codexExec:
      ChildAgentSpecification(
        name: "scripted", language: .codexExec, executable: Fixtures.python,
        arguments: [Fixtures.scriptedAgents, "codex-exec"])
    }
  }

  @Test(arguments: Back.allCases) func textComesInParagraphs(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("text"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == "Hello there.Second paragraph.")
      #expect(journal.reports(of: 1).filter { $0 == .paragraphEnded }.count == 1)
      #expect(journal.reports(of: 1).first == .turnStarted)
    }
  }

  @Test(arguments: Back.allCases) func aToolStartsAndFinishes(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("tool"))
      #expect(await journal.end(of: 1) == .completed)
      let finished = journal.reports(of: 1).compactMap { event in
        if case .toolFinished("t1", let outcome) = event { outcome } else { nil }
      }
      #expect(finished == [.completed])
    }
  }

  @Test(arguments: Back.asking, [PermissionRequest.Choice.allowOnce, .allowAlways, .rejectOnce])
  func aPermissionIsAskedAsDataAndAnswered(_ back: Back, _ choice: PermissionRequest.Choice) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("permission"))
      let request = try #require(await journal.permission())
      #expect(request.title == "Run make test")
      #expect(request.subject.kind == "execute")
      #expect(request.subject.command == "make test")
      #expect(request.choices.contains(choice))
      agent.answerPermission(request.id, of: 1, with: choice)
      #expect(await journal.end(of: 1) == .completed)
      let outcomes = journal.reports(of: 1).compactMap { event in
        if case .toolFinished("t1", let outcome) = event { outcome } else { nil }
      }
      #expect(outcomes == [choice == .rejectOnce ? .declined : .completed])
      if back != .acp {
        #expect(journal.text(of: 1) == (choice == .rejectOnce ? "It was denied." : "It was allowed."))
      }
    }
  }

  @Test(arguments: Back.asking, [PermissionRequest.Choice.allowOnce, .rejectOnce])
  func whatItBeginsByItselfIsARunOfItsOwn(_ back: Back, _ choice: PermissionRequest.Choice) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("later"))
      let request = try #require(await journal.permission())
      #expect(journal.reports(of: 1).last == .turnEnded(end: .completed))
      #expect(Journal.reports(of: -1, in: journal.all).contains(.permissionRequested(request: request)))
      agent.answerPermission(request.id, of: -1, with: choice)
      let words = choice == .rejectOnce ? "It was denied." : "It was allowed."
      // One tells no end of it, and nothing that it will come back to: it is over when the user goes on.
      if back == .acp {
        #expect(await journal.wait { Journal.reports(of: -1, in: $0).contains(.text(delta: words)) })
        agent.startRun(2, Instruction("text"))
      }
      #expect(await journal.end(of: -1) == .completed)
      #expect(journal.text(of: -1) == words)
      let owed = journal.all.compactMap { if case .agentOwes(let work) = $0 { work.isEmpty } else { nil } }
      #expect(owed == (back == .acp ? [] : [false, true]))
      if back != .acp { agent.startRun(2, Instruction("text")) }
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test(arguments: [Back.claude, .codex]) func questionsAreAskedOneByOneAndAnsweredTogether(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("question"))
      let first = try #require(await journal.question(1))
      #expect(first.text == "Which colour?")
      #expect(first.options.map(\.label) == ["Red", "Blue"])
      agent.answerQuestion(first.id, of: 1, with: .options(indices: [1]))
      let second = try #require(await journal.question(2))
      #expect(second.options.isEmpty)
      agent.answerQuestion(second.id, of: 1, with: .text(text: "three"))
      #expect(await journal.end(of: 1) == .completed)
      let expected =
        back == .claude
        ? #"{"How many?": "three", "Which colour?": "Blue"}"# : #"{"colour": "Blue", "count": "three"}"#
      #expect(journal.text(of: 1) == expected)
    }
  }

  @Test(arguments: [Back.claude, .codex]) func aDeclinedQuestionEndsTheForm(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("question"))
      let first = try #require(await journal.question(1))
      agent.answerQuestion(first.id, of: 1, with: .declined)
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == (back == .claude ? "null" : "{}"))
    }
  }

  @Test(arguments: Back.allCases) func aHaltInTheMiddleOfTextIsConfirmed(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("slow"))
      #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Starting.")) })
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      #expect(journal.text(of: 1) == "Starting.")
      agent.startRun(2, Instruction("are you there"))
      #expect(await journal.end(of: 2) == .completed)
      // One that lasts for one turn takes up its session again.
      #expect(journal.text(of: 2) == "You said: are you there" + (back == .codexExec ? " again" : ""))
    }
  }

  @Test(arguments: Back.asking) func aHaltInTheMiddleOfAPermissionWithdrawsIt(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("permission"))
      let request = try #require(await journal.permission())
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      #expect(journal.reports(of: 1).filter { $0 == .permissionWithdrawn(id: request.id) }.count == 1)
      agent.answerPermission(request.id, of: 1, with: .allowOnce)
      agent.startRun(2, Instruction("are you there"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test(arguments: Back.allCases) func aFailingModelIsTold(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("fail -32603"))
      guard case .failed(let reason) = await journal.end(of: 1) else {
        Issue.record("it did not fail")
        return
      }
      #expect(reason.contains("the model is down"))
      agent.startRun(2, Instruction("are you there"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test(arguments: Back.allCases) func aDeathLeavesTheRunUnconfirmedAndTheNextOneWorks(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("die"))
      guard case .unconfirmed(let reason, _) = await journal.end(of: 1) else {
        Issue.record("it did not die")
        return
      }
      #expect(reason.contains("Its last words: Traceback: the disk is full"))
      agent.startRun(2, Instruction("are you there"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test(arguments: Back.allCases) func whatComesAfterTheEndIsNotHeard(_ back: Back) async throws {
    let (lines, tap) = AsyncStream.makeStream(of: [UInt8].self)
    try await withAgent(back, traffic: WireTap("agent") { tap.yield($1.bytes) }) { agent, journal in
      agent.startRun(1, Instruction("late"))
      #expect(await journal.end(of: 1) == .completed)
      if back == .acp {
        // This protocol's updates do not say which turn they are of: what is late must have been dealt with before the
        // next begins. The last of it is a call that is answered at once.
        for await line in lines where String(decoding: line, as: UTF8.self).contains("unknown method") { break }
      }
      agent.startRun(2, Instruction("text"))
      #expect(await journal.end(of: 2) == .completed)
      for run in [1, 2] as [RunID] {
        let events = journal.reports(of: run)
        #expect(events.last == .turnEnded(end: .completed))
        #expect(!journal.text(of: run).contains("Too late"))
      }
    }
  }

  @Test(arguments: Back.allCases) func aSessionIsResumed(_ back: Back) async throws {
    let session = AgentSessionID(rawValue: "session-7")
    try await withAgent(back, start: .resume(session)) { agent, journal in
      agent.openAgent()
      let description = try #require(await journal.ready())
      #expect(description.capabilities.contains(.resume))
      agent.startRun(1, Instruction("hello"))
      #expect(await journal.end(of: 1) == .completed)
      if back == .claude { #expect(journal.reports(of: 1).contains(.sessionReady(session: session))) }
      if back != .claude { #expect(description.session == session) }
      if back != .acp { #expect(journal.text(of: 1) == "You said: hello again") }
    }
  }

  @Test(arguments: Back.asking) func aSessionThatIsNotThereIsOneClearError(_ back: Back) async throws {
    try await withAgent(back, start: .resume(AgentSessionID(rawValue: "none"))) { agent, journal in
      agent.openAgent()
      let reason = try #require(await journal.unavailable())
      #expect(reason.contains("session"), "\(reason)")
    }
  }

  @Test func anAgentOfOneTurnGoesOnWithItsSessionAndSaysNothingOfItsEnds() async throws {
    try await withAgent(.codexExec) { agent, journal in
      agent.openAgent()
      #expect(await journal.ready()?.capabilities.contains(.ask) == false)
      for run in 1...3 as ClosedRange<Int> {
        agent.startRun(RunID(rawValue: run), Instruction("hello"))
        #expect(await journal.end(of: RunID(rawValue: run)) == .completed)
        #expect(journal.text(of: RunID(rawValue: run)) == "You said: hello" + (run > 1 ? " again" : ""))
      }
      let isQuiet = journal.all.allSatisfy {
        switch $0 {
        case .agentClosed, .agentReported(_, .status): false
        default: true
        }
      }
      #expect(isQuiet)
    }
  }

  @Test func anAgentOfOneTurnWhoseSessionIsGoneIsOneClearError() async throws {
    try await withAgent(.codexExec, start: .resume(AgentSessionID(rawValue: "none"))) { agent, journal in
      agent.startRun(1, Instruction("hello"))
      guard case .unconfirmed(let reason, _) = await journal.end(of: 1) else {
        Issue.record("the run is not unconfirmed")
        return
      }
      #expect(reason.contains("no rollout found for none"), "\(reason)")
    }
  }

  @Test(arguments: [Back.acp, .codex]) func sessionsAreListedAndShown(_ back: Back) async throws {
    let folder = try TemporaryFolder()
    let specification = AgentSpecification.child(Self.specification(back))
    let sessions = try #require(specification.sessions(in: Self.environment(folder)))
    let list = try await sessions.list()
    #expect(list.map(\.id.rawValue) == (back == .acp ? ["session-1", "session-2"] : ["thread-1"]))
    #expect(list.first?.title == "Fix the build")
    let id = try #require(list.first?.id)
    let messages = try await sessions.messages(of: id)
    #expect(messages.map(\.author) == [.user, .agent])
    #expect(messages.map(\.text) == ["fix it", "Fixed."])
    try await sessions.delete(id)
    await #expect(throws: AgentError.self) { try await sessions.delete(AgentSessionID(rawValue: "none")) }
  }

  @Test func aSteeredRunTakesTheInstructionAndAnotherOneRefusesIt() async throws {
    try await withAgent(.codex) { agent, journal in
      agent.startRun(1, Instruction("slow"))
      #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Starting.")) })
      agent.steerRun(1, Instruction("say hi"))
      #expect(await journal.end(of: 1) != nil)
      #expect(journal.reports(of: 1).contains(.steered(instruction: InstructionID(rawValue: 1))))
      #expect(journal.text(of: 1).contains("Also: say hi"))
    }
    try await withAgent(.claude) { agent, journal in
      agent.startRun(1, Instruction("slow"))
      #expect(await journal.wait { Journal.reports(of: 1, in: $0).contains(.text(delta: "Starting.")) })
      agent.steerRun(1, Instruction("say hi"))
      let isRefused = await journal.wait {
        Journal.reports(of: 1, in: $0).contains { if case .steeringRefused = $0 { true } else { false } }
      }
      #expect(isRefused)
    }
  }

  @Test(arguments: Back.allCases) func aFloodAndAHugeLineAreTakenWhole(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("flood 5000"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1).hasSuffix("4998 4999 "))
      agent.startRun(2, Instruction("huge 4"))
      #expect(await journal.end(of: 2) == .completed)
      #expect(journal.text(of: 2).utf8.count == 4 << 20)
    }
  }

  @Test(arguments: [Back.claude, .codex, .codexExec]) func garbageIsPassedOver(_ back: Back) async throws {
    try await withAgent(back) { agent, journal in
      agent.startRun(1, Instruction("garbage"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == "still here")
    }
  }

  @Test(arguments: Back.asking) func everyLineOfBothSidesIsTapped(_ back: Back) async throws {
    let taps = Locked<[WireFrame]>([])
    try await withAgent(back, traffic: WireTap("agent") { _, frame in taps.withLock { $0.append(frame) } }) {
      agent, journal in
      agent.startRun(1, Instruction("text"))
      #expect(await journal.end(of: 1) == .completed)
      let lines = taps.withLock { $0 }
      #expect(lines.first?.isSent == true)
      #expect(lines.contains { !$0.isSent })
      #expect(lines.allSatisfy { JSON(parsing: $0.bytes) != nil && !$0.bytes.contains(0x0A) })
    }
  }

  @Test func filesAreServedInsideTheWorkingFolderOnly() async throws {
    let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
    try Data("one\ntwo\nthree\n".utf8).write(to: URL(filePath: folder.path + "/in.txt"))
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: outside.path)
    // Nobody reads it: who writes into it would wait.
    try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let journal = Journal()
    let agent = try AgentSpecification.child(Self.specification(.acp))
      .makeAgent(in: Self.environment(folder), post: journal.post)
    try await runAgent(agent) {
      agent.startRun(1, Instruction("files"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == "two refused refused done refused refused refused")
    }
    #expect(FileManager.default.contents(atPath: folder.path + "/new/made.txt") == Data("made".utf8))
    #expect(!FileManager.default.fileExists(atPath: outside.path + "/made.txt"))
  }
}
