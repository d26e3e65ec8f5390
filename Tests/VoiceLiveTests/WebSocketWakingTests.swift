import Testing
import VoiceSystem
import VoiceTesting

@testable import VoiceWebSocket

/// What is asked for in a callback is done at once. The library runs its timers just before it waits, and waits for half a
/// minute: so many rounds of that are more than the limit.
@Suite(.timeLimit(.minutes(5)))
struct WebSocketWakingTests {
  private static let rounds = 12

  @Test func aConnectionThatIsAskedForByATimersCallbackIsMadeAtOnce() async throws {
    let (silent, port) = RawSocket.listening()
    let request = WebSocketRequest(
      address: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)/"), timeoutMilliseconds: 20)
    let service = try WebSocketService()
    let closures = Journal<Int>()
    @Sendable func attempt(_ number: Int) {
      _ = service.connect(request) { _, event in
        guard case .closed = event else { return }
        closures.append(number)
        if number <= Self.rounds { attempt(number + 1) }
      }
    }
    attempt(1)
    _ = try await closures.next { $0 > Self.rounds ? () : nil }
    service.stop()
    withExtendedLifetime(silent) {}
  }

  @Test func aServiceWhoseLastConnectionIsClosedByATimerStopsAtOnce() async throws {
    for _ in 0..<Self.rounds {
      let (silent, port) = RawSocket.listening()
      let request = WebSocketRequest(
        address: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)/"), timeoutMilliseconds: 60_000)
      let service = try WebSocketService()
      let events = Journal<WebSocketEvent>()
      let connection = service.connect(request) { events.append($1) }
      connection.close()
      service.stop()
      #expect(events.all.count == 1)
      withExtendedLifetime(silent) {}
    }
  }
}
