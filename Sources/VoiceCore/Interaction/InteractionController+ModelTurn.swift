import VoiceLanguage
import VoiceVocabulary

/// The turns of the live model: what it says itself, where they end, and which words come after the answer to them.
extension InteractionController {
  /// This was taken: words of it that are not known yet may still come.
  ///
  /// - Returns: whether any may come.
  @discardableResult mutating func expectWords(of text: String, _ utterance: HeardUtterance) -> Bool {
    let (words, heard) = (SpokenWords(text).words, SpokenWords(utterance.heard).words)
    guard heard.isEmpty || words.count > heard.count && words.starts(with: heard) else { return false }
    lateWords.expect(Array(words.dropFirst(heard.count)), at: now)
    return true
  }

  /// Whether a piece of transcript is of something that was taken before, or has nothing in it: then it is shown, and no more.
  mutating func belongsToTaken(_ text: String, isFinal: Bool) -> Bool {
    let isNothing = floor.transcript.isEmpty && text.allSatisfy(\.isWhitespace)
    let isLate = isNothing || lateWords.claims(text, isFinal: isFinal, isAwaited: awaitsWords, at: now)
    if isLate { lateWords.keep(text) }
    if isFinal || !isLate || lateWords.isComplete, let text = lateWords.takeForShowing() {
      sound.dealtWith(text)
      show(.heard(text: text))
      // The live model may have left out the word that ends what is gathered.
      if settings.turnEnding.withoutWord(text) != nil, draft.instruction != nil { _ = endDraft() }
    }
    return isLate
  }

  /// Whether something was said that no words are known of, and nothing was made of.
  private var awaitsWords: Bool {
    !unanswered.utterances.isEmpty || floor.floor == .userSpeaking || floor.start != nil || !floor.transcript.isEmpty
      || (unanswered.isBeingAnswered && !floor.hasTakenInstruction)
  }

  /// The live model has said all to the last utterance.
  mutating func modelTurnEnded() {
    endModelVoice()
    defer {
      unanswered.turnEnded()
      proposals.turnEnded(unanswered.utterances, at: now)
    }
    // What was said since the answer waits for another turn, with the words of it that are known.
    if endOfTurnSign == .endOfTurn, unanswered.waitsBehindTurn { return floor.modelTurnEnded() }
    attempts.gaveSign(at: now)
    // It was said before what is being said now.
    if floor.floor == .userSpeaking, unanswered.hasWhole {
      unanswered.answered(by: endOfTurnSign, isQuiet: !input.hearsSound, at: now)
      // Its words cannot be told from those of what is being said.
      turnWasEmpty("")
    }
    guard floor.floor == .quiet else {
      if floor.transcript.isEmpty { floor.takenWordsEnded() }
      return
    }
    var utterance = currentUtterance(proposal: nil)
    compareWithTaken(&utterance, utterance.heard, by: endOfTurnSign)
    if !floor.hasTakenInstruction, !utterance.heard.isEmpty, obeyUnproposed(utterance) {
      if endOfTurnSign == .endOfTurn { utteranceAnswered() }
    } else {
      turnWasEmpty(utterance.heard)
    }
    endDraftWithoutNextPiece(isByTime: false)
    floor.modelTurnEnded()
  }

  /// If nothing was made of what was said in the turn that is over, its call may still come, for a while.
  private mutating func turnWasEmpty(_ words: String) {
    guard endOfTurnSign == .endOfTurn else { return }
    unanswered.turnWasEmpty(words, isQuiet: !input.hearsSound, at: now)
    // It may have come before the pause was long enough to be one here.
    if unanswered.hasWhole, !input.awaitsAnswer { awaitAnswer() }
  }

  /// The live model speaks in its present turn: an answer, if it is heard.
  mutating func noteModelSpeech() {
    if speech.isModelSpeaking { unanswered.modelSpoke() }
  }

  /// What the end of the present turn says. The local engine ends a turn for each utterance, also for one without words.
  private var endOfTurnSign: UnacknowledgedAudio.Sign {
    engine.isPresent ? .answer : .endOfTurn
  }

  /// Do what the user's own words say: a model that takes "yes" for an answer to itself proposes nothing. Returns whether they
  /// said to do anything.
  private mutating func obeyUnproposed(_ utterance: HeardUtterance) -> Bool {
    if utterance.repeats == .repetition {
      dropHeardAgain(utterance.heard)
      return true
    }
    let reason = reasonNotTaken(utterance)
    if reason == .ownVoice { echo.ownWordsHeard(at: now) }
    if let purpose = phrase(in: utterance), reason == nil {
      noteObeyed(utterance.heard)
      _ = obey(purpose)
    } else if (decide(by: utterance) ?? decideLeaving(by: utterance) ?? waitAsAsked(by: utterance)) != nil {
      act(.playEarcon(earcon: .heardYou))
      noteObeyed(utterance.heard)
    } else if settings.turnEnding.gathers, reason == nil, utterance.sound != .none {
      // One that waits for the end of the sentence proposes nothing either.
      gatherUnproposed(utterance)
    } else {
      // Nothing has to come of these.
      return reason != nil || held.isEmpty && SpokenWords(utterance.heard).isBackchannel
    }
    return true
  }

  /// The words alone said what to do: a call for them may come after the end of their turn.
  private mutating func noteObeyed(_ words: String) {
    _ = floor.proposed(words)
    floor.obeyed(words)
    proposals.taken(words, at: now)
  }

  /// Whether a call asks in other words for what was just done because the user's words alone said so.
  func repeatsObeyedWords(_ text: String) -> Bool {
    guard let last = floor.obeyedWords else { return false }
    func meant(_ text: String) -> [String] { SpokenWords(settings.turnEnding.withoutWord(text) ?? text).words }
    if let decision = SpokenDecision(utterance: text) {
      return SpokenDecision(utterance: last).map(decision.isSame) ?? false
    }
    return meant(text) == meant(last)
  }

  /// What was heard again acts no second time, and is shown.
  mutating func dropHeardAgain(_ text: String) {
    proposals.dropped(text)
    because(Self.heardAgain)
    show(.duplicateIgnored(text: text))
  }

  private mutating func gatherUnproposed(_ utterance: HeardUtterance) {
    var utterance = utterance
    // The words of a piece may come after its turn, and with those of the next.
    if draft.instruction != nil, proposals.containsLast(utterance.heard), utterance.linkDoubt == nil {
      utterance.linkDoubt = "Part of this may be in it twice, so it is held."
    }
    _ = gather(utterance.heard, from: utterance)
    noteObeyed(utterance.heard)
  }

  /// A piece of what the live model itself says.
  mutating func modelTranscribed(_ text: String) {
    noteModelSpeech()
    speech.note(said: text, at: now)
    if speech.isModelSpeaking { show(.modelSaid(text: text)) }
  }

  private static let heardAgain = "Dropped: this was taken before the connection was lost, and only heard again."
}
