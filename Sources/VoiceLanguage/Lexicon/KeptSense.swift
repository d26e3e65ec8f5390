/// What a project's names may not do to what was said: whoever names a folder or a branch has no say in what is asked for.
enum KeptSense {
  /// Whether the words deny something. No sound makes a name of them, since without the denial the opposite would be asked for.
  static func areNegated(_ words: [String]) -> Bool {
    words.contains { negations.contains($0) || $0.hasSuffix("n't") || $0.hasSuffix("n\u{2019}t") }
  }

  /// Whether a name says another word in the place of an ordinary one that was heard: "dilute the table" for "delete the table".
  static func isOther(_ name: [String], than heard: [String]) -> Bool {
    name.count == heard.count
      && zip(name, heard).contains { $0 != $1 && OrdinaryWords.contains($1) }
  }

  /// Whether a name is a sentence, as no type and hardly a branch is.
  static func isSentence(_ name: [String]) -> Bool { name.contains { sentenceWords.contains($0) } }

  /// Whether a name has only signs that names have, and none that means something to a shell.
  static func isPlain(_ name: String) -> Bool {
    name.allSatisfy { $0.isLetter || $0.isNumber || "._-/+@#:".contains($0) }
  }

  /// Words that deny something, apostrophes left out.
  static let negations: Set<String> = [
    "not", "no", "never", "none", "nothing", "neither", "nor", "without", "cannot", "dont", "wont", "cant", "except",
  ]
  private static let sentenceWords: Set<String> = ["the", "a", "an", "and", "it", "this", "that", "do", "dont", "not"]
}
