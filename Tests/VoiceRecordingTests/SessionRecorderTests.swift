import Testing
import VoiceRecording
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private func step(_ sequence: Int, _ event: VoiceEvent = .commandsEnded) -> VoiceStep {
  VoiceStep(sequence: sequence, time: .milliseconds(Int64(sequence)), event: event, actions: [])
}

private let instruction = Instruction(id: .init(rawValue: 1), text: "run it", heard: nil, source: .keyboard)

private func failures(_ events: [VoiceEvent]) -> [String] {
  events.compactMap { if case .recordingFailed(let reason) = $0 { reason } else { nil } }
}

struct SessionRecorderTests {
  @Test func aSessionThatEndsInOrderLeavesItsLogAndNoMark() throws {
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let events = Journal<VoiceEvent>()
    let recorder = try SessionRecorder(folder) { events.append($0) }
    for number in 0..<3 { recorder.record(step(number)) }
    #expect(RunningMark.isLocked(folder.mark))
    recorder.finish(.completed)
    #expect(!FileManager.default.fileExists(atPath: folder.mark))
    #expect(!RunningMark.isLocked(folder.mark))
    #expect(try LogReader(folder.log).lines.map(\.step.sequence) == [0, 1, 2])
    #expect(events.all.isEmpty)
  }

  @Test func aFolderThatSomebodyRemovedIsToldOnce() throws {
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let events = Journal<VoiceEvent>()
    let recorder = try SessionRecorder(folder) { events.append($0) }
    recorder.record(step(0))
    try FileManager.default.removeItem(atPath: folder.path)
    for number in 1..<4 { recorder.record(step(number)) }
    let told = failures(events.all)
    #expect(told.count == 1 && told[0].hasPrefix("\(folder.path) was removed"), "\(told)")
  }

  /// There are fifty frames a second: one look in a while is enough.
  @Test func aFolderThatIsRemovedWhileOnlySoundComesIsNoticedSoon() throws {
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let events = Journal<VoiceEvent>()
    let recorder = try SessionRecorder(folder) { events.append($0) }
    try FileManager.default.removeItem(atPath: folder.path)
    for number in 1..<64 {
      recorder.record(step(number, .microphoneFrame(frame: MicrophoneFrame(position: number * 320, samples: [0]))))
    }
    #expect(events.all.isEmpty)
    recorder.record(step(64, .microphoneFrame(frame: MicrophoneFrame(position: 64 * 320, samples: [0]))))
    #expect(failures(events.all).count == 1)
  }

  @Test func twoSessionsDoNotWriteIntoOneFolder() throws {
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let mark = try RunningMark(creating: folder.mark)
    let failure = #expect(throws: FileFailure.self) { try SessionRecorder(folder) { _ in } }
    #expect(failure?.description.hasSuffix("is locked by another parley: a session runs in this folder.") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["running.lock"], "nothing is left behind")
    withExtendedLifetime(mark) {}
  }

  @Test func theMarkOfASessionThatBrokeOffIsReplaced() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/running"
    try Data().write(to: URL(filePath: path))
    #expect(!RunningMark.isLocked(path))
    let mark = try RunningMark(creating: path)
    #expect(RunningMark.isLocked(path))
    #expect(RunningMark(taking: path) == nil)
    mark.remove()
    #expect(RunningMark(taking: path) == nil, "there is none any more")
  }

  @Test func whatIsNoFileIsNoMark() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/running"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: home.path + "/elsewhere")
    #expect(throws: FileFailure.self) { try RunningMark(creating: path) }
    #expect(!FileManager.default.fileExists(atPath: home.path + "/elsewhere"))
    #expect(!RunningMark.isLocked(path))
  }

  @Test func aSessionWithoutARecordEntersEverythingAtOnce() {
    let events = Journal<VoiceEvent>()
    let recorder = UnrecordedSession { events.append($0) }
    recorder.record(step(0))
    recorder.enterInLedger(instruction, as: .init(rawValue: 1))
    recorder.noteInLedger(.approved(instruction: instruction.id))
    #expect(events.all == [.ledgerEntered(instruction: instruction.id)])
  }
}

@Test(arguments: [(1, "line 1"), (2, "line 1 and 1 more"), (3, "line 1 and 2 more")])
func eachLineThatIsDamagedIsCounted(_ count: Int, _ lines: String) {
  let damaged = String(repeating: "{broken\n", count: count)
  let reader = LedgerReader(Data(damaged.utf8), from: "ledger.jsonl")
  #expect(reader.damage == "ledger.jsonl is damaged: \(lines) cannot be read. What can be read is shown.")
}
