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
    /// What the agent began by itself; nobody proposed it, and nobody is asked about it.
    case agent
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
  /// The text that would be sent.
  package var text: String
  /// The transcript of the user's own words, where the live model gave one.
  package var heard: String?
  package var source: Source
  /// Whether the microphone heard nobody say it, whatever a server claims: a key approves it then. Written only if so.
  package var isUnheard: Bool?
  /// Whether it was spoken in the earlier session that left it over. Written only if so.
  package var wasSpoken: Bool?
  /// What the agent is told besides the text; no part of what the user said.
  package var remark: String?
  /// What was put right in the text, or is doubtful in it; nil if nothing.
  package var repair: InstructionRepair?
  /// Only of one that an earlier session left over.
  package var origin: Origin?

  package init(
    id: InstructionID, text: String, heard: String?, source: Source, repair: InstructionRepair? = nil,
    origin: Origin? = nil
  ) {
    self.repair = repair
    self.id = id
    self.text = text
    self.heard = heard
    self.source = source
    self.origin = origin
  }
}

extension Instruction {
  /// Whether it was spoken, in this session or before, so that its words may be misheard.
  package var isSpoken: Bool { source == .voice || wasSpoken == true }

  /// The text with its remark, as an agent gets it that has no other place for remarks.
  package var textWithRemark: String { text + (bracketedRemark ?? "") }

  /// The remark as a paragraph of its own, to be put behind the text; nil if there is none.
  package var bracketedRemark: String? { remark.map { "\n\n(\($0))" } }
}

/// An item that waits for the user's decision.
package struct HeldItem: Equatable, Sendable, Codable {
  /// What waits: the user's own words, or what the agent asks.
  package enum Content: Equatable, Sendable, Codable {
    /// An instruction that is not sent before it is approved.
    case instruction(instruction: Instruction)
    /// The running agent asks before it acts.
    case permission(run: RunID, request: PermissionRequest)
    /// The running agent wants to know something.
    case question(run: RunID, question: AgentQuestion)

    /// What it is, in one text.
    package var title: String {
      switch self {
      case .instruction(let instruction): instruction.text
      case .permission(_, let request): request.title
      case .question(_, let question): question.text
      }
    }
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
  package func fold(into digest: inout StateDigest) {
    digest.fold(id, text, heard, source.rawValue, remark, repair?.raw, isUnheard == true)
    // Most were not, and their digests are in logs.
    if wasSpoken == true { digest.fold(true) }
  }
}

extension HeldItem: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(id)
    switch content {
    case .instruction(let instruction): instruction.fold(into: &digest)
    case .permission(let run, let request): digest.fold(-run.rawValue, request.id)
    case .question(let run, let question): digest.fold(-run.rawValue, question.id)
    }
  }
}
