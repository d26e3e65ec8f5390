import Testing
import VoiceVocabulary

@testable import VoiceLive
@testable import VoiceLocal
@testable import VoiceWebSocket

private func setup(
  tools: [String] = [], marksActivity: Bool = false, silenceMilliseconds: Int? = nil
) -> GeminiClientSetup {
  let silence = silenceMilliseconds.map { #","silenceDurationMs":\#($0)"# } ?? ""
  let functions = tools.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
  let json = """
    {"setup":{"model":"models/local","tools":[{"functionDeclarations":[\(functions)]}],"inputAudioTranscription":{},
    "outputAudioTranscription":{},"realtimeInputConfig":{"automaticActivityDetection":{"disabled":\(marksActivity)\(silence)}}}}
    """
  var dialect = GeminiServerDialect()
  guard case .setup(let setup)? = dialect.decode(IncomingMessage(kind: .text, bytes: Array(json.utf8))).first else {
    preconditionFailure("the setup of these tests is not one")
  }
  return setup
}

private let speech = (0..<16_000).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }
private let quiet = [Int16](repeating: 2, count: 16_000)

struct LocalListenerTests {
  private func listener(
    tools: [String] = ["converse", "stop"], marksActivity: Bool = false,
    silenceMilliseconds: Int = SpeechRule.shortSilenceMilliseconds, turns: any TurnDetector = SilenceTurnDetector(),
    guesses: Bool = false
  ) -> LocalListener {
    LocalListener(
      setup: setup(tools: tools, marksActivity: marksActivity),
      detector: VoiceActivityDetector(silenceMilliseconds: silenceMilliseconds), turns: turns, callPrefix: "call",
      guesses: guesses)
  }

  private func hear(_ samples: [Int16], _ listener: inout LocalListener) -> [LocalAction] {
    listener.take(.audio(samples: samples, rate: 16_000))
  }

  /// The pieces that are to be recognised.
  private func pieces(_ actions: [LocalAction]) -> [Int] {
    actions.compactMap { if case .recognise(let piece, _, _) = $0 { piece } else { nil } }
  }

  @Test func anUtteranceIsTranscribedAndHandedOn() {
    var listener = listener()
    #expect(hear(quiet + speech, &listener) == [.send(.voiceActivity(isStart: true))])
    let end = hear(quiet, &listener)
    #expect(pieces(end) == [1])
    #expect(end.last == .send(.voiceActivity(isStart: false)))
    #expect(
      listener.take(.success(HeardSpeech("Run the tests.")), of: 1) == [
        .send(.inputTranscription(text: "Run the tests.", isFinished: true)),
        .send(.toolCall(id: "call-1", name: "converse", arguments: [GeminiArgument("instruction", "Run the tests.")])),
        .send(.turnComplete), .offerResumption(isPossible: false),
      ])
  }

  @Test func howSureTheWordsAreStandsBesideTheTranscript() {
    var listener = listener()
    let end = hear(quiet + speech + quiet, &listener)
    let hearing = Hearing(sureness: [99, 12], alternatives: ["Run text."])
    let actions = listener.take(.success(HeardSpeech("Run tests.", hearing: hearing)), of: pieces(end)[0])
    #expect(actions.first == .send(.inputTranscription(text: "Run tests.", isFinished: true, hearing: hearing)))
    #expect(
      actions.contains(
        .send(.toolCall(id: "call-1", name: "converse", arguments: [GeminiArgument("instruction", "Run tests.")]))))
  }

  @Test func aTextThatIsThereBeforeTheEndOfSpeechWaitsForIt() {
    var listener = listener()
    _ = hear(quiet + speech, &listener)
    let pause = hear(Array(quiet.prefix(6_000)), &listener)
    #expect(pieces(pause) == [1])
    #expect(listener.take(.success(HeardSpeech("Yes.")), of: 1) == [])
    var asked = listener
    #expect(asked.take(.success(HeardSpeech("Wait.")), of: 1) == [.send(.interimTranscription(text: "Wait."))])
    let end = hear(quiet, &listener)
    #expect(pieces(end) == [])
    #expect(end.count == 5)
    #expect(end.first == .send(.voiceActivity(isStart: false)))
  }

  @Test func aTextFromBeforeAShortPauseIsForgottenWhenTheSpeakerGoesOn() {
    var listener = listener()
    _ = hear(quiet + speech, &listener)
    #expect(pieces(hear(Array(quiet.prefix(6_000)), &listener)) == [1])
    #expect(hear(speech, &listener) == [.cancelRecognition(piece: 1)])
    #expect(listener.take(.success(HeardSpeech("half")), of: 1) == [])
    #expect(pieces(hear(quiet, &listener)) == [2])
    #expect(
      listener.take(.success(HeardSpeech("whole")), of: 2).first
        == .send(.inputTranscription(text: "whole", isFinished: true)))
  }

  /// What is to be guessed at.
  private func guesses(_ actions: [LocalAction]) -> [Int] {
    actions.compactMap { if case .recognise(let piece, _, .interim) = $0 { piece } else { nil } }
  }

  @Test func whatTheUserSeemsToSayIsToldWhileHeSpeaks() {
    var listener = listener(guesses: true)
    #expect(guesses(hear(quiet + speech, &listener)) == [1])
    #expect(guesses(hear(speech, &listener)) == [], "one guess at a time")
    #expect(
      listener.take(.success(HeardSpeech("Run the")), of: 1) == [.send(.interimTranscription(text: "Run the"))])
    #expect(guesses(hear(Array(speech.prefix(320)), &listener)) == [2])
    #expect(listener.take(.failure(SpeechFailure("no")), of: 2) == [])
    #expect(guesses(hear(Array(speech.prefix(8_000)), &listener)) == [], "not before 0.7 s more were said")
    #expect(guesses(hear(Array(speech.prefix(8_000)), &listener)) == [3])
    // The text for which somebody waits does not wait for a guess.
    let pause = hear(Array(quiet.prefix(6_000)), &listener)
    #expect(pause.first == .cancelRecognition(piece: 3))
    #expect(pieces(pause) == [4])
    #expect(listener.take(.success(HeardSpeech("Run the tests and")), of: 3) == [])
    #expect(
      listener.take(.success(HeardSpeech("Run the tests.")), of: 4) == [
        .send(.interimTranscription(text: "Run the tests."))
      ])
    let end = hear(quiet, &listener)
    #expect(end.filter { $0 == .send(.inputTranscription(text: "Run the tests.", isFinished: true)) }.count == 1)
    #expect(guesses(hear(quiet + quiet, &listener)) == [])
  }

  @Test func nobodyGuessesWhileATextIsWaitedForOrNobodyLooks() {
    var listener = listener(guesses: true)
    _ = hear(quiet + speech, &listener)
    _ = listener.take(.success(HeardSpeech("")), of: 1)
    #expect(pieces(hear(quiet, &listener)) == [2])
    #expect(guesses(hear(speech + speech, &listener)) == [], "what was said before is not understood yet")
    _ = listener.take(.success(HeardSpeech("first")), of: 2)
    #expect(guesses(hear(Array(speech.prefix(320)), &listener)) == [3])

    var silent = self.listener()
    #expect(pieces(hear(quiet + speech + speech, &silent)) == [])
  }

  @Test func ofALongSentenceTheLastIsGuessedAt() throws {
    var listener = listener(guesses: true)
    _ = hear(quiet + speech, &listener)
    _ = listener.take(.success(HeardSpeech("")), of: 1)
    let actions = hear((0..<9).flatMap { _ in speech }, &listener)
    let samples = actions.compactMap { if case .recognise(_, let samples, .interim) = $0 { samples } else { nil } }
    #expect(samples.map(\.count) == [InterimTranscript.longestSamples])
    #expect(
      listener.take(.success(HeardSpeech("and so on")), of: 2) == [.send(.interimTranscription(text: "… and so on"))])
  }

  @Test func withTurnsMarkedByTheClientItIsTheSame() {
    var listener = listener(marksActivity: true, guesses: true)
    _ = listener.take(.activityStart)
    #expect(guesses(hear(speech, &listener)) == [1])
    #expect(
      listener.take(.success(HeardSpeech("Run the")), of: 1) == [.send(.interimTranscription(text: "Run the"))])
    #expect(guesses(hear(speech, &listener)) == [2])
    let end = listener.take(.activityEnd)
    #expect(end.first == .cancelRecognition(piece: 2))
    #expect(pieces(end) == [3])
  }

  @Test func utterancesAreHandedOnInTheOrderInWhichTheyWereSaid() {
    var listener = listener()
    _ = hear(quiet + speech + quiet, &listener)
    _ = hear(speech + quiet, &listener)
    #expect(listener.take(.success(HeardSpeech("second")), of: 2) == [])
    let actions = listener.take(.success(HeardSpeech("first")), of: 1)
    let texts = actions.compactMap { if case .send(.inputTranscription(let text, _, _)) = $0 { text } else { nil } }
    #expect(texts == ["first", "second"])
  }

  @Test(arguments: [
    "Stop.", "stop it", "Please stop that!", "Halt", "Okay, cancel that.", "Parley, stop.", "Stop, stop, stop!",
  ])
  func aStopPhraseStops(text: String) {
    var listener = listener()
    _ = hear(quiet + speech + quiet, &listener)
    #expect(
      listener.take(.success(HeardSpeech(text)), of: 1).contains(
        .send(.toolCall(id: "call-1", name: "stop", arguments: []))))
  }

  @Test(arguments: ["Stop the server.", "don't stop", "Add a stop button", "cancel the timer", "please"])
  func anInstructionThatSpeaksOfStoppingIsAnInstruction(text: String) {
    #expect(!StopPhrase.matches(text))
  }

  @Test func soundWithoutWordsEndsTheTurnAndNothingElse() {
    var listener = listener()
    _ = hear(quiet + speech + quiet, &listener)
    #expect(
      listener.take(.success(HeardSpeech("")), of: 1) == [.send(.turnComplete), .offerResumption(isPossible: true)])
  }

  @Test func stopDoesNotWaitForALongPause() {
    var listener = listener(silenceMilliseconds: 5_000)
    _ = hear(quiet + speech, &listener)
    #expect(pieces(hear(Array(quiet.prefix(6_400)), &listener)) == [1])
    #expect(listener.take(.success(HeardSpeech("Stop.")), of: 1) == [])
    #expect(
      hear(Array(quiet.prefix(4_000)), &listener)
        .contains(.send(.toolCall(id: "call-1", name: "stop", arguments: []))))
  }

  @Test func anythingElseDoesWaitForALongPause() {
    var listener = listener(silenceMilliseconds: 5_000)
    _ = hear(quiet + speech, &listener)
    #expect(pieces(hear(Array(quiet.prefix(6_400)), &listener)) == [1])
    #expect(listener.take(.success(HeardSpeech("Run the tests.")), of: 1) == [])
    #expect(hear(quiet + quiet + quiet + quiet, &listener) == [])
    #expect(hear(quiet, &listener).first == .send(.voiceActivity(isStart: false)))
  }

  /// Another rule than those of the program: a word ends a turn, and silence hardly does.
  private struct EndWordDetector: TurnDetector {
    func silenceMilliseconds(after heard: HeardSpeech) -> Int? { heard.text.hasSuffix("over") ? 200 : 4_000 }
  }

  @Test func whichPauseEndsATurnIsForTheTurnDetectorToSay() {
    for (text, ends) in [("run the tests over", true), ("run the tests", false)] {
      var listener = listener(turns: EndWordDetector())
      _ = hear(quiet + speech, &listener)
      let asked = pieces(hear(Array(quiet.prefix(6_400)), &listener))
      #expect(listener.take(.success(HeardSpeech(text)), of: asked[0]) == [])
      #expect(hear(quiet, &listener).contains(.send(.voiceActivity(isStart: false))) == ends, "\(text)")
    }
  }

  /// How many windows of silence it takes until a text is taken for the end of a turn.
  private func windowsUntilEnd(of text: String, preferred: Int) -> Int {
    var listener = LocalListener(
      setup: setup(tools: ["converse", "stop"], silenceMilliseconds: preferred),
      detector: VoiceActivityDetector(silenceMilliseconds: preferred), turns: turnDetector(preferring: preferred),
      callPrefix: "call")
    _ = hear(quiet + speech, &listener)
    var windows = 0
    while windows < 200 {
      windows += 1
      let actions = hear(Array(quiet.prefix(512)), &listener)
      for piece in pieces(actions) { _ = listener.take(.success(HeardSpeech(text)), of: piece) }
      if actions.contains(.send(.voiceActivity(isStart: false))) { return windows }
    }
    return windows
  }

  /// A window is 32 ms; one more is needed to fill the first one.
  @Test(arguments: [
    ("Run all of the tests.", 26), ("run all of the tests", 48), ("Run all of the", 64), ("Stop.", 13),
    ("Yes, send it.", 13), ("no", 13), ("Add a test for empty names.", 26), ("", 33),
  ])
  func thePauseThatEndsATurnDependsOnWhatWasSaid(text: String, windows: Int) {
    #expect(abs(windowsUntilEnd(of: text, preferred: 1_000) - windows) <= 1)
  }

  /// Ten seconds are what a client asks for whose user ends with a word.
  @Test func whoWantsToThinkInPeaceIsNotHurried() {
    #expect(windowsUntilEnd(of: "Run all of the tests.", preferred: 5_000) > 155)
    #expect(windowsUntilEnd(of: "Stop.", preferred: 5_000) <= 14)
  }

  @Test func aFailureIsToldToTheUserAndReported() {
    var listener = listener()
    _ = hear(quiet + speech + quiet, &listener)
    let actions = listener.take(.failure(SpeechFailure("it crashed")), of: 1)
    #expect(actions.first == .report(problem: "speech could not be understood: it crashed"))
    #expect(!actions.contains { if case .send(.toolCall) = $0 { true } else { false } })
  }

  @Test func aClientThatMarksItsTurnsIsHeardBetweenTheMarksOnly() {
    var listener = listener(marksActivity: true)
    #expect(hear(speech, &listener) == [])
    #expect(listener.take(.activityStart) == [])
    #expect(hear([1, 2], &listener) == [])
    #expect(hear([3], &listener) == [])
    #expect(listener.take(.activityEnd) == [.recognise(piece: 1, samples: [1, 2, 3], purpose: .text)])
    #expect(hear(speech, &listener) == [])
    #expect(listener.take(.success(HeardSpeech("hi")), of: 1).count == 4)
  }

  @Test func marksWithoutSoundEndTheTurn() {
    var listener = listener(marksActivity: true)
    _ = listener.take(.activityStart)
    #expect(listener.take(.activityEnd) == [.send(.turnComplete), .offerResumption(isPossible: true)])
    #expect(listener.take(.activityEnd) == [])
  }

  @Test func aVeryLongTurnIsUnderstoodInPieces() {
    var listener = listener(marksActivity: true)
    _ = listener.take(.activityStart)
    let long = [Int16](repeating: 9, count: Endpointer.longestSamples)
    #expect(pieces(hear(long, &listener)) == [1])
    _ = hear([1], &listener)
    #expect(pieces(listener.take(.activityEnd)) == [2])
    _ = listener.take(.success(HeardSpeech("one")), of: 1)
    #expect(
      listener.take(.success(HeardSpeech("two")), of: 2).first
        == .send(.inputTranscription(text: "one two", isFinished: true))
    )
  }

  @Test func theEndOfTheStreamEndsTheUtterance() {
    var listener = listener()
    _ = hear(quiet + speech, &listener)
    #expect(pieces(listener.take(.audioStreamEnd)) == [1])
  }

  @Test func theSessionCanBeResumedWhenEveryCallIsAnswered() {
    var listener = listener()
    _ = hear(quiet + speech + quiet, &listener)
    _ = listener.take(.success(HeardSpeech("go")), of: 1)
    func response(_ id: String, willContinue: Bool = false) -> GeminiClientMessage {
      .toolResponse(
        GeminiToolResponse(id: id, name: "converse", result: "ok", scheduling: "SILENT", willContinue: willContinue))
    }
    #expect(listener.take(response("call-1", willContinue: true)) == [])
    #expect(listener.take(response("call-1")) == [.offerResumption(isPossible: true)])
    #expect(listener.take(response("call-1")) == [.close(code: 1008, reason: "Requested entity was not found.")])
  }

  @Test func whatMakesNoSenseClosesTheConnection() {
    var listener = listener()
    let refused = [LocalAction.close(code: 1007, reason: "Request contains an invalid argument.")]
    #expect(listener.take(.activityStart) == refused)
    #expect(listener.take(.setup(setup())) == refused)
    #expect(listener.take(.malformed(reason: "x")) == refused)
    #expect(
      listener.take(.audio(samples: [1], rate: 8_000)) == [
        .close(code: 1007, reason: "Only 16000 Hz sound is understood.")
      ])
  }
}

struct LocalReadoutTests {
  private func content(_ text: String, role: String = "user", isComplete: Bool = true) -> GeminiClientMessage {
    .clientContent(turns: [GeminiTurn(role: role, text: text)], isComplete: isComplete)
  }

  @Test func aTextIsSpokenAndItsWordsComeWithTheFirstSound() {
    var readout = LocalReadout(setup: setup())
    #expect(readout.take(content("Hello there.")) == [.synthesise(speech: 1, text: "Hello there.")])
    #expect(
      readout.take(.audio(samples: [1]), of: 1) == [
        .send(.audio(samples: [1])), .send(.outputTranscription(text: "Hello there.")),
      ])
    #expect(readout.take(.audio(samples: [2]), of: 1) == [.send(.audio(samples: [2]))])
    #expect(
      readout.take(.finished, of: 1) == [
        .send(.generationComplete), .send(.turnComplete), .offerResumption(isPossible: true),
      ])
  }

  @Test func aNewTextInterruptsTheOneBeforeAndLateSoundIsDropped() {
    var readout = LocalReadout(setup: setup())
    _ = readout.take(content("one"))
    #expect(
      readout.take(.text("two")) == [
        .cancelSynthesis(speech: 1), .send(.interrupted), .send(.turnComplete), .synthesise(speech: 2, text: "two"),
      ])
    #expect(readout.take(.audio(samples: [1]), of: 1) == [])
    #expect(readout.take(.finished, of: 1) == [])
    #expect(readout.take(.audio(samples: [1]), of: 2).count == 2)
  }

  @Test func contentThatIsNotCompleteInterruptsWithoutAnAnswer() {
    var readout = LocalReadout(setup: setup())
    _ = readout.take(content("one"))
    #expect(readout.take(.clientContent(turns: [], isComplete: false)).last == .send(.turnComplete))
    #expect(readout.take(.clientContent(turns: [], isComplete: false)) == [])
  }

  @Test func aTextWithNothingToSayIsAShortSilence() {
    var readout = LocalReadout(setup: setup())
    _ = readout.take(content("..."))
    let actions = readout.take(.finished, of: 1)
    #expect(actions.first == .send(.audio(samples: [Int16](repeating: 0, count: 480))))
    #expect(actions.suffix(3).first == .send(.generationComplete))
  }

  @Test func aTextThatCannotBeSpokenIsATurnWithoutSound() {
    var readout = LocalReadout(setup: setup())
    _ = readout.take(content("one"))
    #expect(
      readout.take(.failed(reason: "no voice"), of: 1) == [
        .report(problem: "a text could not be spoken: no voice"), .send(.turnComplete),
      ])
  }

  @Test func aTurnWithoutARoleIsRefusedAsByTheRealService() {
    var readout = LocalReadout(setup: setup())
    #expect(
      readout.take(content("one", role: "")) == [.close(code: 1007, reason: "Request contains an invalid argument.")])
  }
}
