import CTerminal
import Dispatch
import VoiceConfiguration
import VoiceHistory
import VoiceSystem
import VoiceVocabulary

/// Where the lines of a session go: a terminal, or any stream. Any thread may call it.
///
/// A line for each thing that happens, never redrawn. Below the lines of a terminal stands what is being edited, or the
/// status line; only these few rows are ever drawn anew.
final class Screen: Sendable {
  private struct State {
    var agentLines = AgentLines()
    var tools = ToolTitles()
    var editor: (line: LineEditor, label: String)?
    var status: StatusLine?
    /// How wide each row below the last line is.
    var rows: [Int] = []
    /// Which page of the keys is shown when they are asked for next.
    var helpPage = 0
    /// What is to be shown once the user's own editor gives the terminal back.
    var waiting: String?
  }

  /// The terminal or stream; 1, or a copy of 2 where standard output carries something else.
  let descriptor: Int32
  private let output: OutputQueue
  private let display: Display
  private let isTerminal: Bool
  /// Whether single keys command: nobody types into a line that cannot be drawn.
  let takesKeys: Bool
  private let hasColour: Bool
  private let state: Locked<State>
  private let queue = DispatchQueue(label: "parley.screen")

  private static let tickMilliseconds = 200

  /// - Parameter environment: says what the terminal can show.
  init(descriptor: Int32, _ output: OutputQueue, display: Display, environment: [String: String]) {
    self.descriptor = descriptor
    self.output = output
    self.display = display
    isTerminal = isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    takesKeys = isTerminal && isatty(STDIN_FILENO) == 1
    hasColour = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
    state = Locked(State())
  }

  /// The session begins, and has a status line from now on: what could not be opened before is told where there is none.
  func begin() {
    guard hasStatusLine else { return }
    state.withLock { $0.status = StatusLine() }
    tick()
  }

  /// Show a notice; may be called on any thread.
  func show(_ notice: Notice) {
    if display == .json { return write(NoticeJSON.line(notice)) }
    draw { state in
      var lines: [NoticeText] = []
      switch notice {
      case .agentText(let delta): lines = display == .quiet ? [] : state.agentLines.append(delta)
      case .help: return help(&state)
      default:
        lines = state.agentLines.flush(before: notice)
        let told = state.tools.lines(of: notice)
        if display != .quiet || notice.needsTheUser { lines += told }
      }
      var rows = lines.flatMap(rows)
      if takesKeys, case .held(_, 1) = notice {
        rows += TerminalRows.rows(of: Self.heldHint, apart: 3, columns: columns)
      }
      return rows
    }
  }

  /// Whether there is a status line, and room above it for what is being said.
  var hasStatusLine: Bool { display == .status && isTerminal }

  /// What the session is doing now; shown in the status line.
  func show(_ status: SessionStatus) {
    guard state.withLock({ $0.status != nil }) else { return }
    draw { state in
      state.status?.session = status
      return []
    }
  }

  /// A line that no notice stands for.
  func line(_ label: String, _ text: String) {
    if display == .json { return write(NoticeJSON.line(label, text)) }
    let notice = NoticeText(label, text)
    draw { _ in rows(notice) }
  }

  /// Show the line being edited; nil when editing is over.
  func edit(_ editor: LineEditor?, label: String) {
    draw { state in
      state.editor = editor.map { ($0, label) }
      return []
    }
  }

  /// How loud the microphone is; any thread, often.
  func level(_ frame: MicrophoneFrame) {
    guard hasStatusLine else { return }
    let peak = frame.samples.reduce(0) { max($0, Int($1.magnitude)) }
    state.withLock { state in
      if let status = state.status { state.status?.peak = max(status.peak, peak) }
    }
  }

  /// Another program has the terminal, or gives it back.
  func lend(_ isLent: Bool) {
    let waited = state.withLock { state in
      defer { state.waiting = isLent ? "" : nil }
      if isLent { state.rows = [] }
      return state.waiting ?? ""
    }
    if isLent {
      output.finish(isUrgent: true)
    } else {
      write(waited)
      redraw()
    }
  }

  /// Whether another program has the terminal; any thread.
  var isLent: Bool { state.withLock { $0.waiting != nil } }

  /// The terminal's size changed, or the program goes on after it was stopped.
  func redraw() { draw { _ in [] } }

  /// No more rows below the lines: the session is over.
  func close() {
    draw { state in
      (state.editor, state.status) = (nil, nil)
      return []
    }
  }

  /// Every fifth of a second, until the status line is gone.
  private func tick() {
    guard state.withLock({ $0.status != nil }) else { return }
    if !output.isBehind {
      draw { state in
        state.status?.tick()
        return []
      }
    }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.tickMilliseconds)) { [weak self] in self?.tick() }
  }

  /// A line as rows, each in its colour. The width is that of the moment: a terminal may have changed since the last line.
  private func rows(_ notice: NoticeText) -> [String] {
    let rows = isTerminal ? notice.rows(columns: columns) : [notice.line]
    return hasColour ? rows.map(notice.coloured) : rows
  }

  private static let heldHint = ["a approve", "r reject", "e edit", "? all keys"]

  private func help(_ state: inout State) -> [String] {
    guard takesKeys else { return ["commands  " + UserCommand.grammar.joined(separator: ", ")] }
    let pages = Keyboard.helpPages(columns: columns, rows: Int(parley_terminal_rows(descriptor)))
    // The terminal may have become larger.
    let page = state.helpPage < pages.count ? state.helpPage : 0
    state.helpPage = (page + 1) % pages.count
    return pages[page]
  }

  /// How wide the terminal is now.
  private var columns: Int { Int(parley_terminal_columns(descriptor)) }

  /// Change what there is to be shown, and show it: lines above, and the rows below drawn anew. Written under the lock, so
  /// that what two threads write is never mixed.
  private func draw(_ change: (inout State) -> [String]) {
    state.withLock { state in
      let lines = change(&state).map { $0 + "\n" }.joined()
      guard state.waiting == nil else {
        state.waiting? += lines
        return
      }
      guard isTerminal else {
        if !lines.isEmpty { write(lines) }
        return
      }
      let below = below(state)
      guard !lines.isEmpty || !state.rows.isEmpty || !below.rows.isEmpty else { return }
      // A terminal that became narrower has broken the rows into more of them.
      let columns = columns
      let drawn = state.rows.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
      var output = drawn > 0 ? "\r" + (drawn > 1 ? "\u{1B}[\(drawn - 1)A" : "") + "\u{1B}[J" : ""
      output += lines + below.rows.joined(separator: "\n")
      if let column = below.cursorColumn { output += "\r" + (column > 0 ? "\u{1B}[\(column)C" : "") }
      state.rows = below.rows.map(\.columns)
      write(output)
    }
  }

  /// The rows below the lines, each shorter than the terminal is wide, and the cursor's column in the last one.
  private func below(_ state: State) -> (rows: [String], cursorColumn: Int?) {
    guard state.editor != nil || state.status != nil else { return ([], nil) }
    let columns = columns - 1
    var rows: [String] = []
    if let status = state.status, let streaming = status.streaming(agent: state.agentLines.rest, columns: columns) {
      rows.append(streaming.fittingAnywhere(columns: columns))
    }
    if let (editor, label) = state.editor {
      let prompt = "\(label) > "
      let window = editor.window(columns: max(8, columns - prompt.columns))
      return (rows + [prompt + window.text], prompt.columns + window.cursorColumn)
    }
    if let status = state.status { rows.append(status.text.fitting(columns: columns)) }
    return (rows, nil)
  }

  private func write(_ text: String) { output.put(Array(text.utf8), to: descriptor) }
}

/// The console port of a live session.
struct RealConsole: ConsolePort {
  let screen: Screen
  let keyboard: Keyboard
  let microphone: ClosedMicrophone

  func show(_ notice: Notice) {
    keyboard.notice(notice)
    screen.show(notice)
  }

  func show(_ status: SessionStatus) {
    microphone.show(status)
    keyboard.show(status)
    screen.show(status)
  }
}
