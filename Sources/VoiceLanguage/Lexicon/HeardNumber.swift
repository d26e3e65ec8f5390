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
    guard words.count == 3, words[1] == "and", ofOne.contains(before), after.isEmpty || end.contains(after),
      let hundreds = Int(words[0].replacing(",", with: "")), (100..<1_000_000).contains(hundreds), hundreds % 100 == 0,
      let rest = Int(words[2]), (1..<100).contains(rest), String(rest) == words[2]
    else { return nil }
    let sum = String(hundreds + rest)
    return words[0].contains(",") ? sum.dropLast(3) + "," + sum.suffix(3) : sum
  }

  /// What has one number.
  private static let ofOne: Set<String> = [
    "line", "page", "port", "row", "column", "error", "code", "status", "chapter", "section", "step", "number",
    "version", "build",
  ]
  /// Behind anything else, the second number may count that: "return error 500 and 3 retries".
  private static let end: Set<String> = [
    "in", "on", "at", "is", "was", "for", "from", "please", "now", "again", "first", "comes", "fails", "failed",
    "looks", "should", "does", "has", "before", "after", "if", "when", "because",
  ]
}
