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
  /// The microphone and the speaker are there again, of which one was away.
  case soundReturned
  /// The microphone was opened by voice: the user may speak.
  case microphoneOpened
  /// The microphone was closed by voice.
  case microphoneClosed
}
