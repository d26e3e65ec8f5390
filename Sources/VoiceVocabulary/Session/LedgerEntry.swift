/// One line of the ledger: what became of an instruction, from speech to the agent's acknowledgement.
///
/// Order: `proposed`; `held` and a decision on it, where one is asked for; `entered`, `dispatched`, `acknowledged`, `ended`.
/// An instruction that comes back (its entry failed, or the work it was to follow was halted) is `held` again.
package enum LedgerEntry: Equatable, Sendable, Codable {
  /// It was spoken or typed.
  case proposed(instruction: Instruction)
  /// It waits for the user's decision.
  case held(instruction: InstructionID)
  case amended(instruction: InstructionID, text: String)
  case approved(instruction: InstructionID)
  /// The user does not want it sent.
  case rejected(instruction: InstructionID)
  /// The user quit, or halted the work, before it was sent; or the session ended where no later one can offer it.
  case lapsed(instruction: InstructionID)
  /// It is about to be sent. On disk before it leaves. Or the agent began it by itself, as the source says.
  case entered(instruction: Instruction, run: RunID)
  /// It is being handed to the agent at this moment.
  case dispatched(instruction: InstructionID)
  /// The agent took it.
  case acknowledged(instruction: InstructionID)
  /// It did not go into the running work after all; it is proposed again under another number.
  case withdrawn(instruction: InstructionID)
  /// The user, or the time, did not allow this act of the run, whatever the agent says of it in the end.
  case denied(run: RunID, act: String)
  /// The user halts the run. Written by the recorder itself, from the step that tells the agent so: no action of that step.
  case halted(run: RunID)
  /// The run is over, with all that was sent into it.
  case ended(run: RunID, end: AgentTurnEnd)
  /// Written later, by the session that asked: the user has decided what shall become of what this one had left open.
  case settled(instruction: InstructionID)
  /// Written later, by the session in this folder, before it offers the instruction under a number of its own. What another folder
  /// says of an instruction counts only where this confirms it.
  case takenOver(instruction: InstructionID, folder: String, number: InstructionID)
}
