import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// A reply asks something while an instruction is held: a bare "yes" may be meant for either.
struct AnswerToAReplyTests {
  private static let mayBeAnswer =
    "That may be an answer to the agent. About what is held, say “yes, send it” or “cancel that”, or press a key; to the agent, say it in a sentence."
  private static let question = "The tests pass. Shall I commit them?"

  /// An instruction is held, and a reply is heard to its end.
  private static func talk(
    hearing reply: String = question, readsBack: Bool = false,
    _ change: (inout InteractionSettings) -> Void = { _ in }
  ) throws -> Talk {
    var talk = Talk(
      .init {
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

  /// What is held is being read back, and cut by "no" so soon.
  private static func sayNo(_ milliseconds: Int, into talk: inout Talk) throws -> String? {
    try talk.command("again")
    talk.playNext()
    talk.give(.soundLevelChanged(level: .sound), after: milliseconds)
    talk.give(.voiceStarted(detector: .model), after: 0)
    talk.give(.timerFired(timer: .interruption), after: 500)
    talk.give(.voiceEnded(detector: .model), after: 100)
    talk.give(.userTranscribed(connection: talk.connection, text: "No.", isFinal: true), after: 300)
    return talk.propose("No.").refusal
  }

  @Test(arguments: [
    ("Yes.", mayBeAnswer), ("Okay, go ahead.", mayBeAnswer), ("No.", mayBeAnswer), ("Never mind.", mayBeAnswer),
    ("Don't run it.", mayBeAnswer), ("Yes, send it.", nil), ("Approve.", nil), ("No, cancel that.", nil),
    ("Reject it.", nil),
  ])
  func aBareAnswerDecidesNothing(_ text: String, _ refusal: String?) throws {
    var talk = try Self.talk()
    #expect(Self.say(text, to: &talk) == refusal)
    #expect(talk.heldTexts == (refusal == nil ? [] : ["sort the old logs"]))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: ["Yes.", "No."]) func whereNothingWasAskedItDecides(_ text: String) throws {
    var talk = try Self.talk(hearing: "The tests pass.")
    #expect(Self.say(text, to: &talk) == nil)
    #expect(talk.heldTexts.isEmpty)
  }

  @Test func itMayBeChangedAndAskedAbout() throws {
    var talk = try Self.talk()
    #expect(Self.say("change old to new", to: &talk) == nil)
    #expect(talk.heldTexts == ["sort the new logs"])
    #expect(Self.say("What will happen?", to: &talk) == nil)
  }

  /// What was heard last is what the answer is about.
  @Test func whatIsReadBackBehindTheQuestionIsAnswered() throws {
    var talk = try Self.talk(readsBack: true)
    #expect(Self.say("Yes.", to: &talk) == Self.mayBeAnswer, "read back before the question")
    try talk.command("again")
    talk.playNext()
    Self.hear(&talk)
    #expect(Self.say("Yes.", to: &talk) == nil)
    #expect(talk.heldTexts.isEmpty)
  }

  /// What is said of another item behind it leaves it answered.
  @Test func anotherItemAsksNothingAnew() throws {
    var talk = try Self.talk(readsBack: true)
    try talk.command("again")
    talk.playNext()
    Self.hear(&talk)
    talk.say("and show the diff")
    talk.playNext()
    Self.hear(&talk)
    #expect(Self.say("Yes.", to: &talk)?.hasPrefix("Something else was held") == true)
    talk.playNext()
    Self.hear(&talk)
    #expect(Self.say("Yes.", to: &talk) == nil)
    #expect(talk.heldTexts == ["and show the diff"])
  }

  /// Who cuts the reading back at once has not heard what it is about, and does not know it when he says it again.
  @Test(arguments: [(Limits.shownMilliseconds - 1, true), (Limits.shownMilliseconds, false)])
  func whatIsCutAtOnceWasNotReadBack(_ milliseconds: Int, _ isRefused: Bool) throws {
    var talk = try Self.talk(readsBack: true)
    #expect(try Self.sayNo(milliseconds, into: &talk) == (isRefused ? Self.mayBeAnswer : nil))
    #expect(talk.heldTexts.isEmpty != isRefused)
  }

  @Test func whoSilencesTheReadingBackAtOnceHasNotHeardIt() throws {
    var talk = try Self.talk(readsBack: true)
    try talk.command("again")
    talk.playNext()
    try talk.command("quiet", after: 300)
    #expect(Self.say("Yes.", to: &talk) == Self.mayBeAnswer)
    talk.playNext()
    Self.hear(&talk)
    try talk.command("again")
    talk.playNext()
    try talk.command("quiet", after: 800)
    #expect(Self.say("Yes.", to: &talk) == nil)
  }

  /// The question itself is cut by the answer.
  @Test func aQuestionThatWasCutWasHeard() throws {
    var talk = try Self.talk(hearing: "The tests pass.")
    talk.answer("Shall I commit them?")
    talk.give(.soundLevelChanged(level: .sound), after: 500)
    talk.give(.voiceStarted(detector: .model), after: 0)
    talk.give(.timerFired(timer: .interruption), after: 500)
    #expect(!talk.controller.speech.isActive)
    talk.give(.voiceEnded(detector: .model), after: 100)
    talk.give(.userTranscribed(connection: talk.connection, text: "No.", isFinal: true), after: 300)
    #expect(talk.propose("No.").refusal == Self.mayBeAnswer)
    #expect(talk.heldTexts == ["sort the old logs"])
  }

  /// What is not spoken any more is read.
  @Test func aQuestionIsSeenAsWellAsHeard() throws {
    var talk = try Self.talk(hearing: "The tests pass.")
    try talk.command("quiet")
    talk.give(.agentReported(run: talk.run, event: .text(delta: "Shall I commit them?")), after: 20_000)
    #expect(!talk.controller.speech.isActive)
    #expect(Self.say("Yes.", to: &talk) == Self.mayBeAnswer)
  }

  /// It is spoken long after it was shown, and skipped.
  @Test func aQuestionThatIsSkippedWasHeard() throws {
    var talk = try Self.talk(hearing: "The tests pass.")
    talk.answer("Shall I commit them?")
    try talk.command("reject", after: 20_000)
    try talk.command("say sort the new logs")
    #expect(talk.heldTexts == ["sort the new logs"])
    try talk.command("skip")
    #expect(!talk.controller.speech.isActive)
    #expect(Self.say("Yes.", to: &talk) == Self.mayBeAnswer)
  }

  @Test(arguments: [(Limits.transcriptDelayMilliseconds, true), (Limits.transcriptDelayMilliseconds + 1, false)])
  func whatComesUpLongBehindTheQuestionIsWhatIsAnswered(_ milliseconds: Int, _ isRefused: Bool) throws {
    var talk = try Self.talk()
    try talk.command("reject", after: milliseconds - 1_000)
    try talk.command("say show the diff")
    #expect((Self.say("Yes.", to: &talk) != nil) == isRefused)
  }

  /// It was held before the question, though it is shown first behind it.
  @Test func whatIsDecidedNextIsNoNewer() throws {
    var talk = try Self.talk { $0.spokenDecisions = .all }
    var other = talk
    talk.say("and show the diff", after: 100)
    try talk.command("reject", after: 20_000)
    #expect(Self.say("Yes.", to: &talk) == Self.mayBeAnswer)
    // What the agent asks for, and waits for, is answered.
    try other.command("reject", after: 20_000)
    other.give(.agentReported(run: other.run, event: .permissionRequested(request: Talk.permission)))
    #expect(Self.say("No.", to: &other) == nil)
    #expect(other.controller.held.isEmpty)
  }

  /// The live model calls it a stop: of what is held nobody can say so, but the work is stopped.
  @Test func dontDoThatStopsTheWorkAndRejectsNothing() throws {
    for (reply, stops) in [(Self.question, true), ("The tests pass.", false)] {
      var talk = try Self.talk(hearing: reply)
      talk.give(.voiceStarted(detector: .model), after: 2_000)
      talk.give(.soundLevelChanged(level: .sound))
      talk.give(.voiceEnded(detector: .model), after: 500)
      talk.give(.userTranscribed(connection: talk.connection, text: "Don't do that.", isFinal: true))
      let actions = talk.give(.stopRequested(call: CallID(connection: talk.connection, id: "s", tool: "stop")))
      #expect(actions.contains { if case .cancelRun = $0 { true } else { false } } == stops)
      #expect(talk.heldTexts == (stops ? ["sort the old logs"] : []))
    }
  }
}
