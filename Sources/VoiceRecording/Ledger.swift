package import VoiceCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  /// Append an entry: it survives the end of this process, and that of the machine once it is flushed.
  package mutating func write(_ entry: LedgerEntry) throws(FileFailure) {
    switch entry {
    case .entered(let instruction, _):
      guard entered.insert(instruction.id).inserted else {
        throw FileFailure("Instruction \(instruction.id.rawValue) is in the ledger already and is not sent twice.")
      }
    // It came back: its entry could not be flushed.
    case .held(let instruction): entered.remove(instruction)
    default: break
    }
    let line: Data
    do {
      line = try encoder.encode(entry)
    } catch {
      preconditionFailure("a ledger entry cannot be encoded: \(error)")
    }
    try file.append(line + [0x0A])
  }

  package func flush() throws(FileFailure) { try file.flush() }
}
