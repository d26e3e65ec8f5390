/// What recognisers make of a number that is said with an "and" in it: two numbers.
enum HeardNumber {
  /// "300 and 7", where nothing says that two things are meant, is 307.
  ///
  /// - Parameters:
  ///   - words: in lower case.
  ///   - before: the word in front of them; empty if there is none.
  /// - Returns: nil if these are no such number.
  static func joined(_ words: [String], before: String) -> String? {
    guard words.count == 3, words[1] == "and", !ofTwo.contains(before),
      let hundreds = Int(words[0].replacing(",", with: "")), (100..<1_000_000).contains(hundreds), hundreds % 100 == 0,
      let rest = Int(words[2]), (1..<100).contains(rest), String(rest) == words[2]
    else { return nil }
    let sum = String(hundreds + rest)
    return words[0].contains(",") ? sum.dropLast(3) + "," + sum.suffix(3) : sum
  }

  /// Behind these, two are meant: "between 300 and 7", "lines 300 and 7".
  private static let ofTwo: Set<String> = [
    "between", "from", "both", "either", "of", "add", "adding", "plus", "multiply", "compare", "swap", "numbers",
    "values",
    "lines", "pages", "rows", "columns", "ports", "codes", "errors", "issues", "chapters", "sections", "steps", "tests",
    "items", "sizes", "limits", "counts", "commits", "requests", "versions",
  ]
}
