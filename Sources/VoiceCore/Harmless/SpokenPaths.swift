/// Paths whose signs were said, and written as words: "slash etc slash hosts", "dot dot slash other", "tilde slash dot bashrc".
///
/// A word such as "slash" is no sign everywhere: "slash the build time", "a client slash server pair". What stands beside it tells.
/// Where it may be either, two of them are a path, and so is a folder of the system behind one.
struct SpokenPaths {
  private let items: [SpokenSign]

  /// The paths that a text says, as they are written.
  static func written(in text: String) -> [String] {
    let items = SpokenSign.items(of: text)
    guard items.contains(where: { $0.kind != .word }) else { return [] }
    return SpokenPaths(items: items).paths()
  }

  private func paths() -> [String] {
    var paths: [String] = []
    var index = 0
    while index < items.count {
      switch items[index].kind {
      case .slash, .backslash:
        let (name, next) = path(from: behindSlashes(index))
        if isRoot(at: index, followedBy: name) { paths.append("/" + name) }
        index = max(next, index + 1)
      case .dot, .tilde, .dollar, .word:
        let dots = items[index...].prefix { $0.kind == .dot }.count
        let (first, next) = component(at: index)
        if dots > 2 || first.isEmpty {
          index += max(dots, 1)
        } else if isSlash(next), !isRootBehind(first, at: next) {
          let (path, end) = path(from: index)
          paths.append(path)
          index = end
        } else {
          if [".", ".."].contains(first) || items[index].kind == .tilde, isPlace(index, upTo: next) {
            paths.append(first)
          }
          index = next
        }
      }
    }
    return paths
  }

  // MARK: Reading

  private func isSlash(_ index: Int) -> Bool { items.indices.contains(index) && items[index].isSlash }

  private func behindSlashes(_ index: Int) -> Int { index + items[index...].prefix(while: \.isSlash).count }

  /// The names from here on that have slashes between them, and what stands behind them.
  private func path(from start: Int) -> (String, Int) {
    var (path, index) = component(at: start)
    while !path.isEmpty, index > start, !items[index - 1].endsClause, isSlash(index) {
      let (name, next) = component(at: behindSlashes(index))
      path += "/" + name
      index = max(next, index + 1)
      if name.isEmpty { break }
    }
    return (path, index)
  }

  /// One name of a path: "dot bashrc", "main dot swift", "E T C". Empty if there is none.
  private func component(at start: Int) -> (String, Int) {
    guard items.indices.contains(start) else { return ("", start) }
    var (name, index) = ("", start)
    while index < items.count {
      let item = items[index]
      let dots = items[index...].prefix { $0.kind == .dot }.count
      switch item.kind {
      case .tilde where name.isEmpty: return ("~", index + 1)
      case .slash, .backslash, .tilde: return (name, index)
      case .dot:
        if dots > 1 { return name.isEmpty && dots == 2 ? ("..", index + 2) : (name, name.isEmpty ? start : index) }
        name += "."
      case .dollar:
        guard name.isEmpty else { return (name, index) }
        let isVariable = items.indices.contains(index + 1) && items[index + 1].kind == .word
        name = isVariable ? "$" : "dollar"
      case .word:
        let isJoined = name.isEmpty || [".", "$"].contains(name.last) || item.isLetter && items[index - 1].isLetter
        guard isJoined else { return (name, index) }
        name += item.word
      }
      index += 1
      if item.endsClause { break }
    }
    return (name, index)
  }

  // MARK: What stands beside it

  /// Whether a slash behind a word begins a path, and does not go on with that word.
  private func isRootBehind(_ word: String, at index: Int) -> Bool {
    items[index - 1].kind == .word && isRoot(at: index, followedBy: path(from: behindSlashes(index)).0)
  }

  private func isRoot(at index: Int, followedBy path: String) -> Bool {
    let slashes = behindSlashes(index) - index
    let before = index > 0 && !items[index - 1].endsClause ? items[index - 1] : nil
    guard before?.kind ?? .word == .word else { return false }
    let word = before?.word ?? ""
    // "https colon slash slash": an address.
    if slashes > 1, word == "colon" || index > 0 && items[index - 1].word.hasPrefix("http") { return false }
    let names = path.split(separator: "/").map(String.init)
    guard let first = names.first, names.count > 1 || !Self.followers.contains(first) else {
      return Self.places.contains(word) && items[index].kind == .slash
    }
    if Self.folders.contains(first) { return true }
    if names.count > 1 {
      return first == "user" && Self.inUser.contains(names[1]) || mayOpenPath(word, at: index)
    }
    // "Backslash n", "24 slash 7".
    if items[index].kind == .backslash || first.allSatisfy(\.isNumber) { return false }
    if Self.places.contains(word) || ["equals", "colon"].contains(word) { return true }
    if word == "to" {
      return Self.rarer.contains(first) || clause(before: index).contains(where: Self.carriers.contains)
    }
    if Self.objects.contains(word) { return !Self.objects.contains(first) && isAlone(index) }
    return isVerb(word, at: index - 1) && !Self.openers.contains(first)
  }

  /// Whether what stands before a slash is no name, so that two slashes behind it are those of a path from the root.
  private func mayOpenPath(_ word: String, at index: Int) -> Bool {
    let words = [Self.places, Self.objects, Self.links, ["", "to", "equals", "colon"]]
    return words.contains { $0.contains(word) } || isVerb(word, at: index - 1)
  }

  /// Whether a lone "..", "." or "~" is where something is: "list dot dot", "copy it to tilde".
  private func isPlace(_ start: Int, upTo end: Int) -> Bool {
    guard start > 0, !items[start - 1].endsClause else { return false }
    let (word, next) = (items[start - 1].word, items.indices.contains(end) ? items[end].word : "")
    let isLast = items[end - 1].endsClause || next.isEmpty
    if isLast, Self.objects.contains(word) || isVerb(word, at: start - 1) { return true }
    guard isLast || Self.followers.contains(next) else { return false }
    return Self.places.contains(word) || word == "to" && clause(before: start).contains(where: Self.carriers.contains)
  }

  /// Whether the name behind a slash is the last of its phrase.
  private func isAlone(_ index: Int) -> Bool {
    let next = component(at: behindSlashes(index)).1
    return next >= items.count || items[next - 1].endsClause || Self.followers.contains(items[next].word)
  }

  /// Whether a word says what is done to a file, and stands where a request has its verb.
  private func isVerb(_ word: String, at index: Int) -> Bool {
    guard Self.openers.contains(word), index > 0, !items[index - 1].endsClause else {
      return Self.openers.contains(word)
    }
    return Self.links.contains(items[index - 1].word) || items[index - 1].word == "to"
  }

  /// The words before it in the same clause, as far as somebody may remember them.
  private func clause(before index: Int) -> [String] {
    items[max(0, index - 30)..<index].reversed().prefix { !$0.endsClause }.map(\.word)
  }
}

extension SpokenPaths {
  /// Folders of a system whose names are hardly anything else.
  private static let folders: Set<String> = [
    "etc", "temp", "tmp", "var", "usr", "opt", "proc", "sbin", "mnt",
  ]
  /// Others, whose names are words.
  private static let rarer: Set<String> = [
    "home", "root", "users", "user", "bin", "lib", "dev", "run", "boot", "media", "volumes", "applications", "library",
    "system", "private", "srv", "sys", "data",
  ]
  private static let inUser: Set<String> = ["local", "bin", "lib", "share", "include", "sbin"]
  /// Behind these stands a place.
  private static let places: Set<String> = [
    "in", "into", "from", "at", "on", "onto", "under", "inside", "within", "of", "through", "against", "cd", "ls",
    "cat",
    "list", "rm", "cp", "mv",
  ]
  /// What is named by its path, also as it is misheard.
  private static let objects: Set<String> = [
    "file", "files", "final", "folder", "folders", "directory", "directories", "path", "paths",
  ]
  /// Behind these, a verb may follow as well.
  private static let links: Set<String> = [
    "and", "or", "then", "but", "also", "please", "the", "a", "an", "this", "that", "with", "for", "as", "just", "now",
    "we", "you", "i", "can", "could", "should", "lets",
  ]
  /// What goes on behind a phrase, and is no name.
  private static let followers: Set<String> = [
    "and", "or", "by", "the", "a", "an", "this", "that", "these", "those", "our", "my", "your", "its", "their", "it",
    "them", "all", "every", "some", "any", "is", "are", "was", "were", "has", "in", "on", "at", "to", "from", "with",
    "for", "of", "before", "after", "when", "if", "not", "command", "commands", "character", "characters", "sign",
    "signs", "key", "symbol", "separated", "notation", "then", "but", "so", "because", "now", "please", "again",
    "instead", "too", "also", "here", "there", "first", "into", "onto", "using", "as", "folder", "directory", "file",
  ]

  /// What is done to a file.
  private static let openers: Set<String> = [
    "open", "close", "read", "write", "show", "hide", "edit", "view", "print", "copy", "paste", "move", "save", "load",
    "delete", "remove", "check", "see", "use", "run", "execute", "find", "search", "replace", "create", "update",
    "make",
    "put", "get", "set", "add", "start", "stop", "import", "export", "scan", "inspect", "explain", "mount", "touch",
    "wipe", "clean", "clear", "empty", "list", "include", "exclude", "compare", "change", "rename", "grep", "tail",
  ]

  /// What brings something to a place.
  private static let carriers: Set<String> = [
    "copy", "copies", "copied", "move", "moves", "moved", "write", "writes", "save", "saves", "put", "link", "symlink",
    "sync", "upload", "download", "install", "extract", "unzip", "unpack", "export", "go", "navigate", "switch",
    "redirect", "output", "append", "mount", "send", "point", "rename", "restore", "dump", "print", "store", "clone",
    "cp", "mv", "cd", "log", "back", "backup",
  ]
}
