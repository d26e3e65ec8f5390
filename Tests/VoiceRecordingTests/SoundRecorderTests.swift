import Testing
import VoiceCore
import VoiceRecording
import VoiceSound
import VoiceTesting

struct SoundRecorderTests {
  /// What both tracks hold once this was handed over.
  private func recorded(
    keepsOpus: Bool = false, _ give: (SoundRecorder) -> Void
  ) throws -> (microphone: [Int16], speaker: [Int16]) {
    let home = try TemporaryFolder()
    return try withExtendedLifetime(home) {
      let folder = try SessionFolder(creating: home.path + "/session")
      let recorder = try SoundRecorder(folder, keepsOpus: keepsOpus) { Issue.record("\($0)") }
      give(recorder)
      recorder.finish()
      return (
        try SoundFileReader(path: folder.microphoneSound, rate: PCM.microphoneRate).readAll(),
        try SoundFileReader(path: folder.speakerSound, rate: PCM.speakerRate).readAll()
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

  @Test(arguments: [false, true]) func eachTrackHasItsOwnTime(_ keepsOpus: Bool) throws {
    let tracks = try recorded(keepsOpus: keepsOpus) { recorder in
      recorder.played([7], 3)
      recorder.heard(MicrophoneFrame(position: 1, samples: [5]))
      // What overlaps is not laid over what was written: it follows.
      recorder.played([8, 9], 2)
    }
    #expect(tracks.microphone == [0, 5])
    #expect(tracks.speaker == [0, 0, 0, 7, 8, 9])
  }
}
