extension UserCommand {
  /// The words that begin a command, as `help` shows them.
  package static let grammar = [
    "approve", "reject [REASON]", "choose NUMBER…", "answer TEXT", "steer", "amend TEXT", "say TEXT",
    "extend", "done", "long-thought", "next", "previous",
    "again", "explain", "mode direct|review", "agent-mode [NAME]", "agent-model [NAME]", "agent-commands",
    "agent-session [NUMBER|new|fork NUMBER|back [NUMBER]]", "agent-approvals [undo NUMBER]",
    "listen on|off", "skip", "back", "slower", "faster", "quiet", "halt", "help", "quit",
  ]

  /// The commands that one word says.
  private static let plain: [UserCommand] = [
    .approve, .steer, .extend, .done, .longThought, .next, .previous, .again, .explain, .agentCommands, .skip, .back,
    .slower,
    .faster, .quiet, .halt, .help, .quit,
  ]

  /// The command as a line, which reads as the command again.
  package var line: String {
    switch self {
    case .approve: "approve"
    case .reject(let reason): reason.map { "reject \($0)" } ?? "reject"
    case .choose(let numbers): "choose " + numbers.map(String.init).joined(separator: " ")
    case .answer(let text): "answer \(text)"
    case .steer: "steer"
    case .next: "next"
    case .previous: "previous"
    case .extend: "extend"
    case .done: "done"
    case .longThought: "long-thought"
    case .explain: "explain"
    case .listen(let isOn): "listen \(isOn ? "on" : "off")"
    case .skip: "skip"
    case .back: "back"
    case .slower: "slower"
    case .faster: "faster"
    // A key; a line has nothing to begin.
    case .beginEdit: "edit"
    case .beginTyping: "type"
    case .amend(let text): "amend \(text)"
    case .say(let text): "say \(text)"
    case .mode(let mode): "mode \(mode.rawValue)"
    case .agentSetting(let setting, let name): "agent-\(setting.rawValue) \(name)".trimmingWhitespace()
    case .agentCommands: "agent-commands"
    case .agentSession(let choice): "agent-session \(choice.line)".trimmingWhitespace()
    case .agentApprovals(let number): number.map { "agent-approvals undo \($0)" } ?? "agent-approvals"
    case .quiet: "quiet"
    case .halt: "halt"
    case .again: "again"
    case .help: "help"
    case .quit: "quit"
    case .leave: "leave"
    }
  }

  /// Read a command from one line of text, such as "approve" or "amend run all the tests"; nil if it is none.
  package init?(line: String) {
    let words = line.trimmingWhitespace().split(maxSplits: 1) { $0.isWhitespace }
    let rest = words.count > 1 ? words[1].trimmingWhitespace() : ""
    switch (words.first?.lowercased(), rest.isEmpty) {
    case ("reject", _): self = .reject(reason: rest.isEmpty ? nil : rest)
    case ("choose", false):
      let numbers = rest.split { $0 == "," || $0.isWhitespace }.map { Int($0) }
      guard !numbers.isEmpty, numbers.allSatisfy({ (0...Limits.heldItems).contains($0 ?? -1) }) else { return nil }
      self = .choose(numbers: numbers.compactMap { $0 })
    case ("answer", false): self = .answer(text: rest)
    case ("amend", false): self = .amend(text: rest)
    case ("say", false): self = .say(text: rest)
    case ("mode", false):
      guard let mode = InteractionMode(rawValue: rest.lowercased()) else { return nil }
      self = .mode(mode: mode)
    case ("agent-mode", _): self = .agentSetting(setting: .mode, name: rest)
    case ("agent-model", _): self = .agentSetting(setting: .model, name: rest)
    case ("agent-session", _):
      guard let choice = AgentSessionChoice(line: rest) else { return nil }
      self = .agentSession(choice: choice)
    case ("agent-approvals", true): self = .agentApprovals(undo: nil)
    case ("agent-approvals", false):
      let words = rest.lowercased().split(whereSeparator: \.isWhitespace)
      guard words.count == 2, words[0] == "undo", let number = Int(words[1]) else { return nil }
      self = .agentApprovals(undo: number)
    case ("listen", false):
      guard let isOn = ["on": true, "off": false][rest.lowercased()] else { return nil }
      self = .listen(isOn: isOn)
    case ("?", true): self = .help
    case (let word?, true):
      guard let command = Self.plain.first(where: { $0.line == word }) else { return nil }
      self = command
    default: return nil
    }
  }
}
