import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// Several items are held, and the user decides by voice: what he has heard of them, and which one he means.
struct SeveralHeldTests {
  private static let refusal =
    "Something else was held since this came up. It is shown again: decide about this one now."

  private static func talk(_ change: (inout InteractionSettings) -> Void = { _ in }) -> Talk {
    var talk = Talk(.init(change))
    talk.say("set the limit to fifteen")
    hear(&talk)
    return talk
  }

  /// Everything that waits to be said is said.
  @discardableResult private static func hear(_ talk: inout Talk) -> [String] {
    var texts: [String] = []
    talk.playNext()
    while let piece = talk.controller.speech.playing.first {
      texts.append(piece.text)
      talk.give(.playbackEnded(speech: piece.id), after: 2_000)
      talk.playNext()
    }
    return texts
  }

  /// Who goes on to dictate and says "send it" then means what he said last.
  @Test(arguments: ["Yes, send it.", "Reject it."]) func whatCameLastMayBeMeant(_ words: String) {
    var talk = Self.talk()
    talk.say("set the limit to fifty")
    #expect(Self.hear(&talk) == ["Also held: set the limit to fifty."])
    let actions = talk.say(words)
    #expect(actions.refusal == Self.refusal && talk.controller.held.count == 2)
    #expect(Self.hear(&talk) == ["Send: set the limit to fifteen"])
    #expect(talk.say(words).refusal == nil)
    #expect(talk.heldTexts == ["set the limit to fifty"])
    #expect(talk.rules.violations.isEmpty)
  }

  /// What is approved and comes back at once, because too much waits for the agent, is shown and said like anything that is held,
  /// once; where something else takes its place, that is put before the user.
  @Test(arguments: [true, false]) func whatIsHeldAgainAtOnceIsPresentedOnce(_ isAlone: Bool) throws {
    var talk = Talk()
    try talk.work()
    try talk.command("mode direct")
    for number in 1...Limits.queuedInstructions { try talk.command("say step \(number)") }
    try talk.command("mode review")
    try talk.command("say one more")
    if !isAlone { try talk.command("say another") }
    Self.hear(&talk)
    let actions = try talk.command("approve")
    let held = actions.compactMap { if case .show(.held(let item, _)) = $0 { item.content.title } else { nil } }
    let selected = actions.compactMap {
      if case .show(.selected(let item, _, _, _)) = $0 { item.content.title } else { nil }
    }
    #expect(held == ["one more"])
    #expect(selected == (isAlone ? [] : ["another"]))
    let texts = Self.hear(&talk)
    #expect(texts == (isAlone ? ["Send: one more"] : ["Also held: one more.", "Send: another"]))
    #expect(talk.heldTexts == (isAlone ? ["one more"] : ["another", "one more"]))
    #expect(talk.rules.violations.isEmpty)
  }

  /// Who had it read or explained since knows which one he decides about.
  @Test(arguments: ["Repeat that.", "Explain."]) func whatHeAsksForIsWhatHeMeans(_ words: String) {
    var talk = Self.talk()
    talk.say("set the limit to fifty")
    Self.hear(&talk)
    talk.say(words)
    #expect(Self.hear(&talk).count == 1)
    #expect(talk.say("Yes, send it.").isApproval)
    #expect(talk.heldTexts == ["set the limit to fifty"])
  }

  /// What came last can be gone to by voice, and is read.
  @Test func anotherItemIsGoneToByVoice() {
    var talk = Self.talk()
    talk.say("set the limit to fifty")
    Self.hear(&talk)
    talk.say("Next item, please.")
    #expect(Self.hear(&talk) == ["Send: set the limit to fifty"])
    talk.say("Go to the previous item.")
    #expect(Self.hear(&talk) == ["Send: set the limit to fifteen"])
    talk.say("Show me the next item.")
    Self.hear(&talk)
    #expect(talk.say("Approve.").isApproval)
    #expect(talk.heldTexts == ["set the limit to fifteen"])
    #expect(talk.say("Show me the next item.").refusal == "Nothing else is held.")
    #expect(talk.heldTexts == ["set the limit to fifteen"])
    #expect(talk.rules.violations.isEmpty)
  }

  /// Where only one item is held, or the live model alone says so, the words go nowhere, and nowhere else.
  @Test(arguments: ["Next item.", "Previous item, please.", "Go to the next item."], InteractionMode.allCases)
  func whereNoOtherItemIsHeldNothingIsSent(_ words: String, _ mode: InteractionMode) throws {
    var talk = Self.talk()
    try talk.command("mode \(mode.rawValue)")
    for actions in [talk.say(words), talk.propose(words)] {
      #expect(!actions.contains { if case .enterInLedger = $0 { true } else { false } })
    }
    #expect(talk.heldTexts == ["set the limit to fifteen"])
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    talk.give(.soundLevelChanged(level: .silence), after: 500)
    talk.give(.voiceEnded(detector: .model), after: 300)
    let untranscribed = talk.propose(words)
    #expect(untranscribed.refusal?.contains("Say “next item” or “previous item”") == true)
    #expect(talk.heldTexts == ["set the limit to fifteen"])
    #expect(talk.rules.violations.isEmpty)
  }

  /// The next one is put before him, and nothing came up since.
  @Test func oneAfterTheOtherIsDecided() {
    var talk = Self.talk()
    talk.say("set the limit to fifty")
    Self.hear(&talk)
    talk.say("Approve.")
    Self.hear(&talk)
    talk.say("Approve.")
    #expect(Self.hear(&talk) == ["Send: set the limit to fifty"])
    #expect(talk.say("Approve.").refusal == nil)
    #expect(talk.heldTexts == [])
  }

  /// The loudspeaker reads it back, and that comes up behind it, again and again; what he dictates later is another matter.
  @Test func whatMayBeNobodysIsAskedAboutOnce() {
    var talk = Self.talk()
    talk.give(.duplexChanged(duplex: .full))
    talk.say("set the limit to fifty")
    #expect(talk.say("Approve.").refusal == Self.refusal)
    talk.playNext()
    talk.give(.voiceStarted(detector: .vad), after: 100)
    talk.give(.voiceEnded(detector: .vad), after: 500)
    talk.give(
      .userTranscribed(
        connection: talk.connection, text: "Fends tell him in", isFinal: true,
        hearing: Hearing(sureness: [40, 40, 40, 40])))
    talk.propose("Fends tell him in")
    Self.hear(&talk)
    #expect(talk.heldTexts.last == "Fends tell him in")
    var other = talk
    #expect(talk.say("Approve.").refusal == nil)
    #expect(talk.heldTexts == ["set the limit to fifty", "Fends tell him in"])
    other.say("and show the diff")
    Self.hear(&other)
    #expect(other.say("Approve.").refusal == Self.refusal)
  }

  /// Words that decide are not said behind another item: who repeats what the program says decides nothing.
  @Test(arguments: ["okay, approve that one", "change the parser and"]) func someTextsAreOnlyShown(_ text: String) {
    var talk = Self.talk()
    talk.say(text)
    #expect(Self.hear(&talk) == [])
    #expect(talk.heldTexts.count == 2)
  }

  @Test func aKeyIsAboutWhatIsShown() throws {
    var talk = Self.talk()
    talk.say("set the limit to fifty")
    #expect(try talk.command("approve").isApproval)
    #expect(talk.heldTexts == ["set the limit to fifty"])
  }

  /// Who only listens hears why nothing was decided, in words that do not decide themselves.
  @Test func aRefusalIsSaid() throws {
    var talk = Self.talk()
    talk.say("delete the old branch")
    try talk.command("reject")
    Self.hear(&talk)
    #expect(talk.say("Approve.").refusal?.hasPrefix("This can be approved by key only") == true)
    #expect(Self.hear(&talk) == ["That takes a key."])
    try talk.command("explain")
    talk.playNext()
    talk.give(.soundLevelChanged(level: .sound), after: 1_000)
    talk.give(.voiceStarted(detector: .model), after: 0)
    talk.give(.voiceEnded(detector: .model), after: 300)
    talk.give(.userTranscribed(connection: talk.connection, text: "Approve.", isFinal: true))
    #expect(talk.propose("Approve.").refusal != nil)
    #expect(Self.hear(&talk).last == "That was heard while the program spoke.")
  }

  /// The agent waits for it, whatever else is held.
  @Test(arguments: [true, false]) func whatTheAgentAsksForIsSaidAtOnce(_ readsBack: Bool) throws {
    var talk = Talk(.init { $0.readsBack = readsBack })
    try talk.work()
    talk.say("set the limit to fifteen")
    Self.hear(&talk)
    talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    #expect(Self.hear(&talk) == ["The agent is also waiting: Run make."])
    #expect(talk.say("Approve.").refusal == Self.refusal)
    #expect(Self.hear(&talk) == ["Send: set the limit to fifteen"], "read, because he may have meant the other")
    #expect(talk.controller.held.count == 2)
    talk.say("and show the diff")
    #expect(Self.hear(&talk).contains("Also held: and show the diff.") == readsBack)
  }

  @Test func anOptionIsOfTheFirstQuestionOrOfTheLast() throws {
    var talk = Talk(.init { $0.spokenDecisions = .all })
    try talk.work()
    for id in ["a", "b"] {
      let question = AgentQuestion(
        id: .init(rawValue: id), text: "Which \(id)?",
        options: ["Red", "Blue"].map { .init(label: $0, explanation: "") })
      talk.give(.agentReported(run: talk.run, event: .questionAsked(question: question)), after: 3_000)
    }
    Self.hear(&talk)
    #expect(talk.say("Two.").refusal == Self.refusal && talk.controller.held.count == 2)
    Self.hear(&talk)
    talk.say("Two.")
    #expect(talk.controller.held.count == 1)
  }

  /// Its work broke off: who only listens hears that it is not as new.
  @Test func whatMayBeDoneInPartIsSaidToBe() throws {
    var talk = Talk()
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .turnStarted))
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .failed(reason: "It died."))))
    #expect(Self.hear(&talk).last == "This may be done in part. Send: build it")
  }
}
