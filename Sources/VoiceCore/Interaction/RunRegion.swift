/// The coding agent's work: at most one run at a time, and the approved instructions behind it.
package struct RunRegion: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// Exits: `entering` (an instruction is handed on).
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

  package struct Run: Equatable, Sendable {
    package let id: RunID
    package let instruction: Instruction
    /// Cuts the answer into pieces to be spoken.
    package var chunker = SentenceChunker()
    /// Whether the rest of this answer is spoken; a barge-in or "quiet" ends that, and only that.
    package var voice: Voice = .notYetHeard
    /// Whether the agent gave a sign that it took the instruction.
    package var isAcknowledged = false

    package enum Voice: Equatable, Sendable { case notYetHeard, heard, muted }
  }

  /// An instruction on its way into the run that works.
  package enum Steering: Equatable, Sendable {
    /// Exits: `entering` (steer).
    case none
    /// It is being written to the ledger. Exits: `sent` (it stands there and the run still works), `none` (held again).
    case entering(Instruction)
    /// The agent has it. Exits: `none` (taken; or refused, or the run ended: it is held again).
    case sent(Instruction)
  }

  package var state: State = .none
  package var steering: Steering = .none
  /// Approved, waiting for the run before them, oldest first.
  package var queue: [Instruction] = []

  package init() {}

  package var isIdle: Bool { state == .none && queue.isEmpty }

  /// Whether there is work, under way or about to be, that was not told to stop.
  package var canBeHalted: Bool {
    switch state {
    case .entering, .running: true
    case .none, .withdrawing, .cancelling: false
    }
  }

  /// The run that is executing, if it was not told to stop.
  package var running: Run? {
    if case .running(let run) = state { return run }
    return nil
  }

  /// Whether this run has started and not ended.
  package func isCurrent(_ id: RunID) -> Bool {
    switch state {
    case .running(let run), .cancelling(let run): run.id == id
    case .none, .entering, .withdrawing: false
    }
  }

  /// The agent took the instruction of the run that executes, which is returned if that is news.
  mutating func acknowledge() -> InstructionID? {
    switch state {
    case .running(var run) where !run.isAcknowledged:
      run.isAcknowledged = true
      state = .running(run)
      return run.instruction.id
    case .cancelling(var run) where !run.isAcknowledged:
      run.isAcknowledged = true
      state = .cancelling(run)
      return run.instruction.id
    default: return nil
    }
  }

  /// Change the executing run; nothing happens if none executes.
  package mutating func update<Result>(_ body: (inout Run) -> Result) -> Result? {
    guard case .running(var run) = state else { return nil }
    defer { state = .running(run) }
    return body(&run)
  }
}

extension RunRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    switch state {
    case .none: digest.fold(0)
    case .entering(let run):
      digest.fold(1)
      run.fold(into: &digest)
    case .running(let run):
      digest.fold(2)
      run.fold(into: &digest)
    case .cancelling(let run):
      digest.fold(3)
      run.fold(into: &digest)
    case .withdrawing(let run):
      digest.fold(4)
      run.fold(into: &digest)
    }
    switch steering {
    case .none: digest.fold(0)
    case .entering(let instruction):
      digest.fold(1)
      instruction.fold(into: &digest)
    case .sent(let instruction):
      digest.fold(2)
      instruction.fold(into: &digest)
    }
    digest.fold(queue)
  }
}

extension RunRegion.Run: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(id.rawValue)
    instruction.fold(into: &digest)
    chunker.fold(into: &digest)
    switch voice {
    case .notYetHeard: digest.fold(0)
    case .heard: digest.fold(1)
    case .muted: digest.fold(2)
    }
    digest.fold(isAcknowledged)
  }
}
