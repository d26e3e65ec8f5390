import VoiceSystem

/// The time since it was made, on a clock that never jumps and goes on while the machine sleeps. Any thread.
package struct SessionClock: Sendable {
  private let start = MonotonicClock.nanoseconds

  package init() {}

  /// Microseconds since it was made.
  package var now: SessionTime { SessionTime(microseconds: (MonotonicClock.nanoseconds - start) / 1000) }
}
