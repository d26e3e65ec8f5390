import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceWebSocket

private let one = SpeechID(rawValue: 1)
private let two = SpeechID(rawValue: 2)

@Suite(.timeLimit(.minutes(5)))
struct LiveReadoutTests {
  /// A readout and the server that it talks to.
  private struct World {
    let server: ScriptedServer
    let service: WebSocketService
    let events = Journal<VoiceEvent>()
    let readout: LiveReadout
    let clock: Locked<ContinuousClock.Instant>

    /// - Parameters:
    ///   - start: Time stands still, so that a slow machine does not change what is stale.
    ///   - onEvent: what else happens, on another thread, the moment an event is posted.
    init(
      start: ContinuousClock.Instant = .now,
      onEvent: @escaping @Sendable (LiveReadout, VoiceEvent) -> Void = { _, _ in }
    ) throws {
      server = try ScriptedServer()
      service = try WebSocketService()
      let (events, clock) = (events, Locked(start))
      self.clock = clock
      let made = Locked<LiveReadout?>(nil)
      readout = LiveReadout(
        service: service, endpoint: try LiveEndpoint(.gemini, url: server.url, voice: "Kore"),
        listener: { ConnectionID(rawValue: 9) },
        now: { clock.withLock { $0 } }
      ) { event in
        events.append(event)
        if let readout = made.withLock({ $0 }) { onAnotherThread { onEvent(readout, event) } }
      }
      made.withLock { [readout] in $0 = readout }
    }

    func stop() {
      service.stop()
      server.stop()
    }
  }

  private func sound(_ id: SpeechID, _ samples: [Int16]) -> VoiceEvent {
    .speechAudio(speech: id, audio: SpeechAudio(samples: samples))
  }

  @Test func itConnectsBeforeItIsNeededAndSpeaksOnePieceAfterTheOther() async throws {
    let world = try World()
    let (connection, setup) = try await world.server.nextSetup()
    #expect(setup.tools.isEmpty && !setup.wantsResumption && setup.voice == "Kore")
    #expect(setup.systemInstruction.contains("word for word"))
    world.readout.speak("The build passed.", as: one)
    #expect(try await world.server.nextText() == "The build passed.")
    connection.say(.audio(samples: [1]), .audio(samples: [2, 3]), .generationComplete)
    try await world.events.next(.speechEnded(speech: one))
    world.readout.speak("All tests too.", as: two)
    #expect(try await world.server.nextText() == "All tests too.")
    // The first turn is closed late, and even called interrupted, as the second one begins.
    connection.say(.interrupted, .turnComplete, .audio(samples: [4]), .generationComplete, .turnComplete)
    try await world.events.next(.speechEnded(speech: two))
    #expect(
      world.events.all == [
        sound(one, [1]), sound(one, [2, 3]), .speechEnded(speech: one), sound(two, [4]), .speechEnded(speech: two),
      ])
    world.stop()
  }

  @Test func aPieceThatIsAskedForBeforeTheConnectionIsReadyWaits() async throws {
    let world = try World()
    world.readout.speak("Hello.", as: one)
    let (connection, _) = try await world.server.nextSetup()
    #expect(try await world.server.nextText() == "Hello.")
    connection.say(.audio(samples: [1]), .turnComplete)
    try await world.events.next(.speechEnded(speech: one))
    world.stop()
  }

  @Test func whatArrivesOfACancelledPieceIsDropped() async throws {
    let world = try World()
    let (connection, _) = try await world.server.nextSetup()
    world.readout.speak("A long story.", as: one)
    _ = try await world.server.nextText()
    connection.say(.audio(samples: [1]))
    try await world.events.next(sound(one, [1]))
    world.readout.cancelSpeech(one)
    world.readout.cancelSpeech(one)
    try await world.server.events.next { event in
      if case .said(_, .clientContent(_, isComplete: false)) = event { () } else { nil }
    }
    world.readout.speak("Something else.", as: two)
    #expect(try await world.server.nextText() == "Something else.")
    connection.say(
      .audio(samples: [2]), .generationComplete, .interrupted, .turnComplete, .audio(samples: [3]),
      .generationComplete)
    try await world.events.next(.speechEnded(speech: two))
    #expect(world.events.all == [sound(one, [1]), sound(two, [3]), .speechEnded(speech: two)])
    world.stop()
  }

  @Test func aPieceThatIsCutOffIsSpokenAgainOnAFreshConnection() async throws {
    let world = try World()
    let (cut, _) = try await world.server.nextSetup()
    world.readout.speak("Hello.", as: one)
    _ = try await world.server.nextText()
    cut.close(code: 1011, reason: "Internal error encountered.")
    let (connection, _) = try await world.server.nextSetup()
    #expect(try await world.server.nextText() == "Hello.")
    connection.say(.audio(samples: [1]), .generationComplete)
    try await world.events.next(.speechEnded(speech: one))
    #expect(world.events.all == [sound(one, [1]), .speechEnded(speech: one)])
    world.stop()
  }

  @Test func aPieceThatIsCutOffTwiceFailsOnceAndTheNextOneIsTried() async throws {
    let world = try World()
    world.readout.speak("Hello.", as: one)
    for _ in 0..<2 {
      let (connection, _) = try await world.server.nextSetup()
      _ = try await world.server.nextText()
      connection.close(code: 1011, reason: "Internal error encountered.")
    }
    let reason = try await world.events.next { if case .speechFailed(one, let reason) = $0 { reason } else { nil } }
    #expect(reason.contains("Internal error encountered."))
    world.readout.speak("Again.", as: two)
    let (connection, _) = try await world.server.nextSetup()
    #expect(try await world.server.nextText() == "Again.")
    connection.say(.audio(samples: [1]), .generationComplete)
    try await world.events.next(.speechEnded(speech: two))
    world.stop()
    #expect(world.events.all.count == 3)
  }

  @Test func aServerThatServesNobodyIsNotAskedForEachPiece() async throws {
    let world = try World()
    func fail(_ count: Int, _ id: SpeechID) async throws {
      world.readout.speak("Hello.", as: id)
      for _ in 0..<count {
        let (connection, _) = try await world.server.nextSetup()
        connection.close(code: 1011, reason: "Internal error encountered.")
      }
      _ = try await world.events.next { if case .speechFailed(id, _) = $0 { () } else { nil } }
    }
    try await fail(2, one)
    try await fail(2, two)
    for number in 3..<50 { try await fail(0, SpeechID(rawValue: number)) }
    world.clock.withLock { $0 += .milliseconds(LiveLimits.restMilliseconds(failedPieces: 2)) }
    try await fail(2, SpeechID(rawValue: 50))
    world.clock.withLock { $0 += .milliseconds(LiveLimits.restMilliseconds(failedPieces: 2)) }
    try await fail(0, SpeechID(rawValue: 51))
    world.clock.withLock { $0 += .milliseconds(LiveLimits.restMilliseconds(failedPieces: 3)) }
    world.readout.speak("Again.", as: one)
    let (connection, _) = try await world.server.nextSetup()
    #expect(try await world.server.nextText() == "Again.")
    connection.say(.audio(samples: [1]), .generationComplete)
    try await world.events.next(.speechEnded(speech: one))
    world.stop()
    let opened = world.server.events.all.count { if case .opened = $0 { true } else { false } }
    #expect(opened == 7)
  }

  @Test func aTurnWithoutSoundIsTriedOnAFreshConnection() async throws {
    let world = try World()
    world.readout.speak("Hello.", as: one)
    for _ in 0..<2 {
      let (connection, _) = try await world.server.nextSetup()
      _ = try await world.server.nextText()
      connection.say(.generationComplete, .turnComplete)
    }
    let reason = try await world.events.next { if case .speechFailed(one, let reason) = $0 { reason } else { nil } }
    #expect(reason.contains("no sound"))
    world.stop()
  }

  @Test func aServerThatIsNotThereFailsThePieceAfterTwoAttempts() async throws {
    let port: Int
    do { port = RawSocket.listening().port }
    let service = try WebSocketService()
    let events = Journal<VoiceEvent>()
    let readout = LiveReadout(service: service, endpoint: try LiveEndpoint(.gemini, url: "ws://127.0.0.1:\(port)")) {
      events.append($0)
    }
    for id in [one, two] {
      readout.speak("Hello.", as: id)
      _ = try await events.next { if case .speechFailed(id, _) = $0 { () } else { nil } }
    }
    service.stop()
    #expect(events.all.count == 2)
  }

  @Test func aWrongKeyIsNotTriedAgain() async throws {
    let world = try World()
    world.readout.speak("Hello.", as: one)
    let (connection, _) = try await world.server.nextSetup(answers: false)
    connection.close(code: 1007, reason: "API key expired.")
    let reason = try await world.events.next { if case .speechFailed(one, let reason) = $0 { reason } else { nil } }
    #expect(reason.contains("API key expired."))
    world.stop()
    let opened = world.server.events.all.count { if case .opened = $0 { true } else { false } }
    #expect(opened == 1)
  }

  @Test func anAnnouncedCutIsAvoidedBetweenPieces() async throws {
    let world = try World()
    let (old, _) = try await world.server.nextSetup()
    world.readout.speak("Hello.", as: one)
    _ = try await world.server.nextText()
    old.say(.goAway(milliseconds: 50_000), .audio(samples: [1]), .generationComplete)
    try await world.events.next(.speechEnded(speech: one))
    let (connection, _) = try await world.server.nextSetup()
    world.readout.speak("On the new one.", as: two)
    #expect(try await world.server.nextText() == "On the new one.")
    connection.say(.audio(samples: [2]), .generationComplete)
    try await world.events.next(.speechEnded(speech: two))
    // Nothing is being said: it moves at once.
    connection.say(.turnComplete, .goAway(milliseconds: 50_000))
    _ = try await world.server.nextSetup()
    world.stop()
  }

  @Test func anInterruptionFromOutsideSilencesTheSpeaker() async throws {
    let world = try World()
    let (connection, _) = try await world.server.nextSetup()
    world.readout.speak("Hello.", as: one)
    _ = try await world.server.nextText()
    connection.say(.audio(samples: [1]), .interrupted, .audio(samples: [2]), .turnComplete)
    try await world.events.next(.modelInterrupted(connection: ConnectionID(rawValue: 9)))
    _ = try await world.events.next { if case .speechFailed(one, _) = $0 { () } else { nil } }
    world.readout.speak("Next.", as: two)
    _ = try await world.server.nextText()
    connection.say(.audio(samples: [3]), .generationComplete)
    try await world.events.next(.speechEnded(speech: two))
    #expect(!world.events.all.contains(sound(two, [2])))
    world.stop()
  }

  @Test func aStoppedReadoutStaysSilent() async throws {
    let world = try World { [sound = sound(one, [1])] readout, event in if event == sound { readout.stop() } }
    let (connection, _) = try await world.server.nextSetup()
    world.readout.speak("Hello.", as: one)
    _ = try await world.server.nextText()
    connection.say(.audio(samples: [1]), .audio(samples: [2]), .generationComplete)
    try await world.server.events.next { if case .closed = $0 { () } else { nil } }
    world.readout.speak("Hello again.", as: two)
    _ = try await world.events.next { if case .speechFailed(two, _) = $0 { () } else { nil } }
    world.stop()
    let reason = "The readout was stopped."
    #expect(
      world.events.all == [
        sound(one, [1]), .speechFailed(speech: one, reason: reason), .speechFailed(speech: two, reason: reason),
      ])
    let opened = world.server.events.all.count { if case .opened = $0 { true } else { false } }
    #expect(opened == 1)
  }

  @Test func eventsComeInTheOrderOfTheirDecisions() async throws {
    let world = try World { readout, event in
      guard case .modelInterrupted = event else { return }
      readout.stop()
      readout.speak("Next.", as: two)
    }
    let (connection, _) = try await world.server.nextSetup()
    world.readout.speak("Hello.", as: one)
    _ = try await world.server.nextText()
    connection.say(.audio(samples: [1]), .interrupted)
    _ = try await world.events.next { if case .speechFailed(two, _) = $0 { () } else { nil } }
    world.stop()
    let failed = world.events.all.compactMap { if case .speechFailed(let id, _) = $0 { id } else { nil } }
    #expect(failed == [one, two])
  }

  /// The new connection is closed after it was asked for, not before, which would have no effect.
  @Test func aReadoutThatIsStoppedWhileItChangesConnectionsLeavesNone() async throws {
    let world = try World { readout, event in if event == .speechEnded(speech: one) { readout.stop() } }
    let (old, _) = try await world.server.nextSetup()
    world.readout.speak("Hello.", as: one)
    _ = try await world.server.nextText()
    old.say(.goAway(milliseconds: 50_000), .audio(samples: [1]), .generationComplete)
    try await world.events.next(.speechEnded(speech: one))
    try await world.server.events.next { if case .closed = $0 { () } else { nil } }
    // Its setup would come before that of one that is made later.
    let later = LiveReadout(service: world.service, endpoint: try LiveEndpoint(.gemini, url: world.server.url)) { _ in }
    #expect(try await world.server.nextSetup().setup.voice != "Kore")
    later.stop()
    world.stop()
  }

  @Test func aCancelledTurnThatIsNeverClosedIsForgottenAfterAWhile() {
    let start = ContinuousClock.now
    let (first, second) = (ModelTurnID(rawValue: 1), ModelTurnID(rawValue: 2))
    var turns = AskedTurns()
    turns.asked(for: first)
    var seen = [turns.sounded(at: start)]
    turns.cancelled(first, at: start)
    turns.cancelled(first, at: start + .seconds(2))
    turns.asked(for: second)
    seen.append(turns.sounded(at: start + .seconds(1)))
    seen.append(turns.sounded(at: start + .seconds(4)))
    seen.append(turns.generated(at: start + .seconds(5)))
    #expect(seen == [first, first, second, second])
  }

  @Test func anInterruptedTurnThatIsNeverClosedIsForgottenAfterAWhile() {
    let start = ContinuousClock.now
    var turns = ServedTurns()
    var seen = [turns.turn(at: start), turns.interrupted(at: start)]
    seen += [2_999, 3_000, 9_000].map { turns.turn(at: start + .milliseconds($0)) }
    seen += [turns.closed(), turns.turn(at: start + .seconds(10))]
    #expect(seen.map(\.rawValue) == [1, 1, 1, 2, 2, 2, 3])
  }
}
