import VoiceLanguage
import VoiceRecording
package import VoiceVocabulary

/// Watches a session's steps and says which of the promises of the design was broken, if any.
package struct SessionRules {
  package private(set) var violations: [String] = []

  private var settings = InteractionSettings()
  /// What becomes of what the agent asks now: nil while somebody decides it.
  private var unattended: InteractionSettings.Unattended?
  private var runningID: RunID?
  private var own = OwnRunRule()
  private var unseen = UnseenWorkRule()
  private var started: Set<InstructionID> = []
  private var inLedger: Set<InstructionID> = []
  private var written: Set<InstructionID> = []
  private var held: [HeldItem] = []
  private var current: HeldItemID?
  /// The time of the step.
  private var now = SessionTime.zero
  /// Since when the current item has been on the screen as it is; nil if it was not shown since it became that.
  private var shownAt: SessionTime?
  /// Since when another program has the terminal, which shows nothing.
  private var screenLentAt: SessionTime?
  /// When a command decided something last.
  private var commandDecidedAt: SessionTime?
  private var sound = MicrophoneRule()
  private var voice = VoiceRule()
  private var bareAnswer = BareAnswerRule()
  private var wholeness = WholeUtteranceRule()
  /// What the user was heard to say since something was proposed, piece by piece.
  private var heard: [String] = []
  /// The transcript of what nothing has come of so far.
  private var unanswered = UnansweredWords()
  private var approved: Set<InstructionID> = []
  /// Of what is too long to be shown at once: what the user was shown whole.
  private var shownWhole: Set<HeldItemID> = []
  private var answered: Set<CallID> = []
  private var seen: Set<CallID> = []
  private var cleared: Set<SpeechID> = []
  private var isLowered = false
  private var played: Set<SpeechID> = []
  private var endedPieces: Set<SpeechID> = []
  private var openConnection: ConnectionID?
  private var ready: Set<ConnectionID> = []
  private var closed: Set<ConnectionID> = []
  private var armed: Set<TimerID> = []
  private var sentPosition: [ConnectionID: Int] = [:]
  /// Proposed, and neither sent nor dropped so far.
  private var undecided: Set<InstructionID> = []
  private var hasEnded = false
  /// When what was said is a whole instruction, and the spoken ones of which the user has not said so yet.
  private var ending = TurnEnding(word: "", isLongThought: false)
  private var unfinished: Set<InstructionID> = []
  /// The user has shown by the key that what is still being understood is the last of it.
  private var isEndedByKey = false
  /// Whether the event of this step may end an instruction.
  private var isTurnEnded = true

  package init() {}

  /// Look at a step. What is broken is added to `violations`.
  package mutating func check(_ event: VoiceEvent, _ actions: [VoiceAction], at time: SessionTime) {
    if hasEnded { fail("an event after the end: \(event.words)") }
    now = time
    observe(event)
    violations += own.check(event, actions, &unseen)
    isTurnEnded = endsTurn(event)
    if isTurnEnded { unfinished = [] }
    if case .timerFired = event, actions.contains(.end(outcome: .completed)), let words = unanswered.text {
      fail("a completed session has not answered “\(words)”")
    }
    violations += InterimRule.check(event, actions)
    for action in actions { check(action, after: event) }
    if isLowered, !armed.contains(.interruption), !hasEnded { fail("the voice stays lowered: nothing will decide why") }
    switch event {
    // A call that comes twice, or on a connection that was left, is no answer to what was said since.
    case .instructionProposed(let call, _), .stopRequested(let call), .callRejected(let call, _):
      if isOpen(call.connection), seen.insert(call).inserted { heard = [] }
    default: break
    }
  }

  /// Whether this event may end an instruction that is said in pieces.
  private mutating func endsTurn(_ event: VoiceEvent) -> Bool {
    switch event {
    case .commandGiven(.done), .commandGiven(.longThought):
      isEndedByKey = true
      return true
    case .timerFired: return false
    case .instructionProposed(_, let text):
      return isEndedByKey || ending.isEnd(text, heard: heard.joined())
    case .modelTurnEnded: return isEndedByKey || ending.isEnd("", heard: heard.joined())
    default: return isEndedByKey
    }
  }

  /// What the user has not ended leaves only if he approves it.
  private mutating func checkIsWhole(_ instruction: Instruction) {
    if instruction.source == .voice, !approved.contains(instruction.id) { isEndedByKey = false }
    if unfinished.contains(instruction.id), !approved.contains(instruction.id) {
      fail("instruction \(instruction.id) leaves before the user had ended it")
    }
  }

  private func isOpen(_ connection: ConnectionID) -> Bool {
    connection == openConnection && !closed.contains(connection)
  }

  /// Whether this event decides what the user approves: a key or a line, or words that mean nothing else.
  private func mayApprove(_ event: VoiceEvent) -> Bool {
    switch event {
    case .commandGiven(.approve), .commandGiven(.steer), .commandGiven(.choose): true
    case .instructionProposed, .modelTurnEnded: hasSaid(.approve)
    default: false
    }
  }

  /// Whether the user's last words, since some moment, mean this and nothing else.
  private func hasSaid(_ decision: SpokenDecision) -> Bool {
    heard.indices.contains { SpokenDecision(utterance: heard[$0...].joined()) == decision }
  }

  private func mayAnswer(_ event: VoiceEvent) -> Bool {
    switch event {
    case .commandGiven(.choose), .commandGiven(.answer), .instructionProposed, .modelTurnEnded: true
    default: false
    }
  }

  private func mayDeny(_ event: VoiceEvent) -> Bool {
    switch event {
    case .commandGiven(.reject), .commandGiven(.choose), .timerFired(.answerLimit): true
    // What comes on top of too much, or when nobody decides any more, is refused.
    case .agentReported(_, .permissionRequested), .agentReported(_, .questionAsked), .commandsEnded:
      held.count >= Limits.heldItems || unattended == .refuses
    case .instructionProposed, .modelTurnEnded, .stopRequested: hasSaid(.reject)
    default: mayApprove(event)
    }
  }

  /// What decides an item must come after the item was shown, whole, for the set time. And of what is pressed at once, at
  /// most one decides: the item behind it was not shown before.
  private mutating func checkWasShown(_ item: HeldItemID, _ event: VoiceEvent) {
    // Time denies what nobody decided, and a withdrawal decides nothing.
    if case .timerFired = event { return }
    let isVisible = screenLentAt.map { lent in shownAt.map { $0 < lent } ?? false } ?? true
    if isVisible, settings.shownMilliseconds <= 0 { return }
    let command: UserCommand? = if case .commandGiven(let command) = event { command } else { nil }
    let most = command.map { settings.shownMilliseconds(beforeCommand: $0.isTyped) } ?? settings.shownMilliseconds
    guard isVisible, let shownAt, now >= shownAt.advanced(byMilliseconds: most) else {
      return fail("item \(item) was decided by \(event.words) before it was shown for \(settings.shownMilliseconds) ms")
    }
    if command != nil, let last = commandDecidedAt, now < last.advanced(byMilliseconds: settings.shownMilliseconds) {
      fail("item \(item) was decided by a command in the same burst as the item before it")
    }
    if command != nil { commandDecidedAt = now }
  }

  /// What is allowed was shown to its end.
  private mutating func checkWasWhole(_ id: HeldItemID) {
    guard let item = held.first(where: { $0.id == id }), case .permission(_, let request) = item.content else { return }
    if request.refusal(ofAllowing: shownWhole.contains(id)) != nil {
      fail("item \(id) was allowed, and not all of it had been shown")
    }
  }

  /// Words decide only what was heard since it was shown: a transcript alone, which a server may make up, is nobody's word.
  private mutating func checkWasHeard(_ item: HeldItemID, _ event: VoiceEvent) {
    switch event {
    case .instructionProposed, .modelTurnEnded, .stopRequested:
      if let violation = bareAnswer.violation(by: heard, decidingAbout: item) { fail(violation) }
      if let shownAt, voice.wasHeard(since: shownAt) { return }
      fail("item \(item) was decided by \(event.words), and nothing was heard since it was shown")
    default: break
    }
  }

  /// The item was decided, or cannot be decided any more.
  private mutating func leave(_ item: HeldItemID) {
    guard let place = held.firstIndex(where: { $0.id == item }) else {
      return fail("item \(item) leaves, but was not held")
    }
    held.remove(at: place)
    if current == item {
      (current, shownAt) = (held.isEmpty ? nil : held[min(place, held.count - 1)].id, nil)
    }
  }

  private mutating func fail(_ text: String) { violations.append(text) }

  private mutating func observe(_ event: VoiceEvent) {
    voice.observe(event, isOpen: sound.isOpen, at: now)
    bareAnswer.observe(event, held)
    switch event {
    case .sessionStarted(let settings):
      (self.settings, ending) = (settings, settings.turnEnding)
      sound = MicrophoneRule(isOpen: settings.startsListening, settings: settings)
    case .microphoneFrame(let frame):
      sound.heard(frame)
      wholeness.heard(frame, isOpen: sound.isOpen)
    case .playbackEnded(let speech), .playbackCleared(let speech?, _): endedPieces.insert(speech)
    case .speakerFailed: endedPieces.formUnion(played)
    case .commandsEnded: unattended = settings.unattended
    case .screenLent: screenLentAt = screenLentAt ?? now
    case .screenReturned:
      // What came up meanwhile is seen only now; and everything, if nobody could say that the screen would be another's.
      if let shown = shownAt, shown >= screenLentAt ?? shown { shownAt = now }
      (shownWhole, screenLentAt) = (screenLentAt == nil ? [] : shownWhole, nil)
    case .commandGiven(.mode(let new)): settings.mode = new
    case .userTranscribed(let connection, let text, _, _):
      if isOpen(connection) {
        heard.append(text)
        unanswered.heard(text, at: now)
      }
    case .instructionProposed(let call, let text): if isOpen(call.connection) { unanswered.called(text, at: now) }
    case .stopRequested(let call), .callRejected(let call, _):
      if isOpen(call.connection) { unanswered.called("", at: now) }
    case .modelTurnEnded(let connection): if isOpen(connection) { unanswered.dealtWith() }
    case .ledgerEntered(let instruction): if inLedger.contains(instruction) { written.insert(instruction) }
    case .agentReported(let run, .turnEnded(let end)) where run == runningID:
      runningID = nil
      unseen.ended(end)
    case .linkReady(let connection, _): ready.insert(connection)
    case .linkClosed(let connection, _):
      // It is heard again.
      if isOpen(connection) { unanswered.dealtWith() }
      closed.insert(connection)
    case .timerFired(let timer): armed.remove(timer)
    default: break
    }
  }

  private mutating func check(_ action: VoiceAction, after event: VoiceEvent) {
    if hasEnded { fail("an action after the end: \(action.words)") }
    checkWork(action, after: event)
    checkLink(action, after: event)
    checkHeld(action, after: event)
    switch action {
    case .play(let speech, _):
      if cleared.contains(speech) { fail("speech \(speech) plays after it was cleared") }
      played.insert(speech)
    case .duckPlayback: isLowered = true
    case .resumePlayback: isLowered = false
    case .clearPlayback:
      (isLowered, cleared) = (false, cleared.union(played))
    case .startTimer(let timer, _): armed.insert(timer)
    case .cancelTimer(let timer):
      if armed.remove(timer) == nil { fail("the timer “\(timer.words)” was cancelled but not armed") }
    case .show(.longThought(let isOn)): ending = ending.thinking(long: isOn)
    case .noteInLedger(let entry): take(entry, after: event)
    case .show(.kept(_, let instruction, _)): undecided.remove(instruction.id)
    case .end:
      hasEnded = true
      for instruction in undecided.sorted() { fail("instruction \(instruction.rawValue) is lost at the end") }
      if case .timerFired(.endOfInput) = event {
        for speech in played.subtracting(endedPieces).subtracting(cleared) { fail("speech \(speech) never ended") }
      }
    default: break
    }
  }

  /// What is handed to the agent, and what the agent is told.
  private mutating func checkWork(_ action: VoiceAction, after event: VoiceEvent) {
    switch action {
    case .enterInLedger(_, let instruction):
      if case .timerFired(let timer) = event, timer != .leaving { fail("time sent an instruction") }
      if settings.mode == .review, !approved.contains(instruction.id) {
        fail("instruction \(instruction.id) goes out in review mode without an approval")
      }
      checkIsWhole(instruction)
      if runningID == nil, let violation = unseen.violation(by: instruction.id) { fail(violation) }
      inLedger.insert(instruction.id)
    case .startRun(let run, let instruction):
      if let runningID { fail("run \(run) starts while \(runningID) runs") }
      if !written.contains(instruction.id) { fail("run \(run) starts before it is in the ledger") }
      if !started.insert(instruction.id).inserted { fail("instruction \(instruction.id) is sent twice") }
      runningID = run
    case .steerRun(let run, let instruction):
      if run != runningID { fail("run \(run) is steered and does not run") }
      if !written.contains(instruction.id) { fail("run \(run) is steered before it is in the ledger") }
      if !started.insert(instruction.id).inserted { fail("instruction \(instruction.id) is sent twice") }
    case .cancelRun:
      switch event {
      case .voiceStarted, .modelInterrupted: fail("a barge-in cancelled a run")
      default: break
      }
    case .answerPermission(_, _, let choice, let reason):
      let mayBe = choice.allows ? mayApprove(event) && reason == nil : mayDeny(event)
      if !mayBe { fail("a permission was answered (\(choice.words)) by \(event.words)") }
    case .answerQuestion(_, _, let answer):
      if answer == .declined ? !mayDeny(event) : !mayAnswer(event) { fail("a question was answered by \(event.words)") }
    case .show(.queued(let instruction)):
      checkIsWhole(instruction)
      if settings.mode == .review, !approved.contains(instruction.id) {
        fail("instruction \(instruction.id) is queued without an approval")
      }
      approved.insert(instruction.id)
    default: break
    }
  }

  /// What goes over a connection.
  private mutating func checkLink(_ action: VoiceAction, after event: VoiceEvent) {
    switch action {
    case .answerCall(let call, _):
      if !answered.insert(call).inserted { fail("call \(call.id) was answered twice") }
      if closed.contains(call.connection) { fail("call \(call.id) was answered on a closed connection") }
    case .openLink(let connection, _):
      if let openConnection, !closed.contains(openConnection) {
        fail("connection \(connection) opens beside connection \(openConnection)")
      }
      openConnection = connection
    case .closeLink(let connection):
      unanswered.dealtWith()
      closed.insert(connection)
    case .sendAudio(let connection, let frame):
      if !ready.contains(connection) || closed.contains(connection) {
        fail("sound on connection \(connection), which is not open")
      }
      if let last = sentPosition[connection], frame.position <= last {
        fail("sound went backwards on connection \(connection)")
      }
      sentPosition[connection] = frame.position
      if let violation = sound.violation(by: frame) { fail(violation) }
      if let violation = wholeness.violation(by: frame, on: connection) { fail(violation) }
    case .sendActivityStart:
      // On a new connection, what was said before is said again.
      if case .linkReady = event { break }
      if !sound.isOpen { fail("an utterance begins at a closed microphone") }
    case .show(.listeningChanged(let isOn)):
      if isOn, !event.opensMicrophone(under: settings) { fail("a closed microphone was opened by \(event.words)") }
      sound.switched(isOpen: isOn)
      voice.switched(isOpen: isOn, at: now)
    case .show(.listening): if !sound.isOpen { fail("a closed microphone is shown as listening") }
    default: break
    }
  }

  /// What waits for the user.
  private mutating func checkHeld(_ action: VoiceAction, after event: VoiceEvent) {
    switch action {
    case .show(.held(let item, _)):
      held.append(item)
      if current == nil {
        current = item.id
        shownAt = now
      }
      // It is to be approved anew, whatever was approved before.
      if case .instruction(let instruction) = item.content { approved.remove(instruction.id) }
      unseen.held(item)
    case .show(.selected(let item, _, _, _)):
      if !held.contains(where: { $0.id == item.id }) { fail("item \(item.id) is selected, but was not held") }
      current = item.id
      shownAt = now
    case .show(.amended(let item, _)):
      // What the user typed himself he has seen.
      if case .commandGiven(.amend) = event { break }
      if item == current { shownAt = now }
    case .show(.approved(let item, _)):
      checkWasShown(item, event)
      checkWasHeard(item, event)
      if !mayApprove(event) { fail("item \(item) was approved by \(event.words)") }
      if item != current { fail("item \(item) was approved while item \(current?.rawValue ?? 0) was the current one") }
      for case .instruction(let instruction) in held.filter({ $0.id == item }).map(\.content) {
        approved.insert(instruction.id)
        unseen.approved(instruction.id)
      }
      leave(item)
    case .show(.explained(let item, _)):
      let isLong = held.contains { $0.id == item && $0.content.isCutShort }
      if isLong, shownWhole.insert(item).inserted, item == current { shownAt = now }
    case .show(.rejected(let item, _)), .show(.permissionAnswered(let item, _, _)),
      .show(.questionAnswered(let item, _, _)):
      if case .show(.permissionAnswered(_, _, let choice)) = action, choice.allows { checkWasWhole(item) }
      checkWasShown(item, event)
      checkWasHeard(item, event)
      if item != current { fail("item \(item) was decided while item \(current?.rawValue ?? 0) was the current one") }
      leave(item)
    case .show(.lapsed(let item?, _, _)), .show(.kept(let item?, _, _)): leave(item)
    default: break
    }
  }

  private mutating func take(_ entry: LedgerEntry, after event: VoiceEvent) {
    switch entry {
    case .proposed(let instruction):
      undecided.insert(instruction.id)
      if instruction.source == .voice, !isTurnEnded { unfinished.insert(instruction.id) }
      // The reason of a denial is the user's own word to the agent: giving it is its approval.
      if case .commandGiven(.reject(instruction.text)) = event { approved.insert(instruction.id) }
    case .dispatched(let instruction), .rejected(let instruction), .lapsed(let instruction):
      if undecided.remove(instruction) == nil { fail("instruction \(instruction.rawValue) has two fates") }
    // Also of what was sent into a run that did not take it.
    case .withdrawn(let instruction): undecided.remove(instruction)
    default: break
    }
  }
}
