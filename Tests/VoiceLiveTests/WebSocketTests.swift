import Testing
import VoiceCore
import VoiceLive

/// One listener and what it saw, with the connections that it accepted.
private final class Server: Sendable {
  let events = Journal<(WebSocketConnection, WebSocketEvent)>()
  let listener: WebSocketListener

  init(identity: WebSocketListener.Identity? = nil) throws {
    let events = events
    listener = try WebSocketListener(identity: identity) { events.append(($0, $1)) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct WebSocketTests {
  private func request(_ url: String) throws -> WebSocketRequest {
    WebSocketRequest(address: try WebSocketAddress(parsing: url))
  }

  @Test func aClientAndAListenerExchangeMessagesAndCloseWithCodeAndReason() async throws {
    let server = try Server()
    let service = try WebSocketService()
    let client = Journal<WebSocketEvent>()
    var request = try request("ws://127.0.0.1:\(server.listener.port)/ws//live?alt=x")
    request.headers = [("x-goog-api-key", "abc")]
    let connection = service.connect(request) { client.append($1) }
    let (accepted, target, headers) = await server.events.next { connection, event in
      if case .opened(let target, let headers) = event { (connection, target, headers) } else { nil }
    }
    #expect(target == "/ws/live?alt=x")
    #expect(headers["x-goog-api-key"] == "abc")
    connection.send(OutgoingMessage(text: "hello"))
    let first = await server.events.next { if case .message(let message) = $1 { message } else { nil } }
    #expect(first == IncomingMessage(kind: .text, bytes: Array("hello".utf8)))
    let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    accepted.send(OutgoingMessage(binary: big))
    let echoed = await client.next { if case .message(let message) = $0 { message } else { nil } }
    #expect(echoed == IncomingMessage(kind: .binary, bytes: big))
    accepted.send(OutgoingMessage(text: "last"))
    accepted.close(code: 1007, reason: "API key expired.")
    let last = await client.next { if case .message(let message) = $0 { message } else { nil } }
    #expect(last.bytes == Array("last".utf8))
    let closure = await client.next { if case .closed(let closure) = $0 { closure } else { nil } }
    #expect(closure == .remote(code: 1007, reason: "API key expired."))
    let serverSide = await server.events.next { if case .closed(let closure) = $1 { closure } else { nil } }
    #expect(serverSide == .local)
    service.stop()
    server.listener.stop()
  }
}
