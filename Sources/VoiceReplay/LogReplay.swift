import VoiceCore
import VoiceRecording
package import VoiceVocabulary

/// A log replayed against itself: its events go in, and the actions that come out are compared. Nothing stands behind the
/// ports, so an hour takes less than a second.
package struct LogReplay {
  private let lines: [LogLine]

  /// - Parameter path: a voice-event log; a damaged one is refused, unless only its last line is torn, as after a crash.
  package init(_ path: String) throws(FixtureFailure) {
    lines = try [LogLine](ofLog: path)
    if let defect = lines.defect { throw FixtureFailure("\(path) \(defect).") }
  }

  /// Give the recorded events to a session, and compare what it does.
  package func run() async -> (verdict: ReplayVerdict, duration: SessionTime) {
    let playback = LogPlayback(lines)
    var session = VoiceSession(ports: .silent(recorder: playback))
    _ = await session.run(playback)
    let verdict = playback.difference.map { ReplayVerdict.differs($0) } ?? .same
    return (verdict, lines.last?.step.time ?? .zero)
  }
}

extension [LogLine] {
  /// Those of a log; a damaged one is refused, unless only its last line is torn, as after a crash.
  init(ofLog path: String) throws(FixtureFailure) {
    do throws(FileFailure) {
      let reader = try LogReader(path)
      if let damage = reader.damage { throw FileFailure(damage) }
      self = reader.lines
    } catch {
      throw FixtureFailure(error.description)
    }
  }

  /// Why these cannot be the lines of a session, as the end of a sentence; nil if they can. Whatever passes here cannot stop
  /// the program. Without a single line the program was ended before the session began, and nothing was decided.
  var defect: String? {
    guard let first else { return nil }
    guard case .sessionStarted = first.step.event else { return "does not begin with the start of a session" }
    var last = -1
    for line in self {
      guard case .microphoneFrame(let frame) = line.step.event else { continue }
      // A microphone never hears the same moment twice.
      guard frame.position > last else { return "is no session: at step \(line.step.sequence) its sound goes back" }
      last = frame.position + (line.repeated - 1) * PCM.frameSamples
    }
    return nil
  }
}

/// Gives the events of a log, and compares what the session does with what the log says.
private final class LogPlayback: EventSource, RecorderPort {
  private let lines: [LogLine]
  private var lineIndex = 0
  private var steps: ArraySlice<VoiceStep> = []
  /// The step whose event the session has.
  private var current: VoiceStep?
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

  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}

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
