#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    do {
      let step = try JSONDecoder().decode(EncodedStep.self, from: Data(line))
      let milliseconds = step.time / 1000
      let digits = String(1000 + milliseconds % 1000).dropFirst()
      let count = step.repeated.map { " and \($0 - 1) like it" } ?? ""
      place = "step \(step.sequence)\(count), at \(milliseconds / 1000).\(digits) s"
      event = step.event.words
      actions = step.actions.map(\.words)
      reasons = step.reasons ?? []
    } catch {
      (place, event, actions, reasons) = (nil, nil, [], [])
    }
  }

  /// The step in one line.
  var sentence: String {
    guard let place, let event else { return "a line that is damaged or of no log" }
    return "\(place): \(event) → \(actions.isEmpty ? "nothing" : actions.joined(separator: "; "))"
  }

  private struct EncodedStep: Decodable {
    var sequence: Int
    var time: Int64
    var repeated: Int?
    var event: JSONValue
    var actions: [JSONValue]
    var reasons: [String]?
  }
}

/// Any JSON value.
indirect enum JSONValue: Equatable, Codable {
  case null
  case flag(Bool)
  case whole(Int64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = Self.attempt({ try container.decode(Bool.self) }) {
      self = .flag(value)
    } else if let value = Self.attempt({ try container.decode(Int64.self) }) {
      self = .whole(value)
    } else if let value = Self.attempt({ try container.decode(Double.self) }) {
      self = .number(value)
    } else if let value = Self.attempt({ try container.decode(String.self) }) {
      self = .text(value)
    } else if let value = Self.attempt({ try container.decode([JSONValue].self) }) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  private static func attempt<Value>(_ decode: () throws -> Value) -> Value? {
    do { return try decode() } catch { return nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let value): try container.encode(value)
    case .whole(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// The value with every text in it changed.
  func mapTexts(_ change: (String) -> String) -> JSONValue {
    switch self {
    case .text(let text): .text(change(text))
    case .list(let values): .list(values.map { $0.mapTexts(change) })
    case .object(let values): .object(values.mapValues { $0.mapTexts(change) })
    case .null, .flag, .whole, .number: self
    }
  }

  /// A case with its values reads "start run (instruction: …; run: 1)".
  var words: String {
    switch self {
    case .null: return "nothing"
    case .flag(let value): return value ? "yes" : "no"
    case .whole(let value): return String(value)
    case .number(let value): return String(value)
    case .text(let value): return "“\(value)”"
    case .list(let values): return "[\(values.map(\.words).joined(separator: ", "))]"
    case .object(let values):
      if values.count == 1, let (name, value) = values.first, case .object(let inner) = value {
        return inner.isEmpty ? name.spaced : "\(name.spaced) (\(Self.pairs(inner)))"
      }
      return Self.pairs(values)
    }
  }

  private static func pairs(_ values: [String: JSONValue]) -> String {
    values.sorted { $0.key < $1.key }.map { name, value in
      name == "_0" ? value.words : "\(name.spaced): \(value.words)"
    }.joined(separator: "; ")
  }
}

extension String {
  /// "startRun" as "start run".
  fileprivate var spaced: String {
    reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }
}
