/// The key that is held to talk, and tapped to switch the microphone. A value without a clock, as `KeyBurst`.
///
/// However often the terminal repeats it, one press switches once. Where the terminal tells of its release, that ends the
/// talking; where it does not, the repeats tell: when they cease, the key was let go. A press that closes the microphone
/// never opens it again.
struct TalkKey {
  private enum State {
    /// Exits: `opened`, `closed` (pressed).
    case up
    /// It opened the microphone. Exits: `up` (released, its repeats ceased, or it was only tapped).
    case opened(since: Duration, seen: Duration, isHeld: Bool)
    /// It closed the microphone. Exits: `up` (not seen for a while).
    case closed(seen: Duration, isHeld: Bool)
  }

  /// Who holds it longer than this talks while he holds it; a tap opens the microphone for good.
  static let tap = Duration.milliseconds(400)
  /// Repeats come every 25 to 100 ms; so long without one, on a busy machine, and the key is up.
  static let ceasing = Duration.milliseconds(250)

  private var state = State.up

  /// When `elapse` is to be called; nil if nothing waits.
  var due: Duration? {
    if case .opened(_, let seen, isHeld: true) = state { seen + Self.ceasing } else { nil }
  }

  /// - Parameter tellsReleases: whether the terminal tells of repeats and releases, so that this is a press.
  /// - Returns: whether the microphone is to be open now; nil if nothing changes.
  mutating func press(at now: Duration, isListening: Bool, tellsReleases: Bool) -> Bool? {
    if !tellsReleases {
      switch state {
      case .opened(let since, let seen, let isHeld) where now - seen <= Self.patience(isHeld):
        state = .opened(since: since, seen: now, isHeld: true)
        return nil
      case .closed(let seen, let isHeld) where now - seen <= Self.patience(isHeld):
        state = .closed(seen: now, isHeld: true)
        return nil
      case .up, .opened, .closed: break
      }
    }
    state = isListening ? .closed(seen: now, isHeld: false) : .opened(since: now, seen: now, isHeld: false)
    return !isListening
  }

  /// It was let go.
  mutating func release(at now: Duration) -> Bool? {
    defer { state = .up }
    guard case .opened(let since, _, _) = state, now - since > Self.tap else { return nil }
    return false
  }

  /// Time has passed.
  mutating func elapse(to now: Duration) -> Bool? {
    guard let due, due <= now else { return nil }
    state = .up
    return false
  }

  /// How long to wait for the next repeat: the first one takes longer.
  private static func patience(_ isHeld: Bool) -> Duration { isHeld ? ceasing : KeyBurst.repeating }
}
