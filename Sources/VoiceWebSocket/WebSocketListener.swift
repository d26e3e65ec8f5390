internal import VoiceCore

/// A WebSocket server on this machine's loopback address, with a thread of its own.
///
/// Any path is accepted; who asks for what is seen in `opened`.
package final class WebSocketListener: Sendable {
  /// Certificate and private key, as PEM files.
  package struct Identity: Sendable {
    package var certificateFile: String
    package var privateKeyFile: String

    package init(certificateFile: String, privateKeyFile: String) {
      self.certificateFile = certificateFile
      self.privateKeyFile = privateKeyFile
    }
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
  ///   - handler: Learns everything about every connection, on the listener's thread.
  /// - Throws: When the port is taken or a file cannot be used.
  package init(port: Int = 0, identity: Identity? = nil, handler: @escaping WebSocketHandler)
    throws(WebSocketStartError)
  {
    loop = try WebSocketLoop(listening: .init(port: port, identity: identity, handler: handler))
    self.port = loop.port
  }

  /// Close every connection politely and end the thread; must not be called by the handler.
  package func stop() { loop.stop() }
}
