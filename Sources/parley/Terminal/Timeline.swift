import VoiceCore
import VoiceRecording

/// Turns log lines into a timeline: what was shown to the user, with its time, and what was heard and played besides.
struct Timeline {
  private var agentLines = AgentLines()
  private var spoken: [SpeechID: String] = [:]
  private var lastTime = SessionTime.zero

  /// The rows for one line of the log, none for most.
  mutating func entries(_ line: LogLine) -> [String] {
    lastTime = line.step.time
    var texts = happening(line.step.event)
    for action in line.step.actions { texts += doing(action) }
    return texts.map { Self.row(lastTime, $0) }
  }

  /// What is left at the end of the log.
  mutating func rest() -> [String] { agentLines.flush().map { Self.row(lastTime, $0) } }

  private func happening(_ event: VoiceEvent) -> [NoticeText] {
    switch event {
    case .voiceStarted: [NoticeText("hears", "The user begins to speak.")]
    case .voiceEnded: [NoticeText("hears", "The user pauses.")]
    case .playbackStarted(let speech): spoken[speech].map { [NoticeText("says", $0)] } ?? []
    case .playbackCleared(_, let heard) where heard > 0:
      [NoticeText("silence", "Playback was cleared after \(heard) ms of the sentence.")]
    case .microphoneEnded: [NoticeText("input", "The microphone's recording is over.")]
    case .commandGiven(let command): [NoticeText("command", "\(command)")]
    default: []
    }
  }

  private mutating func doing(_ action: VoiceAction) -> [NoticeText] {
    switch action {
    case .show(.agentText(let delta)): return agentLines.append(delta)
    case .show(let notice):
      let rest = agentLines.flush()
      return rest + (NoticeText(notice).map { [$0] } ?? [])
    case .speak(let speech, let text):
      spoken[speech] = text
      return []
    case .end(.completed): return [NoticeText("end", "The session is complete.")]
    case .end(.failed(let reason)): return [NoticeText("end", "The session failed. \(reason)")]
    default: return []
    }
  }

  private static func row(_ time: SessionTime, _ text: NoticeText) -> String {
    let milliseconds = time.microseconds / 1000
    let parts = [(milliseconds / 60_000, 2), (milliseconds / 1000 % 60, 2), (milliseconds % 1000, 3)]
    let digits = parts.map { value, width in
      String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
    }
    return "\(digits[0]):\(digits[1]).\(digits[2])  \(text.line)"
  }
}
