import Testing
import VoiceLanguage
import VoiceReplay
import VoiceVocabulary

@testable import VoiceCore

/// What the recogniser is not sure of, and what else it heard.
struct HearingTests {
  private static func unsure(_ text: String, _ words: String..., alternatives: [String] = []) -> Hearing {
    Hearing(
      sureness: text.split(separator: " ").map { words.contains(String($0)) ? 5 : 99 }, alternatives: alternatives)
  }

  /// Something is said that the recogniser knows more of than its text.
  @discardableResult
  private static func say(
    _ text: String, _ hearing: Hearing?, as proposal: String? = nil, to talk: inout Talk
  ) -> [VoiceAction] {
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    talk.give(.soundLevelChanged(level: .silence), after: 500)
    talk.give(.voiceEnded(detector: .model), after: 300)
    talk.give(
      .userTranscribed(connection: talk.connection, text: text, isFinal: true, hearing: hearing), after: 300)
    return talk.propose(proposal ?? text)
  }

  private static func held(_ talk: Talk) -> Instruction? {
    if case .instruction(let instruction) = talk.controller.held.last?.content { instruction } else { nil }
  }

  private static func alternatives(_ talk: inout Talk) -> [String]?? {
    talk.give(.commandGiven(command: .beginEdit)).compactMap { action -> [String]?? in
      if case .show(.editing(_, let alternatives)) = action { alternatives } else { nil }
    }.first
  }

  @Test func anUnsureWordIsMarkedForTheUserAndNamedToTheAgent() {
    var talk = Talk(.init { $0.mode = .review })
    let said = "Make a cash for the paths, and make it large."
    Self.say(said, Self.unsure(said, "cash", "make"), to: &talk)
    let held = Self.held(talk)
    #expect(held?.text == said)
    #expect(held?.repair?.notes == [.unsure(heard: "cash", place: 2), .unsure(heard: "make", place: 7)])
    #expect(held?.markedText == "Make a cash [?] for the paths, and make [?] it large.")
    #expect(
      held?.introduced(by: "By voice.") == said + "\n\n(By voice. “cash”, “make” may have been misheard.)")
  }

  /// What is added by speaking on is worded, marked and known to be heard like what stands before it.
  @Test func whatIsAddedByVoiceIsMarkedBesideWhatWasMarkedBefore() throws {
    var talk = Talk(.init { $0.mode = .review })
    Self.say("Clear the cash.", Self.unsure("Clear the cash.", "cash."), to: &talk)
    try talk.command("extend")
    Self.say("And fix the air.", Self.unsure("And fix the air.", "air."), to: &talk)
    let held = Self.held(talk)
    #expect(held?.text == "Clear the cash. And fix the air.")
    #expect(held?.markedText == "Clear the cash [?]. And fix the air [?].")
    #expect(held?.heard == "Clear the cash. And fix the air.")
  }

  /// The word that ends it is no part of it.
  @Test func theEndWordOfAnAdditionIsNotAdded() throws {
    var talk = Talk(
      .init {
        $0.mode = .review
        $0.endWord = "over"
      })
    Self.say("Fix the test over", nil, to: &talk)
    try talk.command("extend")
    Self.say("and run it over", nil, to: &talk)
    #expect(Self.held(talk)?.text == "Fix the test and run it")
    #expect(Self.held(talk)?.heard == "Fix the test and run it")
    try talk.command("extend")
    Self.say("over", nil, to: &talk)
    #expect(Self.held(talk)?.text == "Fix the test and run it")
  }

  /// What he said before he halted the work is not meant to begin now, whatever is heard before its words come.
  @Test(arguments: [false, true], [false, true])
  func whatWasSaidBeforeAHaltIsHeld(_ isHeardAgain: Bool, _ isAtWork: Bool) throws {
    var talk = Talk(.init { $0.mode = .direct })
    if isAtWork { try talk.work() }
    talk.give(.voiceStarted(detector: .model), after: 12_000)
    talk.give(.soundLevelChanged(level: .sound), after: 0)
    talk.give(.soundLevelChanged(level: .silence), after: 500)
    talk.give(.voiceEnded(detector: .model), after: 300)
    try talk.command("halt", after: 100)
    if isAtWork { talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .cancelled))) }
    if isHeardAgain {
      talk.give(.voiceStarted(detector: .model), after: 50)
      talk.give(.voiceEnded(detector: .model), after: 200)
    }
    talk.give(.userTranscribed(connection: talk.connection, text: "Run the tests.", isFinal: true), after: 100)
    talk.propose("Run the tests.")
    #expect(talk.heldTexts == ["Run the tests."])
    #expect(talk.controller.run.isIdle)
    // What he says afterwards is meant.
    talk.say("Show the diff.")
    #expect(talk.heldTexts == ["Run the tests."] && !talk.controller.run.isIdle)
    #expect(talk.rules.violations.isEmpty)
  }

  /// It is the user's own, however surely it was heard: who has something read again and then says more means that next.
  @Test func whatBeginsWithAGuessIsSomebodysWords() throws {
    var talk = Talk(.init { $0.mode = .review })
    Self.say("Fix the test.", nil, to: &talk)
    try talk.command("again")
    Self.say("Undo the change.", Hearing(sureness: [19, 100, 100]), to: &talk)
    #expect(talk.heldTexts == ["Fix the test.", "Undo the change."])
    let actions = talk.say("reject")
    #expect(talk.heldTexts.count == 2, "\(actions)")
  }

  /// The model has written something harmless in its place; a key is needed all the same.
  @Test func whatWasHeardOfAnAdditionMayNeedAKey() throws {
    var talk = Talk(.init { $0.mode = .review })
    Self.say("Fix the test.", nil, to: &talk)
    try talk.command("extend")
    Self.say("And push it.", nil, as: "And put it.", to: &talk)
    #expect(Self.held(talk)?.text == "Fix the test. And put it.")
    let actions = talk.say("approve")
    #expect(!actions.isApproval && actions.refusal?.contains("push") == true)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func ofEachInstructionThatIsHeldItIsKnownWhatElseWasHeard() throws {
    var talk = Talk(
      .init {
        $0.mode = .review
        $0.readsBack = false
      })
    for number in 1...Limits.heldItems {
      let hearing = Hearing(sureness: [99, 99, 99], alternatives: ["close file \(number)"])
      Self.say("open file \(number)", hearing, to: &talk)
    }
    #expect(talk.controller.held.count == Limits.heldItems)
    while let item = talk.controller.held.current, item.id != talk.controller.held.first?.id {
      try talk.command("previous")
    }
    #expect(Self.alternatives(&talk) == ["close file 1"])
  }

  @Test func ofTwoEqualWordsTheUnsureOneIsMarked() {
    var talk = Talk(.init { $0.mode = .review })
    let hearing = Hearing(sureness: [99, 99, 99, 99, 3])
    Self.say("read it and write it", hearing, to: &talk)
    #expect(Self.held(talk)?.markedText == "read it and write it [?]")
  }

  @Test func whatWasPutRightOrIsDoubtfulAnywayIsNotMarkedTwice() {
    var talk = Talk(.init { $0.mode = .review })
    talk.give(.wordsLearned(words: ProjectWords(names: ["InteractionController", "RetryLoop"])))
    let said = "Rename interaction controller and fix the retrial loop now."
    Self.say(said, Self.unsure(said, "controller", "retrial", "now."), to: &talk)
    #expect(
      Self.held(talk)?.markedText
        == "Rename InteractionController and fix the retrial loop [RetryLoop?] now [?].")
  }

  @Test func ofAWordThatTheModelLeftOutNothingIsSaid() {
    var talk = Talk(.init { $0.mode = .review })
    Self.say("please um run the tests", Self.unsure("please um run the tests", "um"), as: "Run the tests.", to: &talk)
    #expect(Self.held(talk)?.repair == nil)
  }

  @Test func whatIsKnownOfOtherWordsThanTheseIsNothing() {
    var talk = Talk(.init { $0.mode = .review })
    Self.say("run the tests", Hearing(sureness: [1, 1]), to: &talk)
    #expect(Self.held(talk)?.repair == nil)
    Self.say("show the diff", Hearing(), to: &talk)
    #expect(Self.held(talk)?.repair == nil)
  }

  /// As a loudspeaker in a room left it of the program's own voice on a busy machine.
  private static let guess = Hearing(sureness: [8, 21, 21, 16])

  @Test(arguments: [
    (guess, true), (Hearing(sureness: [99, 4, 98, 97]), false), (nil, false),
    // "Describe the changes", for "discard the changes".
    (Hearing(sureness: [1, 100, 100, 100]), true), (Hearing(sureness: [20, 100, 100, 100]), false),
  ])
  func whatWasHardlyUnderstoodIsHeldInDirectMode(_ hearing: Hearing?, _ isHeld: Bool) {
    var talk = Talk(.init { $0.mode = .direct })
    let actions = Self.say("Next to get more.", hearing, to: &talk)
    #expect((Self.held(talk)?.text == "Next to get more.") == isHeld)
    let told = VoiceAction.show(notice: .warning(text: "The recogniser was unsure of this, so it is held."))
    #expect(actions.contains(told) == isHeld)
    #expect(talk.controller.run.isIdle == isHeld)
  }

  @Test(arguments: [(guess, false), (Hearing(sureness: [99, 4, 98, 97]), true), (nil, true)])
  func whatWasHardlyUnderstoodInterruptsNothing(_ hearing: Hearing?, _ interrupts: Bool) throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    talk.answer("The first sentence is here. The second one is a longer sentence.")
    talk.give(.voiceStarted(detector: .model))
    talk.give(.voicePaused(detector: .model), after: 200)
    talk.give(.timerFired(timer: .interruption), after: 300)
    let heard = VoiceEvent.userTranscribed(
      connection: talk.connection, text: "Next to get more.", isFinal: true, hearing: hearing)
    #expect(talk.give(heard, after: 600).contains(.clearPlayback) == interrupts)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anUnsureApprovalDecidesAsASureOneDoes() {
    for hearing in [nil, Hearing(sureness: [1, 1], alternatives: ["reject it"])] {
      var talk = Talk(.init { $0.mode = .review })
      talk.say("run the tests")
      Self.say("send it", hearing, to: &talk)
      #expect(talk.controller.held.isEmpty)
    }
  }

  /// Who takes one of the recogniser's own offers has taught something once he does it again, if that is not too long ago.
  @Test(arguments: [(Limits.rememberedInstructions - 1, true), (Limits.rememberedInstructions, false)])
  func anOfferThatWasTakenIsRememberedForSoManyOthers(_ others: Int, _ isRemembered: Bool) {
    var count = 0
    func edit(_ heard: String, _ meant: String, in words: inout WordsRegion) -> [Correction] {
      count += 1
      let instruction = Instruction(
        id: InstructionID(rawValue: count), text: "run the \(heard) now", heard: nil, source: .voice)
      let text = "run the \(meant) now"
      words.remember(instruction.text, Hearing(alternatives: [text]), as: instruction.id)
      return words.edited(instruction, to: text)
    }
    var words = WordsRegion()
    #expect(edit("cash", "cache", in: &words).isEmpty)
    for number in 0..<others {
      let ending = String(number, radix: 2).map { $0 == "0" ? "b" : "d" }.joined()
      #expect(edit("zebra\(ending)", "zebro\(ending)", in: &words).isEmpty)
    }
    #expect(!edit("cash", "cache", in: &words).isEmpty == isRemembered)
  }

  @Test func whatIsTypedIsNeverUnsure() throws {
    var talk = Talk(.init { $0.mode = .review })
    Self.say("run the cash", Self.unsure("run the cash", "cash", alternatives: ["run the cache"]), to: &talk)
    try talk.command("amend run the cash now")
    #expect(Self.held(talk)?.markedText == "run the cash now")
    try talk.command("say clear the cash")
    #expect(Self.held(talk)?.markedText == "clear the cash")
    try talk.command("next")
    #expect(Self.alternatives(&talk) == .some(nil))
  }

  @Test func piecesOfAnInstructionKeepTheirDoubts() {
    var talk = Talk(
      .init {
        $0.mode = .review
        $0.endWord = "over"
      })
    Self.say("clear the cash", Self.unsure("clear the cash", "cash"), to: &talk)
    Self.say("and the pads over", Self.unsure("and the pads over", "pads", "over"), to: &talk)
    #expect(Self.held(talk)?.markedText == "clear the cash [?] and the pads [?]")
  }

  // MARK: What else was heard

  @Test func whoEditsSeesWhatElseWasHeardAsItWouldBeWritten() {
    var talk = Talk(.init { $0.mode = .review })
    talk.give(.wordsLearned(words: ProjectWords(names: ["InteractionController"])))
    let others = [
      "rename interaction controller", "rename interaction patroller", "rename action controller",
      "rename InteractionController",
    ]
    Self.say("rename interaction controller", Hearing(alternatives: others), to: &talk)
    #expect(Self.alternatives(&talk) == ["rename interaction patroller", "rename action controller"])
  }

  private static func learned(_ actions: [VoiceAction]) -> [Correction] {
    actions.flatMap { action in if case .keepCorrections(let lessons) = action { lessons } else { [Correction]() } }
  }

  @Test func whatTheRecogniserOfferedTeachesWhenItIsChosenTwice() throws {
    var talk = Talk(.init { $0.mode = .review })
    let hearing = Hearing(alternatives: ["the mutexes slow"])
    Self.say("the mutex is slow", hearing, to: &talk)
    #expect(Self.learned(try talk.command("amend the mutexes slow")) == [])
    try talk.command("approve")
    Self.say("the mutex is slow", hearing, to: &talk)
    try talk.command("next")
    #expect(Self.learned(try talk.command("amend the mutexes slow")).map(\.meant) == ["mutexes"])
  }

  @Test func whatTheUserTypedHimselfTeachesAtOnce() throws {
    var talk = Talk(.init { $0.mode = .review })
    Self.say("restart the sillarow service", Hearing(alternatives: ["restart the silver service"]), to: &talk)
    #expect(Self.learned(try talk.command("amend restart the silero service")).map(\.meant) == ["silero"])
  }

  /// The recogniser heard "thirty" and was sure of it: who writes "forty" has changed his mind. What sounds the same is known by
  /// its meaning alone; and who says it may have been understood.
  @Test(arguments: [
    ("wait thirty seconds", 98, "amend wait forty seconds", []),
    ("wait thirty seconds", 84, "amend wait forty seconds", ["forty"]),
    ("clear the cash", 98, "amend clear the cache", ["cache"]),
  ])
  func whatWasSurelyHeardIsNotTaught(_ said: String, _ sureness: Int, _ line: String, _ learned: [String]) throws {
    var talk = Talk()
    Self.say(said, Hearing(sureness: [99, sureness, sureness]), to: &talk)
    #expect(Self.learned(try talk.command(line)).map(\.meant) == learned)
  }

  @Test func whatIsChangedByVoiceTeachesNothing() {
    var talk = Talk(.init { $0.readsBack = false })
    talk.say("clear the cash")
    #expect(Self.learned(talk.say("change cash to cache", after: 3_000)).isEmpty)
    #expect(talk.heldTexts == ["clear the cache"])
  }

  /// In direct mode, what the live model made of the words goes out if it shares half of them.
  @Test(arguments: [("run the linter again", true), ("start the linter again", false)])
  func halfOfWhatWasHeardMustBeInWhatGoesOut(_ proposal: String, _ goesOut: Bool) {
    var talk = Talk(.init { $0.mode = .direct })
    talk.give(.voiceStarted(detector: .model), after: 1_000)
    talk.give(.voiceEnded(detector: .model), after: 800)
    talk.give(.userTranscribed(connection: talk.connection, text: "run the tests now", isFinal: true), after: 300)
    let actions = talk.propose(proposal)
    #expect(actions.contains { if case .enterInLedger = $0 { true } else { false } } == goesOut)
    #expect(talk.heldTexts == (goesOut ? [] : [proposal]))
  }

  @Test(arguments: [(0, 1), (1, 0)]) func anInstructionIsAsLongAsItsLimitAtMost(_ more: Int, _ held: Int) {
    var talk = Talk(.init { $0.mode = .review })
    talk.propose(String(repeating: "a", count: Limits.instructionCharacters + more))
    #expect(talk.heldTexts.count == held)
  }

  @Test func theDetectorHearsTheUserUntilItHearsHimEnd() {
    var talk = Talk(.init { $0.mode = .review })
    talk.give(.voiceStarted(detector: .vad))
    #expect(talk.controller.echo.isVoiceActive)
    talk.give(.voiceEnded(detector: .vad))
    #expect(!talk.controller.echo.isVoiceActive)
  }

  @Test func whereNothingElseWasHeardThereIsNothingToShow() {
    var talk = Talk(.init { $0.mode = .review })
    talk.say("run the tests")
    #expect(Self.alternatives(&talk) == .some(nil))
  }

  @Test func whatElseWasHeardInTheRestOfASentenceIsOfTheWhole() {
    let joined = Hearing.joined([
      ("clear the", Hearing(sureness: [99, 98], alternatives: ["clean the"])),
      ("", Hearing()), ("cash", Hearing(sureness: [7], alternatives: ["cache"])),
    ])
    #expect(joined == Hearing(sureness: [99, 98, 7], alternatives: ["clean the cash", "clear the cache"]))
    #expect(Hearing.joined([("a", Hearing(sureness: [1])), ("b", Hearing())]).isEmpty)
  }
}
