import Dispatch
import VoiceSystem
package import VoiceVocabulary

/// Writes the log and the ledger of a live session. Called by the session's steps alone, one after the other; the disk is
/// waited for on a thread of its own.
///
/// Steps are written before their actions are performed. A log that cannot be written is reported once, and the session
/// goes on; a ledger that cannot be written keeps the instruction from leaving.
package final class SessionRecorder: RecorderPort {
  private let folder: SessionFolder
  private let post: @Sendable (VoiceEvent) -> Void
  private var log: LogWriter
  private var isLogLost = false
  private var ledger: Ledger
  private let leftOver: LeftOver?
  private let scrubber: Scrubber
  private let mark: RunningMark
  /// Whether every entry stands in the ledger: only then may the session count as settled.
  private var isLedgerWhole = true
  /// What is known of the folder's own fate. Removed, its files still take what is written, and nobody will read it.
  private enum FolderState { case there, removed }
  private var folderState = FolderState.there
  /// Of steps of sound, of which there may be a hundred a second, one in so many looks whether the folder is there.
  private static let soundStepsALook = 64
  private let disk = DispatchQueue(label: "parley.recorder.disk")
  private let firstFailure = Locked<String?>(nil)

  /// Why not everything could be written, as sentences; nil if everything was.
  package var failure: String? {
    if let reason = firstFailure.withLock({ $0 }) { return "\(reason) The ledger of the session is not complete." }
    return logFailure.map { "\($0) The log of the session is not complete." }
  }
  private var logFailure: String?

  /// - Parameters:
  ///   - scrubber: takes out what must not be written.
  ///   - leftOver: what earlier sessions left open.
  package init(
    _ folder: SessionFolder, scrubber: Scrubber = Scrubber(), leftOver: LeftOver? = nil,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws(FileFailure) {
    self.folder = folder
    self.post = post
    self.leftOver = leftOver
    self.scrubber = scrubber
    mark = try RunningMark(creating: folder.mark)
    log = try LogWriter(folder.log, scrubber: scrubber)
    ledger = try Ledger(folder.ledger, scrubber: scrubber)
    // Where the machine loses power, a file is of no use whose name is not on disk.
    disk.async { folder.flushNames() }
  }

  package func record(_ step: VoiceStep) {
    if !step.event.isSound { noteHalts(step) }
    attempt { log throws(FileFailure) in try log.append(step) }
    if !step.event.isSound || step.sequence % Self.soundStepsALook == 0 { lookAfterFolder() }
  }

  private func noteHalts(_ step: VoiceStep) {
    for entry in step.halts { noteInLedger(entry) }
  }

  /// Tell it once if somebody removed the folder; the session goes on.
  private func lookAfterFolder() {
    guard folderState == .there, log.file.isRemoved else { return }
    folderState = .removed
    post(
      .recordingFailed(
        reason:
          "\(folder.path) was removed, so nothing more of this session is recorded. The session goes on; to record "
          + "again, quit and start a new one."))
  }

  package func enterInLedger(_ instruction: Instruction, as run: RunID) {
    attempt { log throws(FileFailure) in try log.writeGathered() }
    do {
      try ledger.write(.entered(instruction: instruction, run: run))
    } catch {
      firstFailure.withLock { $0 = $0 ?? error.description }
      return post(.ledgerFailed(instruction: instruction.id, reason: error.description))
    }
    // Everything up to the decision is on disk before the instruction leaves.
    disk.async { [files = [log.file, ledger.file], firstFailure, post] in
      do throws(FileFailure) {
        for file in files { try file.flush() }
        post(.ledgerEntered(instruction: instruction.id))
      } catch {
        firstFailure.withLock { $0 = $0 ?? error.description }
        post(.ledgerFailed(instruction: instruction.id, reason: error.description))
      }
    }
  }

  package func noteInLedger(_ entry: LedgerEntry) {
    if case .proposed(let instruction) = entry { leftOver?.noteTaken(instruction, to: folder) }
    do {
      try ledger.write(entry)
      try leftOver?.note(entry, scrubber: scrubber)
    } catch {
      isLedgerWhole = false
      firstFailure.withLock { $0 = $0 ?? error.description }
      post(.recordingFailed(reason: error.description))
    }
  }

  /// Write what is gathered; called once, when the session is over. Unless it is complete, the mark of one that left
  /// something open stays, so that a later session offers that.
  /// - Parameter reports: what the agent told when no step was taken any more.
  package func finish(_ outcome: SessionOutcome, _ reports: LateReports = LateReports()) {
    for entry in untaken(outcome, reports) { noteInLedger(entry) }
    attempt { log throws(FileFailure) in try log.writeGathered() }
    disk.sync {}
    if isLedgerWhole, outcome == .completed || !leavesOpen { mark.remove() }
  }

  /// What becomes of instructions that were on their way when the session ended, and that the agent has told never to have begun:
  /// they are kept, like all that had not left, or dropped, as the user wanted. Of what it worked on, what the user halted is not open.
  private func untaken(_ outcome: SessionOutcome, _ reports: LateReports) -> [LedgerEntry] {
    (records ?? []).compactMap { record in
      guard let run = record.run else { return nil }
      let instruction = record.instruction.id
      if record.stage == .acknowledged {
        // Of this one alone: what was sent into the same run, and not taken, is open.
        return reports.isCompleted(run) || record.isHalted ? .settled(instruction: instruction) : nil
      }
      guard record.stage == .dispatched, reports.isUntaken(run) else { return nil }
      return outcome == .completed || record.isHalted
        ? .lapsed(instruction: instruction) : .held(instruction: instruction)
    }
  }

  private var leavesOpen: Bool { records?.contains(where: \.isOpen) ?? true }

  /// Nil if they cannot be read; who looks at them later learns why.
  private var records: [LedgerRecord]? {
    do throws(FileFailure) {
      return try LedgerReader(folder.ledger).records
    } catch {
      return nil
    }
  }

  private func attempt(_ write: (inout LogWriter) throws(FileFailure) -> Void) {
    if isLogLost { return }
    do {
      try write(&log)
    } catch {
      isLogLost = true
      logFailure = error.description
      post(.recordingFailed(reason: "\(error.description) The log stops here."))
    }
  }
}

extension VoiceStep {
  /// The runs that the user halts in it, as the ledger has them.
  var halts: [LedgerEntry] {
    // The end of the session stops everything, too.
    if actions.contains(where: { if case .end = $0 { true } else { false } }) { return [] }
    return actions.compactMap { if case .cancelRun(let run) = $0 { .halted(run: run) } else { nil } }
  }
}

/// A ledger in memory, for a session that keeps no record.
package final class UnrecordedSession: RecorderPort {
  private let leftOver: LeftOver?
  private let post: @Sendable (VoiceEvent) -> Void

  package init(leftOver: LeftOver? = nil, post: @escaping @Sendable (VoiceEvent) -> Void) {
    self.leftOver = leftOver
    self.post = post
  }

  package func record(_ step: VoiceStep) {}

  package func enterInLedger(_ instruction: Instruction, as run: RunID) {
    post(.ledgerEntered(instruction: instruction.id))
  }

  package func noteInLedger(_ entry: LedgerEntry) {
    do {
      try leftOver?.note(entry, scrubber: nil)
    } catch {
      post(.recordingFailed(reason: error.description))
    }
  }
}
