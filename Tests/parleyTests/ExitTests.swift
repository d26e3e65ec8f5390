import Testing
import VoiceCore
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private let silence = Repository.path + "/audio-fixtures/recordings/nonspeech_keyboard_fan.wav"
private let scripted = "python3 \(Repository.path)/Tests/servers/scripted_agents.py"

/// A session over a recording in which nobody speaks, with instructions from a pipe.
private func run(
  _ lines: String, agent: String, home: TemporaryFolder, _ more: [String] = ["--mode", "direct"], shell: String? = nil
) async throws -> Finished {
  // A script that decides before it is asked says so.
  let inAdvance = home.path + "/in-advance.json5"
  try Data("{ interaction: { shownMilliseconds: 0, readBack: false } }".utf8).write(to: URL(filePath: inAdvance))
  return try await IndependentServer.run([]) { server in
    try await Program.run(
      [
        "run", "--live", server.url, "--speaker", "none", "--microphone", silence, "--agent", agent, "--config",
        inAdvance, "--working-folder", home.path,
      ] + more, home: home, input: lines, shell: shell)
  }
}

/// The only session there is.
private func session(in home: TemporaryFolder) throws -> SessionFolder {
  let sessions = home.path + "/parley/sessions"
  let names = try FileManager.default.contentsOfDirectory(atPath: sessions).filter { $0.hasPrefix("20") }
  return SessionFolder(unchecked: "\(sessions)/\(try #require(names.first))")
}

/// What a program is told that starts `parley run` and looks at nothing but its exit code.
@Suite(.timeLimit(.minutes(5))) struct ExitTests {
  /// The limit is one of blocks of 512 bytes.
  @Test func anInstructionThatTheLedgerHasNoRoomForIsAnErrorOfOutput() async throws {
    let home = try TemporaryFolder()
    let text = String(repeating: "word ", count: 4_000) + "end"
    let finished = try await run(
      "say \(text)\n", agent: "echo", home: home, shell: "ulimit -f 32; exec \"$0\" \"$@\"")
    #expect(finished.code == 74, "\(finished.errors.suffix(500))")
    #expect(finished.errors.hasPrefix("parley: "), "\(finished.errors.prefix(500))")
    #expect(finished.errors.contains("ledger.jsonl"), "\(finished.errors.suffix(500))")
    #expect(!finished.output.contains("Nobody approved it"))
  }

  /// It would run out of them in places that cannot say so.
  @Test func aSessionThatMayOpenTooFewFilesSaysSo() async throws {
    let home = try TemporaryFolder()
    let finished = try await run("", agent: "echo", home: home, shell: "ulimit -n 64; exec \"$0\" \"$@\"")
    #expect(finished.code == 78 && finished.errors.contains("ulimit -n"), "\(finished.errors)")
    let raised = try await run("quit\n", agent: "echo", home: home, shell: "ulimit -S -n 64; exec \"$0\" \"$@\"")
    #expect(raised.code == 0, "what the system allows is taken: \(raised.errors)")
  }

  /// The user has one, wherever it is now: not to heed it would be to allow what it forbids.
  @Test func aConfigurationBehindALinkThatLeadsNowhereIsNotPassedOver() async throws {
    let home = try TemporaryFolder()
    let folder = home.path + "/.config/parley"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder + "/parley.json5", withDestinationPath: "/nowhere/at/all")
    let finished = try await Program.run(
      ["ask", "--agent", "echo", "hello"], home: home, shell: "unset XDG_CONFIG_HOME; exec \"$0\" \"$@\"")
    #expect(finished.code == 78 && finished.errors.contains("parley.json5"), "\(finished.errors)")
  }

  @Test func anAgentThatDiesAtWorkIsAFailureAndWhatItHadIsOfferedAgain() async throws {
    let home = try TemporaryFolder()
    let finished = try await run("say die\n", agent: "codex:\(scripted) codex", home: home)
    #expect(finished.code == 69, "\(finished.errors)\(finished.output)")
    #expect(finished.errors.contains("It is not known how much of it was carried out."), "\(finished.errors)")
    #expect(!finished.output.contains("it was not sent"), "\(finished.output)")
    #expect(finished.output.contains("kept      die – It was sent"), "\(finished.output)")
    let left = try await Program.run(["ledger"], home: home)
    #expect(left.output.components(separatedBy: "not confirmed: “die”").count == 2, "offered once: \(left.output)")
    #expect(left.output.contains("not confirmed: “die” – It was sent before"), "\(left.output)")
    let earlier = try #require(EarlierSession(try session(in: home)))
    let offered = LeftOver([earlier]).events.filter {
      if case .instructionRecovered(text: "die", _, _, _) = $0 { true } else { false }
    }
    #expect(offered.count == 1)
  }

  @Test func anAgentThatFailsIsAFailure() async throws {
    let home = try TemporaryFolder()
    let finished = try await run("say fail\n", agent: "claude:\(scripted) claude", home: home)
    #expect(finished.code == 69, "\(finished.errors)\(finished.output)")
    #expect(finished.errors.contains("the model is down"), "\(finished.errors)")
  }

  @Test func whatIsDroppedOnceItWasSentIsNotSaidToBeUnsent() async throws {
    let home = try TemporaryFolder()
    // The second instruction is held, behind the first one's death, and what the user quits is dropped.
    let finished = try await run("say die\nreject\nquit\n", agent: "codex:\(scripted) codex", home: home)
    #expect(!finished.output.contains("die – Nobody approved it; it was not sent."), "\(finished.output)")
  }

  @Test func aRequestThatNobodyCanDecideLeavesTheWorkUndone() async throws {
    let home = try TemporaryFolder()
    let finished = try await run("say permission\n", agent: "claude:\(scripted) claude", home: home)
    #expect(finished.code == 75, "\(finished.errors)\(finished.output)")
    #expect(finished.errors.contains("was stopped"), "\(finished.errors)")
  }

  @Test func whatWasCarriedOutIsASuccess() async throws {
    let home = try TemporaryFolder()
    let finished = try await run("say text\n", agent: "claude:\(scripted) claude", home: home)
    #expect(finished.code == 0 && finished.errors.isEmpty, "\(finished.errors)\(finished.output)")
  }
}

/// What is asked of standard output that cannot be written.
@Suite(
  .timeLimit(.minutes(5)), .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "/dev/full is needed"))
struct UnwritableOutputTests {
  @Test(arguments: [["--mode", "review"], ["--mode", "review", "--display", "json"]])
  func whatCannotBeShownIsNotApproved(_ more: [String]) async throws {
    let home = try TemporaryFolder()
    let finished = try await run(
      "say run the tests\napprove\n", agent: "echo", home: home, more, shell: "exec \"$0\" \"$@\" >/dev/full")
    #expect(finished.code == 74, "\(finished.errors)")
    #expect(finished.errors.contains("Standard output cannot be written: No space left on device."))
    let ledger = try String(contentsOf: URL(filePath: try session(in: home).ledger), encoding: .utf8)
    #expect(!ledger.contains("dispatched"), "\(ledger)")
  }

  /// What is sent without an approval need not be seen, and its answer is heard.
  @Test func inDirectModeTheSessionGoesOnAndEndsWithAnError() async throws {
    let home = try TemporaryFolder()
    let finished = try await run(
      "say run the tests\n", agent: "echo", home: home, shell: "exec \"$0\" \"$@\" >/dev/full")
    #expect(finished.code == 74, "\(finished.errors)")
    let ledger = try String(contentsOf: URL(filePath: try session(in: home).ledger), encoding: .utf8)
    #expect(ledger.contains("dispatched"), "\(ledger)")
  }

  @Test func eventsThatCannotBeWrittenAreAnError() async throws {
    let home = try TemporaryFolder()
    let finished = try await run(
      "say run the tests\n", agent: "echo", home: home, ["--events", "-"], shell: "exec \"$0\" \"$@\" >/dev/full")
    #expect(finished.code == 74, "\(finished.errors)")
    #expect(finished.errors.contains("Standard output cannot be written: No space left on device."))
  }

  @Test func aReaderThatWentAwayIsAnEndWithoutAWord() async throws {
    let home = try TemporaryFolder()
    let finished = try await run(
      "say run the tests\napprove\n", agent: "echo", home: home, ["--mode", "review"],
      shell: "mkfifo \"$HOME/gone\"; exec 3<>\"$HOME/gone\" 4>\"$HOME/gone\" 3<&-; exec \"$0\" \"$@\" >&4")
    #expect(finished.code == 69, "\(finished.errors)")
    let ledger = try String(contentsOf: URL(filePath: try session(in: home).ledger), encoding: .utf8)
    #expect(!ledger.contains("dispatched"), "\(ledger)")
  }

  @Test(arguments: [
    "ask hello --agent echo", "run --help", "--help", "--version", "help run", "agents", "words",
  ])
  func aStandardOutputThatIsClosedIsAnErrorLikeOneThatIsFull(_ verb: String) async throws {
    let home = try TemporaryFolder()
    let arguments = verb.split(separator: " ").map(String.init)
    for place in [">/dev/full", ">&-"] {
      let finished = try await Program.run(arguments, home: home, shell: "exec \"$0\" \"$@\" \(place)")
      #expect(finished.code == 74, "\(verb) \(place)")
      #expect(finished.errors.contains("Standard output cannot be written: "), "\(verb) \(place): \(finished.errors)")
    }
  }

  /// What the verb found decides its code, and what was not printed is told all the same.
  @Test func aVerbThatFailsTellsAlsoWhatItCouldNotPrint() async throws {
    let home = try TemporaryFolder()
    let finished = try await Program.run(
      ["check", "--agent", "acp:/no/such/program"], home: home, shell: "exec \"$0\" \"$@\" >/dev/full")
    #expect(finished.code == 69, "\(finished.errors)")
    #expect(finished.errors.contains("Standard output cannot be written: "), "\(finished.errors)")
  }

  @Test func whereNothingIsPrintedNothingIsMissing() async throws {
    let home = try TemporaryFolder()
    let finished = try await Program.run(["words", "repair"], home: home, shell: "exec \"$0\" \"$@\" >&-")
    #expect(finished.code == 0 && finished.errors.isEmpty, "\(finished.errors)")
  }
}
