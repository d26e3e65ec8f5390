import VoiceVocabulary

/// Where each frame of a microphone lies in the session's time, in samples.
///
/// The rule: positions always increase, and sound lies no earlier than it can have been said. Sound that came is taken to
/// end now; so a frame with `waiting` samples behind it that came as well lies at least so far before now. Sound that
/// comes faster than time (a recording, a burst) runs ahead, and what was silent in between takes that back: positions
/// follow the session's clock, and being late never adds up.
struct FramePositions: Equatable {
  /// Where the next frame lies, unless it must lie later.
  private(set) var next: Int

  /// So much late is no stall, but a busy machine or an uneven writer: the sound goes on where it was.
  private static let toleranceSamples = Limits.microphoneStallMilliseconds * PCM.microphoneRate / 1000

  /// Positions begin at the session's present moment.
  init(now: Int) { next = now - now % PCM.frameSamples }

  /// The position of a frame that is delivered at `now`. `waiting` tells how many samples came behind it and were not
  /// delivered yet; it is asked only after a stall.
  mutating func take(now: Int, waiting: () -> Int = { 0 }) -> Int {
    if now - PCM.frameSamples - next > Self.toleranceSamples {
      let behind = now - PCM.frameSamples - waiting() - next
      if behind > Self.toleranceSamples { next += behind - behind % PCM.frameSamples }
    }
    defer { next += PCM.frameSamples }
    return next
  }

  /// Whether the next frame would lie well after `now`. A recording may run ahead; a device that seems to gives what its
  /// server kept while the program stood still, and the place of that has passed.
  func isAhead(of now: Int) -> Bool { next - now > Self.toleranceSamples }

  /// Sound was lost: the next position shows it, as far as it was lost before `now`. A server that kept a minute of sound
  /// while the program stood still overruns every buffer with it, and its place has passed already.
  mutating func skip(_ samples: Int, now: Int) { next += max(0, min(samples, now - next)) }
}
