import VoiceLanguage

/// How far a recognised text is from the spoken one, counted in words.
package struct WordErrorRate: Equatable, Sendable {
  /// Words substituted, left out or put in.
  package var errors: Int
  /// Words that were said.
  package var words: Int

  /// 0 for no error; 1 and more for nothing right. Nothing said and nothing recognised is no error.
  package var rate: Double { words == 0 ? Double(min(errors, 1)) : Double(errors) / Double(words) }

  /// Compare as they are said; words that differ only in how they are joined ("read me", "readme") are the same.
  package init(recognised: String, spoken: String) {
    let said = spoken.spelledWords
    (errors, words) = (Self.distance(recognised.spelledWords, said), said.count)
  }

  /// The least number of changes from one list to the other, where two neighbours may match one word that joins them.
  private static func distance(_ left: [String], _ right: [String]) -> Int {
    var rows = [Array(0...right.count)]
    for (i, word) in left.enumerated() {
      var row = [i + 1]
      for (j, other) in right.enumerated() {
        var best = min(rows[i][j] + (word == other ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, left[i - 1] + word == other { best = min(best, rows[i - 1][j]) }
        if j > 0, right[j - 1] + other == word { best = min(best, rows[i][j - 1]) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
