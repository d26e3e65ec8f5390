import Testing
import VoiceCore
import VoiceHistory
import VoiceRecording
import VoiceVocabulary

@Test func aReviewedTurnHasEveryStageInOrder() throws {
  let history = try Histories.history("review-approve")
  let turn = try #require(history.turns.first)
  #expect(history.turns.count == 1)
  #expect(turn.heard == "why is the build failing on the main branch")
  #expect(turn.decision == .approved(.command))
  #expect(turn[.speechStarted] == .milliseconds(800))
  #expect(turn[.speechEnded] == .milliseconds(2900))
  #expect(turn[.transcribed] == .milliseconds(3730))
  #expect(turn[.proposed] == .milliseconds(3760))
  #expect(turn[.decided] == .milliseconds(4660))
  #expect(turn[.dispatched] == .milliseconds(4661))
  #expect(turn[.answered] == .milliseconds(4841))
  #expect(turn[.runEnded] == .milliseconds(4901))
  #expect(turn[.spoken] == .milliseconds(5031))
  #expect(turn.latency(.wait)?.microseconds == 2_131_000)
  #expect(turn.tools.map(\.tool.title) == ["Read the build log"])
  #expect(turn.end == .completed)
}

@Test func twoTurnsAreTwo() throws {
  let turns = try Histories.history("two-turns").turns
  #expect(turns.map(\.number) == [1, 2])
  #expect(turns.allSatisfy { $0[.dispatched] != nil && $0[.spoken] != nil })
  let first = try #require(turns[0][.runEnded])
  let second = try #require(turns[1][.dispatched])
  #expect(first < second)
}

@Test func aRejectedTurnLeavesForNobody() throws {
  let turn = try #require(try Histories.history("review-reject").turns.first)
  guard case .rejected = turn.decision else {
    Issue.record("not rejected: \(String(describing: turn.decision))")
    return
  }
  #expect(turn[.dispatched] == nil)
}

/// The machine slept while the user spoke: that he paused is noticed long after he did.
@Test(arguments: [10, 20, 600]) func wordsAreOfWhatWasSaidBeforeTheMachineSlept(_ seconds: Int) throws {
  let woken = 2_000 + 1_000 * seconds
  let connection = ConnectionID(rawValue: 1)
  let call = CallID(connection: connection, id: "c", tool: "converse")
  let events: [(Int, VoiceEvent)] = [
    (0, .sessionStarted(settings: InteractionSettings())), (1_000, .voiceStarted(detector: .vad)),
    (woken, .voiceEnded(detector: .vad)),
    (woken + 1, .userTranscribed(connection: connection, text: "build it", isFinal: true, hearing: nil)),
    (woken + 2, .instructionProposed(call: call, text: "build it")),
  ]
  let slept: [(Int, VoiceEvent)] =
    events.prefix(2) + [(1_100, .soundLevelChanged(level: .sound)), (2_500, .soundLevelChanged(level: .pause))]
    + events.dropFirst(2)
  let lines = slept.enumerated().map { index, event in
    LogLine(
      step: VoiceStep(sequence: index, time: .milliseconds(Int64(event.0)), event: event.1, actions: []))
  }
  let turns = SessionHistory(lines).turns
  #expect(turns.count == 1)
  let turn = try #require(turns.first)
  #expect(turn[.speechStarted] == .milliseconds(1_000) && turn.start.step == 1)
  let ended = try #require(turn[.speechEnded])
  #expect(ended < .milliseconds(2_500))
  #expect(turn.heard == "build it")
}

@Test func silenceAndNoiseMakeNoTurn() throws {
  let history = try Histories.history("silence")
  #expect(history.turns.isEmpty)
  #expect(explanationOfSilence(history).count >= 3)
}

@Test(arguments: Histories.all) func stagesOfAnyFixtureAreInTheOrderOfTime(_ fixture: String) throws {
  let history = try Histories.history(fixture)
  for turn in history.turns {
    for latency in turn.latencies {
      #expect(latency.microseconds >= 0, "\(fixture), turn \(turn.number), \(latency.name)")
    }
    if let dispatched = turn[.dispatched], let decided = turn[.decided] { #expect(decided <= dispatched) }
    let explanation = Explanation(turn, in: history)
    #expect(!explanation.sentences.isEmpty)
    let steps = explanation.sentences.map(\.moment.step)
    #expect(steps == steps.sorted())
  }
  for mark in history.marks {
    #expect(mark.end.map { $0 >= mark.start } ?? true)
    #expect(mark.start <= history.duration)
  }
}

@Test(arguments: Histories.all) func aHistoryThatGrowsLineByLineIsTheSameAsOneReadAtOnce(_ fixture: String) throws {
  let lines = try Histories.lines(fixture)
  let whole = SessionHistory(lines)
  var growing = SessionHistory()
  var count = 0
  for line in lines { count += growing.append(line).count }
  count += growing.finish().count
  #expect(count == whole.entries.count)
  #expect(growing.turns == whole.turns)
  #expect(growing.marks == whole.marks)
}

@Test func everyInstructionThatWasSentInTheFixturesBelongsToATurn() throws {
  for fixture in Histories.all {
    let lines = try Histories.lines(fixture)
    let sent = lines.flatMap(\.step.actions).filter { action in
      switch action {
      case .startRun, .steerRun: true
      default: false
      }
    }
    #expect(try Histories.history(fixture).turns.filter { $0[.dispatched] != nil }.count == sent.count, "\(fixture)")
  }
}

@Test func theExplanationOfATurnIsPlainSentencesWithTimes() throws {
  let history = try Histories.history("review-approve")
  let turn = try #require(history.turns.first)
  let explanation = Explanation(turn, in: history)
  let rows = explanation.sentences.map(\.row)
  #expect(rows.first == "00:00.800  You spoke for 2.1 s, until 00:02.900.")
  #expect(rows.contains { $0.hasPrefix("00:03.730  830 ms after your last word, this was heard: “why is the build") })
  #expect(rows.contains("00:04.660  Handed on: the user approved it, 900 ms after it was held."))
  #expect(rows.contains { $0.contains("it left for the agent") })
  #expect(
    explanation.summary
      == "From your last word to the first spoken one: 2.1 s, most of it the decision (900 ms).")
}

/// An agent may begin all before the first is over: what is told of a call costs the same, however many others are open.
@Test(.timeLimit(.minutes(1))) func thousandsOfCallsInOneRunAreFollowedAtOnce() throws {
  let run = RunID(rawValue: 1)
  let instruction = Instruction(id: InstructionID(rawValue: 1), text: "list all", heard: nil, source: .keyboard)
  var history = SessionHistory()
  var sequence = 0
  func follow(_ event: VoiceEvent, _ actions: [VoiceAction] = []) {
    history.append(LogLine(step: VoiceStep(sequence: sequence, time: .zero, event: event, actions: actions)))
    sequence += 1
  }
  let count = 60_000
  follow(.commandGiven(command: .say(text: "list all")), [.startRun(run: run, instruction: instruction)])
  for number in 0..<count {
    let tool = AgentTool(id: "\(number)", title: "ls", kind: "execute")
    follow(.agentReported(run: run, event: .toolStarted(tool: tool)))
  }
  // The last is left to the end of the run.
  for number in 0..<count - 1 {
    follow(.agentReported(run: run, event: .toolFinished(id: "\(number)", outcome: .completed)))
  }
  follow(.agentReported(run: run, event: .turnEnded(end: .completed)))
  let tools = try #require(history.turns.first).tools
  #expect(tools.count == count)
  #expect(tools.dropLast().allSatisfy { $0.outcome == .completed } && tools.last?.outcome == .unknown)
}
