/// What the controller needs to know of the plan. Part of the log, so that a session replays under its own settings.
package struct InteractionSettings: Equatable, Sendable, Codable {
  package enum TurnDetection: String, Sendable, Codable, CaseIterable {
    /// The detector at the microphone opens and closes each utterance.
    case client
    /// Sound is sent all the time, and the live model's server decides.
    case server
  }

  package var mode: InteractionMode
  package var turnDetection: TurnDetection
  /// Which detector may interrupt a reply. With a loudspeaker only the gate knows the program's own voice.
  package var interruptedBy: VoiceDetector
  /// Whether a held instruction is read aloud.
  package var readsBack: Bool
  /// Whether the listener's own voice is played while nothing else speaks.
  package var playsModelVoice: Bool
  /// Whether anybody can decide: false when standard input is closed from the start.
  package var takesCommands: Bool

  package init(
    mode: InteractionMode = .review, turnDetection: TurnDetection = .server, interruptedBy: VoiceDetector = .model,
    readsBack: Bool = true, playsModelVoice: Bool = true, takesCommands: Bool = true
  ) {
    self.mode = mode
    self.turnDetection = turnDetection
    self.interruptedBy = interruptedBy
    self.readsBack = readsBack
    self.playsModelVoice = playsModelVoice
    self.takesCommands = takesCommands
  }
}
