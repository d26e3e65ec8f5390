/// How far two wordings of the same utterance agree.
package enum Agreement {
  /// The share of words that both have, in percent of all words: 100 for the same words in any order, 0 for none.
  /// Letter case and punctuation do not count.
  package static func percent(_ left: String, _ right: String) -> Int {
    percent(SpokenWords(left).words, SpokenWords(right).words)
  }

  /// The same of texts that were taken apart already.
  package static func percent(_ leftWords: [String], _ rightWords: [String]) -> Int {
    guard !leftWords.isEmpty || !rightWords.isEmpty else { return 100 }
    var counts: [String: Int] = [:]
    for word in leftWords { counts[word, default: 0] += 1 }
    var shared = 0
    for word in rightWords {
      if let count = counts[word], count > 0 {
        counts[word] = count - 1
        shared += 1
      }
    }
    return 200 * shared / (leftWords.count + rightWords.count)
  }
}
