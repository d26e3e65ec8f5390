/// One message on a wire between this program and a live model or a coding agent.
package enum WireFrame: Equatable, Sendable {
  /// As it went out: a message, a whole line to a child process without its end, or a part of an HTTP body. Never a header, and so
  /// no key.
  case sent([UInt8])
  /// As it came in.
  case received([UInt8])
  /// Microphone sound that went out, by its place: the samples are in the session's microphone track.
  case sentSound(position: Int, count: Int)

  /// How much memory it takes, about.
  package var count: Int {
    switch self {
    case .sent(let bytes), .received(let bytes): bytes.count + 64
    case .sentSound: 64
    }
  }
}

/// Takes what goes over a wire, to be recorded. Any thread may call it; it returns at once.
package struct WireTap: Sendable {
  /// The wire's name in the record, such as "listener 2".
  private let wire: String
  private let take: @Sendable (String, WireFrame) -> Void

  package init(_ wire: String, _ take: @escaping @Sendable (String, WireFrame) -> Void) {
    self.wire = wire
    self.take = take
  }

  /// Take a frame of the connection.
  package func callAsFunction(_ frame: WireFrame) { take(wire, frame) }

  /// The same, for the connection of this number.
  package func connection(_ number: Int) -> WireTap { WireTap("\(wire) \(number)", take) }
}
