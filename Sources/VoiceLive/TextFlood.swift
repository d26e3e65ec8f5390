import VoiceVocabulary
import VoiceWebSocket

/// Notices a server that sends more text than can come of speech. All of it is remembered until the session has dealt with it, so that
/// nothing else would bound it.
struct TextFlood: Sendable {
  /// A thousand times what an hour of speech has in as many seconds.
  static let bytes = 8 << 20
  static let period = Duration.seconds(10)

  private var start: ContinuousClock.Instant?
  private var sum = 0

  /// A message came. Returns whether that is too much.
  /// - Parameter events: what it says; sound counts nothing.
  mutating func takes(
    _ message: IncomingMessage, saying events: [DialectEvent], at now: ContinuousClock.Instant
  ) -> Bool {
    if start.map({ $0.duration(to: now) > Self.period }) ?? true { (start, sum) = (now, 0) }
    let sound = events.reduce(0) { sum, event in
      // In Base64, three bytes are four.
      if case .audio(_, let audio) = event { sum + audio.samples.count * 8 / 3 } else { sum }
    }
    sum += max(0, message.bytes.count - sound)
    return sum > Self.bytes
  }
}
