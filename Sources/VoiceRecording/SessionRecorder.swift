package import VoiceCore

/// Writes the log and the ledger of a live session. The session's one task is the only caller.
///
/// Steps are written before their actions are performed. A log that cannot be written is reported once, and the session
/// goes on; a ledger that cannot be written keeps the instruction from leaving.
package final class SessionRecorder: RecorderPort {
  private let post: @Sendable (VoiceEvent) -> Void
  private var log: LogWriter?
  private var ledger: Ledger
  private let echo: (@Sendable (LogLine) -> Void)?

  /// - Parameter echo: is shown each step as well, for a program that follows the session.
  package init(
    _ folder: SessionFolder, echo: (@Sendable (LogLine) -> Void)? = nil, post: @escaping @Sendable (VoiceEvent) -> Void
  ) throws(FileFailure) {
    self.post = post
    self.echo = echo
    log = try LogWriter(folder.log)
    ledger = try Ledger(folder.ledger)
  }

  package func record(_ step: VoiceStep) {
    echo?(LogLine(step: step))
    attempt { log throws(FileFailure) in try log.append(step) }
  }

  package func enterInLedger(_ instruction: Instruction, as run: RunID) {
    do {
      // Everything up to the decision is on disk before the instruction is.
      try log?.flush()
      try ledger.write(.entered(instruction: instruction, run: run))
      try ledger.flush()
      post(.ledgerEntered(instruction: instruction.id))
    } catch {
      post(.ledgerFailed(instruction: instruction.id, reason: error.description))
    }
  }

  package func noteInLedger(_ entry: LedgerEntry) {
    do {
      try ledger.write(entry)
    } catch {
      post(.recordingFailed(reason: error.description))
    }
  }

  /// Write what is gathered; called once, when the session is over.
  package func finish() { attempt { log throws(FileFailure) in try log.flush() } }

  private func attempt(_ write: (inout LogWriter) throws(FileFailure) -> Void) {
    guard var writer = log else { return }
    do {
      try write(&writer)
      log = writer
    } catch {
      log = nil
      post(.recordingFailed(reason: "\(error.description) The log stops here."))
    }
  }
}

/// A ledger in memory, for a session that keeps no record.
package final class UnrecordedSession: RecorderPort {
  private let post: @Sendable (VoiceEvent) -> Void

  package init(post: @escaping @Sendable (VoiceEvent) -> Void) { self.post = post }

  package func record(_ step: VoiceStep) {}
  package func enterInLedger(_ instruction: Instruction, as run: RunID) {
    post(.ledgerEntered(instruction: instruction.id))
  }
  package func noteInLedger(_ entry: LedgerEntry) {}
}
