import Dispatch
import VoiceSystem
package import VoiceVocabulary

/// Gathers steps into lines: runs of sound become one line, every other step is a line at once.
package struct LogGatherer {
  /// A run that may still grow.
  private var open: LogLine?

  package init() {}

  /// Add a step. Returns the lines that are complete, in order.
  package mutating func append(_ step: VoiceStep) -> [LogLine] {
    var complete: [LogLine] = []
    if var run = open {
      // A run is a minute at most, so that a crash loses little.
      if run.repeated < Limits.logLineSteps, run.absorb(step) {
        open = run
        return []
      }
      complete.append(run)
      open = nil
    }
    switch step.event {
    case .microphoneFrame, .speechAudio: open = LogLine(step: step)
    default: complete.append(LogLine(step: step))
    }
    return complete
  }

  /// The run that was still open, if one was.
  package mutating func flush() -> LogLine? {
    defer { open = nil }
    return open
  }
}

/// Appends steps to a log file, each line before its actions are performed. Those of sound go behind the thread that brings it:
/// in batches, or at once where one decides something. One thread at a time uses it.
package struct LogWriter {
  /// For flushing, which any thread may do.
  package let file: AppendFile
  /// Where batches of sound are written: a disk that is slow is not waited for by who brings sound.
  private let behind = DispatchQueue(label: "parley.recorder.log")
  /// Why a batch could not be written, until that is thrown.
  private let lost = Locked<FileFailure?>(nil)
  private let codec = LogCodec()
  private var scrubbed: ScrubbedLines
  private var gatherer = LogGatherer()
  /// Steps of nothing but sound that are not gathered yet. A hundred of them may come in a second, and together they cost
  /// a fraction of what they cost one by one. They go before anything else does.
  private var sound: [VoiceStep] = []
  /// Lines of such steps that are not in the file yet.
  private var lines: [UInt8] = []
  private static let mostSteps = 64

  /// Creates the file, and writes the head.
  package init(_ path: String, scrubber: Scrubber = Scrubber()) throws(FileFailure) {
    file = try AppendFile(path)
    scrubbed = ScrubbedLines(scrubber)
    try file.append(codec.encode(LogHeader.current))
  }

  /// Write a step; sound is gathered first.
  package mutating func append(_ step: VoiceStep) throws(FileFailure) {
    if step.event.isSound {
      sound.append(step)
      if step.decidesNothing, sound.count < Self.mostSteps { return }
      gatherSound()
      if !step.decidesNothing, let line = gatherer.flush() { codec.append(line, to: &lines) }
      writeLines()
    } else {
      gatherSound()
      for line in gatherer.append(step) { try write(line) }
    }
  }

  /// Write what is gathered.
  package mutating func writeGathered() throws(FileFailure) {
    gatherSound()
    if let line = gatherer.flush() { try write(line) }
    try catchUp()
  }

  private mutating func gatherSound() {
    for step in sound {
      for line in gatherer.append(step) { codec.append(line, to: &lines) }
    }
    sound.removeAll(keepingCapacity: true)
  }

  /// Have the gathered lines written.
  private mutating func writeLines() {
    if lines.isEmpty { return }
    behind.async { [file, lost, lines] in
      do throws(FileFailure) {
        try file.append(lines)
      } catch {
        lost.withLock { $0 = error }
      }
    }
    lines = []
  }

  /// Everything gathered is in the file once this returns.
  private mutating func catchUp() throws(FileFailure) {
    writeLines()
    behind.sync {}
    if let failure = lost.withLock({ $0.take() }) { throw failure }
  }

  private mutating func write(_ line: LogLine) throws(FileFailure) {
    if line.step.event.isSound { return codec.append(line, to: &lines) }
    try catchUp()
    try file.append(scrubbed.encode(line))
  }
}

/// Lines as they may be shown and kept: without secrets. In their order.
package struct ScrubbedLines {
  private let codec = LogCodec()
  private let scrubber: Scrubber
  /// Of each text that comes in pieces: a thought may come between two of the answer.
  private var pieces: [VoiceEvent.Stream: PieceScrubber] = [:]
  /// Whether something was taken out: the digests of the state are of what really happened, so none is written from there
  /// on.
  private var isScrubbed = false

  package init(_ scrubber: Scrubber) { self.scrubber = scrubber }

  /// The line with its line feed.
  package mutating func encode(_ line: LogLine) -> [UInt8] {
    var line = line
    if isScrubbed { line.step.state = nil }
    let bytes = codec.encode(line)
    guard let scrubbed = scrubbed(bytes, of: line.step.event) else { return bytes }
    isScrubbed = true
    return withoutState(scrubbed)
  }

  private mutating func scrubbed(_ bytes: [UInt8], of event: VoiceEvent) -> [UInt8]? {
    guard let stream = event.stream else { return scrubber.scrubbed(json: bytes) }
    return pieces[stream, default: PieceScrubber(scrubber)].scrubbed(json: bytes)
  }

  /// The line again, now that it is known to have lost something.
  private func withoutState(_ bytes: [UInt8]) -> [UInt8] {
    do {
      var line = try codec.decodeLine(bytes.dropLast())
      line.step.state = nil
      return codec.encode(line)
    } catch {
      preconditionFailure("a scrubbed line cannot be read: \(error)")
    }
  }
}

extension VoiceEvent {
  /// A text that comes in pieces.
  fileprivate enum Stream { case answer, thought, listener }

  /// Of which text this is a piece; nil if it is none.
  fileprivate var stream: Stream? {
    switch self {
    case .agentReported(_, .text): .answer
    case .agentReported(_, .thought): .thought
    case .modelTranscribed: .listener
    default: nil
    }
  }
}
