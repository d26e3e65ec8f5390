/// What is left of a wait, as far as the program was awake for it. A pure value.
///
/// Whoever waits looks again after `nextLookMilliseconds` at the latest. After the program was stopped, or the machine
/// slept, the wait has what it had left before: what was waited for could not have come meanwhile either.
package struct Countdown: Equatable, Sendable {
  private let microseconds: Int64
  private var passed: AwakeTime

  /// So long from this moment on.
  package init(milliseconds: Int, from moment: SessionTime) {
    microseconds = Int64(milliseconds) * 1000
    passed = AwakeTime(since: moment)
  }

  /// Whether it is over now.
  package mutating func isOver(at moment: SessionTime) -> Bool {
    passed.look(at: moment)
    return passed.microseconds >= microseconds
  }

  /// When to look again, in milliseconds from the last look; at least 1.
  package var nextLookMilliseconds: Int {
    max(1, min(Limits.countdownLookMilliseconds, Int((microseconds - passed.microseconds + 999) / 1000)))
  }
}
