import VoiceLanguage

/// Turns text into words that the local voice pronounces rightly: abbreviations are spelled with letter names, and words
/// whose spelling says too little about their sound are written otherwise.
///
/// What is said instead of paths, numbers and signs is `SpokenWording`'s concern, for any voice; this is about the sound of
/// single words. The result holds lower-case words and the punctuation that shapes a sentence. Pure and total.
package enum SpokenText {
  /// The text in words to be pronounced.
  package static func words(for text: String) -> String {
    let tokens = SpokenWording.of(text).split(whereSeparator: \.isWhitespace)
    var pieces: [String] = []
    for (index, token) in tokens.enumerated() {
      let core = token.prefix { !".,;:!?".contains($0) }
      let followsLetter = index > 0 && isLetterOrDigit(tokens[index - 1])
      let words = core.split(separator: "-").flatMap { say(word: $0, isSpelled: followsLetter) }
      let ending = token[core.endIndex...].prefix(1)
      if words.isEmpty, ending.isEmpty { continue }
      if words.isEmpty, var last = pieces.popLast() {
        if last.last.map({ !".,;:!?".contains($0) }) ?? false { last += ending }
        pieces.append(last)
      } else if !words.isEmpty {
        pieces.append(words.joined(separator: " ") + ending)
      }
    }
    return pieces.joined(separator: " ")
  }

  /// Whether a word belongs to something spelled, where an "A" is a letter and no article.
  private static func isLetterOrDigit(_ token: Substring) -> Bool {
    (token.count == 1 && token.first?.isUppercase == true && token != "I") || digits.contains(String(token))
  }

  private static let digits: Set<String> = Set((0...9).flatMap { NumberWords.cardinal($0) })

  private static func say(word text: Substring, isSpelled: Bool) -> [String] {
    let word = text.filter { $0.isLetter || $0.isNumber || SpokenText.isApostrophe($0) }
    if !word.contains(where: { $0.isLetter || $0.isNumber }) { return [] }
    if word.contains(where: \.isNumber) { return word.flatMap { spell($0) } }
    if let known = lexicon[word.lowercased()] { return [known] }
    let letters = word.filter { $0.isLetter }
    if letters.count == 1, word.count == 1 {
      if word == "A", isSpelled { return spell("a") }
      return "aAI".contains(word) ? [word.lowercased()] : spell(Character(String(word)))
    }
    var stem = Substring(word)
    let isPlural = stem.count > 2 && stem.hasSuffix("s") && stem.dropLast().allSatisfy { $0.isUppercase }
    if isPlural { stem.removeLast() }
    if Phonemes.words[word.lowercased()] != nil { return [word.lowercased()] }
    let isAbbreviation = stem.allSatisfy { $0.isUppercase } && (2...5).contains(stem.count)
    let isUnsayable = !word.lowercased().contains { "aeiouy'\u{2019}".contains($0) } && letters.count == word.count
    guard isAbbreviation || (isUnsayable && word.allSatisfy(\.isASCII)) else { return [word.lowercased()] }
    var spelled = stem.flatMap { spell($0) }
    if isPlural { spelled[spelled.count - 1] += "'s" }
    return spelled
  }

  private static func isApostrophe(_ character: Character) -> Bool { character == "'" || character == "\u{2019}" }

  private static func spell(_ character: Character) -> [String] {
    if let digit = character.wholeNumberValue, character.isASCII { return NumberWords.cardinal(digit) }
    return [letterNames[Character(character.lowercased())] ?? String(character)]
  }

  /// Words whose spelling says too little about their sound, in other words; see also `Phonemes.words`.
  private static let lexicon: [String: String] = [
    "sql": "sequel", "ascii": "askey", "sync": "sink", "init": "in it", "deinit": "dee in it", "func": "funk",
    "oauth": "oh auth", "env": "en vee", "macos": "mac oh ess", "ios": "eye oh ess", "cached": "cashed",
    "caching": "cashing", "caches": "cashes", "timeout": "time out", "timeouts": "time outs", "backend": "back end",
    "frontend": "front end", "localhost": "local host", "login": "log in", "logins": "log ins", "logout": "log out",
    "webhook": "web hook", "webhooks": "web hooks", "backoff": "back off", "py": "pie", "utf": "yoo tee eff",
    "http": "aitch tee tee pee", "https": "aitch tee tee pee ess", "cli": "see ell eye", "pr": "pee ar",
    "prs": "pee ars", "id": "eye dee", "ids": "eye dees", "ui": "yoo eye", "api": "ay pee eye", "apis": "ay pee eyes",
    "url": "yoo ar ell", "urls": "yoo ar ells", "io": "eye oh", "os": "oh ess", "gpu": "jee pee yoo",
    "cpu": "see pee yoo",
  ]

  private static let letterNames: [Character: String] = [
    "a": "ay", "b": "bee", "c": "see", "d": "dee", "e": "ee", "f": "eff", "g": "jee", "h": "aitch", "i": "eye",
    "j": "jay", "k": "kay", "l": "ell", "m": "em", "n": "en", "o": "oh", "p": "pee", "q": "cue", "r": "ar", "s": "ess",
    "t": "tee", "u": "yoo", "v": "vee", "w": "double you", "x": "ex", "y": "why", "z": "zee",
  ]
}
