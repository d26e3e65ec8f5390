import Testing
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

@testable import VoiceRecording

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A limit to the size of files, in a process of its own, is as a disk that fills up in the middle of a line.
struct FullDiskTests {
  /// No file of this process grows beyond so many bytes from here on.
  private static func limitFiles(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = bytes == .max ? limit.rlim_max : rlim_t(bytes)
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, "no limit could be set")
  }

  @Test func aLineThatTheDiskCutOffIsTakenBack() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.path + "/lines"
      let file = try AppendFile(path)
      try file.append("whole\n".utf8)
      Self.limitFiles(to: 10)
      #expect(throws: FileFailure.self) { try file.append("cut off\n".utf8) }
      #expect(try PlainFile.contents(path, limit: 100) == Array("whole\n".utf8))
      Self.limitFiles(to: .max)
      try file.append("later\n".utf8)
      #expect(try PlainFile.contents(path, limit: 100) == Array("whole\nlater\n".utf8))
    }
  }

  /// What could not be noted is offered again: the session counts as one that broke off.
  @Test(arguments: [false, true]) func aSessionWhoseLedgerHasALackHasNotEndedInOrder(_ isFull: Bool) async {
    await #expect(processExitsWith: .success) { [isFull] in
      let folder = try TemporaryFolder()
      let session = try SessionFolder(creating: folder.path + "/session")
      let told = Locked<[VoiceEvent]>([])
      let recorder = try SessionRecorder(session) { event in told.withLock { $0.append(event) } }
      if isFull { Self.limitFiles(to: 1) }
      recorder.noteInLedger(.held(instruction: InstructionID(rawValue: 1)))
      recorder.finish(.completed)
      Self.limitFiles(to: .max)
      #expect(told.withLock { $0.count } == (isFull ? 1 : 0))
      #expect(access(session.mark, F_OK) == (isFull ? 0 : -1))
    }
  }

  @Test func thatTheWireCannotBeRecordedIsToldOnce() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let thread = WriteBehind()
      let told = Locked(0)
      let recorder = try WireRecorder(
        folder.path + "/agent.jsonl", scrubber: Scrubber(), thread: thread, now: { .zero },
        post: { _ in told.withLock { $0 += 1 } })
      Self.limitFiles(to: 1)
      for word in ["one", "two"] {
        recorder.tap("agent")(.received(Array(word.utf8)))
        thread.finish {}
      }
      #expect(told.withLock { $0 } == 1)
    }
  }

  @Test func thatASoundCannotBeRecordedIsToldOnce() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let session = try SessionFolder(creating: folder.path + "/session")
      let told = Locked<[VoiceEvent]>([])
      let thread = WriteBehind()
      let recorder = SoundRecorder(session, form: .both, thread: thread) { event in
        told.withLock { $0.append(event) }
      }
      Self.limitFiles(to: 1_000)
      let samples = [Int16](repeating: 9, count: PCM.microphoneRate)
      for second in 0..<3 {
        recorder.heard(MicrophoneFrame(position: second * PCM.microphoneRate, samples: samples))
        thread.finish {}
      }
      recorder.finish()
      let reasons = told.withLock { $0 }.compactMap {
        if case .recordingFailed(let reason) = $0 { reason } else { nil }
      }
      #expect(reasons.count == 1 && reasons[0].hasSuffix("The sound is not recorded from here on."), "\(reasons)")
    }
  }
}
