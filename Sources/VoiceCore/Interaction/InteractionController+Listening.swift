import VoiceLanguage
import VoiceVocabulary

/// The user's words: turns, transcripts, and what the live model makes of them.
extension InteractionController {
  /// A detector hears somebody begin to speak.
  mutating func voiceStarted(_ detector: VoiceDetector) {
    if detector == .vad { echo.vadDecided(isActive: true, at: now) }
    guard input.isListening else { return }
    sound.heard(by: detector, at: now)
    floor.heardVoice(by: detector)
    if detector == .vad, settings.turnDetection == .server { unanswered.voiceStarted(at: now) }
    floor.began(over: speech.isAudible(at: now, within: Limits.echoTailMilliseconds) ? .speech : .silence, at: now)
    if detector == settings.interruptedBy, speech.isActive { suspectInterruption() }
    awaitAnswer()
    if settings.turnDetection == .client {
      guard detector == .vad, floor.floor == .quiet else { return }
      send(.activityStart)
      for frame in floor.takePreroll() { send(.frame(frame)) }
    }
    floor.userSpeaks()
  }

  /// A detector hears somebody end.
  mutating func voiceEnded(_ detector: VoiceDetector) {
    if detector == .vad { echo.vadDecided(isActive: false, at: now) }
    nobodySpeaks(by: detector)
  }

  /// The detector hears nobody any more, or what it hears does not go out any more.
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
    guard !isOfWhatWasTaken(text, isFinal: isFinal) else {
      return because("Shown only: these are words of what was taken before they came.")
    }
    if floor.background == nil {
      let isAudible = speech.isAudible(at: now, within: Limits.transcriptDelayMilliseconds)
      floor.began(over: isAudible ? .speech : .silence, at: now)
    }
    let isLate = floor.hasTakenInstruction
    floor.transcribed(text, hearing: hearing, isLate: isLate, at: now)
    heardWords(floor.transcript)
    awaitAnswer()
    if isFinal, let text = floor.takeForShowing() { show(.heard(text: text)) }
  }

  /// The live model made an instruction of what was said: a decision, an addition, or an instruction that is held or
  /// dispatched, once.
  mutating func proposed(_ proposal: String, by call: CallID) {
    guard proposals.called(call) else { return }
    let text = visible(proposal).trimmingWhitespace()
    var utterance = currentUtterance(proposal: text)
    heardWords(text)
    compareWithTaken(&utterance, text)
    guard !text.isEmpty else {
      because("Dropped: the proposal had no words.")
      return answer(call, "Nothing was understood. Wait for the user to speak again.")
    }
    guard text.utf8.count <= Limits.instructionCharacters else {
      because("Dropped: an instruction may have \(Limits.instructionCharacters) characters.")
      show(.error(text: "An instruction of \(text.utf8.count) characters was refused: it is too long."))
      return answer(call, "Refused: the instruction is too long.")
    }
    let isRepeated = repeatsObeyedWords(text)
    guard !floor.proposed(text), !isRepeated, utterance.repeats != .repetition else {
      dropRepetition(text, utterance)
      return answer(call, "This instruction was already taken. Do not repeat it.")
    }
    floor.taken()
    let mayHaveLateWords = expectWords(of: text, utterance)
    if let reason = reasonNotToTake(utterance) {
      if reason == .ownVoice { echo.ownWordsHeard(at: now) }
      because("Not taken. \(reason.rawValue)")
      show(.notTaken(text: text, reason: reason.rawValue))
      return answer(call, "\(reason.rawValue) Say nothing.")
    }
    let last = proposals.last
    if let purpose = phrase(in: utterance) {
      proposals.took(text, at: now)
      return answer(call, obey(purpose))
    }
    proposals.took(text, at: now)
    input.took(text)
    act(.playEarcon(earcon: .heardYou))
    if extendHeld(by: text, from: utterance) { return answer(call, "Added to what is held. Say nothing.") }
    if let told = decide(by: utterance) {
      // Words that are still on their way may tell what the user really said.
      floor.taken(isWhole: !utterance.heard.isEmpty)
      if mayHaveLateWords { lateWords.lastMayDecide() }
      return answer(call, told)
    }
    if let told = holdRejectedDraft(utterance) { return answer(call, told) }
    let doubt = doubt(of: utterance)
    if let told = takeLatePiece(text, from: utterance, after: last, doubt: doubt) {
      return answer(call, told)
    }
    if let told = gather(text, from: utterance) { return answer(call, told) }
    let instruction = Instruction(
      id: numbering.instruction(), text: text, heard: utterance.heard.isEmpty ? nil : utterance.heard, source: .voice)
    words.heard(utterance.heard, utterance.hearing, as: instruction.id)
    if settings.mode == .review {
      let isInPart = utterance.sound == .inPart
      if let doubt = utterance.linkDoubt ?? (isInPart ? doubt : nil) { show(.warning(text: doubt)) }
    }
    answer(call, take(instruction, doubt: doubt))
  }

  private mutating func dropRepetition(_ text: String, _ utterance: Utterance) {
    if utterance.repeats == .repetition {
      dropHeardAgain(text)
    } else {
      because("Dropped: the same was proposed before, and the user said nothing in between.")
      show(.duplicateIgnored(text: text))
    }
    // Its words are no answer to the model either, but for the one that ends what is gathered.
    floor.taken()
    if utterance.repeats == .repetition { expectWords(of: text, utterance) }
    let isEnd = settings.turnEnding.verdict(on: .said(text: text, heard: utterance.heard)) == .ends
    if isEnd, draft.instruction != nil { holdDraft() }
  }

  /// What was said, as it was meant: the last of several versions, with the project's names in it.
  mutating func finishWording(_ instruction: inout Instruction) {
    let said = instruction.text
    instruction.text = SelfCorrection.lastVersion(of: said)
    if instruction.text != said { show(.selfCorrected(said: said, meant: instruction.text)) }
    if let command = controls.command(in: instruction.text) {
      instruction.text = command
    } else {
      words.repair(&instruction)
    }
  }

  /// Hold a spoken instruction or dispatch it. Returns what the live model is to be told.
  ///
  /// - Parameters:
  ///   - isNoted: whether the ledger knows it already, as it was before its wording was finished.
  ///   - doubt: why it is held even in direct mode, for the user; nil if there is no reason.
  mutating func take(_ spoken: Instruction, isNoted: Bool = false, doubt: String? = nil) -> String {
    guard held.hasRoom else {
      because("Dropped: \(Limits.heldItems) items wait already.")
      if isNoted { note(.lapsed(instruction: spoken.id)) }
      show(.error(text: "Not taken, because \(Limits.heldItems) items wait already: \(spoken.text)"))
      return "Refused: too much waits for a decision already."
    }
    var instruction = spoken
    finishWording(&instruction)
    if !isNoted {
      note(.proposed(instruction: instruction))
    } else if instruction.text != spoken.text {
      note(.amended(instruction: instruction.id, text: instruction.text))
    }
    let agreement = spoken.heard.map { Agreement.percent($0, spoken.text) }
    if settings.mode == .direct, let doubt {
      because("Held: \(doubt)")
      show(.warning(text: doubt))
      hold(.instruction(instruction: instruction), isDoubted: true)
      return "Held until the user approves it. Say nothing."
    }
    switch settings.mode {
    case .review:
      because(Self.heldForReview)
      hold(.instruction(instruction: instruction), isDoubted: doubt != nil)
      return "Held until the user approves it. Say nothing."
    case .direct where (agreement ?? 100) < Limits.agreementPercent:
      because("Held: what was heard and what was understood share \(agreement ?? 0) % of their words.")
      show(.warning(text: "The transcript and the proposed instruction differ, so this is held."))
      hold(.instruction(instruction: instruction))
      return "Held until the user approves it. Say nothing."
    case .direct:
      because(
        agreement.map { "Handed on: direct mode; what was heard and what was understood share \($0) % of their words." }
          ?? "Handed on: direct mode; there is no transcript to compare it with.")
      dispatch(instruction)
      return "Handed to the coding agent, which answers by itself. Say nothing."
    }
  }

  /// The utterance was answered: whether it was taken before, and why it is to be held for that, or for what was lost of it.
  mutating func compareWithTaken(
    _ utterance: inout Utterance, _ text: String, by sign: UnacknowledgedAudio.Sign = .answer
  ) {
    let begun = firstBegun
    let hasLostBeginning = sign == .endOfTurn && unanswered.hasLostBeginning
    proposals.answering(unanswered.utterances, isSameTurn: unanswered.isBeingAnswered)
    utterance.repeats = proposals.verdict(on: text, at: now)
    if utteranceAnswered(by: sign, with: text) == .restOfUtterance || hasLostBeginning {
      utterance.linkDoubt = "The beginning of what you said was lost, so this is held."
    } else if utterance.repeats == .mayRepeat {
      utterance.linkDoubt = "Part of this may have been sent before the connection was lost, so it is held."
    } else if draft.instruction == nil,
      proposals.goesOnWithLast(
        text, heard: utterance.heard, isLastHeard: lateWords.isComplete, begunAt: begun ?? now)
    {
      utterance.linkDoubt = "Part of this was sent before, and you did not say it again, so it is held."
    }
  }

  /// Why what was said is held even in direct mode, for the user; nil if there is no reason.
  func doubt(of utterance: Utterance) -> String? {
    if let doubt = utterance.linkDoubt ?? soundDoubt(of: utterance) { return doubt }
    return utterance.hearing.isGuess ? Self.unsure : directDoubt(of: utterance)
  }

  /// Why what was said is held in direct mode, though the words are the user's own; nil if there is no reason.
  private func directDoubt(of utterance: Utterance) -> String? {
    guard settings.mode == .direct else { return nil }
    // By then its words have come, or never will.
    if let halted = floor.haltedAt, let begun = utterance.begun, begun < halted,
      now <= halted.advanced(byMilliseconds: Limits.unansweredUtteranceMilliseconds)
    {
      return "You pressed halt after you had begun to say this, so it is held."
    }
    return utterance.hearing.beginsWithGuess ? Self.unsure : nil
  }

  private static let unsure = "The recogniser was unsure of this, so it is held."

  /// Why the sound of it was not all of what was said, or not only that, for the user; nil if there is no reason.
  func soundDoubt(of utterance: Utterance) -> String? {
    if utterance.sound == .inPart { return "Part of what you said was lost, so this is held." }
    if let doubt = echoDoubt(of: utterance) { return doubt }
    // With headphones he repeats what he hears; or they were pulled out just now.
    if echo.duplex == .noEcho, utterance.mayBeOverSpeech,
      speech.soundsLikeJustSaid(SpokenWords(utterance.words), at: now)
    {
      return "This sounds like what Parley just said, so it is held."
    }
    // What a canceller leaves of the program's own voice in a room that has changed is understood, but not clearly.
    guard let duplex = echo.duplex else { return nil }
    return utterance.mayBeOverSpeech && utterance.hearing.isUnclear(hasEcho: duplex != .noEcho)
      ? "This was heard while Parley spoke, and not clearly, so it is held." : nil
  }

  /// Why what was heard is no instruction.
  enum NotTaken: String {
    case unmeasured = "Heard while Parley spoke, but nobody was detected speaking."
    case acknowledgement = "That was an acknowledgement."
    case ownVoice = "That was the program's own voice."
  }

  /// Whether something that was said may still become an instruction.
  var hasUnansweredWords: Bool { firstBegun != nil || !floor.transcript.isEmpty }

  /// When what is being dealt with began, as far as anybody noticed.
  private var firstBegun: SessionTime? {
    [floor.firstStart(at: now), unanswered.next()?.startTime].compactMap { $0 }.min()
  }

  /// What is being dealt with, as far as it is known.
  func currentUtterance(proposal: String?) -> Utterance {
    let begun = firstBegun
    // Who begins behind a gap may have begun in it, before a detector could tell.
    let late = begun == nil ? Limits.transcriptDelayMilliseconds : Limits.prerollFrames * PCM.frameMilliseconds
    let mayMissSound = sound.wasMissed(since: (begun ?? now).advanced(byMilliseconds: -late))
    let words = floor.transcript.trimmingWhitespace()
    // A call that comes late is for what was transcribed before its turn ended.
    let early = words.isEmpty ? proposal.flatMap { unanswered.next($0)?.emptyTurn?.words } : nil
    return Utterance(
      heard: early ?? words, hearing: floor.hearing, proposal: proposal,
      background: floor.background, mayBeOverSpeech: floor.mayBeOverSpeech(at: now), start: floor.start,
      firstStart: floor.firstStart(at: now), begun: begun, sound: mayMissSound ? .inPart : .whole)
  }

  /// Why what was said into the program's own voice is no instruction; nil if it may be one.
  func reasonNotToTake(_ utterance: Utterance) -> NotTaken? {
    if isUnmeasured(utterance) { return .unmeasured }
    guard utterance.mayBeOverSpeech else { return nil }
    if utterance.background == .speech, SpokenWords(utterance.words).isBackchannel { return .acknowledgement }
    return isOwnVoice(utterance) ? .ownVoice : nil
  }

  /// The live model heard the user say stop: speech stops, or the work, as the words say.
  mutating func stopRequested(by call: CallID) {
    guard proposals.called(call) else { return }
    var utterance = currentUtterance(proposal: nil)
    compareWithTaken(&utterance, utterance.heard)
    floor.taken()
    expectWords(of: "", utterance)
    guard utterance.repeats != .repetition else {
      dropHeardAgain(utterance.heard)
      return answer(call, "The user said this before. Say nothing.")
    }
    proposals.took(utterance.heard, at: now)
    if isUnmeasured(utterance) {
      let reason = NotTaken.unmeasured.rawValue
      because("Not stopped. \(reason)")
      show(.notTaken(text: utterance.heard, reason: reason))
      return answer(call, "\(reason) Say nothing.")
    }
    if phrase(in: utterance) == .sleep { return answer(call, obey(.sleep)) }
    act(.playEarcon(earcon: .heardYou))
    // "Cancel that", said of what is held, is not about the work; "don't do that", said to the agent, is.
    if SpokenDecision(utterance: utterance.heard) == .reject,
      !(held.current.map { mayAnswerAgent(utterance, besides: $0) } ?? false), let told = decide(by: utterance)
    {
      return answer(call, told)
    }
    if let told = holdRejectedDraft(utterance) { return answer(call, told) }
    // What the program says of stopping does not stop the work.
    if echoDoubt(of: utterance) != nil, isOwnVoice(utterance) {
      because("Only speech was stopped: this may have been the program's own voice.")
      silence()
      return answer(call, "Speech was stopped, and nothing else. Say nothing.")
    }
    answer(call, stopAsAsked())
  }

  /// Tell the live model that its call was not understood.
  mutating func reject(_ call: CallID, _ reason: String) {
    guard proposals.called(call) else { return }
    utteranceAnswered()
    show(.warning(text: "The live model asked for something unknown: \(reason)"))
    answer(call, "Refused: \(reason) The tools are converse and stop.")
  }

  /// Answer a call, if the connection that asked is still there: on any other the answer would be an error.
  private mutating func answer(_ call: CallID, _ text: String) {
    guard link.openConnection == call.connection else {
      return because("The call is not answered: the connection that asked is gone.")
    }
    act(.answerCall(call: call, answer: text))
  }

  /// What is transcribed from now on is another utterance's.
  mutating func endUtterance() {
    sound.dealtWith(floor.transcript)
    floor.endUtterance()
  }

  /// The live model has dealt with what was heard, or ends a turn.
  @discardableResult mutating func utteranceAnswered(
    by sign: UnacknowledgedAudio.Sign = .answer, with text: String = ""
  ) -> UnacknowledgedAudio.Answered {
    if let text = floor.takeForShowing() { show(.heard(text: text)) }
    endUtterance()
    attempts.gaveSign(at: now)
    let answered = unanswered.answered(by: sign, with: text, isQuiet: !input.hearsSound, at: now)
    if answered != .nothing { attempts.servedUser() }
    interruption.cameToNothing()
    // A turn that brings nothing changes nothing: what is waited for is waited for no longer.
    if sign == .answer || answered != .nothing || !unanswered.hasWhole { considerAnswered() }
    return answered
  }
}
