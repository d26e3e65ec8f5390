package import VoiceVocabulary

/// Somebody who serves live models: where, with what, and in which protocol. What is above it knows no provider by name.
///
/// One more is a file with a dialect and one of these, and its line in `all`.
package struct LiveProvider: Sendable {
  /// What not every provider can do.
  package enum Capability: Sendable {
    /// Goes on with a conversation on another connection.
    case resumption
    /// Finds the end of an utterance by itself.
    case serverTurnDetection
    /// Takes it from the program.
    case clientTurnDetection
  }

  /// As the user names it.
  package let name: String
  /// `wss://` and the host, unless the user names another server of the protocol.
  package let url: String
  /// The path and query that are asked for at a server named without one.
  package let path: @Sendable (_ model: String) -> String
  /// The model that is asked for unless another one is named.
  package let model: String
  /// The voice that is asked for unless another one is named; nil for the server's own default.
  package let voice: String?
  /// The environment variable in which its users have its key.
  package let keyVariable: String
  /// Whether it is used unasked where that is set: not if other programs often need the same key.
  package let isTakenByKey: Bool
  /// Samples a second of the sound that it is sent, mono.
  package let inputRate: Int
  /// Samples a second of the sound that it sends, mono.
  package let outputRate: Int
  package let capabilities: Set<Capability>
  /// A value that speaks the protocol, for one connection with this model.
  package let dialect: @Sendable (_ model: String) -> any LiveDialect

  package init(
    name: String, url: String, path: @escaping @Sendable (_ model: String) -> String, model: String,
    voice: String? = nil, keyVariable: String, isTakenByKey: Bool = true, inputRate: Int = PCM.microphoneRate,
    outputRate: Int = PCM.speakerRate,
    capabilities: Set<Capability>, dialect: @escaping @Sendable (_ model: String) -> any LiveDialect
  ) {
    self.name = name
    self.url = url
    self.path = path
    self.model = model
    self.voice = voice
    self.keyVariable = keyVariable
    self.isTakenByKey = isTakenByKey
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.capabilities = capabilities
    self.dialect = dialect
  }

  /// Every provider that there is. The first is whom an address without a name is taken to be of.
  package static let all: [LiveProvider] = [gemini, openAI]

  /// Whom and what server the user means by `PROVIDER`, `PROVIDER:ADDRESS` or `ADDRESS`; without an address, the provider's
  /// own server.
  package static func named(
    _ text: String, of providers: [LiveProvider] = all
  ) -> (provider: LiveProvider, url: String?) {
    for provider in providers {
      if text == provider.name { return (provider, nil) }
      if text.hasPrefix(provider.name + ":") { return (provider, String(text.dropFirst(provider.name.count + 1))) }
    }
    return (providers[0], text)
  }

  /// Whether it can find the end of an utterance this way.
  package func offers(_ detection: InteractionSettings.TurnDetection) -> Bool {
    capabilities.contains(detection == .server ? .serverTurnDetection : .clientTurnDetection)
  }
}
