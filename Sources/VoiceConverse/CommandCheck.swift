import VoiceLanguage

/// Holds an instruction back that looks like a command of the agent with a slip in it: sent, it would go to the model as a sentence.
///
/// Once only: who approves it all the same means it as it stands.
package struct CommandCheck: Equatable, Sendable {
  private var heldBack: String?

  /// Why this is held back; nil if it is no command, is one that is known, or was held back the last time.
  /// - Parameter commands: what the agent has told, without the slash; empty if it has told none.
  package mutating func refusal(of text: String, knowing commands: [String], by agent: String) -> String? {
    let wasHeldBack = text == heldBack
    heldBack = nil
    guard !wasHeldBack, !text.contains("\n"), let name = Self.name(text), !commands.contains(name),
      let meant = commands.first(where: { Self.isSlip(name, of: $0) })
    else { return nil }
    heldBack = text
    return
      "\(agent) has no command /\(name); did you mean /\(meant)? Nothing was sent. Approve it to send it all the same."
  }

  /// Why a command of this program's own is refused while files wait for the next instruction.
  static func takesNoAttachments(_ command: String) -> String {
    "\(command) says nothing that a file could go with. Leave --attach out, or say something first."
  }

  /// The name of the command that a text begins with. A path has more than one slash.
  private static func name(_ text: String) -> String? {
    guard text.first == "/", let word = text.dropFirst().split(separator: " ", omittingEmptySubsequences: false).first
    else { return nil }
    return !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_:".contains($0) } ? String(word) : nil
  }

  /// One letter more, less, or another, or two in each other's place; in a long name two of these. A short name is near to many.
  private static func isSlip(_ name: String, of command: String) -> Bool {
    guard command.count >= 4 else { return false }
    return name.slips(from: command) <= (command.count >= 8 ? 2 : 1)
  }
}
