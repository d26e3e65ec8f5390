/// How long something has lasted, as far as the program was awake to see it.
///
/// A clock goes on while the program is stopped and while the machine sleeps. Who waits for somebody else looks every so
/// often, and a look that comes much later than it should counts for no more than a step. A pure value; looks further apart
/// than that are not for it.
package struct AwakeTime: Equatable, Sendable {
  private var seen: SessionTime
  private let step: Int64
  /// Since the beginning, without the time that nobody was awake.
  package private(set) var microseconds: Int64 = 0

  /// Nothing has passed at this moment. A step is that of `Limits.awakeStepMilliseconds`, or shorter where a shorter wait is timed.
  package init(since moment: SessionTime, stepMilliseconds: Int = Limits.awakeStepMilliseconds) {
    seen = moment
    step = Int64(stepMilliseconds) * 1000
  }

  /// Look at the clock. The result tells whether the program was awake since the last look.
  @discardableResult
  package mutating func look(at moment: SessionTime) -> Bool {
    let passed = max(0, moment.microseconds - seen.microseconds)
    seen = max(seen, moment)
    microseconds += min(passed, step)
    return passed <= step
  }

  /// The time that passed while the program was awake.
  package var milliseconds: Int { Int(microseconds / 1000) }
}
