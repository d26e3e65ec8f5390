import VoiceSystem
import VoiceVocabulary
import VoiceWebSocket

/// WebSockets to agents, told in the words of HTTP: a head once it is open, each message as `bytes`, and an end.
final class HTTPSockets: Sendable {
  /// One open socket.
  struct Socket: Sendable {
    fileprivate let connection: WebSocketConnection?

    /// Close it; the last event is `ended`.
    func close() { connection?.close() }

    /// Close it, unless the message was handed to the socket before. Returns whether nothing of it is sent.
    func withdraw() -> Bool { connection?.withdraw() ?? true }
  }

  private let authorityFile: String?
  /// Made with the first connection: most agents need none.
  private let service = Locked<WebSocketService?>(nil)

  /// - Parameter certificateAuthorityFile: certificates to trust instead of the system's.
  init(certificateAuthorityFile: String?) { authorityFile = certificateAuthorityFile }

  /// Open a socket and send one message. Events come on the service thread, the last one is `ended`.
  func connect(
    _ request: HTTPRequest, message: String, receive: @escaping @Sendable (HTTPEvent) -> Void
  ) -> Socket {
    let socketRequest: WebSocketRequest
    let service: WebSocketService
    do {
      socketRequest = try webSocketRequest(request, request.credentialLine())
      service = try openService()
    } catch let failure as HTTPFailure {
      receive(.ended(.failed(failure)))
      return Socket(connection: nil)
    } catch {
      receive(.ended(.failed(HTTPFailure(kind: .other, detail: "\(error)"))))
      return Socket(connection: nil)
    }
    let connection = service.connect(socketRequest) { _, event in
      switch event {
      case .opened: receive(.head(HTTPHead(status: 200)))
      case .message(let message): receive(.bytes(message.bytes))
      case .closed(let closure): receive(.ended(Self.end(closure)))
      }
    }
    connection.send(OutgoingMessage(text: message))
    return Socket(connection: connection)
  }

  /// Close every socket and end the thread, if there is one.
  func stop() { service.withLock { $0.take() }?.stop() }

  private func openService() throws -> WebSocketService {
    try service.withLock { service in
      if let service { return service }
      let new = try WebSocketService()
      service = new
      return new
    }
  }

  private func webSocketRequest(
    _ request: HTTPRequest, _ credential: HTTPCredential.Line?
  ) throws -> WebSocketRequest {
    let address = request.address
    guard address.socketPath == nil else {
      throw HTTPFailure(kind: .other, detail: "a WebSocket cannot go over a Unix socket; use http://")
    }
    // "http…" becomes "ws…", and "https…" becomes "wss…".
    var result = WebSocketRequest(
      address: try WebSocketAddress(parsing: "ws" + address.base.dropFirst("http".count) + request.path),
      authorityFile: authorityFile, timeoutMilliseconds: request.connectMilliseconds)
    if let line = credential {
      guard let colon = line.text.firstIndex(of: ":") else { preconditionFailure("a header line has no colon") }
      result.headers.append(
        (
          name: line.text[..<colon].lowercased(),
          value: line.text[line.text.index(after: colon)...].trimmingWhitespace()
        ))
    }
    return result
  }

  private static func end(_ closure: WebSocketClosure) -> HTTPEnd {
    switch closure {
    case .local: .cancelled
    case .remote: .complete
    case .lost: .failed(HTTPFailure(kind: .brokenOff, detail: "it was cut"))
    case .notOpened(let status?, _): .refused(HTTPHead(status: status), body: [])
    case .notOpened(nil, let reason): .failed(HTTPFailure(kind: .other, detail: reason))
    case .outputFull: .failed(HTTPFailure(kind: .brokenOff, detail: "the server does not read"))
    case .messageTooLong: .failed(HTTPFailure(kind: .other, detail: "a message was too long"))
    }
  }
}
