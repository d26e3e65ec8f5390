import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Nothing that an agent started outlives it, however it ends, and "stopped" is not said before that is so. What is started here
/// ignores being told to terminate, and holds a pipe open for as long as it lives.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OrphanTests {
  /// What the agent starts: a plain child, or one in a session of its own that has lost its parent.
  static let kinds = ["--grandchild", "--daemon"]

  /// How it comes to its end, while it works on something that it does not stop.
  enum End: String, CaseIterable { case secondHalt, shutDown, ownDeath, killed }

  @Test(arguments: kinds, End.allCases) func nothingIsLeftOf(_ kind: String, after end: End) async throws {
    let line = try LifeLine()
    // Whether the pipe was free when the end was said.
    let wasFree = Locked<Bool?>(nil)
    let journal = Journal()
    let settings = ChildSettings(name: "the agent", workingFolder: "/tmp")
    let agent = ChildAgent<ACPDialect>(
      command: ChildCommand(
        executable: Fixtures.python, arguments: [Fixtures.scriptedAgent, kind, line.path], workingFolder: "/tmp",
        host: Program.path), settings: settings
    ) { event in
      if case .agentReported(2, .turnEnded) = event {
        let isCut = line.isCut(milliseconds: 0)
        wasFree.withLock { $0 = isCut }
      }
      journal.append(event)
    }
    try await withAgent(agent) {
      agent.startRun(1, Instruction("number"))
      #expect(await journal.end(of: 1) == .completed)
      let process = try #require(pid_t(journal.text(of: 1)))
      #expect(line.firstWords() == "alive")
      agent.startRun(2, Instruction(end == .ownDeath ? "die" : "deaf"))
      #expect(await journal.wait { !Journal.reports(of: 2, in: $0).filter { $0 != .turnStarted }.isEmpty })
      switch end {
      case .secondHalt:
        agent.cancelRun(2)
        agent.abandonRun(2)
        #expect(await journal.end(of: 2) == .cancelled)
        #expect(wasFree.withLock { $0 } == true)
      case .shutDown: agent.shutDown()
      case .ownDeath: break
      case .killed: kill(process, SIGKILL)
      }
      if end == .ownDeath || end == .killed {
        guard case .unconfirmed(_, nil) = await journal.end(of: 2) else { return #expect(Bool(false), "\(end)") }
        #expect(wasFree.withLock { $0 } == true)
      }
    }
    #expect(line.isCut(milliseconds: 3_000))
  }

  /// As its host passes it on.
  @Test(arguments: [
    ("exit 7", "exit code 7"), ("exit 128", "exit code 128"), ("kill -1 $$", "signal 1"), ("kill -9 $$", "signal 9"),
  ])
  func howAnAgentEndedIsTold(_ script: String, _ words: String) async throws {
    let journal = Journal()
    let agent = ChildAgent<ACPDialect>(
      command: ChildCommand(
        executable: "/bin/sh", arguments: ["-c", script], workingFolder: "/tmp", host: Program.path),
      settings: ChildSettings(name: "the agent", workingFolder: "/tmp"), post: journal.post)
    try await withAgent(agent) {
      agent.openAgent()
      let reason = try #require(await journal.unavailable())
      #expect(reason.contains("(\(words))"), "\(reason)")
    }
  }

  /// Nobody knows what becomes of an agent without its host.
  @Test func anAgentThatHasKilledItsHostIsNotSaidToHaveStopped() async throws {
    try await withScriptedAgent(["--ignore-term"]) { agent, journal in
      agent.startRun(1, Instruction("host"))
      #expect(await journal.wait { !Journal.reports(of: 1, in: $0).filter { $0 != .turnStarted }.isEmpty })
      let process = try #require(pid_t(journal.text(of: 1)))
      defer { kill(process, SIGKILL) }
      agent.cancelRun(1)
      let end = await journal.end(of: 1)
      #expect(kill(process, 0) == 0)
      #expect(end?.mayGoOn == true && end?.words.contains("may still run") == true, "\(String(describing: end))")
    }
  }

  /// A process that forks faster than processes are listed is either caught, or not said to have stopped.
  @Test func whatFleesFromItsEndIsCaughtOrNotSaidToHaveStopped() async throws {
    let line = try LifeLine()
    try await withScriptedAgent(["--fleeing", line.path]) { agent, journal in
      agent.startRun(1, Instruction("deaf"))
      #expect(line.firstWords() == "alive")
      #expect(await journal.wait { !Journal.reports(of: 1, in: $0).filter { $0 != .turnStarted }.isEmpty })
      agent.cancelRun(1)
      agent.cancelRun(1)
      let end = await journal.end(of: 1)
      let isOver = line.isCut(milliseconds: 0)
      #expect(end == .cancelled ? isOver : end?.mayGoOn == true, "\(String(describing: end))")
    }
    #expect(line.isCut(milliseconds: 20_000))
  }

  /// How `parley ask` itself comes to its end, with an agent that does not stop.
  enum Leaving: String, CaseIterable {
    case killed, terminatedAndInterrupted, interruptedAndTerminated, haltedTwice

    var signals: [Int32] {
      switch self {
      case .killed: [SIGKILL]
      case .terminatedAndInterrupted: [SIGTERM, SIGINT]
      case .interruptedAndTerminated: [SIGINT, SIGTERM]
      case .haltedTwice: []
      }
    }
  }

  @Test(arguments: kinds, Leaving.allCases)
  func nothingIsLeftOfAnAgentWhoseProgramLeaves(_ kind: String, _ leaving: Leaving) async throws {
    let (line, home) = (try LifeLine(), try TemporaryFolder())
    let agent = "acp:\(Fixtures.python) \(Fixtures.scriptedAgent) \(kind) \(line.path)"
    // Its own number first; then it is the program.
    let script =
      "echo $$; export HOME=\(home.path); exec \"$0\" ask --json --agent \"$1\" --working-folder /tmp deaf 2>&1"
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let outbox = Outbox()
    try await withThrowingTaskGroup(of: ChildEnd?.self) { group in
      group.addTask {
        let command = ChildCommand(
          executable: "/bin/sh", arguments: ["-c", script, Program.path, agent], workingFolder: home.path)
        return await ChildProcess(command).run(outbox: outbox) { event in
          if case .output(.line(let line)) = event { continuation.yield(String(decoding: line, as: UTF8.self)) }
          if case .outputEnded = event { continuation.finish() }
        }
      }
      var reader = lines.makeAsyncIterator()
      let process = try #require(pid_t(await reader.next() ?? ""))
      #expect(line.firstWords() == "alive")
      while let text = await reader.next(), !text.contains("I do not stop.") {}
      var said: [String] = []
      if leaving == .haltedTwice { _ = outbox.send(Array("halt\nhalt\n".utf8)) }
      for number in leaving.signals { kill(process, number) }
      while let text = await reader.next() { said.append(text) }
      if leaving == .haltedTwice {
        #expect(said.contains { $0.contains("The agent was stopped.") }, "\(said)")
        #expect(line.isCut(milliseconds: 0))
      } else {
        #expect(!said.contains { $0.contains("stopped") }, "\(said)")
      }
      _ = try await group.next()
    }
    #expect(line.isCut(milliseconds: 3_000))
  }
}
