/// Numbers as English words, the way they are said.
package enum NumberWords {
  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
  private static let irregular = [
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
  ]

  /// "1200" is one thousand two hundred. From a trillion on, digit by digit: nobody follows such a number anyway.
  package static func cardinal(_ number: Int) -> [String] {
    switch number {
    // Without its sign it is too large for an `Int`.
    case .min: ["minus"] + digits(String(number))
    case ..<0: ["minus"] + cardinal(-number)
    case 0..<20: [small[number]]
    case 20..<100: [tens[number / 10]] + (number % 10 == 0 ? [] : [small[number % 10]])
    case 100..<1_000: scaled(number, 100, "hundred")
    case 1_000..<1_000_000: scaled(number, 1_000, "thousand")
    case 1_000_000..<1_000_000_000: scaled(number, 1_000_000, "million")
    case 1_000_000_000..<1_000_000_000_000: scaled(number, 1_000_000_000, "billion")
    default: digits(String(number))
    }
  }

  private static func scaled(_ number: Int, _ unit: Int, _ name: String) -> [String] {
    cardinal(number / unit) + [name] + (number % unit == 0 ? [] : cardinal(number % unit))
  }

  /// "22" is twenty second.
  package static func ordinal(_ number: Int) -> [String] {
    var words = cardinal(number)
    let last = words.removeLast()
    let ending =
      irregular[last] ?? (last.hasSuffix("y") ? last.dropLast() + "ieth" : last + "th")
    return words + [ending]
  }

  /// Each digit for itself; anything else is left out.
  package static func digits(_ text: some StringProtocol) -> [String] {
    text.compactMap { $0.isASCII ? $0.wholeNumberValue.map { small[$0] } : nil }
  }

  /// A number of decimal digits as it stands in a text: one that begins with zero, or is very long, digit by digit.
  package static func cardinal(digits text: some StringProtocol) -> [String] {
    guard text.count <= 12, let value = Int(text), text.count == 1 || text.first != "0" else { return digits(text) }
    return cardinal(value)
  }

  /// "2024" is twenty twenty four, "1905" nineteen oh five, "2007" two thousand seven.
  package static func year(_ number: Int) -> [String] {
    guard (1_000...9_999).contains(number), !(2_000...2_009).contains(number) else { return cardinal(number) }
    let rest = number % 100
    if rest == 0 { return number % 1_000 == 0 ? cardinal(number) : cardinal(number / 100) + ["hundred"] }
    return cardinal(number / 100) + (rest < 10 ? ["oh"] : []) + cardinal(rest)
  }

  /// A number inside a name, in pairs: "256" is two fifty six, "404" four oh four, "8080" eighty eighty.
  package static func label(_ text: some StringProtocol) -> [String] {
    guard (3...4).contains(text.count), text.first != "0", let value = Int(text), value % 100 != 0 else {
      return cardinal(digits: text)
    }
    return cardinal(value / 100) + (value % 100 < 10 ? ["oh"] : []) + cardinal(value % 100)
  }

  /// The number at the start of the words and how many words it takes: "twenty five" is 25, in two words.
  package static func parse(_ words: ArraySlice<String>) -> (value: Int, words: Int)? {
    guard let first = words.first else { return nil }
    if let value = Int(first), (0...1_000_000).contains(value) { return (value, 1) }
    let parts = first.split(separator: "-").map(String.init)
    if parts.count == 2, let ten = values[parts[0]], ten >= 20, let one = values[parts[1]], one < 20 {
      return (ten + one, 1)
    }
    guard var value = values[first] else { return nil }
    var rest = words.dropFirst()
    var taken = 1
    if value >= 20, let next = rest.first, let one = values[next], (1...9).contains(one) {
      value += one
      taken += 1
      rest = rest.dropFirst()
    }
    if rest.first == "hundred", value < 20 {
      value *= 100
      taken += 1
      rest = rest.dropFirst()
      if rest.first == "and" { rest = rest.dropFirst(); taken += 1 }
      if let more = parse(rest), more.value < 100 { return (value + more.value, taken + more.words) }
    }
    return (value, taken)
  }

  /// Whether a lower-case word is part of a number: "twenty", "hundred", "third".
  package static func isNumberWord(_ word: some StringProtocol) -> Bool { parts.contains(String(word)) }

  /// The numbers that one word says.
  private static let values = Dictionary(
    uniqueKeysWithValues: (Array(0...19) + stride(from: 20, to: 100, by: 10)).map { (cardinal($0)[0], $0) })

  private static let parts = Set(
    values.values.flatMap { cardinal($0) + ordinal($0) } + ["hundred", "thousand", "million", "billion"])
}
