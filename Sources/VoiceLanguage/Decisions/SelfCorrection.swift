import VoiceVocabulary

/// What a person means who corrects himself while he speaks: the last version.
package enum SelfCorrection {
  /// The text with "…, no, I mean …" and its like resolved; the text as it is if nothing was corrected.
  ///
  /// "Run the unit tests, no, I mean the integration tests" is "Run the integration tests": the new words take the place
  /// of the last words that begin alike; a new command takes the place of everything. Behind what is a correction only
  /// now and then ("no, wait", "sorry"), the words have to look like one (`DoubtfulCorrection`).
  package static func lastVersion(of text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    // Who speaks for longer does not correct all of it at its end, and each correction looks at everything before it.
    guard words.count <= Limits.repairedWords else { return text }
    let versions = versions(in: words)
    var meant = versions[0].words
    var isCorrected = false
    for version in versions.dropFirst() {
      let last =
        version.marker.isClear
        ? merge(meant, version.words)
        : DoubtfulCorrection(old: meant, marker: version.said, new: version.words)?.merged
      isCorrected = isCorrected || last != nil
      meant = last ?? meant + version.said + version.words
    }
    return isCorrected ? meant.joined(separator: " ") : text
  }

  /// What was said behind a marker.
  private struct Version {
    var marker = Marker()
    /// The marker, as it was said.
    var said: [String] = []
    var words: [String] = []
  }

  private struct Marker {
    var words: [String] = []
    /// Whether it always corrects.
    var isClear = true
  }

  /// The words between the markers; a marker at either end of the text, or right behind another one, marks nothing.
  private static func versions(in words: [String]) -> [Version] {
    let plain = words.map { SpokenWords($0).words.joined() }
    var versions = [Version()]
    var index = 0
    while index < words.count {
      let marker = markers.first { plain[index...].starts(with: $0.words) }
      if let marker, versions.last?.words.isEmpty == false, index + marker.words.count < words.count {
        let end = index + marker.words.count
        versions.append(Version(marker: marker, said: Array(words[index..<end])))
        index = end
      } else {
        versions[versions.count - 1].words.append(words[index])
        index += 1
      }
    }
    return versions
  }

  /// Longer ones first. "I mean" alone is a habit of speech, and corrects nothing.
  private static let markers =
    [
      ["no", "wait", "i", "mean"], ["sorry", "no", "i", "mean"], ["no", "sorry", "i", "mean"], ["no", "i", "mean"],
      ["no", "i", "meant"], ["sorry", "i", "mean"], ["sorry", "i", "meant"], ["i", "meant", "to", "say"],
      ["scratch", "that"], ["or", "rather"],
    ].map { Marker(words: $0) }
    + [
      ["no", "wait", "no"], ["no", "no", "wait"], ["no", "wait"], ["no", "weight"], ["wait", "no"], ["no", "sorry"],
      ["sorry", "no"],
      ["actually", "no"], ["no", "actually"], ["sorry"], ["actually"], ["wait"], ["no"],
    ].map { Marker(words: $0, isClear: false) }

  private static func merge(_ old: [String], _ new: [String]) -> [String] {
    let oldPlain = old.map { SpokenWords($0).words.joined() }
    let newPlain = new.map { SpokenWords($0).words.joined() }
    guard let first = newPlain.first, !commandVerbs.contains(first) else { return new }
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
