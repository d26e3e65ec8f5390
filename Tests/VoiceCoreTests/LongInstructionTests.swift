import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

/// An instruction may be as long as the limit, whichever way it comes; a longer one is refused whole, never cut.
struct LongInstructionTests {
  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test(arguments: [(0, true), (1, false)]) func typed(_ more: Int, _ isTaken: Bool) throws {
    var talk = Talk(.init { $0.readsBack = false })
    let whole = Self.text(Limits.instructionCharacters + more)
    let actions = try talk.command("say " + whole)
    #expect(talk.heldTexts == (isTaken ? [whole] : []))
    #expect((actions.refusal == nil) == isTaken)
  }

  @Test(arguments: [(0, true), (1, false)]) func edited(_ more: Int, _ isTaken: Bool) throws {
    var talk = Talk(.init { $0.readsBack = false })
    let whole = Self.text(Limits.instructionCharacters + more)
    try talk.command("say build it")
    let actions = try talk.command("amend " + whole)
    #expect(talk.heldTexts == [isTaken ? whole : "build it"])
    #expect(
      actions.refusal == (isTaken ? nil : "An instruction of \(whole.count) bytes is too long; it was not taken."))
  }

  @Test func editedToNothing() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.command("say build it")
    let actions = talk.give(.commandGiven(command: .amend(text: " ")), after: 1_000)
    #expect(actions.refusal == "An instruction cannot be empty; reject it to drop it.")
    #expect(talk.heldTexts == ["build it"])
  }

  @Test(arguments: [(0, true), (1, false)]) func spoken(_ more: Int, _ isTaken: Bool) {
    var talk = Talk(.init { $0.readsBack = false })
    let whole = Self.text(Limits.instructionCharacters + more)
    talk.propose(whole)
    #expect(talk.heldTexts == (isTaken ? [whole] : []))
  }

  /// What does not fit is an instruction of its own.
  @Test(arguments: [(0, true), (1, false)]) func extended(_ more: Int, _ isAdded: Bool) throws {
    var talk = Talk(.init { $0.readsBack = false })
    let rest = Self.text(Limits.instructionCharacters - 2 + more)
    try talk.command("say a")
    try talk.command("extend")
    talk.propose(rest)
    #expect(talk.heldTexts == (isAdded ? ["a " + rest] : ["a", rest]))
  }

  @Test(arguments: [(0, true), (1, false)]) func goneOnWith(_ more: Int, _ isJoined: Bool) {
    var talk = Talk(.init { $0.readsBack = false })
    let (first, rest) = ("Look at the", Self.text(Limits.instructionCharacters - 12 + more))
    talk.say(first)
    talk.say(rest, after: 1_500)
    #expect(talk.heldTexts == (isJoined ? [first + " " + rest] : [first, rest]))
  }
}

/// Who is waited for is told in time how long.
struct AnswerLimitTests {
  @Test(arguments: [
    (0, false, false), (1, true, false), (Limits.answerWarningMilliseconds, true, false),
    (Limits.answerWarningMilliseconds + 1, true, true),
  ])
  func theUserIsWarnedWhereThereIsTimeForIt(_ limit: Int, _ isLimited: Bool, _ isWarned: Bool) throws {
    var talk = Talk(
      .init {
        $0.readsBack = false
        $0.answerLimitMilliseconds = limit
      })
    try talk.work()
    let actions = talk.give(.agentReported(run: talk.run, event: .permissionRequested(request: Talk.permission)))
    let item = HeldItemID(rawValue: 1)
    let armed = actions.compactMap { if case .startTimer(let timer, _) = $0 { timer } else { nil } }
    #expect(armed.contains(.answerLimit(item: item)) == isLimited)
    #expect(armed.contains(.answerWarning(item: item)) == isWarned)
  }
}
