/// What the live model is told in answer to a call of its tools: what became of the call, in words for a model. All of these are here,
/// so that what a model is told can be read, and compared with what it does, in one place.
///
/// Most end in "Say nothing.": the readout speaks what the agent answers, and the screen and its sounds say the rest. A model that spoke
/// as well would say it twice.
enum ToolAnswer: Equatable, Sendable {
  // An instruction.

  /// It goes to the agent.
  case dispatched
  /// It waits for the user's approval.
  case held
  /// It went into an instruction that is held already.
  case addedToHeld
  /// It is a piece of an instruction, of which more may come.
  case gathered
  /// The user ended an instruction of which nothing was said.
  case nothingGathered
  /// It is no instruction: what was heard was not meant as one.
  case notTaken(InteractionController.NotTaken)
  /// It was proposed before.
  case repetition
  /// It has no words.
  case empty
  case tooLong
  case tooManyHeld

  // A decision about what is held.

  case decided
  case questionAnswered
  case notDecided

  // A stop, or a phrase to the program itself.

  /// The work is told to stop.
  case halted
  /// The work was told to stop before; speech stops.
  case haltedAlready
  /// No work goes on; speech stops.
  case nothingRunning
  /// Speech stops, and the work goes on.
  case speechStopped
  /// It was asked to stop before the connection was lost.
  case stopRepeated
  case microphoneClosed
  case microphoneStaysOpen

  /// The call is none of ours; the reason says why.
  case rejected(reason: String)

  /// The answer as it is sent.
  var text: String {
    switch self {
    case .dispatched: "Handed to the coding agent, which answers by itself. Say nothing."
    case .held: "Held until the user approves it. Say nothing."
    case .addedToHeld: "Added to what is held. Say nothing."
    case .gathered: "Noted; the user is not finished. Say nothing."
    case .nothingGathered: "There was nothing to hand on. Say nothing."
    case .notTaken(let reason): "\(reason.rawValue) Say nothing."
    case .repetition: "This instruction was already taken. Do not repeat it."
    case .empty: "Nothing was understood. Wait for the user to speak again."
    case .tooLong: "Refused: the instruction is too long."
    case .tooManyHeld: "Refused: too much waits for a decision already."
    case .decided: "The user decided about what is held. Say nothing."
    case .questionAnswered: "The user answered the agent's question. Say nothing."
    case .notDecided: "Nothing was decided. Say nothing."
    case .halted: "The coding agent was told to stop. Say nothing."
    case .haltedAlready: "The work is being stopped already; speech was stopped. Say nothing."
    case .nothingRunning: "Nothing is running; speech was stopped. Say nothing."
    case .speechStopped: "Speech was stopped, and nothing else. Say nothing."
    case .stopRepeated: "The user said this before. Say nothing."
    case .microphoneClosed: "The microphone was closed. Say nothing."
    case .microphoneStaysOpen: "The microphone stays open. Say nothing."
    case .rejected(let reason): "Refused: \(reason) The tools are converse and stop."
    }
  }
}
