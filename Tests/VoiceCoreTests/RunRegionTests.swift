import Testing
import VoiceCore

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
    #expect(region.halt() == .beforeItLeft)
    #expect(region.halt() == .nothing)
    #expect(!region.canBeHalted && !region.isIdle)
    let id = instruction(1).id
    let answered = isRecorded ? region.ledgerEntered(id) : region.ledgerFailed(id)
    #expect(answered == .withdrawn(run(1)))
    #expect(region.isIdle)
  }

  @Test func theQueueIsBoundedUnlessTheWorkIsStoppedForIt() {
    var region = working()
    for id in 0..<Limits.queuedInstructions { #expect(region.enqueue(instruction(id + 10))) }
    #expect(!region.enqueue(instruction(99)))
    #expect(region.enqueue(instruction(99), isForced: true))
    #expect(region.takeNext() == instruction(10))
    #expect(region.takeQueue().last == instruction(99))
    #expect(region.takeNext() == nil)
    #expect(region.takeQueue().isEmpty)
  }

  @Test(arguments: [
    AgentTurnEnd.completed, .cancelled, .stopped(reason: "r"), .failed(reason: "r"), .unconfirmed(reason: "r"),
  ])
  func theEndOfAHaltedRunIsAHaltUnlessItIsAFailure(_ end: AgentTurnEnd) {
    var region = working()
    #expect(region.ended(end).end == end)
    region = working()
    guard case .atWork = region.halt() else {
      Issue.record("nothing was halted")
      return
    }
    #expect(region.running == nil && region.isCurrent(RunID(rawValue: 1)))
    let isFailure = [.failed(reason: "r"), .unconfirmed(reason: "r")].contains(end)
    #expect(region.ended(end).end == (isFailure ? end : .cancelled))
    #expect(region.isIdle && !region.isCurrent(RunID(rawValue: 1)))
  }

  @Test func whatGoesIntoTheWorkTakesTheSameWay() {
    var region = working()
    #expect(region.steer(instruction(2)) == RunID(rawValue: 1))
    #expect(!region.steered(instruction(2).id))
    guard case .steering(instruction(2), into: let current?) = region.ledgerEntered(instruction(2).id) else {
      Issue.record("it does not leave")
      return
    }
    #expect(current.id == RunID(rawValue: 1))
    #expect(region.steeringRefused(instruction(3).id) == nil)
    #expect(region.steered(instruction(2).id))
    #expect(!region.steered(instruction(2).id))
    #expect(region.steering == .none)
  }

  @Test func whatWasNotTakenIntoTheWorkComesBackWithItsEnd() {
    var region = working()
    _ = region.steer(instruction(2))
    _ = region.ledgerEntered(instruction(2).id)
    #expect(region.ended(.completed).untaken == instruction(2))
    // One whose work ends while it is being recorded does not leave.
    region = working()
    _ = region.steer(instruction(2))
    #expect(region.ended(.completed).untaken == nil)
    #expect(region.ledgerEntered(instruction(2).id) == .steering(instruction(2), into: nil))
    #expect(region.steering == .none)
  }

  @Test func anAnswerIsSpokenUntilItIsMuted() {
    var region = working()
    #expect(region.answered("It works. And ") == ["It works."])
    #expect(region.running?.voice == .heard)
    #expect(region.flushed() == ["And"])
    region.mute()
    #expect(region.answered("More of it. ").isEmpty)
    #expect(region.flushed().isEmpty)
    #expect(region.running?.voice == .muted)
    _ = region.halt()
    #expect(region.answered("Too late. ").isEmpty)
  }

  @Test func theAgentTakesAnInstructionOnce() {
    var region = working()
    #expect(region.acknowledged() == instruction(1).id)
    #expect(region.acknowledged() == nil)
    region = working()
    _ = region.halt()
    #expect(region.acknowledged() == instruction(1).id)
    #expect(region.acknowledged() == nil)
    region = RunRegion()
    #expect(region.acknowledged() == nil)
  }
}
