import Testing
import VoiceReplay
import VoiceVocabulary

/// What the rules make of words and calls on a connection that was left: nobody listens there any more.
struct ConnectionRulesTests {
  private static let left = ConnectionID(rawValue: 1)
  private static let open = ConnectionID(rawValue: 2)

  private static func call(_ connection: ConnectionID, _ id: String = "c") -> CallID {
    CallID(connection: connection, id: id, tool: "converse")
  }

  private static func said(_ text: String, on connection: ConnectionID = open) -> VoiceEvent {
    .userTranscribed(connection: connection, text: text, isFinal: true)
  }

  /// The rules of a session that has left its first connection for a second.
  private static func rules(_ settings: InteractionSettings = .init { $0.mode = .direct }) -> SessionRules {
    var rules = SessionRules()
    rules.check(.sessionStarted(settings: settings), [.openLink(connection: left, resuming: false)], at: .zero)
    rules.check(.linkReady(connection: left, resumed: false), [], at: .zero)
    let cut = LinkFailure(remedy: .resume, reason: "cut")
    rules.check(
      .linkClosed(connection: left, failure: cut), [.openLink(connection: open, resuming: true)], at: .milliseconds(100)
    )
    rules.check(.linkReady(connection: open, resumed: true), [], at: .milliseconds(200))
    return rules
  }

  /// Each of these answers what was said before it, on the connection that heard it and on no other.
  private static func answers(on connection: ConnectionID) -> [VoiceEvent] {
    [
      .instructionProposed(call: call(connection), text: "run it"), .stopRequested(call: call(connection)),
      .callRejected(call: call(connection), reason: "unreadable"), .modelTurnEnded(connection: connection),
      .linkClosed(connection: connection, failure: LinkFailure(remedy: .resume, reason: "cut")),
    ]
  }

  private static func unanswered(after events: [VoiceEvent]) -> [String] {
    var rules = rules()
    for event in events { rules.check(event, [], at: .milliseconds(1_000)) }
    rules.check(.timerFired(timer: .endOfInput), [.end(outcome: .completed)], at: .milliseconds(2_000))
    return rules.violations
  }

  @Test(arguments: answers(on: open)) func anAnswerOnTheOpenConnectionAnswersWhatWasSaid(_ answer: VoiceEvent) {
    #expect(Self.unanswered(after: [Self.said("run it"), answer]) == [])
    // And not what is said after it.
    let later = Self.unanswered(after: [Self.said("run it"), answer, Self.said("and push", on: Self.open)])
    let isClosed = if case .linkClosed = answer { true } else { false }
    #expect(later == (isClosed ? [] : ["a completed session has not answered “and push”"]))
  }

  /// They come in no order, but not so late.
  @Test(arguments: [
    (0, true), (Limits.transcriptDelayMilliseconds, true), (Limits.transcriptDelayMilliseconds + 1, false),
  ])
  func wordsMayComeBehindTheirCall(_ milliseconds: Int, _ areIts: Bool) {
    var rules = Self.rules()
    let call = Self.call(Self.open)
    rules.check(.instructionProposed(call: call, text: "run it"), [], at: .milliseconds(1_000))
    rules.check(.modelTurnEnded(connection: Self.open), [], at: .milliseconds(1_000))
    rules.check(Self.said("run it"), [], at: .zero.advanced(byMilliseconds: 1_000 + milliseconds))
    rules.check(.timerFired(timer: .endOfInput), [.end(outcome: .completed)], at: .milliseconds(20_000))
    #expect(rules.violations == (areIts ? [] : ["a completed session has not answered “run it”"]))
  }

  @Test(arguments: answers(on: left)) func anAnswerOnAConnectionThatWasLeftAnswersNothing(_ answer: VoiceEvent) {
    #expect(
      Self.unanswered(after: [Self.said("run it"), answer]) == ["a completed session has not answered “run it”"])
  }

  @Test func wordsOnAConnectionThatWasLeftAreNobodys() {
    #expect(Self.unanswered(after: [Self.said("run it", on: Self.left)]) == [])
  }

  @Test func wordsOfOneUtteranceAreToldTogether() {
    #expect(
      Self.unanswered(after: [Self.said("run "), Self.said("it")])
        == ["a completed session has not answered “run it”"])
  }

  /// Blanks are no words: there is nothing to answer.
  @Test func silenceNeedsNoAnswer() { #expect(Self.unanswered(after: [Self.said("  ")]) == []) }

  /// A session that somebody ends, or that fails, owes no answer any more.
  @Test func onlyTimeMustWaitForAnAnswer() {
    var rules = Self.rules()
    rules.check(Self.said("run it"), [], at: .milliseconds(1_000))
    rules.check(.commandGiven(command: .quit), [.end(outcome: .completed)], at: .milliseconds(2_000))
    #expect(rules.violations == [])
  }

  // MARK: Whose words decide

  private static let instruction = Instruction(id: .init(rawValue: 1), text: "push it", heard: nil, source: .keyboard)
  private static let item = HeldItem(
    id: HeldItemID(rawValue: 1), content: .instruction(instruction: instruction), since: .zero)

  /// What is broken when these events come while the item is held, the last of which approves it.
  private static func broken(_ events: VoiceEvent...) -> [String] {
    var rules = rules(InteractionSettings { $0.mode = .review })
    rules.check(.commandsEnded, [.show(notice: .held(item: item, position: 1))], at: .milliseconds(1_000))
    rules.check(.voiceStarted(detector: .vad), [], at: .milliseconds(2_500))
    for (index, event) in events.enumerated() {
      let approval = VoiceAction.show(notice: .approved(item: item.id, text: "push it"))
      rules.check(event, index == events.count - 1 ? [approval] : [], at: .milliseconds(3_000))
    }
    return rules.violations
  }

  private static func proposed(_ id: String, on connection: ConnectionID = open) -> VoiceEvent {
    .instructionProposed(call: call(connection, id), text: "approve")
  }

  private static func isOther(_ broken: [String]) -> Bool {
    broken.count == 1 && broken[0].hasPrefix("item 1 was approved by ")
  }

  /// A call that comes late from the connection before, or a second time, says nothing of what was said since.
  @Test func aCallOfBeforeDoesNotTakeTheWordsOfTheUser() {
    #expect(Self.broken(Self.said("approve"), Self.proposed("a")) == [])
    #expect(Self.broken(Self.said("approve"), Self.proposed("a", on: Self.left), Self.proposed("b")) == [])
    #expect(
      Self.broken(Self.said("later"), Self.proposed("a"), Self.said("approve"), Self.proposed("a"), Self.proposed("b"))
        == [])
  }

  @Test func wordsDecideOnce() {
    #expect(Self.isOther(Self.broken(Self.said("approve"), Self.proposed("a"), Self.proposed("b"))))
    #expect(Self.isOther(Self.broken(Self.said("approve", on: Self.left), Self.proposed("a"))))
  }
}
