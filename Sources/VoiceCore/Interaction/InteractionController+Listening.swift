import VoiceLanguage
import VoiceVocabulary

/// The user's words: who speaks when, and what of it was understood.
extension InteractionController {
  /// A detector hears somebody begin to speak.
  mutating func voiceStarted(_ detector: VoiceDetector) {
    if detector == .vad { echo.vadDecided(isActive: true, at: now) }
    guard input.isListening else { return }
    sound.heard(by: detector, at: now)
    floor.heardVoice(by: detector)
    if detector == .vad, settings.turnDetection == .server { unanswered.voiceStarted(at: now) }
    floor.began(over: speech.isAudible(at: now, within: Limits.echoTailMilliseconds) ? .speech : .silence, at: now)
    draft.noteVoice()
    if detector == settings.interruptedBy, speech.isActive { suspectInterruption() }
    awaitAnswer()
    if settings.turnDetection == .client {
      guard detector == .vad, floor.floor == .quiet else { return }
      send(.activityStart)
      for frame in floor.takePreroll() { send(.frame(frame)) }
    }
    floor.userSpeaks()
  }

  /// A turn that stays open may be a television's: the user is told once what ends it. Whoever thinks for long has said so.
  mutating func considerLongTurn() {
    guard input.isPresent, isHeardNow || !floor.interim.isEmpty, !settings.microphoneWaits, !settings.longThought,
      floor.isToldAsLong(at: now)
    else { return }
    let time = "\(Limits.longTurnMilliseconds / 1000) s"
    show(
      .warning(
        text: "You have been heard speaking for \(time). If that is not you, the room is not quiet: close the "
          + "microphone when you have finished, which ends what you say, or open it only to talk."))
  }

  /// A detector hears somebody end.
  mutating func voiceEnded(_ detector: VoiceDetector) {
    if detector == .vad {
      echo.vadDecided(isActive: false, at: now)
      if input.isListening { sound.wordsMayFollow(at: now) }
    }
    nobodySpeaks(by: detector)
  }

  /// The detector hears nobody any more, or the microphone was closed.
  mutating func nobodySpeaks(by detector: VoiceDetector) {
    doubtInterruption(detector)
    if detector == .vad, settings.turnDetection == .server { unanswered.voiceEnded(at: now) }
    guard floor.floor == .userSpeaking else { return }
    if settings.turnDetection == .client {
      guard detector == .vad else { return }
      send(.activityEnd)
    }
    floor.fellQuiet(at: now)
    // The session may end sooner than while somebody was speaking.
    disarm(.endOfInput)
    if input.awaitsAnswer { awaitAnswer() }
    awaitTextBehind()
    forgetFalseInterruption()
  }

  /// A piece of what the user says was understood.
  mutating func userTranscribed(_ text: String, isFinal: Bool, hearing: Hearing?) {
    attempts.gaveSign(at: now)
    let isVoiceActive = echo.isVoiceActive || input.hearsSound
    guard
      let text = sound.newWords(
        in: visible(text), isFirst: floor.transcript.isEmpty, isVoiceActive: isVoiceActive)
    else {
      return because("Ignored: these are the same words once more, and nothing was heard in between.")
    }
    guard !belongsToTaken(text, isFinal: isFinal) else {
      return because("Shown only: these are words of what was taken before they came.")
    }
    if floor.background == nil {
      let isAudible = speech.isAudible(at: now, within: Limits.transcriptDelayMilliseconds)
      floor.began(over: isAudible ? .speech : .silence, at: now)
    }
    let isLate = floor.hasTakenInstruction
    floor.transcribed(text, hearing: hearing, isLate: isLate, at: now)
    decideInterruption(by: floor.transcript)
    awaitAnswer()
    if isFinal, let text = floor.takeForShowing() { show(.heard(text: text)) }
  }

  /// Whether something that was said may still become an instruction.
  var hasUnansweredWords: Bool { firstBegun != nil || !floor.transcript.isEmpty }

  /// When the utterance that is being dealt with began, as far as that was noticed.
  var firstBegun: SessionTime? {
    [floor.firstStart(at: now), unanswered.next()?.startTime].compactMap { $0 }.min()
  }

  /// Whether somebody, or something, is heard at the open microphone.
  var isHeardNow: Bool { input.hearsSound || input.isListening && echo.isVoiceActive }

  /// Whether words that come now can belong to any sound. A server may send words that nobody said.
  var hasSource: Bool { isHeardNow || sound.hasSource(at: now) || !unanswered.utterances.isEmpty }

  /// Whether what is heard now may have been said. Where the microphone gives no sound, or only its level is known, which noise hides,
  /// nobody can tell.
  private var mayBeSaid: Bool { input.lastPosition < 0 || !settings.hasVAD || hasSource }

  /// The utterance that is being dealt with, as far as it is known.
  func currentUtterance(proposal: String?) -> HeardUtterance {
    let begun = firstBegun
    // An utterance that begins right after a gap may have begun in it, before a detector could tell.
    let late = begun == nil ? Limits.transcriptDelayMilliseconds : Limits.prerollFrames * PCM.frameMilliseconds
    let mayMissSound = sound.wasMissed(since: (begun ?? now).advanced(byMilliseconds: -late))
    let words = floor.transcript.trimmingWhitespace()
    // A call that comes late is for what was transcribed before its turn ended.
    let early = words.isEmpty ? proposal.flatMap { unanswered.next($0)?.emptyTurn?.words } : nil
    return HeardUtterance(
      heard: early ?? words, hearing: floor.hearing, proposal: proposal,
      background: floor.background, mayBeOverSpeech: floor.mayBeOverSpeech(at: now),
      start: floor.lastStart(at: now), firstStart: floor.firstStart(at: now), begun: begun,
      sound: !mayBeSaid ? .none : mayMissSound ? .inPart : .whole,
      pauseBeforeLastMilliseconds: floor.pauseBeforeLastMilliseconds)
  }

  /// The utterance is over: what is transcribed from now on belongs to another.
  ///
  /// - Parameter next: when that one began, if somebody was already heard to say it.
  mutating func endUtterance(next: SessionTime? = nil) {
    sound.dealtWith(floor.transcript)
    floor.endUtterance(next: next)
  }

  /// The live model has dealt with what was heard, or ends a turn.
  @discardableResult mutating func utteranceAnswered(
    by sign: UnacknowledgedAudio.Sign = .answer, with text: String = ""
  ) -> UnacknowledgedAudio.Answered {
    if let text = floor.takeForShowing() { show(.heard(text: text)) }
    attempts.gaveSign(at: now)
    let before = unanswered.utterances.count
    let answered = unanswered.answered(by: sign, with: text, isQuiet: !input.hearsSound, at: now)
    endUtterance(next: answered == .nothing ? nil : unanswered.utterances.first?.startTime)
    if answered != .nothing { attempts.servedUser() }
    // More words of it may come; a turn that goes on without end has no words of its own.
    if unanswered.utterances.count < before { sound.wordsMayFollow(at: now) }
    interruption.cameToNothing()
    // A turn that brings nothing changes nothing: what is waited for is waited for no longer.
    if sign == .answer || answered != .nothing || !unanswered.hasWhole { considerAnswered() }
    return answered
  }
}
