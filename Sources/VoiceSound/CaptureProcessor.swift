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
  /// Whether the canceller has not shown that it holds, and it is not known either how late the echo comes: it has not been found
  /// yet, or it comes at no steady time. Where none was found in ten seconds of speech, there is none.
  package var isEchoUnknown: Bool { !score.holds && delay.isSuspected }
  /// Whether the echo is louder than who speaks near, so that he may be missed, or misheard, all the same.
  package var isDrowned: Bool { loudness.drowns }
  /// How late the echo comes, in milliseconds; nil before it was found in the sounds.
  package var echoDelayMilliseconds: Int? { delay.milliseconds }
  /// How much louder the echo is than what is played, in dB, at the loudest tenth; nil before it is known.
  package var coupling: Int? { path.coupling }
  /// The level of the room while nothing plays, in dBFS.
  package var noise: Int { path.noise }

  private var canceller = EchoCanceller()
  private var cleaner = WebRTCCleaner(cancelsEcho: true)
  private let opinion = Opinion()
  private var vad: LocalVAD
  private var path = EchoPath()
  private var score = EchoScore()
  private var loss = EchoLoss(blocks: lossBlocks)
  private var likeness = EchoLikeness()
  private var loudness = EchoLoudness()
  private var delay = EchoDelay()
  /// So much later do the cancellers get what was played, since they do not reach so far by themselves; in blocks.
  private var lateBlocks = 0
  private var past = Past()
  private var passage = Passage()
  /// Since the detector opened over a reply, while what it opened for has not reached the recogniser.
  private var blocksSinceOpening: Int?

  private static let silence = [Int16](repeating: 0, count: blockSamples)
  /// The cancellers find what comes this much after its sound by themselves, and have room for what follows.
  private static let ownReachMilliseconds = 5...90
  /// What comes at another time than expected may come sooner by this, too.
  private static let soonerBlocks = 20
  /// As much of the way is left to them where they do not.
  private static let leftMilliseconds = 30
  /// Over the last 200 ms. In simulated rooms the canceller took at most 24 dB from what the user began to say over a reply, up to
  /// 6 dB below its echo: what it has taken more from is echo.
  private static let lossBlocks = 20
  private static let lookBlocks = 10
  private static let lossOfEcho = 25

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
    loudness.learnAgain()
  }

  /// The echo may come at another time from now on than it did.
  package mutating func doubtEcho() { loseEcho(isElsewhere: true) }

  /// What is left is a copy of what was played: it comes by another way, or at another time.
  private mutating func loseEcho(isElsewhere: Bool) {
    score.learnAgain()
    if isElsewhere { delay.doubt() }
  }

  /// The straight way takes so long: where the cancellers do not reach so far, they get later what was played.
  private mutating func follow(_ milliseconds: Int) {
    guard !Self.ownReachMilliseconds.contains(milliseconds - lateBlocks * 10) else { return }
    lateBlocks = max(0, milliseconds - Self.leftMilliseconds) / 10
    canceller = EchoCanceller()
    cleaner = WebRTCCleaner(cancelsEcho: true)
    score.learnAgain()
    // What they would have learnt by now: 4 s of sound, some 50 ms of work.
    let past = past
    past.forEach(late: lateBlocks) { captured, reference, played in
      _ = clean(captured, reference: reference, level: decibels(of: played), delayMilliseconds: Self.leftMilliseconds)
    }
  }

  /// Both cancellers' results, and how they do; whether it is in doubt that they hold.
  private mutating func clean(
    _ captured: [Int16], reference: [Int16], level: Int, delayMilliseconds: Int
  ) -> (words: [Int16], rest: WebRTCCleaner.Block, isDoubted: Bool) {
    let words = canceller.clean(captured, played: reference)
    let rest = cleaner.clean(captured, played: reference, delayMilliseconds: delayMilliseconds)
    let isDoubted = score.hear(captured: captured, residual: rest.samples, played: level, noise: path.noise)
    return (words, rest, isDoubted)
  }

  /// What it opened for may be too short yet to tell that the sound server has skipped: it is looked at again.
  private mutating func hasOpenedForEcho(_ mayBeEcho: Bool) -> Bool {
    guard let blocks = blocksSinceOpening else { return false }
    let isLate = blocks > Passage.heldBlocks
    blocksSinceOpening = vad.isOpen && !(isLate && score.holds) ? blocks + 1 : nil
    guard vad.isOpen, mayBeEcho, blocks % Self.lookBlocks == 0 else { return false }
    return isLate
      ? delay.milliseconds == nil && delay.isFoundElsewhere(isCertain: true)
      : delay.isFoundElsewhere(isHeld: score.holds)
  }

  /// Clean one block; `played` is what went to the loudspeaker at that time, silence included, and its echo arrives
  /// `delayMilliseconds` later.
  package mutating func process(_ captured: [Int16], played: [Int16], delayMilliseconds: Int) -> Block {
    let level = decibels(of: played)
    delay.hear(captured: captured, played: played, level: level)
    if let milliseconds = delay.milliseconds { follow(milliseconds) }
    path.delayMilliseconds = delay.likelyMilliseconds
    path.latestMilliseconds = path.delayMilliseconds == nil ? delay.latestMilliseconds : nil
    past.add(captured: captured, played: played)
    let (samples, cleaned, isDoubted) = clean(
      captured, reference: past.played(before: lateBlocks), level: level,
      delayMilliseconds: lateBlocks > 0 ? Self.leftMilliseconds : delayMilliseconds)
    let capturedLevel = decibels(of: captured)
    path.hear(captured: capturedLevel, played: level)
    loudness.hear(captured: capturedLevel, played: level, isAudible: path.isAudible, isUser: vad.isOpen)
    if path.isAudible { hasPlayed = true }
    let isTrusted = !path.isAudible || score.holds || path.isNear
    opinion.hasVoice = isTrusted && cleaned.hasVoice
    likeness.hear(
      played: past.played(before: max(0, lateBlocks - Self.soonerBlocks)), vadRest: cleaned.samples,
      recogniserRest: samples)
    // Somebody near is a reason to doubt, too.
    if isDoubted, likeness.share == .all { loseEcho(isElsewhere: delay.isFoundElsewhere(isHeld: score.holds)) }
    loss.hear(captured: captured, residual: cleaned.samples)
    var changes = vad.hear(isTrusted ? cleaned.samples : Self.silence)
    // What is heard now may be an echo, or a late one.
    let mayBeEcho = path.isAudible || (isEchoUnknown && delay.isAwaited)
    if mayBeEcho, changes.contains(.started) {
      let isLeak = score.holds && loss.decibels >= Self.lossOfEcho
      let isElsewhere = !isLeak && delay.isFoundElsewhere(isHeld: score.holds)
      let isEcho = !isLeak && (isElsewhere || likeness.share != .none)
      if isLeak || isEcho {
        vad.refuse()
        changes = []
      }
      // Shown here sooner than by the score.
      if isEcho { loseEcho(isElsewhere: isElsewhere) }
      blocksSinceOpening = changes.isEmpty ? nil : 0
    } else if hasOpenedForEcho(mayBeEcho) {
      vad.refuse()
      loseEcho(isElsewhere: true)
      changes = [.ended]
    }
    return Block(
      samples: passage.let(
        samples, isTrusted: isTrusted, isAudible: mayBeEcho,
        vad: .init(
          isOpen: vad.isOpen, hasOpened: changes.contains(.started), hasClosed: changes.contains(.ended))),
      detectorSamples: cleaned.samples, changes: changes)
  }
}

/// The last seconds of the microphone and of what was played, one block of each at a time.
private struct Past {
  private static let blocks = 400
  private static let reachBlocks = EchoDelay.reachMilliseconds / 10
  private var captured: [[Int16]] = []
  private var played: [[Int16]] = []

  mutating func add(captured block: [Int16], played other: [Int16]) {
    captured.append(block)
    played.append(other)
    let most = Self.blocks + Self.reachBlocks
    // Seldom, so that it costs little.
    guard captured.count >= 2 * most else { return }
    captured.removeFirst(most)
    played.removeFirst(most)
  }

  /// What was played so many blocks before the present one.
  func played(before late: Int) -> [Int16] {
    played.count > late ? played[played.count - 1 - late] : [Int16](repeating: 0, count: CaptureProcessor.blockSamples)
  }

  /// All of it again, with what was played `late` blocks before each block.
  func forEach(late: Int, _ body: (_ captured: [Int16], _ reference: [Int16], _ played: [Int16]) -> Void) {
    for index in captured.indices.suffix(Self.blocks) where index >= late {
      body(captured[index], played[index - late], played[index])
    }
  }
}

/// What the WebRTC voice detector thinks of the present block.
private final class Opinion {
  var hasVoice = false
}
