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
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How an agent starts, how it fails to, and that nothing of it is left.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ACPStartTests {
  @Test func aMissingCommandIsUnavailableAndSaysWhatToDo() async throws {
    let journal = Journal()
    let agent = ChildAgent<ACPDialect>(
      command: ChildCommand(executable: "no-such-agent-at-all", workingFolder: "/"),
      settings: ChildSettings(name: "no-such-agent-at-all", workingFolder: "/"), post: journal.post)
    try await withAgent(agent) {
      agent.openAgent()
      #expect(
        await journal.unavailable() == """
          The command “no-such-agent-at-all” of the coding agent was not found. Install the agent, give the full path \
          of the command, or choose another agent.
          """)
    }
  }

  @Test func aMissingWorkingFolderIsUnavailable() async throws {
    let journal = Journal()
    let agent = ChildAgent<ACPDialect>(
      command: ChildCommand(executable: "python3", workingFolder: "/no/such/folder"),
      settings: ChildSettings(name: "python3", workingFolder: "/no/such/folder"), post: journal.post)
    try await withAgent(agent) {
      agent.openAgent()
      let reason = try #require(await journal.unavailable())
      #expect(reason.contains("the working folder /no/such/folder cannot be entered"))
    }
  }

  @Test(arguments: [
    (["--protocol", "2"], "speaks version 2 of the Agent Client Protocol, and this program speaks version 1"),
    (["--no-session"], "wants you to sign in first (Log in on the web)"),
    (["--die-at-start"], "ended before it was ready (exit code 3). Start it in a terminal to see why."),
    (["--die-at-start"], "Its last words: no such model: gpt-nine"),
  ])
  func anAgentThatCannotStartIsUnavailableForOneReason(_ arguments: [String], _ reason: String) async throws {
    try await withScriptedAgent(arguments) { agent, journal in
      agent.openAgent()
      let found = try #require(await journal.unavailable())
      #expect(found.contains(reason))
    }
  }

  @Test func aRunIsToldThatItsAgentCannotStart() async throws {
    try await withScriptedAgent(["--die-at-start"]) { agent, journal in
      agent.startRun(1, Instruction("hello"))
      guard case .failed(let reason) = await journal.end(of: 1) else { return #expect(Bool(false)) }
      #expect(reason.contains("ended before it was ready"))
      #expect(!journal.all.contains { if case .agentUnavailable = $0 { true } else { false } })
    }
  }

  @Test func theAskingModeIsTakenAndChecked() async throws {
    for extra in [[], ["--options"]] {
      try await withScriptedAgent(["--modes", "edit-freely,ask"] + extra) { agent, journal in
        agent.openAgent()
        let agent = try #require(await journal.ready())
        #expect(agent.unaskedRemark?.contains("may or may not ask") == true)
      }
    }
  }

  @Test(arguments: [
    (["--modes", "edit-freely,ask", "--options", "--stubborn"], "it stays in “edit-freely”"),
    (["--modes", "edit-freely,all"], "has no mode that is known to ask; it is in “edit-freely”"),
  ])
  func aModeThatAsksAndCannotBeHadIsSaid(_ arguments: [String], _ words: String) async throws {
    try await withScriptedAgent(arguments) { agent, journal in
      agent.openAgent()
      #expect(await journal.ready()?.capabilities.contains(.ask) == false)
      agent.startRun(1, Instruction("hello"))
      #expect(await journal.end(of: 1) == .completed)
      let statuses = journal.reports(of: 1).compactMap { if case .status(let text) = $0 { text } else { nil } }
      #expect(statuses.count == 1)
      #expect(statuses.first?.contains(words) == true)
    }
  }

  @Test(arguments: [
    (["--modes", "edit-freely,ask", "--options", "--stubborn"], "ask", "it stays in “edit-freely”"),
    (["--modes", "edit-freely,broken"], "broken", "did not change to the mode “broken”: no such mode"),
    (["--modes", "edit-freely,all"], "ask", "has no mode “ask”; it is in “edit-freely” and offers: edit-freely, all"),
    ([], "ask", "has no modes, so it cannot be put into “ask”"),
  ])
  func aModeThatTheUserNamedAndCannotBeHadIsRefused(_ arguments: [String], _ mode: String, _ words: String) async throws
  {
    try await withScriptedAgent(arguments, preferredMode: mode) { agent, journal in
      agent.openAgent()
      #expect(await journal.unavailable()?.contains(words) == true)
    }
  }

  /// The names of the variables that an agent gets.
  private static func names(_ environment: ChildEnvironment) async throws -> Set<String> {
    let folder = try TemporaryFolder()
    let file = folder.path + "/names"
    try await withScriptedAgent(["--environment", file], environment: environment) { agent, journal in
      agent.openAgent()
      #expect(await journal.ready() != nil)
    }
    let text = String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
    return Set(text.split(separator: " ").map(String.init))
  }

  @Test func whatTheProgramSetsForALibraryOfItsOwnNoAgentGets() async throws {
    setenv("TEST_SINK", "the user's", 1)
    for value in ["ours", "ours again"] {
      OwnVariables.set("TEST_SOURCE", to: value)
      OwnVariables.set("TEST_SINK", to: value)
    }
    let ours = ["TEST_SOURCE": "ours again", "TEST_SINK": "ours again", "HOME": "/home/dev"]
    #expect(OwnVariables.given(ours) == ["TEST_SINK": "the user's", "HOME": "/home/dev"])
    let names = try await Self.names(.all(without: []))
    #expect(names.contains("TEST_SINK") && !names.contains("TEST_SOURCE"))
  }

  @Test func theAgentGetsWhatItsTerminalWouldGiveItAndNoKeyOfOurs() async throws {
    let personal = [
      "https_proxy", "SSL_CERT_FILE", "SSH_AUTH_SOCK", "AWS_PROFILE", "VIRTUAL_ENV", "LC_ALL", "DISPLAY",
      "LIVE_TEST_KEY",
      "PARLEY_TEST_OWN", "CLAUDECODE", "OTHER_TEST_KEY",
    ]
    let missing = personal.filter { getenv($0) == nil }
    for name in missing { setenv(name, name == "LC_ALL" ? "C.UTF-8" : "x", 1) }
    // Other tests start real agents, which want a proxy that is one.
    defer { for name in missing { unsetenv(name) } }
    var environment = AgentEnvironment(workingFolder: "/tmp", executablePath: "/nowhere")
    environment.withheldNames = ["LIVE_TEST_KEY", "OTHER_TEST_KEY"]
    environment.environmentNames = ["OTHER_TEST_KEY"]
    let agent = ChildAgentSpecification(name: "agent", language: .acp, executable: "agent")
    func given() async throws -> Set<String> {
      let command = agent.command(agent.settings(in: environment), start: .new, in: environment)
      return try await Self.names(command.environment)
    }
    // Named, so the agent is to have it although it is ours.
    let kept = Set(personal).subtracting(["LIVE_TEST_KEY", "PARLEY_TEST_OWN", "CLAUDECODE"])
    #expect(try await given().intersection(personal) == kept)
    environment.isNarrow = true
    let narrow = try await given()
    #expect(narrow.contains("PATH") && narrow.intersection(personal) == ["OTHER_TEST_KEY"])
  }

  @Test(arguments: [[], ["--ignore-term"]])
  func nothingIsLeftAfterwards(_ arguments: [String]) async throws {
    let line = try LifeLine()
    var number: pid_t = 0
    try await withScriptedAgent(["--grandchild", line.path] + arguments) { agent, journal in
      agent.startRun(1, Instruction("number"))
      #expect(await journal.end(of: 1) == .completed)
      number = try #require(pid_t(journal.text(of: 1)))
      #expect(line.firstWords() == "alive")
      #expect(getpgid(number) == number)
    }
    #expect(kill(number, 0) == -1 && errno == ESRCH)
    #expect(line.isCut())
  }

  @Test func whatADeadAgentStartedDoesNotSurviveIt() async throws {
    let line = try LifeLine()
    try await withScriptedAgent(["--grandchild", line.path]) { agent, journal in
      agent.startRun(1, Instruction("hello"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(line.firstWords() == "alive")
      agent.startRun(2, Instruction("die"))
      guard case .unconfirmed = await journal.end(of: 2) else { return #expect(Bool(false)) }
      #expect(line.isCut())
    }
  }

  @Test func cancellingTheTaskEndsTheChild() async throws {
    try #require(Fixtures.ignoresBrokenPipes)
    let line = try LifeLine()
    let journal = Journal()
    let agent = ChildAgent<ACPDialect>(
      command: ChildCommand(
        executable: Fixtures.python, arguments: [Fixtures.scriptedAgent, "--grandchild", line.path],
        workingFolder: "/tmp"),
      settings: ChildSettings(name: "the agent", workingFolder: "/tmp"), post: journal.post)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await agent.run() }
      agent.openAgent()
      #expect(await journal.ready() != nil)
      #expect(line.firstWords() == "alive")
      group.cancelAll()
      await group.waitForAll()
    }
    #expect(line.isCut())
  }

  @Test func aSilentAgentIsGivenUpAfterItsTime() async throws {
    let journal = Journal()
    let agent = ChildAgent<ACPDialect>(
      command: ChildCommand(
        executable: Fixtures.python, arguments: [Fixtures.scriptedAgent, "--silent"], workingFolder: "/tmp"),
      settings: ChildSettings(name: "the agent", workingFolder: "/tmp"), clock: HastyClock(), post: journal.post)
    try await withAgent(agent) {
      agent.openAgent()
      #expect(await journal.unavailable()?.contains("was not ready after 300 seconds") == true)
    }
  }

  @Test func anAgentThatDoesNotReadCanStillBeHalted() async throws {
    try await withScriptedAgent(["--no-reading"]) { agent, journal in
      agent.startRun(1, Instruction(String(repeating: "many words ", count: 100_000)))
      #expect(await journal.wait { !Journal.reports(of: 1, in: $0).isEmpty })
      agent.cancelRun(1)
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
    }
  }

  @Test func anOutboxHasABottom() {
    let outbox = Outbox()
    let half = [UInt8](repeating: 0, count: ConverseLimits.outboxBytes / 2)
    #expect(outbox.send(half))
    #expect(outbox.send(half))
    #expect(!outbox.send([0]))
  }
}

/// A clock on which every wait is over at once.
private struct HastyClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { await Task.yield() }
}
