import VoiceVocabulary

/// How a session comes to its end.
extension InteractionController {
  /// The microphone failed: the session ends, as failed, once everything was answered.
  mutating func microphoneFailed(_ reason: String) {
    input.microphoneFailed(reason: reason)
    show(.error(text: reason))
  }

  /// Once the input is over, the session ends when nothing is left to be answered, decided, done or said, and stayed so
  /// for a moment.
  mutating func considerEnding() {
    guard isSettled else { return disarm(.endOfInput) }
    // Where the end of the last utterance was never told, it is waited for no longer than for an answer.
    let wait = floor.floor == .quiet ? Limits.endOfInputMilliseconds : Limits.unansweredUtteranceMilliseconds
    if !armedTimers.contains(.endOfInput) { arm(.endOfInput, milliseconds: wait) }
  }

  private var isSettled: Bool {
    !input.canReturn && link.openConnection != nil && !input.awaitsAnswer
      && !engine.isUnderstanding
      && (run.isIdle && run.owed.isEmpty || waitsInVain) && !speech.isActive && !armedTimers.contains(.interruption)
      && (held.isEmpty || !input.takesCommands) && !(armedTimers.contains(.latePiece) && draft.instruction != nil)
      && !armedTimers.contains(.leaving)
  }

  /// Whether the agent waits for an answer that nobody can give any more, or does not stop and nobody can say it again.
  var waitsInVain: Bool {
    guard !input.takesCommands else { return false }
    if let own = run.own {
      return own.isHalted
        ? !armedTimers.contains(.haltConfirmation(run: own.run.id)) : held.contains { $0.content.run == own.run.id }
    }
    switch run.state {
    case .none, .entering, .withdrawing: return false
    case .running(let current): return held.contains { $0.content.run == current.id }
    case .cancelling(let current): return !armedTimers.contains(.haltConfirmation(run: current.id))
    }
  }

  /// Nothing was left to be done for a moment: end, and say what was lost.
  mutating func inputIsOver() {
    if draft.instruction != nil, input.takesCommands {
      because("Held: the input ended before the user said that it was complete.")
      return holdDraft()
    }
    switch input.microphone {
    case .notStarted, .present, .lost:
      preconditionFailure("the end of the input was awaited while something can be heard")
    case .ended:
      if let reason = input.lostSpeech {
        because("Ended: the input is over, and what was said last was not answered.")
        let remedy =
          settings.isRecorded
          ? "It is in the session's recording; say it again, or type it." : "Say it again, or type it."
        return finish(.failed(reason: "\(reason) \(remedy)"))
      }
      if held.isHidden, !held.isEmpty {
        because("Ended: the input is over, and what waits for a decision could not be shown.")
        return finish(.failed(reason: "What waited for a decision could not be shown, so nothing of it was approved."))
      }
      if waitsInVain, !run.queue.isEmpty {
        because("Ended: the input is over, and what waits for the agent cannot be sent, since that waits for nobody.")
        let reason = "The agent waited for a decision that nobody could give any more, and was stopped in its work."
        return finish(.failed(reason: reason))
      }
      if let undone {
        because("Ended: the input is over, and nobody can decide about what was to be done and was not.")
        return finish(.failed(reason: undone))
      }
      because("Ended: the input is over, and nothing was left to be answered, decided, done or said.")
      finish(.completed)
    case .failed(let reason):
      because("Ended: the microphone had failed, and nothing was left to be answered, decided, done or said.")
      finish(.failed(reason: reason))
    }
  }

  /// What the user wanted done, and what became of it instead, as a sentence; nil if there is nothing like that.
  private var undone: String? {
    for item in held {
      guard case .instruction(let instruction) = item.content, let returned = held.returned(item.id) else { continue }
      return returned.sentence(about: instruction.text)
    }
    return nil
  }

  /// A person in a terminal wants to quit, perhaps by mistake: he is told what that would lose, and a second time, soon after, ends the
  /// session.
  mutating func quitIfConfirmed() {
    guard !quitting.isConfirmed(at: now), let unfinished else {
      because("Ended: the user quit.")
      return finish(.completed)
    }
    quitting.asked(at: now)
    because("Not ended yet: that would lose something, and a key may be pressed by mistake.")
    show(.quitAsked(unfinished: unfinished))
  }

  /// What an end of the session now would lose, as a sentence; nil if nothing.
  private var unfinished: String? {
    var parts: [String] = []
    if run.isAtWork || run.steering != .none { parts.append("the agent is at work") }
    if !run.owed.isEmpty { parts.append("the agent has background work") }
    if !run.queue.isEmpty { parts.append("an approved instruction is still waiting") }
    if !held.isEmpty { parts.append("something is held") }
    if draft.instruction != nil { parts.append("what you said so far was not sent") }
    if isUnanswered { parts.append("what you said has not been answered yet") }
    guard let first = parts.first?.first else { return nil }
    return first.uppercased() + parts.joined(separator: ", and ").dropFirst() + "."
  }

  /// Whether the user has said something, or is saying it, and nothing has come of that.
  private var isUnanswered: Bool { input.awaitsAnswer || floor.floor == .userSpeaking }

  /// End the session: fall silent, cancel the work, and tell what becomes of everything that was not sent.
  /// No event may follow.
  mutating func finish(_ outcome: SessionOutcome) {
    if isUnanswered || (link.openConnection == nil && unanswered.hasWhole) {
      let place = settings.isRecorded ? "; a recording of the session's sound has it." : "."
      show(.warning(text: "What you said last was not answered\(place)"))
    }
    silence()
    if case .running(let current) = run.state { act(.cancelRun(run: current.id)) }
    if let own = run.own, !own.isHalted { act(.cancelRun(run: own.run.id)) }
    self.outcome = outcome
    tellUnsent()
    if let connection = link.currentConnection { act(.closeLink(connection: connection)) }
    link.gaveUp()
    armedTimers = []
    if let sum = usage.sum { show(.usage(usage: sum)) }
    act(.end(outcome: outcome))
  }

  /// Tell what becomes of everything that was not sent.
  private mutating func tellUnsent() {
    for item in held {
      switch item.content {
      case .instruction(let instruction):
        let returned = held.returned(item.id)
        keepOrLapse(
          instruction, item: item.id, returned: returned,
          returned?.lapseReason ?? "Nobody approved it; it was not sent.")
      case .permission(_, let request): show(.lapsed(item: item.id, text: request.title, reason: "Nobody allowed it."))
      case .question(_, let question): show(.lapsed(item: item.id, text: question.text, reason: "Nobody answered it."))
      }
    }
    let tooLate = "The session ended before it could be sent."
    let isWhole = draft.leaving != nil
    if let instruction = draft.take() {
      keepOrLapse(instruction, isWhole ? tooLate : "You never said that it was complete, so it was not sent.")
    }
    for instruction in run.queue { keepOrLapse(instruction, tooLate) }
    switch run.state {
    case .entering(let next): keepOrLapse(next.instruction, isEntered: true, tooLate)
    // The user halted it.
    case .withdrawing(let next): lapse(next.instruction, item: nil, tooLate)
    case .none, .running, .cancelling: break
    }
    if case .entering(let instruction, _) = run.steering { keepOrLapse(instruction, isEntered: true, tooLate) }
  }

  /// What is not sent when the session ends is offered again by a later one, as after a crash: only who rejects it, or
  /// quits, which a person is asked about before, has decided about it.
  private mutating func keepOrLapse(
    _ instruction: Instruction, item: HeldItemID? = nil, isEntered: Bool = false,
    returned: ReturnedInstruction? = nil, _ reason: String
  ) {
    guard outcome != .completed, settings.keepsUnsent else { return lapse(instruction, item: item, reason) }
    // It did not leave, whatever the ledger has of it.
    if isEntered { note(.held(instruction: instruction.id)) }
    show(.kept(item: item, instruction: instruction, doubt: returned?.doubt))
  }

  private mutating func lapse(_ instruction: Instruction, item: HeldItemID?, _ reason: String) {
    note(.lapsed(instruction: instruction.id))
    // What an earlier session left over stays open there.
    if item != nil, instruction.origin != nil { return show(.kept(item: item, instruction: instruction)) }
    show(.lapsed(item: item, text: instruction.text, reason: reason))
  }
}
