import Testing
import VoiceCore
import VoiceHistory
import VoiceRecording
import VoiceVocabulary

/// A session that is decided as the real one is, and told as its log would be.
private struct Told {
  private var controller = InteractionController()
  private(set) var history = SessionHistory()
  private var sequence = 0
  private var time = SessionTime.zero
  private var calls = 0
  private let connection = ConnectionID(rawValue: 1)

  init(_ settings: InteractionSettings = InteractionSettings()) {
    give(.sessionStarted(settings: settings))
    give(.linkReady(connection: connection, resumed: false))
    give(.agentReady(agent: AgentDescription(name: "agent", capabilities: [.ask, .cancel])))
  }

  /// Something happens, and what the ledger and the readout answer to it.
  mutating func give(_ event: VoiceEvent, after milliseconds: Int = 1_000) {
    time = time.advanced(byMilliseconds: milliseconds)
    let actions = controller.handle(event, at: time)
    history.append(
      LogLine(
        step: VoiceStep(
          sequence: sequence, time: time, event: event, actions: actions, reasons: controller.takeReasons())))
    sequence += 1
    for action in actions {
      switch action {
      case .enterInLedger(_, let instruction): give(.ledgerEntered(instruction: instruction.id), after: 1)
      case .speak(let speech, _):
        give(.speechAudio(speech: speech, audio: SpeechAudio(samples: [0, 0])), after: 1)
        give(.speechEnded(speech: speech), after: 1)
        give(.playbackStarted(speech: speech), after: 1)
        give(.playbackEnded(speech: speech), after: 1)
      default: break
      }
    }
  }

  mutating func command(_ command: UserCommand) { give(.commandGiven(command: command)) }

  mutating func report(_ event: AgentEvent, of run: Int = 1) {
    give(.agentReported(run: RunID(rawValue: run), event: event))
  }

  mutating func voice(_ milliseconds: Int, after: Int = 1_000) {
    give(.voiceStarted(detector: .model), after: after)
    give(.voiceEnded(detector: .model), after: milliseconds)
  }

  /// The live model heard this and makes an instruction of it.
  mutating func proposed(_ text: String) {
    give(.userTranscribed(connection: connection, text: text, isFinal: true), after: 200)
    calls += 1
    give(
      .instructionProposed(call: CallID(connection: connection, id: "c\(calls)", tool: "converse"), text: text),
      after: 50)
    give(.modelTurnEnded(connection: connection), after: 50)
  }

  func why(_ turn: Int) -> [String] {
    Explanation(history.turns[turn - 1], in: history).sentences.map(\.text)
  }
}

private let request = PermissionRequest(
  id: PermissionID(rawValue: "p1"), title: "Write a note to NOTES.md", detail: "", choices: [.allowOnce, .rejectOnce])

@Test func aPermissionQuestionIsNotTakenForTheAnswer() throws {
  var told = Told()
  told.command(.say(text: "take a note"))
  told.command(.approve)
  told.report(.turnStarted)
  told.report(.permissionRequested(request: request))
  let asked = try #require(told.history.pieces.last)
  #expect(asked.text.hasPrefix("The agent asks."))
  #expect(asked.purpose == .readBack)
  #expect(told.history.turns[0][.spoken] == nil)
  #expect(!told.why(1).contains { $0.hasPrefix("You heard the answer") }, "\(told.why(1))")
  told.command(.approve)
  told.report(.text(delta: "I wrote it down.\n"))
  told.report(.turnEnded(end: .completed))
  let answer = try #require(told.history.turns[0][.spoken])
  #expect(try answer > #require(told.history.turns[0].requests.first?.answered).time)
}

@Test func anExplanationOfWhatIsAskedIsNotTheAnswerEither() throws {
  var told = Told()
  told.command(.say(text: "take a note"))
  told.command(.approve)
  told.report(.permissionRequested(request: request))
  told.command(.explain)
  told.command(.again)
  #expect(told.history.turns[0][.spoken] == nil, "\(told.history.pieces.map(\.text))")
}

@Test func anApprovalBelongsToWhatWasApproved() throws {
  var told = Told()
  told.command(.say(text: "run the tests"))
  told.command(.say(text: "run the tests"))
  told.command(.approve)
  #expect(told.history.turns.map(\.decision) == [.approved(.command), nil])
  #expect(told.why(1).contains { $0.hasPrefix("Handed on: the user approved it") }, "\(told.why(1))")
  #expect(!told.why(2).contains { $0.contains("approved") }, "\(told.why(2))")
  told.command(.reject(reason: nil))
  #expect(told.history.turns.map(\.decision) == [.approved(.command), .rejected(reason: nil)])
}

@Test func wordsThatDecideSomethingSayWhatTheyDecided() throws {
  var told = Told()
  told.command(.say(text: "run the tests"))
  told.voice(600)
  told.proposed("approve")
  #expect(told.history.turns.count == 2)
  #expect(told.history.turns[0].decision == .approved(.voice))
  #expect(told.why(2).contains("These words were taken as a decision about turn 1."), "\(told.why(2))")
  #expect(!told.why(2).contains { $0.hasPrefix("Handed on") }, "\(told.why(2))")
  #expect(told.why(1).contains { $0.hasPrefix("Handed on") }, "\(told.why(1))")
}

@Test func aClickBeforeTheWordsIsNotTheirLength() throws {
  // A click of 40 ms, then speech of two seconds whose end is noticed only after its words came.
  var told = Told()
  told.voice(40)
  told.give(.voiceStarted(detector: .model), after: 300)
  told.give(
    .userTranscribed(connection: ConnectionID(rawValue: 1), text: "run the tests", isFinal: true), after: 2_000)
  told.give(
    .instructionProposed(
      call: CallID(connection: ConnectionID(rawValue: 1), id: "c", tool: "converse"), text: "run the tests"), after: 50)
  told.give(.voiceEnded(detector: .model), after: 10)
  #expect(told.why(1).first?.hasPrefix("You spoke for 2.1 s") == true, "\(told.why(1))")
}

@Test func aClickLongBeforeIsNoPartOfWhatIsSaid() throws {
  var told = Told()
  told.voice(40)
  told.give(
    .userTranscribed(connection: ConnectionID(rawValue: 1), text: "run the tests", isFinal: true), after: 30_000)
  #expect(told.history.turns[0][.speechStarted] == nil)
  #expect(!told.why(1).contains { $0.contains("40 ms") }, "\(told.why(1))")
}
