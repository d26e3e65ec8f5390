import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

extension Journal<VoiceEvent> {
  /// Wait for exactly this event.
  func next(_ event: VoiceEvent) async throws { try await next { $0 == event ? () : nil } }

  func nextFailure(of connection: ConnectionID) async throws -> LinkFailure {
    try await next { if case .linkClosed(connection, let failure) = $0 { failure } else { nil } }
  }
}

private let first = ConnectionID(rawValue: 1)
private let second = ConnectionID(rawValue: 2)

private func turn(_ number: Int) -> ModelTurnID { ModelTurnID(rawValue: number) }

@Suite(.timeLimit(.minutes(5)))
struct LiveModelClientTests {
  /// A client and the server that it talks to.
  private struct World {
    let server: ScriptedServer
    let service: WebSocketService
    let events = Journal<VoiceEvent>()
    let client: LiveModelClient

    /// - Parameter onEvent: what else happens, on another thread, the moment an event is posted.
    init(
      key: Secret? = nil, listening: LiveSetup.Listening = .init(turnDetection: .server),
      onEvent: @escaping @Sendable (LiveModelClient, VoiceEvent) -> Void = { _, _ in }
    ) throws {
      server = try ScriptedServer()
      service = try WebSocketService()
      let events = events
      let made = Locked<LiveModelClient?>(nil)
      client = LiveModelClient(
        service: service, endpoint: try LiveEndpoint(.gemini, url: server.url, key: key), listening: listening
      ) { event in
        events.append(event)
        if let client = made.withLock({ $0 }) { onAnotherThread { onEvent(client, event) } }
      }
      made.withLock { [client] in $0 = client }
    }

    func stop() {
      service.stop()
      server.stop()
    }
  }

  @Test func aConnectionIsSetUpAndCarriesSoundAndCalls() async throws {
    let world = try World(key: Secret("sesame"))
    world.client.openLink(first, resuming: false)
    let (target, headers) = try await world.server.events.next { event in
      if case .opened(_, let target, let headers) = event { (target, headers) } else { nil }
    }
    #expect(target == LiveProvider.gemini.path("") && headers["x-goog-api-key"] == "sesame")
    let (connection, setup) = try await world.server.nextSetup()
    #expect(setup.model == "gemini-3.8-live" && setup.tools == ["converse", "stop"])
    #expect(setup.wantsResumption && setup.resumptionHandle == nil)
    try await world.events.next(.linkReady(connection: first, resumed: false))
    world.client.send(MicrophoneFrame(position: 0, samples: [1, -2, 3]), on: first)
    try await world.server.events.next { event in
      if case .said(_, .audio(samples: [1, -2, 3], rate: 16_000)) = event { () } else { nil }
    }
    connection.say(
      .interimTranscription(text: "list"), .inputTranscription(text: "list the", isFinished: false),
      .inputTranscription(text: " files", isFinished: false),
      .toolCall(id: "c1", name: "converse", arguments: [.init("instruction", "list the files")]))
    let call = CallID(connection: first, id: "c1", tool: "converse")
    try await world.events.next(.interimTranscribed(connection: first, text: "list"))
    try await world.events.next(.userTranscribed(connection: first, text: "list the", isFinal: false))
    try await world.events.next(.userTranscribed(connection: first, text: " files", isFinal: false))
    try await world.events.next(.instructionProposed(call: call, text: "list the files"))
    world.client.answer(call, with: "Held.")
    world.client.answer(call, with: "Twice.")
    let answer = try await world.server.events.next { event in
      if case .said(_, .toolResponse(let response)) = event { response } else { nil }
    }
    #expect(
      answer == .init(id: "c1", name: "converse", result: "Held.", scheduling: "SILENT", willContinue: false))
    world.client.closeLink(first)
    #expect(try await world.events.nextFailure(of: first).remedy == .none)
    world.stop()
    let responses = world.server.events.all.count { if case .said(_, .toolResponse) = $0 { true } else { false } }
    #expect(responses == 1)
  }

  @Test func everythingAServerTellsBecomesItsEvent() async throws {
    let world = try World()
    world.client.openLink(first, resuming: false)
    let (connection, _) = try await world.server.nextSetup()
    let stop = CallID(connection: first, id: "s", tool: "stop")
    let odd = CallID(connection: first, id: "o", tool: "launch")
    let empty = CallID(connection: first, id: "e", tool: "converse")
    connection.say(
      .voiceActivity(isStart: true), .voiceActivity(isStart: false),
      .inputTranscription(text: "well", isFinished: false),
      .outputTranscription(text: "yes?"), .audio(samples: [5, 6]), .generationComplete,
      .usage(inputTokens: 10, outputTokens: 2), .turnComplete, .usage(inputTokens: 1, outputTokens: 1),
      .toolCall(id: "s", name: "stop", arguments: []), .toolCall(id: "o", name: "launch", arguments: []),
      .toolCall(id: "e", name: "converse", arguments: []), .toolCallCancellation(ids: ["e", "unknown"]),
      .resumption(handle: nil), .goAway(milliseconds: 50_000))
    try await world.events.next(.linkExpiring(connection: first, milliseconds: 50_000))
    let expected: [VoiceEvent] = [
      .linkReady(connection: first, resumed: false), .voiceStarted(detector: .model), .voiceEnded(detector: .model),
      .userTranscribed(connection: first, text: "well", isFinal: false),
      .modelTranscribed(connection: first, text: "yes?"),
      .modelAudio(connection: first, audio: SpeechAudio(samples: [5, 6]), turn: turn(1)),
      .userTranscribed(connection: first, text: "", isFinal: true), .modelAudioEnded(connection: first),
      .modelUsage(connection: first, inputTokens: 10, outputTokens: 2), .modelTurnEnded(connection: first),
      .modelUsage(connection: first, inputTokens: 11, outputTokens: 3), .stopRequested(call: stop),
      .callRejected(call: odd, reason: "there is no tool named “launch”."),
      .callRejected(call: empty, reason: "converse was called without an instruction."),
      .callsWithdrawn(calls: [empty]), .resumptionChanged(connection: first, isPossible: false),
      .linkExpiring(connection: first, milliseconds: 50_000),
    ]
    #expect(world.events.all == expected)
    // Also a call that was answered may be withdrawn, once.
    world.client.answer(stop, with: "Speech was stopped.")
    connection.say(
      .toolCallCancellation(ids: ["s"]), .toolCallCancellation(ids: ["s"]), .goAway(milliseconds: 40_000))
    try await world.events.next(.linkExpiring(connection: first, milliseconds: 40_000))
    #expect(world.events.all.dropFirst(expected.count).first == .callsWithdrawn(calls: [stop]))
    #expect(world.events.all.count == expected.count + 2)
    world.stop()
  }

  @Test func whatAnInterruptedTurnStillSendsIsDropped() async throws {
    let world = try World()
    world.client.openLink(first, resuming: false)
    let (connection, _) = try await world.server.nextSetup()
    connection.say(
      .audio(samples: [1]), .interrupted, .audio(samples: [2]), .outputTranscription(text: "late"), .turnComplete,
      .audio(samples: [3]))
    try await world.events.next(.modelAudio(connection: first, audio: SpeechAudio(samples: [3]), turn: turn(2)))
    #expect(
      world.events.all == [
        .linkReady(connection: first, resumed: false),
        .modelAudio(connection: first, audio: SpeechAudio(samples: [1]), turn: turn(1)),
        .modelInterrupted(connection: first),
        .modelTurnEnded(connection: first),
        .modelAudio(connection: first, audio: SpeechAudio(samples: [3]), turn: turn(2)),
      ])
    world.stop()
  }

  @Test func messagesThatCannotBeReadDoNotEndTheConnection() async throws {
    let world = try World()
    world.client.openLink(first, resuming: false)
    let (connection, _) = try await world.server.nextSetup()
    connection.send(OutgoingMessage(binary: [0xFF, 0x00]))
    connection.send(OutgoingMessage(text: #"{"serverContent":{"modelTurn""#))
    connection.send(OutgoingMessage(text: ""))
    connection.say(.turnComplete)
    try await world.events.next(.modelTurnEnded(connection: first))
    #expect(world.events.all.count == 2)
    world.stop()
  }

  @Test func aConversationIsResumedOnANewConnectionAfterTheOldOneIsClosed() async throws {
    let world = try World()
    world.client.openLink(first, resuming: false)
    let (old, _) = try await world.server.nextSetup()
    old.say(.resumption(handle: "h-7"), .resumption(handle: nil), .goAway(milliseconds: 5000))
    try await world.events.next(.resumptionChanged(connection: first, isPossible: true))
    try await world.events.next(.linkExpiring(connection: first, milliseconds: 5000))
    world.client.closeLink(first)
    world.client.openLink(second, resuming: true)
    #expect(world.client.currentConnection == second)
    #expect(try await world.events.nextFailure(of: first).remedy == .none)
    let (_, setup) = try await world.server.nextSetup()
    #expect(setup.resumptionHandle == "h-7")
    try await world.events.next(.linkReady(connection: second, resumed: true))
    let order = world.server.events.all.compactMap { event -> String? in
      switch event {
      case .opened: "opened"
      case .closed: "closed"
      case .said: nil
      }
    }
    #expect(order == ["opened", "closed", "opened"])
    // What was meant for the old connection goes nowhere.
    world.client.send(MicrophoneFrame(position: 0, samples: [9]), on: first)
    world.client.answer(CallID(connection: first, id: "x", tool: "stop"), with: "late")
    world.stop()
    let late = world.server.events.all.contains { event in
      switch event {
      case .said(_, .audio), .said(_, .toolResponse): true
      default: false
      }
    }
    #expect(!late)
  }

  /// The one that waits for the end of another may be given up, and a third one asked for, just as it takes its place.
  @Test func aConnectionThatIsReplacedAsItBeginsKeepsTheLineFromNobody() async throws {
    let third = ConnectionID(rawValue: 3)
    let world = try World { client, event in
      guard case .linkClosed(first, _) = event else { return }
      client.closeLink(second)
      client.openLink(third, resuming: false)
    }
    world.client.openLink(first, resuming: false)
    _ = try await world.server.nextSetup()
    try await world.events.next(.linkReady(connection: first, resumed: false))
    world.client.openLink(second, resuming: false)
    #expect(try await world.events.nextFailure(of: second).remedy == .none)
    _ = try await world.server.nextSetup()
    try await world.events.next(.linkReady(connection: third, resumed: false))
    #expect(world.client.currentConnection == third)
    world.stop()
  }

  @Test func withoutAHandleResumingIsStartingAfresh() async throws {
    let world = try World()
    world.client.openLink(first, resuming: true)
    let (_, setup) = try await world.server.nextSetup()
    #expect(setup.resumptionHandle == nil)
    try await world.events.next(.linkReady(connection: first, resumed: false))
    world.stop()
  }

  @Test func aHandleThatTheServerRefusesIsForgotten() async throws {
    let world = try World()
    world.client.openLink(first, resuming: false)
    let (old, _) = try await world.server.nextSetup()
    old.say(.resumption(handle: "h-7"))
    old.close(code: 1011, reason: "Deadline expired before operation could complete.")
    #expect(try await world.events.nextFailure(of: first).remedy == .resume)
    world.client.openLink(second, resuming: true)
    let (refusing, setup) = try await world.server.nextSetup(answers: false)
    #expect(setup.resumptionHandle == "h-7")
    refusing.close(code: 1011, reason: "Internal error encountered.")
    #expect(try await world.events.nextFailure(of: second).remedy == .newSession)
    let third = ConnectionID(rawValue: 3)
    world.client.openLink(third, resuming: true)
    #expect(try await world.server.nextSetup().setup.resumptionHandle == nil)
    try await world.events.next(.linkReady(connection: third, resumed: false))
    world.stop()
  }

  @Test func aWrongKeyEndsItWithTheServersOwnReasonAndWithoutTheKey() async throws {
    let world = try World(key: Secret("AIza-wrong"))
    world.client.openLink(first, resuming: false)
    let (connection, _) = try await world.server.nextSetup(answers: false)
    connection.close(code: 1007, reason: "API key AIza-wrong not valid. Please pass a valid API key.")
    let failure = try await world.events.nextFailure(of: first)
    #expect(failure.remedy == .giveUp)
    #expect(failure.reason.contains("API key (secret) not valid") && !failure.reason.contains("AIza"))
    world.stop()
    #expect(world.events.all.count == 1)
  }

  @Test func aConnectionThatIsClosedBeforeItOpensIsToldOnce() async throws {
    let (silent, port) = RawSocket.listening()
    let service = try WebSocketService()
    let events = Journal<VoiceEvent>()
    let client = LiveModelClient(
      service: service, endpoint: try LiveEndpoint(.gemini, url: "ws://127.0.0.1:\(port)"),
      listening: .init(turnDetection: .client)
    ) { events.append($0) }
    client.openLink(first, resuming: false)
    client.openLink(second, resuming: false)
    client.closeLink(second)
    client.closeLink(first)
    _ = try await events.next { if case .linkClosed(first, _) = $0 { () } else { nil } }
    withExtendedLifetime(silent) {}
    service.stop()
    #expect(events.all.count == 2)
    #expect(client.currentConnection == nil)
  }
}
