import VoiceVocabulary

/// Counts how often Ctrl-C was pressed in a row. A key that is held down, or bounces, was pressed once.
///
/// A value without a clock; times come in, as what has passed since some moment.
struct InterruptKey {
  /// A key that is held down is repeated faster than anybody presses it, on the Linux console every 92 ms.
  static let repeating = Duration.milliseconds(140)

  private var count = 0
  private var counted: Duration?
  private var last: Duration?

  /// The number of this press; nil if it is the same one.
  mutating func press(at now: Duration) -> Int? {
    defer { last = now }
    if let last, let counted, now - last < Self.repeating || now - counted < KeyBurst.repeating { return nil }
    let isAgain = counted.map { now - $0 <= .milliseconds(Limits.quitConfirmationMilliseconds) } ?? false
    count = isAgain ? count + 1 : 1
    counted = now
    return count
  }
}
