import VoiceLanguage
import VoiceVocabulary

/// What is whole and does not leave at once in direct mode: somebody speaks on already, and may be saying the rest of it; or it takes a
/// key in review mode, and what would turn it round ("unless the tests fail") may come behind a pause.
extension InteractionController {
  /// Why something that was said does not leave now.
  enum Waiting {
    /// Nobody ends like this.
    case unfinished
    /// Somebody speaks on.
    case followed
    /// It takes a key in review mode.
    case serious
  }

  /// Why what was said so far does not leave now; nil if it does.
  ///
  /// - Parameters:
  ///   - text: all of it.
  ///   - heard: what was heard of it; nil if no words are known.
  ///   - utterance: its last piece.
  func reasonToWait(_ text: String, heard: String?, _ utterance: HeardUtterance) -> Waiting? {
    if TextCompleteness(of: text) == .unfinished { return .unfinished }
    if isSpokenOn(behind: utterance) { return .followed }
    let takesKey = [text, heard].lazy.compactMap { $0 }.contains { said in
      // The slash of a command of the agent's own begins no path.
      let words = controls.command(in: said).map { String($0.dropFirst()) } ?? said
      return settings.keyboardOnly.match([words]) != nil
    }
    return takesKey ? .serious : nil
  }

  /// Let what was said so far wait.
  mutating func wait(_ reason: Waiting) -> ToolAnswer {
    switch reason {
    case .unfinished where input.takesCommands:
      because("Not sent yet: nobody ends like this, so the rest is waited for.")
      draft.stays()
      disarm(.leaving)
      arm(.latePiece, milliseconds: Limits.latePieceMilliseconds)
    case .unfinished:
      because("Not sent yet: the rest may follow; if not, it is sent as it is, since nobody could approve it.")
      leave(after: Limits.latePieceMilliseconds, isFollowed: false)
    case .followed:
      because("Not sent yet: somebody speaks on, and that may belong to it.")
      leave(after: 0, isFollowed: true)
    case .serious:
      because("Not sent yet: it would take a key in review mode, so what may follow is waited for.")
      leave(after: Limits.latePieceMilliseconds, isFollowed: false)
      show(.leaving(milliseconds: Limits.latePieceMilliseconds))
    }
    return .gathered
  }

  private mutating func leave(after milliseconds: Int, isFollowed: Bool) {
    disarm(.latePiece)
    draft.leaves(afterMilliseconds: milliseconds, isFollowed: isFollowed, at: now)
    arm(.leaving, milliseconds: Limits.latePieceMilliseconds)
  }

  /// Something else was said than the rest of what waits to leave: that goes first, or is held if this may take it back.
  mutating func letGo(before text: String, from utterance: HeardUtterance, doubt: String?) {
    guard draft.leaving != nil, let first = draft.instruction else { return }
    let goesOn = PartedSentence.goesOn(
      with: text, begunAt: utterance.start, after: first.text, takenAt: draft.shownSince)
    guard !goesOn else { return }
    guard doubt == nil else {
      because("Held: what was said behind it is doubtful.")
      return holdDraft()
    }
    because("Complete: what was said behind it is an instruction of its own.")
    _ = endDraft()
  }

  /// Whether somebody spoke on so soon that it may be the same sentence, and is not understood yet.
  private func isSpokenOn(behind utterance: HeardUtterance) -> Bool {
    let waits = marksUtterances && unanswered.utterances.contains { $0.emptyTurn == nil }
    guard waits || isSomethingOpen else { return false }
    // Where the pause is not known, only those can tell that there was one who hear each utterance by itself.
    guard let pause = utterance.pauseBeforeLastMilliseconds else { return engine.isPresent || marksUtterances }
    return pause <= Limits.latePieceMilliseconds
  }

  /// Whether somebody is speaking, or is being understood.
  private var isSomethingOpen: Bool { floor.floor == .userSpeaking || engine.isUnderstanding }

  /// Whether more of what waits to leave may come.
  private var mayGoOn: Bool {
    if isSomethingOpen || !floor.transcript.isEmpty { return true }
    // The local engine tells when it is at work.
    return draft.leaving?.isFollowed == true && !engine.isPresent && input.awaitsAnswer
  }

  /// What was being said, or understood, is over: its text comes now, if it has one.
  mutating func awaitTextBehind() {
    guard armedTimers.contains(.leaving), let leaving = draft.leaving, !mayGoOn else { return }
    arm(.leaving, milliseconds: max(Limits.textBehindMilliseconds, leaving.until.milliseconds(since: now)))
  }

  /// It is time that what is whole leaves; not while the user speaks on.
  mutating func leavingIsDue() {
    guard let leaving = draft.leaving else { return because("Ignored: nothing waits to be sent.") }
    guard mayGoOn else {
      because("Complete: the user did not go on.")
      _ = endDraft()
      return
    }
    guard now < leaving.since.advanced(byMilliseconds: Limits.longestLeavingMilliseconds) else {
      because("Held: what is said behind it is not understood.")
      show(.warning(text: "What is being said behind this is not understood, so it is held."))
      return holdDraft()
    }
    because("Waited for: somebody speaks on, or is being understood.")
    arm(.leaving, milliseconds: Limits.latePieceMilliseconds)
  }

  /// "No" or "wait", said of what is about to leave. Returns what the live model is to be told; nil if it was no such thing.
  mutating func decideLeaving(by utterance: HeardUtterance) -> ToolAnswer? {
    guard draft.instruction != nil, !settings.turnEnding.gathers else { return nil }
    switch SpokenDecision(utterance: utterance.heard) {
    case .reject where draft.leaving != nil:
      because("Held: the user rejects what was about to be sent.")
    case .wait:
      because("Held: the user asks to wait.")
    default: return nil
    }
    holdDraft()
    return .held
  }
}
