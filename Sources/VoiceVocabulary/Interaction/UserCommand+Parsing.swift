extension UserCommand {
  /// How a line gives a command.
  private enum Form {
    /// One word is all of it.
    case plain(UserCommand)
    /// More follows a word, which is written in `line` and read in `init(line:)`.
    case more(grammar: String)

    /// As `help` shows it.
    var grammar: String {
      switch self {
      case .plain(let command): command.line
      case .more(let grammar): grammar
      }
    }
  }

  /// Every command that a line gives, in the order of `help`.
  private static let forms = withoutSound + ofSound

  private static let withoutSound: [Form] = [
    .plain(.approve),
    .more(grammar: "reject [REASON]"),
    .more(grammar: "choose NUMBER…"),
    .more(grammar: "answer TEXT"),
    .plain(.steer),
    .more(grammar: "amend TEXT"),
    .more(grammar: "say TEXT"),
    .plain(.next),
    .plain(.previous),
    .plain(.again),
    .plain(.explain),
    .more(grammar: "mode direct|review"),
    .more(grammar: "agent-mode [NAME]"),
    .more(grammar: "agent-model [NAME]"),
    .plain(.agentCommands),
    .more(grammar: "agent-session [NUMBER|new|fork NUMBER|back [NUMBER]]"),
    .more(grammar: "agent-approvals [undo NUMBER]"),
    .plain(.halt),
    .plain(.help),
    .plain(.quit),
  ]

  /// About a microphone, and about what is said aloud.
  private static let ofSound: [Form] = [
    .more(grammar: "listen on|off"),
    .plain(.extend),
    .plain(.done),
    .plain(.longThought),
    .plain(.skip),
    .plain(.back),
    .plain(.slower),
    .plain(.faster),
    .plain(.quiet),
  ]

  /// The lines that give commands, as `help` shows them.
  package static let grammar = forms.map(\.grammar)

  /// What is said to a line that gives no command.
  ///
  /// - Parameter hasSound: whether somebody speaks and listens here.
  package static func refusal(of line: String, hasSound: Bool) -> String {
    let commands = (hasSound ? forms : withoutSound).map(\.grammar)
    return "“\(line)” is not a command. There are: \(commands.joined(separator: ", "))."
  }

  /// The commands that are one word, by it.
  private static let plain: [String: UserCommand] = forms.reduce(into: [:]) { plain, form in
    if case .plain(let command) = form { plain[command.line] = command }
  }

  /// The command as a line, which reads as the command again.
  package var line: String {
    switch self {
    case .approve: "approve"
    case .reject(let reason): reason.map { "reject \($0)" } ?? "reject"
    case .choose(let numbers): "choose " + numbers.map(String.init).joined(separator: " ")
    case .answer(let text): "answer \(text)"
    case .steer: "steer"
    case .amend(let text): "amend \(text)"
    case .say(let text): "say \(text)"
    case .extend: "extend"
    case .done: "done"
    case .longThought: "long-thought"
    case .next: "next"
    case .previous: "previous"
    case .again: "again"
    case .explain: "explain"
    case .mode(let mode): "mode \(mode.rawValue)"
    case .agentSetting(let setting, let name): "agent-\(setting.rawValue) \(name)".trimmingWhitespace()
    case .agentCommands: "agent-commands"
    case .agentSession(let choice): "agent-session \(choice.line)".trimmingWhitespace()
    case .agentApprovals(let number): number.map { "agent-approvals undo \($0)" } ?? "agent-approvals"
    case .listen(let isOn): "listen \(isOn ? "on" : "off")"
    case .skip: "skip"
    case .back: "back"
    case .slower: "slower"
    case .faster: "faster"
    case .quiet: "quiet"
    case .halt: "halt"
    case .help: "help"
    case .quit: "quit"
    // Only keys give these.
    case .beginEdit: "edit"
    case .beginTyping: "type"
    case .endTyping: "type no more"
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
      guard let numbers = Self.numbers(rest) else { return nil }
      self = .choose(numbers: numbers)
    // As the answers are numbered on the screen.
    case (let word?, _) where Int(word) != nil:
      guard let numbers = Self.numbers(line) else { return nil }
      self = .choose(numbers: numbers)
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
      guard let command = Self.plain[word] else { return nil }
      self = command
    default: return nil
    }
  }

  /// The numbers of answers, between commas or blanks; nil where it is anything else.
  private static func numbers(_ text: String) -> [Int]? {
    let numbers = text.split { $0 == "," || $0.isWhitespace }.map { Int($0) }
    guard !numbers.isEmpty, numbers.allSatisfy({ (0...Limits.heldItems).contains($0 ?? -1) }) else { return nil }
    return numbers.compactMap { $0 }
  }
}
