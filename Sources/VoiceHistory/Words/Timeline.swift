import VoiceRecording
import VoiceVocabulary

/// One line of a session's timeline.
package struct TimelineEntry: Equatable, Sendable {
  package var moment: Moment
  /// The turn that it belongs to, if any.
  package var turn: Int?
  package var text: NoticeText
}

/// Turns steps into lines for people: what was shown to the user, and what was heard and played besides.
struct Timeline {
  /// The label of what the detectors heard.
  static let hears = "hears"

  private var agentLines = AgentLines()
  private var tools = ToolTitles()
  private var spoken: [SpeechID: String] = [:]

  /// The texts for one line of the log, none for most.
  mutating func texts(_ line: LogLine) -> [NoticeText] {
    var texts = happening(line.step.event)
    for action in line.step.actions { texts += doing(action) }
    return texts
  }

  /// What is left at the end of the log.
  mutating func rest() -> [NoticeText] { agentLines.flush() }

  private func happening(_ event: VoiceEvent) -> [NoticeText] {
    switch event {
    case .voiceStarted: [NoticeText(Self.hears, "The user begins to speak.")]
    case .voiceEnded: [NoticeText(Self.hears, "The user pauses.")]
    case .playbackStarted(let speech): spoken[speech].map { [NoticeText("says", $0)] } ?? []
    case .playbackCleared(_, let heard) where heard > 0:
      [NoticeText("silence", "Playback was cleared after \(heard) ms of the sentence.")]
    case .microphoneEnded: [NoticeText("input", "The microphone's recording is over.")]
    case .commandGiven(let command): [NoticeText("command", command.line)]
    default: []
    }
  }

  private mutating func doing(_ action: VoiceAction) -> [NoticeText] {
    switch action {
    case .show(.agentText(let delta)): return agentLines.append(delta)
    case .show(let notice):
      let rest = agentLines.flush(before: notice)
      return rest + tools.lines(of: notice)
    case .speak(let speech, let text, _):
      spoken[speech] = text
      return []
    case .end(.completed): return [NoticeText("end", "The session is complete.")]
    case .end(.terminated(let signal)): return [NoticeText("end", "The session was ended by \(signal).")]
    case .end(.failed(let reason)): return [NoticeText("end", "The session failed. \(reason)")]
    default: return []
    }
  }
}
