import VoiceLanguage
import VoiceVocabulary

/// Says how long a silence must last until what was said before it is a whole turn.
///
/// One more is a type with this function, and its place in `turnDetector(preferring:)`.
protocol TurnDetector: Sendable {
  /// - Parameter heard: what was said last before the pause, as it was understood; with punctuation, never empty.
  /// - Returns: nil for the silence that the client asked for.
  func silenceMilliseconds(after heard: HeardSpeech) -> Int?
}

/// The detector for a client that prefers this pause.
///
/// - Parameter milliseconds: nil if it asks for none.
func turnDetector(preferring milliseconds: Int?) -> any TurnDetector {
  guard let milliseconds, milliseconds <= MeaningTurnDetector.longestPreferred else { return SilenceTurnDetector() }
  return MeaningTurnDetector(preferred: milliseconds)
}

/// Which silence ends a turn: what the turn detector says, but what is said to the program itself waits for no pause.
struct PauseRule: Sendable {
  var turns: any TurnDetector
  var phrases = SpokenPhrases()

  /// - Parameters:
  ///   - heard: what was said last before the pause; never empty.
  ///   - isAll: whether that is all of the turn.
  /// - Returns: nil for the silence that the client asked for.
  func silenceMilliseconds(after heard: HeardSpeech, isAll: Bool) -> Int? {
    isAll && isToBeObeyedAtOnce(heard.text)
      ? SpeechRule.shortestSilenceMilliseconds : turns.silenceMilliseconds(after: heard)
  }

  /// Whether it means "stop", or decides.
  private func isToBeObeyedAtOnce(_ text: String) -> Bool {
    if StopPhrase.matches(text) || phrases.purpose(of: text) != nil { return true }
    switch SpokenDecision(utterance: text) {
    case .approve, .reject, .again, .explain, .next, .previous: return true
    // What is to be changed may go on.
    case .amend, .wait, nil: return false
    }
  }
}

/// Silence alone, whatever was said.
struct SilenceTurnDetector: TurnDetector {
  func silenceMilliseconds(after heard: HeardSpeech) -> Int? { nil }
}

/// The meaning of what was said, and how it sounded. Who stops at "the" goes on, and who ends a sentence is done; a voice
/// that falls ends, and one that stays up does not.
///
/// The two are wrong about different pauses, so either is believed only as far as the other agrees. Where nothing tells how
/// it sounded, the text alone counts, with less difference between short and long.
struct MeaningTurnDetector: TurnDetector {
  /// What a pause is by itself: each length is a part of it.
  let preferred: Int

  /// A longer preferred pause is a wish to think in peace: then silence alone counts.
  static let longestPreferred = 2_000

  func silenceMilliseconds(after heard: HeardSpeech) -> Int? {
    let text = TextCompleteness(of: heard.text)
    guard let completeness = heard.completeness else {
      return switch text {
      case .complete: preferred * 4 / 5
      case .open: preferred * 3 / 2
      case .unfinished: preferred * 2
      }
    }
    let soundsComplete = completeness >= 0.5
    return switch text {
    case .unfinished: preferred * 2
    case .complete: soundsComplete ? preferred * 2 / 5 : preferred
    case .open: soundsComplete ? preferred : preferred * 2
    }
  }
}
