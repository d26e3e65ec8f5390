// Identifiers are types, so that a run can never be mistaken for a spoken piece.

/// An identifier shows as its number or name alone: what it is the number of, the words around it say.
package protocol ShownIdentifier: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible, DigestedState
where RawValue: CustomStringConvertible & DigestedState {}

extension ShownIdentifier {
  package var description: String { rawValue.description }
}

/// An identifier that the controller hands out: a number, in order.
package protocol NumberedIdentifier: ShownIdentifier, Comparable where RawValue == Int {
  /// Every number is one.
  init(rawValue: Int)
}

extension NumberedIdentifier {
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Become the next one. Returns that.
  package mutating func advance() -> Self {
    self = Self(rawValue: rawValue + 1)
    return self
  }
}

/// One instruction, from the moment it was proposed.
package struct InstructionID: NumberedIdentifier {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// One instruction executing in the coding agent.
package struct RunID: NumberedIdentifier {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// One item waiting for the user's decision.
package struct HeldItemID: NumberedIdentifier {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// One piece of speech: about a sentence, requested from the readout and then played.
package struct SpeechID: NumberedIdentifier {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// One WebSocket connection to the live model; a resumed session is a new connection.
package struct ConnectionID: NumberedIdentifier {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// One turn of the live model on one connection: a stretch in which it speaks. Numbered upwards.
package struct ModelTurnID: NumberedIdentifier {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
}

/// A tool call of the live model. It can be answered only on the connection that made it.
package struct CallID: Hashable, Sendable, Codable {
  /// The connection that asked.
  package let connection: ConnectionID
  /// The identifier as the live model sent it; may be empty where a server sends none.
  package let id: String
  /// The name of the tool, which an answer must repeat.
  package let tool: String

  package init(connection: ConnectionID, id: String, tool: String) {
    self.connection = connection
    self.id = id
    self.tool = tool
  }
}

/// A permission request of the coding agent, named as the converse client chose.
package struct PermissionID: ShownIdentifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// A question of the coding agent, named as the converse client chose.
package struct QuestionID: ShownIdentifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// What an armed timer is for. At most one timer of each name is armed.
package enum TimerID: Hashable, Sendable, Codable {
  /// The live model's connection is tried again when it fires.
  case reconnect
  /// The setup of this connection took too long.
  case setup(connection: ConnectionID)
  /// The last chance to rotate before an announced cut.
  case rotation(connection: ConnectionID)
  /// Input is over, and nothing more came of it for a while.
  case endOfInput
  /// An utterance was heard, but nothing came of it.
  case unansweredUtterance
  /// An instruction that is said in pieces was not ended for a long time.
  case forgottenEnd
  /// The rest of a sentence that was not ended did not come.
  case latePiece
  /// An instruction that is whole leaves, unless the user goes on.
  case leaving
  /// The same as `latePiece` where the sentence is held: it is read back now.
  case lateReadBack(item: HeldItemID)
  /// The run has been silent for a while: play the working earcon.
  case working(run: RunID)
  /// The agent has not confirmed a halt.
  case haltConfirmation(run: RunID)
  /// The agent will soon give up waiting for an answer.
  case answerWarning(item: HeldItemID)
  /// The agent gives up waiting for an answer.
  case answerLimit(item: HeldItemID)
  /// Whether the user interrupts must be decided now.
  case interruption
  /// The readout has produced nothing for a requested piece.
  case speechStall(speech: SpeechID)
  /// A sound device is still away.
  case soundDevices
  /// What the agent has left running in the background has not ended, and nobody is there who would wait for it.
  case background
}

extension TimerID: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch self {
    case .reconnect: digest.fold(0)
    case .setup(let connection): digest.fold(1, connection)
    case .rotation(let connection): digest.fold(2, connection)
    case .endOfInput: digest.fold(3)
    case .unansweredUtterance: digest.fold(4)
    case .working(let run): digest.fold(5, run)
    case .haltConfirmation(let run): digest.fold(6, run)
    case .speechStall(let speech): digest.fold(7, speech)
    case .interruption: digest.fold(8)
    case .forgottenEnd: digest.fold(11)
    case .soundDevices: digest.fold(12)
    case .background: digest.fold(15)
    case .latePiece: digest.fold(13)
    case .lateReadBack(let item): digest.fold(14, item)
    case .leaving: digest.fold(16)
    case .answerWarning(let item): digest.fold(9, item)
    case .answerLimit(let item): digest.fold(10, item)
    }
  }
}
