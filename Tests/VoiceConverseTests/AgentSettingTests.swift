import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceConverse

/// The mode and the model of a child-process agent, changed while its session goes on.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AgentSettingTests {
  private static func acp(_ more: String...) -> ChildAgentSpecification {
    ChildAgentSpecification(
      name: "scripted", language: .acp, executable: Fixtures.python,
      arguments: [Fixtures.scriptedAgent, "--modes", "default,plan,broken", "--models", "a,b"] + more)
  }

  /// The newest that was told.
  private static func told(_ events: [VoiceEvent]) -> AgentControls? {
    for case .agentControlsTold(let controls) in events.reversed() { return controls }
    return nil
  }

  private static func refusal(_ events: [VoiceEvent]) -> String? {
    for case .agentSettingRefused(_, let value, let reason) in events { return "\(value): \(reason)" }
    return nil
  }

  @Test(arguments: [ConformanceTests.Back.acp, .claude, .codex])
  func whatItIsSetToIsToldAndChanged(_ back: ConformanceTests.Back) async throws {
    let (mode, model) = back == .codex ? ("on-request", "gpt-a") : back == .acp ? ("plan", "b") : ("plan", "opus")
    try await withChild(back == .acp ? Self.acp() : ConformanceTests.specification(back)) { agent, journal in
      agent.openAgent()
      #expect(await journal.wait { Self.told($0)?.model?.offered.contains(model) == true })
      let first = try #require(Self.told(journal.all))
      #expect(first.mode?.offered.contains(mode) == true && first.mode?.current != mode)
      agent.changeAgent(.mode, to: mode)
      #expect(await journal.wait { Self.told($0)?.mode?.current == mode })
      agent.changeAgent(.model, to: model)
      #expect(await journal.wait { Self.told($0)?.model?.current == model })
      #expect(Self.told(journal.all)?.mode?.current == mode)
      // It works on as before.
      agent.startRun(1, Instruction("text"))
      #expect(await journal.end(of: 1) == .completed)
    }
  }

  @Test(arguments: [ConformanceTests.Back.acp, .claude, .codex])
  func whatWasChosenIsKeptInAnotherSession(_ back: ConformanceTests.Back) async throws {
    let mode = back == .codex ? "on-request" : "plan"
    try await withSwitchable(back == .acp ? Self.acp("--sessions") : ConformanceTests.specification(back)) {
      agent, journal in
      agent.openAgent()
      #expect(await journal.ready() != nil)
      agent.changeAgent(.mode, to: mode)
      #expect(await journal.wait { Self.told($0)?.mode?.current == mode })
      let before = journal.all.count
      agent.reopenAgent(.resume(AgentSessionID(rawValue: "earlier")))
      #expect(await journal.wait { Self.told(Array($0.dropFirst(before)))?.mode?.current == mode })
      let modes = journal.all.dropFirst(before).compactMap { event in
        if case .agentControlsTold(let controls) = event { controls.mode?.current } else { nil }
      }
      #expect(Set(modes) == [mode])
    }
  }

  @Test func aTurnOfCodexNamesWhatWasChangedAndNothingElse() async throws {
    try await withChild(ConformanceTests.specification(.codex)) { agent, journal in
      agent.startRun(1, Instruction("settings"))
      #expect(await journal.end(of: 1) == .completed)
      agent.changeAgent(.mode, to: "never")
      agent.startRun(2, Instruction("settings"))
      #expect(await journal.end(of: 2) == .completed)
      #expect([journal.text(of: 1), journal.text(of: 2)] == ["-, -", "never, -"])
    }
  }

  @Test(arguments: [ConformanceTests.Back.acp, .claude])
  func whatItRefusesStaysAndIsToldWithItsReason(_ back: ConformanceTests.Back) async throws {
    let (mode, reason) =
      back == .acp
      ? ("broken", "broken: no such mode") : ("bypassPermissions", "bypassPermissions: it was not started for that")
    try await withChild(back == .acp ? Self.acp() : ConformanceTests.specification(back)) { agent, journal in
      agent.openAgent()
      #expect(await journal.ready() != nil)
      agent.changeAgent(.mode, to: mode)
      #expect(await journal.wait { Self.refusal($0) == reason })
      #expect(Self.told(journal.all)?.mode?.current == "default")
    }
  }

  @Test func anAgentThatStaysInItsModeIsNotSaidToHaveChanged() async throws {
    try await withChild(Self.acp("--options", "--stubborn")) { agent, journal in
      agent.openAgent()
      #expect(await journal.ready() != nil)
      agent.changeAgent(.mode, to: "plan")
      #expect(await journal.wait { Self.refusal($0) == "plan: it stays at “default”" })
      #expect(Self.told(journal.all)?.mode?.current == "default")
    }
  }

  @Test func anAgentThatIsNotThereIsNotSaidToHaveChanged() async throws {
    try await withChild(ConformanceTests.specification(.claude)) { agent, journal in
      agent.changeAgent(.mode, to: "plan")
      #expect(await journal.wait { Self.refusal($0)?.contains("does not run just now") == true })
    }
  }
}
