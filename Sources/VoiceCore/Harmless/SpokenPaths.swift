/// Paths whose signs were said, and written as words: "slash etc slash hosts", "dot dot slash other", "tilde slash dot bashrc".
///
/// A sign that may begin a path or leave the folder takes a key. A slash does not where it plainly joins two names ("sources slash
/// core"), and a few idioms are no paths ("slash the build time", "read slash write").
struct SpokenPaths {
  private let items: [SpokenSign]

  /// Whether a text may say a path outside the working folder.
  static func mayLeave(_ text: String) -> Bool {
    let paths = SpokenPaths(items: SpokenSign.items(of: text))
    return paths.items.indices.contains(where: paths.mayLeave)
  }

  private func mayLeave(at index: Int) -> Bool {
    switch items[index].kind {
    case .word, .dollar: false
    // Three are a pause, or a range.
    case .dot: dots(from: index) == 2 && (index == 0 || items[index - 1].kind != .dot)
    // "head tilde one" is a commit.
    case .tilde: wordBefore(index) != "head" && !isNoun(index)
    case .slash, .backslash: !joins(index) && !isIdiom(index)
    }
  }

  private func dots(from index: Int) -> Int { items[index...].prefix { $0.kind == .dot }.count }

  /// The word at a place; empty for a sign, and where there is none.
  private func word(_ index: Int) -> String { items.indices.contains(index) ? items[index].word : "" }

  /// The word before a place, in the same clause; empty for a sign, and where there is none.
  private func wordBefore(_ index: Int) -> String {
    index > 0 && !items[index - 1].endsClause ? items[index - 1].word : ""
  }

  /// Whether a slash has names on both sides, of which the first is no verb.
  private func joins(_ index: Int) -> Bool {
    let isHidden = items.indices.contains(index + 1) && items[index + 1].kind == .dot
    let (before, behind) = (wordBefore(index), word(isHidden ? index + 2 : index + 1))
    guard Self.isName(behind) else { return false }
    // "dot slash build"
    if index > 0, items[index - 1].kind == .dot { return index == 1 || items[index - 2].kind != .dot }
    let isVariable = before.hasPrefix("$") || index > 1 && items[index - 2].kind == .dollar
    guard Self.isName(before), before != "home", before != "root", !isVariable else { return false }
    let isNumber = before.allSatisfy(\.isNumber)
    return isNumber || index > 1 && !items[index - 2].endsClause && !Self.beforeVerbs.contains(items[index - 2].word)
  }

  private static func isName(_ word: String) -> Bool {
    !word.isEmpty && !noNames.contains(word) && !objects.contains(word) && !roots.contains(word)
  }

  /// Whether a slash is no sign of a path: the verb, the sign itself, or one that stands between what are no files.
  private func isIdiom(_ index: Int) -> Bool {
    let (before, behind) = (wordBefore(index), word(index + 1))
    if Self.pairs.contains("\(before) \(behind)") || ["command", "commands"].contains(behind) { return true }
    // "slash the build time", "backslash n"
    if ["the", "our"].contains(behind) { return ["", "please"].contains(before) }
    if items[index].kind == .backslash, behind.count == 1 { return true }
    // "https colon slash slash example"
    let slashes = items[...index].reversed().prefix(while: \.isSlash).count
    let address = items[..<(index + 1 - slashes)].suffix(2).map(\.word)
    if address.count == 2, address[0].hasPrefix("http"), address[1] == "colon" { return true }
    return isNoun(index)
  }

  /// "a slash at the end", "print a tilde", "replace the backslash with"
  private func isNoun(_ index: Int) -> Bool {
    let before = wordBefore(index)
    guard items.indices.contains(index + 1) else { return before == "a" }
    return ["a", "the", "trailing", "leading"].contains(before) && Self.noNames.contains(word(index + 1))
  }

  private static let pairs: Set<String> = [
    "a b", "and or", "find replace", "read write", "search replace", "show hide",
  ]

  /// Folders of a system whose names are hardly anything else.
  private static let roots: Set<String> = ["etc", "mnt", "opt", "proc", "sbin", "temp", "tmp", "usr", "var"]

  /// What is named by its path.
  private static let objects: Set<String> = [
    "directories", "directory", "file", "files", "folder", "folders", "path", "paths",
  ]

  /// What is no name of a file: articles, prepositions and the like, and what is done to files.
  private static let noNames: Set<String> = [
    "a", "about", "across", "against", "all", "an", "and", "are", "around", "as", "at", "be", "before", "below", "but",
    "by", "called", "colon", "equals", "everything", "for", "from", "in", "inside", "into", "is", "it", "its", "like",
    "named", "of", "off", "on", "onto", "or", "out", "outside", "over", "so", "than", "that", "the", "them", "then",
    "this", "through", "to", "toward", "towards", "under", "up", "via", "was", "with", "within", "without",
    "add", "cat", "cd", "change", "check", "clean", "clear", "close", "compare", "copy", "cp", "create", "delete",
    "edit", "empty", "execute", "explain", "export", "find", "grep", "import", "inspect", "list", "load", "ls", "make",
    "mount", "move", "mv", "open", "print", "put", "read", "remove", "rename", "replace", "rm", "run", "save", "scan",
    "search", "see", "show", "tail", "touch", "update", "use", "view", "wipe", "write",
  ]

  /// Behind these, or at the beginning, stands a verb.
  private static let beforeVerbs: Set<String> = [
    "also", "and", "but", "can", "could", "first", "i", "just", "let's", "lets", "me", "must", "now", "or", "please",
    "should", "then", "to", "us", "we", "will", "would", "you",
  ]
}
