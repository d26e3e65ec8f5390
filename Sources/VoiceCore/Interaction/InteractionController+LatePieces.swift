import VoiceLanguage
import VoiceVocabulary

/// One instruction that was said in two turns: a user who stops in the middle of a sentence, for longer than any pause that is
/// waited for, and goes on within two seconds has said one thing.
extension InteractionController {
  /// Take what was said together with what was said just before it, or wait for the rest of it. Returns what the live model is
  /// to be told; nil if it is an instruction of its own.
  ///
  /// - Parameters:
  ///   - last: what was taken before.
  ///   - doubt: why it is to be held for another reason, for the user.
  mutating func joinLatePiece(
    _ text: String, from utterance: HeardUtterance, after last: TakenProposals.Taken?, doubt: String?
  ) -> ToolAnswer? {
    guard !settings.turnEnding.gathers, !draft.endsWithNextPiece else { return nil }
    letGo(before: text, from: utterance, doubt: doubt)
    if draft.instruction != nil {
      guard let doubt else { return addLatePiece(text, from: utterance) }
      because("Held: \(doubt)")
      show(.warning(text: doubt))
      addToDraft(text, heard: utterance.heard, utterance.hearing, asOneSentence: true)
      holdDraft()
      return .held
    }
    guard doubt == nil else { return nil }
    if let told = joinHeld(text, from: utterance) { return told }
    if let last, let told = steerLate(text, from: utterance, after: last) { return told }
    let heard = utterance.heard.isEmpty ? nil : utterance.heard
    // What differs from what was heard is held at once.
    guard settings.mode == .direct, !mayDiffer(text, from: heard),
      let reason = reasonToWait(text, heard: heard, utterance)
    else { return nil }
    addToDraft(text, heard: utterance.heard, utterance.hearing, asOneSentence: true)
    return wait(reason)
  }

  /// Before it is sent, the rest of an unfinished sentence is waited for. Half a sentence does not leave by itself.
  private mutating func addLatePiece(_ text: String, from utterance: HeardUtterance) -> ToolAnswer {
    addToDraft(text, heard: utterance.heard, utterance.hearing, asOneSentence: true)
    let whole = draft.instruction
    guard let whole, let reason = reasonToWait(whole.text, heard: whole.heard, utterance) else {
      because("Complete: the user went on, and came to an end.")
      return endDraft() ?? .nothingGathered
    }
    return wait(reason)
  }

  /// In review mode the last held instruction grows, where everybody can see it.
  private mutating func joinHeld(_ text: String, from utterance: HeardUtterance) -> ToolAnswer? {
    guard let item = held.last, case .instruction(var instruction) = item.content, instruction.source == .voice,
      instruction.isUnheard != true,
      held.typedAbout != item.id,
      PartedSentence.goesOn(
        with: text, begunAt: utterance.start, after: instruction.text, takenAt: held.lastPieceTime(of: item))
    else { return nil }
    let joined = PartedSentence.joined(instruction.text, text)
    guard joined.utf8.count <= Limits.instructionCharacters else { return nil }
    instruction.heard = instruction.heard(with: text, heard: utterance.heard)
    instruction.text = joined
    words.remember(utterance.heard, utterance.hearing, as: instruction.id)
    finishWording(&instruction)
    cut(.readBack(item: item.id))
    held.join(item.id, as: instruction, at: now)
    because("Joined with what is held: the user went on with the same sentence.")
    note(.amended(instruction: instruction.id, text: instruction.text))
    show(.amended(item: item.id, text: instruction.text))
    if held.current?.id == item.id, let item = held.current { presentSoon(item) }
    return .addedToHeld
  }

  /// What was sent already is not sent again: the rest follows it into the running work.
  private mutating func steerLate(
    _ text: String, from utterance: HeardUtterance, after last: TakenProposals.Taken
  ) -> ToolAnswer? {
    guard settings.mode == .direct, let running = run.running, running.instruction.source == .voice,
      PartedSentence.goesOn(with: text, begunAt: utterance.start, after: last.text, takenAt: last.time),
      last.sentInto == running.id
        || Agreement.percent(last.text, running.instruction.text) >= Limits.agreementPercent,
      reasonNotToSteer == nil
    else { return nil }
    var instruction = Instruction(
      id: numbering.instruction(), text: text, heard: utterance.heard.isEmpty ? nil : utterance.heard, source: .voice)
    words.remember(utterance.heard, utterance.hearing, as: instruction.id)
    finishWording(&instruction)
    note(.proposed(instruction: instruction))
    because("Into the running work: the user went on with the sentence that it began with.")
    steer(instruction)
    proposals.lastSent(into: running.id)
    return .dispatched
  }

  /// Say what is held; a little later where the rest of it may still come, so as not to talk over the user.
  mutating func presentSoon(_ item: HeldItem) {
    let timer = TimerID.lateReadBack(item: item.id)
    guard case .instruction(let instruction) = item.content, instruction.source == .voice, settings.readsBack,
      TextCompleteness(of: instruction.text) == .unfinished
    else {
      disarm(timer)
      return present()
    }
    arm(timer, milliseconds: Limits.latePieceMilliseconds)
  }

  /// The rest of the held instruction did not come.
  mutating func lateReadBackDue(_ item: HeldItemID) {
    if moreMayCome { return arm(.lateReadBack(item: item), milliseconds: Limits.latePieceMilliseconds) }
    if held.current?.id == item { present() }
  }

  /// The rest of the unfinished sentence did not come.
  mutating func latePieceOver() {
    if moreMayCome { return arm(.latePiece, milliseconds: Limits.latePieceMilliseconds) }
    because("Held: it looks unfinished, and time sends nothing.")
    show(.warning(text: "It looks unfinished, so it is held: continue, or approve it as it is."))
    holdDraft()
  }

  private var moreMayCome: Bool { floor.floor == .userSpeaking || input.awaitsAnswer || engine.isUnderstanding }

  /// A user who says stop does not want the unfinished sentence either.
  mutating func dropLatePiece() {
    if !settings.turnEnding.gathers { _ = dropDraft() }
  }
}
