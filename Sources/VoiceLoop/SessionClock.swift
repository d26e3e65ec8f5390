package import VoiceVocabulary

/// The time since it was made, on a clock that never jumps and goes on while the machine sleeps. Any thread.
package struct SessionClock: Sendable {
  private let start = ContinuousClock.now

  package init() {}

  /// The time since the session started.
  package var now: SessionTime {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return SessionTime(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
