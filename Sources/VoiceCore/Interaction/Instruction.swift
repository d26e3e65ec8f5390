/// What is proposed to be handed to the coding agent.
package struct Instruction: Equatable, Sendable, Codable {
  /// Where an instruction came from.
  package enum Source: String, Sendable, Codable {
    /// Spoken, and proposed by the live model.
    case voice
    /// Typed by the user.
    case keyboard
    /// Left over by an earlier session.
    case ledger
  }

  /// Where the instruction stands in the ledger of an earlier session, which is told what became of it.
  package struct Origin: Equatable, Sendable, Codable {
    /// The name of the session's folder.
    package var session: String
    package var instruction: InstructionID

    package init(session: String, instruction: InstructionID) {
      self.session = session
      self.instruction = instruction
    }
  }

  package var id: InstructionID
  /// The text that would be handed on.
  package var text: String
  /// The transcript of the user's own words, where the live model gave one.
  package var heard: String?
  package var source: Source
  /// Only of one that an earlier session left over.
  package var origin: Origin?

  package init(id: InstructionID, text: String, heard: String?, source: Source, origin: Origin? = nil) {
    self.id = id
    self.text = text
    self.heard = heard
    self.source = source
    self.origin = origin
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

extension Instruction: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(id.rawValue)
    digest.fold(text)
    digest.fold(text: heard)
    digest.fold(source.rawValue)
  }
}

extension HeldItem: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(id.rawValue)
    switch content {
    case .instruction(let instruction): instruction.fold(into: &digest)
    case .permission(let run, let request):
      digest.fold(-run.rawValue)
      digest.fold(request.id.rawValue)
    case .question(let run, let question):
      digest.fold(-run.rawValue)
      digest.fold(question.id.rawValue)
    }
  }
}
