import Testing
import VoiceLanguage
import VoiceVocabulary

/// What the session says of its own.
struct SpokenSentenceTests {
  @Test func whatIsHeldIsReadBackWithTheQuestionThatItAsks() {
    let typed = Instruction(id: InstructionID(rawValue: 1), text: "build it", heard: nil, source: .keyboard)
    let leftOver = Instruction(id: InstructionID(rawValue: 1), text: "build it", heard: nil, source: .ledger)
    #expect(HeldItem.Content.instruction(instruction: typed).spoken == "Send: build it")
    #expect(
      HeldItem.Content.instruction(instruction: leftOver).spoken == "Left over from an earlier session. Send: build it")
    let question = AgentQuestion(
      id: QuestionID(rawValue: "q"), text: "Which branch?",
      options: [.init(label: "main", explanation: "what runs"), .init(label: "next", explanation: "")])
    #expect(
      HeldItem.Content.question(run: RunID(rawValue: 1), question: question).spoken
        == "The agent asks. Which branch? 1: main. 2: next.")
  }

  @Test(arguments: [
    ([PermissionRequest.Choice.allowOnce, .rejectOnce], "Allow it?"),
    ([.allowOnce, .allowAlways, .rejectOnce], "Allow it once, or from now on?"),
    ([.allowAlways, .rejectOnce], "Allow it from now on?"),
  ])
  func whatCanBeAllowedIsAskedFor(_ choices: [PermissionRequest.Choice], _ question: String) {
    let request = PermissionRequest(
      id: PermissionID(rawValue: "p"), title: "Run make", detail: "make", choices: choices)
    let content = HeldItem.Content.permission(run: RunID(rawValue: 1), request: request)
    #expect(content.spoken == "The agent asks. Run make. \(question)")
  }

  @Test func whatIsExplainedNamesTheAgentAndTheWait() {
    let instruction = Instruction(
      id: InstructionID(rawValue: 1), text: "Open foo.swift", heard: "open foo swift", source: .voice)
    let content = HeldItem.Content.instruction(instruction: instruction)
    #expect(
      content.explanation(agent: nil, keyboardOnly: nil, waitedSeconds: 1)
        == "This would be sent to the agent: Open foo.swift. You said: open foo swift. It has waited for 1 second.")
    #expect(
      content.explanation(agent: "Codex", keyboardOnly: "it matches “open”", waitedSeconds: 2)
        == "This would be sent to Codex: Open foo.swift. You said: open foo swift. "
        + "It can be approved by key only (it matches “open”). It has waited for 2 seconds.")
    let question = AgentQuestion(
      id: QuestionID(rawValue: "q"), text: "Which branch?",
      options: [.init(label: "main", explanation: "what runs"), .init(label: "next", explanation: "")])
    #expect(
      HeldItem.Content.question(run: RunID(rawValue: 1), question: question)
        .explanation(agent: nil, keyboardOnly: nil, waitedSeconds: 0)
        == "The agent asks: Which branch? 1: main. 2: next. main: what runs. It has waited for 0 seconds.")
  }

  @Test(arguments: [
    (WorkTally(), "Nothing that changed a file, and no command."),
    (WorkTally(changedFiles: 2, linesAdded: 12), "2 files changed, 12 lines added and none removed."),
    (WorkTally(changedFiles: 1, linesRemoved: 1), "One file changed, no lines added and one removed."),
    (WorkTally(changedFiles: 1), "One file changed."),
    (WorkTally(commands: 1), "One command run."),
    (WorkTally(commands: 1, failedCommands: 1), "One command run, which failed."),
    (WorkTally(commands: 3, failedCommands: 1), "3 commands run, of which one failed."),
    (WorkTally(failedOthers: 1, declined: 2), "One other step failed. 2 steps not allowed."),
  ])
  func workIsSummedUp(_ tally: WorkTally, _ sentences: String) {
    #expect(SpokenSentence.work(tally).text == sentences)
  }

  /// Nobody listens to a whole file, and one character may be as long as the text.
  @Test func aLongTextIsCutAtItsLimitAndNotBefore() {
    #expect(SpokenSentence.beginning(of: "abc", scalars: 3) == "abc")
    #expect(SpokenSentence.beginning(of: "abcd", scalars: 3) == "abc… The rest is on the screen.")
    let marks = "e" + String(repeating: "\u{301}", count: 10)
    #expect(SpokenSentence.beginning(of: marks, scalars: 3) == "e\u{301}\u{301}… The rest is on the screen.")
  }
}
