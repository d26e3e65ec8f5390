import VoiceSystem
import VoiceVocabulary

/// Cuts what a closed microphone hears into what may be the wake phrase. Nothing of it is kept beyond that.
package struct WakeSegments {
  /// What is to be done about a stretch of sound.
  package enum Action: Equatable, Sendable {
    /// Find out whether this is the wake phrase.
    case ask([Int16])
    /// It was the beginning of more, so it is not.
    case giveUp
  }

  /// Longer sound is more than such a phrase: 2.5 s, with what is kept before it.
  private static let longestSamples = PCM.microphoneRate * 5 / 2

  private var endpointer: Endpointer

  /// - Parameter detector: finds speech in what is heard.
  package init(detector: VoiceActivityDetector) { endpointer = Endpointer(detector: detector) }

  /// Take 16 kHz sound of any length.
  package mutating func hear(_ samples: some Collection<Int16>) -> [Action] {
    endpointer.process(samples).compactMap { event in
      switch event {
      case .speechPaused(let segment): segment.samples.count <= Self.longestSamples ? .ask(segment.samples) : nil
      case .speechResumed: .giveUp
      case .speechStarted, .speechCut, .speechEnded: nil
      }
    }
  }
}

/// Hears a closed microphone for the wake phrase, and for nothing else: sound goes to this machine's own recogniser, which tells
/// whether it was the phrase, and not what else was said. Any thread.
package final class WakeListener: Sendable {
  private struct State {
    /// Nil while the microphone is open.
    var segments: WakeSegments?
    /// Of what was asked about last, unless that was given up.
    var request: UInt32?
    /// Counts how often the microphone was closed or opened: an answer about what was heard before is late.
    var changes = 0
  }

  private enum Effect: Sendable {
    case ask([Int16], change: Int)
    case giveUp
    case wake
  }

  private let recogniser: any SpeechRecogniser
  private let detector: @Sendable () -> sending VoiceActivityDetector
  private let onWake: @Sendable () -> Void
  private let state = OrderedEffects<State, Effect>(State())

  /// - Parameters:
  ///   - detector: makes one for each time that the microphone is closed.
  ///   - onWake: the phrase was heard; on the recogniser's thread.
  package init(
    recogniser: any SpeechRecogniser, detector: @escaping @Sendable () -> sending VoiceActivityDetector,
    onWake: @escaping @Sendable () -> Void
  ) {
    self.recogniser = recogniser
    self.detector = detector
    self.onWake = onWake
  }

  /// The microphone was closed, or opened: then all that was heard is forgotten.
  package func microphone(isOpen: Bool) {
    step { state in
      state.segments = isOpen ? nil : WakeSegments(detector: detector())
      state.changes += 1
      return [.giveUp]
    }
  }

  /// Hear 16 kHz sound; nothing is done with it while the microphone is open.
  package func hear(_ samples: [Int16]) {
    step { state in
      let actions = state.segments?.hear(samples) ?? []
      return actions.map { action in
        switch action {
        case .ask(let samples): .ask(samples, change: state.changes)
        case .giveUp: .giveUp
        }
      }
    }
  }

  private func step(_ decide: (inout State) -> [Effect]) {
    state.step(decide) { effect in
      switch effect {
      case .ask(let samples, let change):
        let request = recogniser.recognise(samples, for: .wake) { [self] heard in
          guard case .success(let heard) = heard, !heard.text.isEmpty else { return }
          step { $0.segments != nil && $0.changes == change ? [.wake] : [] }
        }
        state.withLock { $0.request = request }
      case .giveUp: if let request = state.withLock({ $0.request.take() }) { recogniser.cancelRecognition(request) }
      case .wake: onWake()
      }
    }
  }
}
