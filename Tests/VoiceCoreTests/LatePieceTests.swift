import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

struct LatePieceTests {
  private func talk(_ mode: InteractionMode, readsBack: Bool = false) -> Talk {
    Talk(
      .init {
        $0.mode = mode
        $0.readsBack = readsBack
      })
  }

  private func sent(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction.text } else { nil } }
  }

  private let first = "Take another look at the."
  private let second = "Configuration before you go on."
  private let whole = "Take another look at the configuration before you go on."

  @Test func inDirectModeTheRestOfAnUnfinishedSentenceIsWaitedFor() {
    var talk = talk(.direct)
    #expect(sent(talk.say(first)).isEmpty)
    #expect(sent(talk.say(second, after: 1_500)) == [whole])
    #expect(!talk.controller.armedTimers.contains(.latePiece))
    #expect(talk.rules.violations.isEmpty)
  }

  /// The rest is begun at the very end of the wait, and heard before that is told.
  @Test(arguments: [(0, true), (1, false)]) func theRestMayBeginUpToTheEndOfTheWait(_ more: Int, _ isSoon: Bool) {
    var talk = talk(.review)
    talk.say(first)
    talk.say(second, after: Limits.latePieceMilliseconds + more)
    #expect(talk.heldTexts == (isSoon ? [whole] : [first, second]))
  }

  @Test func whatDoesNotGoOnIsHeldSinceTimeSendsNothing() throws {
    var talk = talk(.direct)
    talk.say(first)
    #expect(sent(talk.give(.timerFired(timer: .latePiece), after: 2_000)).isEmpty)
    #expect(talk.heldTexts == [first])
    #expect(sent(try talk.command("approve", after: 1_000)) == [first])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whileSomebodySpeaksNothingLeaves() {
    var talk = talk(.direct)
    talk.say(first)
    talk.give(.voiceStarted(detector: .model), after: 1_900)
    #expect(sent(talk.give(.timerFired(timer: .latePiece), after: 100)).isEmpty)
    talk.give(.voiceEnded(detector: .model), after: 2_000)
    talk.give(.userTranscribed(connection: talk.connection, text: second, isFinal: true))
    #expect(sent(talk.propose(second)) == [whole])
  }

  @Test func whereNobodyCanApproveItLaterItLeavesOnceNothingFollows() {
    var talk = talk(.direct)
    talk.give(.commandsEnded)
    #expect(sent(talk.say(first)).isEmpty)
    #expect(sent(talk.give(.timerFired(timer: .leaving), after: 2_000)) == [first])
    #expect(sent(talk.say(first)).isEmpty && sent(talk.say(second, after: 1_500)).isEmpty)
    #expect(talk.controller.run.queue.map(\.text) == [whole])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aSentenceMayBePartedTwice() {
    var talk = talk(.direct)
    talk.say(first)
    #expect(sent(talk.say("Second line of the", after: 1_000)).isEmpty)
    #expect(sent(talk.say("Log.", after: 1_000)) == ["Take another look at the second line of the log."])
  }

  /// Each piece is waited for as long as the first, from the one before it.
  @Test(arguments: [(1_350, true), (Limits.latePieceMilliseconds, true), (Limits.latePieceMilliseconds + 1, false)])
  func inReviewModeItMayBe(after milliseconds: Int, _ isSoon: Bool) {
    var talk = talk(.review)
    talk.say(first)
    talk.say("Second line of the", after: 1_000)
    talk.say("Log.", after: milliseconds)
    let whole = "Take another look at the second line of the"
    #expect(talk.heldTexts == (isSoon ? [whole + " log."] : [whole, "Log."]))
    #expect(talk.rules.violations.isEmpty)
  }

  /// Both pieces follow their beginning into the running work.
  @Test func inDirectModeWhatWasSentMayBePartedTwice() throws {
    var talk = talk(.direct)
    func id(_ actions: [VoiceAction]) throws -> InstructionID {
      try #require(actions.compactMap { if case .enterInLedger(_, let i) = $0 { i.id } else { nil } }.first)
    }
    talk.give(.ledgerEntered(instruction: try id(talk.say("Copy the folder."))))
    let second = try id(talk.say("To the other machine.", after: 1_000))
    talk.give(.ledgerEntered(instruction: second))
    talk.give(.agentReported(run: talk.run, event: .steered(instruction: second)))
    #expect(sent(talk.say("And from there into the archive.", after: 1_000)) == ["And from there into the archive."])
    #expect(talk.controller.run.queue.isEmpty && talk.controller.run.steering != .none)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aWholeSentenceWaitsForNothing() {
    var talk = talk(.direct)
    #expect(sent(talk.say("Take another look.")) == ["Take another look."])
  }

  @Test func stopDropsWhatWaitsForItsRest() {
    var talk = talk(.direct)
    talk.say(first)
    let actions = talk.give(
      .stopRequested(call: CallID(connection: talk.connection, id: "s", tool: "stop")), after: 500)
    #expect(actions.contains(.noteInLedger(entry: .rejected(instruction: InstructionID(rawValue: 1)))))
    #expect(sent(talk.give(.timerFired(timer: .latePiece), after: 2_000)).isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func inDirectModeWhatWasSentIsFollowedByItsRest() throws {
    var talk = talk(.direct)
    let left = talk.say("Copy the folder.")
    let id = try #require(left.compactMap { if case .enterInLedger(_, let i) = $0 { i.id } else { nil } }.first)
    talk.give(.ledgerEntered(instruction: id))
    let actions = talk.say("To the other machine.", after: 1_500)
    #expect(sent(actions) == ["To the other machine."])
    #expect(talk.controller.run.steering != .none)
    #expect(talk.rules.violations.isEmpty)
  }

  /// Repaired names make it look like another sentence; half of the words in common are enough.
  @Test(arguments: [
    ("Show the event inbox and sentence chunker.", "Show the EventInbox and SentenceChunker.", true),
    (
      "Show the event inbox and sentence chunker and interaction controller.",
      "Show the EventInbox and SentenceChunker and InteractionController.",
      false
    ),
  ])
  func whatRunsIsKnownByHalfOfItsWords(_ said: String, _ repaired: String, _ isKnown: Bool) throws {
    var talk = talk(.direct)
    talk.give(.wordsLearned(words: ProjectWords(names: ["EventInbox", "SentenceChunker", "InteractionController"])))
    let left = talk.say(said)
    let id = try #require(left.compactMap { if case .enterInLedger(_, let i) = $0 { i.id } else { nil } }.first)
    talk.give(.ledgerEntered(instruction: id))
    #expect(sent(left) == [repaired])
    #expect(sent(talk.say("To the other window.", after: 1_500)) == (isKnown ? ["To the other window."] : []))
    #expect(talk.controller.run.queue.map(\.text) == (isKnown ? [] : ["To the other window."]))
  }

  @Test func whatComesLaterFollowsInItsTurn() throws {
    var talk = talk(.direct)
    let left = talk.say("Copy the folder.")
    let id = try #require(left.compactMap { if case .enterInLedger(_, let i) = $0 { i.id } else { nil } }.first)
    talk.give(.ledgerEntered(instruction: id))
    #expect(sent(talk.say("To the other machine.", after: 2_500)).isEmpty)
    #expect(talk.controller.run.queue.map(\.text) == ["To the other machine."])
  }

  @Test func whatIsReadBackIsNotSaidToItsEndOnceItGrew() {
    // What the user says does not interrupt by itself.
    var talk = Talk(
      .init {
        $0.mode = .review
        $0.interruptedBy = .vad
        $0.readsBack = true
      })
    let said = talk.say("Copy the folder.").compactMap { if case .speak(let id, _, _) = $0 { id } else { nil } }
    let actions = talk.say("To the other machine.", after: 400)
    #expect(talk.heldTexts == ["Copy the folder to the other machine."])
    #expect(said.count == 1 && actions.contains(.cancelSpeech(speech: said[0])))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func inReviewModeTheHeldInstructionGrowsVisibly() {
    var talk = talk(.review)
    talk.say(first)
    let actions = talk.say(second, after: 1_500)
    #expect(talk.heldTexts == [whole])
    #expect(actions.contains { if case .show(.amended(_, whole)) = $0 { true } else { false } })
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatGrewIsToBeSeenAgainBeforeItIsApproved() throws {
    var talk = talk(.review)
    talk.say(first)
    talk.say(second, after: 1_500)
    #expect(try talk.command("approve", after: 300).refusal != nil)
    #expect(sent(try talk.command("approve", after: 1_000)) == [whole])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatIsSaidLaterIsHeldByItself() {
    var talk = talk(.review)
    talk.say(first)
    talk.say(second, after: 2_500)
    #expect(talk.heldTexts == [first, second])
  }

  @Test func aDecisionIsNoRestOfASentence() {
    var talk = talk(.review)
    talk.say(first)
    #expect(sent(talk.say("Yes, send it.", after: 1_500)) == [first])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func nobodyIsTalkedIntoWhileHeMayGoOn() {
    var talk = talk(.review, readsBack: true)
    func isSaid(_ actions: [VoiceAction]) -> Bool {
      actions.contains { if case .speak = $0 { true } else { false } }
    }
    let held = talk.say(first)
    let item = HeldItemID(rawValue: 1)
    #expect(!isSaid(held))
    #expect(
      held.contains(.startTimer(timer: .lateReadBack(item: item), milliseconds: Limits.latePieceMilliseconds)))
    #expect(isSaid(talk.give(.timerFired(timer: .lateReadBack(item: item)), after: 2_000)))
    // A whole one is said at once.
    var other = self.talk(.review, readsBack: true)
    #expect(isSaid(other.say("Take another look.")))
  }
}
