import Testing
import VoiceCore
import VoiceLanguage
import VoiceTesting
import VoiceVocabulary

private let run = RunID(rawValue: 1)

/// The controller as far as a typed instruction that was handed on in direct mode.
private func running() -> InteractionController {
  var controller = InteractionController()
  _ = controller.handle(.sessionStarted(settings: .init { $0.mode = .direct }), at: .zero)
  _ = controller.handle(.commandGiven(command: .say(text: "run the tests")), at: .zero)
  _ = controller.handle(.ledgerEntered(instruction: .init(rawValue: 1)), at: .zero)
  return controller
}

extension [VoiceAction] {
  fileprivate var notes: [LedgerEntry] {
    compactMap { if case .noteInLedger(let entry) = $0 { entry } else { nil } }
  }
}

@Test func theLedgerIsToldBeforeAnInstructionLeavesAndOnceTheAgentHasIt() {
  var controller = InteractionController()
  _ = controller.handle(.sessionStarted(settings: .init { $0.mode = .direct }), at: .zero)
  _ = controller.handle(.commandGiven(command: .say(text: "run the tests")), at: .zero)
  let id = InstructionID(rawValue: 1)
  let left = controller.handle(.ledgerEntered(instruction: id), at: .zero)
  let noted = left.firstIndex(of: .noteInLedger(entry: .dispatched(instruction: id)))
  let started = left.firstIndex { if case .startRun = $0 { true } else { false } }
  #expect(noted != nil && started != nil && (noted ?? 0) < (started ?? 0))
  let taken = controller.handle(.agentReported(run: run, event: .turnStarted), at: .zero)
  #expect(taken.notes == [.acknowledged(instruction: id)])
  let text = controller.handle(.agentReported(run: run, event: .text(delta: "Yes.")), at: .zero)
  #expect(text.notes.isEmpty)
  let ended = controller.handle(.agentReported(run: run, event: .turnEnded(end: .completed)), at: .zero)
  #expect(ended.notes == [.ended(run: run, end: .completed)])
}

@Test func anAgentThatFailsWithoutASignHasNotTakenTheInstruction() {
  var controller = running()
  let actions = controller.handle(
    .agentReported(run: run, event: .turnEnded(end: .failed(reason: "refused"))), at: .zero)
  #expect(actions.notes.first == .ended(run: run, end: .failed(reason: "refused")))
}

@Test func whatAnEarlierSessionLeftOverIsHeldEvenInDirectMode() {
  var controller = InteractionController()
  _ = controller.handle(.sessionStarted(settings: .init { $0.mode = .direct }), at: .zero)
  let origin = Instruction.Origin(session: "yesterday", instruction: .init(rawValue: 4))
  let actions = controller.handle(.instructionRecovered(text: "push it", origin: origin), at: .zero)
  #expect(controller.held.count == 1)
  #expect(!actions.contains { if case .enterInLedger = $0 { true } else { false } })
  #expect(controller.takeReasons().first?.contains("yesterday") == true)
  let approved = controller.handle(.commandGiven(command: .approve), at: .milliseconds(1_000))
  #expect(approved.contains { if case .enterInLedger(_, let sent) = $0 { sent.origin == origin } else { false } })
}

/// Also where its work fails, and it is this session's own from then on.
@Test(arguments: [true, nil]) func theAgentIsToldOfWhatWasSpokenInAnEarlierSession(_ wasSpoken: Bool?) throws {
  var controller = InteractionController()
  _ = controller.handle(.sessionStarted(settings: .init { $0.mode = .direct }), at: .zero)
  let origin = Instruction.Origin(session: "yesterday", instruction: .init(rawValue: 4))
  _ = controller.handle(
    .instructionRecovered(text: "push it", origin: origin, wasSpoken: wasSpoken), at: .zero)
  for time in [SessionTime.milliseconds(1_000), .milliseconds(2_000)] {
    let approved = controller.handle(.commandGiven(command: .approve), at: time)
    let entered = approved.compactMap { if case .enterInLedger(let run, let sent) = $0 { (run, sent) } else { nil } }
    let (run, sent) = try #require(entered.first)
    #expect(sent.introduced(by: "By voice.") == (wasSpoken == true ? "push it\n\n(By voice.)" : "push it"))
    _ = controller.handle(.ledgerEntered(instruction: sent.id), at: time)
    _ = controller.handle(.agentReported(run: run, event: .turnEnded(end: .failed(reason: "refused"))), at: time)
  }
}

@Test func whatWasUsedIsSummedUpAtTheEnd() {
  var controller = running()
  for (connection, input) in [(1, 100), (1, 250), (2, 30)] {
    let event = VoiceEvent.modelUsage(
      connection: .init(rawValue: connection), inputTokens: input, outputTokens: input / 10)
    _ = controller.handle(event, at: .zero)
  }
  _ = controller.handle(.readoutUsage(inputTokens: 7, outputTokens: 900), at: .zero)
  for cost in [0.01, 0.25] {
    let usage = AgentUsage(inputTokens: 5, outputTokens: nil, costInDollars: cost)
    _ = controller.handle(.agentReported(run: run, event: .usage(usage: usage)), at: .zero)
  }
  let actions = controller.handle(.commandGiven(command: .quit), at: .zero)
  var sum = SessionUsage()
  sum.listener = .init(input: 280, output: 28)
  sum.readout = .init(input: 7, output: 900)
  sum.agent = .init(input: 5, output: 0)
  sum.agentCostInDollars = 0.25
  #expect(actions.contains(.show(notice: .usage(usage: sum))))
}

@Test func nothingIsSaidAboutUseWhenNobodyToldAny() {
  var controller = running()
  let actions = controller.handle(.commandGiven(command: .quit), at: .zero)
  #expect(!actions.contains { if case .show(.usage) = $0 { true } else { false } })
}

/// Whatever happens, the ledger hears of an instruction before anything is done with it.
@Test func theLedgerKnowsEveryInstructionInAnyOrderOfEvents() {
  var total = 0
  for seed in 5_000..<5_300 as Range<UInt64> {
    var session = RandomSession(seed: seed)
    var proposed: Set<InstructionID> = []
    var dispatched: Set<InstructionID> = []
    session.run(steps: 200) { _, event, actions in
      for action in actions {
        switch action {
        case .noteInLedger(.proposed(let instruction)):
          #expect(proposed.insert(instruction.id).inserted, "seed \(seed): proposed twice")
        case .noteInLedger(.held(let id)), .noteInLedger(.approved(let id)), .noteInLedger(.rejected(let id)),
          .noteInLedger(.lapsed(let id)), .noteInLedger(.withdrawn(let id)):
          #expect(proposed.contains(id), "seed \(seed): \(event)")
        case .noteInLedger(.dispatched(let id)): dispatched.insert(id)
        case .startRun(_, let instruction), .steerRun(_, let instruction):
          #expect(dispatched.contains(instruction.id), "seed \(seed): left without a note")
        case .show(.held(let item, _)):
          if case .instruction(let instruction) = item.content {
            #expect(proposed.contains(instruction.id), "seed \(seed): held but not proposed")
          }
        default: break
        }
      }
    }
    total += proposed.count
  }
  #expect(total > 500)
}
