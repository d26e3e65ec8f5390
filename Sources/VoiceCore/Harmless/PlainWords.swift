/// The words of a text as somebody reads them, whatever signs stand around them and whatever they are made of: "*push*", "un-do", and
/// "push" with a Cyrillic letter in it.
enum PlainWords {
  /// In lower case. A word with a hyphen is one, and so is a path; of two words with a slash between them each counts.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    for chunk in fold(text).split(whereSeparator: { !isPart($0) }) {
      let halves = chunk.split(separator: "/", omittingEmptySubsequences: false)
      let isChoice = halves.count == 2 && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
      words += isChoice ? halves.map(String.init) : [String(chunk.filter { $0 != "-" && $0 != "_" })]
    }
    return words.filter { !$0.isEmpty }
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-_./".contains(character)
  }

  private static func fold(_ text: String) -> String {
    var plain = ""
    for scalar in text.lowercased().unicodeScalars {
      if scalar.isASCII {
        plain.unicodeScalars.append(scalar)
      } else if let alike = lookalikes[scalar] {
        plain.append(alike)
      } else if (0xFF01...0xFF5E).contains(scalar.value), let narrow = Unicode.Scalar(scalar.value - 0xFEE0) {
        plain.unicodeScalars.append(narrow)
      } else {
        switch scalar.properties.generalCategory {
        // Cannot be seen, or only on another letter.
        case .format, .nonspacingMark: continue
        case .dashPunctuation: plain.append(scalar.value <= 0x2011 ? "-" : " ")
        default: plain.unicodeScalars.append(scalar)
        }
      }
    }
    return plain
  }

  /// Letters of other scripts that cannot be told from Latin ones.
  private static let lookalikes: [Unicode.Scalar: Character] = [
    "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m",
    "о": "o",
    "р": "p", "ѕ": "s", "т": "t", "υ": "u", "ѵ": "v", "ѡ": "w", "х": "x", "у": "y", "α": "a", "ε": "e", "ι": "i",
    "κ": "k",
    "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "χ": "x", "ı": "i", "ո": "n", "ս": "u",
  ]
}
