/// Bytes as they went between this program and a coding agent, for a recording.
package struct AgentTraffic: Equatable, Sendable {
  /// Which way it went.
  package enum Direction: String, Sendable, Codable { case toAgent, fromAgent }

  /// Takes what passes, in order for each direction; may be called on any thread and must return soon.
  package typealias Tap = @Sendable (AgentTraffic) -> Void

  package var direction: Direction
  /// Whole lines of a child process without their line ends, or parts of an HTTP body as they came. Never holds a header,
  /// and so no key.
  package var bytes: [UInt8]

  /// A tap that hands on to a wire's.
  package static func tap(into wire: WireTap) -> Tap {
    { traffic in
      switch traffic.direction {
      case .toAgent: wire(.sent(traffic.bytes))
      case .fromAgent: wire(.received(traffic.bytes))
      }
    }
  }

  package init(_ direction: Direction, _ bytes: [UInt8]) {
    self.direction = direction
    self.bytes = bytes
  }
}
