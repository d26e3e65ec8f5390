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

/// The whole way: a real child process, real pipes, a scripted agent.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ACPAgentTests {
  @Test func anAnswerComesInOrderAndEndsOnce() async throws {
    try await withScriptedAgent { agent, journal in
      agent.openAgent()
      agent.startRun(1, Instruction("text please"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(
        journal.reports(of: 1) == [
          .turnStarted, .text(delta: "Hello "), .text(delta: "there."), .paragraphEnded,
          .text(delta: "Second paragraph."), .usage(usage: AgentUsage(inputTokens: 10, outputTokens: 2)),
          .turnEnded(end: .completed),
        ])
      let session = AgentSessionID(rawValue: "session-1")
      #expect(
        await journal.ready() == AgentDescription(name: "Scripted", session: session, capabilities: [.cancel, .mayAsk]))
    }
  }

  @Test func aRunThatComesBeforeTheAgentIsReadyWaitsForIt() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("good morning"))
      agent.startRun(2, Instruction("good evening"))
      #expect(await journal.end(of: 2) == .completed)
      #expect(journal.text(of: 1) == "You said: good morning")
      #expect(journal.text(of: 2) == "You said: good evening")
    }
  }

  @Test func toolsAreDescribedAndThoseLeftOpenEndAsUnknown() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("tool"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(
        journal.reports(of: 1).filter { if case .usage = $0 { false } else { true } } == [
          .turnStarted, .text(delta: "I look. "), .paragraphEnded,
          .toolStarted(tool: AgentTool(id: "t1", title: "read_file", kind: "read")),
          .toolUpdated(id: "t1", title: "Read README.md"), .toolFinished(id: "t1", outcome: .completed),
          .toolStarted(tool: AgentTool(id: "t2", title: "Left open", kind: "other")), .text(delta: "Done."),
          .toolFinished(id: "t2", outcome: .unknown), .turnEnded(end: .completed),
        ])
    }
  }

  @Test(arguments: [
    (PermissionRequest.Choice.allowOnce, "yes", AgentTool.Outcome.completed), (.allowAlways, "always", .completed),
    (.rejectOnce, "no", .declined), (.rejectAlways, "never", .declined),
  ])
  func aPermissionIsChosenByKind(
    _ choice: PermissionRequest.Choice, _ option: String, _ outcome: AgentTool.Outcome
  ) async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("permission"))
      let request = try #require(await journal.permission())
      #expect(request.title == "Run make test")
      #expect(request.detail == "")
      #expect(request.choices == [.allowAlways, .allowOnce, .rejectAlways, .rejectOnce])
      agent.answerPermission(request.id, of: 1, with: choice)
      agent.answerPermission(request.id, of: 1, with: .allowAlways)
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1).contains("\"optionId\": \"\(option)\""))
      #expect(journal.reports(of: 1).contains(.toolFinished(id: "t1", outcome: outcome)))
    }
  }

  @Test func aHaltDuringAPermissionRequestAnswersItAsCancelled() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("permission"))
      let request = try #require(await journal.permission())
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      #expect(journal.reports(of: 1).contains(.permissionWithdrawn(id: request.id)))
      agent.startRun(2, Instruction("hello"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test func anAgentMayWithdrawItsRequest() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("withdraw"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.reports(of: 1).contains(.permissionWithdrawn(id: PermissionID(rawValue: "permission-1"))))
      #expect(journal.text(of: 1).contains("-32800"))
    }
  }

  @Test(arguments: [("slow", AgentTurnEnd.cancelled), ("wrong-stop", .completed)])
  func theEndAfterAHaltIsAsTheAgentSaysAndNothingIsHeardAfterIt(_ word: String, _ end: AgentTurnEnd) async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction(word))
      #expect(await journal.wait { !Journal.reports(of: 1, in: $0).filter { $0 == .text(delta: "Starting.") }.isEmpty })
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == end)
      #expect(journal.text(of: 1) == "Starting.")
    }
  }

  @Test func anAgentThatIgnoresAHaltIsEndedWhenToldTwice() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("deaf"))
      #expect(
        await journal.wait { !Journal.reports(of: 1, in: $0).filter { $0 == .text(delta: "I do not stop.") }.isEmpty })
      agent.cancelRun(1)
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      agent.startRun(2, Instruction("hello"))
      #expect(await journal.end(of: 2) == .completed)
    }
  }

  @Test func aDeathInTheMiddleOfAnAnswerIsToldOnceWithTheLastWords() async throws {
    try await withScriptedAgent { agent, journal in
      agent.openAgent()
      agent.startRun(1, Instruction("die"))
      let end = await journal.end(of: 1)
      #expect(
        end
          == .unconfirmed(
            reason: """
              Scripted ended in the middle of its work (exit code 7). It is started again when it is needed. \
              Its last words: Traceback: the disk is full
              """))
      #expect(journal.text(of: 1) == "Half a sen")
      agent.startRun(2, Instruction("are you there"))
      #expect(await journal.end(of: 2) == .completed)
      let statuses = journal.reports(of: 2).compactMap { if case .status(let text) = $0 { text } else { nil } }
      #expect(statuses == ["the agent is started again; it remembers nothing of before."])
      #expect(journal.reports(of: 1).filter { if case .turnEnded = $0 { true } else { false } }.count == 1)
      #expect(!journal.all.contains { if case .agentUnavailable = $0 { true } else { false } })
    }
  }

  @Test func noiseBadBytesAndUnknownMessagesAreSurvived() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("garbage"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == "bad \u{FFFD}\u{FFFD} bytes -32601 -32602")
    }
  }

  @Test func aFloodArrivesWholeAndInOrder() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("flood 5000"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1) == (0..<5000).map { "\($0) " }.joined())
    }
  }

  @Test func aLineOfManyMebibytesIsTaken() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("huge 8"))
      #expect(await journal.end(of: 1) == .completed)
      #expect(journal.text(of: 1).utf8.count == 8 << 20)
    }
  }

  @Test func whatComesAfterTheEndOfATurnIsNobodysBusiness() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("late"))
      agent.startRun(2, Instruction("hello"))
      #expect(await journal.end(of: 2) == .completed)
      #expect(journal.text(of: 1) == "In time.")
      if case .turnEnded = journal.reports(of: 1).last {} else { Issue.record("something followed the end") }
    }
  }

  @Test func anErrorOfTheAgentBecomesOneSentence() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("fail -32603"))
      #expect(
        await journal.end(of: 1)
          == .failed(reason: "Scripted reported an error: Internal error: the model is down"))
      agent.startRun(2, Instruction("stop refusal"))
      #expect(await journal.end(of: 2) == .stopped(reason: "It refuses to go on with this."))
      agent.startRun(3, Instruction("stop max_tokens"))
      #expect(
        await journal.end(of: 3) == .stopped(reason: "It reached its limit of tokens; say “go on” to continue."))
    }
  }

  @Test func onlySpokenInstructionsCarryTheNoteThatTheyWereSpoken() async throws {
    try await withScriptedAgent(voiceNote: "Dictated:") { agent, journal in
      agent.startRun(1, Instruction("typed"))
      agent.startRun(2, Instruction("spoken", source: .voice))
      #expect(await journal.end(of: 2) == .completed)
      #expect(journal.text(of: 1) == "You said: typed")
      #expect(journal.text(of: 2) == "You said: spoken\n\n(Dictated:)")
    }
  }

  @Test func aRunThatIsInTheWayOfShutDownEnds() async throws {
    try await withScriptedAgent { agent, journal in
      agent.startRun(1, Instruction("slow"))
      #expect(await journal.wait { !Journal.reports(of: 1, in: $0).isEmpty })
      agent.shutDown()
      agent.startRun(2, Instruction("too late"))
      #expect(await journal.end(of: 1) == .unconfirmed(reason: "The session is over."))
      #expect(await journal.end(of: 2) == .failed(reason: "The session is over."))
    }
  }

  /// From before the agent writes a line until its event is posted; the agent's own encoding and writing included.
  @Test func aWordIsOnlyAFewMillisecondsOnItsWay() async throws {
    let arrivals = Locked<[Int: Int]>([:])
    let journal = Journal()
    let settings = ChildSettings(name: "the agent", workingFolder: "/tmp")
    let agent = ChildAgent<ACPDialect>(
      command: ChildCommand(executable: Fixtures.python, arguments: [Fixtures.scriptedAgent], workingFolder: "/tmp"),
      settings: settings
    ) { event in
      if case .agentReported(let run, .text(let delta)) = event, let written = Int(delta) {
        arrivals.withLock { $0[run.rawValue] = Self.monotonicNanoseconds - written }
      }
      journal.post(event)
    }
    try await withAgent(agent) {
      for run in 1...200 {
        agent.startRun(RunID(rawValue: run), Instruction("clock"))
        #expect(await journal.end(of: RunID(rawValue: run)) == .completed)
      }
    }
    let sorted = arrivals.withLock { $0.values.sorted() }
    try #require(sorted.count == 200)
    print("ACP text line to event: median \(sorted[100] / 1000) us, 95th \(sorted[190] / 1000) us")
    #expect(sorted[100] < 20_000_000)
  }

  private static var monotonicNanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
