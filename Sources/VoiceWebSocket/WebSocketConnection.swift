import VoiceSystem

/// One WebSocket, client or server side. Any thread may send and close; nothing here blocks.
package final class WebSocketConnection: Sendable {
  /// What the service thread finds when it comes to write.
  enum Output {
    case message(OutgoingMessage, isLast: Bool)
    case nothing
    case close(code: Int, reason: String)
    case full
  }

  private struct Outbox {
    var messages: [OutgoingMessage?] = []
    var next = 0
    var bytes = 0
    /// Whether a message was handed to the socket.
    var hasBegun = false
    var close: (code: Int, reason: String)?
    var isFull = false
    var isOver = false
    var isAdmitted = false
  }

  private let outbox = Locked(Outbox())
  private let wake: @Sendable (WebSocketConnection) -> Void

  init(wake: @escaping @Sendable (WebSocketConnection) -> Void) { self.wake = wake }

  /// Queue a message behind those already queued. Before the handshake is done, messages wait for it; after `close`,
  /// and after the connection is over, they are dropped. Over `WebSocketLimits.outputBytes` the connection ends with
  /// `outputFull`.
  package func send(_ message: OutgoingMessage) {
    let mustWake = outbox.withLock { outbox in
      if outbox.isOver || outbox.isFull || outbox.close != nil { return false }
      if outbox.bytes + message.count > WebSocketLimits.outputBytes {
        outbox.isFull = true
        return true
      }
      outbox.bytes += message.count
      outbox.messages.append(message)
      // With messages before it, the service thread is writing already and will come to this one.
      return outbox.messages.count == outbox.next + 1
    }
    if mustWake { wake(self) }
  }

  /// Send what is queued, then a close frame; `closed(.local)` follows, at the latest after
  /// `WebSocketLimits.closeMilliseconds`. A second call does nothing.
  package func close(code: Int = 1000, reason: String = "") {
    let mustWake = outbox.withLock { outbox in
      if outbox.isOver || outbox.close != nil { return false }
      outbox.close = (code, reason)
      return true
    }
    if mustWake { wake(self) }
  }

  /// Drop what is queued and close, unless a message was handed to the socket before: then nothing changes. Returns whether
  /// no message is sent.
  package func withdraw() -> Bool {
    let isWithdrawn = outbox.withLock { outbox in
      if outbox.hasBegun { return false }
      (outbox.messages, outbox.next, outbox.bytes) = ([], 0, 0)
      return true
    }
    if isWithdrawn { close() }
    return isWithdrawn
  }

  /// This connection of a listener is no stranger any more: see `WebSocketListener.Strangers`.
  package func admit() { outbox.withLock { $0.isAdmitted = true } }

  /// Whether it was admitted.
  var isAdmitted: Bool { outbox.withLock { $0.isAdmitted } }

  /// The next thing to be written; service thread only.
  func takeOutput() -> Output {
    outbox.withLock { outbox in
      if outbox.isFull { return .full }
      if outbox.next < outbox.messages.count {
        // Moved out, so that libwebsockets may mask it in place without a copy being made first.
        var taken: OutgoingMessage?
        swap(&taken, &outbox.messages[outbox.next])
        outbox.next += 1
        // Of a peer that is never caught up with, what was taken is not to be kept.
        if outbox.next > outbox.messages.count / 2 {
          outbox.messages.removeFirst(outbox.next)
          outbox.next = 0
        }
        guard let taken else { preconditionFailure("a message was taken from an outbox twice") }
        outbox.bytes -= taken.count
        outbox.hasBegun = true
        return .message(taken, isLast: outbox.messages.isEmpty && outbox.close == nil)
      }
      if let close = outbox.close { return .close(code: close.code, reason: close.reason) }
      return .nothing
    }
  }

  /// Whether `close` was called, and whether the outbox overflowed; service thread only.
  var wish: (isClosing: Bool, isFull: Bool) { outbox.withLock { ($0.close != nil, $0.isFull) } }

  /// Nothing can be sent any more; service thread only.
  func finish() {
    outbox.withLock { outbox in
      outbox.isOver = true
      outbox.messages = []
      outbox.next = 0
      outbox.bytes = 0
    }
  }
}
