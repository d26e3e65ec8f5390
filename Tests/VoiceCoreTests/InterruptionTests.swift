import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

struct InterruptionTests {
  /// A session whose agent's answer is being heard.
  private func speaking() throws -> Talk {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    talk.answer("The first sentence is here. The second one is a longer sentence.")
    return talk
  }

  @Test func aSoundLowersTheVoiceAtOnceAndStillSpeakingStopsIt() throws {
    var talk = try speaking()
    let noticed = talk.give(.voiceStarted(detector: .model))
    #expect(noticed.first == .duckPlayback)
    #expect(noticed.contains(.startTimer(timer: .interruption, milliseconds: 500)))
    let decided = talk.give(.timerFired(timer: .interruption), after: 500)
    #expect(decided.contains(.clearPlayback))
    #expect(decided.contains(.show(notice: .bargedIn)))
    #expect(!decided.contains { if case .cancelRun = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  /// Where speech goes to a file or nowhere, the work is no more stopped, and nothing is told of a silence.
  @Test(arguments: [true, false]) func whoHearsNothingIsToldOfNoInterruption(_ speaksAloud: Bool) throws {
    for isCough in [true, false] {
      var talk = Talk(
        .init {
          $0.mode = .direct
          $0.speaksAloud = speaksAloud
        })
      try talk.work()
      talk.answer("The first sentence is here. The second one is a longer sentence.")
      talk.give(.voiceStarted(detector: .model))
      if isCough { talk.give(.voicePaused(detector: .model), after: 200) }
      let decided = talk.give(.timerFired(timer: .interruption), after: 500)
      #expect(decided.contains(isCough ? .resumePlayback : .clearPlayback))
      #expect(decided.contains(.show(notice: isCough ? .falseInterruption : .bargedIn)) == speaksAloud)
      #expect(talk.rules.violations.isEmpty)
    }
  }

  @Test func aCoughDoesNot() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    #expect(talk.give(.voicePaused(detector: .model), after: 200).isEmpty)
    let decided = talk.give(.timerFired(timer: .interruption), after: 300)
    #expect(decided == [.resumePlayback, .show(notice: .falseInterruption)])
    #expect(talk.controller.speech.playing.count == 1)
    #expect(talk.rules.violations.isEmpty)
  }

  /// An echo opens the detector for a moment. A model that hears nothing of a word is left for another connection; of what is too short
  /// for one it need not.
  @Test(arguments: [(100, true), (900, false)])
  func whatIsTooShortForAWordIsNotWaitedFor(_ milliseconds: Int, _ isForgotten: Bool) throws {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.interruptedBy = .vad
      })
    try talk.work()
    talk.answer("The first sentence is here. The second one is a longer sentence.")
    talk.give(.voiceStarted(detector: .vad), after: 3_000)
    talk.give(.voicePaused(detector: .vad), after: 50)
    if isForgotten { talk.give(.voiceEnded(detector: .vad), after: milliseconds - 50) }
    talk.give(.timerFired(timer: .interruption), after: 400)
    if !isForgotten { talk.give(.voiceEnded(detector: .vad), after: milliseconds - 450) }
    #expect(talk.controller.armedTimers.contains(.unansweredUtterance) == !isForgotten)
  }

  /// A word so short is over before the half second is, and its transcript waits for what may follow: what it seems to be is enough to
  /// be silent. Whatever else a cough seems to say is not.
  @Test func whoAsksToWaitIsNotKeptWaiting() throws {
    var talk = try speaking()
    #expect(talk.give(.interimTranscribed(connection: talk.connection, text: "Wait.")).isEmpty, "nobody was heard")
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voicePaused(detector: .model), after: 300)
    talk.give(.timerFired(timer: .interruption), after: 200)
    #expect(talk.give(.interimTranscribed(connection: talk.connection, text: "Thank you."), after: 50).isEmpty)
    let told = talk.give(.interimTranscribed(connection: talk.connection, text: "Wait."), after: 50)
    #expect(told.contains(.clearPlayback) && told.contains(.show(notice: .bargedIn)))
    #expect(!told.contains { if case .cancelRun = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theProgramDoesNotAskItselfToWait() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    talk.answer("Wait for the build first. The second one is a longer sentence.")
    talk.give(.voiceStarted(detector: .model))
    #expect(talk.give(.interimTranscribed(connection: talk.connection, text: "Wait."), after: 300).isEmpty)
  }

  @Test func anAcknowledgementDoesNotAndIsNoInstruction() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model), after: 300)
    talk.give(.timerFired(timer: .interruption), after: 200)
    #expect(
      !talk.give(.userTranscribed(connection: talk.connection, text: "Uh-huh.", isFinal: true)).contains(.clearPlayback)
    )
    let proposed = talk.propose("Uh-huh.")
    #expect(proposed.contains { if case .show(.notTaken) = $0 { true } else { false } })
    #expect(talk.controller.run.queue.isEmpty)
    #expect(talk.controller.speech.playing.count == 1)
  }

  @Test func wordsDecideBeforeTheTimeAndAfterIt() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    let early = talk.give(.userTranscribed(connection: talk.connection, text: "stop", isFinal: false), after: 200)
    #expect(early.contains(.clearPlayback))
    #expect(early.contains(.cancelTimer(timer: .interruption)))

    var other = try speaking()
    other.give(.voiceStarted(detector: .model))
    other.give(.voicePaused(detector: .model), after: 200)
    other.give(.timerFired(timer: .interruption), after: 300)
    let late = other.give(.userTranscribed(connection: other.connection, text: "wait", isFinal: true), after: 600)
    #expect(late.contains(.clearPlayback))
    #expect(talk.rules.violations + other.rules.violations == [])
  }

  @Test func theProgramsOwnVoiceIsNoInstruction() throws {
    var talk = try speaking()
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voicePaused(detector: .model), after: 200)
    talk.give(.timerFired(timer: .interruption), after: 300)
    let heard = talk.give(
      .userTranscribed(connection: talk.connection, text: "the first sentence is here", isFinal: true))
    #expect(!heard.contains(.clearPlayback))
    let proposed = talk.propose("the first sentence is here")
    #expect(proposed.contains { if case .show(.notTaken) = $0 { true } else { false } })
    #expect(talk.controller.run.queue.isEmpty)
  }

  /// Nothing is known of a loudspeaker: two words that the program said, too, are more likely the user's.
  @Test func twoWordsOfItsOwnInterruptWhereNoLoudspeakerIsKnown() throws {
    for (words, isInterruption) in [("first sentence", true), ("the first sentence", false)] {
      var talk = try speaking()
      talk.give(.voiceStarted(detector: .model))
      let heard = talk.give(.userTranscribed(connection: talk.connection, text: words, isFinal: false), after: 200)
      #expect(heard.contains(.clearPlayback) == isInterruption, "\(words)")
    }
  }

  @Test func theAgentIsToldHowMuchOfItsAnswerWasHeard() throws {
    var talk = try speaking()
    let first = try #require(talk.controller.speech.playing.first?.id)
    talk.give(.playbackEnded(speech: first), after: 2_000)
    talk.playNext()
    let second = try #require(talk.controller.speech.playing.first?.id)
    talk.give(.voiceStarted(detector: .model), after: 1_000)
    talk.give(.timerFired(timer: .interruption), after: 500)
    // Half of the second sentence was heard.
    talk.give(.playbackCleared(speech: second, heardMilliseconds: 1_000))
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
    let sent = try talk.command("say show the diff").compactMap { action in
      if case .enterInLedger(_, let instruction) = action { instruction } else { nil }
    }
    #expect(sent.first?.text == "show the diff")
    #expect(
      sent.first?.remark
        == "The user interrupted your last answer. What was heard of it ended with: "
        + "“The first sentence is here. The second one is”.")
    #expect(sent.first?.textWithRemark.hasPrefix("show the diff\n\n(The user") == true)
  }

  @Test func anInstructionDuringARunDoesAsTheSettingSays() throws {
    var queue = Talk(.init { $0.mode = .direct })
    try queue.work()
    #expect(try queue.command("say next").contains { if case .show(.queued) = $0 { true } else { false } })

    var steer = Talk(
      .init {
        $0.mode = .direct
        $0.duringRun = .steer
      })
    try steer.work()
    let entered = try steer.command("say next").compactMap { if case .enterInLedger(_, let i) = $0 { i } else { nil } }
    let instruction = try #require(entered.first)
    #expect(
      steer.give(.ledgerEntered(instruction: instruction.id)).contains(
        .steerRun(run: steer.run, instruction: instruction)))

    var halt = Talk(
      .init {
        $0.mode = .direct
        $0.duringRun = .halt
      })
    try halt.work()
    #expect(try halt.command("say next").contains(.cancelRun(run: halt.run)))
    let ended = halt.give(.agentReported(run: halt.run, event: .turnEnded(end: .cancelled)))
    #expect(ended.contains { if case .enterInLedger(_, let i) = $0 { i.text == "next" } else { false } })
    #expect(queue.rules.violations + steer.rules.violations + halt.rules.violations == [])
  }

  @Test func haltIsConfirmedOrSaidNotToBeAndThenEscalated() throws {
    var talk = try speaking()
    #expect(try talk.command("halt").contains(.cancelRun(run: talk.run)))
    let late = talk.give(.timerFired(timer: .haltConfirmation(run: talk.run)), after: 5_000)
    #expect(late.contains(.show(notice: .haltUnconfirmed)))
    #expect(try talk.command("halt").contains(.abandonRun(run: talk.run)))
    let ended = talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .cancelled)))
    #expect(ended.contains(.show(notice: .runEnded(run: talk.run, end: .cancelled))))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: [AgentTurnEnd.failed(reason: "The disk is full."), .unconfirmed(reason: "The disk is full.")])
  func anErrorOfWorkThatIsBeingStoppedIsShown(_ end: AgentTurnEnd) throws {
    var talk = try speaking()
    try talk.command("halt")
    let ended = talk.give(.agentReported(run: talk.run, event: .turnEnded(end: end)))
    #expect(ended.contains(.playEarcon(earcon: .error)))
    #expect(ended.contains(.show(notice: .error(text: "The disk is full."))))
  }

  @Test func sentencesAreSkippedAndSaidAgain() throws {
    var talk = try speaking()
    let skipped = try talk.command("skip")
    #expect(skipped.contains(.clearPlayback))
    #expect(skipped.contains { if case .speak(_, let text, _) = $0 { text.hasPrefix("The second") } else { false } })
    talk.playNext()
    let back = try talk.command("back")
    #expect(back.contains { if case .speak(_, let text, _) = $0 { text.hasPrefix("The first") } else { false } })
    talk.playNext()
    let again = try talk.command("again")
    #expect(again.contains { if case .speak(_, let text, _) = $0 { text.hasPrefix("The first") } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aChangeOfSpeedIsHeardAtOnceAndHasItsEnds() throws {
    var talk = try speaking()
    let faster = try talk.command("faster")
    #expect(faster.first == .setSpeechRate(percent: 112))
    #expect(faster.contains(.clearPlayback))
    #expect(faster.contains { if case .speak(_, let text, _) = $0 { text.hasPrefix("The first") } else { false } })
    for _ in 0..<20 { try talk.command("slower") }
    #expect(talk.controller.speech.percent == 60)
    #expect(try talk.command("slower").refusal != nil)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aClosedMicrophoneSendsSilence() throws {
    var talk = Talk()
    try talk.command("listen off")
    let sent = talk.give(.microphoneFrame(frame: MicrophoneFrame(position: 320, samples: [1, 2, 3])))
    #expect(
      sent == [.sendAudio(connection: talk.connection, frame: MicrophoneFrame(position: 320, samples: [0, 0, 0]))])
    try talk.command("listen on")
    let open = talk.give(.microphoneFrame(frame: MicrophoneFrame(position: 640, samples: [1, 2, 3])))
    #expect(
      open == [.sendAudio(connection: talk.connection, frame: MicrophoneFrame(position: 640, samples: [1, 2, 3]))])
  }
}

@Test(arguments: [true, false]) func aVoiceThatWasLoweredBeforeItSpokeSpeaksAgain(_ isCut: Bool) throws {
  var talk = Talk(.init { $0.mode = .direct })
  try talk.work()
  talk.give(.agentReported(run: talk.run, event: .text(delta: "It is built. ")))
  talk.give(.agentReported(run: talk.run, event: .paragraphEnded))
  let piece = try #require(talk.controller.speech.requested)
  #expect(talk.give(.voiceStarted(detector: .model)).contains(.duckPlayback))
  // The piece has no sound so far, or comes to nothing.
  if !isCut { talk.give(.speechFailed(speech: piece.id, reason: "no")) }
  let actions = talk.give(.timerFired(timer: .interruption), after: Limits.interruptionMilliseconds)
  #expect(actions.contains(isCut ? .clearPlayback : .resumePlayback))
  #expect(talk.rules.violations.isEmpty)
}
