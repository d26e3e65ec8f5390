/// Takes the token out of an answer before anybody reads it: a server may quote it, and what an answer says is shown, spoken and kept.
struct TokenFilter: Sendable {
  private let redaction: TokenRedaction
  /// The line that has not ended. A token goes over no line's end.
  private var rest: [UInt8] = []

  init(_ redaction: TokenRedaction) { self.redaction = redaction }

  /// What may be read on.
  mutating func take(_ event: HTTPEvent) -> [HTTPEvent] {
    switch event {
    case .bytes(let bytes):
      let before = rest.count
      rest += bytes
      // Whoever reads on says that a line is too long.
      let isTooLong = rest.count > ConverseLimits.eventBytes
      let end = isTooLong ? rest.count : bytes.lastIndex(where: Self.endsLine).map { before + $0 + 1 }
      return end.map { [.bytes(taken(to: $0))] } ?? []
    case .ended: return rest.isEmpty ? [event] : [.bytes(taken(to: rest.endIndex)), event]
    case .head, .hasLeft: return [event]
    }
  }

  /// The same for what brings whole messages.
  func take(message: [UInt8]) -> [UInt8] { redaction.redacted(message) ?? message }

  private mutating func taken(to end: Int) -> [UInt8] {
    defer { rest.removeFirst(end) }
    let bytes = Array(rest[..<end])
    return redaction.redacted(bytes) ?? bytes
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
