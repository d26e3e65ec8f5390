import VoiceVocabulary
package import VoiceWebSocket

/// A key or token. It cannot be printed by accident: only `reveal` gives it away.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  /// - Returns: nil for an empty or blank text; a trailing line break, as files have, is dropped.
  package init?(_ text: String) {
    value = text.trimmingWhitespace()
    if value.isEmpty { return nil }
  }

  /// The secret itself, for the one header that carries it.
  package func reveal() -> String { value }

  /// The text with every occurrence of the secret taken out, for messages that come from elsewhere.
  package func redacted(from text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: value) {
      result += rest[..<range.lowerBound] + description
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  /// Nothing to be seen: a dump shows what is stored otherwise.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A live-model server, and how to speak to it.
package struct LiveEndpoint: Sendable {
  package let provider: LiveProvider
  package let address: WebSocketAddress
  package let key: Secret?
  /// A PEM file with the only authorities to be trusted; nil for those of the system, or of `SSL_CERT_FILE`.
  package let authorityFile: String?
  /// A proxy as `host:port`; nil for a direct connection.
  package let proxy: String?
  package let model: String
  package let voice: String?

  /// - Parameters:
  ///   - url: `ws://` or `wss://`, nil for the provider's own. A path is used as it is; without one, the provider's is added.
  ///   - model: nil for the provider's own.
  ///   - environment: Where proxies are named; see `WebSocketAddress.proxy(in:)`.
  /// - Throws: When the URL makes no sense, or would send the key across a network in clear text.
  package init(
    _ provider: LiveProvider, url: String? = nil, key: Secret? = nil, authorityFile: String? = nil,
    model: String? = nil, voice: String? = nil, environment: [String: String] = [:]
  ) throws(WebSocketAddressError) {
    let model = model ?? provider.model
    var address = try WebSocketAddress(parsing: url ?? provider.url)
    if address.target.isEmpty || address.target == "/" { address.target = provider.path(model) }
    if key != nil, !address.isSecure, !address.isLoopback {
      throw WebSocketAddressError(reason: "it would send the key unencrypted to another machine: use wss://")
    }
    self.provider = provider
    self.address = address
    self.key = key
    self.authorityFile = authorityFile
    self.model = model
    self.voice = voice
    proxy = address.proxy(in: environment)
  }

  /// A value that speaks this endpoint's protocol, for one connection.
  func makeDialect() -> any LiveDialect { provider.dialect(model) }

  /// What the end of a connection to it means.
  var recovery: LiveRecovery {
    LiveRecovery(place: address.description, canResume: provider.capabilities.contains(.resumption))
  }
}
