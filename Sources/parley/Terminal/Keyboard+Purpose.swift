import VoiceVocabulary

extension Keyboard {
  /// What a text is typed for.
  enum Purpose {
    /// The held instruction is edited.
    case held
    case instruction
    case answer
    /// Why the held item is rejected.
    case reason
    /// What the agent is to be set to.
    case setting(AgentSetting)
    /// The session that the agent is to go on in.
    case session
    /// The approval that is to be taken back.
    case approval

    /// What stands before the line.
    var label: String {
      switch self {
      case .held: "edit"
      case .instruction: "say"
      case .answer: "answer"
      case .reason: "reject, because"
      case .setting(let setting): "\(setting.rawValue) of the agent"
      case .approval: "take back: a number"
      case .session: "session: a number, fork NUMBER, new, or back"
      }
    }

    /// Whether the current held item is what it is about.
    var isAboutHeld: Bool {
      switch self {
      case .held, .answer, .reason: true
      case .instruction, .setting, .session, .approval: false
      }
    }

    /// What is commanded before the line is typed: it shows what there is.
    var opening: UserCommand? {
      switch self {
      case .held, .instruction: nil
      case .answer, .reason: .beginTyping
      case .setting(let setting): .agentSetting(setting: setting, name: "")
      case .session: .agentSession(choice: .list)
      case .approval: .agentApprovals(undo: nil)
      }
    }

    /// Whether there is anything that a line could be about. A new session is always to be had.
    func hasSubject(_ status: SessionStatus, _ controls: AgentControls) -> Bool {
      switch self {
      case .held, .instruction, .session: true
      case .answer: status.asksQuestion
      case .reason: status.held > 0
      case .setting(let setting): controls[setting] != nil
      case .approval: status.approvals > 0
      }
    }

    /// What is told where there is nothing; nil where the session tells that itself.
    var lack: String? {
      switch self {
      case .answer: "No question is held."
      case .reason: "Nothing is held."
      case .held, .instruction, .setting, .session, .approval: nil
      }
    }

    /// What a line with this text commands.
    func command(_ text: String) -> UserCommand {
      switch self {
      case .held: .amend(text: text)
      // Nobody who types this means it for the agent.
      case .instruction where UserCommand(line: text) == .quit: .leave
      case .instruction: .say(text: text)
      case .answer: .answer(text: text)
      case .reason: .reject(reason: text.isEmpty ? nil : text)
      case .setting(let setting): .agentSetting(setting: setting, name: text.trimmingWhitespace())
      case .approval: .agentApprovals(undo: Int(text.trimmingWhitespace()))
      case .session: .agentSession(choice: AgentSessionChoice(line: text) ?? .list)
      }
    }

    /// What a line for this may be completed to.
    func completions(_ controls: AgentControls) -> [String] {
      switch self {
      case .setting(let setting): controls[setting]?.offered ?? []
      case .instruction: controls.commands.map { "/" + $0 }
      case .held, .answer, .reason, .session, .approval: []
      }
    }
  }
}
