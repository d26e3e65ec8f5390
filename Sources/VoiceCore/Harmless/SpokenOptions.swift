/// Options and names of programs that were spelled, and written as words: "dash R F", "R M".
enum SpokenOptions {
  /// The words of a text, and behind what was spelled how it is written; none if nothing was. Nobody says whether a letter is a capital,
  /// so both are there.
  static func words(_ text: String) -> [String] {
    let said = text.split(whereSeparator: \.isWhitespace).map(bare)
    var words: [String] = []
    var isSpelled = false
    var index = 0
    while index < said.count {
      let word = said[index].lowercased()
      words.append(word)
      index += 1
      if dashes.contains(word) {
        words += option(said, &index)
        isSpelled = true
      } else if isLetter(word), index < said.count, isLetter(said[index]) {
        var joined = word
        while index < said.count, isLetter(said[index]) {
          joined += said[index].lowercased()
          index += 1
        }
        words.append(joined)
        isSpelled = true
        // "C H mod"
        if index < said.count { words.append(joined + said[index].lowercased()) }
      }
    }
    return isSpelled ? words : []
  }

  /// What stands behind a word for a dash.
  private static func option(_ said: [String], _ index: inout Int) -> [String] {
    var isLong = false
    while index < said.count, dashes.contains(said[index].lowercased()) {
      isLong = true
      index += 1
    }
    while index < said.count, cases.contains(said[index].lowercased()) { index += 1 }
    var letters = ""
    var rest = index
    while rest < said.count, isLetter(said[rest]) {
      letters += said[rest]
      rest += 1
    }
    if !letters.isEmpty { index = rest }
    let name = letters.isEmpty && index < said.count ? said[index] : letters
    let sign = isLong ? "--" : "-"
    return (isLong ? [sign] : []) + (name.isEmpty ? [] : [sign + name.lowercased(), sign + name.uppercased()])
  }

  /// Without the punctuation around it.
  private static func bare(_ word: Substring) -> String {
    let isPart = { (character: Character) in character.isLetter || character.isNumber }
    guard let first = word.firstIndex(where: isPart), let last = word.lastIndex(where: isPart) else { return "" }
    return String(word[first...last])
  }

  private static func isLetter(_ word: String) -> Bool { word.count == 1 && word.first?.isLetter == true }

  private static let dashes: Set<String> = ["dash", "minus", "hyphen"]
  private static let cases: Set<String> = [
    "capital", "uppercase", "lowercase", "upper", "lower", "case", "big", "small",
  ]
}
