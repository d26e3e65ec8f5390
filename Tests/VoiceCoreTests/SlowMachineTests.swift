import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// What a busy machine must not break: who knows that something is going on does not guess by the clock.
struct SlowMachineTests {
  private func give(_ report: SpeechEngineReport, to talk: inout Talk, after milliseconds: Int = 10) -> [VoiceAction] {
    talk.give(.speechEngineReported(report: report), after: milliseconds)
  }

  @Test func whatIsLoadingIsShownUntilItIsThere() {
    var talk = Talk()
    #expect(give(.loading(part: .recogniser), to: &talk) == [.show(notice: .loading(part: .recogniser))])
    #expect(talk.controller.status.loading == [.recogniser])
    #expect(give(.ready(part: .recogniser), to: &talk) == [.show(notice: .loaded(part: .recogniser))])
    #expect(talk.controller.status.loading == [])
    _ = give(.loading(part: .voice), to: &talk)
    _ = give(.unavailable(part: .voice, reason: "there is no voice"), to: &talk)
    #expect(talk.controller.status.loading == [])
  }

  @Test func wordsThatAreStillBeingUnderstoodAreNotGivenUp() {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.takesCommands = false
      })
    talk.give(.voiceStarted(detector: .model))
    _ = give(.working(part: .recogniser), to: &talk)
    talk.give(.voiceEnded(detector: .model))
    talk.give(.microphoneEnded)
    for _ in 0..<20 {
      talk.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
      #expect(!talk.controller.armedTimers.contains(.endOfInput))
    }
    talk.give(.userTranscribed(connection: talk.connection, text: "run the tests", isFinal: true))
    // It may be at work on what was said behind these words.
    talk.propose("run the tests")
    _ = give(.idle(part: .recogniser), to: &talk)
    let actions = talk.give(.timerFired(timer: .leaving), after: Limits.latePieceMilliseconds)
    #expect(actions.contains { if case .enterInLedger = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anAnswerToTheUtteranceBeforeDoesNotEndTheWaitForTheLast() {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.takesCommands = false
      })
    talk.say("run the tests")
    talk.give(.voiceStarted(detector: .model))
    _ = give(.working(part: .recogniser), to: &talk)
    talk.give(.voiceEnded(detector: .model), after: 800)
    // Of the utterance before.
    talk.give(.modelTurnEnded(connection: talk.connection))
    talk.give(.microphoneEnded)
    #expect(!talk.controller.armedTimers.contains(.endOfInput))
    _ = give(.idle(part: .recogniser), to: &talk, after: 60_000)
    #expect(talk.controller.input.awaitsAnswer == false)
  }

  @Test func whoSpeaksForLongIsNotGivenUp() {
    var talk = Talk()
    talk.give(.voiceStarted(detector: .model))
    talk.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(talk.controller.input.awaitsAnswer)
    #expect(talk.controller.armedTimers.contains(.unansweredUtterance))
  }

  @Test func whatNoConnectionHasHeardIsNotGivenUp() {
    var talk = Talk(.init { $0.interruptedBy = .vad })
    talk.give(.linkClosed(connection: talk.connection, failure: .init(remedy: .resume, reason: "cut")))
    talk.give(.voiceStarted(detector: .vad))
    talk.give(.voiceEnded(detector: .vad))
    talk.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(talk.controller.input.awaitsAnswer)
  }

  @Test func wordsThatNothingCameOfAreGivenBackToTheUser() {
    var talk = Talk()
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voiceEnded(detector: .model))
    talk.give(.userTranscribed(connection: talk.connection, text: "run the tests", isFinal: true))
    let actions = talk.give(.timerFired(timer: .unansweredUtterance), after: Limits.unansweredUtteranceMilliseconds)
    #expect(
      actions.contains { if case .show(.warning(let text)) = $0 { text.contains("“run the tests”") } else { false } })
  }

  @Test func aVoiceThatIsBeingLoadedOrAtWorkHasNotStalled() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .text(delta: "It is built. ")))
    talk.give(.agentReported(run: talk.run, event: .paragraphEnded))
    let piece = try #require(talk.controller.speech.requested)
    _ = give(.working(part: .voice), to: &talk)
    for _ in 0..<10 {
      talk.give(.timerFired(timer: .speechStall(speech: piece.id)), after: Limits.speechStallMilliseconds)
      #expect(talk.controller.speech.requested == piece)
    }
    _ = give(.idle(part: .voice), to: &talk)
    let actions = talk.give(.timerFired(timer: .speechStall(speech: piece.id)), after: Limits.speechStallMilliseconds)
    #expect(actions.contains(.cancelSpeech(speech: piece.id)))
  }

  @Test func anEngineThatFailsForGoodIsSaidAndKeepsNobodyWaiting() {
    var talk = Talk(.init { $0.takesCommands = false })
    _ = give(.loading(part: .recogniser), to: &talk)
    _ = give(.working(part: .recogniser), to: &talk)
    let actions = give(.failed(reason: "it ended 3 times in a row"), to: &talk)
    #expect(actions.contains { if case .show(.error) = $0 { true } else { false } })
    talk.give(.microphoneEnded)
    #expect(talk.controller.armedTimers.contains(.endOfInput))
    #expect(talk.controller.status.loading == [])
  }
}

/// The connection to a live model on a slow machine, or behind a slow network.
struct SlowLinkTests {
  private static let slow = "The live model did not answer the setup within 10 seconds."

  /// A session that was never connected.
  private func start(_ settings: InteractionSettings = .init()) -> Talk {
    var talk = Talk(settings)
    talk.controller = InteractionController()
    talk.rules = SessionRules()
    talk.give(.sessionStarted(settings: settings))
    return talk
  }

  /// Let setups go unanswered until the session ends, at most this often. Returns how often.
  private func letSetupsTimeOut(_ talk: inout Talk, times: Int) -> Int {
    for count in 0..<times {
      guard talk.controller.outcome == nil else { return count }
      if talk.controller.link.awaitsResuming != nil { talk.give(.timerFired(timer: .reconnect), after: 30_000) }
      guard let connection = talk.controller.link.currentConnection, talk.controller.link.isOpening(connection) else {
        return count
      }
      talk.give(.timerFired(timer: .setup(connection: connection)), after: Limits.setupMilliseconds)
      if talk.controller.outcome == nil {
        talk.give(.linkClosed(connection: connection, failure: .init(remedy: .none, reason: "closed")))
      }
    }
    return times
  }

  @Test func aServerThatIsSlowAtTheStartIsGivenMoreThanTwoAttempts() {
    var talk = start()
    #expect(letSetupsTimeOut(&talk, times: 100) == Limits.connectionAttempts)
    #expect(talk.controller.outcome == .failed(reason: Self.slow))
  }

  @Test func aServerThatIsNotThereAtTheStartIsGivenTwo() {
    var talk = start()
    for _ in 0..<2 {
      if talk.controller.link.awaitsResuming != nil { talk.give(.timerFired(timer: .reconnect), after: 500) }
      guard let connection = talk.controller.link.currentConnection else { break }
      talk.give(.linkClosed(connection: connection, failure: .init(remedy: .newSession, reason: "refused")))
    }
    #expect(talk.controller.outcome == .failed(reason: "refused"))
  }

  @Test func aSessionWhoseAgentIsAtWorkIsNotEndedByASlowSetup() throws {
    var talk = start(.init { $0.takesCommands = false })
    talk.give(.agentReady(agent: AgentDescription(name: "agent", capabilities: [.ask, .cancel])))
    try talk.work()
    #expect(letSetupsTimeOut(&talk, times: 100) == 100)
    #expect(talk.controller.outcome == nil)
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
    _ = letSetupsTimeOut(&talk, times: 1)
    #expect(talk.controller.outcome == .failed(reason: Self.slow))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whoHasTalkedToItMayWaitForTheConnectionAsLongAsHeLikes() {
    var talk = Talk()
    talk.give(.linkClosed(connection: talk.connection, failure: .init(remedy: .resume, reason: "cut")))
    #expect(letSetupsTimeOut(&talk, times: 100) == 100)
    #expect(talk.controller.outcome == nil)
    talk.give(.commandsEnded)
    _ = letSetupsTimeOut(&talk, times: 1)
    #expect(talk.controller.outcome == .failed(reason: Self.slow))
  }

  @Test func whatCannotHealEndsTheSessionHoweverMuchItHasToLose() throws {
    var talk = Talk()
    try talk.work()
    talk.give(.linkClosed(connection: talk.connection, failure: .init(remedy: .giveUp, reason: "The key was revoked.")))
    #expect(talk.controller.outcome == .failed(reason: "The key was revoked."))
  }
}
