import ArgumentParser
import VoiceFoundation
import VoiceHistory
import VoiceRecording
import VoiceVocabulary

/// `parley ledger`: what became of each instruction, and what earlier sessions have left open.
struct LedgerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger",
    abstract: "Show what became of each instruction of a session, or what earlier sessions left open.",
    discussion: """
      Nothing is sent from here. What is open is offered by the next parley run in the same working folder, held for a \
      decision. Exits with 65 if a ledger is damaged.
      """)

  @Argument(
    help: "The session: \(SessionLibrary.help); or a folder of sessions (default: the configured one).",
    completion: .directory)
  var session: String?

  @OptionGroup var place: SessionOptions
  @OptionGroup var options: PlanOptions

  func run() throws {
    let root = try Exit.configuring { try place.sessions ?? SessionRecord.root(try options.plan()) }
    do {
      guard let session else { return try showAll(root) }
      let path = try SessionLibrary(root: root).folder(session)
      if SessionFolder.isSession(path) { try showSession(SessionFolder(unchecked: path)) } else { try showAll(path) }
    } catch let failure as FileFailure {
      throw Exit.failure(Exit.badData, failure)
    }
  }

  private func showSession(_ folder: SessionFolder) throws {
    if let earlier = EarlierSession(folder) {
      let place = LedgerText.place(earlier).map { " \($0)" } ?? ""
      printRow("This session \(LedgerText.end(earlier))\(place)")
      try show(earlier.records, earlier.damage)
    } else {
      if FileManager.default.fileExists(atPath: folder.mark) { printRow("This session still runs.") }
      guard FileManager.default.fileExists(atPath: folder.ledger) else {
        throw FileFailure("\(folder.path) has no ledger.jsonl: what became of its instructions is in its log alone.")
      }
      let reader = try LedgerReader(folder.ledger)
      try show(reader.records, reader.damage)
    }
  }

  private func show(_ records: [LedgerRecord], _ damage: String?) throws {
    if records.isEmpty { printRow("No instruction was given.") }
    for record in records {
      printRow(LedgerText.line(record, among: records), head: "\(record.instruction.id.rawValue)  ")
    }
    if let damage { throw FileFailure(damage) }
  }

  private func showAll(_ root: String) throws {
    let isThere = FileManager.default.fileExists(atPath: root)
    guard isThere || session == nil else { throw FileFailure("There is no folder \(root).") }
    let isElsewhere = session != nil || place.sessions != nil
    let sessions = EarlierSession.all(in: root, placed: isElsewhere ? nil : SessionRecord.places)
    let obstacle = SessionFolder.obstacle(in: root)
    if sessions.isEmpty, obstacle == nil {
      printRow(isThere ? "No session below \(root) has left anything open." : "There is no session in \(root) yet.")
    }
    for line in sessions.flatMap({ LedgerText.lines($0, namesFolder: true) }) { printRow(line) }
    try Exit.requireUnobstructed(obstacle)
    try Exit.requireWhole(sessions.contains { $0.damage != nil } ? "Not all could be read, as is said above." : nil)
  }
}
