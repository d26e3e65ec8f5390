/// Whether a text may be all that somebody wanted to say.
///
/// A recogniser sets a full stop where a sentence sounds ended: behind 58 of 100 ends, and 21 to 24 of 100 pauses in the
/// middle. One to three words have one too rarely for it to tell.
package enum TextCompleteness: Equatable, Sendable {
  /// A sentence, or a few words.
  case complete
  /// No sentence ends here, but one could.
  case open
  /// Nobody stops here.
  case unfinished

  /// Nobody ends with one of these, whatever the punctuation.
  private static let openEnds: Set<String> = [
    "the", "a", "an", "my", "your", "our", "their", "his", "its", "and", "or", "but", "because", "if", "when", "while",
    "of", "to", "with", "from", "into", "than", "every", "um", "umm", "uh", "er", "erm", "hmm", "which", "whose",
    "whether", "until", "unless", "except", "without", "despite", "during", "nor", "excluding", "including",
    "containing", "regarding",
  ]
  /// Nor with two of these: what follows says what is not meant.
  private static let openPairs: Set<[String]> = [
    ["but", "not"], ["and", "not"], ["but", "only"], ["and", "only"], ["but", "first"], ["and", "first"],
  ]
  /// Who begins with one of these owes the rest of the sentence; where that follows, a comma stands between them.
  private static let openBeginnings: Set<String> = [
    "if", "when", "whenever", "before", "after", "while", "once", "unless",
  ]
  /// Whoever says no more than this has yet to say what is not to be done; also with "please" around it.
  private static let denials: Set<[String]> = [
    ["do", "not"], ["don't"], ["dont"], ["never"], ["do", "not", "ever"], ["don't", "ever"], ["dont", "ever"],
    ["never", "ever"],
  ]
  /// In fewer words it is an answer; in more, the rest of the sentence has come without a comma.
  private static let openingWords = 3...6

  /// - Parameter text: as it was understood, with its punctuation.
  package init(of text: String) {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    let end = text.last { !$0.isWhitespace }
    // "I think so." is whole; "It is green, so." is not.
    let isOpenEnd = words.last.map { Self.openEnds.contains($0) || $0 == "so" && text.contains(", so") } ?? false
    if isOpenEnd || end == "," || end != "?" && Self.owesObject(words)
      || Self.openPairs.contains(Array(words.suffix(2))) || Self.isOpening(words, of: text, end)
      || Self.isDenial(words)
    {
      self = .unfinished
    } else if Spelling.isOpen(text) {
      // Another letter may follow each.
      self = .open
    } else {
      self = words.count <= 3 || end.map({ ".?!".contains($0) }) ?? false ? .complete : .open
    }
  }

  /// Whether a text is judged by this word.
  static func isFunctionWord(_ word: String) -> Bool {
    openEnds.contains(word) || openBeginnings.contains(word) || openPairs.contains { $0.contains(word) }
  }

  /// Whether a command ends where what it is about is only announced: "delete everything named", "remove all files that", "deploy it
  /// after".
  private static func owesObject(_ words: [String]) -> Bool {
    guard words.count > 2, let first = words.first, let last = words.last, CommandVerbs.contains(first),
      Set(["what", "which", "who", "how", "why", "whether", "if"]).isDisjoint(with: words)
    else { return false }
    let before = words[words.count - 2]
    return switch last {
    case "called", "named": !beforePassive.contains(before)
    case "that":
      before.hasSuffix("s") && before.count > 3 && before != "this" || ["everything", "anything"].contains(before)
    case "after", "before": ["it", "them", "this"].contains(before)
    default: false
    }
  }

  /// Behind one of these a name is given to nothing: "check how often it is called" is whole.
  private static let beforePassive: Set<String> = [
    "is", "are", "was", "were", "be", "been", "being", "get", "gets", "got", "not", "never", "ever", "so",
  ]

  private static func isDenial(_ words: [String]) -> Bool {
    denials.contains(words.filter { $0 != "please" })
  }

  /// "If the file is missing." is half of a sentence; "When did that happen?" is a question.
  private static func isOpening(_ words: [String], of text: String, _ end: Character?) -> Bool {
    guard let first = words.first, openBeginnings.contains(first), end != "?", !text.contains(",") else { return false }
    return openingWords.contains(words.count)
  }
}
