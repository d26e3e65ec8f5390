import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

/// Says everything in two messages.
private struct WordyDialect: LiveDialect {
  func headers(key: Secret?) -> [(name: String, value: String)] { [] }

  func encode(_ command: DialectCommand, at now: ContinuousClock.Instant) -> [OutgoingMessage] {
    let name =
      switch command {
      case .setUp: "setup"
      case .activityStart: "start"
      case .activityEnd: "end"
      default: "other"
      }
    return [OutgoingMessage(text: "\(name) 1"), OutgoingMessage(text: "\(name) 2")]
  }

  func decode(_ message: IncomingMessage, at now: ContinuousClock.Instant) -> [DialectEvent] { [.setUp] }

  func closure(code: Int?, reason: String) -> ServerClosure { .ended }
}

@Suite(.timeLimit(.minutes(5)))
struct LiveLinkTests {
  /// What is recorded is what was on the wire, in that order, whoever sent meanwhile.
  @Test func whatIsSentMeanwhileGoesBehindWhatIsBeingSent() async throws {
    let wordy = LiveProvider(
      name: "wordy", url: "", path: { _ in "/" }, model: "", keyVariable: "", capabilities: [],
      dialect: { _ in WordyDialect() })
    let received = Journal<String>()
    let server = try WebSocketListener { connection, event in
      guard case .message(let message) = event else { return }
      received.append(String(decoding: message.bytes, as: UTF8.self))
      if received.all.count == 2 { connection.send(OutgoingMessage(text: "ready")) }
    }
    let service = try WebSocketService()
    let (ready, recorded) = (Journal<LiveLink>(), Journal<String>())
    let tap = WireTap("wire") { _, frame in
      guard case .sent(let bytes) = frame else { return }
      recorded.append(String(decoding: bytes, as: UTF8.self))
      guard bytes == Array("start 1".utf8), let link = ready.all.first else { return }
      onAnotherThread { link.send(.activityEnd) }
    }
    let endpoint = try LiveEndpoint(wordy, url: "ws://127.0.0.1:\(server.port)/")
    let link = LiveLink(endpoint: endpoint, isResuming: false, tap: tap) { link, event in
      if case .spoke(.setUp) = event { ready.append(link) }
    }
    link.open(
      on: service, setup: { LiveSetup(role: .readout, model: endpoint.model, voice: endpoint.voice) }, handle: nil)
    _ = try await ready.next { $0 }
    link.send(.activityStart)
    try await received.next { $0 == "end 2" ? () : nil }
    #expect(received.all == ["setup 1", "setup 2", "start 1", "start 2", "end 1", "end 2"])
    #expect(recorded.all == received.all)
    service.stop()
    server.stop()
  }
}
