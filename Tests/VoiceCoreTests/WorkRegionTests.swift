import Testing
import VoiceLanguage
import VoiceReplay
import VoiceTesting
import VoiceVocabulary

@testable import VoiceCore

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

  @Test func whatWasDoneIsCountedByWhatBecameOfIt() {
    var region = WorkRegion()
    #expect(region.isEmpty && region.lines.isEmpty)
    func finish(_ id: String, _ result: AgentToolResult, _ outcome: AgentTool.Outcome) {
      region.report(.toolResult(id: id, result: result))
      region.report(.toolFinished(id: id, outcome: outcome))
    }
    region.report(.toolFinished(id: "unknown", outcome: .completed))
    #expect(region.isEmpty, "nothing was told of it")
    finish("1", edit, .completed)
    finish("2", edit, .failed)
    finish("3", AgentToolResult(title: "Run make", kind: "execute"), .completed)
    finish("4", AgentToolResult(title: "Run make", kind: "execute"), .failed)
    finish("5", AgentToolResult(title: "Run rm", kind: "execute"), .declined)
    finish("6", AgentToolResult(title: "Read a.c", kind: "read"), .completed)
    #expect(
      region.tally
        == WorkTally(
          changedFiles: 1, linesAdded: 2, linesRemoved: 1, commands: 2, failedCommands: 1, failedOthers: 1, declined: 1)
    )
    region.begin()
    #expect(region == WorkRegion())
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

  @Test func whatIsToldOfAKnownCallIsTakenWhenNoFurtherCallIs() {
    var region = WorkRegion()
    let early = AgentToolResult(title: "Edit main.c", kind: "edit", detail: "")
    for number in 1...Limits.rememberedCalls { region.report(.toolResult(id: "\(number)", result: early)) }
    region.report(.toolResult(id: "1", result: edit))
    region.report(.toolFinished(id: "1", outcome: .completed))
    #expect(region.tally == WorkTally(changedFiles: 1, linesAdded: 2, linesRemoved: 1))
  }

  @Test func whatTheAgentDidIsShownWhileItWorksAndAfterwards() throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    #expect(
      try talk.command("explain").refusal
        == "Nothing is held, and the agent has not reported any work yet.")
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
    #expect(told.contains { if case .speak(_, let text, _) = $0 { text.hasPrefix("One file changed") } else { false } })
    // What is done in spite of a halt is told as well.
    try talk.command("halt")
    finish("5", AgentToolResult(title: "Move a.c", kind: "move", paths: ["a.c", "b.c"]), .completed, &talk)
    talk.give(.agentReported(run: talk.run, event: .turnEnded(end: .cancelled)))
    #expect(try shown(talk.command("explain")).summary.hasPrefix("3 files changed, 4 lines added"))
    #expect(talk.rules.violations.isEmpty)
  }

  private static func call(
    _ kind: String, _ change: (Int, Int)? = nil, paths: [String] = []
  ) -> AgentToolResult {
    AgentToolResult(
      title: kind, kind: kind, paths: paths,
      change: change.map { ChangeSummary(files: 1, linesAdded: $0.0, linesRemoved: $0.1) }, detail: "")
  }

  /// Of what did not happen nothing is said.
  @Test(
    arguments: [
      ([(call("move", paths: ["a", "b"]), .completed)], "2 files changed."),
      ([(call("edit", (1, 0)), .completed)], "One file changed, one line added and none removed."),
      ([(call("edit", (0, 1)), .completed)], "One file changed, no lines added and one removed."),
      ([(call("execute"), .completed)], "One command run."),
      ([(call("execute"), .completed), (call("execute"), .failed)], "2 commands run, of which one failed."),
      ([(call("edit"), .failed)], "One other step failed."), ([(call("edit"), .declined)], "One step not allowed."),
      ([(call("other"), .completed)], "Nothing that changed a file, and no command."),
    ] as [([(AgentToolResult, AgentTool.Outcome)], String)])
  func onlyWhatHappenedIsSummedUp(_ calls: [(AgentToolResult, AgentTool.Outcome)], _ summary: String) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    for (number, (result, outcome)) in calls.enumerated() { finish("\(number)", result, outcome, &talk) }
    #expect(try shown(talk.command("explain")).summary == summary)
  }

  /// As many lines as are shown are shown without a note.
  @Test(arguments: [(0, nil), (1, "… 1 more line")] as [(Int, String?)])
  func aCallIsShownWithAsManyLinesAsTheLimit(_ more: Int, _ note: String?) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    let text = (0..<Limits.shownResultLines + more).map { "line \($0)" }.joined(separator: "\n")
    finish("1", AgentToolResult(title: "Run seq", kind: "execute", detail: text, output: text), .completed, &talk)
    let lines = try shown(talk.command("explain")).lines
    let (detail, output) = (lines.dropFirst().prefix { !$0.hasPrefix("> ") }, lines.filter { $0.hasPrefix("> ") })
    #expect(detail.filter { $0.hasPrefix("…") } == (note.map { [$0] } ?? []))
    #expect(output.filter { $0.hasPrefix("> …") } == (note.map { ["> " + $0] } ?? []))
    #expect(detail.first == "line 0" && output.last == "> line \(Limits.shownResultLines + more - 1)")
    #expect(detail.count == Limits.shownResultLines + more && output.count == Limits.shownResultLines + more)
  }

  @Test(arguments: [0, 1]) func theWorkIsShownWithAsManyLinesAsTheLimit(_ more: Int) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    // Eight lines each.
    for number in 0..<Limits.shownWorkLines / 8 {
      let text = ["a", "b", "c", "d", "e", "f", "g"].joined(separator: "\n")
      finish("\(number)", AgentToolResult(title: "Run seq", kind: "execute", detail: text), .completed, &talk)
    }
    if more > 0 { finish("more", AgentToolResult(title: "Run it", kind: "execute", detail: ""), .completed, &talk) }
    let lines = try shown(talk.command("explain")).lines
    #expect(lines.count == Limits.shownWorkLines + more)
    #expect(lines.first == (more == 0 ? "Run seq" : "… 1 line before"))
  }

  @Test(arguments: [(0, false), (1, true)]) func asManyCallsAsTheLimitAreShown(_ more: Int, _ isNoted: Bool) throws {
    var talk = Talk(.init { $0.readsBack = false })
    try talk.work()
    for number in 0..<Limits.rememberedCalls + more { finish("\(number)", Self.call("move"), .completed, &talk) }
    let lines = try shown(talk.command("explain")).lines
    #expect((lines.first == "… 1 earlier step") == isNoted)
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
