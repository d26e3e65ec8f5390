import Testing
import VoiceCore
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

/// What was done is shown to whoever asks.
struct WorkRegionTests {
  private let edit = AgentToolResult(
    title: "Edit main.c", kind: "edit", paths: ["src/main.c"],
    change: ChangeSummary(files: 1, linesAdded: 2, linesRemoved: 1), detail: "- int a;\n+ int b;\n+ int c;")

  private func shown(_ actions: [VoiceAction]) throws -> (summary: String, lines: [String]) {
    for case .show(.work(let summary, let lines)) in actions { return (summary, lines) }
    throw NothingShown()
  }

  private struct NothingShown: Error {}

  private func finish(_ id: String, _ result: AgentToolResult, _ outcome: AgentTool.Outcome, _ talk: inout Talk) {
    talk.give(.agentReported(run: talk.run, event: .toolStarted(tool: .init(id: id, title: "x", kind: result.kind))))
    talk.give(.agentReported(run: talk.run, event: .toolResult(id: id, result: result)))
    talk.give(.agentReported(run: talk.run, event: .toolFinished(id: id, outcome: outcome)))
  }

  /// An agent that reports results of calls it never ends fills no memory.
  @Test(arguments: [(Limits.rememberedCalls, true), (Limits.rememberedCalls + 1, false)])
  func soManyResultsAreKeptUntilTheirCallsEnd(_ count: Int, _ isKept: Bool) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    for number in 1...count {
      talk.give(.agentReported(run: talk.run, event: .toolResult(id: "\(number)", result: edit)))
    }
    talk.give(.agentReported(run: talk.run, event: .toolFinished(id: "\(count)", outcome: .completed)))
    #expect((try talk.command("explain").refusal == nil) == isKept)
  }

  @Test func whatTheAgentDidIsShownWhileItWorksAndAfterwards() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    #expect(try talk.command("explain").refusal == "Nothing is held, and the agent has not reported doing anything.")
    finish("1", edit, .completed, &talk)
    finish("2", edit, .completed, &talk)
    let run = AgentToolResult(
      title: "Run make", kind: "execute", detail: "make", output: (1...100).map { "line \($0)" }.joined(separator: "\n")
    )
    finish("3", run, .failed, &talk)
    finish("4", AgentToolResult(title: "Run rm -r x", kind: "execute", detail: "rm -r x"), .declined, &talk)
    let told = try talk.command("explain")
    let (summary, lines) = try shown(told)
    #expect(
      summary == "One file changed, 4 lines added and 2 removed. One command run, which failed. One step not allowed.")
    #expect(lines.starts(with: ["Edit main.c", "- int a;", "+ int b;", "+ int c;", "Edit main.c"]))
    #expect(lines.contains("Run make  (failed)"))
    #expect(lines.contains("> … 40 more lines") && lines.contains("> line 41") && lines.contains("> line 100"))
    #expect(!lines.contains("> line 40"))
    #expect(lines.suffix(2) == ["Run rm -r x  (declined)", "rm -r x"])
    #expect(told.contains { if case .speak(_, let text) = $0 { text.hasPrefix("One file changed") } else { false } })
    // What is done in spite of a halt is told as well.
    try talk.command("halt")
    finish("5", AgentToolResult(title: "Move a.c", kind: "move", paths: ["a.c", "b.c"]), .completed, &talk)
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .cancelled)))
    #expect(try shown(talk.command("explain")).summary.hasPrefix("3 files changed, 4 lines added"))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func anotherRunBeginsWithNothing() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    finish("1", edit, .completed, &talk)
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
    try talk.work()
    #expect(try talk.command("explain").refusal?.hasPrefix("Nothing is held") == true)
  }

  @Test func whatIsHeldComesFirst() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    finish("1", edit, .completed, &talk)
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .completed)))
    try talk.command("say delete nothing")
    let told = try talk.command("explain")
    #expect(told.contains { if case .show(.explained) = $0 { true } else { false } })
    #expect(!told.contains { if case .show(.work) = $0 { true } else { false } })
  }

  @Test func anAgentThatDoesWithoutEndIsCounted() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    for number in 1...150 {
      let path = "file \(number)"
      finish(
        "\(number)",
        AgentToolResult(
          title: path, kind: "edit", paths: [path], change: .init(files: 1, linesAdded: 1, linesRemoved: 0)),
        .completed, &talk)
    }
    let (summary, lines) = try shown(talk.command("explain"))
    #expect(summary == "150 files changed, 150 lines added and none removed.")
    #expect(lines.count == Limits.rememberedCalls + 1)
    #expect(lines.first == "… 50 earlier steps")
    let long = AgentToolResult(
      title: "Run seq", kind: "execute", detail: "seq 60", output: String(repeating: "x\n", count: 60))
    for number in 1...20 { finish("long \(number)", long, .completed, &talk) }
    let more = try shown(talk.command("explain")).lines
    #expect(more.count == Limits.shownWorkLines + 1)
    #expect(more.first?.hasSuffix("lines before") == true)
  }
}
