import VoiceCore
import VoiceVocabulary

/// Half an utterance is never sent: a new connection does not begin where somebody was speaking already. What it hears
/// then would be half an instruction.
///
/// Judged by the sound alone, so that it does not share its mistakes with what is judged.
struct WholeUtteranceRule {
  /// A stretch of sound without a pause, in samples.
  private struct Stretch {
    var start: Int
    var end: Int
  }

  /// A frame that is surely not silence: mean absolute sample value.
  private static let loudness = 400
  /// A pause at least as long parts two stretches: 200 ms.
  private static let pause = 10 * PCM.frameSamples
  /// What is missing at the beginning of a stretch, or left at its end, must be as long to be missed: 200 ms.
  private static let noticed = 10 * PCM.frameSamples
  /// Nobody talks for half a minute without a pause: what is longer is noise.
  private static let longest = Limits.unansweredFrames * PCM.frameSamples

  private var stretches: [Stretch] = []
  private var begun: Set<ConnectionID> = []

  /// A frame came.
  mutating func heard(_ frame: MicrophoneFrame, isOpen: Bool) {
    let sum = frame.samples.reduce(0) { $0 + Int($1.magnitude) }
    guard isOpen, sum > Self.loudness * frame.samples.count else { return }
    let end = frame.position + PCM.frameSamples
    if let last = stretches.last, frame.position - last.end < Self.pause {
      stretches[stretches.count - 1].end = end
    } else {
      stretches.append(Stretch(start: frame.position, end: end))
    }
  }

  /// Why the session may not send this frame on this connection; nil if it may.
  mutating func violation(by frame: MicrophoneFrame, on connection: ConnectionID) -> String? {
    guard begun.insert(connection).inserted else { return nil }
    let isInside = stretches.contains {
      $0.start + Self.noticed <= frame.position && frame.position + Self.noticed <= $0.end
        && $0.end - $0.start < Self.longest
    }
    return isInside ? "connection \(connection) begins in the middle of an utterance, at \(frame.position)" : nil
  }
}
