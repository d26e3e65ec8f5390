/// Anything else with signs inside: options, calls, members, expressions, file names.
enum SpokenCompound {
  /// The words in which a name, a path or a number is said.
  static func words(_ core: Substring) -> [String] {
    if SpokenNames.isFile(core), core.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) }) {
      return SpokenNames.words(file: core)
    }
    if core.hasPrefix("-"), let option = option(core) { return option }
    var words: [String] = []
    var part = ""
    func flush() {
      if !part.isEmpty { words += name(part) }
      part = ""
    }
    var rest = core
    while let character = rest.first {
      if let (sign, spoken) = signs.first(where: { rest.hasPrefix($0.sign) }) {
        flush()
        if !spoken.isEmpty { words.append(spoken) }
        rest = rest.dropFirst(sign.count)
        continue
      }
      rest.removeFirst()
      let isFirst = part.isEmpty && words.isEmpty
      switch character {
      case _
      where character.isLetter || character.isNumber || SpokenWording.isApostrophe(character) || character == "_":
        part.append(character)
      case "-": flush()
      case ".":
        let isDecimal = part.last?.isNumber == true && part.allSatisfy { $0.isNumber } && rest.first?.isNumber == true
        flush()
        if rest.contains(where: { $0.isLetter || $0.isNumber }) { words.append(isDecimal ? "point" : "dot") }
      case "<":
        flush()
        if !rest.isEmpty { words.append(rest.contains(">") ? "of" : "less than") }
      case "#" where isFirst && rest.first?.isNumber != true:
        if !rest.isEmpty { words.append("hash") }
      default:
        flush()
        if let spoken = single[character], !rest.isEmpty || !isFirst { words.append(spoken) }
      }
    }
    flush()
    return words
  }

  /// "--no-verify" is dash dash no verify, "-rf" dash R F, "--jobs=4" dash dash jobs equals four.
  private static func option(_ core: Substring) -> [String]? {
    let name = core.drop { $0 == "-" }
    let dashes = core.count - name.count
    guard dashes <= 2, let first = name.first, first.isLetter else { return nil }
    if dashes == 2 { return ["dash", "dash"] + words(name) }
    let letters = name.prefix { $0.isLetter }
    guard letters.count <= 3 else { return ["dash"] + words(name) }
    return ["dash"] + letters.map { $0.uppercased() } + words(name.dropFirst(letters.count))
  }

  private static func name(_ part: String) -> [String] {
    if part.allSatisfy(\.isNumber) { return NumberWords.cardinal(digits: part) }
    if SpokenNames.isHash(part) { return SpokenNames.words(hash: part) }
    return SpokenNames.words(joined: part)
  }

  /// Signs of two and three characters, the longest first.
  private static let signs: [(sign: String, spoken: String)] = [
    ("===", "equals"), ("!==", "is not"), ("...", "to"), ("..<", "up to"), ("->", "to"), ("=>", "to"), ("==", "equals"),
    ("!=", "is not"), ("<=", "at most"), (">=", "at least"), ("&&", "and"), ("||", "or"), ("::", ""), ("()", ""),
    ("+=", "plus equals"), ("-=", "minus equals"), ("++", "plus plus"), ("..", "to"), ("??", "or else"), ("[]", ""),
  ]

  /// Signs of one character.
  static let single: [Character: String] = [
    "&": "and", "+": "plus", "=": "equals", "%": "percent", "@": "at", "#": "number", "$": "dollar", "~": "tilde",
    "/": "slash", "\\": "backslash", "*": "star", "|": "or", "^": "to the power of", "\u{2192}": "to",
    "\u{D7}": "times",
    "\u{2264}": "at most", "\u{2265}": "at least", "\u{2260}": "is not",
  ]
}
