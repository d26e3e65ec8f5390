import CWebSockets

/// One message to be sent, kept with the room in front that libwebsockets writes the frame header into, so that the
/// bytes a dialect wrote are the bytes that go to the socket.
package struct OutgoingMessage: Sendable {
  /// The opcode it is sent under.
  package enum Kind: Sendable { case text, binary }

  static let headroom = parley_lws_pre()

  let kind: Kind
  /// `headroom` unused bytes, then the payload.
  var storage: [UInt8]

  /// - Parameters:
  ///   - capacity: How many bytes the payload will about have.
  ///   - write: Appends the payload; must not touch what is already there.
  package init(_ kind: Kind, capacity: Int = 256, write: (inout [UInt8]) -> Void) {
    self.kind = kind
    storage = []
    storage.reserveCapacity(Self.headroom + capacity)
    storage.append(contentsOf: repeatElement(0, count: Self.headroom))
    write(&storage)
    precondition(storage.count >= Self.headroom, "the writer of a message removed the room in front of it")
  }

  /// A message of text.
  package init(text: String) {
    self.init(.text, capacity: text.utf8.count) { $0.append(contentsOf: text.utf8) }
  }

  /// Bytes of the payload.
  package var count: Int { storage.count - Self.headroom }
  /// What is sent, without the room that the library needs before it.
  package var payload: ArraySlice<UInt8> { storage[Self.headroom...] }
}

/// One whole received message, its fragments joined.
package struct IncomingMessage: Equatable, Sendable {
  package var kind: OutgoingMessage.Kind
  package var bytes: [UInt8]
}

/// What happens to a connection: `opened`, any number of messages, `closed`; or `closed` alone.
package enum WebSocketEvent: Equatable, Sendable {
  /// The handshake is done. A client sees the target it asked for and no headers; a listener sees the target with its
  /// query, and the headers named in `WebSocketListener.headerNames`, in lower case.
  case opened(target: String, headers: [String: String])
  case message(message: IncomingMessage)
  /// Always last, exactly once.
  case closed(closure: WebSocketClosure)
}

/// How a connection ended.
package enum WebSocketClosure: Equatable, Sendable {
  /// `close` was called here.
  case local
  /// The other side sent a close frame; the code is nil if it held none.
  case remote(code: Int?, reason: String)
  /// The network connection ended without a close frame.
  case lost
  /// No WebSocket came about. `status` is the HTTP status of an answer that was not an upgrade.
  case notOpened(status: Int?, reason: String)
  /// The other side took in less than was sent, until the limit on waiting bytes.
  case outputFull
  /// The other side sent a message over the limit.
  case messageTooLong
}

/// Called on the service thread, in order; must not block.
package typealias WebSocketHandler = @Sendable (WebSocketConnection, WebSocketEvent) -> Void

/// The limits of this layer, with their reasons.
package enum WebSocketLimits {
  /// Bytes waiting to be written. What is kept of one utterance, ten minutes, is 28 MB, sent at once after a reconnect.
  package static let outputBytes = 32 << 20
  /// One received message: a hundred times the largest sound message seen.
  package static let messageBytes = 8 << 20
  /// From the call to the finished handshake: less than `Limits.setupMilliseconds`, so that the reason is still told.
  package static let connectMilliseconds = 8_000
  /// A closing handshake: the other side is given this long to answer, then the socket is closed.
  package static let closeMilliseconds = 1_000
  /// The other kernel has acknowledged nothing for so long: the network is gone.
  package static let unacknowledgedMilliseconds = 15_000
  /// All connections are closed politely within this when a service stops.
  package static let stopMilliseconds = 500
}
