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
  /// Else all of it would be remembered until the session has dealt with it.
  @Test func aServerThatSendsMoreThanAnybodySaysIsLeft() async throws {
    let wordy = LiveProvider(
      name: "wordy", url: "", path: { _ in "/" }, model: "", keyVariable: "", capabilities: [],
      dialect: { _ in WordyDialect() })
    let text = String(repeating: "word ", count: 200_000)
    let server = try WebSocketListener { connection, event in
      guard case .message = event else { return }
      for _ in 0..<9 { connection.send(OutgoingMessage(text: text)) }
    }
    let service = try WebSocketService()
    let failures = Journal<LinkFailure>()
    let endpoint = try LiveEndpoint(wordy, url: "ws://127.0.0.1:\(server.port)/")
    let link = LiveLink(endpoint: endpoint, isResuming: false) { _, event in
      if case .closed(let failure) = event { failures.append(failure) }
    }
    link.open(
      on: service, setup: { LiveSetup(role: .readout, model: endpoint.model, voice: endpoint.voice) }, handle: nil)
    let failure = try await failures.next { $0 }
    #expect(failure.remedy == .giveUp && failure.reason.contains("over 8 MiB of text in 10 s"), "\(failure.reason)")
    service.stop()
    server.stop()
  }

  @Test func soundIsNoTextAndTimeForgets() {
    var flood = TextFlood()
    let start = ContinuousClock.now
    let samples = [Int16](repeating: 0, count: 3_000_000)
    let sound = DialectEvent.audio(turn: .init(rawValue: 1), SpeechAudio(samples: samples))
    func takes(_ bytes: Int, _ events: [DialectEvent], after seconds: Int) -> Bool {
      let message = IncomingMessage(kind: .text, bytes: Array(repeating: 0x20, count: bytes))
      return flood.takes(message, saying: events, at: start.advanced(by: .seconds(seconds)))
    }
    for second in 0..<5 { #expect(!takes(8_000_000, [sound], after: second)) }
    #expect(!takes(TextFlood.bytes, [], after: 12))
    #expect(!takes(TextFlood.bytes, [], after: 23))
    #expect(takes(1, [], after: 24))
  }

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
