import VoiceSystem
package import VoiceVocabulary

/// The time since it was made, on a clock that never jumps and goes on while the machine sleeps. Any thread.
package struct SessionClock: Sendable {
  private let start = MonotonicClock.nanoseconds

  package init() {}

  /// The time since the session started.
  package var now: SessionTime { SessionTime(microseconds: (MonotonicClock.nanoseconds - start) / 1000) }
}
