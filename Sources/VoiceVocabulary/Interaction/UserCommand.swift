/// A decision of the user, from a key, or from a line on standard input.
package enum UserCommand: Equatable, Sendable, Codable {
  /// Approve the current item.
  case approve
  /// Reject the current item. The reason is told to an agent that asked; that of a rejected instruction stands in the log
  /// alone.
  case reject(reason: String?)
  /// Take options of the current question, or one answer of the current permission request, by their numbers
  /// from 1.
  case choose(numbers: [Int])
  /// Answer the current question in words.
  case answer(text: String)
  /// Approve the current instruction into the work that runs, instead of behind it.
  case steer
  /// Make the next held item the current one, or the one before.
  case next, previous
  /// Add what is said next to the held instruction.
  case extend
  /// Say and show everything about the held item.
  case explain
  /// What was said so far is the whole instruction.
  case done
  /// Only the end word or `done` ends an instruction from now on, however long the user thinks; once more, a pause does
  /// again.
  case longThought
  /// Open the microphone, or close it: a short silence goes out then, and nothing after it.
  case listen(isOn: Bool)
  /// Leave out the rest of the sentence that is being said.
  case skip
  /// Say the sentence before again, and go on from there.
  case back
  /// Speak more slowly, or faster.
  case slower, faster
  /// The user began to edit the held instruction: read-back stops at once.
  case beginEdit
  /// The user began to type about the current item: an answer, or why he rejects it.
  case beginTyping
  /// What the user began to edit or to type about the current item is given up.
  case endTyping
  /// Replace the text of the held instruction; it stays held.
  case amend(text: String)
  /// Propose an instruction by typing.
  case say(text: String)
  /// Change the mode for later instructions; held items stay held.
  case mode(mode: InteractionMode)
  /// Change what the agent is set to, by name or how that begins; an empty name asks what there is.
  case agentSetting(setting: AgentSetting, name: String)
  /// Show the agent's own commands.
  case agentCommands
  /// Show the agent's sessions, or go on in another one.
  case agentSession(choice: AgentSessionChoice)
  /// Show what the agent may do from now on unasked, or take one of it back, by its number.
  case agentApprovals(undo: Int?)
  /// Stop speaking; work goes on.
  case quiet
  /// Stop the work. Once more, while that is not confirmed: end the agent's processes.
  case halt
  /// Say again what is held, or what was said last.
  case again
  /// Show the keys.
  case help
  /// End the session: the line of a program, which nobody can ask back.
  case quit
  /// End the session, but ask before if that would lose something: a person in a terminal may not have thought of it.
  case leave
}

extension UserCommand {
  /// Whether it is about a held item, and refused where there is none.
  package var needsHeldItem: Bool {
    switch self {
    case .approve, .reject, .choose, .answer, .steer, .next, .previous, .extend, .explain, .beginEdit, .amend: true
    case .done, .longThought, .listen, .skip, .back, .slower, .faster, .beginTyping, .endTyping, .say, .mode,
      .agentSetting, .agentCommands, .agentSession, .agentApprovals, .quiet, .halt, .again, .help, .quit, .leave:
      false
    }
  }
}

extension UserCommand {
  /// Whether it decides by the text of a line that was typed. Enter, which ends one, acts at once; a key stands alone first.
  package var isTyped: Bool {
    switch self {
    case .answer, .amend, .reject(reason: _?): true
    default: false
    }
  }
}

/// What the user wants of the agent's sessions. A name is a number of the list that was shown, or how a session's name begins.
package enum AgentSessionChoice: Equatable, Sendable, Codable {
  case list, new
  /// List the messages of the open session that one can go back to.
  case messages
  case resume(name: String)
  case fork(name: String)
  /// Go back to a message, by its number.
  case rewind(number: String)

  /// As it is said behind `agent-session`: nothing, `new`, a name, `fork NAME`, `back`, `back NUMBER`; nil for anything else.
  package init?(line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    switch (words.first, words.count) {
    case (nil, _): self = .list
    case ("new", 1): self = .new
    case ("back", 1): self = .messages
    case ("back", 2): self = .rewind(number: words[1])
    case ("fork", 2): self = .fork(name: words[1])
    case ("fork", _): return nil
    case (let name?, 1): self = .resume(name: name)
    default: return nil
    }
  }

  /// The same line.
  package var line: String {
    switch self {
    case .list: ""
    case .new: "new"
    case .messages: "back"
    case .rewind(let number): "back \(number)"
    case .fork(let name): "fork \(name)"
    case .resume(let name): name
    }
  }
}

/// What happens to a spoken instruction.
package enum InteractionMode: String, Sendable, Codable, CaseIterable {
  /// It is handed to the agent at once.
  case direct
  /// It is held until approved, edited or rejected.
  case review
}
