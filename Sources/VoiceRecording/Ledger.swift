import VoiceJSON
package import VoiceVocabulary

/// The record of what became of each instruction, and that each was sent once. One thread writes.
package struct Ledger {
  /// For flushing, which any thread may do.
  package let file: AppendFile
  private let scrubber: Scrubber
  private var entered: Set<InstructionID> = []

  package init(_ path: String, scrubber: Scrubber = Scrubber()) throws(FileFailure) {
    file = try AppendFile(path)
    self.scrubber = scrubber
  }

  /// Append an entry: it survives the end of this process, and that of the machine once the file is flushed.
  package mutating func write(_ entry: LedgerEntry) throws(FileFailure) {
    if case .entered(let instruction, _) = entry, entered.contains(instruction.id) {
      throw FileFailure("Instruction \(instruction.id.rawValue) is in the ledger already and is not sent twice.")
    }
    let line = JSON(encoding: entry).line
    try file.append(scrubber.scrubbed(json: line) ?? line)
    switch entry {
    case .entered(let instruction, _): entered.insert(instruction.id)
    // It came back, because its entry could not be flushed: it has not left.
    case .held(let instruction): entered.remove(instruction)
    default: break
    }
  }
}
