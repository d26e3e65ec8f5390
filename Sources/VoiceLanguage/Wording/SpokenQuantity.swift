import VoiceVocabulary

/// Something with digits, as people say it: numbers, units, money, versions, dates, times, ranges.
struct SpokenQuantity {
  private(set) var words: [String]
  /// How many tokens it takes: two where the unit stands behind a blank.
  private(set) var tokens = 1

  /// The quantity that begins at `index`; nil if there is none.
  init?(_ all: [SpokenToken], at index: Int) {
    let core = all[index].core
    guard core.contains(where: { $0.isASCII && $0.isNumber }) else { return nil }
    func before(_ distance: Int) -> String { index >= distance ? all[index - distance].core.lowercased() : "" }
    if let words = Self.inContext(core, before(1), before(2)) {
      self.words = words
      return
    }
    guard let said = Self.say(core) else { return nil }
    words = said.words
    if words.first == "version", before(1) == "version" { words.removeFirst() }
    // "250 ms", "$3 million": a unit behind a blank belongs to it.
    guard said.takesUnit, all[index].ending.isEmpty, index + 1 < all.count, all[index + 1].aside != .opens else {
      return
    }
    let next = all[index + 1].core
    if let unit = SpokenUnits.name(of: next, isAttached: false) {
      words.append(core == "1" ? unit.one : unit.many)
      tokens = 2
    } else if let currency = said.currency, ["million", "billion", "trillion", "thousand"].contains(next) {
      words = words.dropLast() + [String(next), currency]
      tokens = 2
    }
  }

  private struct Said {
    var words: [String]
    /// Whether a unit may follow behind a blank.
    var takesUnit = false
    /// The name of the money, which then is the last word.
    var currency: String?
  }

  // MARK: What the words before tell

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  private static func inContext(_ core: Substring, _ previous: String, _ beforeThat: String) -> [String]? {
    if core.first == "#", core.dropFirst().allSatisfy(\.isNumber) {
      let isNamed = ["issue", "pr", "request", "ticket", "bug", "number", "discussion"].contains(previous)
      return (isNamed ? [] : ["number"]) + NumberWords.cardinal(digits: core.dropFirst())
    }
    guard core.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(core) else { return nil }
    if ["port", "error", "status", "http", "code", "base"].contains(previous) { return NumberWords.label(core) }
    if months.contains(previous), (1...31).contains(value) { return NumberWords.ordinal(value) }
    let isYear =
      (1_900...2_099).contains(value)
      && (["in", "since", "from", "until", "by", "year", "before", "after", "of", "copyright"].contains(previous)
        || months.contains(previous) || months.contains(beforeThat))
    return isYear ? NumberWords.year(value) : nil
  }

  // MARK: By its form alone

  private static func say(_ core: Substring) -> Said? {
    if let sign = leading.first(where: { core.hasPrefix($0.sign) }) {
      let rest = core.dropFirst(sign.sign.count)
      guard rest.first.map({ $0.isNumber || SpokenUnits.currencies[$0] != nil || $0 == "." }) ?? false else {
        return nil
      }
      guard var said = say(rest) else { return nil }
      said.words.insert(sign.spoken, at: 0)
      return said
    }
    if let first = core.first, let (money, cents) = SpokenUnits.currencies[first] {
      return amount(of: core.dropFirst(), money, cents)
    }
    if let words = date(core) ?? time(core) ?? version(core) ?? fraction(core) ?? ordinal(core) ?? duration(core) {
      return Said(words: words)
    }
    if let range = range(core) { return range }
    if core.hasPrefix("0x") || core.hasPrefix("0X"), core.dropFirst(2).allSatisfy(\.isHexDigit), core.count > 2 {
      let digits = core.dropFirst(2).flatMap { $0.isNumber ? NumberWords.digits(String($0)) : [$0.uppercased()] }
      return Said(words: ["hex"] + digits)
    }
    guard let number = Number(core) else { return nil }
    if number.rest.isEmpty { return Said(words: number.words, takesUnit: true) }
    if let unit = SpokenUnits.name(of: number.rest, isAttached: true) {
      return Said(words: number.words + [number.isOne ? unit.one : unit.many])
    }
    if let multiplier = SpokenUnits.multipliers[String(number.rest)] {
      return Said(words: number.words + [multiplier], takesUnit: true)
    }
    if number.rest == "+" { return Said(words: number.words + ["or", "more"], takesUnit: true) }
    // "4-byte", "12-line".
    if number.rest.first == "-", number.rest.dropFirst().allSatisfy(\.isLetter), number.rest.count > 2 {
      let word = number.rest.dropFirst()
      let unit = SpokenUnits.name(of: word, isAttached: false)?.one ?? String(word)
      return Said(words: [number.words.joined(separator: " ") + "-" + unit])
    }
    return nil
  }

  private static let leading: [(sign: String, spoken: String)] = [
    ("~", "about"), ("\u{2248}", "about"), ("<=", "at most"), (">=", "at least"), ("\u{2264}", "at most"),
    ("\u{2265}", "at least"), ("<", "less than"), (">", "more than"), ("\u{B1}", "plus or minus"), ("+", "plus"),
    ("-", "minus"), ("\u{2212}", "minus"), ("=", "equals"),
  ]

  /// Digits with thousands in groups and a fraction, and what stands behind them.
  private struct Number {
    let whole: String
    let fraction: Substring
    let rest: Substring

    init?(_ text: Substring) {
      var rest = text
      var whole = String(rest.prefix { $0.isASCII && $0.isNumber })
      rest = rest.dropFirst(whole.count)
      guard !whole.isEmpty || rest.first == "." else { return nil }
      while rest.first == "," {
        let group = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard group.count == 3 else { break }
        whole += group
        rest = rest.dropFirst(4)
      }
      var fraction: Substring = ""
      if rest.first == "." {
        fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        if !fraction.isEmpty { rest = rest.dropFirst(fraction.count + 1) }
      }
      guard !whole.isEmpty || !fraction.isEmpty, rest.first != "." || rest.dropFirst().isEmpty else { return nil }
      guard rest.first?.isNumber != true, rest.first != "," else { return nil }
      (self.whole, self.fraction, self.rest) = (whole, fraction, rest)
    }

    var isOne: Bool { whole == "1" && fraction.isEmpty }

    var words: [String] {
      NumberWords.cardinal(digits: whole.isEmpty ? "0" : whole)
        + (fraction.isEmpty ? [] : ["point"] + NumberWords.digits(fraction))
    }
  }

  /// "$1,234.56", "$0.02", "$3.5M".
  private static func amount(of text: Substring, _ money: SpokenUnits.Name, _ cents: SpokenUnits.Name) -> Said? {
    guard let number = Number(text) else { return nil }
    if let multiplier = SpokenUnits.multipliers[String(number.rest)] {
      return Said(words: number.words + [multiplier, money.many])
    }
    if let unit = SpokenUnits.name(of: "req" + number.rest, isAttached: false), number.rest.first == "/" {
      let per = unit.one.split(separator: " ").dropFirst().map(String.init)
      return Said(words: number.words + [money.many] + per)
    }
    guard number.rest.isEmpty else { return nil }
    guard number.fraction.count == 2, let hundredths = Int(number.fraction) else {
      return Said(
        words: number.words + [number.isOne ? money.one : money.many], takesUnit: true, currency: money.many)
    }
    let small = NumberWords.cardinal(hundredths) + [hundredths == 1 ? cents.one : cents.many]
    if number.whole == "0" { return Said(words: small) }
    let big = NumberWords.cardinal(digits: number.whole) + [number.whole == "1" ? money.one : money.many]
    return Said(words: hundredths == 0 ? big : big + ["and"] + small)
  }

  /// "2024-03-15", with or without a time.
  private static func date(_ core: Substring) -> [String]? {
    let halves = core.split(separator: "T", maxSplits: 1)
    let parts = (halves.first ?? "").split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2]), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let name = months[month - 1]
    var words = [name.capitalised] + NumberWords.ordinal(day)
    words[words.count - 1] += ","
    words += NumberWords.year(year)
    guard halves.count == 2 else { return words }
    guard let clock = time(halves[1].prefix { $0.isNumber || $0 == ":" }) else { return nil }
    return words + ["at"] + clock
  }

  /// "14:30", "9:05", "3pm", "14:30:05".
  private static func time(_ core: Substring) -> [String]? {
    var clock = core
    var half: [String] = []
    for (ending, said) in [("am", "AM"), ("pm", "PM"), ("AM", "AM"), ("PM", "PM")] where clock.hasSuffix(ending) {
      clock = clock.dropLast(2)
      half = [said]
      break
    }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let hour = Int(parts[0]), hour < 25 else {
      return nil
    }
    if parts.count == 1 { return half.isEmpty || hour > 12 ? nil : NumberWords.cardinal(hour) + half }
    guard parts.count <= 3, parts[1].count == 2, let minute = Int(parts[1]), minute < 60 else { return nil }
    var words = NumberWords.cardinal(hour)
    switch minute {
    case 0: words += half.isEmpty ? ["o'clock"] : []
    case 1..<10: words += ["oh"] + NumberWords.cardinal(minute)
    default: words += NumberWords.cardinal(minute)
    }
    if parts.count == 3 {
      guard parts[2].count == 2, let second = Int(parts[2]), second < 60 else { return nil }
      if second > 0 { words += ["and"] + NumberWords.cardinal(second) + [second == 1 ? "second" : "seconds"] }
    }
    return words + half
  }

  /// "v2.0", "1.2.3", "1.2.3-beta.1", "127.0.0.1".
  private static func version(_ core: Substring) -> [String]? {
    let isMarked = core.first == "v" && core.dropFirst().first?.isNumber == true
    var rest = isMarked ? core.dropFirst() : core
    let numbers = rest.prefix { $0.isNumber || $0 == "." }.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.allSatisfy({ !$0.isEmpty }), isMarked || (3...4).contains(numbers.count) else { return nil }
    rest = rest.dropFirst(numbers.map(\.count).reduce(numbers.count - 1, +))
    guard rest.isEmpty || "-+:/".contains(rest.first ?? " ") else { return nil }
    let isAddress = numbers.count == 4 && !isMarked
    let words = numbers.map { $0.count > 4 ? NumberWords.digits($0) : NumberWords.cardinal(digits: $0) }
      .joined(separator: [isAddress ? "dot" : "point"])
    let behind = rest.split { "-.+".contains($0) }.flatMap { part -> [String] in
      if part.first == ":" { return ["port"] + NumberWords.label(part.dropFirst()) }
      return SpokenNames.words(identifier: part)
    }
    return (isMarked ? ["version"] : []) + words + behind
  }

  /// "1/2" is one half, "12/15" twelve of fifteen.
  private static func fraction(_ core: Substring) -> [String]? {
    let parts = core.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let left = Int(parts[0]), let right = Int(parts[1]), right > 0 else {
      return nil
    }
    return switch core {
    case "1/2": ["one", "half"]
    case "1/3": ["one", "third"]
    case "1/4": ["one", "quarter"]
    case "3/4": ["three", "quarters"]
    case "24/7": ["twenty", "four", "seven"]
    default: NumberWords.cardinal(left) + ["of"] + NumberWords.cardinal(right)
    }
  }

  /// "1st", "22nd", "3rd", "40th".
  private static func ordinal(_ core: Substring) -> [String]? {
    guard ["st", "nd", "rd", "th"].contains(where: { core.hasSuffix($0) }), let value = Int(core.dropLast(2)) else {
      return nil
    }
    return NumberWords.ordinal(value)
  }

  /// "1h30m", "2m5s".
  private static func duration(_ core: Substring) -> [String]? {
    var words: [String] = []
    var count = 0
    var rest = core
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
      guard !digits.isEmpty, ["d", "h", "m", "s", "ms"].contains(unit),
        let name = SpokenUnits.name(of: unit, isAttached: true)
      else { return nil }
      words += NumberWords.cardinal(digits: digits) + [digits == "1" ? name.one : name.many]
      count += 1
      rest = rest.dropFirst(digits.count + unit.count)
    }
    return count > 1 ? words : nil
  }

  /// "3-5", "10–20%", "1920x1080".
  private static func range(_ core: Substring) -> Said? {
    for (separator, spoken) in [
      ("\u{2013}", "to"), ("-", "to"), ("..<", "up to"), ("...", "to"), ("x", "by"), ("\u{D7}", "by"),
    ] {
      guard let place = core.firstRange(of: separator), let left = Number(core[..<place.lowerBound]),
        let right = Number(core[place.upperBound...]), ["", "%", "k", "K"].contains(left.rest)
      else { continue }
      let words = left.words + [spoken] + right.words
      if right.rest.isEmpty { return Said(words: words, takesUnit: true) }
      guard
        let unit = SpokenUnits.name(of: right.rest, isAttached: true)?.many
          ?? SpokenUnits.multipliers[String(right.rest)]
      else { continue }
      return Said(words: words + [unit])
    }
    return nil
  }
}
