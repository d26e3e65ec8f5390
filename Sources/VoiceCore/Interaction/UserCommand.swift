/// A decision of the user, from a key, or from a line on standard input.
package enum UserCommand: Equatable, Sendable, Codable {
  /// Approve the oldest held item.
  case approve
  /// Reject the oldest held item; the reason is told to nobody but the log.
  case reject(reason: String?)
  /// Take options of the oldest held question, or one answer of the oldest held permission request, by their numbers
  /// from 1.
  case choose(numbers: [Int])
  /// Answer the oldest held question in words.
  case answer(text: String)
  /// Approve the oldest held instruction into the work that runs, instead of behind it.
  case steer
  /// The user began to edit the held instruction: read-back stops at once.
  case beginEdit
  /// Replace the text of the held instruction; it stays held.
  case amend(text: String)
  /// Propose an instruction by typing.
  case say(text: String)
  /// Change the mode for later instructions; held items stay held.
  case mode(mode: InteractionMode)
  /// Stop speaking; work goes on.
  case quiet
  /// Stop the work.
  case halt
  /// Say again what is held.
  case again
  /// Show the keys.
  case help
  /// End the session.
  case quit
}

/// What happens to a spoken instruction.
package enum InteractionMode: String, Sendable, Codable, CaseIterable {
  /// It is handed to the agent at once.
  case direct
  /// It is held until approved, edited or rejected.
  case review
}
