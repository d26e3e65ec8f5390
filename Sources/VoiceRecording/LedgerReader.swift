package import VoiceFoundation
import VoiceJSON
import VoiceSystem
package import VoiceVocabulary

/// What the ledger knows of one instruction.
package struct LedgerRecord: Equatable, Sendable {
  /// How far it came.
  package enum Stage: Equatable, Sendable {
    case proposed, held, approved, rejected, lapsed, entered, dispatched, acknowledged, withdrawn
    case ended(AgentTurnEnd)
  }

  /// What that means once the session is gone.
  package enum Certainty: Equatable, Sendable {
    /// It never left.
    case notSent
    /// It may or may not have reached the agent, or nobody knows what became of it there.
    case unconfirmed
    /// The agent took it; how its work ended was not seen.
    case confirmed
    /// Nothing is open: it was decided, or the agent's work on it ended.
    case over
  }

  package internal(set) var instruction: Instruction
  package internal(set) var run: RunID?
  package internal(set) var stage: Stage
  /// What of its run was asked for and not allowed.
  package internal(set) var denied: [String] = []
  /// Whether the user halted its run.
  package internal(set) var isHalted = false
  /// Whether the user has decided since what shall become of it.
  package internal(set) var isSettled = false
  /// Whether it lives on under another number, because its work did not end well: the user decides about that one.
  package internal(set) var isOfferedAgain = false
  /// Whether it was sent before under another number, and that work did not end well.
  package internal(set) var wasSent = false
  /// The later sessions that took it over.
  var heirs: [Heir] = []

  /// A later session, and the number that an instruction has there.
  struct Heir: Equatable, Sendable {
    var folder: String
    var number: InstructionID
  }

  /// Whether it was sent, as far as the ledger says.
  package var certainty: Certainty {
    switch stage {
    case .proposed, .held, .approved: wasSent ? .unconfirmed : .notSent
    case .entered, .dispatched: .unconfirmed
    case .acknowledged: isHalted ? .over : .confirmed
    case .ended(.unconfirmed): .unconfirmed
    case .rejected, .lapsed, .withdrawn, .ended: .over
    }
  }

  /// Whether it was on its way, or worked on, when the session ended.
  package var isUnderWay: Bool { stage.isUnderWay && !isHalted }

  /// Whether the user has still to decide what shall become of it.
  package var isOpen: Bool {
    !isSettled && !isOfferedAgain && instruction.source != .agent && certainty != .over
  }
}

/// Reads a whole ledger.
package struct LedgerReader {
  /// One for each instruction, in the order in which they came.
  package let records: [LedgerRecord]
  /// What the end of the log tells of and the ledger lacks, because the session was killed; the records know it.
  let lacking: [LedgerEntry]
  /// What could not be read, if anything: one sentence for people.
  package let damage: String?

  /// Read the ledger at a path. Lines that cannot be read are left out, and `damage` tells of them.
  /// - Parameter tail: what the end of the session's log says was entered.
  package init(_ path: String, tail: [LedgerEntry] = []) throws(FileFailure) {
    self.init(try PlainFile.data(path, limit: Limits.recordBytes), from: path, tail: tail)
  }

  /// Read the lines of a ledger. Damaged ones are left out.
  package init(_ data: Data, from path: String, tail: [LedgerEntry] = []) {
    var entries: [LedgerEntry] = []
    var damaged = DamagedLines()
    for (index, row) in data.split(separator: 0x0A, omittingEmptySubsequences: true).enumerated() {
      do {
        entries.append(try JSON.decode(LedgerEntry.self, from: row))
      } catch {
        damaged.add(index + 1)
      }
    }
    lacking = entries.lacking(of: tail)
    var fold = LedgerFold()
    for entry in entries + lacking { fold.take(entry) }
    records = fold.records
    damage = damaged.sentence(path)
  }
}

extension [LedgerEntry] {
  /// What these entries of a ledger lack of those that the end of the log tells of: a step is logged before it is performed,
  /// so a program that was killed meanwhile has written the first of them, or none. An instruction that was to be entered
  /// before it leaves, and was not, has not left.
  fileprivate func lacking(of tail: [LedgerEntry]) -> [LedgerEntry] {
    let (known, told) = (filter { !$0.isHalt }, tail.filter { !$0.isHalt })
    let halts = tail.filter { $0.isHalt && !contains($0) }
    // The end of a session, and the user in a later one, add what is in no log.
    guard !known.contains(told) else { return halts }
    let written = told.indices.last { known.suffix($0).elementsEqual(told.prefix($0)) } ?? 0
    return halts + told.dropFirst(written).filter { if case .entered = $0 { false } else { true } }
  }
}

extension LedgerEntry {
  /// Whether it is of the recorder's own making, and stands before what the step itself wants to be noted.
  fileprivate var isHalt: Bool { if case .halted = self { true } else { false } }
}

/// Follows the instructions of a ledger through its entries.
private struct LedgerFold {
  private(set) var records: [LedgerRecord] = []
  private var places: [InstructionID: Int] = [:]
  /// Where the instructions of a run stand: one, and what went into it.
  private var placesInRun: [RunID: [Int]] = [:]
  /// What a run that did not end well had been given. It is offered again right behind the run's end, before anything else.
  private var returned: [Int] = []

  mutating func take(_ entry: LedgerEntry) {
    switch entry {
    case .proposed, .held, .settled, .takenOver: break
    default: returned = []
    }
    switch entry {
    case .proposed(let instruction):
      add(instruction, .proposed)
      offeredAgain(as: instruction)
    case .held(let id): move(id, to: .held)
    case .amended(let id, let text): if let place = places[id] { records[place].instruction.text = text }
    case .approved(let id): move(id, to: .approved)
    case .rejected(let id): move(id, to: .rejected)
    case .lapsed(let id): move(id, to: .lapsed)
    case .entered(let instruction, let run):
      add(instruction, .entered)
      if let place = places[instruction.id], records[place].run != run {
        (records[place].run, records[place].isHalted, records[place].denied) = (run, false, [])
        // Its instruction, and what went into it while it worked; no user says more.
        if placesInRun[run, default: []].count < Limits.instructionsOfRun {
          placesInRun[run, default: []].append(place)
        }
      }
    case .dispatched(let id): move(id, to: .dispatched)
    case .acknowledged(let id): move(id, to: .acknowledged)
    case .withdrawn(let id): move(id, to: .withdrawn)
    case .denied(let run, let act):
      for place in placesInRun[run] ?? [] where records[place].run == run { records[place].denied.append(act) }
    case .halted(let run):
      for place in placesInRun[run] ?? [] where records[place].run == run { records[place].isHalted = true }
    case .ended(let run, let end):
      for place in placesInRun[run] ?? [] where records[place].run == run { close(place, end) }
    case .settled(let id): if let place = places[id] { records[place].isSettled = true }
    case .takenOver(let id, let folder, let number):
      if let place = places[id] { records[place].heirs.append(.init(folder: folder, number: number)) }
    }
  }

  /// The run of an instruction is over.
  private mutating func close(_ place: Int, _ end: AgentTurnEnd) {
    let record = records[place]
    guard record.stage.isUnderWay else { return }
    // It was still to go into the run, and had not left; what the agent does by itself is never dispatched.
    if record.stage == .entered, record.instruction.source != .agent { return }
    let isTaken = record.stage != .dispatched
    // What the agent never acknowledged comes back, however the run ended.
    if end.isFailure || !isTaken { returned.append(place) }
    if isTaken || end.isFailure || record.isHalted { records[place].stage = .ended(end) }
  }

  private mutating func add(_ instruction: Instruction, _ stage: LedgerRecord.Stage) {
    if let place = places[instruction.id] {
      records[place].instruction = instruction
      records[place].stage = stage
    } else {
      places[instruction.id] = records.count
      records.append(LedgerRecord(instruction: instruction, stage: stage))
    }
  }

  /// An instruction that was given to the run which has just ended has come back under this number, if it is one.
  private mutating func offeredAgain(as instruction: Instruction) {
    let isSame = { [records] (place: Int) in
      records[place].instruction.text == instruction.text && records[place].instruction.heard == instruction.heard
    }
    guard let index = returned.firstIndex(where: isSame), let place = places[instruction.id] else { return }
    records[returned.remove(at: index)].isOfferedAgain = true
    records[place].wasSent = true
  }

  private mutating func move(_ id: InstructionID, to stage: LedgerRecord.Stage) {
    if let place = places[id] { records[place].stage = stage }
  }
}

extension AgentTurnEnd {
  /// Whether what the run was given is offered again.
  fileprivate var isFailure: Bool {
    switch self {
    case .failed, .unconfirmed: true
    case .completed, .cancelled, .stopped: false
    }
  }
}

extension LedgerRecord.Stage {
  fileprivate var isUnderWay: Bool { self == .entered || self == .dispatched || self == .acknowledged }
}
