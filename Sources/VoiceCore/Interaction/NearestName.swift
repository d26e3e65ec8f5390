extension String {
  /// The name that takes the fewest letters to be changed, dropped or added (Levenshtein 1965): what was likely meant.
  /// Letter case does not count; nil only if there are no names.
  package func nearest(of names: [String]) -> String? {
    let wanted = Array(lowercased())
    func distance(to name: String) -> Int { EditDistance.between(wanted, Array(name.lowercased())) }
    return names.min { distance(to: $0) < distance(to: $1) }
  }
}
