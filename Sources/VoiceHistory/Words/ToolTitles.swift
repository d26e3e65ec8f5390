package import VoiceVocabulary

/// Remembers the titles of the agent's tools, so that a notice that names one by its identifier is told by its title: an
/// identifier is the agent's own business.
package struct ToolTitles: Sendable {
  private var titles: [String: String] = [:]

  package init() {}

  /// The lines of a notice; none for what is not shown as a line of its own.
  package mutating func lines(of notice: Notice) -> [NoticeText] {
    switch notice {
    case .toolStarted(let tool): titles[tool.id] = tool.title
    case .toolFinished(let id, let outcome):
      guard let title = titles.removeValue(forKey: id), outcome != .completed else { break }
      return [NoticeText("tool", "\(title) – \(outcome.words)")]
    case .runEnded: titles = [:]
    default: break
    }
    return NoticeText.lines(of: notice)
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
