/// Units of measure and of money, as they are said behind a number.
enum SpokenUnits {
  /// What is said for one, and for more.
  struct Name: Equatable, Sendable {
    let one: String
    let many: String

    init(_ one: String, _ many: String) {
      self.one = one
      self.many = many
    }
  }

  /// The unit that a number is followed by, with or without a blank; nil if it is none.
  ///
  /// - Parameter isAttached: whether it stands directly behind the number, where single letters are units as well.
  static func name(of text: some StringProtocol, isAttached: Bool) -> Name? {
    let text = String(text)
    if let name = names[text] { return name }
    if isAttached, let name = attached[text] { return name }
    // A rate: "MB/s", "req/s".
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let per = rates[parts[1]] else { return nil }
    guard let amount = names[parts[0]] ?? counted[parts[0]] else { return nil }
    return Name("\(amount.one) per \(per)", "\(amount.many) per \(per)")
  }

  /// What multiplies a number: "5k" is five thousand.
  static let multipliers = [
    "k": "thousand", "K": "thousand", "M": "million", "bn": "billion", "B": "billion", "T": "trillion",
  ]

  /// Signs of money, with the name of a hundredth.
  static let currencies: [Character: (Name, Name)] = [
    "$": (Name("dollar", "dollars"), Name("cent", "cents")),
    "\u{20AC}": (Name("euro", "euros"), Name("cent", "cents")),
    "\u{A3}": (Name("pound", "pounds"), Name("penny", "pence")),
    "\u{A5}": (Name("yen", "yen"), Name("sen", "sen")),
  ]

  /// Units that mean nothing else, so that they may stand alone behind a number.
  private static let names: [String: Name] = {
    var names = [
      "%": Name("percent", "percent"), "\u{B0}C": Name("degree Celsius", "degrees Celsius"),
      "\u{B0}F": Name("degree Fahrenheit", "degrees Fahrenheit"), "\u{B0}": Name("degree", "degrees"),
      "kg": Name("kilogram", "kilograms"), "km": Name("kilometer", "kilometers"),
      "cm": Name("centimeter", "centimeters"), "mm": Name("millimeter", "millimeters"),
      "dB": Name("decibel", "decibels"), "px": Name("pixel", "pixels"),
      "fps": Name("frame per second", "frames per second"), "rpm": Name("turn per minute", "turns per minute"),
      "bps": Name("bit per second", "bits per second"), "kbps": Name("kilobit per second", "kilobits per second"),
      "Mbps": Name("megabit per second", "megabits per second"),
      "Gbps": Name("gigabit per second", "gigabits per second"), "hrs": Name("hour", "hours"),
      "min": Name("minute", "minutes"), "mins": Name("minute", "minutes"), "sec": Name("second", "seconds"),
      "secs": Name("second", "seconds"), "ms": Name("millisecond", "milliseconds"),
      "us": Name("microsecond", "microseconds"), "\u{B5}s": Name("microsecond", "microseconds"),
      "\u{3BC}s": Name("microsecond", "microseconds"), "ns": Name("nanosecond", "nanoseconds"),
      "s": Name("second", "seconds"), "B": Name("byte", "bytes"),
      "LOC": Name("line of code", "lines of code"),
    ]
    for (prefix, word) in [
      ("k", "kilo"), ("K", "kilo"), ("M", "mega"), ("G", "giga"), ("T", "tera"), ("Ki", "kibi"), ("Mi", "mebi"),
      ("Gi", "gibi"), ("Ti", "tebi"),
    ] {
      names[prefix + "B"] = Name(word + "byte", word + "bytes")
    }
    for (prefix, word) in [("", ""), ("k", "kilo"), ("M", "mega"), ("G", "giga")] {
      names[prefix + "Hz"] = Name(word + "hertz", word + "hertz")
    }
    return names
  }()

  /// Units of one or two letters, which alone would be something else.
  private static let attached: [String: Name] = [
    "m": Name("minute", "minutes"), "h": Name("hour", "hours"),
    "d": Name("day", "days"), "w": Name("week", "weeks"), "x": Name("times", "times"),
    "\u{D7}": Name("times", "times"), "b": Name("bit", "bits"), "em": Name("em", "em"), "pt": Name("point", "points"),
  ]

  /// What is counted in a rate.
  private static let counted: [String: Name] = [
    "req": Name("request", "requests"), "reqs": Name("request", "requests"), "msg": Name("message", "messages"),
    "ops": Name("operation", "operations"), "tokens": Name("token", "tokens"), "lines": Name("line", "lines"),
    "requests": Name("request", "requests"), "frames": Name("frame", "frames"), "events": Name("event", "events"),
  ]

  private static let rates = [
    "s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour", "day": "day", "month": "month",
  ]
}
