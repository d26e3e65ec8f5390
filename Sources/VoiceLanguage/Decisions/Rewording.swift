/// What was heard, and what a live model understood, which may tidy it up and must not change what is asked for.
package struct Rewording {
  private let heard: [String]
  private let meant: [String]

  /// Nil for a transcript that arrived damaged, which tells too little.
  package init?(heard: String, meant: String) {
    guard !heard.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0.properties.generalCategory == .control })
    else {
      return nil
    }
    self.heard = Self.words(heard)
    self.meant = Self.words(meant)
  }

  /// Whether something else may be asked for than was said, in words that are much the same: a denial or a number differs, or words
  /// stand in another order. What was added is not looked at: a live model hears better than its transcript says.
  ///
  /// - Parameter takesKey: whether it asks for what is not to be done by mistake. Then every word counts.
  package func mayDifferInSense(takesKey: Bool) -> Bool {
    if heard == meant { return false }
    if takesKey { return true }
    let (added, left) = (Self.rest(of: meant, without: heard), Self.rest(of: heard, without: meant))
    if (added + left).contains(where: Self.isWeighty) { return true }
    return !isInOrder(sharing: meant.count - added.count)
  }

  /// Whether the words that both have stand in the same order in both; of very long texts that is not known.
  private func isInOrder(sharing count: Int) -> Bool {
    guard heard.count * meant.count <= Self.mostComparisons else { return false }
    var row = [Int](repeating: 0, count: meant.count + 1)
    for word in heard {
      var corner = 0
      for (index, other) in meant.enumerated() {
        let next = word == other ? corner + 1 : max(row[index + 1], row[index])
        (corner, row[index + 1]) = (row[index + 1], next)
      }
    }
    return row[meant.count] == count
  }

  /// Two texts of four hundred words: nobody says more in one breath.
  private static let mostComparisons = 160_000

  /// Words of one text that the other does not have, as often.
  private static func rest(of words: [String], without others: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for word in others { counts[word, default: 0] += 1 }
    return words.filter { word in
      guard let count = counts[word], count > 0 else { return true }
      counts[word] = count - 1
      return false
    }
  }

  private static func isWeighty(_ word: String) -> Bool {
    // "This one" is no number.
    weighty.contains(word) || word != "one" && NumberWords.isNumberWord(word) || word.contains(where: \.isNumber)
  }

  /// Words that turn a sentence round.
  package static let weighty = KeptSense.negations.union(contractions.keys).union(["only", "instead", "unless"])

  /// The words without politeness, numbers in words, denials apart: "don't" is do not.
  private static func words(_ text: String) -> [String] {
    var words = SpokenWords(text).withoutFillers.words.flatMap { word -> [String] in
      if word.allSatisfy(\.isNumber) { return NumberWords.cardinal(digits: word) }
      if word == "cannot" { return ["can", "not"] }
      if let verb = contractions[word] { return [verb, "not"] }
      return [word]
    }
    if words.count > 2, ["can", "could", "would", "will"].contains(words[0]), words[1] == "you" {
      words.removeFirst(2)
    }
    return words
  }

  private static let contractions: [String: String] = {
    let verbs = [
      "do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "should", "could", "would", "must", "need",
    ]
    let regular = Dictionary(uniqueKeysWithValues: verbs.map { ("\($0)nt", $0) })
    return regular.merging(["cant": "can", "wont": "will", "shant": "shall"]) { $1 }
  }()
}
