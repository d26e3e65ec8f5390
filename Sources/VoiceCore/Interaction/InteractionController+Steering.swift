import VoiceVocabulary

/// Further instructions for the work that runs. They take the way of every instruction: the ledger first, and once.
extension InteractionController {
  /// Why no instruction can go into the running work now; nil if one can.
  var reasonNotToSteer: String? {
    guard run.running != nil else { return "Nothing is running; approve the instruction instead." }
    guard let agent, agent.capabilities.contains(.steer) else {
      return "This agent cannot be steered; approve the instruction to send it afterwards."
    }
    return run.steering == .none ? nil : "The agent has not accepted the previous instruction yet."
  }

  /// An instruction that was meant for the running work. To be called only without a refusal.
  mutating func steer(_ instruction: Instruction) {
    act(.enterInLedger(run: run.steer(instruction), instruction: instruction))
  }

  /// A further instruction stands in the ledger: it goes into the run, if that still works.
  mutating func steeringEntered(_ instruction: Instruction, into current: RunRegion.Run?) {
    guard let current else {
      return holdAgain(instruction, because: "The work ended before this instruction could go into it.")
    }
    because("Sent into the running work: it stands in the ledger, on disk.")
    note(.dispatched(instruction: instruction.id))
    act(.steerRun(run: current.id, instruction: instruction))
    show(.steering(run: current.id, text: instruction.text))
  }

  /// The agent took a further instruction.
  mutating func steered(_ instruction: InstructionID) {
    if run.steered(instruction) { note(.acknowledged(instruction: instruction)) }
  }

  /// The agent did not take a further instruction: it is held again.
  mutating func steeringRefused(_ instruction: InstructionID, _ reason: String) {
    if let refused = run.steeringRefused(instruction) { holdAgain(refused, because: reason) }
  }

  /// Under a new number, since this one stands in the ledger.
  private mutating func holdAgain(_ instruction: Instruction, because reason: String) {
    note(.withdrawn(instruction: instruction.id))
    show(.warning(text: "The running agent did not accept it, so it is held again: \(reason)"))
    offerAgain(instruction, returned: .init(.unsent, reason.asSentence))
  }
}
