package import VoiceSystem

/// The client side of WebSockets: one thread that owns libwebsockets and serves any number of connections.
///
/// Name lookup happens on that thread, and a slow resolver holds up the other connections of the same service.
package final class WebSocketService: Sendable {
  private let loop: WebSocketLoop

  /// - Throws: When the library or the thread cannot be started.
  package init() throws(WebSocketStartError) {
    loop = try WebSocketLoop(listening: nil)
  }

  /// Begin to connect; `handler` learns what comes of it. Never blocks and never fails by itself.
  package func connect(_ request: WebSocketRequest, handler: @escaping WebSocketHandler) -> WebSocketConnection {
    loop.connect(request, handler: handler)
  }

  /// Watch a descriptor on the service's thread, as `DescriptorWatch` says. A reader that takes long holds up the
  /// connections.
  package func watch(
    _ descriptor: Int32, read: @escaping @Sendable () -> DescriptorProgress, failed: @escaping @Sendable () -> Void
  ) {
    loop.watch(WatchReader(descriptor: descriptor, read: read, failed: failed))
  }

  /// Close every connection politely and end the thread. Waits for at most about `WebSocketLimits.stopMilliseconds`;
  /// must not be called by a handler. The service is of no use afterwards.
  package func stop() { loop.stop() }
}

/// A connection to be made.
package struct WebSocketRequest: Sendable {
  package var address: WebSocketAddress
  /// Sent with the handshake. Values may be secret and are never printed.
  package var headers: [(name: String, value: String)]
  /// A PEM file with the only authorities to be trusted; nil for those of the system, or of `SSL_CERT_FILE`.
  package var authorityFile: String?
  /// A proxy as `host:port`, for the CONNECT method; nil for a direct connection.
  package var proxy: String?
  package var timeoutMilliseconds: Int

  /// - Parameters:
  ///   - authorityFile: certificates to trust instead of the system's.
  ///   - proxy: `host:port`; nil for none.
  package init(
    address: WebSocketAddress, headers: [(name: String, value: String)] = [], authorityFile: String? = nil,
    proxy: String? = nil, timeoutMilliseconds: Int = WebSocketLimits.connectMilliseconds
  ) {
    self.address = address
    self.headers = headers
    self.authorityFile = authorityFile
    self.proxy = proxy
    self.timeoutMilliseconds = timeoutMilliseconds
  }
}

/// A service or listener could not be started: what failed, on what, and what to do.
package struct WebSocketStartError: Error, Equatable, CustomStringConvertible {
  package var description: String
}
