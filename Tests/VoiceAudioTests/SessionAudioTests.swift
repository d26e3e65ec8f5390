import Foundation
import Testing
import VoiceAudio
import VoiceSound
import VoiceSystem
import VoiceVocabulary

struct SessionAudioTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test func aPathIsTakenForWhatItIs() throws {
    let pipe = try bench.fifo("pipe")
    #expect(SessionAudio.MicrophoneChoice.path(pipe, pace: .real) == .pipe(path: pipe))
    #expect(SessionAudio.MicrophoneChoice.path("-", pace: .fast) == .pipe(path: "-"))
    #expect(SessionAudio.MicrophoneChoice.path("a.wav", pace: .fast) == .file(path: "a.wav", pace: .fast))
    #expect(SessionAudio.SpeakerChoice.path(pipe) == .pipe(path: pipe))
    #expect(SessionAudio.SpeakerChoice.path("a.raw") == .pipe(path: "a.raw"))
    #expect(SessionAudio.SpeakerChoice.path("a.wav") == .file(path: "a.wav"))
  }

  @Test func aWholeSessionRunsOnFiles() throws {
    let path = bench.path + "/microphone.wav"
    let writer = try WaveWriter(path: path, rate: 48_000)
    try writer.append([Int16](repeating: 1_000, count: 9_600))
    try writer.close()
    let audio = try SessionAudio.open(
      microphone: .path(path, pace: .real), speaker: .path(bench.path + "/speaker.wav"), wiring: bench.wiring)
    #expect(audio.warnings.isEmpty)
    audio.startMicrophone()
    audio.play(.heardYou)
    audio.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(1))
    audio.finishPlaying(speech(1))
    #expect(bench.wait(for: .microphoneEnded))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    audio.clearPlayback()
    audio.stop()
    #expect(bench.marks.last == .playbackCleared(speech: nil, heardMilliseconds: 0))
    #expect(try SoundFileReader(path: bench.path + "/speaker.wav", rate: 24_000).readAll().count >= 2_400)
  }

  /// A thread that wakes for each frame anyway writes what is due, so that no other need wake for it.
  @Test func theMicrophonesThreadWritesWhatIsDue() throws {
    let clock = Locked(SessionTime(microseconds: 0))
    let threads = Locked<(heard: pthread_t?, played: [pthread_t])>((nil, []))
    var wiring = bench.wiring
    wiring.now = { clock.withLock { $0 } }
    let played = wiring.played
    wiring.heard = { _ in threads.withLock { $0.heard = pthread_self() } }
    wiring.played = { samples, position in
      threads.withLock { $0.played.append(pthread_self()) }
      played?(samples, position)
    }
    let path = try bench.fifo("microphone")
    let audio = try SessionAudio.open(microphone: .pipe(path: path), speaker: .none, wiring: wiring)
    let pipe = open(path, O_WRONLY)
    defer { close(pipe) }
    audio.startMicrophone()
    audio.play(SpeechAudio(samples: ramp(0, 24_000)), of: speech(1))
    for count in 2...20 {
      clock.withLock { $0.microseconds += 20_000 }
      #expect(write(pipe, ramp(0, PCM.frameSamples), PCM.frameSamples * 2) == PCM.frameSamples * 2)
      #expect(bench.wait(forPlayedBlocks: count))
    }
    audio.stop()
    // 30 ms at once, then 20 with each frame.
    #expect(bench.playedSound.prefix(20).map(\.position) == [0] + (0..<19).map { 720 + 480 * $0 })
    let (heard, playedBy) = threads.withLock { $0 }
    // The speaker's own thread may be the first where the machine stalls.
    #expect(playedBy.contains { thread in heard.map { pthread_equal($0, thread) != 0 } == true })
  }

  @Test func aRecordingThatIsCutShortIsUsedWithAWarning() throws {
    let path = bench.path + "/cut.wav"
    let writer = try WaveWriter(path: path, rate: 16_000)
    try writer.append(ramp(0, 16_000))
    try writer.close()
    #expect(truncate(path, 44 + 16_000) == 0)
    let audio = try SessionAudio.open(
      microphone: .path(path, pace: .fast), speaker: .none, wiring: bench.wiring, watchesRecordings: true)
    #expect(
      audio.warnings == ["the sound file \(path) is cut short: 0.5 s of the promised 1.0 s are there; they are used"])
    audio.startMicrophone()
    #expect(bench.wait(for: .microphoneEnded))
    audio.stop()
  }

  @Test func whatCannotBeOpenedLeavesNothingRunning() throws {
    let wiring = bench.wiring
    let speaker = bench.path + "/speaker.wav"
    #expect(throws: AudioError.unusableFile(.missing(path: "/none.wav"))) {
      try SessionAudio.open(
        microphone: .path("/none.wav", pace: .real), speaker: .path(speaker), wiring: wiring)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: speaker)).count == 44)
  }

  @Test func everyErrorIsOneLine() {
    let errors: [AudioError] = [
      .noDevice(.speaker), .noSuchDevice(.speaker, fragment: "x", available: []),
      .ambiguousDevice(.microphone, fragment: "x", matching: ["a", "b"]),
      .unusableDevice(.microphone, name: "x", reason: "busy"), .noSoundSystem(reason: "x"),
      .unusablePipe(path: "p", reason: "x"), .unusableFile(.empty(path: "p")),
    ]
    for error in errors { #expect(!error.description.isEmpty && !error.description.contains("\n")) }
  }
}
