import VoiceHistory
import VoiceJSON
import VoiceSystem
import VoiceVocabulary

/// What is printed: the answer on standard output, everything else on standard error; or every event as JSON.
struct AnswerPrinter {
  let form: AskSession.Form
  private let output: OutputQueue
  private var atLineStart = true
  /// How the answer stands in a terminal; nil where it goes elsewhere, as it is.
  private var rows: AnswerRows?
  private var hasToldHow = false

  init(_ output: OutputQueue, form: AskSession.Form) {
    self.output = output
    self.form = form
    rows = TerminalRows.columns(of: STDOUT_FILENO).map { _ in AnswerRows() }
  }

  /// What only the agent's own words tell.
  mutating func print(_ event: VoiceEvent) {
    if form == .json { return printJSON(event) }
    switch event {
    case .agentReported(_, .paragraphEnded), .agentReported(_, .turnEnded): endLine()
    default: break
    }
  }

  private mutating func printJSON(_ event: VoiceEvent) {
    switch event {
    case .agentReady, .agentUnavailable, .agentDelayed, .agentReported, .agentStartedRun, .agentOwes, .agentClosed:
      break
    default: return
    }
    put(JSON(encoding: event).line)
  }

  /// A notice, unless it is about what an `ask` does not have: a voice, and other sessions.
  mutating func print(_ notice: Notice) {
    switch notice {
    case .agentText(let delta): if form == .text { say(delta) }
    case .listening, .withoutMicrophone, .connected, .runStarted, .runEnded, .toolFinished, .usage: break
    case .agentStatus, .toolStarted, .plan: if form == .text { note(notice) }
    default: note(notice)
    }
    if case .held = notice { tellHowToAnswer() }
  }

  /// To a person who types, once: keys are not what decides here.
  private mutating func tellHowToAnswer() {
    guard !hasToldHow, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return }
    hasToldHow = true
    note(NoticeText("answer", "Type approve, reject [REASON], a number, or answer TEXT."))
  }

  private mutating func note(_ notice: Notice) { NoticeText.lines(of: notice).forEach { note($0) } }

  private mutating func say(_ delta: String) {
    if let last = delta.utf8.last { atLineStart = last == UInt8(ascii: "\n") }
    guard rows != nil else { return put(Array(delta.utf8)) }
    // Line ends belong to an answer; nothing else of it may drive a terminal.
    let text = delta.lines.map { String($0).sanitized(limit: .max) }.joined(separator: "\n")
    let columns = TerminalRows.columns(of: STDOUT_FILENO) ?? .max
    if let shown = rows?.append(text, columns: columns) { put(Array(shown.utf8)) }
  }

  private func put(_ bytes: [UInt8]) { output.put(bytes, to: STDOUT_FILENO) }

  /// Why not all of it went out; nil if it did, or its reader had enough.
  var failure: Descriptors.Failure? { output.failure(of: STDOUT_FILENO).flatMap { $0.isEnough ? nil : $0 } }

  /// Whether what the agent asks could not be shown.
  var isUnseen: Bool { output.failure(of: STDERR_FILENO) != nil }

  /// What was asked is shown once this returns, or known not to be; a reader that does not read is not waited for.
  func settle() { output.finish(isUrgent: true) }

  /// End the line that the answer is in, if it is in one.
  mutating func endLine() {
    let columns = TerminalRows.columns(of: STDOUT_FILENO) ?? .max
    if let rest = rows?.endLine(columns: columns), !rest.isEmpty { put(Array(rest.utf8)) }
    if !atLineStart { put([0x0A]) }
    atLineStart = true
  }

  /// A line beside the answer.
  mutating func note(_ note: NoticeText) {
    if isatty(STDOUT_FILENO) == 1, form == .text { endLine() }
    output.put(note)
  }
}

extension OutputQueue {
  /// Print a notice on standard error.
  func put(_ note: NoticeText) {
    let rows = TerminalRows.columns(of: STDERR_FILENO).map { note.rows(columns: $0) } ?? [note.line]
    put(Array((rows.joined(separator: "\n") + "\n").utf8), to: STDERR_FILENO)
  }
}
