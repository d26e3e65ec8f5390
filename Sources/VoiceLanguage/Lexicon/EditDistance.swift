/// The least number of single changes, insertions and deletions between two sequences (Levenshtein 1965).
enum EditDistance {
  /// Takes time by both lengths multiplied, and memory by the right one.
  static func between<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
    var row = Array(0...right.count)
    for (index, element) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (element == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
