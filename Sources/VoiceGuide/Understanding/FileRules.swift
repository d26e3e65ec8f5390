import VoiceLanguage

// The rules about files: what they are called, how many there are, and what stands in them.

extension IntentParser {
  /// Questions for a number of files or lines.
  @Sendable static func count(_ said: Utterance) -> Intent? {
    guard said.has("how many", "count", "number of", "how long is", "how big", "how large", "size of", "total lines")
    else {
      return nil
    }
    if said.has("how many times", "how often", "occurrences", "calls", "places", "commits") { return nil }
    let language = said.words.indices.lazy.compactMap { Language.named(said.words[$0...]) }.first
    if said.has("files", "file"), !said.has("lines", "line", "how long", "how big", "how large") {
      return .countFiles(folder: said.has("folder", "directory", "in") ? folderName(said) : nil, language: language)
    }
    let marker = said.index(of: "in", "does", "has", "is") ?? said.index(of: "of")
    let place = marker.map { name(said.words[($0 + 1)...]) } ?? ""
    let isPlace =
      place.contains(".") || place.contains("/") || place.hasPrefix("readme") || said.has("how long is")
      || ["file", "folder", "directory"].contains(said.words.last ?? "")
    return isPlace && !isEverything(place)
      ? .countLines(place: place, language: nil) : .countLines(place: nil, language: language)
  }

  private static let everything: Set<String> = [
    "repository", "repo", "project", "folder", "directory", "codebase", "code", "program", "code base", "package",
    "app",
    "application", "this", "it", "here", "library", "everything", "workspace", "working folder", "current folder",
    "working directory", "current directory", "source", "there",
  ]

  private static func isEverything(_ name: String) -> Bool { name.isEmpty || everything.contains(name) }

  /// Questions for what the project is.
  @Sendable static func describe(_ said: Utterance) -> Intent? {
    guard
      said.has("repository", "repo", "project", "codebase", "code base", "program", "package", "app", "this", "folder")
    else {
      return nil
    }
    let asks = said.has(
      "what this", "what does this", "what does the", "what is this", "what's this", "summarize", "summary", "overview",
      "describe",
      "what the project", "about this", "about the project", "explain this", "explain the project", "introduce",
      "purpose",
      "what is the project", "what's the project", "tell me about", "what the repository", "what is the repository",
      "sum up")
    guard asks, !said.has("file", "function", "method", "class", "error", "line", "bug", "commit") else { return nil }
    if said.words.contains(where: { $0.contains(".") || $0 == "readme" }) { return nil }
    return .describeRepository
  }

  /// What can be declared in code under a name.
  private static let declared = [
    "function", "method", "class", "struct", "type", "enum", "protocol", "variable", "constant", "property",
  ]

  /// Questions for places in the code.
  @Sendable static func search(_ said: Utterance) -> Intent? {
    var focus = SearchQuery.Focus.mentions
    if said.has("calls", "call", "called", "calling", "callers", "call sites") { focus = .calls }
    if said.has("defined", "declared", "definition", "declaration", "implemented", "implementation") {
      focus = .declarations
    }
    var rest: [String]?
    if said.starts("search", "grep", "look for", "look up", "scan") {
      rest = words(
        of: said, after: "search the code for", "for the word", "for the text", "for", "up", "grep", "scan", "search")
    } else if said.starts("where is", "where's", "where are", "where do", "where does") {
      if said.has("file", "folder", "files") || said.words.contains(where: { $0.dropFirst().contains(".") }) {
        return nil
      }
      if said.has(
        "used", "use", "called", "call", "defined", "declared", "mentioned", "referenced", "implemented", "definition",
        "set", "imported")
      {
        rest = words(of: said, after: "where is", "where's", "where are", "where do", "where does")
      }
    } else if said.starts(
      "who calls", "what calls", "who uses", "what uses", "which files use", "which files mention",
      "which files contain", "which files call", "what files use", "what files mention", "who mentions",
      "which files import")
    {
      rest = words(of: said, after: "calls", "uses", "use", "mention", "mentions", "contain", "call", "import")
    } else if said.starts("is there a", "do we have a", "find the", "find a"),
      let kind = declared.lazy.compactMap({ said.index(of: $0) }).first,
      said.starts(at: kind + 1, "called", "named")
    {
      focus = .declarations
      rest = words(of: said, after: "called", "named")
    } else if said.has("how many times", "how often") {
      rest = words(
        of: said, after: "how many times do we call", "how many times is", "how many times", "how often is",
        "how often do we call",
        "how often")
    } else if said.starts(
      "find", "show", "list", "get", "tell", "count", "give", "locate", "every", "all", "are there", "is there")
    {
      rest = found(said)
    }
    guard let rest else { return nil }
    let query = SearchQuery(words: essential(rest), focus: focus)
    return query.words.isEmpty ? nil : .search(query)
  }

  /// The words after the first of these markers that occurs.
  private static func words(of said: Utterance, after markers: String...) -> [String]? {
    for marker in markers {
      if let index = said.index(of: marker) {
        let rest = Array(said.words[(index + marker.split(separator: " ").count)...])
        if !rest.isEmpty { return rest }
      }
    }
    return nil
  }

  /// What is to be found, in a sentence that begins with "find" or "show".
  private static func found(_ said: Utterance) -> [String]? {
    let named = words(
      of: said, after: "that calls", "that call", "that mentions", "that mention", "that uses", "that use",
      "which calls", "which call", "where we call", "where we use", "calls to", "calls of", "callers of",
      "call sites of", "uses of", "usages of", "references to", "mentions of", "occurrences of", "definition of",
      "declaration of", "implementation of", "that contains", "that contain", "containing", "mentioning",
      "places with", "place with", "lines with", "with the word", "with the text", "that imports", "that falls",
      "where it says", "calling", "using")
    guard named == nil,
      said.starts("find every place", "find all places", "find every", "find all the", "find where"),
      !said.has("file", "files", "folder", "folders")
    else { return named }
    return words(
      of: said, after: "find every place where", "find all places where", "find every place", "find all places",
      "find every", "find all", "find where")
  }

  private static let inessential: Set<String> = [
    "the", "a", "an", "all", "any", "every", "our", "my", "method", "function", "class", "struct", "variable", "word",
    "text",
    "string", "constant", "type", "place", "places", "occurrences", "of", "is", "are", "we", "to", "do", "does", "used",
    "use",
    "called", "call", "defined", "declared", "mentioned", "referenced", "implemented", "imported", "code", "symbol",
    "it", "that", "term",
    "name", "protocol", "enum",
  ]

  /// The words that can stand in a file: without articles, without "method", without "in this project".
  private static func essential(_ words: [String]) -> [String] {
    var words = words
    for tail in ["in this", "in the", "in all", "in our", "in my", "across the", "anywhere", "everywhere"] {
      let tail = tail.split(separator: " ").map(String.init)
      guard let index = words.indices.first(where: { words[$0...].starts(with: tail) }), index > 0 else { continue }
      words.removeSubrange(index...)
    }
    // An inessential word is dropped only at the ends: "end of file" is one thing to look for.
    while let first = words.first, inessential.contains(first), words.count > 1 { words.removeFirst() }
    while let last = words.last, inessential.contains(last), words.count > 1 { words.removeLast() }
    return words
  }

  /// Questions for files by their names.
  @Sendable static func files(_ said: Utterance) -> Intent? {
    let words = said.words
    if said.has(
      "where are you", "which folder are you", "what folder are you", "working folder", "working directory",
      "current directory", "current folder", "which directory", "pwd", "which folder", "where am i", "what folder",
      "where are we")
      && !said.starts("list", "show")
    {
      if !said.has("what's in", "what is in", "files") { return .workingFolder }
    }
    if said.starts(
      "find", "locate", "where is", "where's", "where are", "is there", "are there", "do we have", "does it have",
      "search"), let name = fileToFind(said)
    {
      return said.has("and read", "and open", "and show") ? .readFile(name: name, lines: nil) : .findFiles(name: name)
    }
    if let listing = listing(said) { return listing }
    if said.starts(
      "read", "open", "show", "print", "cat", "display", "view", "what's in", "what is in", "what does", "summarize",
      "tell me about", "what's inside", "give me", "look at", "describe", "type out", "go through", "explain",
      "tell me what's in")
    {
      return reading(said)
    }
    // The name of a file alone: "package dot swift".
    if words.count == 1, words[0].contains(".") || words[0] == "readme" { return .readFile(name: words[0], lines: nil) }
    return nil
  }

  private static func fileToFind(_ said: Utterance) -> String? {
    // "... and read it": the rest is not part of the name.
    let end = said.index(of: "and read", "and open", "and show") ?? said.words.count
    let words = Array(said.words[..<end])
    let isFile =
      said.has("file", "files", "called", "named") || words.contains { $0.contains(".") } || said.has("readme")
    guard isFile else { return nil }
    let start = said.index(of: "called", "named", "containing", "matching", "with the name").map { $0 + 1 }
    if let start, start < words.count { return name(words[start...]) }
    var rest = words[...]
    for opening in [
      ["where", "is"], ["where's"], ["where", "are"], ["is", "there"], ["are", "there"], ["do", "we", "have"],
      ["does", "it", "have"], ["find"], ["locate"], ["search"],
    ]
    where rest.starts(with: opening) {
      rest = rest.dropFirst(opening.count)
      break
    }
    let found = name(rest)
    return found.isEmpty ? nil : found
  }

  private static func listing(_ said: Utterance) -> Intent? {
    let words = said.words
    let language = words.indices.lazy.compactMap { Language.named(words[$0...]) }.first
    let folder = folderName(said)
    if said.starts("list", "ls") || words == ["files"] {
      if words.count > 1,
        !said.has(
          "files", "file", "folder", "folders", "directory", "directories", "everything", "contents", "content"),
        language == nil, folder == nil
      {
        return .listFiles(folder: name(words.dropFirst()), language: nil)
      }
      return .listFiles(folder: folder, language: language)
    }
    let asksFiles =
      said.has("files", "folders", "directories", "is here", "directory listing", "folder contents")
      || said.has(
        "in this folder", "in the folder", "in here", "in this directory", "in this project", "in the directory")
    if asksFiles,
      said.starts("show", "what", "which", "what's", "tell", "give", "see", "display", "are there", "is there", "all")
    {
      return .listFiles(folder: folder, language: language)
    }
    if said.has("what's in", "what is in", "what's inside", "what is inside"), let folder,
      said.has("folder", "directory")
    {
      return .listFiles(folder: folder, language: nil)
    }
    return nil
  }

  /// The folder in "in the sources folder", "in sources slash app"; nil for the working folder.
  private static func folderName(_ said: Utterance) -> String? {
    guard let index = said.index(of: "in", "of", "inside", "under", "from") else {
      // "list the sources folder"
      guard let noun = said.index(of: "folder", "directory"), noun > 0 else { return nil }
      let found = name(said.words[1...noun])
      return isEverything(found) ? nil : found
    }
    let found = name(said.words[(index + 1)...])
    return isEverything(found) ? nil : found
  }

  private static func reading(_ said: Utterance) -> Intent? {
    var words = said.words[...]
    let lines = lineSpan(said)
    if let index = said.index(of: "of", "from", "in"),
      lines != nil || said.has("contents", "content", "what's", "beginning", "start", "what")
    {
      words = words[(index + 1)...]
    } else {
      words = words.dropFirst(
        said.starts("what's", "what is", "what does", "look", "tell", "type", "go", "give") ? 2 : 1)
    }
    words = words.filter { !["say", "says", "do", "aloud", "out", "loud"].contains($0) }[...]
    let found = name(words)
    // "show me the login screen" names no file; "read login" does.
    let isName =
      found.contains(".") || found.contains("/") || found.hasPrefix("readme") || said.has("file")
      || said.starts("read", "open", "print", "cat")
      || (said.starts("show", "display", "view", "what's in", "what is in") && found.split(separator: " ").count <= 2)
    guard !found.isEmpty, isName, !isEverything(found) else { return nil }
    return .readFile(name: found, lines: lines)
  }

  /// "line 5", "lines 5 to 7", "the first ten lines", "the last ten lines".
  private static func lineSpan(_ said: Utterance) -> LineSpan? {
    let words = said.words[...]
    if let index = said.index(of: "line", "lines"), let first = NumberWords.parse(words[(index + 1)...]),
      first.value > 0
    {
      let next = index + 1 + first.words
      if said.starts(at: next, "to", "through", "until", "and"), let last = NumberWords.parse(words[(next + 1)...]),
        last.value >= first.value
      {
        return .from(first.value, through: last.value)
      }
      return .from(first.value, through: first.value)
    }
    guard let index = said.index(of: "first", "top", "last", "bottom"),
      let number = NumberWords.parse(words[(index + 1)...]), number.value > 0,
      said.starts(at: index + 1 + number.words, "line", "lines")
    else { return nil }
    return ["last", "bottom"].contains(words[index]) ? .last(number.value) : .from(1, through: number.value)
  }

  /// The name in "the file called login dot swift", without what is not part of it.
  private static func name(_ words: ArraySlice<String>) -> String {
    let fillers: Set<String> = [
      "the", "a", "an", "file", "files", "folder", "folders", "directory", "called", "named", "me", "my", "our", "this",
      "that", "any", "all", "for", "contents", "content", "of", "to", "up", "please", "inside", "in", "at", "about",
      "us",
      "beginning", "start", "whole", "entire", "have", "has", "first", "top",
    ]
    return words.filter { !fillers.contains($0) }.joined(separator: " ")
  }
}
