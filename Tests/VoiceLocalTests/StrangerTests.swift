import Testing
import VoiceLive
import VoiceTesting
import VoiceVocabulary
import VoiceWebSocket

@testable import VoiceLocal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Connections of another program on this machine, which has no key: they cost little, and the client gets through.
@Suite(.timeLimit(.minutes(5))) struct StrangerTests {
  enum Approach: CaseIterable {
    /// A connection, and nothing on it.
    case silent
    /// The beginning of a handshake.
    case half
    /// A whole handshake without a key, and the beginning of a message.
    case whole

    var bytes: [UInt8] {
      let request =
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
      return switch self {
      case .silent: []
      case .half: Array(request.utf8.prefix(60))
      case .whole: Array(request.utf8) + [0x82, 0xFF, 0, 0, 0, 0, 0, 0x70, 0, 0, 0, 0, 0, 0]
      }
    }
  }

  private final class Silent: SpeechRecogniser, SpeechSynthesiser {
    func recognise(
      _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose,
      completion: @escaping @Sendable (Result<HeardSpeech, SpeechFailure>) -> Void
    ) -> UInt32 { 1 }
    func cancelRecognition(_ request: UInt32) {}
    func synthesise(_ text: String, rate: Float, onEvent: @escaping @Sendable (SynthesisEvent) -> Void) -> UInt32 { 1 }
    func cancelSynthesis(_ request: UInt32) {}
  }

  private static func connected(to port: Int) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    precondition(status == 0, "no connection")
    return descriptor
  }

  /// Whether the other side has closed it by now.
  private static func isClosed(_ descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 { return true }
      if count < 0 { return errno != EAGAIN && errno != EWOULDBLOCK }
    }
  }

  @Test(arguments: Approach.allCases) func aFloodOfStrangersKeepsNobodyOut(_ approach: Approach) async throws {
    let problems = Journal<String>()
    let engines = Silent()
    let server = try LocalLiveServer(models: nil, recogniser: engines, synthesiser: engines) { problems.append($0) }
    let service = try WebSocketService()
    defer {
      service.stop()
      server.stop()
    }
    // One that has the key, before the flood and in it.
    let early = try LocalClient(server, service)
    early.send(#"{"setup":{"model":"models/local"}}"#)
    #expect(try await early.next().contains("setupComplete"))
    var strangers: [Int32] = []
    defer { for stranger in strangers { close(stranger) } }
    for _ in 0..<Limits.strangers * 4 {
      let stranger = Self.connected(to: server.port)
      strangers.append(stranger)
      _ = send(stranger, approach.bytes, approach.bytes.count, Int32(MSG_NOSIGNAL))
    }
    let late = try LocalClient(server, service)
    late.send(#"{"setup":{"model":"models/local"}}"#)
    #expect(try await late.next().contains("setupComplete"))
    // Those that came first had to go, at once.
    let told = try await problems.next { $0.contains("without this session's key") ? $0 : nil }
    #expect(told.contains("\(Limits.strangers) connections"))
    let open = strangers.count { !Self.isClosed($0) }
    #expect(open <= Limits.strangers + 8, "\(open) are still there")
    #expect(!early.events.all.contains { if case .closed = $0 { true } else { false } })
    #expect(problems.all.count == 1, "told once")
  }
}
