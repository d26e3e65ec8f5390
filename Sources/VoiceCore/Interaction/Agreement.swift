/// How far two wordings of the same utterance agree.
package enum Agreement {
  /// The share of words that both have, in percent of all words: 100 for the same words in any order, 0 for none.
  /// Letter case and punctuation do not count.
  package static func percent(_ left: String, _ right: String) -> Int {
    let leftWords = words(left)
    let rightWords = words(right)
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

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
