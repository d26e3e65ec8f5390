/// What happens to a device's microphone before anybody hears it: the echo of the loudspeaker is cancelled twice, on
/// two ways from the same sound, and as long as something plays only the user is let through.
///
/// One result keeps the user's words whole and goes to the recogniser. The other is so free of echo that it can decide
/// whether the user speaks over a reply, and goes nowhere else. No single canceller does both well. 16 kHz, blocks of
/// 160 samples, one thread.
///
/// While the program can be heard, the recogniser gets silence until the detector hears the user, and then all that the user
/// said from 400 ms before (Benesty and others, "Advances in Network and Acoustic Echo Cancellation", 2001, ch. 6: a double-
/// talk decision is always late). In *full duplex* the detector may open whenever it hears a voice; in *half duplex*, until
/// `EchoScore` shows that the canceller holds, only for somebody who is clearly louder than the echo can be (`EchoPath`). In
/// neither does it open for a copy of what plays (`EchoLikeness`).
package struct CaptureProcessor {
  /// What becomes of one block of sound.
  package struct Block {
    /// For the recogniser.
    package var samples: [Int16]
    /// For the detector and for measurements only.
    package var detectorSamples: [Int16]
    package var changes: [LocalVAD.Change]
  }

  package static let blockSamples = WebRTCCleaner.blockSamples

  /// Whether something has played yet that the microphone might have heard.
  package private(set) var hasPlayed = false
  /// Whether the canceller has shown that it holds, so that the user may speak over a reply as softly as he likes.
  package var isFullDuplex: Bool { score.holds }

  private var canceller = EchoCanceller()
  private var cleaner = WebRTCCleaner(cancelsEcho: true)
  private let opinion = Opinion()
  private var vad: LocalVAD
  private var path = EchoPath()
  private var score = EchoScore()
  private var likeness = EchoLikeness()
  private var delay = EchoDelay()
  /// What was played, as much later as the cancellers get it, since they do not reach so far by themselves; in blocks.
  private var late: [[Int16]] = []
  private var lateBlocks = 0
  private var passage = Passage()

  private static let silence = [Int16](repeating: 0, count: blockSamples)
  /// The cancellers find what comes this much after its sound by themselves, and have room for what follows.
  private static let ownReachMilliseconds = 5...90
  /// As much of the way is left to them where they do not.
  private static let leftMilliseconds = 30

  /// `vad` hears the echo-free sound; nil decides by the WebRTC voice detector, and takes a pause of
  /// `silenceMilliseconds` for the end of an utterance.
  package init(vad: LocalVAD? = nil, silenceMilliseconds: Int = 600) {
    self.vad =
      vad
      ?? LocalVAD(windowSamples: Self.blockSamples, silenceMilliseconds: silenceMilliseconds) { [opinion] _ in
        opinion.hasVoice
      }
  }

  /// The echo comes sooner or later than before: what was learnt of the room is of no use any more.
  package mutating func learnAgain() {
    path.learnAgain()
    score.learnAgain()
    delay.learnAgain()
  }

  /// The straight way takes so long: where the cancellers do not reach so far, they get later what was played.
  private mutating func follow(_ milliseconds: Int) {
    path.delayMilliseconds = milliseconds
    guard !Self.ownReachMilliseconds.contains(milliseconds - lateBlocks * 10) else { return }
    lateBlocks = max(0, milliseconds - Self.leftMilliseconds) / 10
    late = Array(late.suffix(lateBlocks))
    canceller = EchoCanceller()
    cleaner = WebRTCCleaner(cancelsEcho: true)
    score.learnAgain()
  }

  /// What the cancellers are to find in the present block.
  private mutating func reference(_ played: [Int16]) -> [Int16] {
    late.append(played)
    return late.count > lateBlocks ? late.removeFirst() : Self.silence
  }

  /// Clean one block; `played` is what went to the loudspeaker at that time, silence included, and its echo arrives
  /// `delayMilliseconds` later.
  package mutating func process(_ captured: [Int16], played: [Int16], delayMilliseconds: Int) -> Block {
    let level = decibels(of: played)
    delay.hear(captured: captured, played: played, level: level)
    if let milliseconds = delay.milliseconds { follow(milliseconds) }
    let reference = reference(played)
    let samples = canceller.clean(captured, played: reference)
    let cleaned = cleaner.clean(
      captured, played: reference, delayMilliseconds: lateBlocks > 0 ? Self.leftMilliseconds : delayMilliseconds)
    path.hear(captured: decibels(of: captured), played: level)
    let isDoubted = score.hear(captured: captured, residual: cleaned.samples, played: level, noise: path.noise)
    if path.isAudible { hasPlayed = true }
    let isTrusted = !path.isAudible || score.holds || path.isNear
    opinion.hasVoice = isTrusted && cleaned.hasVoice
    likeness.hear(played: played, vadRest: cleaned.samples, recogniserRest: samples)
    if isDoubted, likeness.isEcho { score.learnAgain() }
    var changes = vad.hear(isTrusted ? cleaned.samples : Self.silence)
    if path.isAudible, changes.contains(.started), likeness.isEcho {
      // The canceller has lost the echo: it is shown here sooner than by the score.
      vad.refuse()
      changes = []
      score.learnAgain()
    }
    return Block(
      samples: passage.let(
        samples, isTrusted: isTrusted, isAudible: path.isAudible,
        vad: .init(
          isOpen: vad.isOpen, hasOpened: changes.contains(.started), hasClosed: changes.contains(.ended))),
      detectorSamples: cleaned.samples, changes: changes)
  }
}

/// What the WebRTC voice detector thinks of the present block.
private final class Opinion {
  var hasVoice = false
}
