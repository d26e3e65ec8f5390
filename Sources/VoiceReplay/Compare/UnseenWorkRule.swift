import VoiceVocabulary

/// Beside work that may go on unseen, nothing begins that the user has not approved since.
struct UnseenWorkRule {
  /// Nil where no work may go on unseen.
  private var approved: Set<InstructionID>?

  /// A run is over.
  mutating func ended(_ end: AgentTurnEnd) {
    if case .unconfirmed(_, true) = end { approved = [] }
  }

  /// The user approved this instruction.
  mutating func approved(_ instruction: InstructionID) { approved?.insert(instruction) }

  /// This waits for the user, whatever was approved before.
  mutating func held(_ item: HeldItem) {
    if case .instruction(let instruction) = item.content { approved?.remove(instruction.id) }
  }

  /// What is broken if this instruction begins now; nil if nothing is.
  mutating func violation(by instruction: InstructionID) -> String? {
    guard let approved = approved.take(), !approved.contains(instruction) else { return nil }
    return "instruction \(instruction) goes out beside work that may go on unseen"
  }
}
