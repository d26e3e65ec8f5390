/// A word, a number or a sign of a text, and how it may be said.
struct SaidUnit: Equatable, Sendable {
  /// Whether the signs of a name count that nobody may have said.
  enum Signs { case said, silent }

  /// How it may be said: small letters without blanks.
  let forms: [[Character]]
  let range: Range<String.Index>
  /// Which word of the text it belongs to; blanks part them.
  let word: Int
  /// The sign that it is; nil if it is none.
  var sign: Character?
  /// The digits that it is written with; nil if it is no number in digits.
  var digits: String?
  /// Whether it is the "'s" behind a name.
  var isPossessive = false

  /// Whether it is a sign, and no word or number.
  var isSign: Bool { sign != nil }

  /// Whether it may go without saying.
  ///
  /// - Parameter isSaid: whether it is one of those that were heard: who says a sign means it, but the recogniser writes hyphens
  ///   that nobody said.
  func isSilent(_ signs: Signs, isSaid: Bool) -> Bool {
    guard signs == .silent, let sign else { return false }
    return isSaid ? sign == "-" : "_-/:".contains(sign)
  }

  /// A text as it is said, in its order.
  static func units(of text: String) -> [SaidUnit] {
    var units: [SaidUnit] = []
    var rest = text[...]
    var word = 0
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      let end = rest[start...].firstIndex(where: \.isWhitespace) ?? rest.endIndex
      units += Self.units(ofWord: text[start..<end], word)
      rest = rest[end...]
      word += 1
    }
    for index in units.indices { units[index] = amongOthers(index, units) }
    return units
  }

  private init(_ forms: [String], _ range: Range<String.Index>, word: Int, sign: Character? = nil) {
    var seen: Set<[Character]> = []
    self.forms = forms.map { $0.lowercased().filter { !$0.isWhitespace } }.map(Array.init)
      .filter { seen.insert($0).inserted }
    (self.range, self.word, self.sign) = (range, word, sign)
  }

  private static func units(ofWord whole: Substring, _ word: Int) -> [SaidUnit] {
    // What ends a sentence or encloses words is no sign of a name.
    let end = whole.lastIndex { $0.isLetter || $0.isNumber || isSign($0) && !",;:.!?".contains($0) }
    guard let end else { return [] }
    var units: [SaidUnit] = []
    var rest = whole[...end]
    while let first = rest.first {
      if first.isNumber {
        units.append(number(&rest, word, isBehindPoint: units.last?.sign == "."))
      } else if first.isLetter {
        units += letters(&rest, word)
      } else {
        let range = rest.startIndex..<rest.index(after: rest.startIndex)
        if let forms = signs(first) { units.append(SaidUnit(forms, range, word: word, sign: first)) }
        rest.removeFirst()
      }
    }
    return units
  }

  /// A word of letters, and the possessive ending of a name.
  private static func letters(_ rest: inout Substring, _ word: Int) -> [SaidUnit] {
    let isPart = { (character: Character) in character.isLetter || SpokenWording.isApostrophe(character) }
    let all = rest.prefix(while: isPart)
    rest = rest[all.endIndex...]
    let spelled = all.lowercased().filter { !SpokenWording.isApostrophe($0) }
    let name = all.dropLast(2)
    if all.count > 2, SpokenWording.isApostrophe(all.suffix(2).first ?? " "), spelled.last == "s", rest.isEmpty,
      !contracted.contains(name.lowercased())
    {
      var ending = SaidUnit(["s"], name.endIndex..<all.endIndex, word: word)
      ending.isPossessive = true
      return [SaidUnit(said(String(spelled.dropLast())), name.startIndex..<name.endIndex, word: word), ending]
    }
    return [SaidUnit(said(spelled), all.startIndex..<all.endIndex, word: word)]
  }

  private static func said(_ letters: String) -> [String] {
    [letters] + (SpokenNames.sayings[letters].map { [$0] } ?? [])
  }

  private static func number(_ rest: inout Substring, _ word: Int, isBehindPoint: Bool) -> SaidUnit {
    let start = rest.startIndex
    var digits = String(rest.prefix(while: \.isNumber))
    rest = rest.dropFirst(digits.count)
    // "1,000"
    while rest.first == ",", digits.count <= 12 {
      let group = rest.dropFirst().prefix(while: \.isNumber)
      guard group.count == 3 else { break }
      digits += group
      rest = rest[group.endIndex...]
    }
    let ending = rest.prefix(while: \.isLetter)
    var forms = spoken(digits, isBehindPoint: isBehindPoint)
    if ["st", "nd", "rd", "th"].contains(ending.lowercased()), let value = Int(digits), value < 1_000_000 {
      rest = rest[ending.endIndex...]
      forms = [NumberWords.ordinal(value).joined()]
    }
    if forms.isEmpty { forms = [digits] }
    var unit = SaidUnit(forms, start..<rest.startIndex, word: word)
    unit.digits = digits
    return unit
  }

  /// How a number of digits is said: "8080" as one number, in pairs or digit by digit.
  private static func spoken(_ digits: String, isBehindPoint: Bool) -> [String] {
    var words = [NumberWords.cardinal(digits: digits), NumberWords.label(digits)]
    if digits.count == 4, digits.first != "0", let value = Int(digits) { words.append(NumberWords.year(value)) }
    let isEachSaid = digits.count > 2 || digits.first == "0" || isBehindPoint
    if isEachSaid { words.append(NumberWords.digits(digits)) }
    if digits.count > 1 { words += words.filter { $0.contains("zero") }.map { $0.map { $0 == "zero" ? "oh" : $0 } } }
    return words.map { $0.joined() }.filter { !$0.isEmpty }
  }

  /// "A hundred and five" is one hundred five.
  private static func amongOthers(_ index: Int, _ units: [SaidUnit]) -> SaidUnit {
    let unit = units[index]
    func isScale(_ place: Int) -> Bool {
      units.indices.contains(place) && units[place].forms.contains { scales.contains(String($0)) }
    }
    switch String(unit.forms[0]) {
    case "and" where isScale(index - 1): return SaidUnit(["and", ""], unit.range, word: unit.word)
    case "a" where isScale(index + 1): return SaidUnit(["a", "one"], unit.range, word: unit.word)
    default: return unit
    }
  }

  private static func isSign(_ character: Character) -> Bool { signs(character) != nil }

  private static func signs(_ character: Character) -> [String]? {
    let forms = (SpokenCompound.single[character].map { [$0] } ?? []) + (otherNames[character] ?? [])
    return forms.isEmpty ? nil : forms
  }

  private static let otherNames: [Character: [String]] = [
    ".": ["dot", "point"], "_": ["underscore"], "-": ["dash", "hyphen", "minus"], "/": ["forward slash"],
    ":": ["colon"],
    "#": ["hash", "sharp"], "=": ["equal"], "*": ["asterisk"], "&": ["ampersand"], "|": ["pipe"], "%": ["per cent"],
    "\\": ["back slash"], ">": ["greater than"], "<": ["less than"], "?": ["question mark"], "!": ["exclamation mark"],
  ]
  private static let scales: Set<String> = ["hundred", "thousand", "million", "billion"]
  /// What is no name in front of "'s".
  private static let contracted: Set<String> = [
    "it", "that", "this", "what", "let", "here", "there", "he", "she", "who", "where", "how", "when", "why",
  ]
}
