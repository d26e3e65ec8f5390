import VoiceLanguage
package import VoiceVocabulary

/// The coding agent's work: at most one run at a time, and the approved instructions behind it.
package struct RunRegion: Equatable, Sendable {
  /// What the agent is doing.
  package enum State: Equatable, Sendable {
    /// Exits: `entering` (an instruction is dispatched).
    case none
    /// The instruction is being written to the ledger. Exits: `running` (it stands there), `none` (it could not be),
    /// `withdrawing` (halt).
    case entering(Run)
    /// Halted while it is being written: it does not leave. Exits: `none` (whatever the ledger answers).
    case withdrawing(Run)
    /// Exits: `none` (turn ended), `cancelling` (halt).
    case running(Run)
    /// Told to stop. Exits: `none` (turn ended, however it ended).
    case cancelling(Run)
  }

  /// One instruction in the agent's hands.
  package struct Run: Equatable, Sendable {
    package let id: RunID
    package let instruction: Instruction
    /// Cuts the answer into pieces to be spoken.
    var chunker = SentenceChunker()
    /// Whether the rest of this answer is spoken; a barge-in or "quiet" ends that, and only that.
    package fileprivate(set) var voice: Voice = .notYetHeard
    /// Whether the agent gave a sign that it took the instruction.
    package fileprivate(set) var isAcknowledged = false

    /// Whether its answer was heard.
    package enum Voice: Equatable, Sendable { case notYetHeard, heard, muted }
  }

  /// An instruction on its way into the run that works.
  package enum Steering: Equatable, Sendable {
    /// Exits: `entering` (steer).
    case none
    /// It is being written to the ledger, for this run. Exits: `sent` (it stands there and the run still works), `none` (held again).
    case entering(Instruction, into: RunID)
    /// The agent has it. Exits: `none` (taken; or refused, or the run ended: it is held again).
    case sent(Instruction)
  }

  /// Work that the agent began by itself.
  package struct Own: Equatable, Sendable {
    package fileprivate(set) var run: Run
    /// Whether it was told to stop.
    package fileprivate(set) var isHalted = false
  }

  /// Work that nobody watches any more, and that may go on. Nothing is begun beside it before the user, told of it, has said so.
  package struct Unseen: Equatable, Sendable {
    package let run: RunID
    /// What was to be done.
    package let text: String
    /// Instructions that were held for it: to approve one of these is to know of it.
    fileprivate(set) var told: Set<InstructionID> = []
  }

  package private(set) var state: State = .none
  /// Set where a run ends unconfirmed and the agent may go on with it; cleared when the user decides to go on nevertheless.
  package private(set) var unseen: Unseen?
  /// Set where the agent begins something by itself; cleared when that turn ends. Meanwhile the user's instruction waits at the agent,
  /// if it is already there.
  package private(set) var own: Own?
  /// What the agent will come back to by itself.
  package private(set) var owed: [String] = []
  package private(set) var steering: Steering = .none
  /// Approved, waiting for the run before them, oldest first.
  package private(set) var queue: [Instruction] = []

  /// Whether nothing is at work, and nothing is queued.
  package var isIdle: Bool { !isAtWork && queue.isEmpty }

  /// Whether something is under way, the user's or the agent's own.
  package var isAtWork: Bool { state != .none || own != nil }

  /// Whether there is work, under way or about to be, that was not told to stop.
  package var canBeHalted: Bool {
    if own?.isHalted == false { return true }
    switch state {
    case .entering, .running: return true
    case .none, .withdrawing, .cancelling: return false
    }
  }

  /// The run that is executing, if it was not told to stop.
  package var running: Run? {
    if case .running(let run) = state { return run }
    return nil
  }

  /// Whether this run has started and not ended.
  package func isCurrent(_ id: RunID) -> Bool { started?.id == id || isOwn(id) }

  /// Whether this is the run that the agent began by itself.
  package func isOwn(_ id: RunID) -> Bool { own?.run.id == id }

  /// Whether this run is executing and was not told to stop.
  package func isWorking(_ id: RunID) -> Bool { working(id) != nil }

  private func working(_ id: RunID) -> Run? {
    if let own, own.run.id == id { return own.isHalted ? nil : own.run }
    return running?.id == id ? running : nil
  }

  /// The runs that were told to stop and have not ended.
  package var halted: [RunID] {
    var halted: [RunID] = []
    if case .cancelling(let run) = state { halted.append(run.id) }
    if let own, own.isHalted { halted.append(own.run.id) }
    return halted
  }

  /// The run that has started and not ended, told to stop or not.
  private var started: Run? {
    switch state {
    case .running(let run), .cancelling(let run): run
    case .none, .entering, .withdrawing: nil
    }
  }
}

// MARK: - From the approval to the end

extension RunRegion {
  /// What becomes of an instruction about which the ledger has answered.
  package enum LedgerAnswer: Equatable, Sendable {
    /// It is the run's own: it leaves now, or is held again where the ledger could not take it.
    case run(Run)
    /// It was halted meanwhile, and does not leave.
    case withdrawn(Run)
    /// It goes into this run; nil if that has ended meanwhile.
    case steering(Instruction, into: Run?)
    /// Nothing waits for this answer.
    case unknown
  }

  /// An instruction is dispatched while nothing is under way: the ledger comes first.
  ///
  /// To be asked only if `mayBegin`.
  package mutating func begin(_ run: Run) {
    precondition(!isAtWork, "one run at a time")
    state = .entering(run)
  }

  /// Whether this instruction may be begun now. Beside work that goes on unseen it may not, until the user was told of that; it
  /// may the next time, which is the user's own decision, and then nothing is waited for any more.
  package mutating func mayBegin(_ instruction: InstructionID) -> Bool {
    guard let unseen else { return true }
    guard unseen.told.contains(instruction) else {
      toldOfUnseen(instruction)
      return false
    }
    self.unseen = nil
    return true
  }

  /// This instruction is held, and the user is told of the work that goes on unseen.
  package mutating func toldOfUnseen(_ instruction: InstructionID) { unseen?.told.insert(instruction) }

  /// An instruction is to follow what is under way. Returns false if too many wait already.
  package mutating func enqueue(_ instruction: Instruction) -> Bool {
    guard queue.count < Limits.queuedInstructions else { return false }
    queue.append(instruction)
    return true
  }

  /// The instruction whose turn it is, taken out of the queue; nil if none waits, or something is still at work.
  package mutating func takeNext() -> Instruction? { queue.isEmpty || isAtWork ? nil : queue.removeFirst() }

  /// What was to follow does not.
  package mutating func takeQueue() -> [Instruction] {
    defer { queue = [] }
    return queue
  }

  /// The instruction stands in the ledger.
  package mutating func ledgerEntered(_ instruction: InstructionID) -> LedgerAnswer {
    ledgerAnswered(instruction, isEntered: true)
  }

  /// The ledger could not take the instruction: it does not leave.
  package mutating func ledgerFailed(_ instruction: InstructionID) -> LedgerAnswer {
    ledgerAnswered(instruction, isEntered: false)
  }

  private mutating func ledgerAnswered(_ instruction: InstructionID, isEntered: Bool) -> LedgerAnswer {
    if case .entering(let further, let run) = steering, further.id == instruction {
      // Another may work by now.
      let target = running?.id == run ? running : nil
      steering = isEntered && target != nil ? .sent(further) : .none
      return .steering(further, into: target)
    }
    switch state {
    case .entering(let run) where run.instruction.id == instruction:
      state = isEntered ? .running(run) : .none
      return .run(run)
    case .withdrawing(let run) where run.instruction.id == instruction:
      state = .none
      return .withdrawn(run)
    default: return .unknown
    }
  }

  /// All that is at work is to stop. Returns the runs that are to be told; none of an instruction that has not left, and will not.
  package mutating func haltAll() -> [Run] {
    var told: [Run] = []
    switch state {
    case .entering(let run): state = .withdrawing(run)
    case .running(let run):
      state = .cancelling(run)
      told.append(run)
    case .none, .withdrawing, .cancelling: break
    }
    if let run = own?.run, own?.isHalted == false {
      own?.isHalted = true
      told.append(run)
    }
    return told
  }

  /// The agent began something by itself. Returns whether that can be: it works on one thing at a time.
  package mutating func ownBegan(_ run: Run) -> Bool {
    guard own == nil else { return false }
    own = Own(run: run)
    return true
  }

  /// All that the agent will come back to by itself. Returns what is new of it.
  package mutating func owes(_ work: [String]) -> [String] {
    defer { owed = work }
    return work.filter { !owed.contains($0) }
  }

  /// The agent took the instruction of the run that executes, which is returned if that is news.
  package mutating func acknowledged() -> InstructionID? {
    guard var run = started, !run.isAcknowledged else { return nil }
    run.isAcknowledged = true
    replace(run)
    return run.instruction.id
  }

  /// A run that is over.
  package struct Ended: Equatable, Sendable {
    package let run: Run
    /// How it ended, as the user is told.
    package let end: AgentTurnEnd
    /// Whether it was told to stop before.
    package let wasHalted: Bool
    /// What was sent into it, and not accepted by the agent.
    package let unaccepted: Instruction?
  }

  /// A run is over, as the agent says.
  ///
  /// A limit that the agent ran into after a halt is a stop like another. One that did all its work in spite of it did all its
  /// work, and one that did not confirm is not known to have stopped.
  package mutating func ended(_ end: AgentTurnEnd, of id: RunID) -> Ended {
    if let own, own.run.id == id { return ended(end, of: own) }
    guard let run = started else { preconditionFailure("a run ended that did not run") }
    let wasHalted = if case .cancelling = state { true } else { false }
    var end = end
    if wasHalted, case .stopped = end { end = .cancelled }
    if case .unconfirmed(_, true) = end { unseen = Unseen(run: run.id, text: run.instruction.text) }
    state = .none
    var unaccepted: Instruction?
    if case .sent(let further) = steering {
      steering = .none
      unaccepted = further
    }
    return Ended(run: run, end: end, wasHalted: wasHalted, unaccepted: unaccepted)
  }

  private mutating func ended(_ end: AgentTurnEnd, of own: Own) -> Ended {
    var end = end
    if own.isHalted, case .stopped = end { end = .cancelled }
    if case .unconfirmed(_, true) = end { unseen = Unseen(run: own.run.id, text: own.run.instruction.text) }
    self.own = nil
    return Ended(run: own.run, end: end, wasHalted: own.isHalted, unaccepted: nil)
  }

  private mutating func replace(_ run: Run) {
    if isOwn(run.id) {
      own?.run = run
      return
    }
    switch state {
    case .running: state = .running(run)
    case .cancelling: state = .cancelling(run)
    case .none, .entering, .withdrawing: break
    }
  }
}

// MARK: - Into the running work

extension RunRegion {
  /// An instruction is to go into the running work: the ledger comes first.
  package mutating func steer(_ instruction: Instruction) -> RunID {
    guard let running, steering == .none else { preconditionFailure("nothing runs that could be steered") }
    steering = .entering(instruction, into: running.id)
    return running.id
  }

  /// The agent took what was sent into its work. Returns whether that is news.
  package mutating func steered(_ instruction: InstructionID) -> Bool { takeSent(instruction) != nil }

  /// The agent did not take what was sent into its work, which is returned.
  package mutating func steeringRefused(_ instruction: InstructionID) -> Instruction? { takeSent(instruction) }

  private mutating func takeSent(_ instruction: InstructionID) -> Instruction? {
    guard case .sent(let sent) = steering, sent.id == instruction else { return nil }
    steering = .none
    return sent
  }
}

// MARK: - The answer

extension RunRegion {
  /// More of the answer came. Returns the pieces that can be spoken; none of a halted run.
  package mutating func replied(_ delta: String, of id: RunID) -> [String] { pieces(id) { $0.chunker.append(delta) } }

  /// A paragraph of the answer is over, or all of it: the rest of it that was not spoken yet is a piece.
  package mutating func flushed(_ id: RunID) -> [String] { pieces(id) { $0.chunker.flush() } }

  /// The same where the agent does something else before it goes on.
  package mutating func paused(_ id: RunID) -> [String] { pieces(id) { $0.chunker.pause() } }

  /// The rest of what is being answered is not spoken.
  package mutating func mute() {
    for var run in [running, own?.run].compactMap(\.self) {
      run.voice = .muted
      replace(run)
    }
  }

  private mutating func pieces(_ id: RunID, _ cut: (inout Run) -> [String]) -> [String] {
    guard var run = working(id) else { return [] }
    let pieces = cut(&run)
    let isSpoken = run.voice != .muted
    if isSpoken, !pieces.isEmpty { run.voice = .heard }
    replace(run)
    return isSpoken ? pieces : []
  }
}
