/// Where the beginning of an answer is cut, so that it is heard before its first sentence is written.
///
/// People pause between a word that carries meaning and a function word that begins the next phrase (Liberman and Church,
/// “chinks and chunks”): after three words before "because" or "with", after four before "to" or "the", and after eight
/// wherever a word carries meaning. Two more words must have come that end no sentence, so at least three are left for the
/// next piece. That may be cut once more, when it is twice as long as all that was said before: said at 300 ms a word and
/// written at 80, what was said lasts until the next piece has come. Pure; the words are English.
package enum OpeningCut {
  /// So many words are enough to begin with.
  private static let fewestWords = 3
  /// From so many words on, an ordinary phrase begins a piece of its own.
  private static let phraseWords = 4
  /// From so many words on, any word that carries meaning may be the last.
  private static let enoughWords = 8
  /// A piece is cut once it has so many times the words before it.
  private static let growth = 2
  /// Once so many words were given out, whatever comes is given out in sentences.
  static let openingWords = 20
  /// So many words behind the first place for a cut, the end of the sentence is near enough.
  private static let searchedWords = 12

  /// Whether what comes behind so many words is the beginning still.
  static func isOpening(after spoken: Int) -> Bool { spoken < openingWords }

  /// The end of the words that may be said now, if those and two more have come; nil otherwise.
  /// - Parameter spoken: words that were given out before, of this answer.
  static func end(in text: Substring, after spoken: Int) -> String.Index? {
    guard isOpening(after: spoken) else { return nil }
    let least = spoken < fewestWords ? fewestWords : growth * spoken
    var words: [Word] = []
    var scanner = WordScanner(text)
    while let word = scanner.next() {
      words.append(word)
      let last = words.count - 3
      guard last + 1 >= least else { continue }
      if last + 1 > least + searchedWords { return nil }
      if mayEnd(words, at: last, isFirst: spoken < fewestWords) { return words[last].end }
    }
    return nil
  }

  /// Whether the piece may end with the word at `index`, behind which there are two more.
  private static func mayEnd(_ words: [Word], at index: Int, isFirst: Bool) -> Bool {
    let (word, next, afterNext) = (words[index], words[index + 1], words[index + 2])
    guard !word.isNested, !word.endsSentence, !next.endsSentence, !afterNext.endsSentence else { return false }
    if word.isNumber, next.isNumber { return false }
    if word.endsClause { return true }
    guard !word.isNumber, !next.isNumber, word.closes || !functionWords.contains(word.bare) else { return false }
    if index > 0, word.isCapitalised, next.isCapitalised { return false }
    if strongStarts.contains(next.bare) { return true }
    guard isFirst else { return false }
    if index + 1 >= phraseWords, weakStarts.contains(next.bare) { return true }
    return index + 1 >= enoughWords && words[...index].contains { functionWords.contains($0.bare) }
  }

  /// Whether a piece is cut by this word, in small letters, and up to its apostrophe.
  package static func isFunctionWord(_ word: String) -> Bool { functionWords.contains(word) }

  /// Words with which a clause or a phrase of its own begins.
  private static let strongStarts: Set<String> = [
    "and", "but", "or", "because", "that", "which", "who", "when", "while", "where", "if", "then", "before", "after",
    "until", "since", "unless", "although", "though", "with", "without", "from", "into", "through", "between", "during",
    "instead", "so",
  ]
  /// Words with which a phrase begins that leans on what is before it.
  private static let weakStarts: Set<String> = [
    "the", "a", "an", "this", "these", "those", "my", "your", "our", "its", "their", "to", "in", "on", "at", "for",
    "by",
    "as", "about", "is", "was", "are", "were", "has", "have", "had", "will", "would", "can", "could", "should", "does",
    "did",
  ]
  /// Words behind which nobody pauses.
  private static let functionWords = strongStarts.union(weakStarts).union(Abbreviations.words).union([
    "of", "than", "i", "you", "he", "she", "it", "we", "they", "there", "no", "not", "very", "more", "most", "every",
    "each", "some", "any", "all", "both", "be", "been", "do", "may", "might", "must", "his", "her", "under", "over",
    "per", "via", "like", "only", "also", "just", "mr", "mrs", "dr", "one",
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "hundred", "thousand",
    "let", "don", "doesn", "didn", "isn", "aren", "wasn", "weren", "won", "hasn", "haven", "couldn", "wouldn",
    "shouldn",
  ])
}

/// What stands between two blanks; code with blanks in it is one word.
private struct Word {
  /// Without the marks around it, up to its apostrophe, in small letters.
  let bare: String
  /// The place behind it.
  let end: String.Index
  /// Whether a bracket, a quotation, emphasis or code is open behind it.
  let isNested: Bool
  let endsSentence: Bool
  let endsClause: Bool
  /// Whether a bracket, a quotation or emphasis ends with it.
  let closes: Bool
  let isCapitalised: Bool
  let isNumber: Bool

  init(_ text: Substring, isNested: Bool) {
    end = text.endIndex
    self.isNested = isNested
    let mark = text.last { !Self.closers.contains($0) }
    endsSentence = mark.map { ".!?\u{2026}".contains($0) } ?? false
    endsClause = mark.map { ",;:\u{2014}".contains($0) } ?? false
    closes = text.last.map { Self.closers.contains($0) } ?? false
    let start = text.drop { !$0.isLetter && !$0.isNumber }
    let count = start.reversed().prefix { !$0.isLetter && !$0.isNumber }.count
    bare = start.dropLast(count).prefix { $0 != "'" && $0 != "\u{2019}" }.lowercased()
    isCapitalised = start.first?.isUppercase ?? false
    isNumber = bare.first?.isNumber ?? false || bare.last?.isNumber ?? false
  }

  static let closers = ")]}\"'*_~`\u{201D}\u{2019}"
}

/// Finds the words behind which there is a blank.
private struct WordScanner {
  private var rest: Substring
  private var depth = 0
  private var isQuoted = false
  private var isEmphasised = false
  private var isCode = false

  init(_ text: Substring) { rest = text }

  mutating func next() -> Word? {
    rest = rest.drop { $0.isWhitespace }
    var end = rest.startIndex
    while end < rest.endIndex, isCode || !rest[end].isWhitespace {
      take(rest[end])
      rest.formIndex(after: &end)
    }
    // What has no blank behind it may go on.
    guard end < rest.endIndex else { return nil }
    let text = rest[..<end]
    rest = rest[end...]
    let marks: Set<Character> = ["*", "_", "~"]
    if text.drop(while: { "([\"".contains($0) }).first.map(marks.contains) ?? false { isEmphasised = true }
    if text.last(where: { !".,;:!?)]\"".contains($0) }).map(marks.contains) ?? false { isEmphasised = false }
    return Word(text, isNested: depth > 0 || isQuoted || isEmphasised)
  }

  private mutating func take(_ character: Character) {
    if character == "`" { isCode.toggle() }
    guard !isCode else { return }
    switch character {
    case "(", "[", "{", "\u{201C}": depth += 1
    case ")", "]", "}", "\u{201D}": depth = max(0, depth - 1)
    case "\"": isQuoted.toggle()
    default: break
    }
  }
}
