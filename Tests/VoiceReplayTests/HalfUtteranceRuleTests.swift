import Testing
import VoiceVocabulary

@testable import VoiceReplay

/// A session that sends half of what somebody said is found out by the sound alone.
struct HalfUtteranceRuleTests {
  private static func frame(_ number: Int, _ level: Int16 = 500) -> MicrophoneFrame {
    MicrophoneFrame(position: number * PCM.frameSamples, samples: [level, -level])
  }

  /// Whether a connection may begin with this frame when these were loud.
  private static func mayBegin(
    with number: Int, after loud: [Range<Int>], level: Int16 = 500, isOpen: Bool = true
  ) -> Bool {
    var rule = WholeUtteranceRule()
    for frame in loud.joined() { rule.heard(Self.frame(frame, level), isOpen: isOpen) }
    return rule.violation(by: Self.frame(number), on: ConnectionID(rawValue: 1)) == nil
  }

  /// What is missing at the beginning, or left at the end, is missed if it is 200 ms long.
  @Test(arguments: [(0, true), (9, true), (10, false), (50, false), (90, false), (91, true), (100, true)])
  func aConnectionDoesNotBeginInsideAnUtterance(_ number: Int, _ isAllowed: Bool) {
    #expect(Self.mayBegin(with: number, after: [0..<100]) == isAllowed)
  }

  /// A pause of 200 ms parts two utterances.
  @Test(arguments: [(59, false), (60, true)]) func aPausePartsTwo(_ next: Int, _ isAllowed: Bool) {
    #expect(Self.mayBegin(with: 49, after: [0..<50, next..<110]) == isAllowed)
  }

  @Test(arguments: [(400, true, true), (401, true, false), (401, false, true)] as [(Int16, Bool, Bool)])
  func onlyWhatIsLoudAtAnOpenMicrophoneIsSaid(_ level: Int16, _ isOpen: Bool, _ isAllowed: Bool) {
    #expect(Self.mayBegin(with: 50, after: [0..<100], level: level, isOpen: isOpen) == isAllowed)
  }

  @Test(arguments: [(Limits.unansweredFrames - 1, false), (Limits.unansweredFrames, true)])
  func whatHasNoPauseForHalfAMinuteIsNoise(_ count: Int, _ isAllowed: Bool) {
    #expect(Self.mayBegin(with: 50, after: [0..<count]) == isAllowed)
  }

  @Test func aConnectionBeginsOnce() {
    var rule = WholeUtteranceRule()
    let connection = ConnectionID(rawValue: 1)
    #expect(rule.violation(by: Self.frame(0), on: connection) == nil)
    for number in 0..<100 { rule.heard(Self.frame(number), isOpen: true) }
    #expect(rule.violation(by: Self.frame(50), on: connection) == nil)
    #expect(rule.violation(by: Self.frame(50), on: ConnectionID(rawValue: 2)) != nil)
  }
}

/// What the agent begins by itself is in the ledger as its own, from its beginning to its end, and is never handed to it.
struct OwnRunRuleTests {
  private static let own = RunID(rawValue: -1)

  private static func instruction(_ source: Instruction.Source = .agent, _ text: String = "Tests.") -> Instruction {
    Instruction(id: InstructionID(rawValue: 1), text: text, heard: nil, source: source)
  }

  private static func entered(_ instruction: Instruction, _ run: RunID = own) -> VoiceAction {
    .noteInLedger(entry: .entered(instruction: instruction, run: run))
  }

  private static func broken(_ steps: [(VoiceEvent, [VoiceAction])]) -> [String] {
    var (rule, unseen) = (OwnRunRule(), UnseenWorkRule())
    return steps.flatMap { rule.check($0.0, $0.1, &unseen) }
  }

  private static let began = VoiceEvent.agentStartedRun(run: own, text: "Tests.")
  private static let isOver = VoiceEvent.agentReported(run: own, event: .turnEnded(end: .completed))
  private static let ended = VoiceAction.noteInLedger(entry: .ended(run: own, end: .completed))

  @Test func whatIsInTheLedgerToItsEndIsInOrder() {
    #expect(Self.broken([(Self.began, [Self.entered(Self.instruction())]), (Self.isOver, [Self.ended])]) == [])
  }

  @Test(arguments: [[], [entered(instruction(.voice))], [entered(instruction(.agent, "Else."))]])
  func aBeginningThatIsNotInTheLedgerIsTold(_ actions: [VoiceAction]) {
    let broken = Self.broken([(Self.began, actions)])
    #expect(broken.count == 1 && broken[0].hasSuffix("which the agent began by itself, is not in the ledger"))
  }

  @Test func anEndThatIsNotInTheLedgerIsTold() {
    let broken = Self.broken([(Self.began, [Self.entered(Self.instruction())]), (Self.isOver, [])])
    #expect(broken.count == 1 && broken[0].hasSuffix("has no end in the ledger"))
  }

  @Test func whatTheAgentDidNotBeginIsNotItsOwn() {
    let broken = Self.broken([(.commandsEnded, [Self.entered(Self.instruction())])])
    #expect(broken.count == 1 && broken[0].hasSuffix("stands in the ledger as the agent's own"))
  }

  /// The numbers of its own runs are below those of the session's, which begin at 1.
  @Test(
    arguments: [(1, .keyboard, true), (0, .keyboard, false), (1, .agent, false)] as [(Int, Instruction.Source, Bool)])
  func nothingOfItsOwnIsHandedToIt(_ run: Int, _ source: Instruction.Source, _ isAllowed: Bool) {
    let start = VoiceAction.startRun(run: RunID(rawValue: run), instruction: Self.instruction(source))
    #expect(Self.broken([(.commandsEnded, [start])]).isEmpty == isAllowed)
  }
}
