/// What "no, wait", "sorry" or "actually" make of the words around them, where these look like two versions of the same.
///
/// A correction that was none loses words, and one that was missed loses none: whoever reads the text understands it. So
/// anything that may be a sentence of its own, or words to be written, stays.
struct DoubtfulCorrection {
  /// The last version.
  let merged: [String]

  /// Nil if both are left as they are.
  init?(old: [String], marker: [String], new: [String]) {
    let pair = Pair(old: old, marker: marker, new: new)
    guard pair.isPossible, let merged = pair.otherCommand ?? pair.otherWords ?? pair.otherEnd else { return nil }
    self.merged = merged
  }

  private struct Pair {
    let old: [String]
    let new: [String]
    let oldPlain: [String]
    let newPlain: [String]
    let marker: [String]
    let isPausedBefore: Bool
    let isPausedBehind: Bool

    init(old: [String], marker: [String], new: [String]) {
      (self.old, self.new) = (old, new)
      oldPlain = old.map { SpokenWords($0).words.joined() }
      newPlain = new.map { SpokenWords($0).words.joined() }
      self.marker = marker.map { SpokenWords($0).words.joined() }
      isPausedBefore = Self.isPaused(behind: old.last)
      isPausedBehind = Self.isPaused(behind: marker.last)
    }

    /// Whether a pause was heard here. Recognisers write it as a comma.
    private static func isPaused(behind word: String?) -> Bool {
      word.flatMap(\.last).map { ",.;:-\u{2013}\u{2014}\u{2026}".contains($0) } ?? false
    }

    /// Whether two words mark it: "no, wait" is hardly anything else.
    private var isMarkedTwice: Bool { marker.count > 1 }

    /// Whether the words around may be two versions at all.
    var isPossible: Bool {
      guard let first = newPlain.first, !DoubtfulCorrection.ownBeginnings.contains(first),
        let last = oldPlain.last, !DoubtfulCorrection.openEnds.contains(last),
        DoubtfulCorrection.reporting.isDisjoint(with: oldPlain), DoubtfulCorrection.telling.isDisjoint(with: newPlain),
        !(old + new).contains(where: { $0.contains { "\"\u{201C}\u{201D}".contains($0) } })
      else { return false }
      // "No, wait for the build."
      return
        !(["wait", "weight"].contains(marker.last) && !isPausedBehind
        && ["for", "until", "till", "on"].contains(first))
    }

    /// "Delete, sorry, rename the folder": the other command takes the place of everything, and "rename it" that of the verb.
    var otherCommand: [String]? {
      guard SelfCorrection.commandVerbs.contains(newPlain[0]), SelfCorrection.commandVerbs.contains(oldPlain[0]),
        old.count <= 8, isPausedBefore, isPausedBehind || isMarkedTwice,
        DoubtfulCorrection.adding.isDisjoint(with: newPlain), !isOtherValue
      else { return nil }
      if old.count == 1 { return new.count > 1 ? new : nil }
      guard isMarkedTwice || marker == ["sorry"] else { return nil }
      let isOfSame = new.count == 1 || new.count == 2 && ["it", "them"].contains(newPlain[1])
      guard isOfSame else { return new }
      guard !["stop", "halt", "undo", "go"].contains(newPlain[0]), ["the", "this", "my"].contains(oldPlain[1]) else {
        return nil
      }
      let ending = new[new.count - 1].parted.ending
      let object = Array(old[1..<old.count - 1]) + [String(old[old.count - 1].parted.word + ending)]
      return [String(new[0].parted.word)] + object
    }

    /// "Open the test file, no, wait, the other file": what begins alike takes the place of what did before.
    var otherWords: [String]? {
      let first = newPlain[0]
      guard DoubtfulCorrection.beginnings.contains(first), new.count <= 6 else { return nil }
      let isArticle = DoubtfulCorrection.articles.contains(first)
      guard
        let place = oldPlain.lastIndex(of: first)
          ?? (isArticle ? oldPlain.lastIndex { DoubtfulCorrection.articles.contains($0) } : nil),
        place > 0, old.count - place <= 6, abs(old.count - place - new.count) <= 2
      else { return nil }
      let isSameLength = old.count - place == new.count && oldPlain[place] == first
      let isMarked =
        switch (isPausedBefore, isPausedBehind) {
        case (true, true): true
        case (true, false) where marker == ["no"]: isSameLength
        case (true, false), (false, true): isMarkedTwice || marker == ["actually"] && isSameLength
        case (false, false): isSameLength && new.count <= 3 && (isMarkedTwice || marker == ["actually"])
        }
      guard isMarked, marker != ["actually"] || DoubtfulCorrection.relative.isDisjoint(with: oldPlain),
        marker != ["actually"] || SelfCorrection.commandVerbs.contains(oldPlain[0])
      else { return nil }
      return old[..<place] + new
    }

    /// "Set it to thirty, no, make that forty", "check staging, no, wait, production".
    var otherEnd: [String]? {
      guard isPausedBefore, isPausedBehind || isMarkedTwice || isOtherValue else { return nil }
      let end = isOtherValue ? Array(new.dropFirst(2)) : new
      guard let first = end.first, end.count < old.count else { return nil }
      if DoubtfulCorrection.isNumber(first), end.count == 1 { return otherNumber(end[0]) }
      guard isMarkedTwice || marker == ["sorry"], isPausedBehind, end.count == 1,
        !SelfCorrection.commandVerbs.contains(newPlain[0]), !DoubtfulCorrection.beginnings.contains(newPlain[0])
      else { return nil }
      return Array(old.dropLast()) + end
    }

    /// "Three retries, no, wait, five": the only number before it is meant.
    private func otherNumber(_ number: String) -> [String]? {
      let places = oldPlain.indices.filter { DoubtfulCorrection.isNumber(oldPlain[$0]) }
      guard places.count == 1 else { return nil }
      var corrected = old
      let ending = number.parted.ending
      corrected[places[0]] = String(number.parted.word)
      corrected[old.count - 1] = String(corrected[old.count - 1].parted.word + ending)
      return corrected
    }

    private var isOtherValue: Bool {
      newPlain.count == 3 && newPlain[0] == "make" && ["it", "that"].contains(newPlain[1])
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    let word = SpokenWords(word).words.joined()
    return !word.isEmpty && (word.allSatisfy(\.isNumber) || NumberWords.isNumberWord(word))
  }

  private static let articles: Set<String> = ["the", "a", "an", "this", "my", "our", "your", "its", "their", "all"]
  private static let beginnings = articles.union([
    "to", "in", "on", "at", "for", "from", "with", "into", "of", "by", "before", "after", "under", "every", "only",
  ])

  /// Who begins with one of these says something else.
  private static let ownBeginnings: Set<String> = [
    "i", "im", "ill", "ive", "it", "its", "you", "youre", "we", "they", "he", "she", "that", "thats", "dont", "do",
    "let",
    "lets", "there", "theres", "what", "whats", "why", "who", "how", "because", "but", "so", "and", "or", "if", "when",
    "not", "never", "nevermind", "yes", "no", "okay", "ok", "please", "thanks", "now", "later", "again", "first",
    "then",
    "also", "just", "maybe", "stop", "wait", "sorry", "actually", "cancel", "forget", "ignore", "hold", "hang", "skip",
    "leave", "drop", "right", "done", "really", "still", "use", "about", "too", "today", "instead", "one",
  ]

  /// What goes on with the words behind it.
  private static let openEnds: Set<String> = [
    "is", "are", "was", "be", "there", "says", "with", "to", "or", "and", "of", "have", "has", "had", "if", "does",
    "do",
    "not", "that", "which", "what", "who", "yes", "as", "like", "than", "but",
  ]

  /// Behind these, words may be quoted.
  private static let reporting: Set<String> = [
    "say", "says", "saying", "said", "print", "prints", "printing", "message", "text", "string", "called", "named",
    "prompt", "reply", "replies", "answer", "answers", "respond", "responds", "label", "title", "comment", "whether",
  ]

  /// What has one of these may be a sentence.
  private static let telling: Set<String> = [
    "is", "are", "was", "were", "isnt", "arent", "wasnt", "does", "doesnt", "did", "didnt", "has", "hasnt", "have",
    "had",
    "will", "wont", "would", "should", "shouldnt", "can", "cant", "cannot", "could", "must", "may", "might", "fails",
    "failed", "works", "worked", "looks", "seems", "needs", "comes", "broke", "breaks", "crashes", "crashed",
  ]

  private static let relative: Set<String> = ["what", "that", "which", "where", "how", "when", "who"]

  /// What comes beside the words before.
  private static let adding: Set<String> = [
    "also", "too", "first", "then", "again", "well", "before", "after", "instead",
  ]
}

extension String {
  /// The word, and the punctuation behind it.
  fileprivate var parted: (word: Substring, ending: Substring) {
    let end = lastIndex { $0.isLetter || $0.isNumber }.map { index(after: $0) } ?? startIndex
    return (self[..<end], self[end...])
  }
}
