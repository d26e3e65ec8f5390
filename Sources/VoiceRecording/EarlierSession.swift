import VoiceFoundation
import VoiceSystem
package import VoiceVocabulary

/// A session that left something open: it broke off, because its process was killed or its machine lost power, or it was
/// ended before everything was sent. As long as this value lives, no other program offers that again.
package final class EarlierSession: Sendable {
  package let folder: SessionFolder
  /// The folder's name, or its path where it is in a place of its own, by which the session is named to people.
  package let name: String
  package let damage: String?
  /// How it ended; nil if it broke off.
  package let outcome: SessionOutcome?
  /// Where its agent worked, absolute and without links; nil if that is not known.
  package let workingFolder: String?
  private let mark: RunningMark
  private struct State {
    var records: [LedgerRecord]
    /// What the ledger is to be told first of all.
    var lacking: [LedgerEntry]
  }
  private let state: Locked<State>

  /// Nil for a session that left nothing open, or still runs.
  package init?(_ folder: SessionFolder, isPlaced: Bool = false) {
    guard let mark = RunningMark(taking: folder.mark) else { return nil }
    self.folder = folder
    self.mark = mark
    name = isPlaced ? folder.path : folder.path.split(separator: "/").last.map(String.init) ?? folder.path
    let tail = LogTail(folder.log)
    outcome = tail.outcome
    workingFolder = Self.workingFolder(folder)
    let reader: LedgerReader
    do {
      reader = try LedgerReader(folder.ledger, tail: tail.entries)
      damage = reader.damage
    } catch {
      // It broke off before there was one; or what is there is none.
      reader = LedgerReader(Data(), from: folder.ledger, tail: tail.entries)
      damage = PlainFile.isThere(folder.ledger) ? error.description : nil
    }
    state = Locked(State(records: reader.records, lacking: reader.lacking))
  }

  /// Sessions of older programs do not tell, and what a secret was taken out of is no path any more.
  private static func workingFolder(_ folder: SessionFolder) -> String? {
    do throws(FileFailure) {
      let path = try SessionManifest(reading: folder.manifest).workingFolder
      return path.flatMap { $0.hasPrefix("/") && !$0.contains(Scrubber.markText) ? $0 : nil }
    } catch {
      return nil
    }
  }

  /// The instructions of the session, in order.
  package var records: [LedgerRecord] { state.withLock { $0.records } }

  /// The user has decided about this instruction, or it lives on in a later session: it is not offered again. Once
  /// nothing is open, the session counts as ended.
  package func settle(_ instruction: InstructionID) throws(FileFailure) {
    try enter(.settled(instruction: instruction), of: instruction) { $0.isSettled = true }
    closeIfSettled()
  }

  /// What it left open was changed by a later session, which has not sent it: so it is offered from now on.
  /// - Parameter scrubber: takes out what must not be written.
  package func amend(_ instruction: InstructionID, to text: String, scrubber: Scrubber) throws(FileFailure) {
    try enter(.amended(instruction: instruction, text: text), of: instruction, scrubber) { $0.instruction.text = text }
  }

  /// It was taken over by the session in a folder, which offers it under another number. Told before it is offered there.
  func noteTaken(_ instruction: InstructionID, to folder: SessionFolder, as number: InstructionID) throws(FileFailure) {
    let heir = LedgerRecord.Heir(folder: Self.place(of: folder), number: number)
    try enter(.takenOver(instruction: instruction, folder: heir.folder, number: number), of: instruction) {
      $0.heirs.append(heir)
    }
  }

  /// By which a session is told from all others, wherever one looks from.
  private static func place(of folder: SessionFolder) -> String { PlainFile.real(folder.path) ?? folder.path }

  private func enter(
    _ entry: LedgerEntry, of instruction: InstructionID, _ scrubber: Scrubber = Scrubber(),
    _ change: (inout LedgerRecord) -> Void
  ) throws(FileFailure) {
    try write([entry], scrubber)
    state.withLock { state in
      for place in state.records.indices where state.records[place].instruction.id == instruction {
        change(&state.records[place])
      }
    }
  }

  /// Append entries to the ledger, and before them what it lacks.
  private func write(_ entries: [LedgerEntry], _ scrubber: Scrubber = Scrubber()) throws(FileFailure) {
    let all = state.withLock { $0.lacking } + entries
    guard !all.isEmpty else { return }
    var ledger = try Ledger(folder.ledger, scrubber: scrubber)
    for entry in all { try ledger.write(entry) }
    try ledger.file.flush()
    state.withLock { $0.lacking = [] }
  }

  /// End the session if it left nothing open.
  package func closeIfSettled() {
    guard !records.contains(where: \.isOpen) else { return }
    do throws(FileFailure) {
      try write([])
    } catch {
      // The folder cannot be written any more: what its log alone knows is looked at again the next time.
      return
    }
    mark.remove()
  }

  /// All sessions below a folder that left something open, oldest first, and those in places of their own that `placed` tells of.
  /// Whatever is no session is passed over.
  ///
  /// An instruction that was left over by one and offered by another belongs to the first until the user decided. So one
  /// program gets all that is left at a time, or of two that start together each might get one of them, and offer the same
  /// words.
  package static func all(in root: String, placed: String? = nil) -> [EarlierSession] {
    let claim = FolderClaim(root)
    defer { withExtendedLifetime(claim) {} }
    // A link leads to what somebody keeps elsewhere.
    let folders = FileManager.default.names(in: root).map { "\(root)/\($0)" }.filter(PlainFile.isFolder)
    let others = placed.map(PlacedSession.all) ?? []
    let sessions =
      folders.compactMap { EarlierSession(SessionFolder(unchecked: $0)) }
      + others.compactMap { EarlierSession($0, isPlaced: true) }
    for session in sessions { session.passOn(to: sessions) }
    return sessions
  }

  /// Settle what a later session, which left something open as well, has taken over; and leave to earlier ones what is theirs.
  ///
  /// Its folder may be anybody's: another ledger is written only where that says itself that it was taken over by this
  /// one. Where it does not, both are offered.
  private func passOn(to sessions: [EarlierSession]) {
    for record in records {
      guard let origin = record.instruction.origin,
        let first = sessions.first(where: { $0.name == origin.session }),
        first.confirms(that: record, of: self, is: origin.instruction)
      else { continue }
      if record.stage == .proposed || record.stage == .held {
        // Sent since, it is this session's own, whatever else is open there.
        if first.leftOpen(origin.instruction) { leave(record, to: first, as: origin.instruction) }
      } else if record.stage != .lapsed {
        do {
          try first.settle(origin.instruction)
        } catch {
          // The folder cannot be written any more: it is offered once more than needed, and says so.
          continue
        }
      }
    }
  }

  /// Whether its own ledger says that a later session has taken over the instruction, and under this number.
  private func confirms(
    that record: LedgerRecord, of later: EarlierSession, is instruction: InstructionID
  ) -> Bool {
    let heir = LedgerRecord.Heir(folder: Self.place(of: later.folder), number: record.instruction.id)
    return records.contains { $0.instruction.id == instruction && $0.heirs.contains(heir) }
  }

  fileprivate func leftOpen(_ instruction: InstructionID) -> Bool {
    records.contains { $0.instruction.id == instruction && $0.isOpen }
  }

  /// It is an earlier session's, as it was changed since; once that one is settled, it must not come up here again.
  private func leave(_ record: LedgerRecord, to first: EarlierSession, as origin: InstructionID) {
    do {
      if first.text(of: origin) != record.instruction.text {
        try first.amend(origin, to: record.instruction.text, scrubber: Scrubber())
      }
      try settle(record.instruction.id)
    } catch {
      // The folder cannot be written any more: this time it is left out all the same.
    }
    state.withLock { $0.records.removeAll { $0.instruction.id == record.instruction.id } }
  }

  private func text(of instruction: InstructionID) -> String? {
    records.first { $0.instruction.id == instruction }?.instruction.text
  }
}

/// The end of a log: what it says was entered in the ledger, and how the session ended, unless it broke off.
private struct LogTail {
  /// As long as several of the longest lines to be expected.
  private static let bytes = 262_144

  let entries: [LedgerEntry]
  let outcome: SessionOutcome?

  init(_ path: String) {
    var entries: [LedgerEntry] = []
    var outcome: SessionOutcome?
    let codec = LogCodec()
    for row in Self.rows(path) {
      do {
        let step = try codec.decodeLine(row).step
        entries += step.halts
        for action in step.actions {
          switch action {
          case .noteInLedger(let entry): entries.append(entry)
          case .enterInLedger(let run, let instruction): entries.append(.entered(instruction: instruction, run: run))
          case .end(let end): outcome = end
          default: break
          }
        }
      } catch {
        // A torn last line was never performed, and the first one of a log is no step.
        continue
      }
    }
    self.entries = entries
    self.outcome = outcome
  }

  /// The last two; a log that cannot be read has none.
  private static func rows(_ path: String) -> ArraySlice<ArraySlice<UInt8>> {
    do {
      let log = try PlainFile.open(reading: path)
      defer { close(log) }
      // A shorter log has no such place, and is read from its beginning.
      lseek(log, -off_t(bytes), SEEK_END)
      return try PlainFile.contents(log, limit: Limits.logBytes).split(separator: 0x0A).suffix(2)
    } catch {
      return []
    }
  }
}

/// What earlier sessions left open, and what the user decides about it in this one. One thread uses it.
package final class LeftOver {
  /// Open instructions that were meant for an agent in another folder.
  package struct Elsewhere: Equatable, Sendable {
    package let workingFolder: String
    package internal(set) var count: Int
  }

  package let sessions: [EarlierSession]
  /// What is not offered here, for each folder, in the order of its first session. Others may offer it meanwhile.
  package let elsewhere: [Elsewhere]
  /// Whether a secret was taken out of the words of something that is offered again.
  package var lacksWords: Bool {
    sessions.contains { $0.records.contains { $0.isOpen && $0.instruction.text.contains(Scrubber.markText) } }
  }
  private var origins: [InstructionID: Instruction.Origin] = [:]

  /// - Parameter workingFolder: where the agent of this session works, as `PlainFile.real` tells it; nil offers everything.
  package init(_ sessions: [EarlierSession], in workingFolder: String? = nil) {
    var (own, elsewhere): ([EarlierSession], [Elsewhere]) = ([], [])
    for session in sessions {
      let count = session.records.count(where: \.isOpen)
      guard count > 0, let workingFolder, let other = session.workingFolder, other != workingFolder else {
        own.append(session)
        continue
      }
      if let place = elsewhere.firstIndex(where: { $0.workingFolder == other }) {
        elsewhere[place].count += count
      } else {
        elsewhere.append(Elsewhere(workingFolder: other, count: count))
      }
    }
    (self.sessions, self.elsewhere) = (own, elsewhere)
  }

  /// Each open instruction, as the event that offers it.
  package var events: [VoiceEvent] {
    sessions.flatMap { session in
      session.records.filter(\.isOpen).map { record in
        .instructionRecovered(
          text: record.instruction.text,
          origin: .init(session: session.name, instruction: record.instruction.id),
          isUnheard: record.instruction.isUnheard, wasSpoken: record.instruction.isSpoken ? true : nil)
      }
    }
  }

  /// Tell the ledger that an instruction came from that this session, in its folder, is about to offer it: a later one believes that
  /// ledger alone.
  func noteTaken(_ instruction: Instruction, to folder: SessionFolder) {
    guard let origin = instruction.origin,
      let first = sessions.first(where: { $0.name == origin.session && $0.leftOpen(origin.instruction) })
    else { return }
    do throws(FileFailure) {
      try first.noteTaken(origin.instruction, to: folder, as: instruction.id)
    } catch {
      // The folder cannot be written any more: if this session leaves it open as well, it is offered twice.
      return
    }
  }

  /// Take note of an entry of this session's ledger, after it was written there: a decision settles the entry of old, and a change
  /// is a change of that.
  ///
  /// - Parameter scrubber: takes out of a change what must not be written; nil where nothing of this session is.
  package func note(_ entry: LedgerEntry, scrubber: Scrubber?) throws(FileFailure) {
    switch entry {
    case .amended(let id, let text):
      guard let scrubber, let origin = origins[id], let first = sessions.first(where: { $0.name == origin.session })
      else { return }
      do {
        try first.amend(origin.instruction, to: text, scrubber: scrubber)
      } catch {
        // This session's own ledger has it; a later one finds it there.
        return
      }
    case .proposed(let instruction): origins[instruction.id] = instruction.origin
    case .approved(let id), .rejected(let id):
      guard let origin = origins.removeValue(forKey: id) else { return }
      try sessions.first { $0.name == origin.session }?.settle(origin.instruction)
    default: break
    }
  }
}
