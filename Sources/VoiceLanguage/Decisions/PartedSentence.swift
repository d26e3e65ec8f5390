import VoiceVocabulary

/// A sentence that a long pause parted: its two pieces come as two turns.
package enum PartedSentence {
  /// Who goes on with one of these goes on with what he said before.
  private static let connectives: Set<String> = [
    "and", "or", "but", "because", "of", "than", "then", "instead", "into", "from", "to", "with",
    "without", "for", "by", "until", "unless",
  ]

  /// Whoever says something of his own begins with one of these, or with a command.
  private static let beginnings: Set<String> = [
    "i", "im", "id", "ill", "ive", "it", "its", "we", "were", "well", "you", "youre", "he", "she", "they", "this",
    "that", "thats",
    "these", "those", "there", "theres", "here", "yes", "yeah", "no", "nope", "okay", "ok", "hey", "hello", "hi",
    "parley", "thanks",
    "thank", "sorry", "actually", "now", "please", "maybe", "also", "next", "first", "finally", "good", "great", "can",
    "could",
    "would", "will", "should", "shall", "may", "is", "are", "was", "does", "did", "has", "have", "isnt", "arent",
    "doesnt",
    "dont", "lets", "if", "when", "before", "after", "while", "once", "since", "so", "everything", "nothing",
    "something",
    "somebody", "nobody",
  ]
  /// In what begins with an article there is one of these if it is a sentence.
  private static let finiteVerbs: Set<String> = [
    "is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "can", "could", "should", "will", "would",
    "must",
    "may", "cannot", "isnt", "arent", "wasnt", "doesnt", "dont", "didnt", "cant", "shouldnt", "wont", "looks", "seems",
    "needs",
    "fails", "works",
  ]
  private static let subjects: Set<String> = ["i", "we", "you", "he", "she", "they"]
  private static let articles: Set<String> = ["the", "a", "an", "my", "our", "your", "every", "another", "all"]

  /// Whether the second piece is likely to belong to the first: nobody can have stopped before it, or it is no sentence of its own.
  package static func isOne(_ first: String, _ second: String) -> Bool {
    let words = SpokenWords(second).words
    guard let next = words.first else { return false }
    return TextCompleteness(of: first) == .unfinished || connectives.contains(next) || !isSentence(words)
  }

  /// Whether a word tells by itself how sentences hang together, whatever they are about.
  package static func isFunctionWord(_ word: String) -> Bool {
    connectives.contains(word) || beginnings.contains(word) || finiteVerbs.contains(word) || articles.contains(word)
      || TextCompleteness.isFunctionWord(word)
  }

  /// Whether the words may be all that somebody wants.
  private static func isSentence(_ words: [String]) -> Bool {
    guard let first = words.first else { return false }
    if articles.contains(first) { return words.contains { finiteVerbs.contains($0) } }
    // "That is all" is a sentence, and "that we created" is not.
    if first == "that", words.count > 1 { return !subjects.contains(words[1]) }
    return CommandVerbs.contains(first) || beginnings.contains(first)
  }

  /// The two as one text, without the full stop and the capital letter that the pause brought in.
  package static func joined(_ first: String, _ second: String) -> String {
    var beginning = first.trimmingWhitespace()
    while let last = beginning.last, ".…".contains(last) { beginning.removeLast() }
    let rest = second.trimmingWhitespace()
    let word = rest.prefix { $0.isLetter || "'’".contains($0) }
    // A name keeps its capitals, and so does "I".
    let isPlain = word.count > 1 && word.dropFirst().allSatisfy(\.isLowercase) && OrdinaryWords.contains(word)
    return beginning + " " + (isPlain ? rest.prefix(1).lowercased() + rest.dropFirst() : rest)
  }
}
