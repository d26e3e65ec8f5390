package import VoiceCore

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

/// Appends steps to a log file, each line before its actions are performed. One thread uses it.
package struct LogWriter {
  private let file: AppendFile
  private let codec = LogCodec()
  private var gatherer = LogGatherer()

  package init(_ path: String) throws(FileFailure) {
    file = try AppendFile(path)
    try file.append(codec.encode(LogHeader.current))
  }

  package mutating func append(_ step: VoiceStep) throws(FileFailure) {
    for line in gatherer.append(step) { try file.append(codec.encode(line)) }
  }

  /// Write what is gathered, and see that the disk has all of it.
  package mutating func flush() throws(FileFailure) {
    if let line = gatherer.flush() { try file.append(codec.encode(line)) }
    try file.flush()
  }
}
