/// What the user said, as words to be matched: lower case, without punctuation, with spoken symbols put together
/// ("login dot swift" is "login.swift") and the usual mishearings of technical words set right.
///
/// The user's own spelling is kept, for text that is passed on as it was said.
struct Utterance: Equatable, Sendable {
  private struct Word: Equatable {
    var plain: String
    /// Where the word begins in `original`.
    var start: Int
  }

  private let original: [Substring]
  private var tokens: [Word]
  /// The words to match.
  private(set) var words: [String] = []

  init(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    original = words
    tokens = words.indices.compactMap { index in
      let plain = Self.plain(words[index])
      return plain.isEmpty ? nil : Word(plain: plain, start: index)
    }
    joinReadme()
    joinSpokenSymbols()
    setRight()
    dropCourtesies()
    self.words = tokens.map(\.plain)
  }

  /// The words from the given one on, as they were said, without the sentence's last mark.
  func said(from index: Int) -> String {
    guard index < tokens.count else { return "" }
    var text = original[tokens[index].start...].joined(separator: " ")
    while let last = text.last, ".!?,;\"'” ".contains(last) { text.removeLast() }
    while let first = text.first, ":,;\"'“ ".contains(first) { text.removeFirst() }
    return text
  }

  /// Lower case, without the punctuation around a word; what is inside it stays.
  private static func plain(_ word: Substring) -> String {
    var word = Substring(word.lowercased().replacing("’", with: "'"))
    while let last = word.last, !last.isLetter, !last.isNumber, !"+#_*".contains(last) { word.removeLast() }
    while let first = word.first, !first.isLetter, !first.isNumber, first != "_" {
      // ".gitignore" keeps its dot; "..." does not.
      if first == ".", let next = word.dropFirst().first, next.isLetter { break }
      word.removeFirst()
    }
    return String(word)
  }

  // Spoken symbols.

  private static let symbols = [
    "dot": ".", "point": ".", "slash": "/", "underscore": "_", "dash": "-", "hyphen": "-",
  ]
  /// Words that name no file, so that a dot after them begins a suffix: "all dot swift files".
  private static let separate: Set<String> = [
    "all", "the", "every", "any", "list", "find", "show", "me", "many", "of", "in", "with", "ending", "named", "called",
    "and", "or", "read", "open", "for", "a", "an", "are", "there", "only", "to", "which", "what", "count", "search",
  ]
  private static let suffixSounds = [
    "jason": "json", "jay's": "js", "pie": "py", "pi": "py", "mark": "md", "markdown": "md", "text": "txt",
    "yammel": "yaml", "yamel": "yaml", "tomel": "toml", "tommel": "toml", "ignore": "gitignore",
  ]

  private mutating func joinSpokenSymbols() {
    var joined: [Word] = []
    var index = 0
    while index < tokens.count {
      let word = tokens[index]
      guard let symbol = Self.symbols[word.plain], index + 1 < tokens.count, !joined.isEmpty || symbol == "." else {
        joined.append(word)
        index += 1
        continue
      }
      var next = tokens[index + 1].plain
      index += 2
      if symbol == "." {
        next = Self.suffixSounds[next] ?? next
        // "m d", "p y" and "git ignore" are one suffix.
        if index < tokens.count, next.count == 1, tokens[index].plain.count == 1 {
          next += tokens[index].plain
          index += 1
        } else if index < tokens.count, next == "json", ["5", "five"].contains(tokens[index].plain) {
          next = "json5"
          index += 1
        } else if index < tokens.count, next == "git", tokens[index].plain.hasPrefix("ignore") {
          next = "gitignore"
          index += 1
        }
      }
      if symbol == ".", joined.last.map({ Self.separate.contains($0.plain) }) ?? true {
        joined.append(Word(plain: symbol + next, start: word.start))
      } else {
        joined[joined.count - 1].plain += symbol + next
      }
    }
    tokens = joined
  }

  /// "read me" is a file, unless something to read follows: "read me the package file".
  private mutating func joinReadme() {
    let words = tokens.map(\.plain)
    guard let index = words.indices.dropLast().first(where: { words[$0] == "read" && isReadme(words[$0 + 1]) }) else {
      return
    }
    let follower = index + 2 < tokens.count ? tokens[index + 2].plain : nil
    let follows =
      follower.map { !["file", "and", "with", "for", "please", "in", "to", "so", "dot"].contains($0) } ?? false
    let isObject = index > 0 && !["please", "you", "and"].contains(tokens[index - 1].plain)
    if follows && !isObject { return }
    tokens[index].plain = "readme" + tokens[index + 1].plain.dropFirst(2)
    tokens.remove(at: index + 1)
  }

  private func isReadme(_ word: String) -> Bool { word == "me" || word.hasPrefix("me.") }

  // Mishearings.

  private static let soundsLike = [
    "dif": "diff", "diffs": "diff", "tiff": "diff", "repositories": "repository", "reposit": "repository",
    "brunch": "branch", "commet": "commit", "comet": "commit", "committ": "commit", "pietest": "pytest",
    "read-me": "readme", "grab": "grep", "grip": "grep", "summarise": "summarize", "summarised": "summarize",
    "stat": "status", "testsuite": "tests",
  ]

  private mutating func setRight() {
    for index in tokens.indices {
      let word = tokens[index].plain
      let before = index > 0 ? tokens[index - 1].plain : ""
      let after = index + 1 < tokens.count ? tokens[index + 1].plain : ""
      tokens[index].plain =
        switch word {
        case "get", "gets", "kit", "gift", "good":
          ["status", "stat", "state", "diff", "dif", "log", "branch", "brunch", "history"].contains(after)
            ? "git" : word
        case "def", "deaf", "death", "depth", "div", "if":
          ["the", "git", "a", "get"].contains(before) && ["for", "of", "from", "in", ""].contains(after)
            ? "diff" : word
        case "come", "command":
          ["last", "latest"].contains(before) ? "commit" : word
        case "state": before == "git" || before == "get" ? "status" : word
        default: Self.soundsLike[word] ?? word
        }
    }
    let words = tokens.map(\.plain)
    if let index = words.firstIndex(of: "pie"), index + 1 < words.count, words[index + 1] == "test" {
      tokens[index].plain = "pytest"
      tokens.remove(at: index + 1)
    }
  }

  // Courtesies.

  private static let openings: [[String]] = [
    "i would like you to", "i'd like you to", "i want you to", "i need you to", "i would like to", "i'd like to",
    "i want to", "would you mind", "can you", "could you", "would you", "will you", "can we", "could we", "can i",
    "could i", "let's", "let us", "let me", "go ahead and", "go and", "now", "just", "please", "hey", "ok", "okay",
    "so",
    "um", "uh", "er", "hm", "well", "alright", "right", "yes", "yeah", "and", "then", "also", "guide", "parley",
    "quickly", "kindly", "try to", "help me",
  ].map { $0.split(separator: " ").map(String.init) }
  private static let endings: [[String]] = [
    "please", "for me", "thanks", "thank you", "right now", "now", "will you", "would you", "again", "then", "ok",
    "okay",
  ].map { $0.split(separator: " ").map(String.init) }

  private mutating func dropCourtesies() {
    var rest = tokens.map(\.plain)[...]
    while let opening = Self.openings.first(where: { rest.starts(with: $0) && $0.count < rest.count }) {
      rest.removeFirst(opening.count)
    }
    while let ending = Self.endings.first(where: { rest.suffix($0.count) == $0[...] && $0.count < rest.count }) {
      rest.removeLast(ending.count)
    }
    tokens = Array(tokens[rest.indices])
  }
}

extension Utterance {
  /// Whether one of the phrases occurs, as whole words.
  func has(_ phrases: String...) -> Bool { phrases.contains { position(of: $0) != nil } }

  /// Where the first of the phrases that occurs begins.
  func index(of phrases: String...) -> Int? { phrases.compactMap(position).min() }

  /// Whether the words begin with one of the phrases.
  func starts(_ phrases: String...) -> Bool { phrases.contains { matches(Self.parts($0), at: 0) } }

  /// Whether one of the phrases stands at this place; the empty phrase stands at the end only.
  func starts(at index: Int, _ phrases: String...) -> Bool { phrases.contains { matches(Self.parts($0), at: index) } }

  private func position(of phrase: String) -> Int? {
    let parts = Self.parts(phrase)
    return words.indices.first { matches(parts, at: $0) }
  }

  private func matches(_ parts: [String], at index: Int) -> Bool {
    if parts.isEmpty { return index == words.count }
    return index < words.count && words[index...].starts(with: parts)
  }

  private static func parts(_ phrase: String) -> [String] { phrase.split(separator: " ").map(String.init) }
}
