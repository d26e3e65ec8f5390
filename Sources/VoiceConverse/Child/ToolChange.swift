import VoiceVocabulary

/// One change to a file, however the agent tells it.
struct ToolChange {
  var path: String?
  var old: String?
  var new: String?
  var unified: String?
  /// What happens to the file besides: it is deleted, or moved.
  var operation: String?
  /// Whether it is told by the input of the tool, not as a diff.
  var isFromInput = false
  /// Whether the edit that it stands for says more than these texts.
  var isPartly = false

  /// The lines that differ, each with its mark.
  var text: String {
    var parts = [operation].compactMap { $0 }
    if let unified { parts.append(unified) }
    guard unified == nil else { return parts.joined(separator: "\n") }
    let (removed, added) = ChangedLines.between(old ?? "", new ?? "")
    parts += removed.map { "- " + $0 } + added.map { "+ " + $0 }
    return parts.joined(separator: "\n")
  }
}

/// What differs between two texts: their lines without those that both begin and end with.
enum ChangedLines {
  /// The lines that are not in the other text; empty ones do not count.
  static func between(_ old: String, _ new: String) -> (removed: [Substring], added: [Substring]) {
    let old = old.split(separator: "\n", omittingEmptySubsequences: true)
    let new = new.split(separator: "\n", omittingEmptySubsequences: true)
    let shorter = min(old.count, new.count)
    var before = 0
    while before < shorter, old[before] == new[before] { before += 1 }
    var after = 0
    while after < shorter - before, old[old.count - 1 - after] == new[new.count - 1 - after] { after += 1 }
    return (Array(old[before..<old.count - after]), Array(new[before..<new.count - after]))
  }
}

extension ChangeSummary {
  /// Add the lines that differ between two texts, apart from what both begin and end with.
  mutating func count(from old: String, to new: String) {
    let (removed, added) = ChangedLines.between(old, new)
    linesAdded += added.count
    linesRemoved += removed.count
  }

  /// Add the lines of a unified diff.
  mutating func count(unified: String) {
    for line in unified.split(separator: "\n") where !line.hasPrefix("+++") && !line.hasPrefix("---") {
      if line.hasPrefix("+") { linesAdded += 1 }
      if line.hasPrefix("-") { linesRemoved += 1 }
    }
  }
}
