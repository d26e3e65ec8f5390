import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

@testable import VoiceReplay

@Test func outcomesAreInTheOrderOfTheirScripts() async throws {
  let some = ["two-turns", "silence", "direct", "review-reject"]
  let outcomes = await ReplayRunner(.none(repeats: 3), jobs: 4).run(try some.map { .fixture(try load($0)) })
  #expect(outcomes.map(\.verdict) == [.same, .same, .same, .same])
  #expect(outcomes.map(\.runs) == [3, 3, 3, 3])
  let counts = outcomes.map(\.base.handedOn.count)
  #expect(counts == [2, 0, 1, 0])
  for outcome in outcomes {
    #expect(abs(outcome.virtualSeconds - 3 * outcome.base.duration.seconds) < 0.001)
    #expect(outcome.seconds > 0)
  }
}

@Test func aFixtureRunsOnceWhateverIsAskedFor() async throws {
  for repeats in [0, 1] {
    #expect(await ReplayRunner(.none(repeats: repeats), jobs: 1).run([.fixture(try load("silence"))])[0].runs == 1)
  }
}

@Test func everySeedIsARun() async throws {
  let outcome = await ReplayRunner(.perturbed(seeds: 7..<50, faults: [], random: false), jobs: 2)
    .run([.fixture(try load("silence"))])[0]
  #expect(outcome.runs == 44)
  #expect(outcome.verdict == .same && outcome.broken.isEmpty)
}

@Test func aSessionIsReplayedLikeAFixture() async throws {
  let session = try SessionReplay(LogReader(load("direct").expectedPath).lines, "direct")
  let outcome = await ReplayRunner(.none(repeats: 2), jobs: 1).run([.session(session)])[0]
  #expect(outcome.verdict == .same && outcome.runs == 2)
}

/// A replay of these commands, whose log is another for other texts.
private func replay(saying texts: String...) -> WorldReplay {
  let lines = texts.enumerated().map { index, text in
    LogLine(
      step: VoiceStep(sequence: index, time: .zero, event: .commandGiven(command: .say(text: text)), actions: []))
  }
  return WorldReplay(
    outcome: .completed, handedOn: [], duration: .zero, lines: lines, breaches: [], counts: EventCounts(), unknown: [])
}

/// By its number, it can be looked for again: the first run is number 1.
@Test func theFirstRunThatDiffersIsTold() async {
  var texts = ["a", "b", "c"].makeIterator()
  let piece = await ReplayRunner.repeated(replay(saying: "a"), 1..<4) { replay(saying: texts.next() ?? "a") }
  #expect(piece.runs == 3)
  #expect(piece.unsteadyRun == 3)
  let steady = await ReplayRunner.repeated(replay(saying: "a"), 1..<4) { replay(saying: "a") }
  #expect(steady.unsteadyRun == nil)
}

@Test func aLogThatEndsSoonerOrLaterDiffersThere() throws {
  let (short, long) = (replay(saying: "a").log, replay(saying: "a", "b").log)
  let missing = try #require(LogDifference(expected: long, actual: short))
  #expect(missing.description.contains("actual    the log ends"))
  let more = try #require(LogDifference(expected: short, actual: long))
  #expect(more.description.contains("expected  the log ends"))
  #expect(LogDifference(expected: long, actual: long) == nil)
}

// MARK: With a real live model

private let connection = ConnectionID(rawValue: 1)

private func measured(
  _ steps: [(Int64, VoiceEvent, [VoiceAction])], said: [Int64]
) throws -> LiveMeasure {
  let lines = steps.enumerated().map { index, step in
    LogLine(step: VoiceStep(sequence: index, time: .milliseconds(step.0), event: step.1, actions: step.2))
  }
  let replay = WorldReplay(
    outcome: .completed, handedOn: [], duration: .zero, lines: lines, breaches: [], counts: EventCounts(), unknown: [],
    saidTimes: said.map { .milliseconds($0) })
  return LiveMeasure(replay, of: try load("two-turns"))
}

private func heard(_ text: String) -> VoiceEvent {
  .userTranscribed(connection: connection, text: text, isFinal: true)
}

private func proposed(_ id: String) -> VoiceEvent {
  .instructionProposed(call: CallID(connection: connection, id: id, tool: "converse"), text: "a")
}

@Test func anAnswerIsMeasuredFromTheLastRecordingBeforeIt() throws {
  let measure = try measured(
    [
      (1_500, heard("why is "), []), (1_600, heard("it red"), []), (2_750, proposed("a"), []),
      (9_000, heard("stop"), []),
      (9_250, .stopRequested(call: CallID(connection: connection, id: "b", tool: "stop")), []),
      // Nothing was said before it: the model repeats itself.
      (9_400, proposed("c"), []),
    ], said: [1_000, 2_000, 8_900])
  #expect(measure.answerMilliseconds == [750, 350])
  #expect(measure.recognised == "why is it red stop  ")
  #expect(measure.spoken == "why is the build failing on the main branch show me the diff for the last commit")
}

@Test func aVoiceIsMeasuredToItsFirstSound() throws {
  let (first, second) = (SpeechID(rawValue: 1), SpeechID(rawValue: 2))
  let sound = SpeechAudio(samples: [1])
  let measure = try measured(
    [
      (100, .commandsEnded, [.speak(speech: first, text: "a", purpose: .report)]),
      (350, .speechAudio(speech: first, audio: sound), []),
      (400, .speechAudio(speech: first, audio: sound), [.speak(speech: second, text: "b", purpose: .report)]),
      (900, .speechAudio(speech: second, audio: sound), []),
    ], said: [])
  #expect(measure.soundMilliseconds == [250, 500])
  #expect(measure.answerMilliseconds.isEmpty)
}
