/// What is proposed to be handed to the coding agent.
package struct Instruction: Equatable, Sendable, Codable {
  /// Where an instruction came from.
  package enum Source: String, Sendable, Codable {
    /// Spoken, and proposed by the live model.
    case voice
    /// Typed by the user.
    case keyboard
  }

  package var id: InstructionID
  /// The text that would be handed on.
  package var text: String
  /// The transcript of the user's own words, where the live model gave one.
  package var heard: String?
  package var source: Source

  package init(id: InstructionID, text: String, heard: String?, source: Source) {
    self.id = id
    self.text = text
    self.heard = heard
    self.source = source
  }
}

/// An item that waits for the user's decision: the next one is always the oldest.
package struct HeldItem: Equatable, Sendable, Codable {
  package enum Content: Equatable, Sendable, Codable {
    /// An instruction that is not handed on before it is approved.
    case instruction(instruction: Instruction)
    /// The running agent asks before it acts.
    case permission(run: RunID, request: PermissionRequest)
    /// The running agent wants to know something.
    case question(run: RunID, question: AgentQuestion)
  }

  package var id: HeldItemID
  package var content: Content
  package var since: SessionTime

  package init(id: HeldItemID, content: Content, since: SessionTime) {
    self.id = id
    self.content = content
    self.since = since
  }
}
