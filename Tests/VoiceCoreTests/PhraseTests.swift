import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// What is said to the program itself: it stops, and closes or opens the microphone.
struct PhraseTests {
  private let phrases = SpokenPhrases(stop: "enough now", sleep: "stop listening", wake: "hey parley")

  private func talk(_ phrases: SpokenPhrases? = nil, takesCommands: Bool = true) -> Talk {
    Talk(
      .init {
        $0.mode = .direct
        $0.takesCommands = takesCommands
        $0.phrases = phrases ?? self.phrases
      })
  }

  private func switches(_ actions: [VoiceAction]) -> [Bool] {
    actions.compactMap { if case .show(.listeningChanged(let isOn)) = $0 { isOn } else { nil } }
  }

  private func earcons(_ actions: [VoiceAction]) -> [Earcon] {
    actions.compactMap { if case .playEarcon(let earcon) = $0 { earcon } else { nil } }
  }

  @Test(arguments: ["Stop listening.", "Please stop listening!"])
  func theSleepPhraseClosesTheMicrophoneAndIsNoInstruction(said: String) {
    var talk = talk()
    let actions = talk.say(said)
    #expect(switches(actions) == [false])
    #expect(earcons(actions) == [.microphoneClosed])
    #expect(!talk.controller.input.isListening)
    #expect(!actions.contains { if case .enterInLedger = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: ["Stop listening to port 80.", "He said stop listening.", "Start listening.", "Listening."])
  func whatHoldsMoreOrLessIsAnInstruction(said: String) {
    var talk = talk()
    #expect(switches(talk.say(said)).isEmpty)
    #expect(talk.controller.input.isListening)
  }

  @Test func theUsersOwnWordsCloseItNotTheModels() {
    var talk = talk()
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.userTranscribed(connection: talk.connection, text: "Stop glistening.", isFinal: true))
    #expect(switches(talk.propose("Stop listening.")).isEmpty)
  }

  @Test func aModelThatTakesItForStopOrProposesNothingClosesItAsWell() {
    for last in [
      VoiceEvent.stopRequested(call: CallID(connection: ConnectionID(rawValue: 1), id: "s", tool: "stop")),
      .modelTurnEnded(connection: ConnectionID(rawValue: 1)),
    ] {
      var talk = talk()
      talk.give(.voiceStarted(detector: .model), after: 12_000)
      talk.give(.voiceEnded(detector: .model), after: 800)
      talk.give(.userTranscribed(connection: talk.connection, text: "Stop listening.", isFinal: true))
      #expect(switches(talk.give(last)) == [false])
      #expect(talk.rules.violations.isEmpty)
    }
  }

  @Test func whereNothingCouldOpenItAgainItStaysOpen() {
    var talk = talk(.init(sleep: "stop listening"), takesCommands: false)
    let actions = talk.say("Stop listening.")
    #expect(switches(actions).isEmpty)
    #expect(actions.refusal?.contains("no wake phrase") == true)
  }

  @Test func theUsersOwnStopPhraseStopsTheWork() throws {
    var talk = talk()
    try talk.work()
    #expect(talk.say("Enough now.").contains(.cancelRun(run: talk.run)))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theWakePhraseOpensAClosedMicrophone() throws {
    var talk = talk()
    try talk.command("listen off")
    let actions = talk.give(.wakePhraseHeard)
    #expect(switches(actions) == [true])
    #expect(earcons(actions) == [.microphoneOpened])
    #expect(talk.controller.input.isListening)
    #expect(talk.give(.wakePhraseHeard).isEmpty, "it is open already")
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func withoutAWakePhraseAClosedMicrophoneIsClosed() throws {
    var talk = talk(SpokenPhrases(stop: "enough now", sleep: "stop listening"))
    try talk.command("listen off")
    #expect(talk.give(.wakePhraseHeard).isEmpty)
    #expect(!talk.controller.input.isListening)
  }

  @Test func theProgramsOwnVoiceOpensNothing() throws {
    var talk = talk()
    try talk.work()
    try talk.command("listen off")
    talk.answer("Say: hey, Parley.")
    #expect(switches(talk.give(.wakePhraseHeard)).isEmpty)
    #expect(!talk.controller.input.isListening)
  }

  @Test func thePhrasesStandInTheLogOnlyWhereTheyDiffer() throws {
    var settings = InteractionSettings()
    #expect(settings.phrases == SpokenPhrases())
    settings.phrases = phrases
    let rules = { (event: VoiceEvent) in
      var talk = Talk(settings)
      talk.rules.check(event, [.show(notice: .listeningChanged(isOn: true))], at: .milliseconds(100_000))
      return talk.rules.violations
    }
    #expect(rules(.wakePhraseHeard).isEmpty)
    #expect(!rules(.voiceStarted(detector: .vad)).isEmpty, "nothing else opens a closed microphone")
  }
}
