package import VoiceCore
internal import VoiceRecording

/// A log replayed against itself: its events go in, and the actions that come out are compared. Nothing stands behind the
/// ports, so an hour takes less than a second.
package struct LogReplay {
  private let lines: [LogLine]

  /// - Parameter path: a voice-event log; a damaged one is refused.
  package init(_ path: String) throws(FixtureFailure) {
    let reader: LogReader
    do {
      reader = try LogReader(path)
    } catch {
      throw FixtureFailure(error.description)
    }
    if let damage = reader.damage { throw FixtureFailure(damage) }
    guard case .sessionStarted = reader.lines.first?.step.event else {
      throw FixtureFailure("\(path) does not begin with the start of a session.")
    }
    lines = reader.lines
  }

  package func run() async -> (verdict: ReplayVerdict, duration: SessionTime) {
    let recorded = RecordedSession(lines)
    let ports = VoicePorts(
      audio: recorded, liveModel: recorded, readout: recorded, agent: recorded, timers: recorded, console: recorded,
      recorder: recorded)
    _ = await VoiceSession(events: recorded, ports: ports).run()
    let verdict = recorded.difference.map { ReplayVerdict.differs($0) } ?? .same
    return (verdict, lines.last?.step.time ?? .zero)
  }
}

/// Gives the events of a log, and compares what the session does with what the log says.
private final class RecordedSession: EventSource {
  private let lines: [LogLine]
  private var lineIndex = 0
  private var steps: ArraySlice<VoiceStep> = []
  /// The step whose event the session has.
  private var current: VoiceStep?
  private var before: [VoiceStep] = []
  private var isOver = false
  private var found: LogDifference?
  /// The first step after which the session remembered something else than the log says. No difference by itself: what is
  /// remembered may change from one version to the next.
  private var otherState: Int?

  init(_ lines: [LogLine]) { self.lines = lines }

  func next() async -> StampedEvent? {
    guard found == nil else { return nil }
    if steps.isEmpty, lineIndex < lines.count {
      steps = lines[lineIndex].steps[...]
      lineIndex += 1
    }
    guard let step = steps.popFirst() else { return nil }
    current = step
    return StampedEvent(time: step.time, event: step.event)
  }

  func record(_ step: VoiceStep) {
    guard let expected = current else { preconditionFailure("a step without an event") }
    if let state = expected.state, state != step.state, otherState == nil { otherState = expected.sequence }
    if step.actions == expected.actions {
      if case .end = step.actions.last { isOver = true }
      return
    }
    var actual = expected
    (actual.actions, actual.reasons, actual.state) = (step.actions, step.reasons, step.state)
    let codec = LogCodec()
    found = LogDifference(
      before: lines.prefix(max(0, lineIndex - 1)).suffix(LogDifference.contextLines).map { codec.encode($0) },
      expected: codec.encode(LogLine(step: expected)), actual: codec.encode(LogLine(step: actual)),
      otherState: otherState)
  }

  /// The first step that was decided otherwise, or where the log goes on behind the end.
  var difference: LogDifference? {
    if let found { return found }
    guard isOver, let rest = steps.first ?? (lineIndex < lines.count ? lines[lineIndex].step : nil) else { return nil }
    let codec = LogCodec()
    return LogDifference(
      before: current.map { [codec.encode(LogLine(step: $0))] } ?? [], expected: codec.encode(LogLine(step: rest)),
      actual: nil)
  }
}

extension RecordedSession: AudioPort, LiveModelPort, ReadoutPort, CodingAgentPort, TimerPort, ConsolePort, RecorderPort
{
  func startMicrophone() {}
  func play(_ audio: SpeechAudio, of speech: SpeechID) {}
  func finishPlaying(_ speech: SpeechID) {}
  func clearPlayback() {}
  func duckPlayback() {}
  func resumePlayback() {}
  func setSpeechRate(percent: Int) {}
  func play(_ earcon: Earcon) {}
  func openLink(_ connection: ConnectionID, resuming: Bool) {}
  func closeLink(_ connection: ConnectionID) {}
  func send(_ frame: MicrophoneFrame, on connection: ConnectionID) {}
  func sendActivityStart(on connection: ConnectionID) {}
  func sendActivityEnd(on connection: ConnectionID) {}
  func answer(_ call: CallID, with answer: String) {}
  func speak(_ text: String, as speech: SpeechID) {}
  func cancelSpeech(_ speech: SpeechID) {}
  func openAgent() {}
  func startRun(_ run: RunID, _ instruction: Instruction) {}
  func cancelRun(_ run: RunID) {}
  func abandonRun(_ run: RunID) {}
  func answerPermission(_ permission: PermissionID, of run: RunID, with choice: PermissionRequest.Choice) {}
  func answerQuestion(_ question: QuestionID, of run: RunID, with answer: AgentQuestion.Answer) {}
  func steerRun(_ run: RunID, _ instruction: Instruction) {}
  func startTimer(_ timer: TimerID, milliseconds: Int) {}
  func cancelTimer(_ timer: TimerID) {}
  func show(_ notice: Notice) {}
  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}
