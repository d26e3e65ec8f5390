import VoiceVocabulary

/// Turns a line of written text into words that can be listened to: paths, names from code, numbers, units, signs and
/// inline markdown as people say them, without what only the eye can use.
///
/// The result holds words, and the punctuation that shapes a sentence. It is right for any voice: what one engine needs
/// on top, such as letter names, is that engine's business. Pure and total; applied twice it changes nothing more.
package enum SpokenWording {
  /// A line of markdown as it is said.
  package static func of(_ text: String) -> String {
    let tokens = InlineMarks.removed(from: text).split(whereSeparator: \.isWhitespace).map { SpokenToken($0) }
    var line = Line()
    var index = 0
    while index < tokens.count {
      var token = tokens[index]
      let words: [String]
      if let quantity = SpokenQuantity(tokens, at: index) {
        words = quantity.words
        index += quantity.tokens - 1
        token.ending = tokens[index].ending
        token.aside.formUnion(tokens[index].aside)
      } else {
        words = say(token.core)
        if token.isAbbreviated, index + 1 < tokens.count { token.ending = "" }
      }
      index += 1
      line.add(words, token, isLast: index == tokens.count)
    }
    return line.text
  }

  /// The words said so far.
  private struct Line {
    var text = ""

    mutating func add(_ words: [String], _ token: SpokenToken, isLast: Bool) {
      if token.aside.contains(.opens) { pause(",") }
      for word in words where !word.isEmpty { text += (text.isEmpty ? "" : " ") + word }
      if !token.ending.isEmpty {
        pause(token.ending)
      } else if token.aside.contains(.closes), !isLast {
        pause(",")
      }
    }

    /// One mark at a time, and none before the first word.
    private mutating func pause(_ mark: String) {
      guard let last = text.last else { return }
      if ",;:".contains(last), ".!?".contains(mark) { text.removeLast() }
      if !".,;:!?".contains(text.last ?? " ") { text += mark }
    }
  }

  /// What stands between two blanks, without the punctuation around it.
  static func say(_ core: Substring) -> [String] {
    if core.isEmpty { return [] }
    let text = String(core)
    if let sign = signs[text] { return sign.isEmpty ? [] : [sign] }
    if let known = SpokenNames.sayings[text.lowercased()] { return [known] }
    if SecretText.looksLikeKey(core), !core.contains("/") { return ["a", "key"] }
    if SpokenNames.isHash(core) { return SpokenNames.words(hash: core) }
    if let identifier = uniqueIdentifier(core) { return ["an", "ID", "beginning"] + identifier }
    if core.allSatisfy({ $0.isLetter || isApostrophe($0) }) { return SpokenNames.words(identifier: core) }
    if let unit = SpokenUnits.name(of: core, isAttached: false), core.contains("/") { return [unit.many] }
    if let place = SpokenPlace.words(core) { return place }
    if isHyphenated(core) { return [text] }
    return SpokenCompound.words(core)
  }

  /// Straight or curly.
  static func isApostrophe(_ character: Character) -> Bool { character == "'" || character == "\u{2019}" }

  /// Ordinary words, between which hyphens stand: "well-known".
  private static func isHyphenated(_ core: Substring) -> Bool {
    let parts = core.split(separator: "-", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0.isLetter || isApostrophe($0) }
        && SpokenNames.parts(of: String(part)).count == 1
    }
  }

  /// "550e8400-e29b-41d4-a716-446655440000", by its first four signs.
  private static func uniqueIdentifier(_ core: Substring) -> [String]? {
    let parts = core.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [8, 4, 4, 4, 12], parts.allSatisfy({ $0.allSatisfy(\.isHexDigit) }) else { return nil }
    return SpokenNames.words(hash: parts[0])
  }

  /// Signs that stand alone.
  static let signs: [String: String] = [
    "&": "and", "+": "plus", "=": "equals", "%": "percent", "@": "at", "#": "number", "$": "dollar", "~": "about",
    "->": "to", "=>": "to", "\u{2192}": "to", "\u{21D2}": "to", "==": "equals", "===": "equals", "!=": "is not",
    "!==": "is not", "<": "less than", ">": "more than", "<=": "at most", ">=": "at least", "\u{2264}": "at most",
    "\u{2265}": "at least", "\u{2260}": "is not", "\u{2248}": "about", "&&": "and", "||": "or", "/": "slash",
    "\u{D7}": "times", "+=": "plus equals", "-=": "minus equals", "??": "or else", "\u{2190}": "from",
    "\u{2705}": "okay:", "\u{2713}": "okay:", "\u{2714}": "okay:", "\u{274C}": "failed:", "\u{2717}": "failed:",
    "\u{26A0}": "warning:", "\u{2714}\u{FE0F}": "okay:", "\u{26A0}\u{FE0F}": "warning:", "\u{2022}": "", "|": "",
    "::": "", "*": "times", "\u{2026}": "", "--": "dash dash",
  ]
}

/// A token between blanks: its core, and what the punctuation around it means.
struct SpokenToken: Equatable, Sendable {
  /// Whether an aside, a text in brackets, begins or ends here.
  struct Aside: OptionSet, Equatable, Sendable {
    let rawValue: Int
    static let opens = Aside(rawValue: 1)
    static let closes = Aside(rawValue: 2)
  }

  var core: Substring
  /// A mark that shapes the sentence, or nothing.
  var ending = ""
  var aside: Aside = []

  init(_ text: Substring) {
    core = text
    if SpokenWording.signs[String(core)] != nil { return }
    if core.allSatisfy({ "-\u{2013}\u{2014}*_".contains($0) }) {
      // A dash between words is a pause; a ruler is nothing.
      ending = core.count < 4 ? "," : ""
      core = ""
      return
    }
    if core.hasSuffix("(s)") { core = core.dropLast(3) + "s" }
    while let first = core.first, core.count > 1, "([{\"'`<\u{201C}\u{2018}\u{AB}".contains(first) {
      let next = core[core.index(after: core.startIndex)]
      if first == "<", next.isNumber || next == "=" { break }
      if closes(first) { break }
      if first == "(" { aside.insert(.opens) }
      core.removeFirst()
    }
    while let last = core.last, ".,;:!?)]}\"'`>\u{201D}\u{2019}\u{BB}\u{3002}\u{FF0C}\u{FF01}\u{FF1F}".contains(last) {
      if let opening = [")": "(", "]": "[", "}": "{", ">": "<"][last], core.contains(opening) { break }
      if last == ")" { aside.insert(.closes) }
      if ".,;:!?\u{3002}\u{FF0C}\u{FF01}\u{FF1F}".contains(last) { ending = String(last) }
      core.removeLast()
    }
  }

  /// Whether the bracket at the start belongs to the core because it closes in its middle, as in "[String]?".
  private func closes(_ opening: Character) -> Bool {
    let closing: [Character: Character] = ["(": ")", "[": "]", "{": "}", "<": ">"]
    guard let end = closing[opening], let place = core.firstIndex(of: end) else { return false }
    return core[core.index(after: place)...].contains { $0.isLetter || $0.isNumber }
  }

  /// Whether the full stop behind it is part of an abbreviation.
  var isAbbreviated: Bool {
    ending == "." && Abbreviations.words.contains(core.lowercased())
  }
}
