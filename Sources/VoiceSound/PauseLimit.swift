import VoiceSystem

/// How long the pause that goes on may last before it ends the user's turn: set by who understands what was said before it, read by
/// the detector at the microphone. Any thread.
package final class PauseLimit: Sendable {
  private let standard: Int
  private let current: Locked<Int>

  /// - Parameter milliseconds: holds where nothing was set.
  package init(milliseconds: Int) {
    standard = milliseconds
    current = Locked(milliseconds)
  }

  /// Until the next call; nil for what holds by default.
  package func set(_ milliseconds: Int?) { current.withLock { $0 = milliseconds ?? standard } }

  /// What holds now.
  package var milliseconds: Int { current.withLock { $0 } }
}
