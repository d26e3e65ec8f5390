import VoiceRecording
import VoiceSystem
import VoiceVocabulary

/// A recorder that also writes the voice-event log to standard output while the session runs, for a program that follows
/// it. Called by the session's steps alone.
final class EventOutput: RecorderPort {
  private let recorder: any RecorderPort
  private let output: OutputQueue
  private let codec = LogCodec()
  private var gatherer = LogGatherer()

  /// Prints the head of the log at once.
  init(beside recorder: any RecorderPort, _ output: OutputQueue) {
    self.recorder = recorder
    self.output = output
    put(codec.encode(LogHeader.current))
  }

  func record(_ step: VoiceStep) {
    recorder.record(step)
    for line in gatherer.append(step) { put(codec.encode(line)) }
  }

  func enterInLedger(_ instruction: Instruction, as run: RunID) { recorder.enterInLedger(instruction, as: run) }
  func noteInLedger(_ entry: LedgerEntry) { recorder.noteInLedger(entry) }

  /// What is still gathered, once the session is over.
  func finish() {
    if let line = gatherer.flush() { put(codec.encode(line)) }
  }

  /// A reader that went away is no reason to stop working.
  private func put(_ bytes: [UInt8]) { output.put(bytes, to: STDOUT_FILENO) }
}
