import VoiceJSON

/// One line of a log in words, whatever events and actions there are.
struct StepWords: Equatable {
  /// Which step it is, and when; nil if the line is damaged.
  let place: String?
  /// What happened.
  let event: String?
  let actions: [String]
  /// Why.
  let reasons: [String]

  /// - Parameter line: JSON, with or without its line feed.
  init(_ line: [UInt8]) {
    guard let step = JSON(parsing: line), let sequence = step["sequence"]?.integer, let time = step["time"]?.integer,
      let event = step["event"], case .array(let actions)? = step["actions"]
    else {
      (place, self.event, self.actions, reasons) = (nil, nil, [], [])
      return
    }
    let milliseconds = time / 1000
    let digits = String(1000 + milliseconds % 1000).dropFirst()
    let count = step["repeated"]?.integer.map { " and \(max($0, 1) - 1) like it" } ?? ""
    place = "step \(sequence)\(count), at \(milliseconds / 1000).\(digits) s"
    self.event = event.words
    self.actions = actions.map(\.words)
    reasons = step["reasons"]?.elements.compactMap(\.string) ?? []
  }

  /// The step in one line.
  var sentence: String {
    guard let place, let event else { return "a line that is damaged or of no log" }
    return "\(place): \(event) → \(actions.isEmpty ? "nothing" : actions.joined(separator: "; "))"
  }
}

extension JSON {
  /// A case with its values reads "start run (instruction: …; run: 1)".
  var words: String {
    switch self {
    case .null: return "nothing"
    case .bool(let value): return value ? "yes" : "no"
    case .integer(let value): return String(value)
    case .number(let value): return String(value)
    case .string(let value): return "“\(value)”"
    case .array(let values): return "[\(values.map(\.words).joined(separator: ", "))]"
    case .object(let values):
      if values.count == 1, let (name, value) = values.first, case .object(let inner) = value {
        return inner.isEmpty ? name.spaced : "\(name.spaced) (\(Self.pairs(inner)))"
      }
      return Self.pairs(values)
    }
  }

  private static func pairs(_ values: [String: JSON]) -> String {
    values.keys.sorted().map { name in
      let words = values[name, default: .null].words
      return name == "_0" ? words : "\(name.spaced): \(words)"
    }.joined(separator: "; ")
  }
}

extension String {
  /// "startRun" as "start run".
  fileprivate var spaced: String {
    reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }
}
