extension String {
  /// The name that takes the fewest letters to be changed, dropped or added (Levenshtein 1965): what was likely meant.
  /// Letter case does not count; nil only if there are no names.
  package func nearest(of names: [String]) -> String? {
    let wanted = Array(lowercased())
    func distance(to name: String) -> Int { EditDistance.between(wanted, Array(name.lowercased())) }
    return names.min { distance(to: $0) < distance(to: $1) }
  }

  /// How many slips of a typist lie between this and another name: a letter changed, dropped or added, or two neighbours in each
  /// other's place (Damerau 1964), where what such a slip has touched is not touched again.
  package func slips(from name: String) -> Int {
    let (own, other) = (Array(lowercased()), Array(name.lowercased()))
    var before: [Int] = []
    var row = Array(0...other.count)
    for index in own.indices {
      var next = [index + 1]
      for column in other.indices {
        var least = Swift.min(
          row[column] + (own[index] == other[column] ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if index > 0, column > 0, own[index] == other[column - 1], own[index - 1] == other[column] {
          least = Swift.min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
