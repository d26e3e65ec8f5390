import Testing
import VoiceSystem
import VoiceTesting

@testable import VoiceWebSocket

/// Frames that no honest peer sends, on both sides of a real connection: each ends it, once and with a reason, and the
/// next connection works.
@Suite(.timeLimit(.minutes(5))) struct HostileFrameTests {
  enum Attack: CaseIterable, CustomTestStringConvertible {
    /// A frame over the limit, and enough of it to fill every buffer behind the refusal.
    case tooLong
    /// The greatest length there is.
    case lyingLength
    /// A length with its highest bit set, which the protocol forbids.
    case negativeLength
    /// Many fragments of one message that never ends.
    case endlessFragments
    case longControlFrame
    case reservedBits, reservedCode
    case continuationOfNothing
    /// A message in two parts with another message between them.
    case messageInAMessage
    /// A close frame holds a code of two bytes, or nothing.
    case halfACloseCode
    /// Codes that no close frame may carry.
    case closeCodeOfNobody

    var testDescription: String { "\(self)" }

    /// Whether it is our limit that refuses, or the library.
    var isTooLong: Bool {
      switch self {
      case .tooLong, .lyingLength, .endlessFragments: true
      default: false
      }
    }

    func bytes(masked: Bool) -> [UInt8] {
      let filling = [UInt8](repeating: 0x61, count: 300_000)
      return switch self {
      case .tooLong: frame(0x82, length: UInt64(WebSocketLimits.messageBytes) + 1, masked) + filling + filling
      case .lyingLength: frame(0x82, length: UInt64(Int64.max), masked) + filling
      case .negativeLength: frame(0x82, length: .max, masked) + filling
      case .endlessFragments:
        frame(0x02, length: UInt64(filling.count), masked) + filling
          + (0..<40).flatMap { _ in frame(0x00, length: UInt64(filling.count), masked) + filling }
      case .longControlFrame: frame(0x89, length: 126, masked) + filling.prefix(126)
      case .reservedBits: frame(0xF2, length: 5, masked) + filling.prefix(5)
      case .reservedCode: frame(0x83, length: 5, masked) + filling.prefix(5)
      case .continuationOfNothing: frame(0x80, length: 5, masked) + filling.prefix(5)
      case .messageInAMessage:
        frame(0x01, length: 5, masked) + filling.prefix(5) + frame(0x81, length: 5, masked) + filling.prefix(5)
      case .halfACloseCode: frame(0x88, length: 1, masked) + [0x03]
      case .closeCodeOfNobody: frame(0x88, length: 2, masked) + [0xFF, 0xFF]
      }
    }

    private func frame(_ first: UInt8, length: UInt64, _ masked: Bool) -> [UInt8] {
      let mask: UInt8 = masked ? 0x80 : 0
      let size: [UInt8] =
        length < 126
        ? [UInt8(length) | mask] : [127 | mask] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
      return [first] + size + (masked ? [0, 0, 0, 0] : [])
    }
  }

  @Test(arguments: Attack.allCases) func aHostileClientEndsItsOwnConnectionAlone(_ attack: Attack) async throws {
    let events = Journal<(WebSocketConnection, WebSocketEvent)>()
    let listener = try WebSocketListener { events.append(($0, $1)) }
    let raw = RawSocket.connected(to: listener.port)
    #expect(raw.upgrade().hasPrefix("HTTP/1.1 101"))
    // The library may close while there is still something to be sent.
    _ = raw.writeUntilClosed(attack.bytes(masked: true))
    let closure = try await events.next { if case .closed(let closure) = $1 { closure } else { nil } }
    if attack.isTooLong { #expect(closure == .messageTooLong) }
    let other = RawSocket.connected(to: listener.port)
    #expect(other.upgrade().hasPrefix("HTTP/1.1 101"), "the listener still serves others")
    listener.stop()
    #expect(events.all.count { if case .closed = $0.1 { true } else { false } } == 2, "each is told once")
    #expect(!events.all.contains { if case .message = $0.1 { true } else { false } }, "no part of it is a message")
  }

  /// The library does not look at the bytes of a text. They are handed on as they are, and repaired by whoever reads them.
  @Test func aTextThatIsNoneIsHandedOnAsItIs() async throws {
    let events = Journal<(WebSocketConnection, WebSocketEvent)>()
    let listener = try WebSocketListener { events.append(($0, $1)) }
    let raw = RawSocket.connected(to: listener.port)
    #expect(raw.upgrade().hasPrefix("HTTP/1.1 101"))
    // With a ping between its parts.
    raw.write([0x01, 0x82, 0, 0, 0, 0, 0xC3, 0xFF, 0x89, 0x82, 0, 0, 0, 0, 1, 2, 0x80, 0x82, 0, 0, 0, 0, 0xFE, 0x80])
    let message = try await events.next { if case .message(let message) = $1 { message } else { nil } }
    #expect(message == IncomingMessage(kind: .text, bytes: [0xC3, 0xFF, 0xFE, 0x80]))
    listener.stop()
  }

  /// Many control frames are no attack by themselves: they cost nothing, and what comes between them is heard.
  @Test func pingsWithoutAnEndHoldUpNobody() async throws {
    let events = Journal<(WebSocketConnection, WebSocketEvent)>()
    let listener = try WebSocketListener { events.append(($0, $1)) }
    let raw = RawSocket.connected(to: listener.port)
    #expect(raw.upgrade().hasPrefix("HTTP/1.1 101"))
    // The answers are taken, or the listener would wait with its own.
    let reader = SystemThread()
    #expect(reader.start { while !raw.read(until: "\u{0}never").isEmpty {} })
    let ping: [UInt8] = [0x89, 0x80 | 125, 0, 0, 0, 0] + [UInt8](repeating: 0x61, count: 125)
    let pings = (0..<1_000).flatMap { _ in ping }
    // A fragment, a hundred thousand pings, and the rest of the message.
    raw.write([0x01, 0x81, 0, 0, 0, 0, 0x68])
    for _ in 0..<100 { #expect(raw.writeUntilClosed(pings)) }
    raw.write([0x80, 0x81, 0, 0, 0, 0, 0x69])
    let message = try await events.next { if case .message(let message) = $1 { message } else { nil } }
    #expect(message == IncomingMessage(kind: .text, bytes: Array("hi".utf8)))
    listener.stop()
    reader.join()
  }

  @Test(arguments: Attack.allCases) func aHostileServerEndsItsOwnConnectionAlone(_ attack: Attack) async throws {
    let (socket, port) = RawSocket.listening()
    let service = try WebSocketService()
    let events = Journal<WebSocketEvent>()
    let request = WebSocketRequest(address: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)/"))
    _ = service.connect(request) { events.append($1) }
    let raw = socket.accepted()
    raw.acceptUpgrade()
    _ = raw.writeUntilClosed(attack.bytes(masked: false))
    let closure = try await events.nextClosure()
    if attack.isTooLong { #expect(closure == .messageTooLong) }
    _ = service.connect(request) { events.append($1) }
    let other = socket.accepted()
    other.acceptUpgrade()
    other.write([0x81, 0x02] + Array("ok".utf8))
    #expect(try await events.nextMessage() == IncomingMessage(kind: .text, bytes: Array("ok".utf8)))
    service.stop()
    #expect(events.all.count { if case .closed = $0 { true } else { false } } == 2, "each is told once")
  }
}
