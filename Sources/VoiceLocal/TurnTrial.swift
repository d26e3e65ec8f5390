import VoiceLanguage
import VoiceLive
import VoiceVocabulary

/// Cuts recorded sound into turns as a session with the local model would: for measurements, and to see why one was cut.
package enum TurnTrial {
  /// What was proposed as one instruction.
  package struct Turn: Equatable, Sendable {
    package var text: String
    /// When it was known that it was over, in milliseconds of the sound.
    package var endMilliseconds: Int
    /// Whether a session joins it with the turn before: it came soon after, and goes on with the same sentence.
    package var goesOn = false
  }

  /// How much silence is heard behind the sound: more than any pause that ends a turn.
  private static let silentFrames = 5_000 / PCM.frameMilliseconds

  /// - Parameters:
  ///   - samples: at 16 kHz.
  ///   - detector: what hears speech; with the same preferred silence.
  ///   - understand: understands a segment and says how long that took. In the time of the sound its answer comes as much
  ///     later, so that a slow recogniser ends turns late here, too.
  package static func turns(
    in samples: [Int16], detector: VoiceActivityDetector, preferredSilenceMilliseconds: Int,
    understand: ([Int16], SpeechEngineMessage.Purpose) async -> (Result<HeardSpeech, SpeechFailure>, milliseconds: Int)
  ) async -> [Turn] {
    var listener = LocalListener(
      detector: detector, turns: turnDetector(preferring: preferredSilenceMilliseconds))
    var answers: [(piece: Int, frame: Int, heard: Result<HeardSpeech, SpeechFailure>)] = []
    var turns: [Turn] = []
    var spans: [(start: Int, end: Int)] = []
    var sentence: (text: String, taken: SessionTime)?
    var (frame, end) = (0, (samples.count + PCM.frameSamples - 1) / PCM.frameSamples + silentFrames)
    while frame < end {
      defer { frame += 1 }
      var actions: [LocalAction] = []
      for answer in answers where answer.frame <= frame { actions += listener.take(answer.heard, of: answer.piece) }
      answers.removeAll { $0.frame <= frame }
      let start = min(samples.count, frame * PCM.frameSamples)
      var sound = Array(samples[start..<min(samples.count, start + PCM.frameSamples)])
      sound += [Int16](repeating: 0, count: PCM.frameSamples - sound.count)
      actions += listener.take(.audio(samples: sound, rate: PCM.microphoneRate))
      for action in actions {
        switch action {
        case .recognise(let piece, let samples, let purpose):
          let (heard, milliseconds) = await understand(samples, purpose)
          let answered = frame + 1 + milliseconds / PCM.frameMilliseconds
          answers.append((piece, answered, heard))
          // A machine that is busy is waited for.
          end = max(end, answered + silentFrames)
        case .cancelRecognition(let piece): answers.removeAll { $0.piece == piece }
        case .send(.voiceActivity(isStart: true)): spans.append((frame * PCM.frameMilliseconds, 0))
        case .send(.voiceActivity(isStart: false)): spans[spans.count - 1].end = (frame + 1) * PCM.frameMilliseconds
        case .send(.toolCall(_, _, let arguments)):
          let text = arguments.first?.value ?? ""
          let begun = SessionTime.milliseconds(Int64(spans[0].start))
          let first = sentence.flatMap { before in
            PartedSentence.goesOn(with: text, begunAt: begun, after: before.text, takenAt: before.taken)
              ? before.text : nil
          }
          turns.append(Turn(text: text, endMilliseconds: spans[0].end, goesOn: first != nil))
          sentence = (first.map { PartedSentence.joined($0, text) } ?? text, Self.time(of: frame))
        case .send(.turnComplete): spans.removeFirst()
        default: break
        }
      }
    }
    return turns
  }

  /// When the sound of a frame has come.
  private static func time(of frame: Int) -> SessionTime {
    .milliseconds(Int64((frame + 1) * PCM.frameMilliseconds))
  }
}
