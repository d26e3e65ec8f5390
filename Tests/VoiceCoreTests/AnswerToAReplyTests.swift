import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// A reply asks something while an instruction is held: a bare "yes" may be meant for either.
struct AnswerToAReplyTests {
  private static let askedTwice =
    "That may be the answer to what the agent asked. Of what is held, say “approve” or “reject”, or press a key."

  /// An instruction is held, and a reply is heard to its end.
  private static func talk(
    hearing reply: String, readsBack: Bool = false, _ change: (inout InteractionSettings) -> Void = { _ in }
  ) throws -> Talk {
    var talk = Talk(
      .init {
        $0.mode = .review
        $0.keepsTurnsTogether = true
        $0.readsBack = readsBack
        change(&$0)
      })
    try talk.work()
    talk.say("sort the old logs")
    talk.answer(reply)
    hear(&talk)
    return talk
  }

  /// Everything that waits to be said is said.
  private static func hear(_ talk: inout Talk) {
    while let piece = talk.controller.speech.playing.first {
      talk.give(.playbackEnded(speech: piece.id), after: 2_000)
      talk.playNext()
    }
  }

  private static func say(_ text: String, to talk: inout Talk) -> String? {
    talk.say(text, after: 4_000).refusal
  }

  @Test(arguments: [
    ("Yes.", askedTwice), ("Okay, go ahead.", askedTwice), ("No.", askedTwice), ("Yes, send it.", nil),
    ("Approve.", nil), ("Cancel that.", nil), ("Reject it.", nil),
  ])
  func aBareAnswerDecidesNothing(_ text: String, _ refusal: String?) throws {
    var talk = try Self.talk(hearing: "The tests pass. Shall I commit them?")
    #expect(Self.say(text, to: &talk) == refusal)
    #expect(talk.heldTexts == (refusal == nil ? [] : ["sort the old logs"]))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func whereNothingWasAskedItDecides() throws {
    var talk = try Self.talk(hearing: "The tests pass.")
    #expect(Self.say("Yes.", to: &talk) == nil)
    #expect(talk.heldTexts.isEmpty)
  }

  /// What was heard last is what the answer is about.
  @Test func whatIsReadBackBehindTheQuestionIsAnswered() throws {
    var talk = try Self.talk(hearing: "Shall I commit them?", readsBack: true)
    #expect(Self.say("Yes.", to: &talk) == Self.askedTwice, "read back before the question")
    try talk.command("again")
    talk.playNext()
    Self.hear(&talk)
    #expect(Self.say("Yes.", to: &talk) == nil)
    #expect(talk.heldTexts.isEmpty)
  }

  @Test func overTheReadingBackItIsAboutThat() throws {
    var talk = try Self.talk(hearing: "Shall I commit them?", readsBack: true)
    try talk.command("again")
    talk.playNext()
    #expect(Self.say("No.", to: &talk) == nil)
    #expect(talk.heldTexts.isEmpty)
  }

  /// The question itself is cut by the answer.
  @Test func aQuestionThatWasCutWasHeard() throws {
    var talk = try Self.talk(hearing: "The tests pass.")
    talk.answer("Shall I commit them?")
    talk.give(.voiceStarted(detector: .model), after: 500)
    talk.give(.timerFired(timer: .interruption), after: 500)
    #expect(!talk.controller.speech.isActive)
    talk.give(.voiceEnded(detector: .model), after: 100)
    talk.give(.userTranscribed(connection: talk.connection, text: "No.", isFinal: true), after: 300)
    #expect(talk.propose("No.").refusal == Self.askedTwice)
    #expect(talk.heldTexts == ["sort the old logs"])
  }

  @Test(arguments: [(Limits.transcriptDelayMilliseconds, true), (Limits.transcriptDelayMilliseconds + 1, false)])
  func whatIsHeldLongBehindTheQuestionIsWhatIsAnswered(_ milliseconds: Int, _ isRefused: Bool) throws {
    var talk = try Self.talk(hearing: "Shall I commit them?")
    try talk.command("reject", after: milliseconds - 1_000)
    try talk.command("say show the diff")
    #expect((Self.say("Yes.", to: &talk) != nil) == isRefused)
  }

  @Test func whatTheAgentAsksForIsAnswered() throws {
    var talk = try Self.talk(hearing: "May I run it?") { $0.spokenDecisions = .all }
    try talk.command("reject")
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    #expect(Self.say("No.", to: &talk) == nil)
    #expect(talk.controller.held.isEmpty)
  }

  @Test func anotherAnswerLeavesNoQuestionOpen() throws {
    var talk = try Self.talk(hearing: "Shall I commit them?")
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
    try talk.command("mode direct")
    let sent = try talk.command("say go on")
    let id = try #require(sent.compactMap { if case .enterInLedger(_, let i) = $0 { i.id } else { nil } }.first)
    talk.give(.ledgerEntered(instruction: id))
    #expect(Self.say("Yes.", to: &talk) == nil)
    #expect(talk.heldTexts.isEmpty)
  }

  @Test func sessionsOfBeforeDecideAsTheyDid() throws {
    var talk = try Self.talk(hearing: "Shall I commit them?") { $0.keepsTurnsTogether = false }
    #expect(Self.say("Yes.", to: &talk) == nil)
    #expect(talk.heldTexts.isEmpty)
  }
}
