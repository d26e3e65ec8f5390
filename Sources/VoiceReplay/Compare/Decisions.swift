import VoiceCore
import VoiceRecording
import VoiceVocabulary

/// What a session came to, without its times: two sessions that were decided alike have the same.
package struct Decisions: Equatable, Sendable {
  /// What is compared, in the order in which it is told.
  private static let kinds = [
    "held", "not taken", "refused", "changed", "decided", "handed on", "interrupted", "switched", "ended", "lapsed",
    "session",
  ]
  private var rows: [String: [String]] = [:]

  /// How the session ended is known only of a whole one.
  let hasEnd: Bool

  /// - Parameters:
  ///   - hasEnd: whether how the session ended counts.
  ///   - isWanted: only steps with such numbers count.
  init(_ lines: [LogLine], hasEnd: Bool = true, of isWanted: (Int) -> Bool = { _ in true }) {
    self.hasEnd = hasEnd
    for line in lines where isWanted(line.step.sequence) {
      let isEnd = line.step.actions.contains { if case .end = $0 { true } else { false } }
      // What the end leaves undone is known only with the end.
      let lapsed = rows["lapsed"]
      for action in line.step.actions { take(action) }
      if isEnd, !hasEnd { rows["lapsed"] = lapsed }
    }
    if !hasEnd { rows["session"] = nil }
  }

  private mutating func take(_ action: VoiceAction) {
    switch action {
    case .show(let notice): take(notice)
    case .startRun(_, let instruction): row("handed on", instruction.text)
    case .steerRun(_, let instruction): row("handed on", "into the work: \(instruction.text)")
    case .cancelRun: row("interrupted", "the work is stopped")
    case .abandonRun: row("interrupted", "the work is ended at any price")
    case .noteInLedger(.ended(_, let end)):
      switch end {
      case .completed: row("ended", "completed")
      case .cancelled: row("ended", "cancelled")
      case .stopped(let reason): row("ended", "stopped: \(reason)")
      case .failed(let reason): row("ended", "failed: \(reason)")
      case .unconfirmed(let reason, _): row("ended", "unconfirmed: \(reason)")
      }
    case .end(.completed): row("session", "completed")
    case .end(.terminated(let signal)): row("session", "terminated: \(signal)")
    case .end(.failed(let reason)): row("session", "failed: \(reason)")
    default: break
    }
  }

  private mutating func take(_ notice: Notice) {
    switch notice {
    case .held(let item, _):
      switch item.content {
      case .instruction(let instruction): row("held", instruction.text)
      case .permission(_, let request): row("held", request.title)
      case .question(_, let question): row("held", question.text)
      }
    case .notTaken(let text, _), .duplicateIgnored(let text): row("not taken", text)
    // Its words may be put otherwise in another version.
    case .cannot: row("refused", "a decision that made no sense then")
    case .amended(_, let text): row("changed", text)
    case .approved(_, let text): row("decided", "approved: \(text)")
    case .rejected(_, let text): row("decided", "rejected: \(text)")
    case .permissionAnswered(_, let title, let choice): row("decided", "\(choice.rawValue): \(title)")
    case .questionAnswered(_, let question, let answer):
      row("decided", "answered: \(question.text) \(question.words(of: answer) ?? "(declined)")")
    case .bargedIn: row("interrupted", "speech, by the user's voice")
    case .falseInterruption: row("interrupted", "speech went on")
    case .quieted: row("interrupted", "speech, by a key")
    case .mode(let mode): row("switched", "\(mode.rawValue) mode")
    case .listeningChanged(let isOn): row("switched", isOn ? "the microphone on" : "the microphone off")
    case .kept(_, let instruction, _): row("lapsed", "kept: \(instruction.text)")
    case .lapsed(_, let text, _): row("lapsed", text)
    default: break
    }
  }

  private mutating func row(_ kind: String, _ text: String) { rows[kind, default: []].append(text) }

  /// Whether something in it was taken out of the log.
  var mentionSecret: Bool { rows.values.joined().contains { $0.contains(Scrubber.markText) } }

  /// Whether a text is as it was, as far as the log tells: where something was taken out, anything may stand.
  private static func isSame(_ expected: String, _ text: String) -> Bool {
    if expected == text { return true }
    let parts = expected.split(separator: Scrubber.markText, omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return false }
    guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else { return false }
    var rest = text.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  /// Where they differ, a sentence for each kind.
  func differences(from expected: Decisions) -> [String] {
    Self.kinds.compactMap { kind in
      let (left, right) = (expected.rows[kind] ?? [], rows[kind] ?? [])
      let index = zip(left, right).prefix { Self.isSame($0, $1) }.count
      guard index < max(left.count, right.count) else { return nil }
      func name(_ list: [String]) -> String { index < list.count ? "“\(list[index])”" : "nothing more" }
      return "\(kind), number \(index + 1): in the session \(name(left)), now \(name(right))"
    }
  }
}
