package import VoiceCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Settings of which a file names only what differs from the built-in ones.
@propertyWrapper package struct OverBuiltIn: Equatable, Sendable, Codable {
  package var wrappedValue: InteractionSettings

  package init(wrappedValue: InteractionSettings) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let named = try container.decode([String: JSONValue].self)
    let all = try Self.fields(of: InteractionSettings()).merging(named) { $1 }
    wrappedValue = try JSONDecoder().decode(InteractionSettings.self, from: JSONEncoder().encode(all))
    let known = try Self.fields(of: wrappedValue)
    if let unknown = named.keys.sorted().first(where: { known[$0] == nil }) {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "there is no setting “\(unknown)”")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    let builtIn = try Self.fields(of: InteractionSettings())
    var container = encoder.singleValueContainer()
    try container.encode(Self.fields(of: wrappedValue).filter { builtIn[$0.key] != $0.value })
  }

  private static func fields(of settings: InteractionSettings) throws -> [String: JSONValue] {
    try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(settings))
  }
}
