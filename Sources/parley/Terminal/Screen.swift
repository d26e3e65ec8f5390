import VoiceCore
import VoiceHistory

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the lines of a session go: a terminal, or any stream. Any thread may call it.
///
/// A line for each thing that happens, never redrawn. While the user edits, the edited line stays below the others.
final class Screen: Sendable {
  private struct State {
    var agentLines = AgentLines()
    var editor: LineEditor?
  }

  private let descriptor: Int32
  private let isTerminal: Bool
  private let state = Locked(State())

  /// - Parameter descriptor: 1, or 2 where standard output carries sound.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  func show(_ notice: Notice) {
    let output = state.withLock { state in
      var lines: [String] = []
      switch notice {
      case .agentText(let delta): lines = state.agentLines.append(delta).map(\.line)
      case .help: lines = Self.help(isTerminal: isTerminal)
      default:
        lines = state.agentLines.flush().map(\.line)
        if let text = NoticeText(notice) { lines.append(text.line) }
        if isTerminal, case .held(_, 1) = notice { lines.append(Self.heldHint) }
      }
      return Self.compose(lines, state.editor)
    }
    write(output)
  }

  /// A line that no notice stands for.
  func line(_ label: String, _ text: String) {
    write(state.withLock { Self.compose([NoticeText(label, text).line], $0.editor) })
  }

  /// Show the line being edited; nil when editing is over.
  func edit(_ editor: LineEditor?) {
    write(
      state.withLock { state in
        let wasEditing = state.editor != nil
        state.editor = editor
        return editor == nil && wasEditing ? "\r\u{1B}[K" : Self.compose([], editor)
      })
  }

  private static let heldHint = "          a approve   r reject   e edit   ? all keys"

  private static func help(isTerminal: Bool) -> [String] {
    isTerminal
      ? Keyboard.help.map { "          \($0)" }
      : ["commands  " + UserCommand.grammar.joined(separator: ", ")]
  }

  private static func compose(_ lines: [String], _ editor: LineEditor?) -> String {
    guard let editor else { return lines.map { $0 + "\n" }.joined() }
    let back = editor.characters.count - editor.cursor
    return "\r\u{1B}[K" + lines.map { $0 + "\n" }.joined() + "edit > " + editor.text
      + (back > 0 ? "\u{1B}[\(back)D" : "")
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { unistdWrite(descriptor, $0.baseAddress, $0.count) }
      // A screen that is gone is no reason to stop working.
      if count < 0, errno != EINTR { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}

/// `write(2)`, which a method of the same name would hide.
private func unistdWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// The console port of a live session.
struct RealConsole: ConsolePort {
  let screen: Screen
  let keyboard: Keyboard

  func show(_ notice: Notice) {
    switch notice {
    case .editing(let text): keyboard.edit(text)
    case .cannot: keyboard.cancelOpening()
    default: break
    }
    screen.show(notice)
  }
}
