import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// What the program takes of what is heard while it speaks, beside a loudspeaker.
struct DuplexTests {
  /// A session beside a loudspeaker, whose agent's answer is being heard.
  private func speaking(
    _ duplex: Duplex?, mode: InteractionMode = .direct, endWord: String = ""
  ) throws -> Talk {
    var talk = Talk(
      .init {
        $0.mode = mode
        $0.endWord = endWord
        $0.interruptedBy = .vad
      })
    try talk.work()
    talk.answer("I can list and find files. With your permission I run the tests.")
    if let duplex { talk.give(.duplexChanged(duplex: duplex)) }
    return talk
  }

  /// The detector hears somebody, and the recogniser is so sure of each word.
  @discardableResult
  private func say(
    _ text: String, _ sureness: [Int], to talk: inout Talk, after milliseconds: Int = 10
  ) -> [VoiceAction] {
    talk.give(.voiceStarted(detector: .vad), after: milliseconds)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    talk.give(
      .userTranscribed(
        connection: talk.connection, text: text, isFinal: true, hearing: Hearing(sureness: sureness)), after: 300)
    return talk.propose(text)
  }

  private func isNotTaken(_ actions: [VoiceAction]) -> Bool {
    actions.contains { if case .show(.notTaken) = $0 { true } else { false } }
  }

  @Test(arguments: [Duplex.half, .full, .noEcho, .drowned])
  func nothingIsTakenThatWasNotDetected(duplex: Duplex) throws {
    var talk = try speaking(duplex)
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model), after: 900)
    talk.give(.userTranscribed(connection: talk.connection, text: "open another window", isFinal: true), after: 300)
    #expect(isNotTaken(talk.propose("open another window")))
    // A model that understood "stop" in its echo stops nothing.
    talk.give(.voiceStarted(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: "stop", isFinal: true), after: 300)
    let stop = talk.give(.stopRequested(call: CallID(connection: talk.connection, id: "s", tool: "stop")))
    #expect(isNotTaken(stop))
    #expect(!stop.contains { if case .cancelRun = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  /// The program's own words are no sign of its voice where that goes to a file, or nowhere.
  @Test(arguments: [true, false]) func whoRepeatsWhatNobodyHeardIsTaken(_ speaksAloud: Bool) throws {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.speaksAloud = speaksAloud
      })
    try talk.work()
    talk.answer("Why is the build failing?")
    talk.give(.voiceStarted(detector: .vad))
    talk.give(.voiceEnded(detector: .vad), after: 900)
    talk.give(
      .userTranscribed(connection: talk.connection, text: "Why is the build failing?", isFinal: true), after: 300)
    #expect(isNotTaken(talk.propose("Why is the build failing?")) == speaksAloud)
    #expect(talk.controller.run.queue.count == (speaksAloud ? 0 : 1))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func halfDuplexADetectedInterruptionIsTaken() throws {
    var talk = try speaking(.half)
    #expect(talk.give(.voiceStarted(detector: .vad)).first == .duckPlayback)
    talk.give(.timerFired(timer: .interruption), after: 500)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    talk.give(.userTranscribed(connection: talk.connection, text: "open another window", isFinal: true), after: 300)
    let proposed = talk.propose("open another window")
    #expect(!isNotTaken(proposed))
    #expect(talk.controller.run.queue.map(\.text) == ["open another window"])
    #expect(talk.rules.violations.isEmpty)
  }

  /// The first three, as a loudspeaker left them of the program's own voice when the room became another; and words of users.
  @Test(arguments: [
    (Duplex?.some(.full), "I'm in red piles.", [28, 98, 62, 44], true),
    (.half, "Cannot take me but", [78, 54, 34, 41], true),
    (.full, "You should not run with us.", [5, 84, 72, 98, 61, 44], true),
    (.full, "The brand.", [67, 59], true), (.full, "Show this.", [80, 59], true),
    (.full, "Show this.", [81, 59], false),
    (.full, "Continue.", [49], true), (.full, "Continue.", [50], false),
    (.full, "Please enter the pin number.", [71, 71, 71, 71, 66], false),
    (.full, "Please enter the pin number.", [71, 71, 71, 71, 65], true),
    (nil, "I'm in red piles.", [28, 98, 62, 44], false),
    (.noEcho, "Show this.", [50, 50], false), (.noEcho, "I'm in red piles.", [28, 63, 62, 44], true),
    (.full, "open another window", [], false),
  ])
  func whatIsUnclearOverItsVoiceIsHeld(_ duplex: Duplex?, _ text: String, _ sureness: [Int], _ isHeld: Bool) throws {
    var talk = try speaking(duplex)
    let told = say(text, sureness, to: &talk).contains(
      .show(notice: .warning(text: "This was heard while Parley spoke, and not clearly, so it is held.")))
    #expect(told == isHeld && talk.controller.held.count == (isHeld ? 1 : 0))
    #expect(talk.controller.run.queue.map(\.text) == (isHeld ? [] : [text]))
    #expect(talk.rules.violations.isEmpty)
  }

  /// Over "I can list and find files."
  @Test(arguments: [
    (Duplex.full, "Can list or find files.", [99, 98, 97, 99, 98], Bool?.some(true)),
    // With headphones it is held, and not dropped: he may quote what he hears.
    (.noEcho, "Can list or find files.", [99, 98, 97, 99, 98], nil),
    // Who asks for something else in like sounds is understood, where the recogniser is sure of it.
    (.full, "Can you list the finer files?", [60, 71, 80, 75, 70, 72], true),
    (.full, "Can you list the finer files?", [99, 98, 97, 99, 98, 99], false),
  ])
  func whoSoundsAlikeIsTheUserWhereThatIsCertain(
    _ duplex: Duplex, _ text: String, _ sureness: [Int], _ isRefused: Bool?
  ) throws {
    var talk = try speaking(duplex)
    #expect(isNotTaken(say(text, sureness, to: &talk)) == (isRefused == true))
    #expect(talk.controller.run.queue.map(\.text) == (isRefused == false ? [text] : []))
    #expect(talk.heldTexts == (isRefused == nil ? [text] : []))
    #expect(talk.rules.violations.isEmpty)
  }

  /// It may be nobody's, so it is not said behind another item, where the microphone would hear it again.
  @Test func whatIsUnclearBehindAnotherItemIsOnlyShown() throws {
    var talk = try speaking(.full)
    for text in ["I'm in red piles.", "You should not run."] {
      say(text, [28, 58, 62, 44], to: &talk)
      talk.playNext()
    }
    #expect(talk.heldTexts == ["I'm in red piles.", "You should not run."])
    let said = talk.controller.speech.history + talk.controller.speech.ahead
    #expect(!said.contains { $0.text.contains("should not") } && said.contains { $0.text.contains("red piles") })
  }

  /// What is gathered with it leaves no sooner than the user has seen it.
  @Test(arguments: [([28, 98, 62, 44], true), ([88, 98, 92, 94], false)])
  func whatIsUnclearOverItsVoiceIsGatheredButNotSent(_ sureness: [Int], _ isHeld: Bool) throws {
    var talk = try speaking(.full, endWord: "over")
    say("I'm in red piles.", sureness, to: &talk)
    say("Run the tests, over.", [], to: &talk, after: 12_000)
    #expect(talk.controller.held.count == (isHeld ? 1 : 0))
    #expect(talk.controller.run.queue.count == (isHeld ? 0 : 1))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatIsUnclearInSilenceIsTaken() throws {
    var talk = Talk(.init { $0.mode = .direct })
    talk.give(.duplexChanged(duplex: .full))
    say("I'm in red piles.", [28, 98, 62, 44], to: &talk)
    #expect(talk.controller.held.isEmpty && !talk.controller.run.isIdle)
  }

  /// While it is not known how the echo comes back, what a detector took for the user's is not sent: nor when it has become known
  /// before the words came.
  @Test(arguments: [Duplex?.none, .half, .full]) func ofAnUnknownEchoAllIsHeld(then later: Duplex?) throws {
    var talk = try speaking(.unknown)
    talk.give(.voiceStarted(detector: .vad), after: 900)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    if let later { talk.give(.duplexChanged(duplex: later)) }
    talk.give(.userTranscribed(connection: talk.connection, text: "open another window", isFinal: true), after: 300)
    talk.propose("open another window")
    #expect(talk.heldTexts == ["open another window"])
    #expect(talk.controller.run.queue.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  /// A machine that is overloaded takes what is left of the echo for the user's as soon as it is found.
  @Test(arguments: [(150, true), (1_200, false)])
  func whatBeginsAsTheEchoIsFoundIsHeld(milliseconds: Int, isHeld: Bool) throws {
    var talk = try speaking(.unknown)
    talk.give(.duplexChanged(duplex: .half), after: 900)
    talk.give(.duplexChanged(duplex: .full))
    talk.give(.voiceStarted(detector: .vad), after: milliseconds)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    say("open another window", [60, 92, 95], to: &talk)
    #expect(talk.heldTexts == (isHeld ? ["open another window"] : []))
    #expect(talk.rules.violations.isEmpty)
  }

  /// A reply has been heard to its end, and a second later the microphone hears something.
  private func afterwards(_ duplex: Duplex, heard words: String, mode: InteractionMode = .direct) throws -> Talk {
    var talk = try speaking(duplex, mode: mode)
    for _ in 0..<2 {
      talk.give(.playbackEnded(speech: try #require(talk.controller.speech.playing.first?.id)), after: 2_000)
      talk.playNext()
    }
    talk.give(.voiceStarted(detector: .vad), after: 1_500)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    talk.give(.userTranscribed(connection: talk.connection, text: words, isFinal: true), after: 300)
    talk.propose(words)
    return talk
  }

  /// Its own words come late, and somebody coughs before.
  @Test(arguments: [Duplex.half, .full]) func itsOwnWordsBehindACoughAreNobodys(duplex: Duplex) throws {
    var talk = try speaking(duplex)
    talk.give(.voiceStarted(detector: .vad), after: 900)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    for _ in 0..<2 {
      talk.give(.playbackEnded(speech: try #require(talk.controller.speech.playing.first?.id)), after: 500)
      talk.playNext()
    }
    talk.give(.voiceStarted(detector: .vad), after: 1_500)
    talk.give(.voiceEnded(detector: .vad), after: 200)
    talk.give(.userTranscribed(connection: talk.connection, text: "I run the tests.", isFinal: true), after: 300)
    #expect(isNotTaken(talk.propose("I run the tests.")))
    #expect(talk.controller.run.queue.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  /// Its own words came in, though the cancellers seemed to hold: of the last of them others may be understood.
  @Test(arguments: [(false, 1_500, 0), (true, 1_500, 1), (true, 4_000, 0)])
  func behindItsOwnWordsNothingIsSent(cameIn: Bool, behind: Int, isHeld: Int) throws {
    var talk = try speaking(.full)
    if cameIn {
      talk.give(.voiceStarted(detector: .vad))
      talk.give(.voiceEnded(detector: .vad), after: 900)
      talk.give(
        .userTranscribed(connection: talk.connection, text: "I can list and find files.", isFinal: true), after: 300)
      #expect(isNotTaken(talk.propose("I can list and find files.")))
    }
    while let piece = talk.controller.speech.playing.first?.id {
      talk.give(.playbackEnded(speech: piece), after: 500)
      talk.playNext()
    }
    talk.give(.voiceStarted(detector: .vad), after: behind)
    talk.give(.voiceEnded(detector: .vad), after: 300)
    talk.give(.userTranscribed(connection: talk.connection, text: "Hey.", isFinal: true), after: 300)
    talk.propose("Hey.")
    #expect(talk.controller.held.count == isHeld)
    #expect(talk.controller.run.queue.count == 1 - isHeld)
    #expect(talk.rules.violations.isEmpty)
  }

  /// What the program says of stopping stops no work while nobody knows when its echo comes.
  @Test func itsOwnStopEndsItsSpeechAndNoWork() throws {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.interruptedBy = .vad
      })
    try talk.work()
    talk.answer("I will stop the server now. Then I look at its log.")
    talk.give(.duplexChanged(duplex: .unknown))
    talk.give(.voiceStarted(detector: .vad), after: 900)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    talk.give(
      .userTranscribed(connection: talk.connection, text: "I will stop the server now.", isFinal: true), after: 300)
    let stop = talk.give(.stopRequested(call: CallID(connection: talk.connection, id: "s", tool: "stop")))
    #expect(stop.contains { if case .clearPlayback = $0 { true } else { false } })
    #expect(!stop.contains { if case .cancelRun = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  /// Its last word comes back a second later, and is a decision by itself.
  @Test(arguments: [(Duplex.unknown, 1), (.half, 0)])
  func itsOwnRejectRejectsNothing(duplex: Duplex, isHeld: Int) throws {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.interruptedBy = .vad
        $0.readsBack = false
        $0.spokenDecisions = .all
      })
    try talk.work()
    talk.answer("The old mail is what I reject.")
    talk.give(.duplexChanged(duplex: duplex))
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    talk.give(.playbackEnded(speech: try #require(talk.controller.speech.playing.first?.id)), after: 2_000)
    while let next = talk.controller.speech.playing.first?.id { talk.give(.playbackEnded(speech: next), after: 500) }
    talk.give(.voiceStarted(detector: .vad), after: 1_500)
    talk.give(.voiceEnded(detector: .vad), after: 500)
    talk.give(.userTranscribed(connection: talk.connection, text: "reject", isFinal: true), after: 300)
    talk.propose("reject")
    #expect(talk.controller.held.count == isHeld)
    #expect(talk.rules.violations.isEmpty)
  }

  /// Where nothing is known of a loudspeaker, one word is too few to sound like the program, but not to be its very word.
  @Test func aNoThatTheProgramJustSaidRejectsNothing() throws {
    for (reply, isHeld) in [("The answer to that is no.", true), ("The answer to that is yes.", false)] {
      var talk = Talk(
        .init {
          $0.mode = .direct
          $0.readsBack = false
          $0.spokenDecisions = .all
        })
      try talk.work()
      talk.answer(reply)
      talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
      talk.give(.voiceStarted(detector: .model), after: 2_000)
      talk.give(.soundLevelChanged(level: .sound), after: 0)
      talk.give(.voiceEnded(detector: .model), after: 300)
      talk.give(.userTranscribed(connection: talk.connection, text: "no", isFinal: true), after: 300)
      talk.propose("no")
      #expect(talk.controller.held.isEmpty == !isHeld, "\(reply)")
    }
  }

  @Test func behindTheReplyOnlyItsOwnWordsAreHeld() throws {
    #expect(try afterwards(.unknown, heard: "I run the tests.").heldTexts == ["I run the tests."])
    #expect(try afterwards(.half, heard: "I run the tests.").heldTexts.isEmpty)
    #expect(try afterwards(.unknown, heard: "open another window").heldTexts.isEmpty)
  }

  @Test func aKeyInterruptsInAnyCase() throws {
    var talk = try speaking(.half)
    #expect(try talk.command("quiet").contains(.clearPlayback))
  }

  @Test(arguments: [Duplex.half, .full]) func besideALoudspeakerTwoWordsOfItsOwnAreItsOwn(duplex: Duplex) throws {
    var talk = try speaking(duplex)
    talk.give(.voiceStarted(detector: .vad))
    talk.give(.voiceEnded(detector: .vad), after: 300)
    talk.give(.userTranscribed(connection: talk.connection, text: "Find vials.", isFinal: true), after: 300)
    #expect(isNotTaken(talk.propose("Find vials.")))

    var other = try speaking(duplex)
    other.give(.voiceStarted(detector: .vad))
    other.give(.voiceEnded(detector: .vad), after: 300)
    other.give(.userTranscribed(connection: other.connection, text: "Look.", isFinal: true), after: 300)
    #expect(!isNotTaken(other.propose("Look.")))
  }

  @Test func anEchoThatComesLateIsNotTaken() throws {
    var talk = try speaking(.full)
    talk.give(.playbackEnded(speech: try #require(talk.controller.speech.playing.first?.id)), after: 2_000)
    talk.playNext()
    talk.give(.playbackEnded(speech: try #require(talk.controller.speech.playing.first?.id)), after: 2_000)
    talk.give(.voiceStarted(detector: .model), after: 900)
    talk.give(.voiceEnded(detector: .model), after: 700)
    talk.give(.userTranscribed(connection: talk.connection, text: "Code.", isFinal: true))
    #expect(isNotTaken(talk.propose("Code.")))
  }

  @Test func anAnswerInSilenceMayUseTheWordsOfTheReply() throws {
    var talk = try speaking(.half)
    let piece = try #require(talk.controller.speech.playing.first?.id)
    talk.give(.playbackEnded(speech: piece), after: 2_000)
    talk.playNext()
    talk.give(.playbackEnded(speech: try #require(talk.controller.speech.playing.first?.id)), after: 2_000)
    talk.give(.voiceStarted(detector: .vad), after: 900)
    talk.give(.voiceEnded(detector: .vad), after: 900)
    talk.give(.userTranscribed(connection: talk.connection, text: "yes, run the tests", isFinal: true), after: 300)
    #expect(!isNotTaken(talk.propose("yes, run the tests")))
  }

  @Test func aRejectionInItsOwnVoiceIsNone() throws {
    var talk = Talk(
      .init {
        $0.mode = .review
        $0.interruptedBy = .vad
      })
    talk.say("remove the cache")
    talk.playNext()
    talk.give(.duplexChanged(duplex: .half))
    talk.give(.voiceStarted(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: "cancel that", isFinal: true), after: 300)
    talk.propose("cancel that")
    #expect(talk.heldTexts == ["remove the cache"])
  }

  @Test func itIsToldOnceForEachAndShownInTheStatus() throws {
    var talk = try speaking(nil)
    #expect(talk.controller.status.duplex == nil)
    #expect(talk.give(.duplexChanged(duplex: .half)) == [.show(notice: .duplex(duplex: .half))])
    #expect(talk.controller.status.duplex == .half)
    #expect(talk.give(.duplexChanged(duplex: .full)) == [.show(notice: .duplex(duplex: .full))])
    #expect(talk.give(.duplexChanged(duplex: .drowned)) == [.show(notice: .duplex(duplex: .drowned))])
    #expect(talk.controller.status.duplex == .drowned)
    #expect(talk.give(.duplexChanged(duplex: .half)).isEmpty)
    #expect(talk.give(.duplexChanged(duplex: .drowned)).isEmpty, "once a session")
    #expect(talk.give(.duplexChanged(duplex: .half)).isEmpty)
    #expect(talk.controller.status.duplex == .half)
  }

  @Test func theStateTellsHalfFromFull() throws {
    var talk = try speaking(.half)
    let half = talk.controller.digest
    talk.give(.duplexChanged(duplex: .full))
    #expect(talk.controller.digest != half)
  }
}
