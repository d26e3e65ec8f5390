import Testing
import VoiceRecording
import VoiceSound
import VoiceSystem
import VoiceTesting
import VoiceVocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct SoundRecorderTests {
  /// What both tracks hold once this was handed over.
  private func recorded(
    form: SoundRecorder.Form = .lossless, _ give: (SoundRecorder) -> Void
  ) throws -> (microphone: [Int16], speaker: [Int16]) {
    let home = try TemporaryFolder()
    return try withExtendedLifetime(home) {
      let folder = try SessionFolder(creating: home.path + "/session")
      let recorder = SoundRecorder(folder, form: form) { Issue.record("\($0)") }
      give(recorder)
      recorder.finish()
      return (
        try SoundFileReader(path: folder.sound(.microphone), rate: PCM.microphoneRate).readAll(),
        try SoundFileReader(path: folder.sound(.speaker), rate: PCM.speakerRate).readAll()
      )
    }
  }

  @Test(arguments: [0, 1, 2, 15_999, 16_000, 16_001, 40_000])
  func whereNothingWasHeardThereIsSilence(_ gap: Int) throws {
    let tracks = try recorded { recorder in
      recorder.heard(MicrophoneFrame(position: 0, samples: [100, 200]))
      recorder.heard(MicrophoneFrame(position: 2 + gap, samples: [300]))
      recorder.played([1], 0)
    }
    #expect(tracks.microphone == [100, 200] + [Int16](repeating: 0, count: gap) + [300])
    #expect(tracks.speaker == [1])
  }

  @Test(arguments: [SoundRecorder.Form.lossless, .both]) func eachTrackHasItsOwnTime(_ form: SoundRecorder.Form) throws
  {
    let tracks = try recorded(form: form) { recorder in
      recorder.played([7], 3)
      recorder.heard(MicrophoneFrame(position: 1, samples: [5]))
      // What overlaps is not laid over what was written: it follows.
      recorder.played([8, 9], 2)
    }
    #expect(tracks.microphone == [0, 5])
    #expect(tracks.speaker == [0, 0, 0, 7, 8, 9])
  }

  @Test func opusAloneIsSmallAndKeepsTheSessionsTime() throws {
    let second = (0..<PCM.microphoneRate).map { Int16($0 % 20 < 10 ? 8_000 : -8_000) }
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let recorder = SoundRecorder(folder, form: .opus) { Issue.record("\($0)") }
    // Ten seconds of nothing, a second of sound.
    recorder.heard(MicrophoneFrame(position: 10 * PCM.microphoneRate, samples: second))
    recorder.finish()
    #expect(folder.sound(.microphone) == folder.opus(.microphone))
    #expect(!FileManager.default.fileExists(atPath: folder.wave(.microphone)))
    let samples = try SoundFileReader(path: folder.sound(.microphone), rate: PCM.microphoneRate).readAll()
    #expect(samples.count == 11 * PCM.microphoneRate)
    let beginning = try #require(samples.firstIndex { abs(Int($0)) > 2_000 })
    #expect(abs(beginning - 10 * PCM.microphoneRate) < PCM.microphoneRate / 100)
    #expect(try Data(contentsOf: URL(filePath: folder.opus(.microphone))).count < 20_000)
  }

  @Test(arguments: [SoundRecorder.Form.lossless, .opus, .both])
  func aTrackWithoutSoundLeavesNoFile(_ form: SoundRecorder.Form) throws {
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let recorder = SoundRecorder(folder, form: form) { Issue.record("\($0)") }
    recorder.heard(MicrophoneFrame(position: 0, samples: [1]))
    recorder.finish()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(!files.isEmpty && files.allSatisfy { $0.hasPrefix("microphone.") }, "\(files)")
  }

  /// The memory that a stalled disk takes is bounded, and what is heard once it works again stands at its own time. That sound
  /// is missing is told when that begins, and when it is over.
  @Test func whatADiskKeepsWaitingForTooLongIsSilence() throws {
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let disk = Locked(())
    let thread = WriteBehind()
    thread.add { disk.withLock { _ in } }
    let told = Locked<[VoiceEvent]>([])
    let recorder = SoundRecorder(folder, form: .lossless, thread: thread) { event in told.withLock { $0.append(event) }
    }
    let part = [Int16](repeating: 5, count: Limits.waitingSoundSamples / 4)
    disk.withLock { _ in
      for place in 0..<6 { recorder.heard(MicrophoneFrame(position: place * part.count, samples: part)) }
      #expect(told.withLock { $0 }.count == 1, "as soon as the first is dropped, and once")
    }
    thread.finish {}
    let reasons = told.withLock { $0 }.map { if case .recordingFailed(let reason) = $0 { reason } else { "\($0)" } }
    try #require(reasons.count == 2)
    #expect(reasons[0].hasPrefix("The disk does not take the recording's sound"))
    #expect(reasons[1].hasPrefix("The disk takes the recording's sound again. 750 s of it are missing"))
    recorder.heard(MicrophoneFrame(position: 6 * part.count, samples: [7]))
    recorder.finish()
    #expect(told.withLock { $0 }.count == 2)
    let samples = try SoundFileReader(path: folder.wave(.microphone), rate: PCM.microphoneRate).readAll()
    try #require(samples.count == 6 * part.count + 1)
    #expect(samples.last == 7)
    #expect(samples.firstIndex { $0 != 5 } == 4 * part.count)
    #expect(samples[(4 * part.count)..<(6 * part.count)].allSatisfy { $0 == 0 })
  }

  /// A session that is killed keeps what was heard before.
  @Test(.timeLimit(.minutes(5))) func soundIsInItsFileSoonAndNotOnlyAtTheEnd() async throws {
    let home = try TemporaryFolder()
    let folder = try SessionFolder(creating: home.path + "/session")
    let thread = WriteBehind()
    let recorder = SoundRecorder(folder, form: .lossless, thread: thread) { Issue.record("\($0)") }
    let written = Journal<Bool>()
    thread.add { written.append(true) }
    recorder.heard(MicrophoneFrame(position: 0, samples: [Int16](repeating: 5, count: 10 * PCM.microphoneRate)))
    _ = try await written.next { $0 }
    #expect(try Data(contentsOf: URL(filePath: folder.wave(.microphone))).count > 9 * 2 * PCM.microphoneRate)
    recorder.played([Int16](repeating: 5, count: 10 * PCM.speakerRate), 0)
    _ = try await written.next { $0 }
    #expect(try Data(contentsOf: URL(filePath: folder.wave(.speaker))).count > 9 * 2 * PCM.speakerRate)
    recorder.finish()
  }
}
