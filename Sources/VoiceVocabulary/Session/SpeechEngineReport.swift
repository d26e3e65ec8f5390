/// A part of the local speech engine.
package enum SpeechPart: String, Hashable, Sendable, Codable, CaseIterable {
  /// What understands the user.
  case recogniser
  /// What speaks.
  case voice
}

/// What becomes of the local speech engine, a process beside this one. A busy machine may take minutes over what takes a
/// second as a rule; who knows what is going on need not guess by the clock.
package enum SpeechEngineReport: Equatable, Sendable, Codable {
  /// A part is being loaded. What is asked of it meanwhile is kept.
  case loading(part: SpeechPart)
  case ready(part: SpeechPart)
  /// A part cannot be used; `reason` says what failed, on what, and what to do.
  case unavailable(part: SpeechPart, reason: String)
  /// A part has something to do, and had nothing before; `idle` follows when all of it is done or given up.
  case working(part: SpeechPart)
  case idle(part: SpeechPart)
  /// The process ended, or did nothing for a long time, and a new one takes its place.
  case restarting(reason: String)
  /// No new process is tried any more.
  case failed(reason: String)
}
