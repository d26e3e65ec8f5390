import Subprocess
import Testing
import VoiceTesting

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

private let scripts = Repository.path + "/Tests/servers/"

/// A scripted agent of each protocol, as a person names it.
private let claude = "claude:python3 \(scripts)scripted_agents.py claude"
private let codex = "codex:python3 \(scripts)scripted_agents.py codex"
private let acp = "acp:python3 \(scripts)scripted_acp_agent.py --sessions"

private func ask(
  _ text: String, _ agent: String, input: String = "", _ more: [String] = []
) async throws -> Finished {
  let home = try TemporaryFolder()
  // Scripts that decide before they are asked say so.
  let inAdvance = home.path + "/in-advance.json5"
  try Data("{ interaction: { shownMilliseconds: 0 } }".utf8).write(to: URL(filePath: inAdvance))
  return try await Program.run(
    ["ask", text, "--agent", agent, "--working-folder", home.path, "--config", inAdvance] + more, home: home,
    input: input)
}

@Suite(.timeLimit(.minutes(5))) struct AskTests {
  @Test(arguments: [claude, codex, acp]) func theAnswerGoesToStandardOutputAlone(_ agent: String) async throws {
    let finished = try await ask("text", agent)
    #expect(finished.code == 0, "\(finished.errors)")
    #expect(finished.output == "Hello there.\nSecond paragraph.\n")
    #expect(finished.errors.contains("is ready."))
  }

  /// Whoever wants to know what the agent said gets that; only a terminal is kept from what drives it.
  @Test func outsideATerminalTheAnswerIsWhatTheAgentSaid() async throws {
    let answer = "a\tb\r\nc\rd\u{AD}e \u{1B}[31mred\u{1B}[0m \u{202E}end"
    let finished = try await ask("signs", acp)
    // A line end behind it, and nothing else.
    #expect(Array(finished.output.utf8) == Array((answer + "\n").utf8), "\(finished.errors)")
  }

  /// One instruction is all that there is.
  @Test func whereTheAgentDiesNoNextInstructionIsSpokenOf() async throws {
    let finished = try await ask("die", acp)
    #expect(finished.code == 69 && finished.errors.contains("It is started again when it is needed."))
    #expect(!finished.errors.contains("next instruction"), "\(finished.errors)")
  }

  /// Nobody can approve it any more, or whoever could leaves.
  @Test(arguments: [("", 75), ("quit\n", 75), ("approve\n", 0)])
  func whatIsHeldAtTheEndIsNotWaitedFor(_ input: String, _ code: Int32) async throws {
    let finished = try await ask("text", acp, input: "mode review\n" + input)
    #expect(finished.code == code, "\(finished.errors)")
    #expect(finished.output.isEmpty == (code != 0), "\(finished.errors)")
  }

  @Test(arguments: [claude, codex]) func aPermissionIsDecidedByALine(_ agent: String) async throws {
    let allowed = try await ask("permission", agent, input: "approve\n")
    #expect(allowed.output == "It was allowed.\n", "\(allowed.errors)")
    #expect(allowed.errors.contains("asks      Run make test"))
    let denied = try await ask("permission", agent, input: "reject\n")
    #expect(denied.output == "It was denied.\n", "\(denied.errors)")
    let numbered = try await ask("permission", agent, input: "choose 9\nchoose 1\n")
    #expect(numbered.output == "It was allowed.\n", "\(numbered.errors)")
    #expect(numbered.errors.contains("This request has the answers 1 to 3."))
  }

  @Test(arguments: [claude, codex])
  func whatIsTooLongToBeShownAtOnceIsAllowedOnlyOnceAllOfItWas(_ agent: String) async throws {
    let refused = try await ask("long", agent, input: "approve\nchoose 1\n")
    #expect(refused.output == "It was denied.\n", "\(refused.errors)")
    #expect(refused.errors.contains("more characters: the key d, or “explain”, shows all of it"))
    // The end is never what is missing.
    #expect(refused.errors.contains("; rm -rf build"))
    #expect(refused.errors.contains("cannot    You have not seen all of this."))
    let allowed = try await ask("long", agent, input: "approve\nexplain\napprove\n")
    #expect(allowed.output == "It was allowed.\n", "\(allowed.errors)")
    #expect(allowed.errors.contains(String(repeating: "x", count: 6_000)))
  }

  @Test(arguments: [claude, codex]) func aLineThatCameBeforeItWasAskedAnswersNothing(_ agent: String) async throws {
    let home = try TemporaryFolder()
    // A file is there from the beginning, as what is written into a pipe need not be on a busy machine.
    try Data("approve\n".utf8).write(to: URL(filePath: home.path + "/lines"))
    let finished = try await Program.run(
      ["ask", "permission", "--agent", agent, "--working-folder", home.path], home: home,
      shell: "exec \"$0\" \"$@\" <'\(home.path)/lines'")
    #expect(finished.output == "It was denied.\n", "\(finished.errors)")
    #expect(finished.errors.contains("cannot    Nothing is held."), "\(finished.errors)")
  }

  @Test func aLineThatComesOnceItWasShownAnswers() async throws {
    let home = try TemporaryFolder()
    // Long enough that the first line comes too soon on a busy machine as well.
    let atLeisure = home.path + "/at-leisure.json5"
    try Data("{ interaction: { shownMilliseconds: 6000 } }".utf8).write(to: URL(filePath: atLeisure))
    let finished = try await Program.converse(
      ["ask", "permission", "--agent", claude, "--working-folder", home.path, "--config", atLeisure], home: home,
      say: "approve", whenever: ["asks ", "only just appeared"])
    #expect(finished.output == "It was allowed.", "\(finished.errors)")
    #expect(finished.errors.contains("then decide again"), "\(finished.errors)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: [claude, codex])
  func whatCannotBeShownIsNotAllowed(_ agent: String) async throws {
    let home = try TemporaryFolder()
    let inAdvance = home.path + "/in-advance.json5"
    try Data("{ interaction: { shownMilliseconds: 0 } }".utf8).write(to: URL(filePath: inAdvance))
    let finished = try await Program.run(
      ["ask", "permission", "--agent", agent, "--working-folder", home.path, "--config", inAdvance], home: home,
      input: "approve\n", shell: "exec \"$0\" \"$@\" 2>/dev/full")
    #expect(finished.output == "It was denied.\n")
  }

  @Test(arguments: [claude, codex]) func whatNobodyDecidesIsRefused(_ agent: String) async throws {
    let finished = try await ask("permission", agent)
    #expect(finished.output == "It was denied.\n" && finished.code == 75, "\(finished.errors)")
    #expect(finished.errors.contains("Nobody can decide this, so it is refused."))
    #expect(finished.errors.contains("The agent asked for what nobody could decide any more"))
  }

  @Test func questionsAreAnsweredByNumberAndInWords() async throws {
    let finished = try await ask("question", codex, input: "choose 2\nanswer three\n")
    #expect(finished.output == "{\"colour\": \"Blue\", \"count\": \"three\"}\n", "\(finished.errors)")
  }

  @Test func whatIsSaidBesideTheInstructionFollowsIt() async throws {
    let finished = try await ask("text", acp, input: "say text\n")
    #expect(
      finished.output == "Hello there.\nSecond paragraph.\nHello there.\nSecond paragraph.\n", "\(finished.errors)")
    #expect(finished.code == 0)
  }

  @Test func aLineThatIsNoCommandIsAnsweredWithWhatIsOne() async throws {
    let home = try TemporaryFolder()
    try Data("frobnicate\n".utf8).write(to: URL(filePath: home.path + "/lines"))
    let finished = try await Program.run(
      ["ask", "text", "--agent", acp, "--working-folder", home.path], home: home,
      shell: "exec \"$0\" \"$@\" <'\(home.path)/lines'")
    let refusal = "“frobnicate” is not a command. There are: approve, reject [REASON],"
    #expect(finished.errors.contains(refusal), "\(finished.errors)")
    #expect(!finished.errors.contains("listen"), "nobody listens here")
  }

  @Test func everyEventIsALineOfJSON() async throws {
    let finished = try await ask("text", codex, ["--json"])
    #expect(finished.code == 0)
    let lines = finished.output.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix("{\"agentReady\":{\"agent\":{\"capabilities\":[\"ask\",") == true, "\(finished.output)")
    #expect(lines.last == "{\"agentReported\":{\"event\":{\"turnEnded\":{\"end\":{\"completed\":{}}}},\"run\":1}}")
  }

  @Test(arguments: [(claude, "“make”"), (codex, "“the build is green”")])
  func whatNeverEndsInTheBackgroundIsNotWaitedForWithoutEnd(_ agent: String, _ work: String) async throws {
    let home = try TemporaryFolder()
    let impatient = home.path + "/impatient.json5"
    try Data("{ interaction: { backgroundSeconds: 0 } }".utf8).write(to: URL(filePath: impatient))
    let finished = try await Program.run(
      ["ask", "leave", "--agent", agent, "--working-folder", home.path, "--config", impatient], home: home)
    #expect(finished.output == "It runs.\n", "\(finished.errors)")
    #expect(finished.code == 75, "\(finished.errors)")
    #expect(finished.errors.contains("The agent still has \(work) running in the background"), "\(finished.errors)")
  }

  /// As behind a pager that nobody looks at: what cannot be printed yet holds up neither a halt nor the end.
  @Test func whoeverDoesNotReadHoldsUpNoHalt() async throws {
    let home = try TemporaryFolder()
    try #require(mkfifo(home.path + "/answer", 0o600) == 0)
    let reader = open(home.path + "/answer", O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    let arguments = ["ask", "halt flood obeys \(home.path)", "--agent", acp, "--working-folder", home.path]
    try await Program.run(
      arguments, home: home, environment: [:], errors: home.path + "/errors", output: home.path + "/answer"
    ) { execution in
      // Full once nothing more can be written into it.
      var writable = pollfd(fd: reader, events: Int16(POLLOUT), revents: 0)
      try await waitUntil { poll(&writable, 1, 0) == 0 }
      try execution.send(signal: .terminate)
    }
    let errors = String(decoding: FileManager.default.contents(atPath: home.path + "/errors") ?? Data(), as: UTF8.self)
    #expect(errors.contains("The agent was stopped."), "\(errors)")
    let work = String(decoding: FileManager.default.contents(atPath: home.path + "/work") ?? Data(), as: UTF8.self)
    #expect(work.contains("over"), "\(work)")
  }

  @Test func whatWaitedBehindAFailureIsToldAsNotSent() async throws {
    let failed = try await ask("fail", claude, input: "say and then this\n")
    #expect(failed.code == 69 && failed.errors.contains("unsent    “and then this” was not sent."), "\(failed.errors)")
  }

  @Test func aHaltEndsWithACodeOfItsOwn() async throws {
    let home = try TemporaryFolder()
    let halted = try await Program.haltInTheMiddle(
      ["ask", "slow", "--agent", claude, "--working-folder", home.path], home: home)
    #expect(halted.code == 75, "\(halted.errors)")
  }

  @Test(arguments: [
    (["ask", "  "], 64, "The instruction is empty."),
    (["ask", "hello", "--resume", "a", "--fork", "b"], 64, "Give --resume or --fork, not both."),
    (["ask", "hello", "--resume", ""], 64, "--resume is empty."),
    (["ask", "hello", "--fork", ""], 64, "--fork is empty."),
    (["ask", "hello", "--agent-mode", ""], 64, "--agent-mode is empty."),
    (["ask", "hello", "--agent-model", ""], 64, "--agent-model is empty."),
    (["ask", "hello", "--at", "b"], 64, "--at needs --fork."),
    (["ask", "hello", "--agent", "cluade"], 64, "Did you mean “claude”?"),
    (["ask", "hello", "--agent", "acp:no-such-agent-at-all"], 69, "was not found. Install the agent"),
    (["ask", "hello", "--working-folder", "/no/such/folder"], 64, "There is no working folder"),
    (["ask", "fail", "--agent", claude], 69, "the model is down"),
    (["ask", "die", "--agent", codex], 69, "It is not known how much of the instruction was carried out."),
    (
      ["ask", "hello", "--agent", claude, "--resume", "none"], 69,
      "Claude Code cannot go on with the session “none” (No conversation found with session ID: none); "
        + "parley sessions claude lists those of this folder."
    ),
    (
      ["ask", "hello", "--agent", codex, "--fork", "none"], 69,
      "Codex cannot go on with the session “none” (no rollout found for none); "
        + "parley sessions codex lists those of this folder."
    ),
    (["ask", "hello", "--agent", claude, "--resume", "last"], 69, "There are no sessions of the agent in this"),
    (["ask", "hello", "--agent", acp, "--fork", "session-1", "--at", "m"], 69, "cannot go back to an earlier message"),
    (["sessions", "claude", "show"], 64, "Say which session"),
    (["sessions", "claude", "rewind", "s"], 64, "Say which message"),
    (["sessions", "echo"], 69, "keeps no sessions"),
    (["sessions", "a2a:http://127.0.0.1:1"], 69, "keeps no sessions"),
    (["ask", "hello", "--agent", "a2a:http://127.0.0.1:1", "--resume", "last"], 69, "lists no sessions, so"),
    (["sessions", "claude", "rename", "s", "Other"], 64, "'rename' is invalid for '<action>'. Please provide one of"),
    (["sessions", "claude", "delete", "s"], 69, "There is no Claude Code session s of"),
    (["sessions", "claude", "show", "nothing"], 69, "There is no Claude Code session nothing"),
    (["agents", "acp:no-such-agent-at-all"], 69, "was not found"),
  ])
  func badInputIsOneClearError(_ arguments: [String], _ code: Int, _ words: String) async throws {
    let finished = try await Program.run(arguments, home: try TemporaryFolder())
    #expect(finished.code == code, "\(finished.errors)")
    #expect(finished.errors.contains(words), "\(finished.errors)")
  }

  @Test func sessionsAreListedShownAndGoneOnWith() async throws {
    let home = try TemporaryFolder()
    let listed = try await Program.run(["sessions", codex, "--working-folder", home.path], home: home)
    #expect(listed.output.contains("thread-1"), "\(listed.errors)")
    #expect(listed.output.contains("Fix the build"))
    let shown = try await Program.run(
      ["sessions", codex, "show", "thread-1", "--working-folder", home.path], home: home)
    #expect(shown.output == "user    fix it\n[turn-1]\nagent   Fixed.\n", "\(shown.errors)")
    let resumed = try await Program.run(
      ["ask", "hello", "--agent", codex, "--resume", "thread-1", "--working-folder", home.path], home: home)
    #expect(resumed.output == "You said: hello again\n", "\(resumed.errors)")
    for name in ["last", "thr"] {
      let resumed = try await Program.run(
        ["ask", "hello", "--agent", codex, "--resume", name, "--working-folder", home.path], home: home)
      #expect(resumed.output == "You said: hello again\n", "\(name): \(resumed.errors)")
      #expect(resumed.errors.contains("session   Going on with “Fix the build"), "\(name): \(resumed.errors)")
    }
  }

  @Test func installedAgentsAreListedWithTheirAbilities() async throws {
    let home = try TemporaryFolder()
    let program = home.path + "/codex"
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let listed = try await Program.run(["agents"], home: home, environment: ["PATH": home.path])
    #expect(listed.code == 0)
    #expect(listed.output.contains("guide "))
    #expect(
      listed.output.split(separator: "\n").contains {
        $0.hasPrefix("codex ") && $0.contains("steer") && $0.hasSuffix(program)
      }, "\(listed.output)")
    #expect(listed.output.contains("not installed: claude"))
    let asked = try await Program.run(["agents", acp], home: home)
    #expect(asked.output.contains("cancel resume list fork"), "\(asked.output) \(asked.errors)")
  }
}
