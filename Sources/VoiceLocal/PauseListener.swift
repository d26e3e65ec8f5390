package import VoiceSound
import VoiceSystem
package import VoiceVocabulary

/// Listens to an open microphone beside a live model that is told where turns end: in each pause, this machine's own recogniser finds
/// out by what was said, and how, which pause ends the turn. Any thread.
package final class PauseListener: Sendable {
  private struct State {
    /// Nil while the microphone is closed.
    var endpointer: Endpointer?
    /// Whether the turn was cut before because it is long: then what is asked about is not all of it.
    var isCut = false
    /// Of what was asked about last, unless that was given up.
    var request: UInt32?
    /// Counts what changes: an answer about what was heard before is late.
    var changes = 0
  }

  private enum Effect: Sendable {
    case ask([Int16], change: Int)
    case giveUp
    case limit(Int?)
  }

  private let recogniser: any SpeechRecogniser
  private let detector: @Sendable () -> sending VoiceActivityDetector
  private let rule: PauseRule
  private let limit: PauseLimit
  private let state = OrderedEffects<State, Effect>(State())

  /// - Parameters:
  ///   - detector: makes one for each time that the microphone is opened, which ends an utterance after the pause that `limit`
  ///     usually allows.
  ///   - milliseconds: the pause that the user prefers.
  ///   - limit: is told how long the pause that goes on may last.
  package init(
    recogniser: any SpeechRecogniser, detector: @escaping @Sendable () -> sending VoiceActivityDetector,
    preferring milliseconds: Int, phrases: SpokenPhrases, limit: PauseLimit
  ) {
    self.recogniser = recogniser
    self.detector = detector
    rule = PauseRule(turns: turnDetector(preferring: milliseconds), phrases: phrases)
    self.limit = limit
  }

  /// The microphone was closed, or opened: then all that was heard is forgotten.
  package func microphone(isOpen: Bool) {
    step { state in
      state.endpointer = isOpen ? Endpointer(detector: detector()) : nil
      state.changes += 1
      return [.giveUp, .limit(nil)]
    }
  }

  /// Hear 16 kHz sound; nothing is done with it while the microphone is closed.
  package func hear(_ samples: [Int16]) {
    step { state in
      let events = state.endpointer?.process(samples) ?? []
      return events.flatMap { effects(of: $0, &state) }
    }
  }

  private func effects(of event: Endpointer.Event, _ state: inout State) -> [Effect] {
    switch event {
    case .speechPaused(let segment): return [.ask(segment.samples, change: state.changes)]
    case .speechStarted:
      state.isCut = false
      state.changes += 1
      return [.limit(nil)]
    case .speechResumed:
      state.changes += 1
      return [.giveUp, .limit(nil)]
    case .speechCut:
      state.isCut = true
      return []
    case .speechEnded:
      state.changes += 1
      // The detector at the microphone may be a moment behind: what was set holds until somebody speaks.
      return [.giveUp]
    }
  }

  private func understood(_ heard: HeardSpeech, change: Int) {
    step { state in
      guard state.changes == change,
        let silence = rule.silenceMilliseconds(after: heard, isAll: !state.isCut)
      else { return [] }
      state.endpointer?.end(afterMilliseconds: silence)
      return [.limit(silence)]
    }
  }

  private func step(_ decide: (inout State) -> [Effect]) {
    state.step(decide) { effect in
      switch effect {
      case .ask(let samples, let change):
        let request = recogniser.recognise(samples, for: .pause) { [self] heard in
          // Where that fails, silence alone ends the turn.
          guard case .success(let heard) = heard, !heard.text.isEmpty else { return }
          understood(heard, change: change)
        }
        state.withLock { $0.request = request }
      case .giveUp: if let request = state.withLock({ $0.request.take() }) { recogniser.cancelRecognition(request) }
      case .limit(let milliseconds): limit.set(milliseconds)
      }
    }
  }
}
