package import VoiceVocabulary

/// What somebody meant who said this: the one place where words become the text of an instruction, before the project's names
/// are put into it (`WordRepair`).
package struct MeantText: Equatable, Sendable {
  /// The last of several versions, with spelled words written as words.
  package let text: String
  /// The words that were spelled, in small letters.
  package let spelled: Set<String>

  /// - Parameter said: what the user said, as it was understood.
  package init(said: String) { (text, spelled) = Spelling.resolved(SelfCorrection.lastVersion(of: said)) }
}

extension WordRepair {
  /// Repair what somebody meant. Every letter of a spelled word was said: it is changed for no sound.
  package func repair(_ meant: MeantText, unsure: [UnsureWord] = []) -> RepairedText {
    repair(meant.text, unsure: unsure, spelled: meant.spelled)
  }
}
