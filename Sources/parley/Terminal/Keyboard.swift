import CTerminal
import Dispatch
import VoiceCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard input as a source of commands: single keys from a terminal, lines from anything else. Reads on a thread of its
/// own, which ends with the program.
final class Keyboard: Sendable {
  /// What the keys do, a line each.
  static let help = [
    "a approve    r reject    e edit the held instruction    g hear it again",
    "1 to 9 choose an answer    w answer in words    s steer: send it into the running work",
    "i type an instruction    m switch between review and direct",
    "Esc quiet: stop speaking    h or Ctrl-G halt: stop the work    q quit    ? these keys",
  ]

  private enum Editing {
    case none
    /// The edit key was pressed, and the text to edit is on its way: what is typed meanwhile is kept.
    case opening([Key])
    /// The held instruction.
    case held(LineEditor)
    /// A new instruction.
    case new(LineEditor)
    /// The answer to a question.
    case answer(LineEditor)
  }

  private let screen: Screen
  private let post: @Sendable (VoiceEvent) -> Void
  private let editing = Locked(Editing.none)
  private let mode: Locked<InteractionMode>

  init(_ screen: Screen, mode: InteractionMode, post: @escaping @Sendable (VoiceEvent) -> Void) {
    self.screen = screen
    self.post = post
    self.mode = Locked(mode)
  }

  /// Whether standard input can give commands at all: not if it is closed.
  static var isOpen: Bool { fcntl(STDIN_FILENO, F_GETFD) >= 0 }

  /// Begin to read.
  func start() {
    let isTerminal = isatty(STDIN_FILENO) == 1 && parley_terminal_enter(STDOUT_FILENO) == 0
    DispatchQueue(label: "parley.keyboard").async { [self] in isTerminal ? readKeys() : readLines() }
  }

  /// Open the editor on a held text; any thread.
  func edit(_ text: String) {
    let editor = LineEditor(text)
    let typed = editing.withLock { editing in
      defer { editing = .held(editor) }
      if case .opening(let keys) = editing { return keys }
      return []
    }
    screen.edit(editor)
    for key in typed { press(key) }
  }

  /// There is nothing to edit; any thread.
  func cancelOpening() {
    editing.withLock { editing in
      if case .opening = editing { editing = .none }
    }
  }

  private func readKeys() {
    var decoder = KeyDecoder()
    while let bytes = readSome() {
      for key in decoder.keys(bytes) { press(key) }
    }
    post(.commandsEnded)
  }

  private func press(_ key: Key) {
    switch editing.withLock({ $0 }) {
    case .none: if let command = command(key) { post(.commandGiven(command: command)) }
    case .opening(let keys): editing.withLock { $0 = .opening(keys + [key]) }
    case .held(var editor):
      let outcome = editor.press(key)
      advance(.held(editor), editor, outcome) { .amend(text: $0) }
    case .new(var editor):
      let outcome = editor.press(key)
      advance(.new(editor), editor, outcome) { .say(text: $0) }
    case .answer(var editor):
      let outcome = editor.press(key)
      advance(.answer(editor), editor, outcome) { .answer(text: $0) }
    }
  }

  private func advance(
    _ next: Editing, _ editor: LineEditor, _ outcome: LineEditor.Outcome, command: (String) -> UserCommand
  ) {
    let isOver = outcome != .editing
    editing.withLock { $0 = isOver ? .none : next }
    screen.edit(isOver ? nil : editor)
    if case .kept(let text) = outcome { post(.commandGiven(command: command(text))) }
  }

  private func command(_ key: Key) -> UserCommand? {
    switch key {
    case .character("a"): return .approve
    case .character("r"): return .reject(reason: nil)
    case .character("e"):
      editing.withLock { $0 = .opening([]) }
      return .beginEdit
    case .character("g"): return .again
    case .character(let digit) where digit.isASCII && digit != "0" && digit.wholeNumberValue != nil:
      return .choose(numbers: [digit.wholeNumberValue ?? 0])
    case .character("s"): return .steer
    case .character("w"):
      editing.withLock { $0 = .answer(LineEditor()) }
      screen.edit(LineEditor())
      return nil
    case .character("i"):
      editing.withLock { $0 = .new(LineEditor()) }
      screen.edit(LineEditor())
      return nil
    case .character("m"):
      return .mode(
        mode: mode.withLock { mode in
          mode = mode == .review ? .direct : .review
          return mode
        })
    case .escape: return .quiet
    case .character("h"), .control("g"): return .halt
    case .character("q"): return .quit
    case .character("?"): return .help
    default: return nil
    }
  }

  private func readLines() {
    var pending: [UInt8] = []
    while let bytes = readSome() {
      pending += bytes
      while let end = pending.firstIndex(of: 0x0A) {
        obey(String(decoding: pending[..<end], as: UTF8.self))
        pending.removeSubrange(...end)
      }
      if pending.count > Limits.instructionCharacters {
        screen.line("no", "A line on standard input is too long; it was dropped.")
        pending = []
      }
    }
    if !pending.isEmpty { obey(String(decoding: pending, as: UTF8.self)) }
    post(.commandsEnded)
  }

  private func obey(_ line: String) {
    guard !line.trimmingWhitespace().isEmpty else { return }
    if let command = UserCommand(line: line) {
      post(.commandGiven(command: command))
    } else {
      screen.line("no", "“\(line)” is not a command. There are: \(UserCommand.grammar.joined(separator: ", ")).")
    }
  }

  /// Nil at the end of the input.
  private func readSome() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}
