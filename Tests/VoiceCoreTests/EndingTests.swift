import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

extension [VoiceAction] {
  /// What became of instructions that were not sent, as it is told: `kept` or `lapsed`, and the text.
  fileprivate var unsent: [String] {
    compactMap {
      switch $0 {
      case .show(.kept(_, let instruction, _)): "kept \(instruction.text)"
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

/// An instruction was sent, or was to be, and this became of it; nobody is there any more who could decide anew.
private func undone(
  _ event: VoiceEvent, _ settings: InteractionSettings = .init { $0.mode = .direct }
) throws -> [VoiceAction] {
  var talk = Talk(settings)
  try talk.command("say run the tests")
  if case .agentReported = event { talk.give(.ledgerEntered(instruction: .init(rawValue: 1))) }
  talk.give(event)
  #expect(talk.heldTexts == ["run the tests"])
  talk.give(.commandsEnded)
  talk.give(.microphoneEnded)
  while let piece = talk.controller.speech.requested { talk.give(.speechFailed(speech: piece.id, reason: "no voice")) }
  let actions = talk.give(.timerFired(timer: .endOfInput), after: Limits.endOfInputMilliseconds)
  #expect(talk.rules.violations.isEmpty)
  return actions
}

private let death = VoiceEvent.agentReported(
  run: .init(rawValue: 1), event: .turnEnded(end: .unconfirmed(reason: "It died.")))
private let failure = VoiceEvent.agentReported(
  run: .init(rawValue: 1), event: .turnEnded(end: .failed(reason: "The model is down.")))

@Test func whatWasSentAndNotDoneIsKeptAndNoSuccessWhereNobodyDecides() throws {
  let died = try undone(death)
  #expect(
    died.last
      == .end(
        outcome: .failed(
          reason: "“run the tests” was sent. It died. It is not known how much of it was carried out.")))
  let kept = died.compactMap { if case .show(.kept(_, let kept, let doubt)) = $0 { (kept.id, doubt) } else { nil } }
  #expect(kept.map(\.0.rawValue) == [2] && kept.map(\.1) == [.sent])
  #expect(died.entries.isEmpty, "the ledger has it as held")
  #expect(
    try undone(failure).last
      == .end(outcome: .failed(reason: "“run the tests” was sent, and not carried out. The model is down.")))
}

@Test func whatCouldNotBeWrittenDownIsNotPromisedToBeFound() throws {
  let actions = try undone(.ledgerFailed(instruction: .init(rawValue: 1), reason: "The disk is full."))
  #expect(actions.last == .end(outcome: .failed(reason: "“run the tests” was not sent. The disk is full.")))
  #expect(actions.contains { if case .show(.kept(_, _, doubt: .unwritten)) = $0 { true } else { false } })
}

@Test(arguments: [
  (death, "It was sent, and it is not known how much of it was carried out; nobody approved it again."),
  (failure, "It was sent and failed, and nobody approved it again."),
])
func whatIsDroppedIsNeverSaidToBeUnsentThatWasSent(_ event: VoiceEvent, _ reason: String) throws {
  let settings = InteractionSettings {
    $0.mode = .direct
    $0.keepsUnsent = false
  }
  let actions = try undone(event, settings)
  let lapsed = Notice.lapsed(item: .init(rawValue: 1), text: "run the tests", reason: reason)
  #expect(actions.contains(VoiceAction.show(notice: lapsed)))
}

/// What the user has decided about is no failure of the session.
@Test func whatFailedAndWasRejectedIsOver() throws {
  var talk = Talk(.init { $0.mode = .direct })
  try talk.command("say run the tests")
  talk.give(.ledgerEntered(instruction: .init(rawValue: 1)))
  talk.give(death)
  try talk.command("reject")
  talk.give(.commandsEnded)
  talk.give(.microphoneEnded)
  while let piece = talk.controller.speech.requested { talk.give(.speechFailed(speech: piece.id, reason: "no voice")) }
  let actions = talk.give(.timerFired(timer: .endOfInput), after: Limits.endOfInputMilliseconds)
  #expect(actions.last == .end(outcome: .completed))
}

/// What was approved and waits behind it is not lost with it.
@Test func whatWaitsForWorkThatWaitsForNobodyIsKept() throws {
  var talk = Talk(.init { $0.mode = .direct })
  try talk.work()
  try talk.command("say count the lines")
  talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
  let actions = over(&talk)
  let reason = "The agent waited for a decision that nobody could give any more, and was stopped in its work."
  #expect(actions.last == .end(outcome: .failed(reason: reason)))
  let kept = actions.compactMap { if case .show(.kept(_, let kept, _)) = $0 { kept.text } else { nil } }
  #expect(kept == ["count the lines"])
}

/// A reader that went away, or a full disk: nobody has decided about it.
@Test func whatCouldNotBeShownIsKept() throws {
  var talk = Talk(.init { $0.readsBack = false })
  talk.give(.screenLent)
  try talk.command("say count the lines")
  #expect(try !talk.command("approve", after: 5_000).isApproval)
  let actions = over(&talk)
  let reason = "What waited for a decision could not be shown, so nothing of it was approved."
  #expect(actions.last == .end(outcome: .failed(reason: reason)))
  let kept = actions.compactMap { if case .show(.kept(_, let kept, _)) = $0 { kept.text } else { nil } }
  #expect(kept == ["count the lines"])
}

/// No command and no sound can come any more.
private func over(_ talk: inout Talk) -> [VoiceAction] {
  talk.give(.commandsEnded)
  talk.give(.microphoneEnded)
  while let piece = talk.controller.speech.requested { talk.give(.speechFailed(speech: piece.id, reason: "no voice")) }
  return talk.give(.timerFired(timer: .endOfInput), after: Limits.endOfInputMilliseconds)
}
