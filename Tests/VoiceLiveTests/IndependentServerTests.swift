import Testing
import VoiceJSON
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The clients against `Tests/servers/gemini_live_server.py`, which shares no code with them.
@Suite(.timeLimit(.minutes(5)))
struct IndependentServerTests {
  private struct World {
    let program: PeerProcess
    let port: Int
    let service: WebSocketService
    let events = Journal<VoiceEvent>()
    let endpoint: LiveEndpoint

    init(_ arguments: String..., key: String? = nil, authority: Authority? = nil) async throws {
      var arguments = arguments
      if let identity = try authority?.identity("server", for: "DNS:localhost") {
        arguments += ["--tls", identity.certificateFile, identity.privateKeyFile]
      }
      let script = #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/servers/gemini_live_server.py"
      let child = PeerProcess(
        ["python3", "/" + script, "--until-stdin-closes", "--time-limit", "50", "--silence-ms", "300"] + arguments)
      program = try #require(child, "python3 is needed for this test")
      port = try #require(Int(try await program.lines.next { $0 }))
      service = try WebSocketService()
      endpoint = try LiveEndpoint(
        .gemini, url: authority == nil ? "ws://127.0.0.1:\(port)" : "wss://localhost:\(port)",
        key: key.flatMap { Secret($0) }, authorityFile: authority?.file("ca.pem"))
    }

    func client(_ turnDetection: InteractionSettings.TurnDetection = .server) -> LiveModelClient {
      LiveModelClient(service: service, endpoint: endpoint, listening: .init(turnDetection: turnDetection)) {
        [events] in events.append($0)
      }
    }

    /// What the server saw next of this kind, as its JSON line.
    func saw(_ what: String) async throws -> JSONNode? {
      let line = try await program.lines.next { $0.contains("\"saw\": \"\(what)\"") ? $0 : nil }
      do { return try JSONNode(parsing: Array(line.utf8)) } catch { return nil }
    }

    func stop() {
      service.stop()
      program.stop()
    }
  }

  private let first = ConnectionID(rawValue: 1)
  private let second = ConnectionID(rawValue: 2)

  /// Speak for 400 ms, then be silent for 600 ms.
  private func utter(_ client: LiveModelClient, on connection: ConnectionID, at start: Int = 0) {
    for frame in 0..<50 {
      let level: Int16 = frame < 20 ? 8000 : 0
      let samples = (0..<PCM.frameSamples).map { $0 % 40 < 20 ? level : -level }
      client.send(
        MicrophoneFrame(position: start + frame * PCM.frameSamples, samples: samples), on: connection)
    }
  }

  @Test func utterancesBecomeInstructionsInTheOrderOfTheScript() async throws {
    let world = try await World(
      "--instruction", "list the files", "--instruction", "@stop", "--instruction", "@unknown", "--fragments",
      "--voice-activity", "--fault", "malformed", "--key", "sesame", key: "sesame")
    let client = world.client()
    client.openLink(first, resuming: false)
    try await world.events.next(.linkReady(connection: first, resumed: false))
    utter(client, on: first)
    try await world.events.next(.voiceStarted(detector: .model))
    try await world.events.next(.voiceEnded(detector: .model))
    try await world.events.next(.userTranscribed(connection: first, text: "list", isFinal: false))
    try await world.events.next(.userTranscribed(connection: first, text: " the", isFinal: false))
    let (call, text) = try await world.events.next { event in
      if case .instructionProposed(let call, let text) = event { (call, text) } else { nil }
    }
    #expect(text == "list the files")
    try await world.events.next(.modelTurnEnded(connection: first))
    client.answer(call, with: "Handed on.")
    let answer = try await world.saw("tool-response")
    #expect(answer?["result"]?.string == "Handed on." && answer?["scheduling"]?.string == "SILENT")
    try await world.events.next(.resumptionChanged(connection: first, isPossible: true))
    utter(client, on: first, at: 16_000)
    let stop = try await world.events.next { if case .stopRequested(let call) = $0 { call } else { nil } }
    client.answer(stop, with: "Stopped.")
    utter(client, on: first, at: 32_000)
    let unknown = try await world.events.next { if case .callRejected(let call, _) = $0 { call } else { nil } }
    client.answer(unknown, with: "Refused.")
    // What is still on its way when a connection is closed does not arrive.
    while try await world.saw("tool-response")?["result"]?.string != "Refused." {}
    client.closeLink(first)
    #expect(try await world.events.nextFailure(of: first).remedy == .none)
    let end = try await world.saw("closed")
    #expect(end?["audioMs"]?.integer == 3000)
    #expect(end?["unanswered"]?.elements.isEmpty == true)
    world.stop()
  }

  @Test func clientTurnDetectionIsObeyed() async throws {
    let world = try await World("--instruction", "go on")
    let client = world.client(.client)
    client.openLink(first, resuming: false)
    try await world.events.next(.linkReady(connection: first, resumed: false))
    client.sendActivityStart(on: first)
    client.send(MicrophoneFrame(position: 0, samples: [Int16](repeating: 0, count: PCM.frameSamples)), on: first)
    client.sendActivityEnd(on: first)
    _ = try await world.events.next { if case .instructionProposed(_, "go on") = $0 { () } else { nil } }
    world.stop()
  }

  @Test func aCutIsSurvivedByResuming() async throws {
    let world = try await World(
      "--instruction", "one", "--instruction", "two", "--goaway-after-calls", "1", "--cut-after", "0.2")
    let client = world.client()
    client.openLink(first, resuming: false)
    try await world.events.next(.linkReady(connection: first, resumed: false))
    utter(client, on: first)
    let call = try await world.events.next { event in
      if case .instructionProposed(let call, "one") = event { call } else { nil }
    }
    client.answer(call, with: "Handed on.")
    try await world.events.next(.resumptionChanged(connection: first, isPossible: true))
    try await world.events.next(.linkExpiring(connection: first, milliseconds: 200))
    let failure = try await world.events.nextFailure(of: first)
    #expect(failure.remedy == .resume && failure.reason.contains("1011"))
    client.openLink(second, resuming: true)
    try await world.events.next(.linkReady(connection: second, resumed: true))
    utter(client, on: second)
    _ = try await world.events.next { if case .instructionProposed(_, "two") = $0 { () } else { nil } }
    world.stop()
  }

  @Test func aWrongKeyIsRefusedWithItsReason() async throws {
    let world = try await World("--key", "sesame", key: "mellon")
    let client = world.client()
    client.openLink(first, resuming: false)
    let failure = try await world.events.nextFailure(of: first)
    #expect(failure.remedy == .giveUp && failure.reason.contains("API key not valid"))
    world.stop()
  }

  @Test func textIsReadAloudInPiecesOfOddSizes() async throws {
    let world = try await World("--ms-per-character", "20", "--fault", "cut-first-readout")
    let readout = LiveReadout(service: world.service, endpoint: world.endpoint) { [events = world.events] in
      events.append($0)
    }
    let one = SpeechID(rawValue: 1)
    let text = "The build passed, and all of its tests did too."
    readout.speak(text, as: one)
    try await world.events.next(.speechEnded(speech: one))
    let two = SpeechID(rawValue: 2)
    readout.speak(text, as: two)
    try await world.events.next(.speechEnded(speech: two))
    let samples = world.events.all.flatMap { event -> [Int16] in
      if case .speechAudio(two, let audio) = event { audio.samples } else { [] }
    }
    #expect(samples.count == text.count * 20 * PCM.speakerRate / 1000)
    // A tone at 440 Hz with nothing lost or shifted: it comes back to itself after 11 periods, 600 samples.
    let isWhole = zip(samples, samples.dropFirst(600)).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    #expect(isWhole)
    world.stop()
  }

  @Test func textIsReadAloudOverTLSAtThePaceOfSpeech() async throws {
    let authority = try Authority()
    let world = try await World(
      "--ms-per-character", "20", "--pace", "real", "--key", "k", key: "k", authority: authority)
    let readout = LiveReadout(service: world.service, endpoint: world.endpoint) { [events = world.events] in
      events.append($0)
    }
    let one = SpeechID(rawValue: 1)
    readout.speak("Twenty characters ..", as: one)
    try await world.events.next(.speechEnded(speech: one))
    let count = world.events.all.reduce(0) { count, event in
      if case .speechAudio(one, let audio) = event { count + audio.samples.count } else { count }
    }
    #expect(count == 20 * 20 * PCM.speakerRate / 1000)
    world.stop()
  }

  @Test func aLargeStretchOfSoundArrivesWhole() async throws {
    let world = try await World("--ms-per-character", "1000")
    let readout = LiveReadout(service: world.service, endpoint: world.endpoint) { [events = world.events] in
      events.append($0)
    }
    let one = SpeechID(rawValue: 1)
    readout.speak("Sixty seconds of sound are sent as fast as they can be taken", as: one)
    try await world.events.next(.speechEnded(speech: one))
    let count = world.events.all.reduce(0) { count, event in
      if case .speechAudio(one, let audio) = event { count + audio.samples.count } else { count }
    }
    #expect(count == 60 * PCM.speakerRate)
    world.stop()
  }
}
