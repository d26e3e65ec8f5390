/// The words of a text as somebody reads them, whatever signs stand around them and whatever they are made of: "*push*", "un-do",
/// "d.e.l.e.t.e", and "push" with a Cyrillic letter in it.
enum PlainWords {
  /// In lower case, letters with marks and fancy ones as plain letters. Of a word with hyphens or dots each part counts, and all of it
  /// without them; of two words with a slash between them, each. A longer path is one word.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    for chunk in chunks(text).map(withoutLookalikes) {
      let halves = chunk.split(separator: "/", omittingEmptySubsequences: false)
      let isChoice = halves.count == 2 && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
      if isChoice {
        words += halves.map(String.init)
      } else if halves.count > 1 {
        words.append(chunk.filter { $0 != "-" && $0 != "_" })
      } else {
        let whole = chunk.filter { !"-_.".contains($0) }
        let parts = chunk.split { "-.".contains($0) }.map { $0.filter { $0 != "_" } }
        words += parts.count == 1 || names.contains(chunk) ? [whole] : [whole] + parts
      }
    }
    words = words.filter { !$0.isEmpty }
    // "un do", "re set"
    return words + zip(words, words.dropFirst()).filter { prefixes.contains($0.0) }.map { $0.0 + $0.1 }
  }

  /// The first word that cannot be read for certain: plain letters beside others that are like none of them.
  static func disguised(in text: String) -> String? {
    chunks(text).map(withoutLookalikes).first { word in
      word.contains { $0.isASCII && $0.isLetter } && word.contains { !$0.isASCII && $0.isLetter }
    }
  }

  /// What has such a word in it and is no act.
  private static let names: Set<String> = ["drop-down", "drop-downs"]

  /// What may be heard, or written, apart from its verb.
  private static let prefixes: Set<String> = ["de", "dis", "over", "re", "un"]

  private static func chunks(_ text: String) -> [String] { fold(text).split { !isPart($0) }.map(String.init) }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-_./".contains(character)
  }

  // MARK: Letters

  private static func fold(_ text: String) -> String {
    var plain = ""
    for scalar in text.lowercased().unicodeScalars {
      if scalar.isASCII {
        plain.unicodeScalars.append(scalar)
      } else if (0xFF01...0xFF5E).contains(scalar.value), let narrow = Unicode.Scalar(scalar.value - 0xFEE0) {
        plain.unicodeScalars.append(narrow)
      } else if let letters = latin(scalar) {
        plain += letters
      } else {
        switch scalar.properties.generalCategory {
        // Cannot be seen, or only on another letter.
        case .format, .nonspacingMark, .enclosingMark: continue
        case .dashPunctuation: plain.append(scalar.value <= 0x2011 ? "-" : " ")
        default: plain.unicodeScalars.append(scalar)
        }
      }
    }
    return plain
  }

  /// The plain letters that a scalar's name ends with: "LATIN SMALL LETTER E WITH ACUTE", "LATIN SMALL LIGATURE FI",
  /// "MATHEMATICAL BOLD SMALL D".
  private static func latin(_ scalar: Unicode.Scalar) -> String? {
    guard let name = scalar.properties.name else { return nil }
    let words = name.split(separator: " ").prefix { $0 != "WITH" }
    let isLatin = words.contains("LATIN")
    guard let first = words.first, let last = words.last, isLatin || styles.contains(first) else { return nil }
    return last.count <= (isLatin ? 2 : 1) ? last.lowercased() : nil
  }

  /// What the names of plain letters in another style begin with.
  private static let styles: Set<Substring> = [
    "BLACK-LETTER", "DOUBLE-STRUCK", "MATHEMATICAL", "MODIFIER", "REGIONAL", "SCRIPT",
  ]

  private static func withoutLookalikes(_ word: String) -> String {
    var plain = ""
    for scalar in word.unicodeScalars {
      if let alike = lookalikes[scalar] { plain.append(alike) } else { plain.unicodeScalars.append(scalar) }
    }
    // Only some of its letters are like others: a word of its own alphabet.
    let isMixed = plain.contains { $0.isLetter && !$0.isASCII }
    return isMixed && !word.contains { $0.isLetter && $0.isASCII } ? word : plain
  }

  /// Letters of other scripts that cannot be told from Latin ones.
  private static let lookalikes: [Unicode.Scalar: Character] = [
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m",
    "о": "o",
    "р": "p", "ѕ": "s", "т": "t", "υ": "u", "ѵ": "v", "ѡ": "w", "х": "x", "у": "y", "α": "a", "ε": "e", "ι": "i",
    "κ": "k",
    "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "χ": "x", "ո": "n", "ս": "u", "µ": "u", "μ": "u", "ⅼ": "l",
  ]
}
