import VoiceLive
import VoiceVocabulary

/// The readout's side of one connection: text in, speech out, word for word. Pure.
struct LocalReadout {
  private var lastSpeech = 0
  /// What is being spoken: its number, and its text until the text was sent.
  private var current: (speech: Int, unsentText: String?)?
  private let transcribesOutput: Bool

  /// For a client that set this up.
  init(setup: GeminiClientSetup) { transcribesOutput = setup.transcribesOutput }

  /// Take a message after the setup.
  mutating func take(_ message: GeminiClientMessage) -> [LocalAction] {
    switch message {
    case .clientContent(let turns, let isComplete):
      guard turns.allSatisfy({ $0.role == "user" || $0.role == "model" }) else { return Self.refused }
      let stopped = interrupt()
      return isComplete ? stopped + speak(turns.last { $0.role == "user" }?.text ?? "") : stopped
    case .text(let text): return interrupt() + speak(text)
    // Nobody listens here.
    case .audio, .activityStart, .activityEnd, .audioStreamEnd: return []
    case .toolResponse: return [.close(code: 1008, reason: "Requested entity was not found.")]
    case .setup, .malformed, .unknown: return Self.refused
    }
  }

  /// Take what came of `synthesise`; what is late is dropped.
  mutating func take(_ event: SynthesisEvent, of speech: Int) -> [LocalAction] {
    guard let current, current.speech == speech else { return [] }
    switch event {
    case .audio(let samples):
      self.current = (speech, nil)
      let text = transcribesOutput ? current.unsentText : nil
      return [.send(.audio(samples: samples))] + (text.map { [.send(.outputTranscription(text: $0))] } ?? [])
    case .finished where current.unsentText != nil:
      // Nothing in it can be said. A turn without any sound would be taken for a fault.
      return take(.audio(samples: Self.silence), of: speech) + take(.finished, of: speech)
    case .finished:
      self.current = nil
      return [.send(.generationComplete), .send(.turnComplete), .offerResumption(isPossible: true)]
    case .failed(let reason):
      self.current = nil
      // A turn without sound is all that the protocol offers for this.
      return [.report(problem: "a text could not be spoken: \(reason)"), .send(.turnComplete)]
    }
  }

  private static let refused = [LocalAction.close(code: 1007, reason: "Request contains an invalid argument.")]

  private static let silence = [Int16](repeating: 0, count: PCM.speakerRate / 1000 * PCM.frameMilliseconds)

  private mutating func interrupt() -> [LocalAction] {
    guard let current else { return [] }
    self.current = nil
    return [.cancelSynthesis(speech: current.speech), .send(.interrupted), .send(.turnComplete)]
  }

  private mutating func speak(_ text: String) -> [LocalAction] {
    lastSpeech += 1
    current = (lastSpeech, text)
    return [.synthesise(speech: lastSpeech, text: text)]
  }
}
