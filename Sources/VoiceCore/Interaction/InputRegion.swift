/// Whether anything more can come from the user.
package struct InputRegion: Equatable, Sendable {
  package enum Microphone: Equatable, Sendable {
    /// Exits: `ended`, `failed`.
    case open
    /// The recording is over; the session ends once everything was answered. No exits.
    case ended
    /// The session ends, as failed, once everything was answered. No exits.
    case failed(reason: String)
  }

  package var microphone: Microphone = .open
  /// Whether the microphone was started.
  package var isStarted = false
  /// Whether somebody can still decide on held items.
  package var takesCommands: Bool
  /// Whether something was heard that was not answered yet.
  package var awaitsAnswer = false
  /// The position of the newest frame.
  package var lastPosition = -1

  package init(takesCommands: Bool) { self.takesCommands = takesCommands }
}

extension InputRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    switch microphone {
    case .open: digest.fold(0)
    case .ended: digest.fold(1)
    case .failed(let reason): digest.fold(reason)
    }
    digest.fold(takesCommands)
    digest.fold(awaitsAnswer)
    digest.fold(lastPosition)
  }
}
