import VoiceVocabulary

/// A stretch of 16 kHz sound that holds speech.
package struct SpeechSegment: Equatable, Sendable {
  /// The first sample, counted from the first one given.
  package var position: Int
  package var samples: [Int16]
}

/// Cuts a stream of 16 kHz sound into utterances, in the time of the sound itself: no sound, no end of speech.
package struct Endpointer {
  /// What is found in the sound; positions are samples at 16 kHz.
  package enum Event: Equatable, Sendable {
    case speechStarted(position: Int)
    /// The speaker pauses, maybe for good: what was said since the last cut. If `speechEnded` follows without
    /// `speechResumed`, it holds the same segment, so understanding it may begin now.
    case speechPaused(segment: SpeechSegment)
    case speechResumed
    /// The utterance goes on, but is cut here because it is long.
    case speechCut(segment: SpeechSegment)
    case speechEnded(segment: SpeechSegment)
  }

  /// Sound kept from before the first window of speech, for the consonant that it missed: 0.3 s.
  package static let prerollSamples = PCM.microphoneRate * 3 / 10
  /// The recogniser gets slower and worse on long sound: from 20 s on, an utterance is cut at a pause, and at 28 s
  /// anyway.
  package static let longSamples = PCM.microphoneRate * 20
  package static let longestSamples = PCM.microphoneRate * 28

  private var detector: VoiceActivityDetector
  /// The sound from `bufferPosition` on: a little while nobody speaks, the whole segment while somebody does.
  private var buffer: [Int16] = []
  private var bufferPosition = 0
  private var pausedSegment: SpeechSegment?
  private var isSpeaking = false

  package init(detector: VoiceActivityDetector) { self.detector = detector }

  /// Take the next samples, any number of them.
  package mutating func process(_ samples: some Collection<Int16>) -> [Event] {
    buffer.append(contentsOf: samples)
    var events: [Event] = []
    for change in detector.process(samples) {
      switch change {
      case .started(let position):
        isSpeaking = true
        drop(before: position - Self.prerollSamples)
        events.append(.speechStarted(position: position))
      case .paused(let position):
        let segment = segment(until: position)
        if segment.samples.count >= Self.longSamples {
          events.append(.speechCut(segment: segment))
          drop(before: position)
        } else {
          pausedSegment = segment
          events.append(.speechPaused(segment: segment))
        }
      case .resumed:
        // After a cut at this pause there is nothing to take back.
        if pausedSegment != nil { events.append(.speechResumed) }
        pausedSegment = nil
      case .ended(let position):
        isSpeaking = false
        let segment = pausedSegment ?? SpeechSegment(position: position, samples: [])
        pausedSegment = nil
        events.append(.speechEnded(segment: segment))
      }
    }
    if isSpeaking {
      if pausedSegment == nil, buffer.count >= Self.longestSamples {
        let end = bufferPosition + buffer.count
        events.append(.speechCut(segment: segment(until: end)))
        drop(before: end)
      }
    } else {
      let kept = Self.prerollSamples + (SpeechRule.observedWindows + 1) * SileroNetwork.windowSamples
      drop(before: bufferPosition + buffer.count - kept)
    }
    return events
  }

  /// What was said since the last cut, while somebody speaks; nothing in a pause.
  package var openSamples: ArraySlice<Int16> { isSpeaking && pausedSegment == nil ? buffer[...] : [] }

  /// How long this pause may last, now that it is known what was said before it: see `SpeechRule.end`.
  package mutating func end(afterMilliseconds milliseconds: Int) { detector.end(afterMilliseconds: milliseconds) }

  /// The sound is over: end what is open.
  package mutating func finish() -> [Event] {
    guard isSpeaking else { return [] }
    isSpeaking = false
    defer { pausedSegment = nil }
    return [.speechEnded(segment: pausedSegment ?? segment(until: bufferPosition + buffer.count))]
  }

  private func segment(until end: Int) -> SpeechSegment {
    SpeechSegment(position: bufferPosition, samples: Array(buffer.prefix(end - bufferPosition)))
  }

  private mutating func drop(before position: Int) {
    let count = min(max(0, position - bufferPosition), buffer.count)
    buffer.removeFirst(count)
    bufferPosition += count
  }
}
