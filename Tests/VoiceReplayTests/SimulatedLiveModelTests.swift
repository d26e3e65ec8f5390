import Testing
import VoiceCore
import VoiceVocabulary

@testable import VoiceReplay

/// A live model and the microphone that it listens to; a test plays the session between them.
private final class Line {
  let time = VirtualTime()
  let refusals = Refusals()
  let microphone: SimulatedMicrophone
  let model: SimulatedLiveModel
  static let connection = ConnectionID(rawValue: 1)

  init(
    _ settings: InteractionSettings = InteractionSettings { $0.turnDetection = .server },
    answers: [Fixture.ModelAnswer] = []
  ) {
    let fixture = Fixture(title: "a", settings: settings, user: [], model: answers, agent: [], faults: nil)
    microphone = SimulatedMicrophone(time, refusals, hasVAD: false, silenceMilliseconds: settings.silenceMilliseconds)
    model = SimulatedLiveModel(fixture, time, refusals, microphone)
    microphone.start()
  }

  /// Take what happens for so long, and send each frame on, perhaps as another one.
  func run(milliseconds: Int64, _ change: (MicrophoneFrame) -> MicrophoneFrame? = { $0 }) -> [VoiceEvent] {
    let limit = SessionTime(microseconds: time.now.microseconds + milliseconds * 1000)
    var events: [VoiceEvent] = []
    while let next = time.next(limit: limit) {
      if case .microphoneFrame(let frame) = next.event {
        if let frame = change(frame) { model.hear(frame, on: Self.connection) }
      } else {
        events.append(next.event)
      }
    }
    return events
  }
}

private let answer = Fixture.ModelAnswer(heard: "run the tests", call: .converse)
/// Half a second that is surely loud.
private let speech = (0..<PCM.microphoneRate / 2).map { Int16($0.isMultiple(of: 2) ? 9_000 : -9_000) }

private func transcripts(_ events: [VoiceEvent]) -> [String] {
  events.compactMap { if case .userTranscribed(_, let text, _, _) = $0 { text } else { nil } }
}

struct SimulatedLiveModelTests {
  @Test func soundBeforeTheSetupIsAnsweredIsRefused() {
    let line = Line()
    line.model.open(Line.connection, resuming: false)
    _ = line.run(milliseconds: 20)
    #expect(line.refusals.take() == ["sound came before the setup was answered"])
    let events = line.run(milliseconds: 100)
    #expect(events == [.linkReady(connection: Line.connection, resumed: false)])
    _ = line.refusals.take()
    _ = line.run(milliseconds: 100)
    #expect(line.refusals.take().isEmpty)
  }

  /// What was ready before is not ready anew.
  @Test func aSecondConnectionIsSetUpLikeTheFirst() {
    let line = Line()
    line.model.open(Line.connection, resuming: false)
    _ = line.run(milliseconds: 100) { _ in nil }
    line.model.close(Line.connection)
    line.model.open(Line.connection, resuming: true)
    _ = line.run(milliseconds: 20)
    #expect(line.refusals.take() == ["sound came before the setup was answered"])
  }

  /// However often the model calls, and on whichever connection: the next utterance has the next answer.
  @Test(arguments: [Fixture.ModelAnswer.Call.stop, .converse], [1, 2])
  func anUtteranceIsAnsweredOnce(_ call: Fixture.ModelAnswer.Call, _ times: Int) {
    let line = Line(answers: [.init(heard: "first", call: call, times: times), answer])
    line.model.open(Line.connection, resuming: false)
    _ = line.run(milliseconds: 100) { _ in nil }
    line.microphone.say(speech, isWhole: false) {}
    let events = line.run(milliseconds: 3_000)
    let calls = events.count { event in
      switch event {
      case .stopRequested, .instructionProposed: true
      default: false
      }
    }
    #expect(transcripts(events) == ["first"] && calls == times)
    line.model.cut()
    line.model.open(Line.connection, resuming: true)
    _ = line.run(milliseconds: 100) { _ in nil }
    line.microphone.say(speech, isWhole: false) {}
    #expect(transcripts(line.run(milliseconds: 3_000)) == ["run the tests"])
  }

  @Test(arguments: [false, true]) func whatWasSaidIsUnderstoodIfItArrivesAsItWasSaid(_ isDamaged: Bool) {
    let line = Line(answers: [answer])
    line.model.open(Line.connection, resuming: false)
    _ = line.run(milliseconds: 100) { _ in nil }
    line.microphone.say(speech, isWhole: false) {}
    let events = line.run(milliseconds: 3_000) { frame in
      var frame = frame
      if isDamaged, frame.position == 15 * PCM.frameSamples { frame.samples[0] ^= 1 }
      return frame
    }
    #expect(transcripts(events) == [isDamaged ? "(garbled)" : "run the tests"])
    #expect(line.refusals.take().isEmpty)
  }

  @Test func aFrameThatIsMissingInsideAnUtteranceIsNoticed() {
    let line = Line(answers: [answer])
    line.model.open(Line.connection, resuming: false)
    _ = line.run(milliseconds: 100) { _ in nil }
    line.microphone.say(speech, isWhole: false) {}
    let events = line.run(milliseconds: 3_000) { $0.position == PCM.microphoneRate * 2 / 5 ? nil : $0 }
    #expect(transcripts(events) == ["(garbled)"])
  }

  /// What is sent again to a new connection begins with what was said, or less than 200 ms behind that.
  @Test(arguments: [(0, "run the tests"), (9, "run the tests"), (10, "(garbled)"), (14, "(garbled)")])
  func aConnectionThatBeginsInTheMiddleHearsHalf(_ missing: Int, _ heard: String) {
    let line = Line(answers: [answer])
    line.model.open(Line.connection, resuming: false)
    line.microphone.say(speech, isWhole: false) {}
    var kept: [MicrophoneFrame] = []
    _ = line.run(milliseconds: 600) { frame in
      kept.append(frame)
      return nil
    }
    for frame in kept.dropFirst(missing) { line.model.hear(frame, on: Line.connection) }
    #expect(transcripts(line.run(milliseconds: 3_000)) == [heard])
  }

  @Test func aRefusedConnectionIsToldAsOftenAsItIsRefused() {
    let line = Line()
    line.model.refuse(times: 1)
    line.model.open(Line.connection, resuming: false)
    let failure = LinkFailure(remedy: .newSession, reason: "The live model refused the connection.")
    #expect(line.run(milliseconds: 100) == [.linkClosed(connection: Line.connection, failure: failure)])
    line.model.open(Line.connection, resuming: true)
    #expect(line.run(milliseconds: 100) { _ in nil } == [.linkReady(connection: Line.connection, resumed: true)])
  }

  @Test func aCutConnectionSaysNothingMore() {
    let line = Line(answers: [answer])
    line.model.open(Line.connection, resuming: false)
    _ = line.run(milliseconds: 100) { _ in nil }
    line.microphone.say(speech, isWhole: false) {}
    _ = line.run(milliseconds: 1_150)
    line.model.cut()
    let events = line.run(milliseconds: 3_000)
    #expect(
      events == [
        .linkClosed(
          connection: Line.connection, failure: LinkFailure(remedy: .resume, reason: "The connection was cut."))
      ])
  }

  @Test func aCallIsAnsweredOnce() {
    let line = Line(answers: [answer])
    line.model.open(Line.connection, resuming: false)
    _ = line.run(milliseconds: 100) { _ in nil }
    line.microphone.say(speech, isWhole: false) {}
    let calls = line.run(milliseconds: 3_000).compactMap { event -> CallID? in
      if case .instructionProposed(let call, _) = event { call } else { nil }
    }
    #expect(calls.count == 1)
    for call in calls { line.model.answer(call) }
    #expect(line.refusals.take().isEmpty)
    for call in calls { line.model.answer(call) }
    #expect(line.refusals.take() == ["call call-1 was answered that was not open"])
  }

  /// Known to be one utterance from its first sample to its last, however quiet it is.
  @Test func aRecordingThatIsWholeIsSpeechFromEndToEnd() {
    let line = Line()
    let quiet = [Int16](repeating: 0, count: PCM.frameSamples * 3)
    line.microphone.say(quiet, isWhole: true) {}
    _ = line.run(milliseconds: 200) { _ in nil }
    let speech = stride(from: 0, to: PCM.frameSamples * 4, by: PCM.frameSamples).map {
      line.microphone.isSpeech(at: $0)
    }
    #expect(speech == [true, true, true, false])
  }
}

/// What a user waits for may never happen where something goes wrong.
@Test func aUserWaitsForAMinuteAndThenEndsWhatCanBeEnded() {
  let time = VirtualTime()
  let fixture = Fixture(
    title: "a", settings: InteractionSettings(),
    user: [.init(await: .held, times: nil, after: nil, do: .command(line: "approve"))], model: [], agent: [],
    faults: nil)
  var done: [Fixture.UserAction] = []
  var minutes: [Int64] = []
  var doneBeforeTheLast = 0
  let user = ScriptedUser(fixture, time) { action in
    done.append(action)
    minutes.append(time.now.microseconds / 60_000_000)
    return nil
  }
  user.startWatchdog { doneBeforeTheLast = done.count }
  user.goOn()
  #expect(time.next(limit: .milliseconds(600_000)) == nil)
  #expect(done == [.command(line: "approve"), .endMicrophone, .endCommands, .terminate])
  #expect(minutes == [1, 2, 3, 4])
  #expect(doneBeforeTheLast == 3)
}

// MARK: Words and improvisations

@Test func aStepIsToldInWords() {
  let step = """
    {"sequence":7,"time":1230045,"event":{"instructionProposed":{"call":{"id":"c","tool":"converse"},"text":"run"}},\
    "actions":[{"clearPlayback":{}},{"cancelTimer":{"timer":{"reconnect":{}}}}]}
    """
  #expect(
    StepWords(Array(step.utf8)).sentence
      == "step 7, at 1.230 s: instruction proposed (call: id: “c”; tool: “converse”; text: “run”) → clear playback; "
      + "cancel timer (timer: reconnect)")
  #expect(StepWords(Array("{}".utf8)).sentence == "a line that is damaged or of no log")
}

@Test(arguments: [("duckPlayback", false), ("clearPlayback", true)])
func whatTwoLogsHaveInCommonIsToldIfThereIsAny(_ first: String, _ isCommon: Bool) {
  func line(_ actions: String...) -> [UInt8] {
    let list = actions.map { "{\"\($0)\":{}}" }.joined(separator: ",")
    return Array("{\"sequence\":1,\"time\":0,\"event\":{\"commandsEnded\":{}},\"actions\":[\(list)]}".utf8)
  }
  let difference = LogDifference(before: [], expected: line("clearPlayback"), actual: line(first, "startMicrophone"))
  #expect(difference.description.contains("both") == isCommon, "\(difference)")
}

/// A difference that is in no action is told as one.
@Test(arguments: [(["a"], ["a"], true), ([], [], true), (["a", "b"], ["a"], false), (["a"], ["a", "b"], false)])
func whereTheSameIsDoneThatIsSaid(_ expected: [String], _ actual: [String], _ isSame: Bool) {
  func line(_ actions: [String]) -> [UInt8] {
    let list = actions.map { "{\"\($0)\":{}}" }.joined(separator: ",")
    return Array("{\"sequence\":1,\"time\":0,\"event\":{\"commandsEnded\":{}},\"actions\":[\(list)]}".utf8)
  }
  let difference = LogDifference(before: [], expected: line(expected), actual: line(actual))
  #expect(difference.description.contains("the same is done, but not for the same reasons") == isSame, "\(difference)")
}

@Test func whatIsNotRecordedIsImprovisedAsSoonAsItLetsTheSessionGoOn() {
  var improvisation = Improvisation()
  let connection = ConnectionID(rawValue: 3)
  let run = RunID(rawValue: 2)
  let opened = improvisation.answer(to: .openLink(connection: connection, resuming: true), in: .connection(connection))
  #expect(opened.map(\.milliseconds) == [40])
  #expect(opened.map(\.event) == [.linkReady(connection: connection, resumed: true)])
  let cancelled = improvisation.answer(to: .cancelRun(run: run), in: .run(run))
  #expect(cancelled.map(\.event) == [.agentReported(run: run, event: .turnEnded(end: .cancelled))])
  // It ends once.
  #expect(improvisation.answer(to: .abandonRun(run: run), in: .run(run)).isEmpty)
}

@Test func everyFaultIsDrawnAtTimes() {
  var drawn: Set<String> = []
  for seed in 0..<4_000 as Range<UInt64> {
    var generator = SeededGenerator(seed: seed)
    drawn.insert(Fault.random(using: &generator).description)
  }
  let expected =
    Fault.Stream.allCases.map { "drop:\($0)" } + ["refuse:link=1", "refuse:link=2", "refuse:link=4"]
    + ["cut:link", "lose:microphone", "lose:speaker", "kill:agent", "ignore:halt", "fill:disk"]
    + ["suspend:machine=5000", "suspend:machine=3600000", "slow:disk=400"]
  #expect(expected.filter { !drawn.contains($0) } == [])
  #expect(!drawn.contains("duplicate:frame"), "a microphone cannot give one moment twice")
}
