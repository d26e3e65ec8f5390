import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

extension [VoiceAction] {
  /// What became of instructions that were not sent, as it is told: `kept` or `lapsed`, and the text.
  fileprivate var unsent: [String] {
    compactMap {
      switch $0 {
      case .show(.kept(_, let instruction)): "kept \(instruction.text)"
      case .show(.lapsed(_, let text, _)): "lapsed \(text)"
      default: nil
      }
    }
  }

  /// The entries of the ledger.
  fileprivate var entries: [LedgerEntry] {
    compactMap { if case .noteInLedger(let entry) = $0 { entry } else { nil } }
  }
}

/// The agent works, one approved instruction waits for its turn, another one for its approval.
private func waiting(_ settings: InteractionSettings = .init()) throws -> Talk {
  var talk = Talk(settings)
  try talk.work()
  try talk.command("mode direct")
  try talk.command("say run the tests")
  try talk.command("mode review")
  talk.say("push it")
  #expect(talk.heldTexts == ["push it"])
  return talk
}

@Test(arguments: ["SIGHUP", "SIGTERM"]) func whoClosesTheTerminalLosesNothing(_ signal: String) throws {
  var talk = try waiting()
  let actions = talk.give(.terminationRequested(signal: signal))
  #expect(actions.unsent == ["kept push it", "kept run the tests"])
  #expect(actions.entries.isEmpty, "as after a crash, the ledger says how far each came")
  #expect(actions.last == .end(outcome: .terminated(signal: signal)))
  #expect(!actions.contains { if case .startRun = $0 { true } else { false } })
  #expect(talk.rules.violations.isEmpty)
}

@Test func aSessionThatFailsLosesNothing() throws {
  var talk = try waiting()
  let actions = talk.give(.agentUnavailable(reason: "It is gone."))
  #expect(actions.unsent == ["kept push it", "kept run the tests"])
  #expect(actions.last == .end(outcome: .failed(reason: "It is gone.")))
}

@Test func whoQuitsWasAskedBeforeAndDropsIt() throws {
  var talk = try waiting()
  let asked = talk.give(.commandGiven(command: .leave))
  #expect(asked.contains { if case .show(.quitAsked) = $0 { true } else { false } })
  let actions = talk.give(.commandGiven(command: .leave))
  #expect(actions.unsent == ["lapsed push it", "lapsed run the tests"])
  #expect(actions.entries == [.lapsed(instruction: .init(rawValue: 3)), .lapsed(instruction: .init(rawValue: 2))])
  #expect(actions.last == .end(outcome: .completed))
}

@Test func whereNoLaterSessionLooksNothingIsSaidToBeKept() throws {
  var talk = try waiting(InteractionSettings { $0.keepsUnsent = false })
  #expect(talk.give(.terminationRequested(signal: "SIGHUP")).unsent == ["lapsed push it", "lapsed run the tests"])
}

@Test func whatWasAboutToLeaveDidNotLeave() throws {
  var talk = Talk(.init { $0.mode = .direct })
  try talk.command("say run the tests")
  let actions = talk.give(.terminationRequested(signal: "SIGTERM"))
  #expect(actions.unsent == ["kept run the tests"])
  #expect(actions.entries == [.held(instruction: .init(rawValue: 1))])
}

/// Quitting does not settle what another session left open, so it is not said to be dropped.
@Test func whatAnEarlierSessionLeftOverStaysOpenWhenTheUserQuits() {
  var talk = Talk()
  talk.give(
    .instructionRecovered(text: "push it", origin: .init(session: "yesterday", instruction: .init(rawValue: 4))))
  #expect(talk.give(.commandGiven(command: .quit)).unsent == ["kept push it"])
}

@Test func aSessionEndsOnceItsInputIsOverAndSaysWhy() throws {
  var talk = Talk()
  talk.give(.microphoneEnded)
  _ = talk.controller.takeReasons()
  let actions = talk.give(.timerFired(timer: .endOfInput), after: Limits.endOfInputMilliseconds)
  #expect(actions.last == .end(outcome: .completed))
  #expect(
    talk.controller.takeReasons() == [
      "Ended: the input is over, and nothing was left to be answered, decided, done or said."
    ])
}
