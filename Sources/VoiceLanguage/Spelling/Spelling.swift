import VoiceVocabulary

/// Words that were spelled: behind "spell" or "spelled", letters that are said one by one are one word.
///
/// "Create a branch, spell papa alpha romeo" creates a branch "par"; "the file parly, spelled P A R L E Y" is the file
/// "parley". What may be words as well is left as it is.
package enum Spelling {
  /// What is said in front of a letter.
  enum Modifier { case capital, small, allCapitals, double }

  /// The text with what was spelled in it written as words, and these words in small letters.
  static func resolved(_ text: String) -> (text: String, words: Set<String>) {
    let tokens = tokens(of: text)
    // Nobody spells in a paragraph, or speaks lines.
    guard tokens.count <= Limits.repairedWords, !text.contains(where: \.isNewline),
      tokens.contains(where: { triggers.contains($0.word) })
    else {
      return (text, [])
    }
    var parts: [String] = []
    var words: Set<String> = []
    var index = 0
    while index < tokens.count {
      guard triggers.contains(tokens[index].word), let spelled = SpelledWord(tokens, trigger: index, parts) else {
        parts.append(tokens[index].whole)
        index += 1
        continue
      }
      parts = spelled.parts
      words.formUnion(spelled.word.lowercased().split(separator: " ").map(String.init))
      index = spelled.end
    }
    return words.isEmpty ? (text, []) : (parts.joined(separator: " "), words)
  }

  /// Whether a text ends among letters, so that more of them may follow.
  package static func isOpen(_ text: String) -> Bool {
    let tokens = tokens(of: text)
    guard tokens.count <= Limits.repairedWords,
      let trigger = tokens.lastIndex(where: { triggers.contains($0.word) })
    else { return false }
    let start = SpelledWord.start(tokens, behind: trigger)
    let run = SpelledRun(tokens, at: start)
    return run.isSpelled && run.reachesEnd
  }

  /// What begins letters. "Spill" is "spell", misheard, if words of the alphabet follow.
  private static let triggers: Set<String> = ["spell", "spelled", "spelt", "spill"]

  /// The words; "spell-a-b" is two.
  private static func tokens(of text: String) -> [HeardToken] {
    text.split(whereSeparator: \.isWhitespace).flatMap { word -> [HeardToken] in
      guard let dash = word.firstIndex(of: "-"), triggers.contains(HeardToken(word[..<dash]).word) else {
        return [HeardToken(word)]
      }
      let letters = HeardToken(word[word.index(after: dash)...])
      let isSpelled = letters.word.contains("-") && letters.word.split { $0 == "-" }.allSatisfy { $0.count == 1 }
      return isSpelled ? [HeardToken(word[..<dash]), letters] : [HeardToken(word)]
    }
  }

  /// What ends them.
  static let endings = [
    ["end", "of", "spelling"], ["end", "spell"], ["end", "spelling"], ["stop", "spelling"], ["spelling", "end"],
  ]

  /// What is heard for "end spell", at the end of a text or before "and".
  static let heardEndings: Set<[String]> = [["and", "spell"], ["n", "spell"]]

  /// What no name consists of.
  static let functionWords: Set<String> = [
    "the", "a", "an", "this", "that", "these", "those", "my", "our", "your", "its", "to", "in", "on", "of", "at", "by",
    "for", "from", "with", "into", "as", "and", "or", "is", "it", "all", "any", "some", "not",
  ]

  /// Endings of files that are said as words.
  static let fileEndings: Set<String> = [
    "swift", "python", "md", "json", "yaml", "toml", "text", "txt", "html", "css", "rust", "java", "kotlin", "sql",
    "log", "lock",
  ]
}

/// One word that was spelled, in its sentence.
private struct SpelledWord {
  let word: String
  /// All up to its end, as it is written.
  private(set) var parts: [String]
  /// The token behind it.
  let end: Int

  /// - Parameter written: what is before the word that begins the letters.
  init?(_ tokens: [HeardToken], trigger: Int, _ written: [String]) {
    let start = Self.start(tokens, behind: trigger)
    let run = SpelledRun(tokens, at: start)
    let word = run.written.trimmingWhitespace()
    let isMisheard = tokens[trigger].word == "spill"
    guard run.isSpelled, !isMisheard || run.isInWords, word.utf8.count <= Limits.repairedWordBytes,
      !Self.isOfNotation(tokens, trigger: trigger, start, run)
    else { return nil }
    self.word = word
    end = run.end
    let isQuoted = start < tokens.count && tokens[start].opening.contains { Self.quotes.contains($0) }
    let suffix = tokens[run.end - 1].suffix.filter { !isQuoted || !Self.quotes.contains($0) }
    let leadIn = Self.leadIn(tokens, before: trigger)
    let said = Self.likeness(to: word, tokens, before: trigger - leadIn, isWritten: written.count == trigger)
    if said > 0 {
      parts = written.dropLast(said + leadIn) + [word + suffix]
    } else if Self.isTold(tokens, trigger: trigger) {
      // One word behind "is spelled" is written already.
      guard !run.isOneWord else { return nil }
      parts = written + tokens[trigger..<start].map(\.whole) + [word + suffix]
    } else {
      parts = written
      // The pause before "spell" is none of the sentence.
      if let last = parts.last, last.last == "," { parts[parts.count - 1] = String(last.dropLast()) }
      parts.append(word + suffix)
    }
    // A text that begins with a slash would be a command of the agent's own.
    if parts.joined(separator: " ").trimmingWhitespace().hasPrefix("/") { return nil }
  }

  /// Whether it is about how something is to be written, or about another kind of spell: "spell out API and CLI", "please spell GPG
  /// consistently", "a new spell".
  private static func isOfNotation(_ tokens: [HeardToken], trigger: Int, _ start: Int, _ run: SpelledRun) -> Bool {
    if tokens[trigger].word == "spell", start == trigger + 2, tokens[trigger + 1].word == "out" { return true }
    if tokens[trigger].word == "spell", trigger > 0,
      ["a", "an", "the", "this", "that", "each", "every", "new", "magic"].contains(tokens[trigger - 1].word)
    {
      return true
    }
    let isCommand = trigger == 0 || tokens[trigger - 1].word == "please"
    if isCommand, run.end < tokens.count, Self.manners.contains(tokens[run.end].word) { return true }
    return run.isName && run.end < tokens.count || run.isEnumeration
  }

  /// What follows where something is to be spelled in some way.
  private static let manners: Set<String> = [
    "in", "with", "without", "like", "everywhere", "correctly", "consistently",
  ]

  private static let quotes: Set<Character> = ["\"", "\u{201C}", "\u{201D}"]

  /// Where the letters begin: "spell it", "spelled out".
  static func start(_ tokens: [HeardToken], behind trigger: Int) -> Int {
    let next = trigger + 1
    guard next < tokens.count, tokens[trigger].ending.isEmpty,
      ["it", "that", "this", "as", "out"].contains(tokens[next].word)
    else { return next }
    return next + 1
  }

  /// How many words before "spelled" only introduce it: ", that's spelled".
  private static func leadIn(_ tokens: [HeardToken], before trigger: Int) -> Int {
    guard trigger > 0 else { return 0 }
    // A possessive ending is taken off.
    if ["thats", "its"].contains(tokens[trigger - 1].word)
      || (["that", "it"].contains(tokens[trigger - 1].word) && !tokens[trigger - 1].possessive.isEmpty)
    {
      return 1
    }
    guard trigger > 1, tokens[trigger - 1].word == "is", ["that", "which", "it"].contains(tokens[trigger - 2].word)
    else {
      return 0
    }
    return 2
  }

  /// Whether "spell" tells something here, so that the sentence needs it: "is spelled", "how do you spell".
  private static func isTold(_ tokens: [HeardToken], trigger: Int) -> Bool {
    if ["spelled", "spelt"].contains(tokens[trigger].word) { return true }
    guard trigger > 0 else { return false }
    let before = tokens[trigger - 1].word
    guard before == "to" else { return subjects.contains(before) }
    return trigger > 1 && wishes.contains(tokens[trigger - 2].word)
  }

  private static let subjects: Set<String> = [
    "you", "we", "they", "i", "must", "should", "can", "could", "will", "would", "not", "don't", "never", "always",
    "do",
    "does", "did",
  ]
  private static let wishes: Set<String> = [
    "how", "need", "needs", "want", "wants", "have", "has", "had", "going", "try", "trying", "able", "us", "you", "me",
  ]

  /// How many of the words before are what was spelled, as the recogniser heard it; none where a question may be about
  /// them.
  private static func likeness(to word: String, _ tokens: [HeardToken], before end: Int, isWritten: Bool) -> Int {
    guard isWritten, end > 0, !tokens[..<end].contains(where: { asking.contains($0.word) }) else { return 0 }
    let meant = Array(word.lowercased().filter { $0.isLetter || $0.isNumber }.utf8)
    let sound = SoundKey(word)
    var best: (count: Int, distance: Int)?
    for count in 1...min(3, end) {
      let window = tokens[end - count..<end]
      // "For the tests, spell T E S T": an ordinary word in another form is another word.
      let isForm =
        count == 1 && tokens[end].word == "spell" && OrdinaryWords.contains(window[end - 1].word)
        && (window[end - 1].word.hasPrefix(word.lowercased()) || word.lowercased().hasPrefix(window[end - 1].word))
      guard !isForm, window.allSatisfy({ !$0.word.isEmpty && $0.word.utf8.count <= Limits.repairedWordBytes }),
        window.dropLast().allSatisfy({ $0.suffix.isEmpty }),
        !Spelling.functionWords.contains(window[window.startIndex].word)
      else { break }
      let letters = Array(window.map(\.word).joined().filter { $0.isLetter || $0.isNumber }.utf8)
      let distance = EditDistance.between(letters, meant)
      let isAlike =
        distance * 3 <= max(letters.count, meant.count)
        || distance * 2 <= meant.count && meant.count > 2 && SoundKey(String(decoding: letters, as: UTF8.self)) == sound
      if isAlike, distance < best?.distance ?? .max { best = (count, distance) }
    }
    return best?.count ?? 0
  }

  private static let asking: Set<String> = [
    "is", "are", "was", "were", "isn't", "whether", "if", "how", "why", "check",
  ]
}
