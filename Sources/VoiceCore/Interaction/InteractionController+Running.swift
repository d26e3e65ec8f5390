import VoiceLanguage
import VoiceVocabulary

/// The coding agent's work.
extension InteractionController {
  /// The agent can take instructions.
  mutating func agentReady(_ agent: AgentDescription) {
    controls.ready(agent)
    sessions.opened(agent.session)
    show(.agentReady(agent: agent))
    if let remark = agent.unaskedRemark { show(.warning(text: remark)) }
    approvalsReopened()
  }

  /// An instruction that was meant to be sent. It leaves only once it stands in the ledger.
  mutating func dispatch(_ instruction: Instruction) {
    guard !run.isAtWork else {
      if run.running != nil || run.own != nil, settings.duringRun != .queue { return dispatchNow(instruction) }
      return enqueue(instruction, because: "Queued: one run at a time, and one is at work.")
    }
    guard run.mayBegin(instruction.id) else { return holdBesideUnseen(instruction) }
    let next = RunRegion.Run(id: numbering.run(), instruction: remarked(instruction))
    run.begin(next)
    act(.enterInLedger(run: next.id, instruction: next.instruction))
  }

  private mutating func enqueue(_ instruction: Instruction, because reason: String? = nil) {
    guard run.enqueue(instruction) else {
      because("Held: \(Limits.queuedInstructions) approved instructions wait already.")
      show(.error(text: "Too many instructions wait already; this one is held."))
      return hold(
        .instruction(instruction: instruction), returned: .init(.unsent, "Too many instructions waited already."))
    }
    if let reason { because(reason) }
    show(.queued(instruction: instruction))
  }

  /// Nothing is begun beside work that may go on unseen: the user is told of that, and decides.
  private mutating func holdBesideUnseen(_ instruction: Instruction) {
    because("Held: run \(run.unseen?.run.rawValue ?? 0) was not seen to end, and may go on beside it.")
    show(
      .warning(
        text: "Not sent, because the agent may still be working on an earlier instruction: "
          + "“\(run.unseen?.text ?? "")”. Approve it to send it anyway."))
    say(.heldBesideUnseenWork, .report)
    hold(
      .instruction(instruction: instruction),
      returned: .init(.unsent, "The agent may still be working on an earlier instruction."))
  }

  /// The agent works, and the instruction is not to wait for the end of that.
  private mutating func dispatchNow(_ instruction: Instruction) {
    if settings.duringRun == .steer, reasonNotToSteer == nil {
      because("Into the running work, as the user has set it.")
      return steer(instruction)
    }
    if settings.duringRun == .halt {
      because("The work is stopped for what comes next, as the user has set it.")
      halt()
    }
    enqueue(instruction)
  }

  /// With what the agent should know of how its last answer was heard.
  private mutating func remarked(_ instruction: Instruction) -> Instruction {
    let remarks = remarks.takeAll()
    guard !remarks.isEmpty else { return instruction }
    var instruction = instruction
    instruction.remark = remarks.joined(separator: " ")
    return instruction
  }

  /// An instruction stands in the ledger, on disk: it may leave.
  mutating func ledgerEntered(_ instruction: InstructionID) {
    switch run.ledgerEntered(instruction) {
    case .steering(let further, let current): steeringEntered(further, into: current)
    case .withdrawn(let next): withdrawn(next)
    case .run(let next): send(next)
    case .unknown: because(Self.unknownEntry)
    }
  }

  private static let unknownEntry = "Ignored: this is not the instruction that waits for the ledger."

  private mutating func send(_ next: RunRegion.Run) {
    because("Sent: it stands in the ledger, on disk.")
    speech.replyBegins()
    work.begin()
    // Before it leaves, so that after a crash nothing is taken for unsent that was sent.
    note(.dispatched(instruction: next.instruction.id))
    act(.startRun(run: next.id, instruction: next.instruction))
    show(.runStarted(run: next.id, text: next.instruction.text))
    arm(.working(run: next.id), milliseconds: Limits.workingMilliseconds)
  }

  /// An instruction could not be written to the ledger: it does not leave, and is held again.
  mutating func ledgerFailed(_ instruction: InstructionID, _ reason: String) {
    switch run.ledgerFailed(instruction) {
    case .steering(let further, _): notSent(further, reason)
    case .withdrawn(let next): withdrawn(next)
    case .run(let next):
      notSent(next.instruction, reason)
      holdQueue(Self.followedUndone)
    case .unknown: because(Self.unknownEntry)
    }
  }

  private mutating func withdrawn(_ next: RunRegion.Run) {
    because("Not sent: it was halted while it was being recorded.")
    note(.lapsed(instruction: next.instruction.id))
    show(.lapsed(item: nil, text: next.instruction.text, reason: "It was halted before it was sent."))
    if let next = run.takeNext() { dispatch(next) }
    // Where that was held beside work that goes on unseen, the rest waits for nothing.
    if !run.isAtWork { holdQueue(Self.followedUndone) }
  }

  private mutating func notSent(_ instruction: Instruction, _ reason: String) {
    because("Held again: what is not in the ledger is not sent.")
    show(.error(text: "Not sent, and held again: \(reason)"))
    act(.playEarcon(earcon: .error))
    hold(.instruction(instruction: instruction), returned: .init(.unwritten, reason.asSentence))
  }

  private static let followedUndone = ReturnedInstruction(.unsent, "It was to follow work that was not done.")

  /// The agent told something of a run; what is not the current one is ignored.
  mutating func agentReported(_ event: AgentEvent, of id: RunID) {
    guard run.isCurrent(id) else { return because("Ignored: run \(id.rawValue) is not the current one.") }
    acknowledge(event, of: id)
    // What is still done after a halt was done, too.
    work.report(event)
    if case .usage(let used) = event { usage.agentUsed(used, in: id) }
    if case .turnEnded(let end) = event { return turnEnded(end, of: id) }
    // What became of an instruction matters however the run goes on.
    switch event {
    case .steered(let instruction): return steered(instruction)
    case .steeringRefused(let instruction, let reason): return steeringRefused(instruction, reason)
    default: break
    }
    // After a halt nothing but the end matters, and what the agent says about it: what it still does is not the user's
    // will any more.
    guard run.isWorking(id) else {
      guard case .status(let text) = event else { return because("Ignored: the run was told to stop.") }
      return show(.agentStatus(text: text))
    }
    switch event {
    case .turnStarted, .steered, .steeringRefused: break
    case .sessionReady(let session):
      sessions.opened(session)
      show(.agentSession(session: session))
    case .text(let delta):
      show(.agentText(delta: delta))
      openQuestion.replied(delta, at: now)
      speak(run.replied(delta, of: id), of: id)
      arm(.working(run: id), milliseconds: Limits.workingMilliseconds)
    case .paragraphEnded: flushReply(id)
    case .thought(let delta): show(.agentThought(delta: delta))
    case .toolStarted(let tool):
      pauseReply(id)
      show(.toolStarted(tool: tool))
    case .toolUpdated(_, let title): show(.agentStatus(text: title))
    case .toolFinished(let tool, let outcome): show(.toolFinished(id: tool, outcome: outcome))
    case .plan(let entries): show(.plan(entries: entries))
    case .permissionRequested(let request):
      pauseReply(id)
      holdRequest(.permission(run: id, request: request))
    case .permissionWithdrawn(let permission):
      dropRequests(because: "The agent does not wait for it any more.") { $1.isPermission(permission) }
    case .questionAsked(let question):
      pauseReply(id)
      holdRequest(.question(run: id, question: question))
    case .questionWithdrawn(let question):
      dropRequests(because: "The agent does not wait for it any more.") { $1.isQuestion(question) }
    case .usage, .toolResult: break
    case .status(let text): show(.agentStatus(text: text))
    case .turnEnded: break
    }
  }

  /// Any sign of work but a failure shows that the agent took the instruction.
  private mutating func acknowledge(_ event: AgentEvent, of id: RunID) {
    guard !run.isOwn(id) else { return }
    switch event {
    case .status, .usage, .steeringRefused, .turnEnded(.failed), .turnEnded(.unconfirmed): return
    default: break
    }
    if let instruction = run.acknowledged() { note(.acknowledged(instruction: instruction)) }
  }

  private mutating func speak(_ pieces: [String], of id: RunID) {
    for piece in pieces { say(.reply(piece), .reply(run: id)) }
  }

  private mutating func flushReply(_ id: RunID) { speak(run.flushed(id), of: id) }

  private mutating func pauseReply(_ id: RunID) { speak(run.paused(id), of: id) }

  private mutating func turnEnded(_ end: AgentTurnEnd, of id: RunID) {
    flushReply(id)
    let isOwn = run.isOwn(id)
    let over = run.ended(end, of: id)
    let (ended, end) = (over.run, over.end)
    disarm(.working(run: ended.id))
    disarm(.haltConfirmation(run: ended.id))
    note(.ended(run: ended.id, end: end))
    dropRequests(because: "The run is over.") { run, _ in run == ended.id }
    held.forgetAnswers(of: ended.id)
    show(.runEnded(run: ended.id, end: end))
    if over.wasHalted {
      reportHalted(end)
    } else if isOwn {
      reportOwn(end, of: ended)
    } else {
      report(end, of: ended)
    }
    if let unaccepted = over.unaccepted {
      let reason = "The work that it was sent into was over before it was taken."
      offerAgain(unaccepted, returned: .init(.unconfirmed, reason))
    }
    switch end {
    // What nobody asked for is not offered again, and what waits was not meant to follow it.
    case .failed where !isOwn, .unconfirmed where !isOwn:
      // Never sent again by itself, and not offered where the user wanted it stopped. What was to follow it was meant to come
      // after it.
      if over.wasHalted {
        note(.settled(instruction: ended.instruction.id))
      } else {
        offerAgain(ended.instruction, returned: end.returns)
      }
      holdQueue(over.wasHalted ? nil : Self.followedUndone)
    case .completed, .cancelled, .stopped, .failed, .unconfirmed:
      guard let next = run.takeNext() else { return }
      dispatch(next)
      // It is held beside work that may go on unseen: so is what was to follow it.
      if !run.isAtWork { holdQueue(Self.followedUndone) }
    }
  }

  /// Hold an instruction whose fate the user should decide anew: under a new number, since each is sent only once.
  mutating func offerAgain(_ instruction: Instruction, returned: ReturnedInstruction?) {
    var again = instruction
    again.id = numbering.instruction()
    // It was approved: there is nothing left open where it came from.
    again.origin = nil
    note(.proposed(instruction: again))
    because("Held again, under a new number: whether it was carried out is for the user to judge.")
    run.toldOfUnseen(again.id)
    hold(.instruction(instruction: again), returned: returned)
  }

  private mutating func report(_ end: AgentTurnEnd, of ended: RunRegion.Run) {
    switch end {
    case .completed where ended.voice == .notYetHeard: say(.done, .report)
    case .completed where ended.voice == .muted: act(.playEarcon(earcon: .done))
    case .completed: break
    case .cancelled: say(.stopped, .report)
    case .stopped(let reason): say(.agentStopped(reason: reason), .report)
    case .failed(let reason):
      act(.playEarcon(earcon: .error))
      show(.error(text: reason))
      say(.agentFailed(reason: reason), .report)
    case .unconfirmed(let reason, _):
      act(.playEarcon(earcon: .error))
      show(.error(text: "\(reason) It is not known how much of the instruction was carried out."))
      say(.agentLost(reason: reason), .report)
    }
  }

  /// The end of a run that the user wanted stopped: stopped only if that is so.
  private mutating func reportHalted(_ end: AgentTurnEnd) {
    switch end {
    case .cancelled, .stopped: say(.stopped, .report)
    case .completed:
      show(.warning(text: "The agent finished before it could be stopped; check what it did."))
      say(.completedBeforeItStopped, .report)
    case .failed(let reason):
      act(.playEarcon(earcon: .error))
      show(.error(text: reason))
      say(.failedBeforeItStopped(reason: reason), .report)
    case .unconfirmed(let reason, _):
      act(.playEarcon(earcon: .error))
      show(.error(text: reason))
      say(.notKnownToHaveStopped(reason: reason), .report)
    }
  }

  /// Nothing was heard of the agent for a while: a short sound says that it works.
  mutating func stillWorking(_ id: RunID) {
    guard run.isWorking(id) else { return }
    if !speech.isActive, held.isEmpty { act(.playEarcon(earcon: .working)) }
    arm(.working(run: id), milliseconds: Limits.workingMilliseconds)
  }

  /// Stop the work. What was approved to follow it is held again: it was meant to come after work that is not done.
  mutating func halt() {
    guard run.canBeHalted else { return }
    silence()
    let halted = run.haltAll()
    for current in halted {
      disarm(.working(run: current.id))
      act(.cancelRun(run: current.id))
    }
    show(.halting)
    for current in halted {
      arm(.haltConfirmation(run: current.id), milliseconds: Limits.haltConfirmationMilliseconds)
      dropRequests(because: "The run was halted.") { run, _ in run == current.id }
    }
    holdQueue(nil)
  }

  /// The user wants the work stopped; to ask again while that is not confirmed is to want it ended at any price.
  mutating func haltOrEscalate() {
    if hasUnansweredWords { floor.noteHalt(at: now) }
    // Nor does he want what is about to be sent.
    if draft.leaving != nil, dropDraft(), !run.canBeHalted, run.halted.isEmpty { return silence() }
    if run.canBeHalted { return halt() }
    let halted = run.halted
    silence()
    guard !halted.isEmpty else {
      because("Only speech was stopped: nothing is running.")
      return show(.cannot(text: "Nothing is running."))
    }
    because("Ended at any price: the user asked again while the halt was not confirmed.")
    for id in halted { act(.abandonRun(run: id)) }
    show(.escalated)
  }

  /// The agent has not confirmed a halt in time: the user is told.
  mutating func haltUnconfirmed(_ id: RunID) {
    guard run.isCurrent(id) else { return }
    show(.haltUnconfirmed)
    say(.stopUnconfirmed, .report)
  }

  /// - Parameter returned: why that was not done; nil where the user wanted it so.
  private mutating func holdQueue(_ returned: ReturnedInstruction?) {
    let waiting = run.takeQueue()
    if !waiting.isEmpty { because("Held again: it was to follow work that is not done.") }
    for var instruction in waiting {
      instruction.origin = nil
      run.toldOfUnseen(instruction.id)
      hold(.instruction(instruction: instruction), returned: returned)
    }
  }
}

extension HeldItem.Content {
  fileprivate func isPermission(_ id: PermissionID) -> Bool {
    if case .permission(_, let request) = self { request.id == id } else { false }
  }

  fileprivate func isQuestion(_ id: QuestionID) -> Bool {
    if case .question(_, let question) = self { question.id == id } else { false }
  }
}
