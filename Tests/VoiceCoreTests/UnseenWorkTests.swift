import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// Work whose end nobody saw, and which may go on: what the user is told, and what is not begun beside it.
struct UnseenWorkTests {
  /// A session whose halt was never confirmed.
  private func unconfirmed(_ mode: InteractionMode = .direct) throws -> (Talk, [VoiceAction]) {
    var talk = Talk(.init { $0.mode = mode })
    try talk.work()
    try talk.command("halt")
    let end = AgentTurnEnd.unconfirmed(reason: "The server did not confirm that it stopped.", mayGoOn: true)
    let ended = talk.give(.agentReported(run: talk.run, event: .turnEnded(end: end)))
    return (talk, ended)
  }

  private func leaves(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction.text } else { nil } }
  }

  @Test func stoppedIsNotSaidOfWhatDidNotConfirmIt() throws {
    let (talk, ended) = try unconfirmed()
    let spoken = ended.compactMap { if case .speak(_, let text, _) = $0 { text } else { nil } }
    #expect(spoken.first?.hasPrefix("Not known to have stopped.") == true)
    #expect(talk.controller.status.mayWorkUnseen)
    // What was halted is not offered again, and the ledger has the same end.
    #expect(talk.controller.held.isEmpty)
    let isInLedger = ended.contains {
      if case .noteInLedger(.ended(_, .unconfirmed)) = $0 { true } else { false }
    }
    #expect(isInLedger && talk.rules.violations.isEmpty)
  }

  @Test(arguments: [InteractionMode.direct, .review])
  func whatIsSaidNextIsHeldWithTheReasonUntilItIsApprovedAllTheSame(_ mode: InteractionMode) throws {
    var (talk, _) = try unconfirmed(mode)
    var said = try talk.command("say next")
    if mode == .review { said = try talk.command("approve") }
    #expect(leaves(said) == [])
    let warnings = said.compactMap { if case .show(.warning(let text)) = $0 { text } else { nil } }
    #expect(warnings.first?.contains("may still be working on an earlier instruction: “build it”") == true)
    // Another one is no more sent than the first.
    if mode == .direct { #expect(leaves(try talk.command("say more")) == []) }
    #expect(talk.heldTexts.first == "next")
    #expect(leaves(try talk.command("approve")) == ["next"])
    #expect(!talk.controller.status.mayWorkUnseen)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatWaitedForItIsHeldAndGoesWithOneApproval() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    try talk.command("say next")
    let end = AgentTurnEnd.unconfirmed(reason: "The connection broke.", mayGoOn: true)
    #expect(leaves(talk.give(.agentReported(run: talk.run, event: .turnEnded(end: end)))) == [])
    #expect(talk.heldTexts == ["build it", "next"])
    #expect(leaves(try talk.command("approve")) == ["build it"])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anAgentThatIsGoneHoldsNothingUp() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .unconfirmed(reason: "It died."))))
    #expect(leaves(try talk.command("say next")) == ["next"])
  }

  @Test func whatWasDoneInSpiteOfAHaltIsNotSaidToHaveStopped() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    try talk.command("halt")
    let ended = talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
    #expect(ended.contains(.show(notice: .runEnded(run: talk.run, end: .completed))))
    let spoken = ended.compactMap { if case .speak(_, let text, _) = $0 { text } else { nil } }
    #expect(spoken.first?.hasPrefix("It finished before it could be stopped.") == true)
  }
}
