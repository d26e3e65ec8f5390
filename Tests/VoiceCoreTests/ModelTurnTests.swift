import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// Takes note of what a server is told of its turns.
private final class Server: LiveModelPort {
  private(set) var told: [String] = []

  func openLink(_ connection: ConnectionID, resuming: Bool) {}
  func closeLink(_ connection: ConnectionID) {}
  func send(_ frame: MicrophoneFrame, on connection: ConnectionID) {}
  func sendActivityStart(on connection: ConnectionID) {}
  func sendActivityEnd(on connection: ConnectionID) {}
  func answer(_ call: CallID, with answer: String) {}
  func truncate(_ turn: ModelTurnID, heardMilliseconds: Int, on connection: ConnectionID) {
    told.append("\(heardMilliseconds) ms of turn \(turn.rawValue) on connection \(connection.rawValue)")
  }
}

private struct NoRecorder: RecorderPort {
  func record(_ step: VoiceStep) {}
  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}

/// What a live model's server is told of its turns, and what it tells of its errors.
struct ModelTurnTests {
  private static let turn = ModelTurnID(rawValue: 3)

  private func audio(_ connection: ConnectionID, turn: ModelTurnID? = turn, seconds: Int = 2) -> VoiceEvent {
    .modelAudio(
      connection: connection, audio: SpeechAudio(samples: [Int16](repeating: 1, count: seconds * PCM.speakerRate)),
      turn: turn)
  }

  private func truncations(_ actions: [VoiceAction]) -> [VoiceAction] {
    actions.filter { if case .truncateModelTurn = $0 { true } else { false } }
  }

  /// - Parameter isWhole: whether all sound of the turn has come before the user speaks over it.
  @Test(arguments: [false, true])
  func ofAVoiceThatIsCutTheServerIsToldHowMuchWasHeard(isWhole: Bool) throws {
    var talk = Talk()
    talk.give(audio(talk.connection))
    let id = try #require(talk.controller.speech.model.speech)
    if isWhole { talk.give(.modelAudioEnded(connection: talk.connection)) }
    talk.give(.modelInterrupted(connection: talk.connection), after: 700)
    let cleared = VoiceEvent.playbackCleared(speech: id, heardMilliseconds: 640)
    #expect(
      talk.give(cleared) == [
        .truncateModelTurn(connection: talk.connection, turn: Self.turn, heardMilliseconds: 640)
      ])
    #expect(talk.give(cleared).isEmpty, "once")
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theServerItselfIsToldHowMuchWasHeard() {
    let server = Server()
    var ports = VoicePorts.silent(recorder: NoRecorder())
    ports.liveModel = server
    var session = VoiceSession(ports: ports)
    let connection = ConnectionID(rawValue: 1)
    let events: [VoiceEvent] = [
      .sessionStarted(settings: InteractionSettings()), .linkReady(connection: connection, resumed: false),
      audio(connection), .modelInterrupted(connection: connection),
      .playbackCleared(speech: SpeechID(rawValue: 1), heardMilliseconds: 640),
    ]
    for (index, event) in events.enumerated() {
      #expect(session.step(StampedEvent(time: .milliseconds(Int64(index) * 500), event: event)) == nil)
    }
    #expect(server.told == ["640 ms of turn 3 on connection 1"])
  }

  @Test func whatWasHeardIsCountedAtTheSpeedAtWhichItWasSpoken() throws {
    var talk = Talk()
    for _ in 0..<2 { try talk.command("faster") }
    talk.give(audio(talk.connection))
    let id = try #require(talk.controller.speech.model.speech)
    talk.give(.modelInterrupted(connection: talk.connection), after: 700)
    #expect(
      talk.give(.playbackCleared(speech: id, heardMilliseconds: 600)) == [
        .truncateModelTurn(connection: talk.connection, turn: Self.turn, heardMilliseconds: 750)
      ])
  }

  @Test func nothingIsToldOfAnotherPieceATurnWithoutANumberOrAConnectionThatIsGone() throws {
    var talk = Talk()
    talk.give(audio(talk.connection))
    let id = try #require(talk.controller.speech.model.speech)
    let other = SpeechID(rawValue: id.rawValue + 7)
    #expect(truncations(talk.give(.playbackCleared(speech: other, heardMilliseconds: 100))).isEmpty)
    #expect(truncations(talk.give(.playbackCleared(speech: nil, heardMilliseconds: 0))).isEmpty)
    talk.give(
      .linkClosed(connection: talk.connection, failure: LinkFailure(remedy: .resume, reason: "It was cut.")))
    talk.give(.timerFired(timer: .reconnect), after: 600)
    let next = ConnectionID(rawValue: 2)
    talk.give(.linkReady(connection: next, resumed: true))
    #expect(truncations(talk.give(.playbackCleared(speech: id, heardMilliseconds: 100))).isEmpty)

    var old = Talk()
    old.give(audio(old.connection, turn: nil))
    let voice = try #require(old.controller.speech.model.speech)
    old.give(.modelInterrupted(connection: old.connection))
    #expect(truncations(old.give(.playbackCleared(speech: voice, heardMilliseconds: 100))).isEmpty)
  }

  /// What the server says when it closes decides what is done; it may say nothing more.
  @Test(arguments: [true, false]) func anErrorInPlaceOfASetupIsTold(_ closes: Bool) {
    var talk = Talk()
    talk.give(
      .linkClosed(connection: talk.connection, failure: LinkFailure(remedy: .resume, reason: "It was cut.")))
    talk.give(.timerFired(timer: .reconnect), after: 600)
    let next = ConnectionID(rawValue: 2)
    #expect(
      talk.give(.linkErred(connection: next, reason: "Bad key."))
        == [.show(notice: .warning(text: "The live model reports an error: Bad key."))])
    #expect(talk.give(.linkErred(connection: next, reason: "And more.")).isEmpty)
    guard !closes else {
      let actions = talk.give(
        .linkClosed(connection: next, failure: LinkFailure(remedy: .giveUp, reason: "The key is refused.")))
      return #expect(actions.contains(.end(outcome: .failed(reason: "The key is refused."))))
    }
    let actions = talk.give(.timerFired(timer: .setup(connection: next)), after: Limits.setupMilliseconds)
    let reason = actions.compactMap { if case .show(.linkLost(let reason, _)) = $0 { reason } else { nil } }
    #expect(
      reason == ["The live model did not answer the setup within 10 seconds. It reports an error: Bad key."])
  }

  @Test func anErrorIsToldOnceAndOfManyAFew() {
    var talk = Talk()
    func tell(_ reason: String) -> [VoiceAction] { talk.give(.linkErred(connection: talk.connection, reason: reason)) }
    #expect(
      tell("Rate limit reached.")
        == [.show(notice: .warning(text: "The live model reports an error: Rate limit reached."))])
    #expect(tell("Rate limit reached.").isEmpty)
    let told = (0..<30).count { !tell("Error \($0).").isEmpty }
    #expect(told == Limits.toldErrors - 1)
    #expect(talk.controller.link.openConnection == talk.connection, "the connection goes on")
    let left = ConnectionID(rawValue: 9)
    #expect(talk.give(.linkErred(connection: left, reason: "Late.")).isEmpty)
    // Another connection may have the same trouble.
    talk.give(
      .linkClosed(connection: talk.connection, failure: LinkFailure(remedy: .resume, reason: "It was cut.")))
    talk.give(.timerFired(timer: .reconnect), after: 600)
    let next = ConnectionID(rawValue: 2)
    talk.give(.linkReady(connection: next, resumed: true))
    #expect(!talk.give(.linkErred(connection: next, reason: "Rate limit reached.")).isEmpty)
  }
}
