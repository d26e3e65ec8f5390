package import VoiceLive
import VoiceSystem
package import VoiceVocabulary
package import VoiceWebSocket

/// The local live model: a WebSocket server on this machine's loopback address that speaks the Gemini Live protocol, so
/// that the program uses it with the very client it uses for the cloud.
///
/// A connection whose setup declares tools is a listener; one without is a readout. Every request must carry this
/// session's key; as with the real service, a wrong one closes the connection right after the handshake.
package final class LocalLiveServer: Sendable {
  /// Whose protocol it speaks.
  package static let provider = LiveProvider.gemini

  /// What stays of a session when its connection ends.
  private struct Resumable {
    var handle: String
    /// The connection that was told of the handle.
    var connection: Int
  }

  private struct State {
    var conversations: [ObjectIdentifier: LocalConversation] = [:]
    var lastConnection = 0
    /// The newest last; a client needs no more than its last one.
    var resumables: [Resumable] = []
    var hasToldOfStrangers = false
  }

  /// The state and the engines, apart from the listener that calls into them.
  struct Core: Sendable {
    let key: String
    let models: SpeechModels?
    let recogniser: any SpeechRecogniser
    let synthesiser: any SpeechSynthesiser
    let speechRate: Float
    let guesses: Bool
    let phrases: SpokenPhrases
    let whenReady: @Sendable (@escaping @Sendable () -> Void) -> Void
    let onProblem: @Sendable (String) -> Void
    private let state = Locked(State())

    /// On the listener's thread.
    func handle(_ connection: WebSocketConnection, _ event: WebSocketEvent) {
      switch event {
      case .opened(_, let headers):
        guard headers["x-goog-api-key"] == key else {
          return connection.close(code: 1007, reason: "API key not valid. Please pass a valid API key.")
        }
        connection.admit()
        state.withLock { state in
          state.lastConnection += 1
          state.conversations[ObjectIdentifier(connection)] = LocalConversation(
            number: state.lastConnection, connection: connection, core: self)
        }
      case .message(let message):
        state.withLock { $0.conversations[ObjectIdentifier(connection)] }?.take(message)
      case .closed:
        state.withLock { $0.conversations.removeValue(forKey: ObjectIdentifier(connection)) }?.end()
      }
    }

    /// A new handle for a connection's session.
    func makeHandle(for connection: Int) -> String {
      let handle = LocalLiveServer.randomText()
      state.withLock { state in
        state.resumables.removeAll { $0.connection == connection }
        state.resumables.append(Resumable(handle: handle, connection: connection))
        state.resumables.removeFirst(max(0, state.resumables.count - LocalLiveServer.longestMemory))
      }
      return handle
    }

    /// Why a session cannot be resumed by this handle; nil if it can be. The handle stays valid until the session gets another.
    func resume(_ handle: String) -> (code: Int, reason: String)? {
      state.withLock { state in
        guard let index = state.resumables.firstIndex(where: { $0.handle == handle }) else {
          return (1008, "Requested entity was not found.")
        }
        guard !state.conversations.values.contains(where: { $0.number == state.resumables[index].connection }) else {
          return (1011, "The session is still in use by another connection.")
        }
        return nil
      }
    }

    /// Somebody without the key had to go. Told once: whoever does this does it often.
    func refusedStranger() {
      let isNews = state.withLock { state in
        defer { state.hasToldOfStrangers = true }
        return !state.hasToldOfStrangers
      }
      guard isNews else { return }
      onProblem(
        "over \(Limits.strangers) connections at once came to the local live model without this session's key; they are "
          + "closed. Another program on this machine opens them")
    }

    /// The clients that are connected.
    var connections: [WebSocketConnection] { state.withLock { $0.conversations.values.map(\.connection) } }
  }

  /// Sessions that can be resumed: a program has two connections.
  private static let longestMemory = 16
  /// The path of the real service; any other is served as well.
  private static let path = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"

  /// What `x-goog-api-key` must say. Never show it.
  package let key: String
  let core: Core
  private let listener: WebSocketListener

  /// Listen on a free port of 127.0.0.1.
  /// - Parameters:
  ///   - models: For voice activity detection; nil for detection by loudness.
  ///   - speechRate: Of the voice; 1 is its own.
  ///   - guesses: Whether it tells what the user seems to be saying while he speaks; for who shows that.
  ///   - phrases: What the user says to the program itself.
  ///   - whenReady: Calls what it is given when a client may be told that it may begin. Usually at once: what is said
  ///     before the engines are ready is kept for them. Once they are, where the first turn is to be as quick as any
  ///     other.
  ///   - onProblem: Learns what the protocol has no words for, on any thread; for the log.
  package init(
    models: SpeechModels?, recogniser: any SpeechRecogniser, synthesiser: any SpeechSynthesiser, speechRate: Float = 1,
    guesses: Bool = false, phrases: SpokenPhrases = SpokenPhrases(),
    whenReady: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    onProblem: @escaping @Sendable (String) -> Void
  ) throws(WebSocketStartError) {
    key = Self.randomText()
    let core = Core(
      key: key, models: models, recogniser: recogniser, synthesiser: synthesiser, speechRate: speechRate,
      guesses: guesses, phrases: phrases, whenReady: whenReady, onProblem: onProblem)
    self.core = core
    listener = try WebSocketListener(
      strangers: .init(limit: Limits.strangers, refused: { core.refusedStranger() })
    ) { connection, event in core.handle(connection, event) }
  }

  /// Where a client connects to; holds no secret.
  package var url: String { "ws://127.0.0.1:\(listener.port)\(Self.path)" }
  /// Where it listens on the loopback interface.
  package var port: Int { listener.port }

  /// Close every connection and stop listening.
  package func stop() { listener.stop() }

  /// 128 bits from the system's secure source, in hexadecimal.
  private static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(generator.next() as UInt64, radix: 16).zeroPadded(to: 16) }.joined()
  }
}
