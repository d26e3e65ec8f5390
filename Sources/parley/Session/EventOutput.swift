import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// A recorder that also writes the voice-event log to standard output while the session runs, for a program that follows
/// it, or for a person: without secrets, and without what may drive a terminal. Called by the session's steps alone.
final class EventOutput: RecorderPort {
  private let recorder: any RecorderPort
  private let put: ([UInt8]) -> Void
  private var lines: ScrubbedLines
  private var gatherer = LogGatherer()

  /// - Parameter put: writes to standard output; gets the head of the log at once. A reader that went away is no reason to stop
  ///   working.
  init(beside recorder: any RecorderPort, scrubber: Scrubber, put: @escaping ([UInt8]) -> Void) {
    self.recorder = recorder
    self.put = put
    lines = ScrubbedLines(scrubber)
    put(LogCodec().encode(LogHeader.current))
  }

  func record(_ step: VoiceStep) {
    recorder.record(step)
    for line in gatherer.append(step) { put(lines.encode(line)) }
  }

  func enterInLedger(_ instruction: Instruction, as run: RunID) { recorder.enterInLedger(instruction, as: run) }
  func noteInLedger(_ entry: LedgerEntry) { recorder.noteInLedger(entry) }

  /// What is still gathered, once the session is over.
  func finish() {
    if let line = gatherer.flush() { put(lines.encode(line)) }
  }
}
