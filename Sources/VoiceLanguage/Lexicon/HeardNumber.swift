/// What recognisers make of a number that is said with an "and" in it: two numbers.
enum HeardNumber {
  /// "300 and 7", behind a word that one number follows, is 307. Anywhere else two may be meant: "delete customers 100 and 20".
  ///
  /// - Parameters:
  ///   - words: in lower case.
  ///   - before: the word in front of them; empty if there is none.
  ///   - after: the word behind them; empty if there is none, or a pause in between.
  /// - Returns: nil if these are no such number.
  static func joined(_ words: [String], before: String, after: String) -> String? {
    guard words.count == 3, words[1] == "and", ofOne.contains(before), !goOn.contains(after),
      let hundreds = Int(words[0].replacing(",", with: "")), (100..<1_000_000).contains(hundreds), hundreds % 100 == 0,
      let rest = Int(words[2]), (1..<100).contains(rest), String(rest) == words[2]
    else { return nil }
    let sum = String(hundreds + rest)
    return words[0].contains(",") ? sum.dropLast(3) + "," + sum.suffix(3) : sum
  }

  /// What has one number.
  private static let ofOne: Set<String> = [
    "line", "page", "port", "row", "column", "error", "code", "status", "issue", "chapter", "section", "step", "ticket",
    "bug",
    "number", "request", "commit", "version", "build",
  ]
  /// Behind these, the second number belongs to something else: "from line 300 and 7 to line 12".
  private static let goOn: Set<String> = ["to", "with", "and", "or", "by", "of", "more", "through"]
}
