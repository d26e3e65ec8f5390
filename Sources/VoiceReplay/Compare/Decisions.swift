internal import VoiceCore
internal import VoiceRecording

/// What a session came to, without its times: two sessions that were decided alike have the same.
package struct Decisions: Equatable, Sendable {
  /// What is compared, in the order in which it is told.
  private static let kinds = ["held", "decided", "handed on", "ended", "session"]
  private var rows: [String: [String]] = [:]

  /// How the session ended is known only of a whole one.
  let hasEnd: Bool

  /// - Parameter steps: only these count; all, if nil.
  init(_ lines: [LogLine], steps: Range<Int>?) {
    hasEnd = steps == nil
    for line in lines where steps?.contains(line.step.sequence) ?? true {
      for action in line.step.actions { take(action) }
    }
    if !hasEnd { rows["session"] = nil }
  }

  /// What a replay came to; with or without how it ended.
  init(_ lines: [LogLine], session hasEnd: Bool) {
    self.init(lines, steps: hasEnd ? nil : 0..<Int.max)
  }

  private mutating func take(_ action: VoiceAction) {
    func row(_ kind: String, _ text: String) { rows[kind, default: []].append(text) }
    switch action {
    case .show(.held(let item, _)):
      switch item.content {
      case .instruction(let instruction): row("held", instruction.text)
      case .permission(_, let request): row("held", request.title)
      case .question(_, let question): row("held", question.text)
      }
    case .show(.approved(_, let text)): row("decided", "approved: \(text)")
    case .show(.rejected(_, let text)): row("decided", "rejected: \(text)")
    case .show(.permissionAnswered(_, let title, let choice)): row("decided", "\(choice.rawValue): \(title)")
    case .show(.questionAnswered(_, let question, _)): row("decided", "answered: \(question.text)")
    case .startRun(_, let instruction), .steerRun(_, let instruction): row("handed on", instruction.text)
    case .noteInLedger(.ended(_, let end)):
      switch end {
      case .completed: row("ended", "completed")
      case .cancelled: row("ended", "cancelled")
      case .stopped(let reason): row("ended", "stopped: \(reason)")
      case .failed(let reason): row("ended", "failed: \(reason)")
      case .unconfirmed(let reason): row("ended", "unconfirmed: \(reason)")
      }
    case .end(.completed): row("session", "completed")
    case .end(.failed(let reason)): row("session", "failed: \(reason)")
    default: break
    }
  }

  /// Where they differ, a sentence for each kind.
  func differences(from expected: Decisions) -> [String] {
    Self.kinds.compactMap { kind in
      let (left, right) = (expected.rows[kind] ?? [], rows[kind] ?? [])
      guard left != right else { return nil }
      let index = zip(left, right).prefix { $0 == $1 }.count
      func name(_ list: [String]) -> String { index < list.count ? "“\(list[index])”" : "nothing more" }
      return "\(kind), number \(index + 1): in the session \(name(left)), now \(name(right))"
    }
  }
}
