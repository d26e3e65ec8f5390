package import VoiceVocabulary

/// Remembers the titles of the agent's tools, so that a notice that names one by its identifier is told by its title: an
/// identifier is the agent's own business. It remembers, too, why a run failed: the error behind its end does not say that again.
package struct ToolTitles: Sendable {
  private var titles: [String: String] = [:]
  /// Why the run failed whose end was told just now.
  private var failure: String?

  package init() {}

  /// The lines of a notice; none for what is not shown as a line of its own.
  package mutating func lines(of notice: Notice) -> [NoticeText] {
    let failure = self.failure.take()
    switch notice {
    case .toolStarted(let tool): titles[tool.id] = tool.title
    case .toolFinished(let id, let outcome):
      guard let title = titles.removeValue(forKey: id), outcome != .completed else { break }
      return [NoticeText("tool", "\(title) – \(outcome.words)")]
    case .runEnded(_, let end):
      titles = [:]
      self.failure = end.failure
    case .error(let text):
      guard let failure, text == failure || text.hasPrefix(failure + " ") else { break }
      let rest = String(text.dropFirst(failure.count + 1))
      return rest.isEmpty ? [] : [NoticeText("error", rest)]
    default: break
    }
    return NoticeText.lines(of: notice)
  }
}

extension AgentTurnEnd {
  /// Why the work failed; nil if it did not.
  fileprivate var failure: String? {
    switch self {
    case .failed(let reason), .unconfirmed(let reason, _): reason
    case .completed, .cancelled, .stopped: nil
    }
  }
}

extension AgentTool.Outcome {
  /// As a clause for people.
  package var words: String {
    switch self {
    case .completed: "it is done"
    case .failed: "it failed"
    case .declined: "it was not allowed"
    case .unknown: "how it ended is not known"
    }
  }
}
