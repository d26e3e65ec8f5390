import Testing
import VoiceReplay
import VoiceVocabulary

/// The rules about what becomes of an instruction from its first word to its end, and of what is spoken.
struct PromiseRulesTests {
  private static let connection = ConnectionID(rawValue: 1)
  private static let run = RunID(rawValue: 1)
  private static let speech = SpeechID(rawValue: 1)

  private static func instruction(_ source: Instruction.Source = .voice, _ number: Int = 1) -> Instruction {
    Instruction(id: .init(rawValue: number), text: "run it", heard: nil, source: source)
  }

  private static func item(_ number: Int = 1, _ content: HeldItem.Content? = nil) -> HeldItem {
    HeldItem(
      id: HeldItemID(rawValue: number), content: content ?? .instruction(instruction: instruction(.keyboard, number)),
      since: .zero)
  }

  private typealias Step = (milliseconds: Int64, event: VoiceEvent, actions: [VoiceAction])

  private static func broken(_ settings: InteractionSettings, _ steps: [Step]) -> [String] {
    var rules = SessionRules()
    rules.check(.sessionStarted(settings: settings), [.openLink(connection: connection, resuming: false)], at: .zero)
    rules.check(.linkReady(connection: connection, resumed: false), [], at: .zero)
    for step in steps { rules.check(step.event, step.actions, at: .milliseconds(step.milliseconds)) }
    return rules.violations
  }

  private static let direct = InteractionSettings { $0.mode = .direct }
  private static let review = InteractionSettings { $0.mode = .review }

  // MARK: What is said in pieces

  private static let inPieces = InteractionSettings { ($0.mode, $0.endWord) = (.direct, "over") }

  private static func said(_ text: String) -> Step {
    (1_000, .userTranscribed(connection: connection, text: text, isFinal: true), [])
  }

  private static func proposed(_ text: String, _ source: Instruction.Source = .voice) -> Step {
    let call = CallID(connection: connection, id: text, tool: "converse")
    return (
      1_100, .instructionProposed(call: call, text: text),
      [.noteInLedger(entry: .proposed(instruction: instruction(source)))]
    )
  }

  private static let leaves: Step = (2_000, .commandsEnded, [.enterInLedger(run: run, instruction: instruction())])
  private static let early = ["instruction 1 leaves before the user had ended it"]

  @Test func whatTheUserHasNotEndedDoesNotLeave() {
    #expect(Self.broken(Self.inPieces, [Self.said("run it"), Self.proposed("run it"), Self.leaves]) == Self.early)
    #expect(Self.broken(Self.inPieces, [Self.said("run it over"), Self.proposed("run it"), Self.leaves]) == [])
    #expect(Self.broken(Self.inPieces, [Self.said("run it"), Self.proposed("run it over"), Self.leaves]) == [])
    #expect(Self.broken(Self.direct, [Self.said("run it"), Self.proposed("run it"), Self.leaves]) == [])
  }

  @Test func theKeyEndsWhatWasSaidBeforeAndWhatIsStillUnderstood() {
    let done: Step = (1_500, .commandGiven(command: .done), [])
    #expect(Self.broken(Self.inPieces, [Self.said("run it"), Self.proposed("run it"), done, Self.leaves]) == [])
    #expect(Self.broken(Self.inPieces, [done, Self.said("run it"), Self.proposed("run it"), Self.leaves]) == [])
    // Once: what is said after that is to be ended anew.
    let other = Self.proposed("push it")
    #expect(
      Self.broken(
        Self.inPieces,
        [
          done, Self.proposed("run it"), Self.leaves,
          (3_000, other.event, [.noteInLedger(entry: .proposed(instruction: Self.instruction(.voice, 2)))]),
          (4_000, .commandsEnded, [.enterInLedger(run: Self.run, instruction: Self.instruction(.voice, 2))]),
        ]) == ["instruction 2 leaves before the user had ended it"])
  }

  @Test func timeEndsNothing() {
    let time: Step = (
      1_500, .timerFired(timer: .reconnect), [.noteInLedger(entry: .proposed(instruction: Self.instruction()))]
    )
    #expect(Self.broken(Self.inPieces, [Self.said("run it over"), time, Self.leaves]) == Self.early)
  }

  @Test func theEndOfATurnEndsWhatTheWordEnds() {
    let turn = VoiceEvent.modelTurnEnded(connection: Self.connection)
    let noted = [VoiceAction.noteInLedger(entry: .proposed(instruction: Self.instruction()))]
    #expect(Self.broken(Self.inPieces, [Self.said("run it over"), (1_500, turn, noted), Self.leaves]) == [])
    #expect(Self.broken(Self.inPieces, [Self.said("run it"), (1_500, turn, noted), Self.leaves]) == Self.early)
  }

  @Test func whatIsTypedIsWhole() {
    let typed: Step = (
      1_100, .commandGiven(command: .say(text: "run it")),
      [.noteInLedger(entry: .proposed(instruction: Self.instruction(.keyboard)))]
    )
    #expect(
      Self.broken(
        Self.inPieces,
        [typed, (2_000, .commandsEnded, [.enterInLedger(run: Self.run, instruction: Self.instruction(.keyboard))])])
        == [])
  }

  @Test func inALongThoughtOnlyTheUserEndsIt() {
    let long: Step = (500, .commandGiven(command: .help), [.show(notice: .longThought(isOn: true))])
    #expect(Self.broken(Self.direct, [long, Self.said("run it"), Self.proposed("run it"), Self.leaves]) == Self.early)
    let short: Step = (600, .commandGiven(command: .help), [.show(notice: .longThought(isOn: false))])
    #expect(Self.broken(Self.direct, [long, short, Self.said("run it"), Self.proposed("run it"), Self.leaves]) == [])
  }

  /// Whoever approves it has seen that it is whole.
  @Test func whatIsApprovedMayLeave() {
    let held: Step = (
      1_200, .commandsEnded,
      [.show(notice: .held(item: Self.item(1, .instruction(instruction: Self.instruction())), position: 1))]
    )
    let approved: Step = (
      2_000, .commandGiven(command: .approve), [.show(notice: .approved(item: HeldItemID(rawValue: 1), text: "run it"))]
    )
    #expect(
      Self.broken(Self.inPieces, [Self.said("run it"), Self.proposed("run it"), held, approved, Self.leaves]) == [])
  }

  // MARK: The ledger

  private static func note(_ entries: LedgerEntry..., by event: VoiceEvent = .commandsEnded) -> Step {
    (1_000, event, entries.map { .noteInLedger(entry: $0) })
  }

  private static let quits: Step = (9_000, .commandGiven(command: .quit), [.end(outcome: .completed)])

  @Test(arguments: [
    LedgerEntry.dispatched(instruction: .init(rawValue: 1)), .rejected(instruction: .init(rawValue: 1)),
    .lapsed(instruction: .init(rawValue: 1)), .withdrawn(instruction: .init(rawValue: 1)),
  ])
  func anInstructionHasOneFate(_ fate: LedgerEntry) {
    let proposed = LedgerEntry.proposed(instruction: Self.instruction())
    #expect(Self.broken(Self.direct, [Self.note(proposed), Self.quits]) == ["instruction 1 is lost at the end"])
    #expect(Self.broken(Self.direct, [Self.note(proposed, fate), Self.quits]) == [])
    let twice = Self.broken(Self.direct, [Self.note(proposed, fate, fate), Self.quits])
    let mayBeTwice = fate == .withdrawn(instruction: .init(rawValue: 1))
    #expect(twice == (mayBeTwice ? [] : ["instruction 1 has two fates"]))
  }

  @Test func whatIsKeptForLaterIsNotLost() {
    let kept: Step = (
      2_000, .commandsEnded,
      [
        .show(notice: .held(item: Self.item(), position: 1)),
        .show(notice: .kept(item: HeldItemID(rawValue: 1), instruction: Self.instruction())),
      ]
    )
    #expect(Self.broken(Self.direct, [Self.note(.proposed(instruction: Self.instruction())), kept, Self.quits]) == [])
  }

  /// The reason of a denial is the user's own word to the agent.
  @Test(arguments: [("run it", true), ("another", false), (nil, false)] as [(String?, Bool)])
  func theReasonOfADenialIsItsApproval(_ reason: String?, _ isApproved: Bool) {
    let denial = VoiceEvent.commandGiven(command: .reject(reason: reason))
    let steps = [
      Self.note(.proposed(instruction: Self.instruction(.keyboard)), by: denial),
      (2_000, .commandsEnded, [.enterInLedger(run: Self.run, instruction: Self.instruction(.keyboard))]),
    ]
    #expect(Self.broken(Self.review, steps).isEmpty == isApproved)
  }

  @Test func whatEnteredTheLedgerMayStart() {
    let enters: Step = (1_000, .commandsEnded, [.enterInLedger(run: Self.run, instruction: Self.instruction())])
    let entered: Step = (1_001, .ledgerEntered(instruction: .init(rawValue: 1)), [])
    let starts: Step = (1_002, .commandsEnded, [.startRun(run: Self.run, instruction: Self.instruction())])
    #expect(Self.broken(Self.direct, [enters, entered, starts]) == [])
    // What the disk confirms that was never given to it counts for nothing.
    #expect(Self.broken(Self.direct, [entered, starts]) == ["run 1 starts before it is in the ledger"])
    let steers: Step = (2_000, .commandsEnded, [.steerRun(run: Self.run, instruction: Self.instruction(.voice, 2))])
    #expect(
      Self.broken(Self.direct, [enters, entered, starts, steers]) == ["run 1 is steered before it is in the ledger"])
    let again: Step = (2_000, .commandsEnded, [.steerRun(run: Self.run, instruction: Self.instruction())])
    #expect(Self.broken(Self.direct, [enters, entered, starts, again]) == ["instruction 1 is sent twice"])
  }

  // MARK: What is decided is the current item

  private static func approve(
    _ number: Int, at milliseconds: Int64, by event: VoiceEvent = .commandGiven(command: .approve)
  ) -> Step {
    (milliseconds, event, [.show(notice: .approved(item: HeldItemID(rawValue: number), text: "run it"))])
  }

  private static let two: Step = (
    1_000, .commandsEnded,
    [.show(notice: .held(item: item(1), position: 1)), .show(notice: .held(item: item(2), position: 2))]
  )

  @Test func onlyTheCurrentItemIsDecided() {
    #expect(
      Self.broken(Self.review, [Self.two, Self.approve(2, at: 3_000)])
        == ["item 2 was approved while item 1 was the current one"])
    let selected: Step = (
      2_000, .commandGiven(command: .help),
      [.show(notice: .selected(item: Self.item(2), position: 2, count: 2, waited: 1))]
    )
    #expect(Self.broken(Self.review, [Self.two, selected, Self.approve(2, at: 3_000)]) == [])
    #expect(
      Self.broken(Self.review, [Self.two, selected, Self.approve(2, at: 2_500)]).first?
        .hasSuffix("before it was shown for 700 ms") == true)
    let rejected: Step = (
      3_000, .commandGiven(command: .reject(reason: nil)),
      [.show(notice: .rejected(item: HeldItemID(rawValue: 2), text: "a"))]
    )
    #expect(
      Self.broken(Self.review, [Self.two, rejected]) == ["item 2 was decided while item 1 was the current one"])
    let unknown: Step = (
      2_000, .commandsEnded, [.show(notice: .selected(item: Self.item(3), position: 1, count: 1, waited: 1))]
    )
    #expect(Self.broken(Self.review, [Self.two, unknown]) == ["item 3 is selected, but was not held"])
  }

  @Test(arguments: [
    (UserCommand.approve, true), (.steer, true), (.choose(numbers: [1]), true), (.halt, false),
    (.reject(reason: nil), false),
  ])
  func someCommandsApprove(_ command: UserCommand, _ approves: Bool) {
    let broken = Self.broken(Self.review, [Self.two, Self.approve(1, at: 3_000, by: .commandGiven(command: command))])
    #expect(broken.isEmpty == approves, "\(broken)")
  }

  /// A change that somebody made himself he has seen; another is shown anew.
  @Test(arguments: [
    (VoiceEvent.commandGiven(command: .amend(text: "b")), 1, true), (.commandGiven(command: .help), 1, false),
    (.commandGiven(command: .help), 2, true),
  ])
  func aChangeIsShownAnew(_ event: VoiceEvent, _ number: Int, _ mayBeApproved: Bool) {
    let amended: Step = (2_000, event, [.show(notice: .amended(item: HeldItemID(rawValue: number), text: "b"))])
    #expect(Self.broken(Self.review, [Self.two, amended, Self.approve(1, at: 2_500)]).isEmpty == mayBeApproved)
  }

  private static let long = PermissionRequest(
    id: .init(rawValue: "p"), title: "Act", detail: String(repeating: "x", count: 10_000),
    choices: [.allowOnce, .rejectOnce])

  /// All of it is shown at once, from which on it has to stand there; shown once more, it only stands there longer.
  @Test func whatIsExplainedWholeIsShownFromThenOn() {
    let item = Self.item(1, .permission(run: Self.run, request: Self.long))
    let held: Step = (1_000, .commandsEnded, [.show(notice: .held(item: item, position: 1))])
    func explained(_ milliseconds: Int64) -> Step {
      (milliseconds, .commandGiven(command: .explain), [.show(notice: .explained(item: item.id, text: "x"))])
    }
    func allowed(_ milliseconds: Int64) -> Step {
      (
        milliseconds, .commandGiven(command: .approve),
        [.show(notice: .permissionAnswered(item: item.id, title: "Act", choice: .allowOnce))]
      )
    }
    #expect(Self.broken(Self.review, [held, explained(2_000), allowed(2_700)]) == [])
    #expect(Self.broken(Self.review, [held, explained(2_000), allowed(2_699)]).count == 1)
    #expect(Self.broken(Self.review, [held, explained(2_000), explained(2_600), allowed(2_700)]) == [])
    let short: Step = (
      2_000, .commandGiven(command: .explain), [.show(notice: .explained(item: .init(rawValue: 1), text: "x"))]
    )
    #expect(Self.broken(Self.review, [Self.two, short, Self.approve(1, at: 2_100)]) == [], "it was shown whole before")
  }

  /// Held anew, it is to be approved anew.
  @Test func anApprovalIsOfWhatWasHeldThen() {
    let leaves: Step = (
      5_000, .commandsEnded, [.enterInLedger(run: Self.run, instruction: Self.instruction(.keyboard))]
    )
    #expect(Self.broken(Self.review, [Self.two, Self.approve(1, at: 2_000), leaves]) == [])
    let again: Step = (4_000, .commandsEnded, [.show(notice: .held(item: Self.item(1), position: 2))])
    #expect(
      Self.broken(Self.review, [Self.two, Self.approve(1, at: 2_000), again, leaves])
        == ["instruction 1 goes out in review mode without an approval"])
    // The mode may be switched.
    let switched: Step = (4_500, .commandGiven(command: .mode(mode: .direct)), [])
    #expect(Self.broken(Self.review, [Self.two, Self.approve(1, at: 2_000), again, switched, leaves]) == [])
  }

  // MARK: What is spoken

  private static let sound = SpeechAudio(samples: [1])
  private static let plays: Step = (1_000, .commandsEnded, [.play(speech: speech, audio: sound)])

  @Test func aLoweredVoiceIsRaisedOrCut() {
    let lowers: Step = (2_000, .commandGiven(command: .help), [.duckPlayback])
    let stays = ["the voice stays lowered: nothing will decide why"]
    #expect(Self.broken(Self.direct, [Self.plays, lowers]) == stays)
    for action in [VoiceAction.resumePlayback, .clearPlayback, .startTimer(timer: .interruption, milliseconds: 500)] {
      #expect(Self.broken(Self.direct, [Self.plays, (2_000, lowers.event, [.duckPlayback, action])]) == [])
    }
    let timed: Step = (2_000, lowers.event, [.duckPlayback, .startTimer(timer: .interruption, milliseconds: 500)])
    #expect(Self.broken(Self.direct, [Self.plays, timed, (2_500, .timerFired(timer: .interruption), [])]) == stays)
    #expect(
      Self.broken(Self.direct, [Self.plays, (2_000, lowers.event, [.duckPlayback, .end(outcome: .completed)])]) == [])
  }

  /// What somebody is to hear is heard, unless it is cut or there is no speaker.
  @Test(arguments: [
    (VoiceEvent.playbackEnded(speech: speech), true), (.playbackCleared(speech: speech, heardMilliseconds: 1), true),
    (.playbackCleared(speech: nil, heardMilliseconds: 0), false), (.speakerFailed(reason: "gone"), true),
    (.playbackEnded(speech: SpeechID(rawValue: 2)), false),
  ])
  func whatIsPlayedEnds(_ event: VoiceEvent, _ ends: Bool) {
    let over: Step = (9_000, .timerFired(timer: .endOfInput), [.end(outcome: .completed)])
    #expect(Self.broken(Self.direct, [Self.plays, over]) == ["speech 1 never ended"])
    #expect(Self.broken(Self.direct, [Self.plays, (2_000, event, []), over]).isEmpty == ends)
    #expect(
      Self.broken(Self.direct, [Self.plays, (2_000, .commandGiven(command: .help), [.clearPlayback]), over]) == [])
    #expect(Self.broken(Self.direct, [Self.plays, Self.quits]) == [], "who quits does not want to hear it")
  }

  @Test func behindTheEndNothingHappens() {
    #expect(
      Self.broken(Self.direct, [Self.quits, (9_001, .commandsEnded, [])]).first?.hasPrefix("an event after the end")
        == true)
  }

  @Test func whatOnlySeemsToBeSaidDecidesNothing() {
    func broken(_ text: String, _ actions: [VoiceAction]) -> [String] {
      let seems = VoiceEvent.interimTranscribed(connection: Self.connection, text: text)
      return Self.broken(Self.direct, [(1_000, seems, actions)])
    }
    let rule = ["what only seems to be said has decided something"]
    #expect(broken("run", []) == [] && broken("run", [.clearPlayback]) == rule)
    #expect(broken("Hold on.", [.clearPlayback, .show(notice: .bargedIn)]) == [])
    #expect(broken("Hold on.", [.clearPlayback, .playEarcon(earcon: .waiting)]) == rule)
  }
}
