/// What happens to a device's microphone before anybody hears it: the echo of the loudspeaker is cancelled twice, on
/// two ways from the same sound, and as long as something plays only the user is let through.
///
/// One result keeps the user's words whole and goes to the recogniser. The other is so free of echo that it can decide
/// whether the user speaks over a reply where the first cannot, and goes nowhere else. 16 kHz, blocks of 160 samples, one thread.
///
/// Both are given what was played as the microphone's clock has it: later where the echo comes late (`EchoDelay`), and sooner or
/// later with every sample where the two devices' clocks drift apart (`EchoDrift`).
///
/// While the program can be heard, the recogniser gets silence until the detector hears the user, and then all that the user
/// said from his beginning (Benesty and others, "Advances in Network and Acoustic Echo Cancellation", 2001, ch. 6: a double-
/// talk decision is always late). In *full duplex* the detector may open whenever it hears a voice; in *half duplex*, until
/// `EchoScore` shows that a canceller holds, only for somebody who is clearly louder than the echo can be (`EchoPath`). Where the
/// one that keeps words whole holds, the detector hears what it leaves, as far as that is somebody near (`EchoRest`): what
/// cancels more takes who speaks over a loud echo away with it. In neither does it open for a copy of what plays (`EchoLikeness`).
package struct CaptureProcessor {
  /// What becomes of one block of sound.
  package struct Block {
    /// For the recogniser.
    package var samples: [Int16]
    /// For the detector and for measurements only.
    package var detectorSamples: [Int16]
    package var changes: [LocalVAD.Change]
    /// Whether of who is noticed here the beginning was not let through.
    package var isBeginningLost = false
  }

  package static let blockSamples = WebRTCCleaner.blockSamples

  /// Whether something has played yet that the microphone might have heard.
  package private(set) var hasPlayed = false
  /// Whether a canceller has shown that it holds, so that the user may speak over a reply as softly as he likes.
  package var isFullDuplex: Bool { score.holds || wordsScore.holds }
  /// Whether there is nothing to cancel: of several seconds that played nothing came in, nor was it found below the noise.
  package var hearsNoEcho: Bool { score.hasNoEcho && delay.milliseconds == nil }
  /// Whether no canceller has shown that it holds, and it is not known either how late the echo comes: it has not been found
  /// yet, or it comes at no steady time. Where none was found in ten seconds of speech, there is none.
  package var isEchoUnknown: Bool { !isFullDuplex && delay.isSuspected }
  /// Whether the echo is louder than who speaks near, so that he may be missed, or misheard, all the same.
  package var isDrowned: Bool { loudness.drowns }
  /// How often the cancellers had to learn the room anew, from the last 4 s at once: that block takes some 90 ms.
  package private(set) var beginnings = 0
  /// How late the echo comes, in milliseconds; nil before it was found in the sounds.
  package var echoDelayMilliseconds: Int? { delay.milliseconds }
  /// How much louder the echo is than what is played, in dB, at the loudest tenth; nil before it is known.
  package var coupling: Int? { path.coupling }
  /// The level of the room while nothing plays, in dBFS.
  package var noise: Int { path.noise }

  private var canceller = EchoCanceller()
  private var cleaner = WebRTCCleaner(cancelsEcho: true)
  private let opinion = Opinion()
  /// Tells voices from noise in what is near, where no network does.
  private let listener: WebRTCCleaner?
  private var vad: LocalVAD
  private var path = EchoPath()
  private var score = EchoScore()
  private var wordsScore = EchoScore(leastLoss: EchoScore.leastLossForWords)
  private var rest = EchoRest()
  private var loss = EchoLoss(blocks: lossBlocks)
  private var sounds = EchoSounds()
  private var likeness: EchoLikeness {
    EchoLikeness(
      of: sounds, soonestMilliseconds: max(0, Int(reading.late / 16) - Self.soonerMilliseconds),
      expectedMilliseconds: delay.milliseconds)
  }
  private var loudness = EchoLoudness()
  private var delay = EchoDelay()
  private var drift = EchoDrift()
  /// So much later do the cancellers get what was played: they do not reach so far by themselves, nor follow two clocks.
  private var reading = EchoPast.Reading()
  /// In milliseconds, what of the echo's way is left to them; nil where all of it is.
  private var left: Int? {
    guard reading.late > 0 else { return nil }
    return delay.milliseconds.map { max(0, $0 - Int(reading.late / 16)) } ?? Self.leftMilliseconds
  }
  private var past = EchoPast()
  private var passage: Passage
  private var withheld = WithheldSpeech()
  /// Whether the detector has closed, and what was said before has not all been heard yet.
  private var isEndDue = false
  /// Since the detector opened over a reply, while what it opened for has not reached the recogniser.
  private var blocksSinceOpening: Int?

  private static let silence = [Int16](repeating: 0, count: blockSamples)
  /// The cancellers find what comes this much after its sound by themselves, and have room for what follows.
  private static let ownReachMilliseconds = 5...90
  /// What comes at another time than expected may come sooner by this, too.
  private static let soonerMilliseconds = 200
  /// As much of the way is left to them where they do not.
  private static let leftMilliseconds = 30
  /// In milliseconds: an echo that comes sooner leaves no room to read what was played sooner.
  private static let leastForDrift = 20
  /// Over the last 200 ms. In simulated rooms the canceller took at most 24 dB from what the user began to say over a reply, up to
  /// 6 dB below its echo: what it has taken more from is echo.
  private static let lossBlocks = 20
  private static let lookBlocks = 10
  private static let lossOfEcho = 25

  /// `vad` hears the echo-free sound; nil decides by the WebRTC voice detector, and takes a pause of
  /// `silenceMilliseconds` for the end of an utterance.
  package init(vad: LocalVAD? = nil, silenceMilliseconds: Int = 600) {
    passage = Passage(silenceMilliseconds: silenceMilliseconds)
    listener = vad == nil ? WebRTCCleaner(cancelsEcho: false) : nil
    self.vad =
      vad
      ?? LocalVAD(windowSamples: Self.blockSamples, silenceMilliseconds: silenceMilliseconds) { [opinion] _ in
        opinion.hasVoice
      }
  }

  /// The echo comes sooner or later than before: what was learnt of the room is of no use any more.
  package mutating func learnAgain() {
    path.learnAgain()
    delay.learnAgain()
    loudness.learnAgain()
    loseEcho(isElsewhere: false)
    loseTime()
  }

  /// Another loudspeaker plays from now on, by a clock of its own.
  package mutating func changeLoudspeaker() {
    drift = EchoDrift()
    learnAgain()
  }

  /// The echo may come at another time from now on than it did.
  package mutating func doubtEcho() { loseEcho(isElsewhere: true) }

  /// What is left is a copy of what was played: it comes by another way, or at another time.
  private mutating func loseEcho(isElsewhere: Bool) {
    score.learnAgain()
    wordsScore.learnAgain()
    passage.forgetNear()
    guard isElsewhere else { return }
    delay.doubt()
    loseTime()
  }

  /// It is not known any more when the echo comes.
  private mutating func loseTime() {
    drift.learnAgain()
    reading = reading.stopped
  }

  /// The straight way takes so long: where the cancellers do not reach so far, they get later what was played, and where the clocks
  /// drift apart, ever later or sooner.
  private mutating func follow(_ milliseconds: Int) {
    let least = milliseconds < Self.leastForDrift ? 0 : 10
    let isInReach = Self.ownReachMilliseconds.contains(milliseconds - Int(reading.late / 16))
    let hasRoom = reading.late > 0 || least == 0
    if isInReach, reading.isAvailable, hasRoom || vad.isOpen || (isFullDuplex && drift.share == 0) {
      // From the place where it is now: what was learnt of the room holds.
      if reading.late > 0 { reading.share = drift.share }
      return
    }
    let late = max(least, milliseconds - Self.leftMilliseconds) / 10 * 10
    let next = EchoPast.Reading(late: Double(late * 16), share: late > 0 ? drift.share : 0)
    guard next != reading else { return }
    reading = next
    beginnings += 1
    canceller = EchoCanceller()
    cleaner = WebRTCCleaner(cancelsEcho: true)
    score.learnAgain()
    wordsScore.learnAgain()
    // What they would have learnt by now, from 4 s of sound; and from the same again, by which they show whether they have.
    let past = past
    for isTrial in [false, true] {
      past.forEach(reading) { captured, reference, played in
        let delay = left ?? Self.leftMilliseconds
        if isTrial {
          _ = clean(captured, reference: reference, level: decibels(of: played), delayMilliseconds: delay)
        } else {
          _ = canceller.clean(captured, played: reference)
          _ = cleaner.clean(captured, played: reference, delayMilliseconds: delay)
        }
      }
    }
  }

  /// Both cancellers' results, and how they do; whether it is in doubt that they hold.
  private mutating func clean(
    _ captured: [Int16], reference: [Int16], level: Int, delayMilliseconds: Int
  ) -> (words: [Int16], echo: [Int16], rest: WebRTCCleaner.Block, isDoubted: Bool) {
    let (words, echo) = canceller.clean(captured, played: reference)
    let rest = cleaner.clean(captured, played: reference, delayMilliseconds: delayMilliseconds)
    let isDoubted = score.hear(captured: captured, residual: rest.samples, played: level, noise: path.noise)
    let areWordsDoubted = wordsScore.hear(captured: captured, residual: words, played: level, noise: path.noise)
    return (words, echo, rest, wordsScore.holds ? areWordsDoubted : isDoubted)
  }

  /// Whether it comes at another time than it should. Who speaks over an echo is like something that was played, now and then.
  private mutating func isFoundElsewhere(isCertain: Bool = false) -> Bool {
    delay.isFoundElsewhere(isCertain: isCertain, isHeld: isFullDuplex) { [likeness, wordsScore] in
      likeness.mayHaveMoved(to: $0, from: $1, isKnown: wordsScore.cancels)
    }
  }

  /// What it opened for may be too short yet to tell that the sound server has skipped: it is looked at again.
  private mutating func hasOpenedForEcho(_ mayBeEcho: Bool) -> Bool {
    guard let blocks = blocksSinceOpening else { return false }
    let isLate = blocks > Passage.heldBlocks
    blocksSinceOpening = vad.isOpen && !(isLate && isFullDuplex) ? blocks + 1 : nil
    guard vad.isOpen, mayBeEcho, blocks % Self.lookBlocks == 0 else { return false }
    return isLate
      ? delay.milliseconds == nil && isFoundElsewhere(isCertain: true)
      : isFoundElsewhere()
  }

  /// Clean one block; `played` is what went to the loudspeaker at that time, silence included, and its echo arrives
  /// `delayMilliseconds` later.
  package mutating func process(_ captured: [Int16], played: [Int16], delayMilliseconds: Int) -> Block {
    let level = decibels(of: played)
    delay.hear(captured: captured, played: played, level: level)
    sounds.hear(captured: captured, played: played)
    drift.hear(sounds, delayMilliseconds: delay.milliseconds)
    let cancelled = wordsScore.cancels
    if let milliseconds = delay.milliseconds { follow(milliseconds) }
    path.delayMilliseconds = delay.likelyMilliseconds
    path.latestMilliseconds = path.delayMilliseconds == nil ? delay.latestMilliseconds : nil
    past.add(captured: captured, played: played)
    let (samples, echo, cleaned, isDoubted) = clean(
      captured, reference: past.played(reading), level: level, delayMilliseconds: left ?? delayMilliseconds)
    // The clocks run on in a pause; but in a long one, their devices may have been brought in step again.
    if !delay.isIdle { reading = reading.moved(byBlocks: 1) }
    if cancelled, !wordsScore.cancels { passage.forgetNear() }
    let capturedLevel = decibels(of: captured)
    path.hear(captured: capturedLevel, played: level)
    loudness.hear(captured: capturedLevel, played: level, isAudible: path.isAudible, isUser: vad.isOpen)
    if path.isAudible { hasPlayed = true }
    let isTrusted = !path.isAudible || isFullDuplex || path.isNear
    sounds.hear(expected: echo, words: samples, rest: cleaned.samples)
    // Somebody near is a reason to doubt, too.
    if isDoubted, likeness.share == .all { loseEcho(isElsewhere: isFoundElsewhere()) }
    loss.hear(captured: captured, residual: cleaned.samples)
    let isNear = rest.hear(captured: captured, residual: samples, noise: path.noise)
    let isByWords = path.isAudible && wordsScore.cancels
    let isNearVoice = listener?.clean(samples, played: nil).hasVoice ?? false
    opinion.hasVoice = isByWords ? isNear && isNearVoice : isTrusted && cleaned.hasVoice
    // What is heard now may be an echo, or a late one.
    let mayBeEcho = path.isAudible || (isEchoUnknown && delay.isAwaited)
    let forDetector =
      isByWords ? (rest.isStillNear ? samples : Self.silence) : isTrusted ? cleaned.samples : Self.silence
    let (changes, isRefused) = detect(forDetector, isByWords: isByWords, mayBeEcho: mayBeEcho)
    let heard = passage.let(
      samples, isTrusted: isTrusted, isNear: isByWords && isNear, isAudible: mayBeEcho,
      vad: .init(
        isOpen: vad.isOpen, hasOpened: changes.contains(.started), hasClosed: changes.contains(.ended) && !isRefused,
        isStirring: vad.isStirring, isRefused: isRefused))
    let isBeginningLost = withheld.hear(
      isAudible: mayBeEcho, isLoud: path.isLoud(capturedLevel), isLetThrough: vad.isOpen && isTrusted,
      isEchoKnown: path.coupling != nil || isFullDuplex, hasOpened: changes.contains(.started))
    return Block(
      samples: heard, detectorSamples: cleaned.samples, changes: inStep(changes), isBeginningLost: isBeginningLost)
  }

  /// Nobody has ended of whom more is still to be heard; and who goes on meanwhile has not ended at all.
  private mutating func inStep(_ changes: [LocalVAD.Change]) -> [LocalVAD.Change] {
    var changes = changes
    if changes.contains(.started) { isEndDue = false }
    if changes.contains(.ended) { isEndDue = true }
    changes.removeAll { $0 == .ended }
    guard isEndDue, !passage.isDraining else { return changes }
    isEndDue = false
    return changes + [.ended]
  }

  /// What the detector makes of a block, and whether what it opened for is an echo.
  private mutating func detect(
    _ samples: [Int16], isByWords: Bool, mayBeEcho: Bool
  ) -> (changes: [LocalVAD.Change], isRefused: Bool) {
    let changes = vad.hear(samples)
    if mayBeEcho, changes.contains(.started) {
      let isLeak = !isByWords && score.holds && loss.decibels >= Self.lossOfEcho
      let isElsewhere = !isLeak && isFoundElsewhere()
      let share = isLeak ? .none : isByWords ? likeness.shareOfWords : likeness.share
      let isRefused = isLeak || isElsewhere || share != .none
      // Shown here sooner than by the score.
      if isElsewhere || share == .all || (share == .some && !isByWords) { loseEcho(isElsewhere: isElsewhere) }
      blocksSinceOpening = isRefused ? nil : 0
      guard isRefused else { return (changes, false) }
      vad.refuse()
      return ([], false)
    }
    guard hasOpenedForEcho(mayBeEcho) else { return (changes, false) }
    vad.refuse()
    loseEcho(isElsewhere: true)
    return ([.ended], true)
  }
}

/// What the WebRTC voice detector thinks of the present block.
private final class Opinion {
  var hasVoice = false
}
