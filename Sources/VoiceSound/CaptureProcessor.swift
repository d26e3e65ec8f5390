/// What happens to a device's microphone before anybody hears it: the echo of the loudspeaker is cancelled twice, on
/// two ways from the same sound.
///
/// One result keeps the user's words whole and goes to the recogniser. The other is so free of echo that it can decide
/// whether the user speaks over a reply, and goes nowhere else. No single canceller does both well. 16 kHz, blocks of
/// 160 samples, one thread.
package struct CaptureProcessor {
  package struct Block {
    /// For the recogniser.
    package var samples: [Int16]
    /// For the gate and for measurements only.
    package var gateSamples: [Int16]
    package var changes: [ActivityGate.Change]
  }

  package static let blockSamples = WebRTCCleaner.blockSamples

  private let canceller = EchoCanceller()
  private let cleaner = WebRTCCleaner(cancelsEcho: true)
  private let opinion = Opinion()
  private var gate: ActivityGate
  /// Blocks of audible playback so far; both cancellers learn the room from them.
  private var audibleBlocks = 0
  /// Blocks since something audible was played.
  private var quietBlocks = 1_000

  /// Starts are not believed within the first second of playback: the room is not known yet.
  private static let learningBlocks = 100
  /// An echo lasts this long after its sound.
  private static let reverberationBlocks = 30

  /// `gate` hears the echo-free sound; nil decides by the WebRTC voice detector.
  package init(gate: ActivityGate? = nil) {
    self.gate =
      gate
      ?? ActivityGate(windowSamples: Self.blockSamples) { [opinion] _ in opinion.hasVoice }
  }

  /// The echo comes sooner or later than before: what was learnt of the room is of no use any more.
  package mutating func learnAgain() { audibleBlocks = 0 }

  /// Clean one block; `played` is what went to the loudspeaker at that time, silence included, and its echo arrives
  /// `delayMilliseconds` later.
  package mutating func process(_ captured: [Int16], played: [Int16], delayMilliseconds: Int) -> Block {
    let samples = canceller.clean(captured, played: played)
    let cleaned = cleaner.clean(captured, played: played, delayMilliseconds: delayMilliseconds)
    opinion.hasVoice = cleaned.hasVoice
    let isAudible = played.contains { abs(Int($0)) > 200 }
    quietBlocks = isAudible ? 0 : min(1_000, quietBlocks + 1)
    if isAudible && audibleBlocks < Self.learningBlocks { audibleBlocks += 1 }
    let isLearning = audibleBlocks < Self.learningBlocks && quietBlocks < Self.reverberationBlocks
    return Block(
      samples: samples, gateSamples: cleaned.samples,
      changes: gate.hear(cleaned.samples, mayStart: !isLearning))
  }
}

/// What the WebRTC voice detector thinks of the present block.
private final class Opinion {
  var hasVoice = false
}
