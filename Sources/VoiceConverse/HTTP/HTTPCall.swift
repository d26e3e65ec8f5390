import VoiceJSON

extension HTTPEvent {
  /// Whether some of the request may have been sent. That a socket is open does not show it.
  func showsThatItLeft(overSocket: Bool) -> Bool {
    switch self {
    case .head: !overSocket
    case .bytes, .hasLeft: true
    case .ended: false
    }
  }
}

/// A request under way, and how what comes of it is read.
struct HTTPCall: Sendable {
  /// How an answer is read.
  enum Reader: Sendable {
    /// Nothing came yet, or what came is just being read.
    case waiting
    case events(ServerSentEvents)
    case messages
    case whole([UInt8])
  }

  let number: Int
  var reader: Reader
  var head = HTTPHead(status: 0)

  /// The head of an answer came that should be a stream.
  mutating func begin(_ head: HTTPHead) {
    self.head = head
    reader = ["", "text/event-stream"].contains(head.contentType) ? .events(ServerSentEvents()) : .whole([])
  }

  /// What came of a request for one JSON value.
  enum Outcome {
    case more
    /// nil if it was not JSON.
    case answer(HTTPHead, JSON?)
    case refused(HTTPHead, [UInt8])
    case failed(HTTPFailure)
    case withdrawn
  }

  /// Take what came of a request for one JSON value.
  mutating func take(_ event: HTTPEvent) -> Outcome {
    switch event {
    case .head(let head):
      self.head = head
      return .more
    case .bytes(let more):
      guard case .whole(var bytes) = reader else { return .more }
      reader = .whole([])
      bytes += more
      guard bytes.count <= ConverseLimits.answerBytes else {
        return .failed(
          HTTPFailure(kind: .other, detail: "the answer is longer than \(ConverseLimits.answerBytes) bytes"))
      }
      reader = .whole(bytes)
      return .more
    case .ended(.complete):
      guard case .whole(let bytes) = reader else { return .answer(head, nil) }
      // An answer without content is as good as one with an empty object.
      return .answer(head, bytes.isEmpty ? [:] : JSON(parsing: bytes))
    case .hasLeft: return .more
    case .ended(.withdrawn): return .withdrawn
    case .ended(.cancelled): return .failed(HTTPFailure(kind: .other, detail: "the connection was closed"))
    case .ended(.refused(let head, let body)): return .refused(head, body)
    case .ended(.failed(let failure)): return .failed(failure)
    }
  }
}
