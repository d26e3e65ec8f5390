import VoiceVocabulary

/// Letters that were said one after the other, as far as they go.
struct SpelledRun {
  /// How sure it is that somebody spelled, and did not say a word.
  enum Strength { case sign, doubtful, digit, clear }

  private struct Item {
    var text: String
    var strength: Strength
    /// How many letters and digits it has.
    var count: Int
    /// The token behind it.
    var end: Int
    /// Whether it was said as a word of the alphabet of NATO.
    var isWord = false
    /// Whether it was only like one.
    var isNear = false
    var modifier: Spelling.Modifier?
    /// Whether a sentence ends here.
    var isLast = false
  }

  private let tokens: [HeardToken]
  private var items: [Item] = []
  /// The token behind the last letter.
  private(set) var lettersEnd: Int
  /// The token behind all of it: behind "end spell" where that was said.
  private(set) var end: Int
  private(set) var isEnded = false

  /// The letters that begin at a token.
  init(_ tokens: [HeardToken], at start: Int) {
    self.tokens = tokens
    (lettersEnd, end) = (start, start)
    var index = start
    while index < tokens.count {
      if LetterNames.hesitations.contains(tokens[index].word), !items.isEmpty {
        index += 1
        continue
      }
      guard endingWords(at: index) == 0, var item = item(at: index) else { break }
      item.isLast = endsSentence(item)
      items.append(item)
      index = item.end
      if item.isLast { break }
    }
    let said = endingWords(at: index)
    isEnded = said > 0
    trim(isOpen: index < tokens.count && !isEnded && items.last?.isLast != true)
    lettersEnd = items.last?.end ?? start
    end = isEnded ? index + said : lettersEnd
  }

  /// Whether these are letters, and no words that only sound like some.
  var isSpelled: Bool {
    let letters = items.reduce(0) { $0 + $1.count }
    let clear = items.reduce(0) { $0 + ($1.strength == .clear ? $1.count : 0) }
    let doubtful = items.count { $0.strength == .doubtful }
    // One word of the alphabet does not make another of what is like one.
    let isRead = !items.contains { $0.isNear } || items.count { $0.isWord && !$0.isNear } > 1
    return letters > 1 && clear > 0 && doubtful <= 2 * clear && isRead && !isBroken
  }

  /// Whether they were said as words of the alphabet of NATO.
  var isInWords: Bool { items.count { $0.isWord } > 1 }

  /// Whether it only stops because a letter was misheard: what is left of it would be worse than all that was heard.
  private var isBroken: Bool {
    guard !isEnded, items.last?.isLast != true, lettersEnd > 0, lettersEnd < tokens.count else { return false }
    let (last, next) = (tokens[lettersEnd - 1], tokens[lettersEnd])
    // "Kilo, ask her, dot, Lima", "X Y dash it".
    if items.last?.isWord == true, tokens[lettersEnd...].prefix(4).contains(where: { isOfAlphabet($0.word) }) {
      return true
    }
    if LetterNames.signs[next.word] != nil { return true }
    return last.ending == "," && (!next.ending.isEmpty || lettersEnd + 1 == tokens.count)
      && !OrdinaryWords.contains(next.word)
  }

  /// Whether it is a name that was said as one, such as "UTF-8".
  var isName: Bool { items.count == 1 && isName(items[0]) }

  /// Whether it is several of them, such as "API, CLI".
  var isEnumeration: Bool { items.count(where: isName) > 1 }

  private func isName(_ item: Item) -> Bool {
    let core = tokens[item.end - 1].core
    return !item.isWord && item.count > 1 && core.contains(where: \.isLetter) && Self.lettersParted(core) == nil
  }

  private static func beginsRemark(_ word: String, _ strength: Strength) -> Bool {
    strength == .doubtful || ["a", "i"].contains(word)
  }

  private func isOfAlphabet(_ word: String) -> Bool { LetterNames.alphabet[word] != nil }

  /// Whether the recogniser wrote it as a word, which is only rewritten where the word that began it goes.
  var isOneWord: Bool { items.count == 1 && !items[0].isWord && !tokens[lettersEnd - 1].core.contains("-") }

  /// Whether the text may go on with letters.
  var reachesEnd: Bool { lettersEnd == tokens.count && !isEnded }

  /// What was spelled, as one word.
  var written: String {
    var written = ""
    var modifier: Spelling.Modifier?
    var isAllCapitals = false
    for item in items {
      if let said = item.modifier {
        if said == .allCapitals { isAllCapitals = true } else { modifier = said }
        continue
      }
      var text = isAllCapitals && modifier != .small ? item.text.uppercased() : item.text
      if modifier == .capital { text = text.prefix(1).uppercased() + text.dropFirst() }
      if modifier == .double { text = text.prefix(1) + text }
      written += text
      modifier = nil
    }
    return written
  }

  // MARK: Where it ends

  /// Whether a sentence, or the word itself, ends behind it. A recogniser writes "P. A. R." as well.
  private func endsSentence(_ item: Item) -> Bool {
    let last = tokens[item.end - 1]
    if !last.possessive.isEmpty || last.ending.contains(where: { "?!;:".contains($0) }) { return true }
    guard last.ending.contains(".") else { return false }
    return !(last.core.count == 1 && item.end < tokens.count && tokens[item.end].core.count == 1)
  }

  /// How many words say that the letters are over.
  private func endingWords(at index: Int) -> Int {
    let words = tokens[index...].prefix(3).map(\.word)
    if let said = Spelling.endings.first(where: { words.starts(with: $0) }) { return said.count }
    // "End spell" is often heard as "and spell", where nothing else is to be spelled behind that.
    guard Spelling.heardEndings.contains(Array(words.prefix(2))), !items.isEmpty, tokens[index - 1].ending.isEmpty
    else {
      return 0
    }
    return words.count == 2 || words[2] == "and" ? 2 : 0
  }

  /// Words that may be anything are none of the letters where the sentence goes on.
  private mutating func trim(isOpen: Bool) {
    while let last = items.last, isLeft(last, isOpen: isOpen) { items.removeLast() }
    if !isEnded { trimRemark() }
  }

  private func isLeft(_ last: Item, isOpen: Bool) -> Bool {
    if last.modifier != nil { return true }
    if isOpen { return last.strength == .sign || last.strength == .doubtful }
    // Who writes "P-A-R" writes no "see" behind it for a letter.
    return !isEnded && last.strength == .doubtful && items.contains { $0.count > 1 }
  }

  /// "P A R, I see B is taken": what follows the only pause, and begins as words may, is some.
  private mutating func trimRemark() {
    let pauses = items.indices.dropLast().filter { tokens[items[$0].end - 1].ending == "," }
    guard pauses.count == 1, Self.beginsRemark(tokens[items[pauses[0]].end].word, items[pauses[0] + 1].strength) else {
      return
    }
    items.removeSubrange((pauses[0] + 1)...)
  }

  // MARK: Letters

  private func item(at index: Int) -> Item? {
    let token = tokens[index]
    guard !token.word.isEmpty else {
      // A dash between letters.
      let isDash = !token.whole.isEmpty && token.whole.allSatisfy { "-\u{2013}\u{2014}".contains($0) }
      return isDash && !items.isEmpty ? Item(text: "", strength: .sign, count: 0, end: index + 1) : nil
    }
    let isPair = token.ending.isEmpty && token.possessive.isEmpty && index + 1 < tokens.count
    let pair = isPair ? [token.word, tokens[index + 1].word] : []
    if token.word == "double", isPair, ["u", "you"].contains(pair[1]) {
      return Item(text: "w", strength: .clear, count: 1, end: index + 2)
    }
    for words in [pair, [token.word]] {
      guard let modifier = LetterNames.modifiers[words] else { continue }
      return Item(text: "", strength: .sign, count: 0, end: index + words.count, modifier: modifier)
    }
    if let sign = LetterNames.pairedSigns[pair] ?? LetterNames.signs[token.word] {
      let end = index + (LetterNames.pairedSigns[pair] == nil ? 1 : 2)
      return ending(behind: sign, at: end) ?? Item(text: String(sign), strength: .sign, count: 0, end: end)
    }
    guard var item = letter(at: index) ?? nearlyWord(at: index) ?? joined(token, end: index + 1) else { return nil }
    if item.count == 1, let (letter, end) = asIn(item, at: item.end) {
      (item.text, item.end, item.strength) = (String(letter), end, .clear)
    }
    return item
  }

  private func letter(at index: Int) -> Item? {
    let word = tokens[index].word
    func item(_ letter: Character, _ strength: Strength, isWord: Bool = false) -> Item {
      Item(text: String(letter), strength: strength, count: 1, end: index + 1, isWord: isWord)
    }
    if let letter = LetterNames.alphabet[word] { return item(letter, .clear, isWord: true) }
    if word == "x", index + 1 < tokens.count, tokens[index + 1].word == "ray" {
      return Item(text: "x", strength: .clear, count: 1, end: index + 2, isWord: true)
    }
    if let letter = LetterNames.clear[word] { return item(letter, .clear) }
    if let letter = LetterNames.doubtful[word] { return item(letter, .doubtful) }
    guard word.count == 1, let letter = word.first, letter.isASCII else { return nil }
    return letter.isLetter ? item(letter, .clear) : letter.isNumber ? item(letter, .digit) : nil
  }

  /// A misheard word of the alphabet, among others of it.
  private func nearlyWord(at index: Int) -> Item? {
    let token = tokens[index]
    guard let near = LetterNames.nearest(to: token.word) else { return nil }
    let isFirst = items.allSatisfy { $0.modifier != nil }
    let isBefore = items.last { $0.modifier == nil }?.isWord ?? false
    let isBehind = index + 1 < tokens.count && LetterNames.alphabet[tokens[index + 1].word] != nil
    let isAtEnd =
      (index + 1 == tokens.count || !token.ending.isEmpty && token.ending != ",") && near.word.utf8.count > 4
      && !OrdinaryWords.contains(token.word)
    guard (isFirst || isBefore) && isBehind || isBefore && isAtEnd else { return nil }
    return Item(text: String(near.letter), strength: .clear, count: 1, end: index + 1, isWord: true, isNear: true)
  }

  /// Letters that the recogniser wrote in one: "P-A-R", "XYZ42", "DB-1.io".
  private func joined(_ token: HeardToken, end: Int) -> Item? {
    let core = token.core
    guard core.utf8.count <= Limits.repairedWordBytes, core.utf8.count > 1,
      core.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._/".contains($0)) }),
      core.contains(where: \.isLetter)
        || core.allSatisfy(\.isNumber)
    else { return nil }
    let count = core.count { $0.isLetter || $0.isNumber }
    func item(_ text: String, _ strength: Strength) -> Item {
      Item(text: text.lowercased(), strength: strength, count: count, end: end)
    }
    if let letters = Self.lettersParted(core) { return item(letters, .clear) }
    if core.allSatisfy(\.isNumber) { return item(core, .digit) }
    let hasDigit = core.contains(where: \.isNumber)
    let hasSign = core.contains { "-._/".contains($0) }
    if core.allSatisfy({ !$0.isLetter || $0.isUppercase }) {
      return item(core, !hasDigit && OrdinaryWords.contains(core) ? .digit : .clear)
    }
    if hasDigit, hasSign { return item(core, .clear) }
    // "t2", but not "12th".
    let isShort = core.prefix { $0.isLetter }.count < 3 && core.drop { $0.isLetter }.allSatisfy(\.isNumber)
    return hasDigit && isShort ? item(core, .digit) : nil
  }

  /// Letters that hyphens part, or else dots, without these: "p-a-r", "f-dash-8", "x.r.a.y".
  private static func lettersParted(_ core: String) -> String? {
    let letters = core.lowercased().replacing("double-u", with: "w")
    let parts = letters.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    func isOne(_ part: String) -> Bool {
      part.split(omittingEmptySubsequences: false) { "._/".contains($0) }.allSatisfy { $0.count == 1 }
    }
    if parts.count > 1, isOne(parts[parts.count - 1]), parts.allSatisfy({ isOne($0) || LetterNames.signs[$0] != nil }) {
      return parts.map { LetterNames.signs[$0].map(String.init) ?? $0 }.joined()
    }
    return parts.count == 1 && letters.contains(".") && isOne(letters) ? letters.filter { $0 != "." } : nil
  }

  /// "B as in bravo": the word tells which of the letters that rhyme was said.
  private func asIn(_ item: Item, at index: Int) -> (Character, Int)? {
    guard index + 2 < tokens.count, tokens[index].word == "as", tokens[index + 1].word == "in",
      tokens[index - 1].ending.allSatisfy({ $0 == "," }), let said = item.text.first,
      let first = tokens[index + 2].word.first, first.isASCII, first.isLetter, tokens[index + 2].word.count > 2,
      !Spelling.functionWords.contains(tokens[index + 2].word), LetterNames.canBeHeard(said, for: first)
    else { return nil }
    return (first, index + 3)
  }

  /// A file's ending, which nobody spells: "dot swift".
  private func ending(behind sign: Character, at index: Int) -> Item? {
    guard sign == ".", !items.isEmpty, index < tokens.count, Spelling.fileEndings.contains(tokens[index].word) else {
      return nil
    }
    return Item(text: "." + tokens[index].word, strength: .digit, count: 1, end: index + 1)
  }
}
