package import VoiceVocabulary

/// An event with the moment at which it entered the one serial order.
package struct StampedEvent: Sendable {
  package var time: SessionTime
  package var event: VoiceEvent

  package init(time: SessionTime, event: VoiceEvent) {
    self.time = time
    self.event = event
  }
}

/// Where a session's events come from: the real inbox, or a simulated world.
package protocol EventSource {
  /// The next event; nil when nothing can ever happen any more.
  func next() async -> StampedEvent?
}
