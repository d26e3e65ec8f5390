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
/// `EchoScore` shows that a canceller holds, only for somebody who is clearly louder than the echo can be (`EchoPath`). Once the
/// canceller that keeps words whole holds, the detector hears its result, as far as that comes from a person near the microphone
/// (`EchoRest`): the stronger canceller removes a user who speaks over a loud echo together with the echo. In neither mode does
/// the detector open for a copy of what plays (`EchoLikeness`).
package struct CaptureProcessor {
  /// What becomes of one block of sound.
  package struct Block {
    /// For the recogniser.
    package var samples: [Int16]
    /// For the detector and for measurements only.
    package var detectorSamples: [Int16]
    package var changes: [LocalVAD.Change]
    /// Whether the detector notices the user in this block, and the recogniser did not get the beginning of what he says.
    package var isBeginningLost = false
  }

  package static let blockSamples = WebRTCCleaner.blockSamples

  /// Whether something has played yet that the microphone might have heard.
  package private(set) var hasPlayed = false
  /// Whether a canceller has shown that it holds, so that the user may speak over a reply as softly as he likes.
  package var isFullDuplex: Bool { score.holds || wordsScore.holds }
  /// Whether there is nothing to cancel: several seconds were played, and no echo of them was found, not even below the noise.
  package var hearsNoEcho: Bool { score.hasNoEcho && delay.milliseconds == nil }
  /// Whether no canceller has shown that it holds, and the delay of the echo is not known either: the echo has not been found
  /// yet, or it comes at no steady time. If none is found in ten seconds of the program's speech, there is none.
  package var isEchoUnknown: Bool { !isFullDuplex && delay.isSuspected }
  /// Whether the echo is louder than the user, so that he may be missed or misheard although a canceller holds.
  package var isDrowned: Bool { loudness.drowns }
  /// How often the cancellers have learnt the room anew. They do so from the last 4 s of sound within one block, which takes
  /// some 90 ms.
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
  /// Tells a voice near the microphone from noise; nil where a network does.
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
  /// Which part of the sound that was played the cancellers are given. They bridge no long delay by themselves, and cannot
  /// follow two clocks that drift apart.
  private var reading = EchoPast.Reading()
  /// How many milliseconds of the echo's delay the cancellers bridge by themselves; nil for all of them.
  private var left: Int? {
    guard reading.late > 0 else { return nil }
    return delay.milliseconds.map { max(0, $0 - Int(reading.late / 16)) } ?? Self.leftMilliseconds
  }
  private var past = EchoPast()
  private var passage: Passage
  private var withheld = WithheldSpeech()
  /// Whether the detector has closed, and the recogniser has not got all yet that the user said before.
  private var isEndDue = false
  /// How many blocks ago the detector opened while the program could be heard; nil if it did not, or if it need not be checked
  /// any more whether it opened for an echo.
  private var blocksSinceOpening: Int?

  /// Whether the detector has been open since before the program was to be heard.
  private var hasOpenedInSilence = false

  private static let silence = [Int16](repeating: 0, count: blockSamples)
  /// What is played more softly than that, in dBFS, is silence.
  private static let silentLevel = -60
  /// The delays of an echo that the cancellers bridge by themselves, with room for the reverberation behind it.
  private static let ownReachMilliseconds = 5...90
  /// An echo that does not come when it is expected may come sooner by this.
  private static let soonerMilliseconds = 200
  /// What is left to the cancellers of a delay that they do not bridge.
  private static let leftMilliseconds = 30
  /// In milliseconds. With a shorter delay there is no room for giving the cancellers earlier what was played, as a drift demands.
  private static let leastForDrift = 20
  /// A sound of which the stronger canceller has taken away `lossOfEcho` dB, over the last 200 ms, is an echo. In simulated rooms
  /// it took at most 24 dB from what a user began to say over a reply, even where he was 6 dB softer than the echo.
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

  /// The cancellers leave a copy of what was played: the echo takes another way through the room or, if `isElsewhere`, comes at
  /// another time.
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

  /// Give the cancellers what was played so that it fits an echo with this delay: later, if they do not bridge the delay by
  /// themselves, and later or sooner with every sample, if the clocks drift apart.
  private mutating func follow(_ milliseconds: Int) {
    let least = milliseconds < Self.leastForDrift ? 0 : 10
    let isInReach = Self.ownReachMilliseconds.contains(milliseconds - Int(reading.late / 16))
    let hasRoom = reading.late > 0 || least == 0
    if isInReach, reading.isAvailable, hasRoom || vad.isOpen || (isFullDuplex && drift.share == 0) {
      // They go on from their present place in what was played, so that what they have learnt of the room stays true.
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
    // The new cancellers learn from the last 4 s of sound. Then they clean the same sound again, and the scores show how well.
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

  /// Clean a block with both cancellers, and score the results. `isDoubted` tells whether it has become doubtful that they hold.
  private mutating func clean(
    _ captured: [Int16], reference: [Int16], level: Int, delayMilliseconds: Int
  ) -> (words: [Int16], echo: [Int16], rest: WebRTCCleaner.Block, isDoubted: Bool) {
    let (words, echo) = canceller.clean(captured, played: reference)
    let rest = cleaner.clean(captured, played: reference, delayMilliseconds: delayMilliseconds)
    let isDoubted = score.hear(captured: captured, residual: rest.samples, played: level, noise: path.noise)
    let areWordsDoubted = wordsScore.hear(captured: captured, residual: words, played: level, noise: path.noise)
    return (words, echo, rest, wordsScore.holds ? areWordsDoubted : isDoubted)
  }

  /// Whether the echo now comes at another time than was known. Now and then the voice of a user who speaks over a reply resembles
  /// something that was played, so `EchoLikeness` has to agree.
  private mutating func isFoundElsewhere(isCertain: Bool = false) -> Bool {
    delay.isFoundElsewhere(isCertain: isCertain, isHeld: isFullDuplex) { [likeness, wordsScore] in
      likeness.mayHaveMoved(to: $0, from: $1, isKnown: wordsScore.cancels)
    }
  }

  /// Whether the detector, which is open, has opened for an echo that comes at another time. In the moment in which it opens, too
  /// little may have been heard to tell that the sound server has skipped; so this is checked for as long as it is open.
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
    // The clocks drift on in a pause. In a long one, however, the devices may have been brought in step again.
    if !delay.isIdle { reading = reading.moved(byBlocks: 1) }
    if cancelled, !wordsScore.cancels { passage.forgetNear() }
    let capturedLevel = decibels(of: captured)
    path.hear(captured: capturedLevel, played: level)
    loudness.hear(captured: capturedLevel, played: level, isAudible: path.isAudible, isUser: vad.isOpen)
    if path.isAudible { hasPlayed = true }
    let isTrusted = !path.isAudible || isFullDuplex || path.isNear
    sounds.hear(expected: echo, words: samples, rest: cleaned.samples)
    // A user who speaks makes the score doubtful, too: only a copy of what was played shows that the echo is lost.
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
    let paused = vad.pausedSamples
    let isOverPlayback = endsBeforePlayback(level)
    let (changes, isRefused) =
      isOverPlayback ? ([.ended], false) : detect(forDetector, isByWords: isByWords, mayBeEcho: mayBeEcho)
    let heard = passage.let(
      samples, isTrusted: isTrusted, isNear: isByWords && isNear, isAudible: mayBeEcho,
      vad: .init(
        isOpen: vad.isOpen, hasOpened: changes.contains(.started), hasClosed: changes.contains(.ended) && !isRefused,
        quietBlocks: isOverPlayback ? paused / Self.blockSamples : nil, isStirring: vad.isStirring,
        isRefused: isRefused))
    let isBeginningLost = withheld.hear(
      isAudible: mayBeEcho, isLoud: path.isLoud(capturedLevel), isLetThrough: vad.isOpen && isTrusted,
      isEchoKnown: path.coupling != nil || isFullDuplex, hasOpened: changes.contains(.started))
    return Block(
      samples: heard, detectorSamples: cleaned.samples, changes: inStep(changes), isBeginningLost: isBeginningLost)
  }

  /// Put off the end of what the user says until the recogniser has got all of it. If the user goes on before that, there is no
  /// end.
  private mutating func inStep(_ changes: [LocalVAD.Change]) -> [LocalVAD.Change] {
    var changes = changes
    if changes.contains(.started) { isEndDue = false }
    if changes.contains(.ended) { isEndDue = true }
    changes.removeAll { $0 == .ended }
    guard isEndDue, !passage.isDraining else { return changes }
    isEndDue = false
    return changes + [.ended]
  }

  /// Whether the program begins to play while the detector is still open for a user who has paused: what is heard next is the
  /// program, so it closes. The answer to what was understood in a pause comes sooner than the detector ends by itself.
  private mutating func endsBeforePlayback(_ level: Int) -> Bool {
    if !vad.isOpen { hasOpenedInSilence = true }
    guard level > Self.silentLevel else { return false }
    defer { hasOpenedInSilence = false }
    guard hasOpenedInSilence, vad.pausedSamples > 0 else { return false }
    vad.refuse()
    return true
  }

  /// What the detector finds in a block. `isRefused` tells that what it had opened for turns out to be an echo.
  private mutating func detect(
    _ samples: [Int16], isByWords: Bool, mayBeEcho: Bool
  ) -> (changes: [LocalVAD.Change], isRefused: Bool) {
    let changes = vad.hear(samples)
    if mayBeEcho, changes.contains(.started) {
      let isLeak = !isByWords && score.holds && loss.decibels >= Self.lossOfEcho
      let isElsewhere = !isLeak && isFoundElsewhere()
      let share = isLeak ? .none : isByWords ? likeness.shareOfWords : likeness.share
      let isRefused = isLeak || isElsewhere || share != .none
      // The score would show it later.
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
