extension String {
  /// The name that takes the fewest letters to be changed, dropped or added (Levenshtein 1965): what was likely meant.
  /// Letter case does not count; nil only if there are no names.
  package func nearest(of names: [String]) -> String? {
    names.min { distance(to: $0) < distance(to: $1) }
  }

  private func distance(to other: String) -> Int {
    let right = Array(other.lowercased())
    var row = Array(0...right.count)
    for (index, letter) in lowercased().enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (letter == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
