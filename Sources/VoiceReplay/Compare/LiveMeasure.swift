import VoiceCore
import VoiceRecording
import VoiceVocabulary

/// What a replay with a real live model gave: how it was understood, and how soon it answered.
package struct LiveMeasure: Equatable, Sendable {
  /// What was said, by the script, and what was recognised; all utterances together.
  package let spoken: String
  package let recognised: String
  /// From the last sample of each recording to the call that followed it.
  package let answerMilliseconds: [Int]
  /// From each piece that was asked of the readout to its first sound.
  package let soundMilliseconds: [Int]

  /// - Parameter replay: with the live model of a `PacedWorld`.
  package init(_ replay: WorldReplay, of folder: FixtureFolder) {
    spoken = folder.fixture.model.map(\.heard).joined(separator: " ")
    var recognised = ""
    var unanswered = replay.saidTimes[...]
    var answers: [Int] = []
    var asked: [SpeechID: SessionTime] = [:]
    var sounds: [Int] = []
    for line in replay.lines {
      let time = line.step.time
      switch line.step.event {
      case .userTranscribed(_, let text, _, _): recognised += text
      case .instructionProposed, .stopRequested:
        recognised += " "
        // Several recordings may be one utterance to the model: the last one counts.
        let said = unanswered.prefix { $0 <= time }
        if let last = said.last { answers.append(time.milliseconds(since: last)) }
        unanswered = unanswered.dropFirst(said.count)
      case .speechAudio(let speech, _):
        if let since = asked.removeValue(forKey: speech) { sounds.append(time.milliseconds(since: since)) }
      default: break
      }
      for case .speak(let speech, _, _) in line.step.actions { asked[speech] = time }
    }
    self.recognised = recognised
    answerMilliseconds = answers
    soundMilliseconds = sounds
  }
}
