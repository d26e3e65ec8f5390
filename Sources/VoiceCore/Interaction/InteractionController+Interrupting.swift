import VoiceLanguage
import VoiceVocabulary

/// Whether the user interrupts what is being said: lowered at once, decided soon.
extension InteractionController {
  /// Somebody makes a sound while the program speaks: lower the voice, and decide within half a second.
  mutating func suspectInterruption() {
    guard interruption.suspected() else { return }
    because("Lowered: somebody makes a sound; within half a second it shows whether it is an interruption.")
    act(.duckPlayback)
    arm(.interruption, milliseconds: Limits.interruptionMilliseconds)
  }

  /// The sound was short so far: it may have been a cough.
  mutating func doubtInterruption(_ detector: VoiceDetector) {
    if detector == settings.interruptedBy { interruption.doubted() }
  }

  /// Half a second is over. A user who still speaks means it.
  mutating func decideInterruption() {
    if interruption.isDecided() {
      because("An interruption: the user still speaks.")
      return bargeIn()
    }
    because("No interruption: the sound was short, and no words came of it.")
    act(.resumePlayback)
    if speech.canBeHeard { show(.falseInterruption) }
    forgetFalseInterruption()
  }

  /// In a sound that was no interruption, and too short for a word, nobody spoke: no answer is waited for, and it is not sent again.
  mutating func forgetFalseInterruption() {
    guard interruption.isDismissed, settings.interruptedBy == .vad, floor.floor == .quiet, floor.transcript.isEmpty,
      !engine.isUnderstanding, let last = unanswered.utterances.last, last.end != nil,
      last.time < last.startTime.advanced(byMilliseconds: Limits.shortestWordMilliseconds)
    else { return }
    because("Forgotten: nobody spoke.")
    unanswered.forgetLast()
    considerAnswered()
  }

  /// The user was understood. Words decide sooner, and better, than the length of a sound; "uh-huh" is none.
  mutating func decideInterruption(by text: String) {
    guard interruption.isPossible else { return }
    guard text.utf8.count > Limits.echoBytes || !SpokenWords(text).isBackchannel else {
      return because("No interruption: that is what a listener says.")
    }
    guard !isOwnVoice(text, floor.hearing) else {
      return because("No interruption: these are the program's own words.")
    }
    guard !floor.hearing.isGuess else { return because("No interruption: the words are little more than a guess.") }
    because("An interruption: the user said words.")
    bargeIn()
  }

  /// The user seems to be saying this. It is shown; and a request to wait is met at once, not only once it is certain that he has finished.
  mutating func interimTranscribed(_ text: String) {
    floor.interim(text)
    guard interruption.isPossible, SpokenDecision(utterance: text) == .wait,
      !speech.hasJustSaid(SpokenWords(text), at: now)
    else { return }
    because("An interruption: the user asks to wait.")
    bargeIn()
  }

  /// The user speaks over the program: it falls silent, the work goes on.
  mutating func bargeIn() {
    guard speech.isActive else { return stopDeciding() }
    noteUnheard()
    silence()
    guard speech.canBeHeard else { return because("Not told: nobody could hear what was stopped.") }
    show(.bargedIn)
  }

  /// The server heard the user over the model.
  mutating func interrupted() {
    // Where the local VAD decides, a server may have heard our own loudspeaker: only its own voice is its business.
    guard settings.interruptedBy == .model || speech.isModelSpeaking else {
      return because("Not silenced: the other detector decides that.")
    }
    bargeIn()
  }

  /// The speech was cut or is over, which settles the matter.
  mutating func stopDeciding() {
    if interruption.settled() { act(.resumePlayback) }
    disarm(.interruption)
  }

  /// Whether these words are what the program itself said just now, heard by the microphone, and perhaps misheard. Two words
  /// are too few to tell, unless the microphone is known to hear the loudspeaker; where it does not, only the user can have repeated them.
  func isOwnVoice(_ text: String, _ hearing: Hearing) -> Bool {
    guard text.utf8.count <= Limits.echoBytes, echo.duplex != .noEcho else { return false }
    let words = SpokenWords(text)
    guard words.words.count > 2 || echo.duplex != nil else { return false }
    return speech.soundsLikeJustSaid(words, isSure: hearing.isSure, at: now)
  }

  /// The same for an utterance.
  func isOwnVoice(_ utterance: HeardUtterance) -> Bool { isOwnVoice(utterance.words, utterance.hearing) }

  /// Whether this was heard beside a loudspeaker, over the program's own voice or so soon behind it that a late echo may be
  /// heard, while the detector at the microphone heard nobody: it decides who is let through.
  func isUndetected(_ utterance: HeardUtterance) -> Bool {
    guard echo.duplex != nil, !echo.wasUserDetected(at: now) else { return false }
    return utterance.background == .speech
      || speech.isAudible(at: utterance.start ?? now, within: Limits.lateEchoMilliseconds)
  }

  /// Why what was heard beside a loudspeaker may be the program's own voice, though a detector took it for the user's: it is held
  /// then; nil if there is no reason. A sound server that falls behind brings an echo at any time.
  func echoDoubt(of utterance: HeardUtterance) -> String? {
    guard echo.isUnknown(since: utterance.firstStart ?? now) else { return nil }
    if utterance.mayBeOverSpeech {
      return "This was heard while Parley spoke, and its echo is not known yet, so it is held."
    }
    return mayBeLateEcho(utterance) ? "This may have been the program's own voice, so it is held." : nil
  }

  /// Whether it sounds as what was said just before, where an echo may come late; or, where such words came in already, whatever
  /// it sounds like: of an echo's last words others are understood.
  func mayBeLateEcho(_ utterance: HeardUtterance) -> Bool {
    let start = utterance.firstStart ?? now
    return echo.isUnknown(since: start) && speech.isAudible(at: start, within: Limits.lateEchoMilliseconds)
      && (echo.hasHeardOwnWords(at: now)
        || isOwnVoice(utterance))
  }

  // MARK: How much was heard

  /// A reply is cut by the user's voice: the agent is told how far it was heard, once the speaker has told it.
  private mutating func noteUnheard() {
    guard settings.tellsWhatWasHeard, case .words(let words) = speech.cutByUser() else { return }
    remarks.replyCut(after: words)
  }

  /// The speaker tells how much of the piece that was cut has really played.
  mutating func playbackCleared(_ id: SpeechID?, heardMilliseconds: Int) {
    if let connection = link.openConnection,
      let cut = speech.modelCut(id, heardMilliseconds: heardMilliseconds)
    {
      act(.truncateModelTurn(connection: connection, turn: cut.turn, heardMilliseconds: cut.heardMilliseconds))
    }
    guard let words = speech.playbackCleared(id, heardMilliseconds: heardMilliseconds) else { return }
    remarks.replyCut(after: words)
  }
}
