/// One step of a session: what happened, and what was decided. A session is the list of its steps.
package struct VoiceStep: Equatable, Sendable, Codable {
  /// Counts from 0 without a gap.
  package var sequence: Int
  package var time: SessionTime
  package var event: VoiceEvent
  package var actions: [VoiceAction]

  package init(sequence: Int, time: SessionTime, event: VoiceEvent, actions: [VoiceAction]) {
    self.sequence = sequence
    self.time = time
    self.event = event
    self.actions = actions
  }
}
