import Testing
import VoiceLive
import VoiceTesting
import VoiceVocabulary
import VoiceWebSocket

@testable import VoiceLocal

/// Engines that answer at once: every sound is "run the tests", and every text sounds like [1, 2].
private final class InstantEngines: SpeechRecogniser, SpeechSynthesiser {
  func recognise(
    _ samples: [Int16], for purpose: SpeechEngineMessage.Purpose,
    completion: @escaping @Sendable (Result<HeardSpeech, SpeechFailure>) -> Void
  ) -> UInt32 {
    completion(.success(HeardSpeech("run the tests")))
    return 1
  }

  func cancelRecognition(_ request: UInt32) {}

  func synthesise(_ text: String, rate: Float, onEvent: @escaping @Sendable (SynthesisEvent) -> Void) -> UInt32 {
    onEvent(.audio(samples: [1, 2]))
    onEvent(.finished)
    return 1
  }

  func cancelSynthesis(_ request: UInt32) {}
}

/// A client that speaks raw JSON.
final class LocalClient: Sendable {
  let events = Journal<WebSocketEvent>()
  let connection: WebSocketConnection

  init(_ server: LocalLiveServer, _ service: WebSocketService, key: String? = nil) throws {
    var request = WebSocketRequest(address: try WebSocketAddress(parsing: server.url))
    request.headers = [("x-goog-api-key", key ?? server.key)]
    let events = events
    connection = service.connect(request) { events.append($1) }
  }

  func send(_ json: String) { connection.send(OutgoingMessage(text: json)) }

  /// The next message, as text.
  func next() async throws -> String {
    try await events.next {
      if case .message(let message) = $0 { String(decoding: message.bytes, as: UTF8.self) } else { nil }
    }
  }

  func closure() async throws -> WebSocketClosure {
    try await events.next { if case .closed(let closure) = $0 { closure } else { nil } }
  }

  func send(_ samples: [Int16]) {
    var data: [UInt8] = []
    Base64.append(samples, to: &data)
    let text = String(decoding: data, as: UTF8.self)
    send(#"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"\#(text)"}}}"#)
  }
}

@Suite(.timeLimit(.minutes(5)))
struct LocalLiveServerTests {
  static let tools =
    #""tools":[{"functionDeclarations":[{"name":"converse"},{"name":"stop"}]}],"inputAudioTranscription":{}"#

  private func withServer(_ body: (LocalLiveServer, WebSocketService) async throws -> Void) async throws {
    let engines = InstantEngines()
    let server = try LocalLiveServer(models: nil, recogniser: engines, synthesiser: engines) { _ in }
    let service = try WebSocketService()
    defer {
      service.stop()
      server.stop()
    }
    try await body(server, service)
  }

  @Test func aListenerHearsTranscribesAndCalls() async throws {
    try await withServer { server, service in
      let client = try LocalClient(server, service)
      client.send(#"{"setup":{"model":"models/local","sessionResumption":{},\#(Self.tools)}}"#)
      #expect(try await client.next().contains("setupComplete"))
      client.send([Int16](repeating: 2, count: 16_000))
      client.send((0..<16_000).map { $0 / 20 % 2 == 0 ? 8_000 : -8_000 })
      #expect(try await client.next().contains("ACTIVITY_START"))
      client.send([Int16](repeating: 2, count: 16_000))
      #expect(try await client.next().contains("ACTIVITY_END"))
      #expect(try await client.next().contains(#""inputTranscription":{"finished":true,"text":"run the tests"}"#))
      let call = try await client.next()
      #expect(call.contains(#""name":"converse""#))
      #expect(call.contains(#""instruction":"run the tests""#))
      #expect(try await client.next().contains("turnComplete"))
      #expect(try await client.next().contains(#""resumable":false"#))
      client.send(
        #"{"toolResponse":{"functionResponses":[{"id":"call-1-1","name":"converse","response":{"output":"ok"}}]}}"#)
      #expect(try await client.next().contains(#""resumable":true"#))
    }
  }

  @Test func aPauseShorterThanTheClientAskedForEndsNoUtterance() async throws {
    try await withServer { server, service in
      let client = try LocalClient(server, service)
      client.send(
        #"{"setup":{"model":"models/local","realtimeInputConfig":"#
          + #"{"automaticActivityDetection":{"silenceDurationMs":2000}},\#(Self.tools)}}"#)
      #expect(try await client.next().contains("setupComplete"))
      let quiet = [Int16](repeating: 2, count: 24_000)
      let speech = (0..<16_000).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }
      for sound in [quiet, speech, quiet, speech, quiet, quiet] { client.send(sound) }
      #expect(try await client.next().contains("ACTIVITY_START"))
      #expect(try await client.next().contains("ACTIVITY_END"))
      #expect(try await client.next().contains("inputTranscription"))
    }
  }

  @Test func aClientMayBeginOnlyWhenTheEnginesAreReady() async throws {
    let engines = InstantEngines()
    let waiting = Journal<@Sendable () -> Void>()
    let server = try LocalLiveServer(
      models: nil, recogniser: engines, synthesiser: engines, whenReady: { [weak waiting] in waiting?.append($0) },
      onProblem: { _ in })
    let service = try WebSocketService()
    defer {
      service.stop()
      server.stop()
    }
    let client = try LocalClient(server, service)
    client.send(#"{"setup":{"model":"models/local","outputAudioTranscription":{}}}"#)
    let begin = try await waiting.next { $0 }
    #expect(!client.events.all.contains { if case .message = $0 { true } else { false } })
    begin()
    #expect(try await client.next().contains("setupComplete"))
  }

  @Test func aReadoutSpeaks() async throws {
    try await withServer { server, service in
      let client = try LocalClient(server, service)
      client.send(#"{"setup":{"model":"models/local","outputAudioTranscription":{}}}"#)
      #expect(try await client.next().contains("setupComplete"))
      client.send(#"{"clientContent":{"turns":[{"role":"user","parts":[{"text":"Done."}]}],"turnComplete":true}}"#)
      #expect(try await client.next().contains(#""data":"AQACAA==""#))
      #expect(try await client.next().contains(#""outputTranscription":{"text":"Done."}"#))
      #expect(try await client.next().contains("generationComplete"))
      #expect(try await client.next().contains("turnComplete"))
    }
  }

  @Test func aWrongKeyClosesTheConnectionAfterTheHandshake() async throws {
    try await withServer { server, service in
      let client = try LocalClient(server, service, key: "guess")
      client.send(#"{"setup":{"model":"models/local"}}"#)
      #expect(
        try await client.closure() == .remote(code: 1007, reason: "API key not valid. Please pass a valid API key."))
      #expect(server.key.count == 32)
      #expect(!server.url.contains(server.key))
    }
  }

  @Test func anythingBeforeTheSetupIsRefused() async throws {
    try await withServer { server, service in
      let client = try LocalClient(server, service)
      client.send(#"{"realtimeInput":{"text":"hello"}}"#)
      #expect(try await client.closure() == .remote(code: 1007, reason: "Request contains an invalid argument."))
    }
  }

  @Test func aSessionGoesOnOnANewConnectionAfterACut() async throws {
    try await withServer { server, service in
      let first = try LocalClient(server, service)
      first.send(#"{"setup":{"model":"models/local","sessionResumption":{}}}"#)
      #expect(try await first.next().contains("setupComplete"))
      first.send(#"{"clientContent":{"turns":[{"role":"user","parts":[{"text":"a"}]}],"turnComplete":true}}"#)
      var update = ""
      while !update.contains("newHandle") { update = try await first.next() }
      let handle = update.split(separator: #"""#).first { $0.count == 32 } ?? ""
      #expect(!handle.isEmpty)

      let early = try LocalClient(server, service)
      early.send(#"{"setup":{"model":"models/local","sessionResumption":{"handle":"\#(handle)"}}}"#)
      #expect(
        try await early.closure() == .remote(code: 1011, reason: "The session is still in use by another connection."))

      server.announceCut(milliseconds: 50_000)
      #expect(try await first.next().contains(#""timeLeft":"50"#))
      server.cut()
      #expect(
        try await first.closure() == .remote(code: 1011, reason: "Deadline expired before operation could complete."))

      let second = try LocalClient(server, service)
      second.send(#"{"setup":{"model":"models/local","sessionResumption":{"handle":"\#(handle)"}}}"#)
      #expect(try await second.next().contains("setupComplete"))
      let unknown = try LocalClient(server, service)
      unknown.send(#"{"setup":{"model":"models/local","sessionResumption":{"handle":"x"}}}"#)
      #expect(try await unknown.closure() == .remote(code: 1008, reason: "Requested entity was not found."))
    }
  }

  @Test func theProgramsOwnClientsAreServed() async throws {
    try await withServer { server, service in
      let events = Journal<VoiceEvent>()
      let endpoint = try LiveEndpoint(
        LocalLiveServer.provider, url: server.url, key: Secret(server.key), model: "local")
      let listening = LiveSetup.Listening(turnDetection: .server)
      let client = LiveModelClient(service: service, endpoint: endpoint, listening: listening) { events.append($0) }
      let connection = ConnectionID(rawValue: 1)
      client.openLink(connection, resuming: false)
      _ = try await events.next { $0 == .linkReady(connection: connection, resumed: false) ? true : nil }
      for second in [[Int16](repeating: 2, count: 16_000), Self.tone, [Int16](repeating: 2, count: 16_000)] {
        for start in stride(from: 0, to: second.count, by: PCM.frameSamples) {
          let samples = Array(second[start..<start + PCM.frameSamples])
          client.send(MicrophoneFrame(position: start, samples: samples), on: connection)
        }
      }
      _ = try await events.next { $0 == .voiceStarted(detector: .model) ? true : nil }
      _ = try await events.next { $0 == .voiceEnded(detector: .model) ? true : nil }
      _ = try await events.next {
        $0 == .userTranscribed(connection: connection, text: "run the tests", isFinal: true) ? true : nil
      }
      let call = try await events.next {
        if case .instructionProposed(let call, "run the tests") = $0 { call } else { nil }
      }
      client.answer(call, with: "ok")
      _ = try await events.next { $0 == .resumptionChanged(connection: connection, isPossible: true) ? true : nil }

      let readout = LiveReadout(service: service, endpoint: endpoint) { events.append($0) }
      let speech = SpeechID(rawValue: 7)
      readout.speak("Done.", as: speech)
      _ = try await events.next {
        $0 == .speechAudio(speech: speech, audio: SpeechAudio(samples: [1, 2])) ? true : nil
      }
      _ = try await events.next { $0 == .speechEnded(speech: speech) ? true : nil }

      // After a cut the conversation is resumed.
      server.cut()
      let failure = try await events.next { if case .linkClosed(_, let failure) = $0 { failure } else { nil } }
      #expect(failure.remedy == .resume)
      let second = ConnectionID(rawValue: 2)
      client.openLink(second, resuming: true)
      _ = try await events.next { $0 == .linkReady(connection: second, resumed: true) ? true : nil }
      client.closeLink(second)
    }
  }

  private static let tone = (0..<16_000).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }
}

extension LocalLiveServer {
  /// Tell every client that its connection will be cut, as the real service does every ten minutes.
  fileprivate func announceCut(milliseconds: Int) {
    let message = GeminiServerDialect().encode(.goAway(milliseconds: milliseconds))
    for connection in core.connections { connection.send(message) }
  }

  /// Cut every connection, as the real service does at the end of its time.
  fileprivate func cut() {
    for connection in core.connections {
      connection.close(code: 1011, reason: "Deadline expired before operation could complete.")
    }
  }
}
