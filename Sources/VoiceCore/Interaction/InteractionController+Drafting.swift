import VoiceLanguage
import VoiceVocabulary

/// Instructions that are said in pieces: the pieces that the live model proposes are joined until the user says, or shows
/// by a key, that it was all. Until then nothing of them leaves, and what was said so far is shown.
extension InteractionController {
  /// Add a piece. Returns what the live model is to be told; nil if a pause ends an instruction here.
  mutating func gather(_ text: String, from utterance: HeardUtterance) -> ToolAnswer? {
    let ending = settings.turnEnding
    guard ending.gathers || draft.instruction != nil || draft.endsWithNextPiece else { return nil }
    let isEnd = draft.endsWithNextPiece || ending.isEnd(text, heard: utterance.heard)
    let body = ending.withoutWord(text) ?? text
    let heard = ending.withoutWord(utterance.heard) ?? utterance.heard
    if !body.isEmpty { addToDraft(body, heard: heard, utterance.hearing.trimmed(to: heard, ending)) }
    if let doubt = doubt(of: utterance), draft.doubted(doubt) {
      because("Held once it is whole: \(doubt)")
      show(.warning(text: doubt))
    }
    guard isEnd else {
      because("Gathered: the user has not said that this was all.")
      watchForForgottenEnd()
      return .gathered
    }
    because("Complete: the user said that this was all.")
    return endDraft() ?? .nothingGathered
  }

  /// "Cancel that", said of what was said so far: it is held as it is, since the same words may be dictated. Returns what the live model
  /// is to be told; nil if it was no such thing.
  mutating func holdRejectedDraft(_ utterance: HeardUtterance) -> ToolAnswer? {
    guard settings.spokenDecisions != .none, draft.instruction != nil,
      SpokenDecision(utterance: utterance.heard) == .reject, SpokenDecision.namesWhatIsHeld(utterance.heard),
      SpokenWords(utterance.heard).words.count > 1, utterance.linkDoubt == nil,
      utterance.proposal.map({ SpokenDecision(utterance: $0) == .reject }) ?? true
    else { return nil }
    because("Held: the user may have rejected what was said so far.")
    holdDraft()
    return .held
  }

  /// - Parameter asOneSentence: whether only a pause parts it from what was said before.
  mutating func addToDraft(_ text: String, heard: String, _ hearing: Hearing, asOneSentence: Bool = false) {
    if draft.instruction == nil {
      let first = Instruction(
        id: numbering.instruction(), text: text, heard: heard.isEmpty ? nil : heard, source: .voice)
      draft.begin(first, at: now)
      // The ledger knows it from the first word on, so that a crash loses none of it.
      note(.proposed(instruction: first))
    } else {
      guard draft.add(text, heard: heard, asOneSentence: asOneSentence, at: now) else {
        return show(.error(text: "Not added: “\(text)”. The instruction would become too long; end it first."))
      }
      if let longer = draft.instruction { note(.amended(instruction: longer.id, text: longer.text)) }
    }
    guard let instruction = draft.instruction else { return }
    words.remember(heard, hearing, as: instruction.id)
    show(.drafting(text: instruction.text))
  }

  /// The instruction is complete. Returns what the live model is to be told; nil if nothing was gathered.
  mutating func endDraft() -> ToolAnswer? {
    if draft.doubt != nil {
      holdDraft()
      return .held
    }
    disarmDraft()
    guard let instruction = draft.take() else { return nil }
    return holdOrDispatch(instruction, isNoted: true)
  }

  /// The user says by a key that this was all.
  mutating func endTurn() {
    if held.extended != nil, settings.turnEnding.gathers {
      held.endExtension()
      because("Complete: nothing more is added to what is held.")
      return present()
    }
    // What he said just now is still on its way: it belongs to it.
    let mayGrow = settings.turnEnding.gathers || draft.instruction != nil
    if mayGrow, floor.floor == .userSpeaking || input.awaitsAnswer {
      because("Complete with what is still being understood: the user pressed the key.")
      return draft.endWithNextPiece()
    }
    guard draft.instruction != nil else {
      let reason = settings.turnEnding.gathers ? "Nothing was said yet" : "A pause ends an instruction here"
      return show(.cannot(text: "\(reason); there is nothing to end."))
    }
    because("Complete: the user pressed the key.")
    _ = endDraft()
  }

  /// Whether only the end word or the key ends an instruction.
  mutating func toggleLongThought() {
    settings.longThought.toggle()
    disarm(.forgottenEnd)
    show(.longThought(isOn: settings.longThought))
    if settings.turnEnding.gathers {
      disarm(.leaving)
      draft.stays()
      return watchForForgottenEnd()
    }
    if draft.instruction != nil { endTurn() }
  }

  /// Nothing came of the words that were still on their way when the user ended his turn.
  mutating func endDraftWithoutNextPiece(isByTime: Bool) {
    guard draft.endsWithNextPiece, !input.awaitsAnswer, !engine.isUnderstanding, floor.floor == .quiet else { return }
    because("Complete: nothing came of what was still on its way.")
    if isByTime { holdDraft() } else { _ = endDraft() }
    _ = draft.take()
  }

  /// Whether the user can mean what was said so far, and nothing that was there a moment ago, and has seen all of it.
  /// - Parameter isTyped: whether he typed why.
  func mayDropDraft(isTyped: Bool) -> Bool {
    guard settings.shownMilliseconds > 0 else { return true }
    let since = max(draft.shownSince, held.emptiedAt ?? .zero)
    return now >= since.advanced(byMilliseconds: settings.shownMilliseconds(beforeCommand: isTyped))
  }

  /// Reject what was said so far. Returns whether there was anything.
  mutating func dropDraft() -> Bool {
    guard let instruction = draft.take() else { return false }
    disarmDraft()
    because("Dropped: the user rejected what was said so far.")
    note(.rejected(instruction: instruction.id))
    show(.draftDropped(text: instruction.text))
    return true
  }

  /// It is over: no timer ends it any more.
  private mutating func disarmDraft() {
    disarm(.forgottenEnd)
    disarm(.latePiece)
    disarm(.leaving)
  }

  // MARK: An end that nobody said

  private mutating func watchForForgottenEnd() {
    guard settings.turnEnding.watchesSilence, draft.instruction != nil else { return }
    arm(.forgottenEnd, milliseconds: Limits.forgottenEndMilliseconds)
  }

  /// Nothing was said for a long time.
  mutating func endForgotten() {
    if floor.floor == .userSpeaking || input.awaitsAnswer { return watchForForgottenEnd() }
    guard settings.turnEnding.watchesSilence else { return }
    because("Held: “\(settings.endWord)” was not said, and time sends nothing.")
    holdDraft()
  }

  /// Let the user decide what shall become of it: nothing leaves that was not ended.
  mutating func holdDraft() {
    disarmDraft()
    guard var instruction = draft.take() else { return }
    finishWording(&instruction)
    hold(.instruction(instruction: instruction))
  }
}

extension Hearing {
  /// The same of the text without its end word.
  func trimmed(to text: String, _ ending: TurnEnding) -> Hearing {
    Hearing(
      sureness: Array(sureness.prefix(text.split(whereSeparator: \.isWhitespace).count)),
      alternatives: alternatives.map { ending.withoutWord($0) ?? $0 })
  }
}
