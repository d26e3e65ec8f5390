/// Numbers as a recogniser writes them.
enum SpokenNumber {
  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

  /// The number at the start of the words and how many words it takes: "twenty five" is 25, in two words.
  static func parse(_ words: ArraySlice<String>) -> (value: Int, words: Int)? {
    guard let first = words.first else { return nil }
    if let value = Int(first), (0...1_000_000).contains(value) { return (value, 1) }
    let parts = first.split(separator: "-").map(String.init)
    if parts.count == 2, let ten = tens.firstIndex(of: parts[0]), let one = small.firstIndex(of: parts[1]) {
      return (20 + 10 * ten + one, 1)
    }
    guard var value = small.firstIndex(of: first) ?? tens.firstIndex(of: first).map({ 20 + 10 * $0 }) else {
      return nil
    }
    var rest = words.dropFirst()
    var taken = 1
    if value >= 20, let next = rest.first, let one = small.firstIndex(of: next), (1...9).contains(one) {
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
}
