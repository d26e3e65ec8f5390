extension UserCommand {
  /// Every command that a line gives, in the order of `help`: how the line begins, and the command, if one word is all of
  /// it. What else follows a word is written in `line` and read in `init(line:)`.
  private static let forms: [(grammar: String, plain: UserCommand?)] = [
    ("approve", .approve),
    ("reject [REASON]", nil),
    ("choose NUMBER…", nil),
    ("answer TEXT", nil),
    ("steer", .steer),
    ("amend TEXT", nil),
    ("say TEXT", nil),
    ("extend", .extend),
    ("done", .done),
    ("long-thought", .longThought),
    ("next", .next),
    ("previous", .previous),
    ("again", .again),
    ("explain", .explain),
    ("mode direct|review", nil),
    ("agent-mode [NAME]", nil),
    ("agent-model [NAME]", nil),
    ("agent-commands", .agentCommands),
    ("agent-session [NUMBER|new|fork NUMBER|back [NUMBER]]", nil),
    ("agent-approvals [undo NUMBER]", nil),
    ("listen on|off", nil),
    ("skip", .skip),
    ("back", .back),
    ("slower", .slower),
    ("faster", .faster),
    ("quiet", .quiet),
    ("halt", .halt),
    ("help", .help),
    ("quit", .quit),
  ]

  /// The lines that give commands, as `help` shows them.
  package static let grammar = forms.map(\.grammar)

  /// The command as a line, which reads as the command again.
  package var line: String {
    switch self {
    case .reject(let reason): reason.map { "reject \($0)" } ?? "reject"
    case .choose(let numbers): "choose " + numbers.map(String.init).joined(separator: " ")
    case .answer(let text): "answer \(text)"
    case .listen(let isOn): "listen \(isOn ? "on" : "off")"
    case .amend(let text): "amend \(text)"
    case .say(let text): "say \(text)"
    case .mode(let mode): "mode \(mode.rawValue)"
    case .agentSetting(let setting, let name): "agent-\(setting.rawValue) \(name)".trimmingWhitespace()
    case .agentSession(let choice): "agent-session \(choice.line)".trimmingWhitespace()
    case .agentApprovals(let number): number.map { "agent-approvals undo \($0)" } ?? "agent-approvals"
    // Only keys give these.
    case .beginEdit: "edit"
    case .beginTyping: "type"
    case .leave: "leave"
    default: plainLine
    }
  }

  private var plainLine: String {
    guard let form = Self.forms.first(where: { $0.plain == self }) else { preconditionFailure("\(self) has no form") }
    return form.grammar
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
      guard let command = Self.forms.first(where: { $0.grammar == word })?.plain else { return nil }
      self = command
    default: return nil
    }
  }
}
