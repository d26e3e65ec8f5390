/// A WebSocket server on this machine's loopback address, with a thread of its own.
///
/// Any path is accepted; who asks for what is seen in `opened`.
package final class WebSocketListener: Sendable {
  /// Certificate and private key, as PEM files.
  package struct Identity: Sendable {
    package var certificateFile: String
    package var privateKeyFile: String
  }

  /// What becomes of connections that were not admitted, be it that their handshake is not done: nothing that they send is
  /// taken, and of more than the limit the oldest are closed, so that whoever may come in always finds room.
  package struct Strangers: Sendable {
    package var limit: Int
    /// Learns, on the listener's thread, of each that had to go.
    package var refused: @Sendable () -> Void

    package init(limit: Int, refused: @escaping @Sendable () -> Void) { (self.limit, self.refused) = (limit, refused) }
  }

  /// The request headers that `opened` reports, where sent.
  package static let headerNames = ["authorization", "host", "user-agent", "x-goog-api-key", "x-goog-api-client"]

  /// The port that was chosen, on 127.0.0.1.
  package let port: Int
  private let loop: WebSocketLoop

  /// Listen on 127.0.0.1.
  /// - Parameters:
  ///   - port: 0 for any free one.
  ///   - identity: For `wss`; nil for `ws`.
  ///   - strangers: Nil where everybody is welcome.
  ///   - handler: Learns everything about every connection, on the listener's thread.
  /// - Throws: When the port is taken or a file cannot be used.
  package init(
    port: Int = 0, identity: Identity? = nil, strangers: Strangers? = nil, handler: @escaping WebSocketHandler
  ) throws(WebSocketStartError) {
    loop = try WebSocketLoop(listening: .init(port: port, identity: identity, strangers: strangers, handler: handler))
    self.port = loop.port
  }

  /// Close every connection politely and end the thread; must not be called by the handler.
  package func stop() { loop.stop() }
}
