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

/// Appends steps to a log file, each line before its actions are performed; lines of nothing but sound, which decide nothing, in
/// batches. One thread uses it.
package struct LogWriter {
  /// For flushing, which any thread may do.
  package let file: AppendFile
  private let codec = LogCodec()
  private let scrubber: Scrubber
  private var gatherer = LogGatherer()
  /// Lines of sound that are not in the file yet. Where both sides speak there are a hundred of them a second, and each
  /// call to the file costs more than its line. They are written before anything else is.
  private var sound: [UInt8] = []
  /// About half a second of such lines.
  private static let mostSoundBytes = 8_192
  /// Whether something was taken out: the digests of the state are of what really happened, so none is written from there
  /// on.
  private var isScrubbed = false

  package init(_ path: String, scrubber: Scrubber = Scrubber()) throws(FileFailure) {
    file = try AppendFile(path)
    self.scrubber = scrubber
    try file.append(codec.encode(LogHeader.current))
  }

  package mutating func append(_ step: VoiceStep) throws(FileFailure) {
    for line in gatherer.append(step) { try write(line) }
  }

  /// Write what is gathered.
  package mutating func writeGathered() throws(FileFailure) {
    if let line = gatherer.flush() { try write(line) }
    try writeSound()
  }

  private mutating func writeSound() throws(FileFailure) {
    if sound.isEmpty { return }
    try file.append(sound)
    sound.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ line: LogLine) throws(FileFailure) {
    if line.step.event.isSound {
      codec.append(line, to: &sound)
      if sound.count >= Self.mostSoundBytes { try writeSound() }
      return
    }
    try writeSound()
    var line = line
    if isScrubbed { line.step.state = nil }
    let bytes = codec.encode(line)
    guard let scrubbed = scrubber.scrubbed(json: bytes) else { return try file.append(bytes) }
    isScrubbed = true
    try file.append(Self.withoutState(scrubbed, codec))
  }

  /// The line again, now that it is known to have lost something.
  private static func withoutState(_ bytes: [UInt8], _ codec: LogCodec) -> [UInt8] {
    do {
      var line = try codec.decodeLine(bytes.dropLast())
      line.step.state = nil
      return codec.encode(line)
    } catch {
      preconditionFailure("a scrubbed line cannot be read: \(error)")
    }
  }
}
