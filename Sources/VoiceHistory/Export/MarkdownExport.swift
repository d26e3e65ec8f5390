import VoiceRecording
import VoiceVocabulary

/// A session as a Markdown page: for an issue, a note, or a review.
package struct MarkdownExport {
  private var text = ""

  /// The page.
  package static func page(_ session: RecordedSession) -> String {
    var export = MarkdownExport()
    export.head(session)
    for turn in session.history.turns { export.write(turn, session.history) }
    return export.text
  }

  private mutating func line(_ text: String = "") { self.text += text + "\n" }

  private mutating func head(_ session: RecordedSession) {
    line("# Session \(Self.escape(session.name))")
    line()
    if let manifest = session.manifest { line("- started \(manifest.started), \(Self.escape(manifest.program))") }
    line("- lasted \(durationText(microseconds: session.history.duration.microseconds))")
    if let agent = session.history.agent { line("- agent: \(Self.escape(agent.name))") }
    line("- turns: \(session.history.turns.count)")
    if let damage = session.damage { line("- \(Self.escape(damage))") }
    line()
  }

  private mutating func write(_ turn: Turn, _ history: SessionHistory) {
    line("## Turn \(turn.number), \(turn.start.time.clock)")
    line()
    if !turn.heard.isEmpty { line("**You said:** \(Self.escape(turn.heard.trimmingWhitespace()))\n") }
    if let instruction = turn.instruction, instruction.trimmingWhitespace() != turn.heard.trimmingWhitespace() {
      line("**Instruction:** \(Self.escape(instruction))\n")
    }
    if !turn.answer.trimmingWhitespace().isEmpty {
      line("**Agent:**\n")
      write(answer: turn.answer.trimmingWhitespace())
      line()
    }
    for sentence in Explanation(turn, in: history).sentences {
      line("- `\(sentence.moment.time.clock)` \(Self.escape(sentence.text))")
    }
    line()
    let latencies = turn.latencies
    guard !latencies.isEmpty else { return }
    line("| " + latencies.map(\.name.rawValue).joined(separator: " | ") + " |")
    line("|" + latencies.map { _ in "---:|" }.joined())
    line("| " + latencies.map { durationText(microseconds: $0.microseconds) }.joined(separator: " | ") + " |")
    line()
  }

  /// The agent writes Markdown itself: quoted, it stays what it is and cannot end this page's structure. HTML could, and an image is
  /// fetched from wherever it says: an answer with either stands here letter by letter.
  private mutating func write(answer: String) {
    let rows = answer.lines.map { String($0).sanitized(limit: 100_000) }
    guard rows.contains(where: Self.mayBeMoreThanText) else { return rows.forEach { line("> \($0)") } }
    let longest = rows.map { $0.split { $0 != "`" }.map(\.count).max() ?? 0 }.max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    for row in [fence] + rows + [fence] { line(row) }
  }

  private static func mayBeMoreThanText(_ row: String) -> Bool {
    zip(row.unicodeScalars, row.unicodeScalars.dropFirst()).contains { first, second in
      switch first {
      case "<": second.properties.isAlphabetic || "/!?".unicodeScalars.contains(second)
      case "!": second == "["
      default: false
      }
    }
  }

  /// Words of others as plain text: on one line, and without a character that means something here.
  private static func escape(_ text: String) -> String { text.sanitized(limit: 100_000).escapedForMarkdown() }
}
