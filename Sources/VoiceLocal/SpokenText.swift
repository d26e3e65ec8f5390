/// Turns a developer's text into words that can be said: paths, identifiers, versions, abbreviations, numbers.
///
/// The result holds plain words and the punctuation that shapes a sentence, nothing else. Pure and total.
package struct SpokenText {
  /// The text in spoken words.
  package static func words(for text: String) -> String {
    var pieces: [String] = []
    for token in text.split(whereSeparator: \.isWhitespace) {
      let spoken = say(token: String(token))
      if !spoken.isEmpty { pieces.append(spoken) }
    }
    return pieces.joined(separator: " ")
  }

  /// One token between white space, with its punctuation.
  private static func say(token: String) -> String {
    if let symbol = symbols[token] { return symbol }
    var core = Substring(token)
    while let first = core.first, "([{\"'`*_<\u{201C}\u{2018}".contains(first), core.count > 1 { core.removeFirst() }
    var ending = ""
    while let last = core.last, ".,;:!?)]}\"'`*_>\u{201D}\u{2019}\u{2026}".contains(last) {
      // The brackets of a call are part of its name, and an ellipsis is one stop.
      if ".,;:!?\u{2026}".contains(last) { ending = last == "\u{2026}" ? "." : String(last) }
      core.removeLast()
    }
    if core.isEmpty { return ending.isEmpty ? "" : ending }
    if core.allSatisfy({ "-\u{2013}\u{2014}*#=~_|".contains($0) }) { return core.count <= 3 && core != "#" ? "," : "" }
    let words = say(core: String(core))
    return words.isEmpty ? ending : words.joined(separator: " ") + ending
  }

  private static func say(core: String) -> [String] {
    if let symbol = symbols[core] { return [symbol] }
    if let known = lexicon[core.lowercased()] { return [known] }
    if isHash(core) { return core.prefix(7).flatMap { spell($0) } }
    if let number = sayNumber(core) { return number }
    // A word with an apostrophe or a hyphen is left to the synthesiser; letters only is the common case.
    if core.allSatisfy({ $0.isLetter || "'\u{2019}".contains($0) }) { return say(identifier: core) }
    return say(compound: core)
  }

  /// Anything with signs inside: a path, an option, a URL, a file name, an expression.
  private static func say(compound: String) -> [String] {
    var text = Substring(compound)
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) { text = text.dropFirst(scheme.count) }
    var words: [String] = []
    var part = ""
    let looksLikePath = text.contains("/") || text.contains("_") || text.contains(".")
    func flush() {
      if !part.isEmpty { words += sayPart(part) }
      part = ""
    }
    var characters = Array(text)[...]
    while let character = characters.first {
      if let (sign, spoken) = signs.first(where: { characters.starts(with: $0.sign) }) {
        flush()
        words.append(spoken)
        characters = characters.dropFirst(sign.count)
        continue
      }
      characters.removeFirst()
      switch character {
      case _ where character.isLetter || character.isNumber || character == "'" || character == "\u{2019}":
        part.append(character)
      case ".":
        // A dot between digits is said with the number; one at the start belongs to a hidden file.
        if part.allSatisfy(\.isNumber), !part.isEmpty, characters.first?.isNumber == true {
          part.append(character)
        } else if isVersion(part), characters.first?.isNumber == true {
          part.append(character)
        } else {
          flush()
          if !characters.isEmpty { words.append("dot") }
        }
      case ",":
        if part.last?.isNumber == true, characters.first?.isNumber == true {
          part.append(character)
        } else {
          flush()
        }
      case "/":
        flush()
        if !characters.isEmpty { words.append("slash") }
      case "-":
        let startsOption = part.isEmpty && words.isEmpty
        let dashes = startsOption && characters.first == "-"
        flush()
        if startsOption {
          if dashes { characters.removeFirst() }
          words.append(dashes ? "dash dash" : (characters.first?.isNumber == true ? "minus" : "dash"))
        }
      case ":":
        flush()
        // "file.swift:12" is line twelve.
        if characters.first?.isNumber == true, looksLikePath { words.append("line") }
      default:
        let isAlone = part.isEmpty && words.isEmpty
        flush()
        if let symbol = symbols[String(character)], !isAlone || "#@$~%&+".contains(character) { words.append(symbol) }
      }
    }
    flush()
    return words
  }

  private static func sayPart(_ part: String) -> [String] {
    if let known = lexicon[part.lowercased()] { return [known] }
    if isHash(part) { return part.prefix(7).flatMap { spell($0) } }
    return sayNumber(part) ?? say(identifier: part)
  }

  /// A run of letters and digits: camelCase is cut into words, abbreviations are spelled.
  private static func say(identifier: String) -> [String] {
    var words: [String] = []
    var word: [Character] = []
    let characters = Array(identifier)
    for (index, character) in characters.enumerated() {
      let previous = index > 0 ? characters[index - 1] : nil
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      let startsWord =
        previous.map { previous in
          (character.isUppercase && previous.isLowercase)
            || (character.isUppercase && previous.isUppercase && next?.isLowercase == true
              && !(next == "s" && index + 2 == characters.count))
            || (character.isNumber != previous.isNumber && character != "'" && previous != "'")
        } ?? false
      if startsWord {
        words += say(word: String(word))
        word = []
      }
      word.append(character)
    }
    return words + say(word: String(word))
  }

  private static func say(word: String) -> [String] {
    if word.isEmpty { return [] }
    if let known = lexicon[word.lowercased()] { return [known] }
    if let number = sayNumber(word) { return number }
    let letters = word.filter { $0.isLetter }
    if letters.count == 1, word.count == 1, !"aAI".contains(word) { return spell(Character(word)) }
    var stem = Substring(word)
    let isPlural = stem.count > 2 && stem.hasSuffix("s") && stem.dropLast().allSatisfy { $0.isUppercase }
    if isPlural { stem.removeLast() }
    if Phonemes.words[word.lowercased()] != nil { return [word.lowercased()] }
    let isAbbreviation = stem.allSatisfy { $0.isUppercase } && (2...5).contains(stem.count)
    let isUnsayable = !word.lowercased().contains { "aeiouy'\u{2019}".contains($0) } && letters.count == word.count
    guard isAbbreviation || isUnsayable else { return [word.lowercased()] }
    var spelled = stem.flatMap { spell($0) }
    if isPlural { spelled[spelled.count - 1] += "'s" }
    return spelled
  }

  private static func spell(_ character: Character) -> [String] {
    if let digit = character.wholeNumberValue, character.isASCII { return SpokenNumber.words(digit) }
    return [letterNames[Character(character.lowercased())] ?? String(character)]
  }

  private static func isVersion(_ part: String) -> Bool {
    part.first == "v" && part.count > 1 && part.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
  }

  /// A commit: seven to forty hexadecimal digits with letters and digits among them.
  private static func isHash(_ text: String) -> Bool {
    (7...40).contains(text.count) && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
      && text.contains(where: \.isNumber) && text.contains(where: \.isLetter)
  }

  /// A number, version, ordinal or percentage in words; nil for anything else.
  private static func sayNumber(_ text: String) -> [String]? {
    var core = Substring(text)
    var before: [String] = []
    var after: [String] = []
    if isVersion(text) {
      before = ["version"]
      core.removeFirst()
    }
    for (unit, words) in units where core.hasSuffix(unit) && core.dropLast(unit.count).last?.isNumber == true {
      core.removeLast(unit.count)
      after = [words]
      break
    }
    guard core.contains(where: \.isNumber), core.allSatisfy({ $0.isASCII && ($0.isNumber || ".,".contains($0)) }) else {
      return nil
    }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    let isDecimal = parts.count == 2
    var words: [String] = []
    for (index, part) in parts.enumerated() {
      guard let value = Int(part.filter { $0 != "," }) else { return nil }
      if index > 0 { words.append("point") }
      // Decimals and leading zeros are said digit by digit.
      let digits = part.filter { $0 != "," }
      let spelled = (isDecimal && index == 1) || (digits.count > 1 && digits.first == "0")
      words += spelled ? digits.flatMap { spell($0) } : SpokenNumber.words(value)
    }
    return before + words + after
  }

  private static let units = [
    ("%", "percent"), ("ms", "milliseconds"), ("kB", "kilobytes"), ("KB", "kilobytes"), ("MB", "megabytes"),
    ("GB", "gigabytes"), ("MiB", "mebibytes"), ("kHz", "kilohertz"), ("Hz", "hertz"), ("px", "pixels"), ("x", "times"),
    ("s", "seconds"),
  ]

  /// Signs of two and three characters inside a token, the longest first.
  private static let signs: [(sign: [Character], spoken: String)] = [
    ("===", "equals"), ("!==", "is not"), ("->", "to"), ("=>", "to"), ("==", "equals"), ("!=", "is not"),
    ("<=", "at most"), (">=", "at least"), ("&&", "and"), ("||", "or"), ("::", ""), ("()", ""), ("..", "to"),
  ].map { (Array($0.0), $0.1) }

  private static let symbols: [String: String] = [
    "&": "and", "+": "plus", "=": "equals", "%": "percent", "@": "at", "#": "number", "$": "dollar", "~": "about",
    "->": "to", "=>": "to", "\u{2192}": "to", "==": "equals", "!=": "is not", "<": "less than", ">": "more than",
    "<=": "at most", ">=": "at least", "&&": "and", "||": "or", "/": "slash", "\u{D7}": "times",
  ]

  /// Words whose spelling says too little about their sound, in other words; see also `Phonemes.words`.
  private static let lexicon: [String: String] = [
    "readme": "read me", "json5": "json five", "jsonl": "json ell", "sql": "sequel", "sqlite": "sequel light",
    "ascii": "askey", "sync": "sink", "args": "args", "stdin": "standard in", "stdout": "standard out",
    "stderr": "standard error", "init": "in it", "deinit": "dee in it", "func": "funk", "oauth": "oh auth",
    "env": "en vee", "macos": "mac oh ess", "ios": "eye oh ess", "cached": "cashed", "caching": "cashing",
    "caches": "cashes", "utf8": "yoo tee eff eight", "etc": "et cetera", "e.g": "for example", "i.e": "that is",
    "vs": "versus", "todo": "to do", "ok": "okay", "timeout": "time out", "timeouts": "time outs",
    "backend": "back end", "frontend": "front end", "localhost": "local host", "login": "log in", "logins": "log ins",
    "logout": "log out", "webhook": "web hook", "webhooks": "web hooks", "backoff": "back off", "src": "source",
    "py": "pie", "js": "jay ess", "ts": "tee ess", "cpp": "see plus plus", "md": "em dee", "txt": "text",
    "http": "aitch tee tee pee", "https": "aitch tee tee pee ess", "cli": "see ell eye", "pr": "pee ar",
    "prs": "pee ars", "id": "eye dee", "ids": "eye dees", "ui": "yoo eye", "api": "ay pee eye", "apis": "ay pee eyes",
    "url": "yoo ar ell", "urls": "yoo ar ells", "mb": "megabytes", "ms": "milliseconds", "kb": "kilobytes",
    "gb": "gigabytes", "io": "eye oh", "os": "oh ess", "gpu": "jee pee yoo", "cpu": "see pee yoo",
  ]

  private static let letterNames: [Character: String] = [
    "a": "ay", "b": "bee", "c": "see", "d": "dee", "e": "ee", "f": "eff", "g": "jee", "h": "aitch", "i": "eye",
    "j": "jay", "k": "kay", "l": "ell", "m": "em", "n": "en", "o": "oh", "p": "pee", "q": "cue", "r": "ar", "s": "ess",
    "t": "tee", "u": "yoo", "v": "vee", "w": "double you", "x": "ex", "y": "why", "z": "zee",
  ]
}
