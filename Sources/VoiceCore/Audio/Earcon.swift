/// A short functional sound.
package enum Earcon: String, Sendable, Codable, CaseIterable {
  /// An instruction was understood.
  case heardYou
  /// The agent is still working.
  case working
  /// Something waits for the user's decision.
  case waiting
  /// The agent is done.
  case done
  /// Something failed.
  case error
}
