import VoiceLanguage
import VoiceVocabulary

/// What the live model makes of the user's words: instructions, decisions, and "stop".
extension InteractionController {
  /// The live model made an instruction of what was said: a decision, an addition, or an instruction that is held or
  /// dispatched, once.
  mutating func proposed(_ proposal: String, by call: CallID) {
    guard proposals.called(call) else { return }
    let text = visible(proposal).trimmingWhitespace()
    var utterance = currentUtterance(proposal: text)
    decideInterruption(by: text)
    compareWithTaken(&utterance, text)
    answer(call, resolve(text, of: utterance))
  }

  /// Make of a proposal what it was meant as. Returns what the live model is to be told.
  private mutating func resolve(_ text: String, of utterance: HeardUtterance) -> ToolAnswer {
    guard !text.isEmpty else {
      because("Dropped: the proposal had no words.")
      return .empty
    }
    guard text.utf8.count <= Limits.instructionCharacters else {
      because("Dropped: an instruction may have \(Limits.instructionCharacters) characters.")
      show(.error(text: "An instruction of \(text.utf8.count) characters was refused: it is too long."))
      return .tooLong
    }
    let isRepeated = repeatsObeyedWords(text)
    guard !floor.proposed(text), !isRepeated, utterance.repeats != .repetition else {
      dropRepetition(text, utterance)
      return .repetition
    }
    floor.taken()
    let mayHaveLateWords = expectWords(of: text, utterance)
    if let reason = reasonNotTaken(utterance) {
      if reason == .ownVoice { echo.ownWordsHeard(at: now) }
      because("Not taken. \(reason.rawValue)")
      show(.notTaken(text: text, reason: reason.rawValue))
      return .notTaken(reason)
    }
    let last = proposals.last
    let purpose = phrase(in: utterance)
    proposals.taken(text, at: now)
    if let purpose { return obey(purpose) }
    input.taken(text)
    act(.playEarcon(earcon: .heardYou))
    let isHeard = utterance.sound != .none
    if isHeard, extendHeld(by: text, from: utterance) { return .addedToHeld }
    if let told = decide(by: utterance) {
      // Words that are still on their way may tell what the user really said.
      floor.taken(isWhole: !utterance.heard.isEmpty)
      if mayHaveLateWords { lateWords.lastMayDecide() }
      return told
    }
    if let told = decideLeaving(by: utterance) ?? holdRejectedDraft(utterance) ?? waitAsAsked(by: utterance) {
      return told
    }
    let doubt = doubt(of: utterance)
    guard isHeard else { return holdOrDispatch(text, from: utterance, doubt: doubt) }
    return joinLatePiece(text, from: utterance, after: last, doubt: doubt) ?? gather(text, from: utterance)
      ?? holdOrDispatch(text, from: utterance, doubt: doubt)
  }

  /// An instruction of its own.
  private mutating func holdOrDispatch(_ text: String, from utterance: HeardUtterance, doubt: String?) -> ToolAnswer {
    var instruction = Instruction(
      id: numbering.instruction(), text: text, heard: utterance.heard.isEmpty ? nil : utterance.heard, source: .voice)
    if utterance.sound == .none { instruction.isUnheard = true }
    words.remember(utterance.heard, utterance.hearing, as: instruction.id)
    let isToldOf = utterance.linkDoubt ?? (utterance.sound == .whole ? nil : doubt)
    if settings.mode == .review, let isToldOf { show(.warning(text: isToldOf)) }
    return holdOrDispatch(instruction, doubt: doubt)
  }

  private mutating func dropRepetition(_ text: String, _ utterance: HeardUtterance) {
    if utterance.repeats == .repetition {
      dropHeardAgain(text)
    } else {
      because("Dropped: the same was proposed before, and the user said nothing in between.")
      show(.duplicateIgnored(text: text))
    }
    // Its words are no answer to the model either, but for the one that ends what is gathered.
    floor.taken()
    if utterance.repeats == .repetition { expectWords(of: text, utterance) }
    let isEnd = settings.turnEnding.isEnd(text, heard: utterance.heard)
    if isEnd, draft.instruction != nil, draft.leaving == nil { holdDraft() }
  }

  /// What was said, as it was meant: the last of several versions, with spelled words and the project's names in it.
  mutating func finishWording(_ instruction: inout Instruction) {
    let said = instruction.text
    let meant = MeantText(said: said)
    instruction.text = meant.text
    if instruction.text != said { show(.selfCorrected(said: said, meant: instruction.text)) }
    if let command = controls.command(in: instruction.text) {
      instruction.text = command
    } else {
      words.repair(&instruction, meaning: meant)
    }
  }

  /// Hold a spoken instruction or dispatch it. Returns what the live model is to be told.
  ///
  /// - Parameters:
  ///   - isNoted: whether the ledger knows it already, as it was before its wording was finished.
  ///   - doubt: why it is held even in direct mode, for the user; nil if there is no reason.
  mutating func holdOrDispatch(_ spoken: Instruction, isNoted: Bool = false, doubt: String? = nil) -> ToolAnswer {
    guard held.hasRoom else {
      because("Dropped: \(Limits.heldItems) items wait already.")
      if isNoted { note(.lapsed(instruction: spoken.id)) }
      show(.error(text: "Not taken, because \(Limits.heldItems) items wait already: \(spoken.text)"))
      return .tooManyHeld
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
      return .held
    }
    switch settings.mode {
    case .review:
      because(Self.heldForReview)
      hold(.instruction(instruction: instruction), isDoubted: doubt != nil)
      return .held
    case .direct where mayDiffer(spoken.text, from: spoken.heard):
      let share = "what was heard and what was understood share \(agreement ?? 0) % of their words"
      let isAlike = (agreement ?? 0) >= Limits.agreementPercent
      because("Held: \(share)\(isAlike ? ", and may ask for different things" : "").")
      show(.warning(text: "The transcript and the proposed instruction differ, so this is held."))
      hold(.instruction(instruction: instruction))
      return .held
    case .direct:
      because(
        agreement.map { "Handed on: direct mode; what was heard and what was understood share \($0) % of their words." }
          ?? "Handed on: direct mode; there is no transcript to compare it with.")
      dispatch(instruction)
      return .dispatched
    }
  }

  /// Whether a live model may have made something else of what was heard; no where nothing is known of that.
  func mayDiffer(_ text: String, from heard: String?) -> Bool {
    guard let heard else { return false }
    if Agreement.percent(heard, text) < Limits.agreementPercent { return true }
    return Rewording(heard: heard, meant: text)?
      .mayDifferInSense(takesKey: settings.keyboardOnly.match([text]) != nil) ?? false
  }

  /// The utterance is answered: note in it whether it was taken before, and why it is to be held for that, or for what of it was lost.
  mutating func compareWithTaken(
    _ utterance: inout HeardUtterance, _ text: String, by sign: UnacknowledgedAudio.Sign = .answer
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
      proposals.continuesLast(
        text, heard: utterance.heard, isLastHeard: lateWords.isComplete, begunAt: begun ?? now)
    {
      utterance.linkDoubt = "Part of this was sent before, and you did not say it again, so it is held."
    }
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
      return answer(call, .stopRepeated)
    }
    proposals.taken(utterance.heard, at: now)
    if isUndetected(utterance) {
      let reason = NotTaken.undetected
      because("Not stopped. \(reason.rawValue)")
      show(.notTaken(text: utterance.heard, reason: reason.rawValue))
      return answer(call, .notTaken(reason))
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
      return answer(call, .speechStopped)
    }
    answer(call, stopAsAsked())
  }

  /// Tell the live model that its call was not understood.
  mutating func callRejected(_ call: CallID, _ reason: String) {
    guard proposals.called(call) else { return }
    utteranceAnswered()
    show(.warning(text: "The live model asked for something unknown: \(reason)"))
    answer(call, .rejected(reason: reason))
  }

  /// Answer a call, if the connection that asked is still there: on any other the answer would be an error.
  private mutating func answer(_ call: CallID, _ answer: ToolAnswer) {
    guard link.openConnection == call.connection else {
      return because("The call is not answered: the connection that asked is gone.")
    }
    act(.answerCall(call: call, answer: answer.text))
  }
}
