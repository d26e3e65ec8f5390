import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// What is whole and does not leave at once in direct mode.
struct LeavingTests {
  private func talk(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Talk {
    Talk(
      .init {
        $0.mode = .direct
        $0.readsBack = false
        change(&$0)
      })
  }

  private func speak(_ talk: inout Talk, after milliseconds: Int) {
    talk.give(.voiceStarted(detector: .model), after: milliseconds)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
  }

  private func pause(_ talk: inout Talk) {
    talk.give(.soundLevelChanged(level: .silence), after: 900)
    talk.give(.voiceEnded(detector: .model), after: 100)
  }

  private func understand(_ text: String, _ talk: inout Talk) -> [String] {
    talk.give(.userTranscribed(connection: talk.connection, text: text, isFinal: true), after: 500)
    return talk.propose(text).entered
  }

  private func engine(_ report: SpeechEngineReport, _ talk: inout Talk) {
    talk.give(.speechEngineReported(report: report), after: 0)
  }

  private func fire(_ talk: inout Talk, after milliseconds: Int = Limits.latePieceMilliseconds) -> [String] {
    talk.give(.timerFired(timer: .leaving), after: milliseconds).entered
  }

  private let first = "Write the report to the file."

  /// The recogniser is slow: by the time that it has understood the first piece, the second is over.
  private func twoPieces(pause milliseconds: Int = 700) -> (talk: Talk, sent: [String]) {
    var talk = talk()
    engine(.working(part: .recogniser), &talk)
    speak(&talk, after: 12_000)
    pause(&talk)
    speak(&talk, after: milliseconds)
    pause(&talk)
    let sent = understand(first, &talk)
    return (talk, sent)
  }

  @Test func theRestThatIsNotUnderstoodYetIsWaitedFor() {
    var (talk, sent) = twoPieces()
    #expect(sent.isEmpty && talk.heldTexts.isEmpty)
    engine(.idle(part: .recogniser), &talk)
    #expect(understand("Unless the tests fail.", &talk) == ["Write the report to the file unless the tests fail."])
    #expect(!talk.controller.armedTimers.contains(.leaving))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatIsAnInstructionOfItsOwnFollowsIt() {
    var (talk, sent) = twoPieces()
    engine(.idle(part: .recogniser), &talk)
    sent += understand("Show the log.", &talk)
    #expect(sent == [first])
    #expect(talk.controller.run.queue.map(\.text) == ["Show the log."])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whatWasBegunLaterIsNotWaitedFor() {
    #expect(twoPieces(pause: Limits.latePieceMilliseconds).sent.isEmpty)
    #expect(twoPieces(pause: Limits.latePieceMilliseconds + 100).sent == [first])
  }

  /// A recogniser that is stuck keeps it for no longer than the limit, and nothing leaves by that.
  @Test func whatIsNeverUnderstoodHoldsIt() {
    var (talk, sent) = twoPieces()
    for _ in 0..<Limits.longestLeavingMilliseconds / Limits.latePieceMilliseconds {
      #expect(talk.heldTexts.isEmpty)
      sent += fire(&talk)
    }
    #expect(sent.isEmpty && talk.heldTexts == [first])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aNoiseBehindItDelaysItForAMoment() {
    var talk = talk()
    engine(.ready(part: .recogniser), &talk)
    speak(&talk, after: 12_000)
    pause(&talk)
    speak(&talk, after: 300)
    #expect(understand(first, &talk).isEmpty)
    talk.give(.soundLevelChanged(level: .silence), after: 100)
    let over = talk.give(.voiceEnded(detector: .model), after: 100)
    #expect(over.contains(.startTimer(timer: .leaving, milliseconds: Limits.textBehindMilliseconds)))
    talk.give(.modelTurnEnded(connection: talk.connection))
    #expect(fire(&talk, after: Limits.textBehindMilliseconds) == [first])
    #expect(talk.rules.violations.isEmpty)
  }

  // MARK: What takes a key in review mode

  private let serious = "Push it to the main branch."

  @Test func whatTakesAKeyWaitsForWhatMayTurnItRound() {
    var talk = talk()
    let said = talk.say(serious)
    #expect(said.entered.isEmpty)
    #expect(said.contains(.show(notice: .leaving(milliseconds: Limits.latePieceMilliseconds))))
    #expect(talk.controller.status.draft == serious)
    #expect(talk.say("Unless the tests fail.", after: 1_000).entered.isEmpty)
    #expect(fire(&talk) == ["Push it to the main branch unless the tests fail."])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: [
    ("Delete all the files.", "That we created today.", "Delete all the files that we created today."),
    ("Remove every test.", "Except the ones for the parser.", "Remove every test except the ones for the parser."),
    ("Do not.", "Push anything yet.", "Do not push anything yet."),
  ])
  func anExceptionBehindAPauseBelongsToIt(_ first: String, _ second: String, _ whole: String) {
    var talk = talk()
    #expect(talk.say(first).entered.isEmpty && talk.say(second, after: 900).entered.isEmpty)
    #expect(fire(&talk) == [whole])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func itLeavesWhereNothingFollows() {
    var talk = talk()
    talk.say(serious)
    #expect(fire(&talk) == [serious])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aKeySendsItAtOnce() throws {
    var talk = talk()
    talk.say(serious)
    #expect(try talk.command("done", after: 300).entered == [serious])
  }

  @Test(arguments: ["No.", "No, don't.", "Hold on.", "Cancel that."]) func itCanBeTakenBackByVoice(_ words: String) {
    var talk = talk()
    talk.say(serious)
    #expect(talk.say(words, after: 500).entered.isEmpty && fire(&talk).isEmpty)
    #expect(talk.heldTexts == [serious])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: ["halt", "reject"]) func itCanBeDroppedByAKey(_ key: String) throws {
    var talk = talk()
    talk.say(serious)
    #expect(try talk.command(key).contains(.show(notice: .draftDropped(text: serious))))
    #expect(fire(&talk).isEmpty && talk.heldTexts.isEmpty)
    #expect(talk.rules.violations.isEmpty)
  }

  /// A server that proposes it twice changes nothing.
  @Test func theSameProposedTwiceLeavesOnce() {
    var talk = talk()
    talk.say(serious)
    #expect(talk.propose(serious).entered.isEmpty && talk.heldTexts.isEmpty)
    #expect(fire(&talk) == [serious])
  }

  @Test func whatDiffersFromWhatWasHeardIsHeldAtOnce() {
    var talk = talk()
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.voiceEnded(detector: .model), after: 800)
    talk.give(.userTranscribed(connection: talk.connection, text: "show the parser and the lexer", isFinal: true))
    talk.propose(serious)
    #expect(talk.heldTexts == [serious])
  }

  @Test func inReviewModeNothingWaits() {
    var talk = talk { $0.mode = .review }
    talk.say(serious)
    #expect(talk.heldTexts == [serious])
  }

  @Test func whatWaitsIsToldWhenTheSessionEnds() {
    var talk = talk()
    talk.say(serious)
    let actions = talk.give(.commandGiven(command: .quit))
    #expect(
      actions.contains {
        if case .show(.lapsed(_, serious, "The session ended before it could be sent.")) = $0 { true } else { false }
      })
    #expect(talk.rules.violations.isEmpty)
  }
}
