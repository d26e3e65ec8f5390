import VoiceCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The values that one source sets: a file, or the command line.
package struct PlanLayer: Equatable, Sendable {
  /// Where the values come from, for people.
  package let origin: String
  package private(set) var values: [String: PlanValue] = [:]

  package init(origin: String) { self.origin = origin }

  /// Set a value; the key must exist, and the value must have its form.
  package mutating func set(_ name: String, _ value: PlanValue) throws(ConfigurationError) {
    guard let key = PlanKey.all.first(where: { $0.name == name }) else {
      let nearest = name.nearest(of: PlanKey.all.map(\.name)) ?? ""
      throw ConfigurationError("\(origin): there is no key “\(name)”. Did you mean “\(nearest)”?")
    }
    switch (key.form, value) {
    case (.flag, .flag), (.list, .list): break
    case (.number(let range), .number(let number)):
      guard range.contains(number) else {
        throw ConfigurationError("\(origin): \(name) must be from \(range.lowerBound) to \(range.upperBound).")
      }
    case (.choice(let choices), .text(let text)):
      guard choices.contains(text) else {
        throw ConfigurationError("\(origin): \(name) is “\(text)”, but must be \(choices.joined(separator: " or ")).")
      }
    case (.text, .text(let text)):
      if name == "interaction.endWord", let objection = TurnEnding.objection(to: text) {
        throw ConfigurationError("\(origin): \(name) \(objection)")
      }
      guard !(name.hasSuffix("keyVariable") && looksLikeSecret(text)) else {
        throw ConfigurationError(
          "\(origin): \(name) must be the name of an environment variable. It looks like the key itself; "
            + "put the key into a variable, and only that name here.")
      }
    default: throw ConfigurationError("\(origin): \(name) must be \(key.form.inWords).")
    }
    values[name] = value
  }

  /// The layer that a JSON5 file holds.
  package init(readingFile path: String) throws(ConfigurationError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ConfigurationError("\(path): there is no such file, or it may not be read. Name another with --config.")
    }
    try self.init(decoding: data, origin: path)
  }

  package init(decoding data: Data, origin: String) throws(ConfigurationError) {
    self.init(origin: origin)
    // The decoder traps on bytes that are no text.
    guard String(validating: data, as: UTF8.self) != nil else {
      throw ConfigurationError("\(origin) is not text in UTF-8.")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let groups: [String: [String: FileValue]]
    do {
      groups = try decoder.decode([String: [String: FileValue]].self, from: data)
    } catch DecodingError.dataCorrupted(let context) {
      let detail = context.underlyingError.map { ": \($0)" } ?? ": \(context.debugDescription)"
      throw ConfigurationError("\(origin) is not valid JSON5\(detail)")
    } catch DecodingError.typeMismatch(_, let context) {
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw ConfigurationError(
        "\(origin): \(place.isEmpty ? "the file" : place) has a value of a kind that no key takes. "
          + "The file is an object of groups, each an object of keys.")
    } catch {
      throw ConfigurationError("\(origin) cannot be read: \(error)")
    }
    for (group, keys) in groups.sorted(by: { $0.key < $1.key }) {
      for (key, value) in keys.sorted(by: { $0.key < $1.key }) { try set("\(group).\(key)", value.value) }
    }
  }

  /// One value of a file, whatever its kind.
  private struct FileValue: Decodable {
    let value: PlanValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        value = .flag(try container.decode(Bool.self))
      } catch DecodingError.typeMismatch {
        do {
          value = .number(try container.decode(Int.self))
        } catch DecodingError.typeMismatch {
          do {
            value = .text(try container.decode(String.self))
          } catch DecodingError.typeMismatch {
            value = .list(try container.decode([String].self))
          }
        }
      }
    }
  }
}

extension PlanKey.Form {
  /// What a value of this form is, for people.
  fileprivate var inWords: String {
    switch self {
    case .flag: "true or false"
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let choices): choices.joined(separator: " or ")
    case .text: "a text in quotes"
    case .list: "a list of texts"
    }
  }
}

/// Whether a text is no name of an environment variable but, by its look, a credential.
private func looksLikeSecret(_ text: String) -> Bool {
  let isName =
    text.allSatisfy { ($0.isASCII && $0.isLetter) || $0.isNumber || $0 == "_" } && text.first?.isNumber != true
  return !isName || SecretText.looksLikeKey(text)
}
