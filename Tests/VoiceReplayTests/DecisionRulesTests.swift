import Testing
import VoiceReplay
import VoiceVocabulary

/// The rules about what waits for the user, each with a step that keeps it and one that breaks it.
struct DecisionRulesTests {
  private static let connection = ConnectionID(rawValue: 1)
  private static let run = RunID(rawValue: 1)
  private static let item = HeldItemID(rawValue: 1)
  private static let instruction = Instruction(
    id: .init(rawValue: 1), text: "run it", heard: nil, source: .keyboard)
  private static let held = HeldItem(id: item, content: .instruction(instruction: instruction), since: .zero)
  private static let request = PermissionRequest(
    id: .init(rawValue: "p"), title: "Run a script", detail: "",
    subject: .init(kind: "execute", command: String(repeating: "echo a\n", count: 2_000)),
    choices: [.allowOnce, .rejectOnce])
  private static let asked = HeldItem(id: item, content: .permission(run: run, request: request), since: .zero)

  /// A step, with the milliseconds at which it is taken.
  private typealias Step = (milliseconds: Int64, event: VoiceEvent, actions: [VoiceAction])

  /// What the rules say of these steps.
  private func violations(
    _ steps: [Step], settings: InteractionSettings = InteractionSettings { $0.mode = .review }
  ) -> [String] {
    var rules = SessionRules()
    rules.check(
      .sessionStarted(settings: settings), [.openLink(connection: Self.connection, resuming: false)], at: .zero)
    rules.check(.linkReady(connection: Self.connection, resumed: false), [], at: .zero)
    for step in steps { rules.check(step.event, step.actions, at: .milliseconds(step.milliseconds)) }
    return rules.violations
  }

  private static let shown: [Step] = [
    (1_000, .commandsEnded, [.show(notice: .held(item: held, position: 1))])
  ]
  private static let approval = VoiceAction.show(notice: .approved(item: item, text: "run it"))

  @Test func whatWasShownForItsTimeMayBeApproved() {
    #expect(violations(Self.shown + [(1_700, .commandGiven(command: .approve), [Self.approval])]) == [])
  }

  @Test func whatWasShownForTooShortMayNotBeApproved() {
    let broken = violations(Self.shown + [(1_699, .commandGiven(command: .approve), [Self.approval])])
    #expect(broken.count == 1 && broken[0].hasSuffix("before it was shown for 700 ms"), "\(broken)")
  }

  /// Another program has the terminal from the moment in which the item came up.
  @Test func whatNobodyCouldSeeMayNotBeApproved() {
    let lent: [Step] = [(500, .screenLent, [])]
    let broken = violations(lent + Self.shown + [(9_000, .commandGiven(command: .approve), [Self.approval])])
    #expect(broken.count == 1, "\(broken)")
    let back: [Step] = [(8_000, .screenReturned, [])]
    #expect(
      violations(lent + Self.shown + back + [(8_699, .commandGiven(command: .approve), [Self.approval])]).count == 1)
    #expect(
      violations(lent + Self.shown + back + [(8_700, .commandGiven(command: .approve), [Self.approval])]) == [])
  }

  /// Nobody could say before that the process would be stopped.
  @Test func afterAStopTheItemIsToBeSeenAnew() {
    let back: [Step] = [(8_000, .screenReturned, [])]
    for (time, isBroken) in [(8_699, true), (8_700, false)] as [(Int64, Bool)] {
      let steps = Self.shown + back + [(time, .commandGiven(command: .approve), [Self.approval])]
      #expect(violations(steps).isEmpty != isBroken)
    }
  }

  /// What came up in that very moment was not seen either.
  @Test func whatCameUpAsTheScreenWasLentIsNotSeenBefore() {
    let lent: [Step] = [(1_000, .screenLent, []), (9_000, .commandGiven(command: .approve), [Self.approval])]
    #expect(violations(Self.shown + lent).count == 1)
    // Lent once more, it is away since the first time.
    let again: [Step] = [(500, .screenLent, []), (1_500, .screenLent, [])]
    #expect(
      violations(
        again.prefix(1) + Self.shown + again.suffix(1) + [(9_000, .commandGiven(command: .approve), [Self.approval])]
      )
      .count == 1)
    let seen: [Step] = [(1_001, .screenLent, []), (9_000, .commandGiven(command: .approve), [Self.approval])]
    #expect(violations(Self.shown + seen) == [])
  }

  /// Who wants no time to look is not held up.
  @Test func withoutATimeToLookNothingMustHaveBeenShown() {
    let settings = InteractionSettings { ($0.mode, $0.shownMilliseconds) = (.review, 0) }
    let steps: [Step] = [(1_000, .commandGiven(command: .approve), [Self.approval])]
    #expect(violations(Self.shown + steps, settings: settings) == [])
    #expect(violations(Self.shown + [(1_000, .screenLent, [])] + steps, settings: settings).count == 1, "nobody saw it")
    let shortest = InteractionSettings { ($0.mode, $0.shownMilliseconds) = (.review, 1) }
    #expect(violations(Self.shown + steps, settings: shortest).count == 1, "the least time is a time")
  }

  /// What an agent asks on top of too much, or when nobody decides any more, is denied by itself; else only by the user.
  @Test(arguments: [(Limits.heldItems - 1, false), (Limits.heldItems, true)])
  func onlyWhatComesOnTopOfTooMuchIsDeniedByItself(_ count: Int, _ mayBe: Bool) {
    let items: [Step] = (1...count).map { number in
      let item = HeldItem(
        id: .init(rawValue: number), content: .instruction(instruction: Self.instruction), since: .zero)
      return (1_000, .commandGiven(command: .help), [.show(notice: .held(item: item, position: number))])
    }
    let asks = VoiceEvent.agentReported(run: Self.run, event: .permissionRequested(request: Self.request))
    let denial = VoiceAction.answerPermission(
      run: Self.run, permission: Self.request.id, choice: .rejectOnce, reason: nil)
    let broken = violations(items + [(2_000, asks, [denial])])
    #expect(broken.isEmpty == mayBe, "\(broken)")
  }

  @Test(arguments: [InteractionSettings.Unattended.refuses, .ends]) func withoutAUserRequestsAreDeniedIfHeSaidSo(
    _ unattended: InteractionSettings.Unattended
  ) {
    let settings = InteractionSettings { ($0.mode, $0.unattended) = (.review, unattended) }
    let asks = VoiceEvent.agentReported(run: Self.run, event: .permissionRequested(request: Self.request))
    let denial = VoiceAction.answerPermission(
      run: Self.run, permission: Self.request.id, choice: .rejectOnce, reason: nil)
    #expect(violations([(2_000, asks, [denial])], settings: settings).count == 1, "somebody is there")
    let alone = violations([(1_000, .commandsEnded, []), (2_000, asks, [denial])], settings: settings)
    #expect(alone.isEmpty == (unattended == .refuses))
  }

  /// A reason is given with a denial, and an answer by whoever may answer.
  @Test(
    arguments: [
      (VoiceEvent.commandGiven(command: .approve), PermissionRequest.Choice.allowOnce, nil, true),
      (.commandGiven(command: .approve), .allowOnce, "because", false),
      (.commandGiven(command: .reject(reason: "no")), .rejectOnce, "no", true),
      (.commandGiven(command: .choose(numbers: [1])), .allowAlways, nil, true),
      (.commandGiven(command: .halt), .allowOnce, nil, false),
      (.timerFired(timer: .answerLimit(item: Self.item)), .rejectOnce, nil, true),
      (.timerFired(timer: .answerLimit(item: Self.item)), .allowOnce, nil, false),
      (.commandGiven(command: .help), .rejectOnce, nil, false),
    ] as [(VoiceEvent, PermissionRequest.Choice, String?, Bool)])
  func aPermissionIsAnsweredByWhoeverMay(
    _ event: VoiceEvent, _ choice: PermissionRequest.Choice, _ reason: String?, _ mayBe: Bool
  ) {
    let answer = VoiceAction.answerPermission(
      run: Self.run, permission: Self.request.id, choice: choice, reason: reason)
    #expect(violations([(2_000, event, [answer])]).isEmpty == mayBe)
  }

  @Test(
    arguments: [
      (VoiceEvent.commandGiven(command: .answer(text: "main")), AgentQuestion.Answer.text(text: "main"), true),
      (.commandGiven(command: .choose(numbers: [1])), .options(indices: [0]), true),
      (.commandGiven(command: .approve), .options(indices: [0]), false),
      (.commandGiven(command: .reject(reason: nil)), .declined, true),
      (.timerFired(timer: .answerLimit(item: Self.item)), .declined, true),
      (.timerFired(timer: .answerLimit(item: Self.item)), .text(text: "main"), false),
      (.commandGiven(command: .answer(text: "main")), .declined, false),
    ] as [(VoiceEvent, AgentQuestion.Answer, Bool)])
  func aQuestionIsAnsweredByWhoeverMay(_ event: VoiceEvent, _ answer: AgentQuestion.Answer, _ mayBe: Bool) {
    let action = VoiceAction.answerQuestion(run: Self.run, question: QuestionID(rawValue: "q"), answer: answer)
    #expect(violations([(2_000, event, [action])]).isEmpty == mayBe)
  }

  @Test func whatCameUpAsTheScreenWasLentIsShownOnceItIsBack() {
    let lent: [Step] = [(1_000, .screenLent, []), (8_000, .screenReturned, [])]
    for (milliseconds, count) in [(8_699, 1), (8_700, 0)] as [(Int64, Int)] {
      let approved: Step = (milliseconds, .commandGiven(command: .approve), [Self.approval])
      #expect(violations(Self.shown + lent + [approved]).count == count)
    }
  }

  /// It was approved, and then held anew.
  @Test(arguments: [false, true]) func besideWorkThatMayGoOnNothingBeginsThatWaitsForTheUser(_ isHeldAnew: Bool) {
    let other = Instruction(id: .init(rawValue: 2), text: "push it", heard: nil, source: .keyboard)
    let waiting = VoiceAction.show(
      notice: .held(item: HeldItem(id: Self.item, content: .instruction(instruction: other), since: .zero), position: 1)
    )
    var steps: [Step] = [
      (
        100, .commandGiven(command: .say(text: "run it")),
        [.enterInLedger(run: Self.run, instruction: Self.instruction)]
      ),
      (
        200, .ledgerEntered(instruction: Self.instruction.id), [.startRun(run: Self.run, instruction: Self.instruction)]
      ),
      (300, .agentReported(run: Self.run, event: .turnEnded(end: .unconfirmed(reason: "gone", mayGoOn: true))), []),
      (1_000, .commandsEnded, [waiting]),
      (2_000, .commandGiven(command: .approve), [.show(notice: .approved(item: Self.item, text: "push it"))]),
    ]
    if isHeldAnew { steps.append((3_000, .commandsEnded, [waiting])) }
    steps.append((4_000, .commandsEnded, [.enterInLedger(run: RunID(rawValue: 2), instruction: other)]))
    #expect(
      violations(steps, settings: InteractionSettings { $0.mode = .direct }).contains {
        $0.contains("beside work that may go on unseen")
      } == isHeldAnew)
  }

  @Test func aBurstOfKeysDecidesOnce() {
    let other = HeldItem(
      id: .init(rawValue: 2),
      content: .instruction(instruction: Instruction(id: .init(rawValue: 2), text: "b", heard: nil, source: .keyboard)),
      since: .zero)
    let steps: [Step] = [
      (
        1_000, .commandsEnded,
        [.show(notice: .held(item: Self.held, position: 1)), .show(notice: .held(item: other, position: 2))]
      ),
      (
        2_000, .commandGiven(command: .approve),
        [Self.approval, .show(notice: .selected(item: other, position: 1, count: 1, waited: 1))]
      ),
    ]
    func approved(at milliseconds: Int64) -> [String] {
      violations(
        steps + [
          (milliseconds, .commandGiven(command: .approve), [.show(notice: .approved(item: other.id, text: "b"))])
        ])
    }
    #expect(approved(at: 2_700) == [])
    #expect(approved(at: 2_500).count == 1)
  }

  @Test func wordsDecideOnlyWhatWasHeardSinceItWasShown() {
    let call = CallID(connection: Self.connection, id: "c", tool: "converse")
    let words: [Step] = [
      (3_000, .userTranscribed(connection: Self.connection, text: "approve", isFinal: true), []),
      (3_100, .instructionProposed(call: call, text: "approve"), [Self.approval]),
    ]
    let voice: [Step] = [(2_500, .voiceStarted(detector: .vad), [])]
    #expect(violations(Self.shown + voice + words) == [])
    let early: [Step] = [(500, .voiceStarted(detector: .vad), [])]
    let broken = violations(early + Self.shown + words)
    #expect(broken.count == 1 && broken[0].hasSuffix("and nothing was heard since it was shown"), "\(broken)")
  }

  @Test func wordsThatMayAnswerTheAgentApproveNothing() {
    let call = CallID(connection: Self.connection, id: "c", tool: "converse")
    func broken(by words: String, reply: String, behind: [Step] = []) -> [String] {
      let steps: [Step] = [
        (3_000, .voiceStarted(detector: .vad), []),
        (3_100, .userTranscribed(connection: Self.connection, text: words, isFinal: true), []),
        (3_200, .instructionProposed(call: call, text: words), [Self.approval]),
      ]
      return violations(
        Self.shown + [(2_000, .agentReported(run: Self.run, event: .text(delta: reply)), [])] + behind + steps)
    }
    let told = broken(by: "yes", reply: "Shall I?")
    #expect(told.count == 1 && told[0].hasSuffix("by words that may be an answer to the agent"), "\(told)")
    #expect(broken(by: "yes, send it", reply: "Shall I?") == [])
    #expect(broken(by: "yes", reply: "I shall.") == [])
    let heard: [Step] = [(2_500, .playbackStarted(speech: SpeechID(rawValue: 1)), [])]
    #expect(broken(by: "yes", reply: "Shall I?", behind: heard) == [])
  }

  @Test func otherWordsApproveNothing() {
    let call = CallID(connection: Self.connection, id: "c", tool: "converse")
    let broken = violations(
      Self.shown + [
        (2_500, .voiceStarted(detector: .vad), []),
        (3_000, .userTranscribed(connection: Self.connection, text: "yes but", isFinal: true), []),
        (3_100, .instructionProposed(call: call, text: "yes but"), [Self.approval]),
      ])
    #expect(broken.count == 1 && broken[0].contains("item 1 was approved by "), "\(broken)")
  }

  @Test func whatIsTooLongToBeShownAtOnceIsAllowedOnlyOnceItWasShownWhole() {
    let shown: [Step] = [
      (1_000, .commandsEnded, [.show(notice: .held(item: Self.asked, position: 1))])
    ]
    let allowed = VoiceAction.show(
      notice: .permissionAnswered(item: Self.item, title: "Run a script", choice: .allowOnce))
    let broken = violations(shown + [(9_000, .commandGiven(command: .approve), [allowed])])
    #expect(broken == ["item 1 was allowed, and not all of it had been shown"])
    let whole: [Step] = [
      (2_000, .commandGiven(command: .explain), [.show(notice: .explained(item: Self.item, text: "all of it"))])
    ]
    #expect(violations(shown + whole + [(9_000, .commandGiven(command: .approve), [allowed])]) == [])
    let denied = VoiceAction.show(
      notice: .permissionAnswered(item: Self.item, title: "Run a script", choice: .rejectOnce))
    #expect(violations(shown + [(9_000, .commandGiven(command: .reject(reason: nil)), [denied])]) == [])
  }

  @Test func whatWasNotHeldDoesNotLeave() {
    let lapsed = VoiceAction.show(notice: .lapsed(item: Self.item, text: "run it", reason: "It is over."))
    #expect(violations([(1_000, .commandsEnded, [lapsed])]) == ["item 1 leaves, but was not held"])
  }

  @Test func whatIsQueuedInReviewModeWasApproved() {
    let queued = VoiceAction.show(notice: .queued(instruction: Self.instruction))
    #expect(
      violations([(1_000, .commandsEnded, [queued])]) == ["instruction 1 is queued without an approval"])
    #expect(violations([(1_000, .commandsEnded, [queued])], settings: InteractionSettings { $0.mode = .direct }) == [])
  }

  @Test func aSessionThatTimeEndsHasAnsweredEverything() {
    let words: [Step] = [
      (
        1_000, .userTranscribed(connection: Self.connection, text: "run it", isFinal: true),
        [.startTimer(timer: .endOfInput, milliseconds: 1)]
      )
    ]
    let end: [Step] = [
      (2_000, .timerFired(timer: .endOfInput), [.end(outcome: .completed)])
    ]
    #expect(violations(words + end) == ["a completed session has not answered “run it”"])
    let answer: [Step] = [(1_500, .modelTurnEnded(connection: Self.connection), [])]
    #expect(violations(words + answer + end) == [])
  }

  // MARK: What the agent begins by itself

  private static let own = RunID(rawValue: -1)
  private static let itsOwn = Instruction(id: .init(rawValue: 9), text: "a command ended", heard: nil, source: .agent)

  @Test func whatTheAgentBeginsByItselfIsInTheLedgerFromBeginningToEnd() {
    let begins = VoiceEvent.agentStartedRun(run: Self.own, text: "a command ended")
    let entered = VoiceAction.noteInLedger(entry: .entered(instruction: Self.itsOwn, run: Self.own))
    let ends = VoiceEvent.agentReported(run: Self.own, event: .turnEnded(end: .completed))
    let ended = VoiceAction.noteInLedger(entry: .ended(run: Self.own, end: .completed))
    #expect(violations([(1_000, begins, [entered]), (2_000, ends, [ended])]) == [])
    #expect(
      violations([(1_000, begins, [])]) == ["run -1, which the agent began by itself, is not in the ledger"])
    #expect(
      violations([(1_000, begins, [entered]), (2_000, ends, [])])
        == ["run -1, which the agent began by itself, has no end in the ledger"])
    #expect(violations([(1_000, .commandsEnded, [entered])]) == ["run -1 stands in the ledger as the agent's own"])
  }

  @Test func whatTheAgentBeganByItselfIsNotHandedToIt() {
    let start = VoiceAction.startRun(run: Self.own, instruction: Self.itsOwn)
    #expect(
      violations([(1_000, .commandsEnded, [start])])
        .contains("run -1 was begun by the agent, and is handed to it"))
  }

  /// What comes up in its place is shown by itself.
  @Test(arguments: [true, false]) func whatMovesUpMustBeShownAgain(_ isShown: Bool) {
    let second = HeldItem(
      id: HeldItemID(rawValue: 2), content: .instruction(instruction: Self.instruction), since: .zero)
    let next: [VoiceAction] = isShown ? [.show(notice: .selected(item: second, position: 1, count: 1, waited: 1))] : []
    let broken = violations(
      Self.shown + [
        (1_100, .commandsEnded, [.show(notice: .held(item: second, position: 2))]),
        (3_000, .commandGiven(command: .approve), [Self.approval] + next),
        (9_000, .commandGiven(command: .approve), [.show(notice: .approved(item: second.id, text: "run it"))]),
      ])
    #expect(broken.contains { $0.hasSuffix("before it was shown for 700 ms") } == !isShown, "\(broken)")
  }
}
