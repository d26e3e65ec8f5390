/// One step of a session: what happened, and what was decided. A session is the list of its steps.
package struct VoiceStep: Equatable, Sendable {
  /// Counts from 0 without a gap.
  package var sequence: Int
  package var time: SessionTime
  package var event: VoiceEvent
  package var actions: [VoiceAction]
  /// Why it was decided so, a sentence each; empty where nothing was to be decided.
  package var reasons: [String]
  /// The state after the step; nil for steps that only pass sound on, of which there are a hundred a second, and in
  /// a log behind the first secret that was taken out of it.
  package var state: StateDigest?

  package init(
    sequence: Int, time: SessionTime, event: VoiceEvent, actions: [VoiceAction], reasons: [String] = [],
    state: StateDigest? = nil
  ) {
    self.sequence = sequence
    self.time = time
    self.event = event
    self.actions = actions
    self.reasons = reasons
    self.state = state
  }
}
