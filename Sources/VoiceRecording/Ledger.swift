package import VoiceCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One line of the ledger.
package enum LedgerEntry: Equatable, Sendable, Codable {
  /// The instruction is about to be handed on. On disk before it leaves.
  case entered(instruction: Instruction, run: RunID)
  /// The agent ended the run.
  case ended(run: RunID, end: AgentTurnEnd)
}

/// The record that each instruction was handed on once. One thread uses it.
package struct Ledger {
  private let file: AppendFile
  private let encoder: JSONEncoder
  private var entered: Set<InstructionID> = []

  package init(_ path: String) throws(FileFailure) {
    file = try AppendFile(path)
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Append an entry and flush it to disk.
  package mutating func write(_ entry: LedgerEntry) throws(FileFailure) {
    if case .entered(let instruction, _) = entry {
      guard !entered.contains(instruction.id) else {
        throw FileFailure("Instruction \(instruction.id.rawValue) is in the ledger already and is not sent twice.")
      }
    }
    let line: Data
    do {
      line = try encoder.encode(entry)
    } catch {
      preconditionFailure("a ledger entry cannot be encoded: \(error)")
    }
    try file.append(line + [0x0A])
    try file.flush()
    if case .entered(let instruction, _) = entry { entered.insert(instruction.id) }
  }
}
