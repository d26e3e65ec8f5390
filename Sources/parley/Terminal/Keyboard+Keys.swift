import VoiceVocabulary

extension Keyboard {
  /// What keys do.
  struct Binding {
    /// What is done when one of the keys is pressed.
    enum Act {
      case give(UserCommand)
      /// Open the input line, with this text in it.
      case type(Purpose, text: String = "")
      case edit, editOutside
      /// Choose the answer with the number on the key.
      case choose
      case switchMode, switchListening
      case talk, interrupt, suspend
    }

    /// When a key acts that might be the beginning of a text; see `KeyBurst`. One without a character is none, and acts at once,
    /// whatever its binding says.
    enum Pace {
      /// It decides, sends or stops something: once it has stood alone for `KeyBurst.typing`.
      case deciding
      /// It only shows something: after `KeyBurst.browsing`.
      case browsing
      /// As `browsing`, and again and again while it is held down.
      case repeating
      /// At once: nothing is lost where it was the beginning of a text.
      case immediate
    }

    let keys: [Key]
    let act: Act
    /// For the help and README, which has all of these keys, too.
    let help: String
    let pace: Pace

    /// These keys do the same.
    init(_ keys: Key..., to act: Act, _ help: String, _ pace: Pace = .deciding) {
      (self.keys, self.act, self.help, self.pace) = (keys, act, help, pace)
    }

    /// The keys as the help names them.
    var names: [String] {
      guard case .choose = act else { return keys.map(\.name) }
      return ["\(keys[0].name)–\(keys[keys.count - 1].name)"]
    }
  }

  /// All keys, in the order of the help.
  static let bindings: [Binding] = [
    .init("a", to: .give(.approve), "approve"),
    .init("r", to: .give(.reject(reason: nil)), "reject"),
    .init("x", to: .give(.extend), "extend: keep speaking"),
    .init("R", to: .type(.reason), "reject with a reason: told to an agent that asked, else logged"),
    .init("e", to: .edit, "edit; Tab cycles through what else may have been heard"),
    .init("E", to: .editOutside, "edit in $EDITOR"),
    .init("1", "2", "3", "4", "5", "6", "7", "8", "9", to: .choose, "choose an answer"),
    .init("w", to: .type(.answer), "answer in words"),
    .init("s", to: .give(.steer), "steer: send it to the agent while it works"),
    .init("g", to: .give(.again), "hear it again", .browsing),
    .init("n", .tab, to: .give(.next), "next held item", .repeating),
    .init("p", .backTab, to: .give(.previous), "previous held item", .repeating),
    .init("d", to: .give(.explain), "details: who asks, what exactly; or what the agent did", .browsing),
    .init("i", to: .type(.instruction), "type an instruction", .immediate),
    .init("/", to: .type(.instruction, text: "/"), "one of the agent's own commands"),
    .init("m", to: .switchMode, "switch between review and direct"),
    .init("M", to: .type(.setting(.mode)), "the agent's mode"),
    .init("o", to: .type(.setting(.model)), "its model (Tab completes the names of both)"),
    .init("S", to: .type(.session), "its sessions: continue or fork one, or rewind to a message"),
    .init("A", to: .type(.approval), "what it may do without asking: list it, take it back"),
    .init("t", to: .give(.longThought), "long thought: only the end word or Enter ends what you say"),
    .init(.enter, to: .give(.done), "end of turn"),
    .init("u", to: .switchListening, "open or close the microphone"),
    .init(" ", to: .talk, "the same; hold it to talk", .immediate),
    .init("]", to: .give(.skip), "skip the sentence", .repeating),
    .init("[", to: .give(.back), "go back one", .repeating),
    .init("-", to: .give(.slower), "slower", .repeating),
    .init("+", "=", to: .give(.faster), "faster", .repeating),
    .init(.escape, to: .give(.quiet), "quiet: stop speaking"),
    .init("h", .control("g"), to: .give(.halt), "halt: stop the work"),
    .init("q", to: .give(.leave), "quit"),
    .init(.control("c"), to: .interrupt, "quit; pressed three times, without asking"),
    .init(.control("z"), to: .suspend, "suspend"),
    .init("?", to: .give(.help), "these keys", .browsing),
  ]

  /// What each key does.
  static let bindingOfKey = Dictionary(
    uniqueKeysWithValues: bindings.flatMap { binding in binding.keys.map { ($0, binding) } })

  /// The help: what the keys do, as many in a row as fit.
  static func help(columns: Int) -> [String] {
    let entries = bindings.map { $0.names.joined(separator: " or ") + " " + $0.help }
    let sentence = "A key acts when it is pressed alone; what is typed or pasted goes into the input line"
    return TerminalRows.rows(of: entries, apart: 4, columns: columns)
      + TerminalRows.rows(of: sentence.split(separator: " ").map(String.init), apart: 1, columns: columns)
  }

  /// The help in parts that a terminal of so many rows shows whole, beside the two that may stand below the lines. Where there are
  /// several, each says which it is, and how to see the next; behind the last comes the first.
  static func helpPages(columns: Int, rows: Int) -> [[String]] {
    func place(_ number: Int, of count: Int) -> [String] {
      let words = "? turns the page (\(number) of \(count))"
      return TerminalRows.rows(of: words.split(separator: " ").map(String.init), apart: 1, columns: columns)
    }
    let (help, room) = (help(columns: columns), rows - 2)
    guard help.count > room else { return [help] }
    // No number of pages has more digits, and something stands on each.
    let most = max(1, room - place(99, of: 99).count)
    let starts = Array(stride(from: 0, to: help.count, by: most))
    return starts.enumerated().map { index, start in
      help[start...].prefix(most) + place(index + 1, of: starts.count)
    }
  }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// A character's key.
  init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }

  /// The key as the help names it.
  var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let character): "Ctrl-\(character.uppercased())"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    default: "\(self)"
    }
  }
}
