import Testing
import VoiceVocabulary

@testable import VoiceCore

/// The region alone, without a controller.
struct RunRegionTests {
  private func instruction(_ id: Int) -> Instruction {
    Instruction(id: InstructionID(rawValue: id), text: "do \(id)", heard: nil, source: .keyboard)
  }

  private func run(_ id: Int) -> RunRegion.Run { .init(id: RunID(rawValue: id), instruction: instruction(id)) }

  /// A region at work on instruction 1.
  private func working() -> RunRegion {
    var region = RunRegion()
    region.begin(run(1))
    _ = region.ledgerEntered(instruction(1).id)
    return region
  }

  @Test func anInstructionLeavesOnceItStandsInTheLedger() {
    var region = RunRegion()
    region.begin(run(1))
    #expect(region.running == nil && !region.isIdle && region.canBeHalted)
    #expect(region.ledgerEntered(instruction(2).id) == .unknown)
    guard case .run(let sent) = region.ledgerEntered(instruction(1).id) else {
      Issue.record("it does not leave")
      return
    }
    #expect(sent.instruction == instruction(1) && region.running == sent && region.isCurrent(sent.id))
    #expect(region.ledgerEntered(instruction(1).id) == .unknown)
  }

  @Test func whatTheLedgerCannotTakeDoesNotLeave() {
    var region = RunRegion()
    region.begin(run(1))
    #expect(region.ledgerFailed(instruction(2).id) == .unknown)
    #expect(region.ledgerFailed(instruction(1).id) == .run(run(1)))
    #expect(region.isIdle)
  }

  @Test(arguments: [true, false]) func whatIsHaltedWhileItIsBeingRecordedDoesNotLeave(isRecorded: Bool) {
    var region = RunRegion()
    region.begin(run(1))
    for _ in 0..<2 {
      let told = region.haltAll()
      #expect(told.isEmpty)
    }
    #expect(!region.canBeHalted && !region.isIdle)
    let id = instruction(1).id
    let answered = isRecorded ? region.ledgerEntered(id) : region.ledgerFailed(id)
    #expect(answered == .withdrawn(run(1)))
    #expect(region.isIdle)
  }

  @Test func theQueueIsBounded() {
    var region = working()
    let isQueued = (0...Limits.queuedInstructions).map { region.enqueue(instruction($0 + 10)) }
    #expect(isQueued == [Bool](repeating: true, count: Limits.queuedInstructions) + [false])
    #expect(region.takeNext() == nil, "while something is at work")
    let waiting = region.takeQueue()
    #expect(waiting.count == Limits.queuedInstructions && region.queue.isEmpty)
    #expect(region.takeNext() == nil)
  }

  @Test(arguments: [
    AgentTurnEnd.completed, .cancelled, .stopped(reason: "r"), .failed(reason: "r"), .unconfirmed(reason: "r"),
  ])
  func theEndOfAHaltedRunIsWhatTheAgentConfirmed(_ end: AgentTurnEnd) {
    var region = working()
    let ended = region.ended(end, of: RunID(rawValue: 1))
    #expect(ended.end == end && !ended.wasHalted)
    region = working()
    let told = region.haltAll()
    #expect(told.map(\.id) == [RunID(rawValue: 1)])
    #expect(region.running == nil && region.isCurrent(RunID(rawValue: 1)))
    let halted = region.ended(end, of: RunID(rawValue: 1))
    #expect(halted.end == (end == .stopped(reason: "r") ? .cancelled : end) && halted.wasHalted)
    #expect(region.isIdle && !region.isCurrent(RunID(rawValue: 1)) && region.unseen == nil)
  }

  @Test func nothingBeginsBesideWorkThatMayGoOnBeforeTheUserWasToldOfIt() {
    var region = working()
    _ = region.haltAll()
    _ = region.ended(.unconfirmed(reason: "r", mayGoOn: true), of: RunID(rawValue: 1))
    #expect(region.unseen?.run == RunID(rawValue: 1) && region.unseen?.text == "do 1")
    for id in [2, 3] {
      let mayBegin = region.mayBegin(instruction(id).id)
      #expect(!mayBegin)
    }
    region.toldOfUnseen(instruction(4).id)
    for id in [4, 5] {
      let mayBegin = region.mayBegin(instruction(id).id)
      #expect(mayBegin)
      #expect(region.unseen == nil)
    }
  }

  @Test func whatGoesIntoTheWorkTakesTheSameWay() {
    var region = working()
    #expect(region.steer(instruction(2)) == RunID(rawValue: 1))
    var isSteered = region.steered(instruction(2).id)
    #expect(!isSteered)
    guard case .steering(instruction(2), into: let current?) = region.ledgerEntered(instruction(2).id) else {
      Issue.record("it does not leave")
      return
    }
    #expect(current.id == RunID(rawValue: 1))
    #expect(region.steeringRefused(instruction(3).id) == nil)
    isSteered = region.steered(instruction(2).id)
    #expect(isSteered)
    isSteered = region.steered(instruction(2).id)
    #expect(!isSteered)
    #expect(region.steering == .none)
  }

  @Test func whatWasNotTakenIntoTheWorkComesBackWithItsEnd() {
    var region = working()
    _ = region.steer(instruction(2))
    _ = region.ledgerEntered(instruction(2).id)
    let ended = region.ended(.completed, of: RunID(rawValue: 1))
    #expect(ended.unaccepted == instruction(2))
    // One whose work ends while it is being recorded does not leave.
    region = working()
    _ = region.steer(instruction(2))
    let again = region.ended(.completed, of: RunID(rawValue: 1))
    #expect(again.unaccepted == nil)
    #expect(region.ledgerEntered(instruction(2).id) == .steering(instruction(2), into: nil))
    #expect(region.steering == .none)
  }

  /// The ledger took so long that the next one works by now, which nobody wanted to steer.
  @Test func whatWasMeantForOneRunDoesNotGoIntoTheNext() {
    var region = working()
    let run = region.steer(instruction(3))
    _ = region.ended(.completed, of: run)
    region.begin(self.run(2))
    _ = region.ledgerEntered(instruction(2).id)
    #expect(region.running?.id == RunID(rawValue: 2))
    #expect(region.ledgerEntered(instruction(3).id) == .steering(instruction(3), into: nil))
    #expect(region.steering == .none)
  }

  @Test func anAnswerIsSpokenUntilItIsMuted() {
    var region = working()
    #expect(region.replied("It works. And ", of: RunID(rawValue: 1)) == ["It works."])
    #expect(region.running?.voice == .heard)
    #expect(region.flushed(RunID(rawValue: 1)) == ["And"])
    region.mute()
    let spoken = region.replied("More of it. ", of: RunID(rawValue: 1))
    #expect(spoken.isEmpty)
    let flushed = region.flushed(RunID(rawValue: 1))
    #expect(flushed.isEmpty)
    #expect(region.running?.voice == .muted)
    _ = region.haltAll()
    let late = region.replied("Too late. ", of: RunID(rawValue: 1))
    #expect(late.isEmpty)
  }

  @Test func theAgentTakesAnInstructionOnce() {
    var region = working()
    #expect(region.acknowledged() == instruction(1).id)
    #expect(region.acknowledged() == nil)
    region = working()
    _ = region.haltAll()
    #expect(region.acknowledged() == instruction(1).id)
    #expect(region.acknowledged() == nil)
    region = RunRegion()
    #expect(region.acknowledged() == nil)
  }
}
