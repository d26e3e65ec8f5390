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
    let (old, new) = (lines(old), lines(new))
    let shorter = min(old.count, new.count)
    var before = 0
    while before < shorter, isSame(old[before], new[before]) { before += 1 }
    var after = 0
    while after < shorter - before, isSame(old[old.count - 1 - after], new[new.count - 1 - after]) { after += 1 }
    return (Array(old[before..<old.count - after]), Array(new[before..<new.count - after]))
  }

  /// The lines of a text but for the empty ones.
  static func lines(_ text: String) -> [Substring] { text.lines.filter { !$0.isEmpty } }

  /// To the byte: letters that only count as equal are a change.
  private static func isSame(_ old: Substring, _ new: Substring) -> Bool { old.utf8.elementsEqual(new.utf8) }
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
    // In front of the first place that changes, these signs are of the names of the files.
    let lines = ChangedLines.lines(unified)
    let isNamed = lines.count > 1 && lines[0].hasPrefix("--- ") && lines[1].hasPrefix("+++ ")
    let start = lines.firstIndex { $0.hasPrefix("@@") } ?? (isNamed ? 2 : 0)
    for line in lines[start...] {
      if line.utf8.first == UInt8(ascii: "+") { linesAdded += 1 }
      if line.utf8.first == UInt8(ascii: "-") { linesRemoved += 1 }
    }
  }
}
