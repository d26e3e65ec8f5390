/// Further instructions for the work that runs. They take the way of every instruction: the ledger first, and once.
extension InteractionController {
  /// Why no instruction can go into the running work now; nil if one can.
  var steeringObjection: String? {
    guard run.running != nil else { return "Nothing is running; approve the instruction instead." }
    guard let agent, agent.capabilities.contains(.steer) else {
      return "This agent takes nothing into running work; approve the instruction, and it follows."
    }
    return run.steering == .none ? nil : "The agent has not taken the instruction before this one yet."
  }

  /// An instruction that was meant for the running work. To be called only without an objection.
  mutating func handInto(_ instruction: Instruction) {
    guard let current = run.running else { preconditionFailure("nothing runs that could be steered") }
    run.steering = .entering(instruction)
    act(.enterInLedger(run: current.id, instruction: instruction))
  }

  mutating func steeringEntered(_ instruction: Instruction) {
    guard let current = run.running else {
      run.steering = .none
      return holdAgain(instruction, because: "The work ended before this instruction could go into it.")
    }
    run.steering = .sent(instruction)
    because("Sent into the running work: it stands in the ledger, on disk.")
    note(.dispatched(instruction: instruction.id))
    act(.steerRun(run: current.id, instruction: instruction))
    show(.steering(run: current.id, text: instruction.text))
  }

  mutating func steered(_ instruction: InstructionID) {
    guard case .sent(let sent) = run.steering, sent.id == instruction else { return }
    run.steering = .none
    note(.acknowledged(instruction: instruction))
  }

  mutating func steeringRefused(_ instruction: InstructionID, _ reason: String) {
    guard case .sent(let sent) = run.steering, sent.id == instruction else { return }
    run.steering = .none
    holdAgain(sent, because: reason)
  }

  /// Under a new number, since this one stands in the ledger.
  private mutating func holdAgain(_ instruction: Instruction, because reason: String) {
    note(.withdrawn(instruction: instruction.id))
    show(.warning(text: "Not taken into the running work, and held again: \(reason)"))
    offerAgain(instruction)
  }
}
