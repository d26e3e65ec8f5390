package import VoiceWebSocket

/// A key or token. It cannot be printed by accident: only `reveal` gives it away.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  /// - Returns: nil for an empty or blank text; a trailing line break, as files have, is dropped.
  package init?(_ text: String) {
    var text = text[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    if text.isEmpty { return nil }
    value = String(text)
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
  /// The protocols that this program speaks.
  package enum Language: String, Sendable, CaseIterable {
    case gemini
  }

  /// The server of the Gemini API.
  package static let geminiURL = "wss://generativelanguage.googleapis.com"
  /// The model that is asked for unless another one is named.
  package static let geminiModel = "gemini-3.8-live"
  static let geminiTarget = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"

  package var speaks: Language
  package var address: WebSocketAddress
  package var key: Secret?
  /// A PEM file with the only authorities to be trusted; nil for those of the system, or of `SSL_CERT_FILE`.
  package var authorityFile: String?
  /// A proxy as `host:port`; nil for a direct connection.
  package var proxy: String?
  package var model: String
  package var voice: String?

  /// - Parameters:
  ///   - url: `ws://` or `wss://`. A path is used as it is; without one, the path of the Gemini API is added.
  ///   - environment: Where proxies are named; see `WebSocketAddress.proxy(in:)`.
  /// - Throws: When the URL makes no sense, or would send the key across a network in clear text.
  package init(
    url: String = LiveEndpoint.geminiURL, key: Secret? = nil, authorityFile: String? = nil,
    model: String = LiveEndpoint.geminiModel, voice: String? = nil, environment: [String: String] = [:]
  ) throws(WebSocketAddressError) {
    var address = try WebSocketAddress(parsing: url)
    if address.target.isEmpty || address.target == "/" { address.target = Self.geminiTarget }
    if key != nil, !address.isSecure, !address.isLoopback {
      throw WebSocketAddressError(reason: "it would send the key unencrypted to another machine: use wss://")
    }
    speaks = .gemini
    self.address = address
    self.key = key
    self.authorityFile = authorityFile
    self.model = model
    self.voice = voice
    proxy = address.proxy(in: environment)
  }

  /// A value that speaks this endpoint's protocol, for one connection.
  func makeDialect() -> any LiveDialect {
    switch speaks {
    case .gemini: GeminiDialect(model: model)
    }
  }
}
