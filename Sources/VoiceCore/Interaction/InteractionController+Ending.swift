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
      && (run.isIdle && run.owed.isEmpty || waitsForNobody) && !speech.isActive && !armedTimers.contains(.interruption)
      && (held.isEmpty || !input.takesCommands) && !(armedTimers.contains(.latePiece) && draft.instruction != nil)
  }

  /// Whether the agent waits for an answer that nobody can give any more, or does not stop and nobody can say it again.
  var waitsForNobody: Bool {
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
        return finish(.failed(reason: "\(reason) It is in the session's recording; say it again, or type it."))
      }
      because("Ended: the input is over, and nothing was left to be answered, decided, done or said.")
      finish(.completed)
    case .failed(let reason):
      because("Ended: the microphone had failed, and nothing was left to be answered, decided, done or said.")
      finish(.failed(reason: reason))
    }
  }

  /// The user wants to leave by a key, which may have been pressed by mistake: what that would lose is told before, and a
  /// second time, soon, does it.
  mutating func leave() {
    let isAskedAgain =
      quitAskedAt.map { now <= $0.advanced(byMilliseconds: Limits.quitConfirmationMilliseconds) } ?? false
    guard !isAskedAgain, let unfinished else {
      because("Ended: the user quit.")
      return finish(.completed)
    }
    quitAskedAt = now
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
    if input.awaitsAnswer || floor.floor == .userSpeaking { parts.append("what you said has not been answered yet") }
    guard let first = parts.first?.first else { return nil }
    return first.uppercased() + parts.joined(separator: ", and ").dropFirst() + "."
  }

  /// End the session: silence, the work cancelled, and every item that was never decided told and closed in the ledger.
  /// No event may follow.
  mutating func finish(_ outcome: SessionOutcome) {
    if link.openConnection == nil, unanswered.hasWhole {
      show(.warning(text: "What you said last was not answered; it is in the session's recording."))
    }
    silence()
    if case .running(let current) = run.state { act(.cancelRun(run: current.id)) }
    if let own = run.own, !own.isHalted { act(.cancelRun(run: own.run.id)) }
    for item in held { lapse(item) }
    if let instruction = draft.take() {
      note(.lapsed(instruction: instruction.id))
      show(
        .lapsed(item: nil, text: instruction.text, reason: "You never said that it was complete, so it was not sent."))
    }
    for instruction in run.queue {
      note(.lapsed(instruction: instruction.id))
      show(
        .lapsed(item: nil, text: instruction.text, reason: "The session ended before it could be sent."))
    }
    switch run.state {
    case .entering(let next), .withdrawing(let next):
      note(.lapsed(instruction: next.instruction.id))
      show(.lapsed(item: nil, text: next.instruction.text, reason: "The session ended before it could be sent."))
    case .none, .running, .cancelling: break
    }
    if case .entering(let instruction) = run.steering {
      note(.lapsed(instruction: instruction.id))
      show(.lapsed(item: nil, text: instruction.text, reason: "The session ended before it could be sent."))
    }
    if let connection = link.currentConnection { act(.closeLink(connection: connection)) }
    link.gaveUp()
    self.outcome = outcome
    armedTimers = []
    if let sum = usage.sum { show(.usage(usage: sum)) }
    act(.end(outcome: outcome))
  }

  private mutating func lapse(_ item: HeldItem) {
    switch item.content {
    case .instruction(let instruction):
      note(.lapsed(instruction: instruction.id))
      show(.lapsed(item: item.id, text: instruction.text, reason: "Nobody approved it; it was not sent."))
    case .permission(_, let request): show(.lapsed(item: item.id, text: request.title, reason: "Nobody allowed it."))
    case .question(_, let question): show(.lapsed(item: item.id, text: question.text, reason: "Nobody answered it."))
    }
  }
}
