import VoiceSound
import VoiceVocabulary

/// Brings sound from the program's rates to a provider's and back; one value for each connection, one thread at a time.
struct LiveSound {
  private let outgoing: Resampler?
  private let incoming: Resampler?
  /// Whether the filter may hold back the end of a turn.
  private var isSounding = false

  init(_ provider: LiveProvider) {
    outgoing =
      provider.inputRate == PCM.microphoneRate ? nil : Resampler(from: PCM.microphoneRate, to: provider.inputRate)
    incoming =
      provider.outputRate == PCM.speakerRate ? nil : Resampler(from: provider.outputRate, to: PCM.speakerRate)
  }

  /// Microphone sound at the provider's rate.
  func sent(_ samples: [Int16]) -> [Int16] { outgoing?.process(samples) ?? samples }

  /// An event with its sound at the speaker's rate; at the end of a turn, with what the filter still held back of it.
  mutating func received(_ event: DialectEvent) -> [DialectEvent] {
    guard let incoming else { return [event] }
    switch event {
    case .audio(let turn, let audio):
      isSounding = true
      return DialectEvent.sound(incoming.process(audio.samples), of: turn)
    case .generationComplete(let turn), .turnComplete(let turn, _):
      guard isSounding else { return [event] }
      let rest = incoming.drain()
      forget(incoming)
      return DialectEvent.sound(rest, of: turn) + [event]
    case .interrupted, .failed(.some, _):
      forget(incoming)
      return [event]
    default: return [event]
    }
  }

  private mutating func forget(_ filter: Resampler) {
    isSounding = false
    filter.reset()
  }
}

extension DialectEvent {
  /// Sound of a turn, in pieces of the size that one event may have.
  static func sound(_ samples: [Int16], of turn: ModelTurnID) -> [DialectEvent] {
    stride(from: 0, to: samples.count, by: Limits.longestSpeechAudioSamples).map { start in
      .audio(
        turn: turn, SpeechAudio(samples: Array(samples[start...].prefix(Limits.longestSpeechAudioSamples))))
    }
  }
}
