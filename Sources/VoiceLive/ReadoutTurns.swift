internal import VoiceCore

/// Which piece of speech an event of a readout connection belongs to. Pure; one value for each connection.
///
/// A live model closes a turn late (`turnComplete` waits for the assumed end of playback), so the next piece is sent
/// while the turn before is still open, and a cancelled piece may go on arriving. Turns come in order, which is all
/// there is to tell them apart: the protocol numbers nothing.
struct ReadoutTurns: Equatable {
  /// What an event means for the current piece.
  enum Meaning: Equatable {
    case nothing
    case sound(SpeechAudio)
    /// All sound of the piece has come.
    case ended
    /// The turn is over, and gave no sound.
    case silent
    /// The server stopped the piece by itself.
    case interrupted
  }

  /// Turns before the current one whose `turnComplete` has not come.
  private var unclosed = 0
  /// The last of them was cut off then, while its sound was coming: what comes until it is closed is dropped.
  private var dropsSince: ContinuousClock.Instant?
  private var isActive = false
  private(set) var hasSound = false

  init() {}

  /// A piece was sent. At most one is active.
  mutating func begin() {
    isActive = true
    hasSound = false
  }

  /// The active piece is of no use any more. Returns whether the server should be told to stop.
  mutating func cancel(at now: ContinuousClock.Instant) -> Bool {
    guard isActive else { return false }
    isActive = false
    unclosed += 1
    dropsSince = now
    return true
  }

  /// What an event of the server means for the pieces that were asked for.
  mutating func receive(_ event: DialectEvent, at now: ContinuousClock.Instant) -> Meaning {
    if let since = dropsSince, since.duration(to: now) > .milliseconds(LiveLimits.staleTurnMilliseconds) {
      dropsSince = nil
      unclosed = 0
    }
    switch event {
    case .audio(let audio):
      guard isActive, dropsSince == nil else { return .nothing }
      // The turns before had all their sound, so this is of the current one, and they will not be closed any more.
      unclosed = 0
      hasSound = true
      return .sound(audio)
    case .generationComplete:
      guard isActive, hasSound else { return .nothing }
      isActive = false
      unclosed += 1
      return .ended
    case .interrupted:
      // A piece interrupts the turn before it: only a turn that has begun to sound was interrupted from outside.
      guard isActive, hasSound else { return .nothing }
      isActive = false
      unclosed += 1
      dropsSince = now
      return .interrupted
    case .turnComplete(let isIdle):
      if unclosed > 0 {
        unclosed -= 1
        if unclosed == 0 { dropsSince = nil }
        return .nothing
      }
      guard isActive, isIdle else { return .nothing }
      isActive = false
      return hasSound ? .ended : .silent
    default: return .nothing
    }
  }
}
