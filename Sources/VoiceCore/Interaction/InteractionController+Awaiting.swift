import VoiceVocabulary

/// What was said and not answered so far: waited for, asked for again on a new connection, and given up in the end.
extension InteractionController {
  /// Something was said that wants an answer: watch for it.
  mutating func awaitAnswer() {
    input.expectAnswer()
    arm(.unansweredUtterance, milliseconds: Limits.unansweredUtteranceMilliseconds)
  }

  /// Nothing came of what was heard, for a while.
  mutating func utteranceUnanswered() {
    if let reason = reasonToWaitOn {
      because("Waited for: \(reason)")
      return awaitAnswer()
    }
    if let connection = link.openConnection, isUnheard, attempts.renewal == .none { return renew(connection) }
    if !input.isPresent, floor.floor == .userSpeaking, marksUtterances {
      // Only now can it be answered.
      send(.activityEnd)
      floor.fellQuiet(at: now)
      return awaitAnswer()
    }
    let isToldOfSilence = isUnheard
    input.answered()
    // Where no more sound can come, nobody is speaking either.
    if !input.isPresent { floor.fellQuiet(at: now) }
    let seconds = Limits.unansweredUtteranceMilliseconds / 1000
    because("The utterance is given up: nothing came of it within \(seconds) seconds.")
    let words = floor.transcript.trimmingWhitespace()
    var givenUp = unanswered.giveUp()
    if !words.isEmpty, !floor.hasTakenInstruction {
      givenUp.words.append((words, floor.start ?? now))
      givenUp.hasWordless = false
    } else if isToldOfSilence, attempts.renewedInVain() {
      show(
        .warning(
          text: "The live model did not react to what was heard. If you said something, say it again, or type it."))
      input.speechLost("The live model did not react to something that was said.")
    }
    if isToldOfSilence { givenUp.hasWordless = false }
    tell(of: givenUp)
    endUtterance()
    endDraftWithoutNextPiece(isByTime: true)
  }

  /// Whether the detector at the microphone marks what the live model is to hear, and nothing else is sent.
  var marksUtterances: Bool { settings.turnDetection == .client }

  /// Nothing came of what was said: by its words, if they are known. Else it may have been a noise, and telling it once is
  /// enough.
  mutating func tell(of givenUp: UnacknowledgedAudio.GivenUp) {
    for (text, start) in givenUp.words {
      // Its call may have been taken for one of what was said besides.
      let words = proposals.rest(of: text, takenSince: start)
      guard !words.isEmpty else { continue }
      show(.warning(text: "“\(words)” led to nothing. Say it again, or type it."))
      input.speechLost("Nothing came of “\(words)”.", words: words)
    }
    guard givenUp.hasWordless, attempts.madeNothing() else { return }
    show(
      .warning(
        text: "The live model made nothing of what was heard. If you said something, say it again, or type it."))
  }

  /// Whether something was said, whole, and the live model has given no sign since that it heard it, or no more than that
  /// it heard somebody begin, or has not come to it because it did not end its answer to what was said before.
  private var isUnheard: Bool {
    // Of what came before it, something may have been heard.
    guard let utterance = unanswered.utterances.last(where: { $0.end != nil }), utterance.emptyTurn == nil else {
      return false
    }
    if attempts.lastSign <= utterance.time || attempts.renewal != .none { return true }
    return floor.transcript.isEmpty && (floor.start != nil || unanswered.isBeingAnswered)
  }

  /// Why an utterance cannot have been answered yet, however long ago it began; nil if it could have been.
  private var reasonToWaitOn: String? {
    if engine.isUnderstanding { return "it is still being understood." }
    if link.openConnection == nil { return "no connection has heard it whole yet." }
    if speech.isModelSpeaking { return "the live model is still speaking." }
    if floor.floor == .userSpeaking, input.isPresent { return "the user is still speaking." }
    return nil
  }

  /// Whether an answer is still awaited after what has come.
  mutating func considerAnswered() {
    if unanswered.hasWhole || floor.floor == .userSpeaking { return awaitAnswer() }
    input.answered()
    disarm(.unansweredUtterance)
  }
}
