import VoiceCore

/// A value as it stands in a configuration file.
package enum ConfigurationValue: Equatable, Sendable, Decodable {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  case string(String)
  case array([ConfigurationValue])
  case object([String: ConfigurationValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
      return
    }
    for decode in Self.decoders {
      do {
        self = try decode(container)
        return
      } catch {
        // Not of this type: a value says its type only by decoding.
        continue
      }
    }
    self = .object(try container.decode([String: ConfigurationValue].self))
  }

  private static let decoders: [@Sendable (any SingleValueDecodingContainer) throws -> ConfigurationValue] = [
    { .bool(try $0.decode(Bool.self)) }, { .int(try $0.decode(Int.self)) }, { .number(try $0.decode(Double.self)) },
    { .string(try $0.decode(String.self)) }, { .array(try $0.decode([ConfigurationValue].self)) },
  ]

  /// What it is, for an error; never the value itself, unless it is a harmless word.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "the number \(value)"
    case .number(let value): "the number \(value)"
    case .string(let text) where text.count <= 40 && !SecretText.looksLikeKey(text): "\"\(text)\""
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A type that a setting can have.
protocol PlanValue: Equatable, Sendable {
  /// The value; nil if this is none.
  init?(_ value: ConfigurationValue)
  /// What is allowed, to stand after "must be".
  static var allowed: String { get }
  /// For people: `parley check` and the session's manifest.
  var shown: String { get }
}

extension Bool: PlanValue {
  init?(_ value: ConfigurationValue) {
    guard case .bool(let value) = value else { return nil }
    self = value
  }
  static var allowed: String { "true or false" }
  var shown: String { self ? "true" : "false" }
}

extension Int: PlanValue {
  init?(_ value: ConfigurationValue) {
    guard case .int(let value) = value else { return nil }
    self = value
  }
  static var allowed: String { "a whole number" }
  var shown: String { "\(self)" }
}

extension String: PlanValue {
  init?(_ value: ConfigurationValue) {
    guard case .string(let value) = value else { return nil }
    self = value
  }
  static var allowed: String { "a text" }
  var shown: String { self }
}

extension [String]: PlanValue {
  init?(_ value: ConfigurationValue) {
    guard case .array(let values) = value else { return nil }
    let texts = values.compactMap { String($0) }
    guard texts.count == values.count else { return nil }
    self = texts
  }
  static var allowed: String { "a list of texts" }
  var shown: String { isEmpty ? "none" : joined(separator: ", ") }
}

extension Optional: PlanValue where Wrapped: PlanValue {
  init?(_ value: ConfigurationValue) {
    if value == .null {
      self = Wrapped?.none
    } else if let value = Wrapped(value) {
      self = .some(value)
    } else {
      return nil
    }
  }
  static var allowed: String { Wrapped.allowed + ", or null" }
  var shown: String { self?.shown ?? "none" }
}

/// A setting that is one of a few words.
protocol PlanChoice: PlanValue, RawRepresentable<String>, CaseIterable {}

extension PlanChoice {
  init?(_ value: ConfigurationValue) {
    guard case .string(let word) = value else { return nil }
    self.init(rawValue: word)
  }
  static var allowed: String {
    let words = allCases.map { "\"\($0.rawValue)\"" }
    return words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }
  var shown: String { rawValue }
}

extension InteractionMode: PlanChoice {}
extension InteractionSettings.TurnDetection: PlanChoice {}
extension InterruptionChoice: PlanChoice {}
extension AudioPace: PlanChoice {}
extension ColourChoice: PlanChoice {}

/// Which detector may interrupt a reply, as it can be set.
package enum InterruptionChoice: String, Sendable, CaseIterable {
  /// The gate where the program hears its own loudspeaker, otherwise the live model.
  case auto
  case gate, model
}

/// How fast sound from a file is taken.
package enum AudioPace: String, Sendable, CaseIterable {
  /// As fast as it was spoken.
  case real
  /// As fast as the session can take it.
  case fast
}

/// Whether the screen shows colours.
package enum ColourChoice: String, Sendable, CaseIterable {
  /// On a terminal, unless NO_COLOR is set.
  case auto
  case always, never
}
