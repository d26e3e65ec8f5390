import VoiceVocabulary

/// Counts how often Ctrl-C was pressed in a row. A key that is held down, or bounces, was pressed once.
///
/// A value without a clock; times come in, as what has passed since some moment. A held key shows in its rhythm: it is repeated
/// after a delay, and then fast. Presses that follow each other otherwise are counted, however fast.
struct InterruptKey {
  /// A key that is held down is repeated faster than most press it, on the Linux console every 92 ms. Its first repetition comes later.
  static let repeating = Duration.milliseconds(140)
  /// What comes so soon may be the same press, if nothing follows it as soon.
  static let bouncing = Duration.milliseconds(30)

  /// What the key did last.
  private enum Kind { case pressed, bounced, perhapsRepeated, repeated }

  private var count = 0
  private var kind = Kind.pressed
  /// When it did that.
  private var last: Duration?
  /// When the last press came that was acted upon.
  private var acted = Duration.zero

  /// The number of this press, if there is something to be done about it: the second counts as one only once the first can have been
  /// answered; the third, and those behind it, at once and then after a while.
  mutating func press(at now: Duration) -> Int? {
    guard let last, now - last <= .milliseconds(Limits.quitConfirmationMilliseconds) else { return begin(at: now) }
    self.last = now
    let gap = now - last
    switch kind {
    case .repeated where gap < Self.repeating: return nil
    case .repeated:
      // Held for long, it was answered long ago.
      if now - acted > .milliseconds(Limits.quitConfirmationMilliseconds) { return begin(at: now) }
      return pressed(1, at: now)
    case .perhapsRepeated where gap < Self.repeating:
      kind = .repeated
      return nil
    case .perhapsRepeated: return pressed(2, at: now)
    case .bounced where gap < Self.repeating: return pressed(2, at: now)
    case .pressed where gap < Self.bouncing:
      kind = .bounced
      return nil
    case .pressed where gap < Self.repeating: return pressed(1, at: now)
    case .pressed, .bounced:
      guard gap < KeyBurst.repeating else { return pressed(1, at: now) }
      kind = .perhapsRepeated
      return nil
    }
  }

  private mutating func begin(at now: Duration) -> Int? {
    (count, kind, last, acted) = (1, .pressed, now, now)
    return 1
  }

  private mutating func pressed(_ times: Int, at now: Duration) -> Int? {
    let isThird = count < 3 && count + times >= 3
    (count, kind) = (count + times, .pressed)
    guard isThird || now - acted >= KeyBurst.repeating else { return nil }
    acted = now
    return count
  }
}
