import VoiceCore

/// The live model that hears the microphone.
package enum LiveEndpoint: Equatable, Sendable {
  /// The model of this program, on this machine.
  case local
  case gemini
  case openai
  /// A server that speaks the Gemini Live protocol, by its WebSocket address.
  case server(address: String)
}

/// The live model as it can be set.
package enum LiveEndpointChoice: Equatable, Sendable {
  /// Gemini where its key is there, otherwise local.
  case auto
  case fixed(LiveEndpoint)
}

extension LiveEndpoint: CustomStringConvertible {
  package var description: String {
    switch self {
    case .local: "local"
    case .gemini: "gemini"
    case .openai: "openai"
    case .server(let address): address
    }
  }
}

extension LiveEndpointChoice: PlanValue {
  /// A word, or an address that holds no secret.
  package init?(_ text: String) {
    switch text {
    case "auto": self = .auto
    case "local": self = .fixed(.local)
    case "gemini": self = .fixed(.gemini)
    case "openai": self = .fixed(.openai)
    default:
      guard let scheme = ["ws://", "wss://"].first(where: { text.hasPrefix($0) }), text.count > scheme.count,
        text.allSatisfy({ $0.isASCII && !$0.isWhitespace })
      else { return nil }
      self = .fixed(.server(address: text))
    }
  }

  init?(_ value: ConfigurationValue) {
    guard case .string(let text) = value else { return nil }
    self.init(text)
  }
  static var allowed: String { #""auto", "local", "gemini", "openai", or an address that begins with ws:// or wss://"# }
  var shown: String {
    switch self {
    case .auto: "auto"
    case .fixed(let endpoint): endpoint.description
    }
  }

  /// Why this must not stand in a file or on a command line; nil if it may.
  var objection: String? {
    guard case .fixed(.server(let address)) = self else { return nil }
    let authority = address.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    let query = address.split(separator: "?", maxSplits: 1).dropFirst().joined().lowercased()
    let holdsSecret =
      authority.contains("@") || ["key=", "token=", "secret=", "password="].contains { query.contains($0) }
      || address.split(whereSeparator: { "/?&=".contains($0) }).contains { SecretText.looksLikeKey($0) }
    return holdsSecret
      ? "must not hold a key or a password: leave it out, and name the variable that holds it in live.keyVariable"
      : nil
  }
}
