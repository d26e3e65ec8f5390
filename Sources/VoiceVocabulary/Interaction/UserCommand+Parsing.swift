extension UserCommand {
  /// The words that begin a command, as `help` shows them.
  package static let grammar = [
    "approve", "reject [REASON]", "choose NUMBER…", "answer TEXT", "steer", "amend TEXT", "say TEXT",
    "extend", "done", "long-thought", "next", "previous",
    "again", "explain", "mode direct|review", "agent-mode [NAME]", "agent-model [NAME]", "agent-commands",
    "agent-session [NUMBER|new|fork NUMBER|back [NUMBER]]", "agent-approvals [undo NUMBER]",
    "listen on|off", "skip", "back", "slower", "faster", "quiet", "halt", "help", "quit",
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
    case ("approve", true): self = .approve
    case ("reject", _): self = .reject(reason: rest.isEmpty ? nil : rest)
    case ("choose", false):
      let numbers = rest.split { $0 == "," || $0.isWhitespace }.map { Int($0) }
      guard !numbers.isEmpty, numbers.allSatisfy({ (0...Limits.heldItems).contains($0 ?? -1) }) else { return nil }
      self = .choose(numbers: numbers.compactMap { $0 })
    case ("answer", false): self = .answer(text: rest)
    case ("steer", true): self = .steer
    case ("amend", false): self = .amend(text: rest)
    case ("say", false): self = .say(text: rest)
    case ("mode", false):
      guard let mode = InteractionMode(rawValue: rest.lowercased()) else { return nil }
      self = .mode(mode: mode)
    case ("agent-mode", _): self = .agentSetting(setting: .mode, name: rest)
    case ("agent-model", _): self = .agentSetting(setting: .model, name: rest)
    case ("agent-commands", true): self = .agentCommands
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
    case ("extend", true): self = .extend
    case ("done", true): self = .done
    case ("long-thought", true): self = .longThought
    case ("next", true): self = .next
    case ("previous", true): self = .previous
    case ("explain", true): self = .explain
    case ("slower", true): self = .slower
    case ("faster", true): self = .faster
    case ("skip", true): self = .skip
    case ("back", true): self = .back
    case ("again", true): self = .again
    case ("quiet", true): self = .quiet
    case ("halt", true): self = .halt
    case ("help", true), ("?", true): self = .help
    case ("quit", true): self = .quit
    default: return nil
    }
  }
}
