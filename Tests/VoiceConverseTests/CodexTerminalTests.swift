import Testing
import VoiceConverse
import VoiceTesting
import VoiceVocabulary

/// Codex lets the command of an interrupted turn run on: it is ended before the turn is said to have stopped.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CodexTerminalTests {
  @Test func aHaltEndsTheCommandOfItsTurnAndNoOther() async throws {
    try await withChild(ConformanceTests.specification(.codex)) { agent, journal in
      agent.startRun(1, Instruction("lingers"))
      #expect(await journal.wait { !Journal.reports(of: 1, in: $0).filter(\.isText).isEmpty })
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      agent.startRun(2, Instruction("left"))
      #expect(await journal.end(of: 2) == .completed)
      #expect(journal.text(of: 2) == "earlier")
    }
  }

  @Test(arguments: ["sticks", "hides"])
  func whatDoesNotEndOrIsNotToldIsEndedWithTheAgent(_ what: String) async throws {
    try await withChild(ConformanceTests.specification(.codex)) { agent, journal in
      agent.startRun(1, Instruction(what))
      #expect(await journal.wait { !Journal.reports(of: 1, in: $0).filter(\.isText).isEmpty })
      agent.cancelRun(1)
      #expect(await journal.end(of: 1) == .cancelled)
      // A child of its own, which has nothing of the one before.
      agent.startRun(2, Instruction("left"))
      #expect(await journal.end(of: 2) == .completed)
      #expect(journal.text(of: 2) == "")
    }
  }
}

extension AgentEvent {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
