import VoiceVocabulary

/// What a person means who corrects himself while he speaks: the last version.
///
/// Only what is hardly ever said otherwise corrects. "No, wait", "sorry" and "actually" have too many other meanings ("no, wait a
/// second"): such a text stays as it was said, which whoever reads it understands (`mayTakeBack`).
package enum SelfCorrection {
  /// The text with "…, no, I mean …" and its like resolved; the text as it is if nothing was corrected.
  ///
  /// "Run the unit tests, no, I mean the integration tests" is "Run the integration tests": the new words take the place
  /// of the last words that begin alike; a new command takes the place of the last one.
  package static func lastVersion(of text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    // Who speaks for longer does not correct all of it at its end, and each correction looks at everything before it; and nobody
    // speaks lines.
    guard words.count <= Limits.repairedWords, !text.contains(where: \.isNewline) else { return text }
    let versions = versions(in: words)
    guard versions.count > 1 else { return text }
    var meant = versions[0]
    for version in versions.dropFirst() {
      guard let merged = merge(meant, version) else { return text }
      meant = merged
    }
    return meant.joined(separator: " ")
  }

  /// Whether the user seems to take back some of it, in words that say so only now and then: "…, no, wait, …".
  package static func mayTakeBack(_ text: String) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let plain = words.map { SpokenWords($0).words.joined() }
    return words.indices.dropFirst().dropLast().contains { index in
      doubtful.contains(Array(plain[index...index + 1]))
        && (isPaused(behind: words[index - 1]) || isPaused(behind: words[index]))
    }
  }

  /// The words between the markers; a marker at either end of the text, or right behind another one, marks nothing.
  private static func versions(in words: [String]) -> [[String]] {
    let plain = words.map { SpokenWords($0).words.joined() }
    var versions: [[String]] = [[]]
    var index = 0
    while index < words.count {
      let marker = markers.first { plain[index...].starts(with: $0) }
      if let marker, versions.last?.isEmpty == false, index + marker.count < words.count,
        isMeant(marker, at: index, words, plain)
      {
        versions.append([])
        index += marker.count
      } else {
        versions[versions.count - 1].append(words[index])
        index += 1
      }
    }
    return versions
  }

  /// Longer ones first. "I mean" alone is a habit of speech, and corrects nothing.
  private static let markers = [
    ["no", "wait", "i", "mean"], ["sorry", "no", "i", "mean"], ["no", "sorry", "i", "mean"], ["no", "i", "mean"],
    ["no", "i", "meant"], ["sorry", "i", "mean"], ["sorry", "i", "meant"], ["i", "meant", "to", "say"],
    ["scratch", "that"], ["or", "rather"],
  ]

  private static let doubtful: Set<[String]> = [
    ["no", "wait"], ["wait", "no"], ["no", "sorry"], ["sorry", "no"], ["no", "actually"], ["actually", "no"],
  ]

  /// Whether a pause was heard here. Recognisers write it as a sign.
  private static func isPaused(behind word: String) -> Bool {
    word.last.map { ",.;:!?-\u{2013}\u{2014}\u{2026}".contains($0) } ?? false
  }

  /// Whether a marker is one here, and no other words of the sentence.
  private static func isMeant(_ marker: [String], at index: Int, _ words: [String], _ plain: [String]) -> Bool {
    switch marker {
    // "From scratch that handles", "in scratch. That folder".
    case ["scratch", "that"]: return isPaused(behind: words[index - 1]) && !isPaused(behind: words[index])
    // "A bug or rather a feature?"
    case ["or", "rather"]:
      return isPaused(behind: words[index - 1]) && words.last?.last != "?"
        && Set(["if", "whether"]).isDisjoint(with: plain)
    // "What I meant to say is", "in the message I meant to say".
    case ["i", "meant", "to", "say"]: return isPaused(behind: words[index - 1])
    // "Never push to main, no, I mean it."
    default: return !(["it", "that"].contains(plain[index + marker.count]) && index + marker.count + 1 == words.count)
    }
  }

  /// Nil where it is not clear what the new words stand for.
  private static func merge(_ old: [String], _ new: [String]) -> [String]? {
    let oldPlain = old.map { SpokenWords($0).words.joined() }
    let newPlain = new.map { SpokenWords($0).words.joined() }
    guard let first = newPlain.first, !commandVerbs.contains(first) else {
      // "Delete the folder, no, I mean rename it": what is renamed stands in what it corrects.
      guard Set(["it", "them", "that", "one", "those"]).intersection(newPlain).isSubset(of: oldPlain) else {
        return nil
      }
      let sentence = old.dropLast().lastIndex { $0.last.map { ".!?".contains($0) } ?? false }.map { $0 + 1 } ?? 0
      // "Rename it and then test it, or rather run the linter": of two commands the last.
      let command = old.indices.dropFirst().last { place in
        ["and", "then"].contains(oldPlain[place - 1]) && commandVerbs.contains(oldPlain[place])
      }
      return Array(old[..<max(sentence, command ?? 0)]) + new
    }
    let alike = oldPlain.lastIndex(of: first)
    guard let start = alike ?? (new.count < old.count ? old.count - new.count : nil) else { return new }
    // A command keeps its verb, whatever else is corrected.
    return Array(old[..<max(commandVerbs.contains(oldPlain[0]) ? 1 : 0, start)]) + new
  }

  /// What a command, or a question, may begin with.
  static let commandVerbs: Set<String> = [
    "add", "ask", "build", "change", "check", "clean", "close", "commit", "compare", "convert", "copy", "count",
    "create",
    "debug", "delete", "deploy", "describe", "do", "explain", "find", "fix", "format", "generate", "get", "give", "go",
    "halt", "how", "install", "list", "look", "make", "merge", "move", "open", "print", "pull", "push", "put", "read",
    "rebase", "refactor", "remove", "rename", "replace", "revert", "review", "rewrite", "run", "search", "set", "show",
    "start", "stop", "summarise", "summarize", "tell", "test", "try", "turn", "undo", "update", "use", "what", "where",
    "which", "who", "why", "write",
  ]
}
