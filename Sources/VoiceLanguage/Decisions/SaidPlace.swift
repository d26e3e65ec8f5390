/// Where words that were said stand in a text, however either is written: "hello dot py" in "open hello.py", "thirty" in "wait 30 s".
///
/// Both are compared by the letters of how they are said. A place is whole words of the text, but for signs at their ends that nobody
/// said, and what encloses them.
enum SaidPlace {
  /// The place; of several the last, because it was heard last. Nil if there is none, or it cannot be told which one is meant.
  static func range(of said: String, in text: String) -> Range<String.Index>? {
    let words = SaidUnit.units(of: said)
    let units = SaidUnit.units(of: text)
    if let last = places(of: words, in: units, text, signs: .said).last { return last }
    // A sign that was not said may be any.
    let places = places(of: words, in: units, text, signs: .silent)
    guard let last = places.last, Set(places.map { text[$0].lowercased() }).count == 1 else { return nil }
    return last
  }

  /// Whether both say the same, however it is written.
  static func areSame(_ left: String, _ right: String) -> Bool {
    let (words, units) = (SaidUnit.units(of: left), SaidUnit.units(of: right))
    guard let first = units.first, let last = units.last else { return words.isEmpty }
    return places(of: words, in: units, right, signs: .said)
      .contains { $0.lowerBound <= first.range.lowerBound && $0.upperBound >= last.range.upperBound }
  }

  private static func places(
    of said: [SaidUnit], in units: [SaidUnit], _ text: String, signs: SaidUnit.Signs
  ) -> [Range<String.Index>] {
    let wanted = spellings(of: said, signs)
    let numbers = said.compactMap(\.digits)
    guard !wanted.isEmpty else { return [] }
    var places: [Range<String.Index>] = []
    for start in units.indices where isWordStart(start, in: units) {
      let ends = wanted.compactMap { end(of: $0, in: units, from: start, signs) }
      guard let end = ends.min(), isWordEnd(end, in: units) else { continue }
      // "20 1" is not 21.
      let found = units[start...end].compactMap(\.digits)
      guard numbers.isEmpty || found.isEmpty || numbers == found else { continue }
      if let range = balanced(units[start].range.lowerBound..<units[end].range.upperBound, in: text) {
        places.append(range)
      }
    }
    return places
  }

  /// The last of the units that say these letters.
  private static func end(
    of letters: [Character], in units: [SaidUnit], from start: Int, _ signs: SaidUnit.Signs
  ) -> Int? {
    var reached: Set<Int> = [0]
    for index in start..<units.count {
      var next: Set<Int> = []
      for form in units[index].forms + (index > start && units[index].isSilent(signs, isSaid: false) ? [[]] : []) {
        for place in reached where letters[place...].starts(with: form) { next.insert(place + form.count) }
      }
      if next.contains(letters.count) { return index }
      if next.isEmpty { return nil }
      reached = next
    }
    return nil
  }

  /// All letters that say this; some only, if there are very many.
  private static func spellings(of said: [SaidUnit], _ signs: SaidUnit.Signs) -> [[Character]] {
    var spellings: Set<[Character]> = [[]]
    for (index, unit) in said.enumerated() {
      let isInside = index > 0 && index < said.count - 1
      let forms = unit.forms + (isInside && unit.isSilent(signs, isSaid: true) ? [[]] : [])
      let isTooMany = spellings.count * forms.count > 64
      spellings = Set(spellings.flatMap { before in (isTooMany ? [forms[0]] : forms).map { before + $0 } })
    }
    return spellings.filter { !$0.isEmpty }
  }

  /// Whether only signs stand before it in its word, and none that makes another number of it.
  private static func isWordStart(_ index: Int, in units: [SaidUnit]) -> Bool {
    let before = units[..<index].reversed().prefix { $0.word == units[index].word }
    let isNegative = units[index].digits != nil && before.first?.sign == "-"
    return !units[index].isPossessive && !isNegative && before.allSatisfy(\.isSign)
  }

  private static func isWordEnd(_ index: Int, in units: [SaidUnit]) -> Bool {
    units[(index + 1)...].prefix { $0.word == units[index].word }.allSatisfy { $0.isSign || $0.isPossessive }
  }

  /// The range with what closes brackets and quotes in it; nil if one of them is left.
  private static func balanced(_ range: Range<String.Index>, in text: String) -> Range<String.Index>? {
    var open: [Character] = []
    for character in text[range] {
      if let closing = closings[character], closing != character || open.last != character {
        open.append(closing)
      } else if open.last == character {
        open.removeLast()
      } else if closings.values.contains(character) {
        return nil
      }
    }
    let rest = text[range.upperBound...]
    guard rest.starts(with: open.reversed()) else { return nil }
    return range.lowerBound..<rest.index(rest.startIndex, offsetBy: open.count)
  }

  private static let closings: [Character: Character] = [
    "(": ")", "[": "]", "{": "}", "\"": "\"", "`": "`", "\u{201C}": "\u{201D}",
  ]
}
