import VoiceSound
import VoiceSystem
import VoiceVocabulary

/// Decides from one probability a window (32 ms) where speech starts and ends.
///
/// Start: 160 of the last 256 ms, so that a click is not speech. End: a pause of the length that the user likes, in a row
/// below a lower bound, so that a breath is not an end. Positions and times are counted in windows: no sound, no decision.
package struct SpeechRule: Equatable, Sendable {
  /// What a window of sound changes.
  package enum Change: Equatable, Sendable {
    /// Speech began, `windowsAgo` windows before the end of the latest one.
    case started(windowsAgo: Int)
    /// A silence within speech is `pauseWindows` long: a good moment to begin to understand what was said.
    case paused
    /// Speech goes on after `paused`.
    case resumed
    case ended
  }

  /// A window counts as speech from this probability on.
  package static let threshold: Float = 0.5
  /// Within speech, a window counts as silence only below this: word ends fade.
  package static let silenceThreshold: Float = 0.35
  package static let startWindows = 5
  package static let observedWindows = 8
  /// A silence of 256 ms is a pause, unless so short a one is an end already: what is understood in the tenth of a second after
  /// it can end a turn after 0.4 s.
  private static let defaultPauseWindows = 8
  private static let windowMilliseconds = SileroNetwork.windowSamples * 1000 / PCM.microphoneRate
  /// What ends an utterance where nobody has said how long a pause may be.
  package static let shortSilenceMilliseconds = 576
  /// What ends one that is to be obeyed at once.
  package static let shortestSilenceMilliseconds = 384

  private enum Phase: Equatable, Sendable {
    /// The latest windows, newest last; true is speech.
    case quiet(recent: [Bool])
    case speaking(silentWindows: Int)
  }

  private let pauseWindows: Int
  private let endWindows: Int
  /// The end that holds for the current silence; the default again with the next word.
  private var nextEndWindows: Int
  private var phase = Phase.quiet(recent: [])

  /// - Parameter silenceMilliseconds: how long a pause ends an utterance; counted in whole windows of 32 ms.
  package init(silenceMilliseconds: Int = shortSilenceMilliseconds) {
    endWindows = Self.windows(milliseconds: silenceMilliseconds)
    nextEndWindows = endWindows
    pauseWindows = max(1, min(Self.defaultPauseWindows, endWindows - 1))
  }

  private static func windows(milliseconds: Int) -> Int {
    max(2, (milliseconds + windowMilliseconds - 1) / windowMilliseconds)
  }

  /// The silence that goes on now ends the utterance once it is this long, or at once if it is already; the default
  /// holds again with the next word.
  package mutating func end(afterMilliseconds milliseconds: Int) {
    guard case .speaking(let silentWindows) = phase, silentWindows >= pauseWindows else { return }
    nextEndWindows = max(Self.windows(milliseconds: milliseconds), silentWindows + 1)
  }

  /// Whether speech goes on.
  package var isSpeaking: Bool {
    if case .speaking = phase { true } else { false }
  }

  /// Take the next window's probability.
  package mutating func take(_ probability: Float) -> Change? {
    switch phase {
    case .quiet(var recent):
      recent.append(probability >= Self.threshold)
      if recent.count > Self.observedWindows { recent.removeFirst() }
      guard recent.count(where: \.self) >= Self.startWindows, let first = recent.firstIndex(of: true) else {
        phase = .quiet(recent: recent)
        return nil
      }
      phase = .speaking(silentWindows: 0)
      return .started(windowsAgo: recent.count - first)
    case .speaking(let silentWindows):
      guard probability < Self.silenceThreshold else {
        phase = .speaking(silentWindows: 0)
        nextEndWindows = endWindows
        return silentWindows >= pauseWindows ? .resumed : nil
      }
      if silentWindows + 1 >= nextEndWindows {
        phase = .quiet(recent: [])
        nextEndWindows = endWindows
        return .ended
      }
      phase = .speaking(silentWindows: silentWindows + 1)
      return silentWindows + 1 == pauseWindows ? .paused : nil
    }
  }
}

/// Speech found by loudness alone: 9 dB over the quietest of the last seconds. Deaf to nothing and fooled by a keyboard;
/// for when the models are not installed.
package struct LoudnessMeter: Equatable, Sendable {
  /// Quieter than this is never speech, whatever the background: -50 dB of full scale.
  private static let quietestSpeech: Float = -50
  private static let margin: Float = 9
  /// How fast the notion of the background grows: 1.5 dB a second.
  private static let rise: Float = 0.048

  private var background: Float = -60

  /// 1 when the window is loud against the background, else 0.
  package mutating func probability(of window: ArraySlice<Int16>) -> Float {
    var energy: Float = 1
    for sample in window { energy += Float(sample) * Float(sample) }
    let level = Float(decibels(meanSquare: Double(energy / Float(window.count))))
    background = min(max(level, -90), background + Self.rise)
    return level > background + Self.margin && level > Self.quietestSpeech ? 1 : 0
  }
}

/// Hears whether somebody speaks, in 16 kHz sound. The detector at the microphone; one thread at a time.
package struct VoiceActivityDetector {
  /// What changed, by samples.
  package enum Change: Equatable, Sendable {
    /// Speech began at this sample, counted from the first one given.
    case started(position: Int)
    case paused(position: Int)
    case resumed(position: Int)
    /// Speech is over; the position is that of the decision.
    case ended(position: Int)
  }

  private enum Source {
    case network(SileroNetwork)
    case loudness(LoudnessMeter)
  }

  private var source: Source
  private var rule: SpeechRule
  private var pending: [Int16] = []
  private var position = 0

  /// With the trained network.
  package init(
    models: SpeechModels, silenceMilliseconds: Int = SpeechRule.shortSilenceMilliseconds
  ) throws(SpeechFailure) {
    rule = SpeechRule(silenceMilliseconds: silenceMilliseconds)
    source = .network(try SileroNetwork(weightsFile: models.detectorWeights))
  }

  /// With loudness alone: for when the models are not installed.
  package init(silenceMilliseconds: Int = SpeechRule.shortSilenceMilliseconds) {
    rule = SpeechRule(silenceMilliseconds: silenceMilliseconds)
    source = .loudness(LoudnessMeter())
  }

  /// See `SpeechRule.end`.
  package mutating func end(afterMilliseconds milliseconds: Int) { rule.end(afterMilliseconds: milliseconds) }

  /// Take the next samples, any number of them.
  package mutating func process(_ samples: some Collection<Int16>) -> [Change] {
    pending.append(contentsOf: samples)
    var changes: [Change] = []
    var start = 0
    while pending.count - start >= SileroNetwork.windowSamples {
      let window = pending[start..<start + SileroNetwork.windowSamples]
      start += SileroNetwork.windowSamples
      position += SileroNetwork.windowSamples
      switch rule.take(probability(of: window)) {
      case .started(let windowsAgo):
        changes.append(.started(position: max(0, position - windowsAgo * SileroNetwork.windowSamples)))
      case .paused: changes.append(.paused(position: position))
      case .resumed: changes.append(.resumed(position: position))
      case .ended: changes.append(.ended(position: position))
      case nil: break
      }
    }
    pending.removeFirst(start)
    return changes
  }

  private mutating func probability(of window: ArraySlice<Int16>) -> Float {
    switch source {
    case .network(let network): return network.probability(of: window)
    case .loudness(var meter):
      defer { source = .loudness(meter) }
      return meter.probability(of: window)
    }
  }
}

extension SpeechModels {
  /// Tells speech from other sound in windows of 512 samples at 16 kHz that follow one another; for one thread. Nil if the
  /// network cannot be loaded.
  package func makeSpeechTest() -> ((_ window: [Int16]) -> Bool)? {
    do {
      let network = try SileroNetwork(weightsFile: detectorWeights)
      return { network.probability(of: $0[...]) >= SpeechRule.threshold }
    } catch {
      // The caller has a detector that needs no network.
      return nil
    }
  }
}
