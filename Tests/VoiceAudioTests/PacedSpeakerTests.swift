import Foundation
import Testing
import VoiceAudio
import VoiceSound
import VoiceVocabulary

@Suite struct PacedSpeakerTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test func eventsFollowTheClockThoughNobodyListens() throws {
    let speaker = try PacedSpeaker.silent(wiring: bench.wiring)
    speaker.play(SpeechAudio(samples: ramp(0, 7_200)), of: speech(1))
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    speaker.stop()
    #expect(bench.marks == [.playbackStarted(speech: speech(1)), .playbackEnded(speech: speech(1))])
    let started = try #require(bench.time(of: .playbackStarted(speech: speech(1))))
    let ended = try #require(bench.time(of: .playbackEnded(speech: speech(1))))
    #expect((290...800).contains((ended.microseconds - started.microseconds) / 1000))
    let played = bench.playedSound
    #expect(played.flatMap(\.samples) == ramp(0, 7_200))
    #expect(zip(played, played.dropFirst()).allSatisfy { $0.0.position + $0.0.samples.count <= $0.1.position })
  }

  @Test func aFileHoldsTheSoundAtItsPlaceInTheSession() throws {
    let path = bench.path + "/speaker.wav"
    let speaker = try PacedSpeaker.file(path: path, wiring: bench.wiring)
    speaker.play(SpeechAudio(samples: ramp(1, 1_000)), of: speech(1))
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    speaker.play(SpeechAudio(samples: ramp(2_001, 1_000)), of: speech(2))
    speaker.finishPlaying(speech(2))
    #expect(bench.wait(for: .playbackEnded(speech: speech(2))))
    speaker.play(.done)
    #expect(bench.wait(forPlayedBlocks: 7))
    speaker.stop()
    let samples = try SoundFileReader(path: path, rate: PCM.speakerRate).readAll()
    for (sound, position) in bench.playedSound {
      #expect(Array(samples[position..<position + sound.count]) == sound)
    }
    #expect(samples.filter { $0 != 0 }.prefix(2_000) == (ramp(1, 1_000) + ramp(2_001, 1_000))[...])
    let first = try #require(samples.firstIndex(of: 1))
    let started = try #require(bench.time(of: .playbackStarted(speech: speech(1)))).seconds
    #expect(abs(Double(first) / 24_000 - started) < 0.1)
  }

  @Test func aPipeGetsTheSoundWithNothingBetween() throws {
    let path = try bench.fifo("speaker")
    let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring)
    let reader = PipeReader(path)
    speaker.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(1))
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    speaker.play(SpeechAudio(samples: ramp(2_400, 480)), of: speech(2))
    speaker.finishPlaying(speech(2))
    #expect(bench.wait(for: .playbackEnded(speech: speech(2))))
    speaker.stop()
    #expect(reader.samples() == ramp(0, 2_880))
  }

  @Test func afterClearingAtMostThirtyMillisecondsFollow() throws {
    let path = try bench.fifo("speaker")
    let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring)
    let reader = PipeReader(path)
    speaker.play(SpeechAudio(samples: ramp(0, 240_000)), of: speech(1))
    #expect(bench.wait(for: .playbackStarted(speech: speech(1))))
    #expect(bench.wait(forPlayedBlocks: 20))
    let start = try #require(bench.time(of: .playbackStarted(speech: speech(1))))
    let before = bench.now
    speaker.clearPlayback()
    guard case .playbackCleared(speech(1), let heard)? = bench.marks.last else {
      Issue.record("cleared playback was not reported at once")
      return
    }
    speaker.stop()
    let written = reader.samples().count * 1000 / 24_000
    #expect(written <= (before.microseconds - start.microseconds) / 1000 + 60)
    #expect(written - heard <= 30)
    #expect(bench.marks.count == 2)
  }

  @Test func aReaderThatGoesAwayIsReportedOnceAndNobodyWaitsForEver() throws {
    let path = try bench.fifo("speaker")
    let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring, patienceMilliseconds: 300)
    let reader = PipeReader(path)
    speaker.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(1))
    #expect(bench.wait(for: .playbackStarted(speech: speech(1))))
    reader.goAway()
    for number in 1...3 {
      speaker.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(number))
      speaker.finishPlaying(speech(number))
    }
    #expect(bench.wait(for: .playbackEnded(speech: speech(3))))
    speaker.stop()
    let failures = bench.marks.filter { if case .speakerFailed = $0 { true } else { false } }
    #expect(
      failures == [
        .speakerFailed(
          reason: "the speaker pipe \(path) takes no sound: its reader went away; the session goes on without sound")
      ])
  }

  @Test func aReaderThatReturnsHearsTheRest() throws {
    let path = try bench.fifo("speaker")
    let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring)
    let first = PipeReader(path)
    speaker.play(SpeechAudio(samples: ramp(1, 4_800)), of: speech(1))
    #expect(bench.wait(for: .playbackStarted(speech: speech(1))))
    first.goAway()
    speaker.play(SpeechAudio(samples: ramp(4_801, 4_800)), of: speech(1))
    speaker.finishPlaying(speech(1))
    // It leaves once it has read something more.
    let heardFirst = first.samples()
    let second = PipeReader(path)
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    speaker.stop()
    #expect(heardFirst + second.samples() == ramp(1, 9_600), "nothing is lost between the two")
    #expect(!bench.marks.contains { if case .speakerFailed = $0 { true } else { false } })
  }

  @Test func aReaderThatStallsHearsEverythingLater() throws {
    let path = try bench.fifo("speaker")
    let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring, patienceMilliseconds: 20_000)
    // Opened and not read: the pipe, made small (F_SETPIPE_SZ), fills up, and then nothing more is played.
    let stalled = open(path, O_RDONLY | O_NONBLOCK)
    #expect(fcntl(stalled, 1031, 4096) == 4096)
    speaker.play(SpeechAudio(samples: ramp(1, 48_000)), of: speech(1))
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(forPlayedSamples: 2_049))
    let reader = PipeReader(path)
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    speaker.stop()
    close(stalled)
    #expect(reader.samples() == ramp(1, 48_000))
    #expect(
      bench.marks == [.playbackStarted(speech: speech(1)), .playbackEnded(speech: speech(1))])
  }

  @Test func aSpeakerNobodyReadsBlocksNobody() throws {
    let speaker = try PacedSpeaker.pipe(path: try bench.fifo("speaker"), wiring: bench.wiring)
    let before = bench.now
    for _ in 0..<100 { speaker.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(1)) }
    speaker.clearPlayback()
    speaker.stop()
    #expect(bench.now.seconds - before.seconds < 2)
    #expect(bench.marks.contains { if case .playbackCleared = $0 { true } else { false } })
  }

  @Test func aFileThatCannotBeWrittenIsRefusedAtTheStart() {
    let wiring = bench.wiring
    let reason = "the disk is full; free some space"
    #expect(throws: AudioError.unusableFile(.unwritable(path: "/dev/full", reason: reason))) {
      try PacedSpeaker.file(path: "/dev/full", wiring: wiring)
    }
  }

  @Test func aFullDiskEndsTheSoundAndNotTheSession() throws {
    let path = bench.path + "/full.raw"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
    let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring)
    speaker.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(1))
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    speaker.stop()
    #expect(bench.marks.count { if case .speakerFailed = $0 { true } else { false } } == 1)
  }

  @Test func aRawFileTakesTheSoundToo() throws {
    let path = bench.path + "/speaker.raw"
    let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring)
    speaker.play(SpeechAudio(samples: ramp(0, 1_000)), of: speech(1))
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    speaker.stop()
    #expect(try SoundFileReader(path: path, rate: 24_000).readAll() == ramp(0, 1_000))
  }

  #if os(Linux)
    @Test(.timeLimit(.minutes(5))) func aDeviceThatTakesNothingBlocksNobody() throws {
      // A terminal that nobody reads: unlocked, and asked for its number (TIOCSPTLCK, TIOCGPTN).
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      defer { close(master) }
      var (lock, number) = (Int32(0), Int32(-1))
      try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
      let path = bench.path + "/terminal.raw"
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/pts/\(number)")
      let speaker = try PacedSpeaker.pipe(path: path, wiring: bench.wiring)
      for _ in 0..<100 { speaker.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(1)) }
      speaker.clearPlayback()
      speaker.stop()
      #expect(bench.marks.contains { if case .playbackCleared = $0 { true } else { false } })
    }
  #endif

  @Test func aSpeakerPipeThatIsNotThereIsRefused() {
    let wiring = bench.wiring
    let path = bench.path + "/none"
    #expect(throws: AudioError.unusablePipe(path: path, reason: "it does not exist; make it with mkfifo")) {
      try PacedSpeaker.pipe(path: path, wiring: wiring)
    }
  }
}

/// Reads a FIFO on a thread of its own, as `aplay` would.
final class PipeReader: @unchecked Sendable {
  // `bytes` and `isGone` are touched between lock and unlock of `condition` only.
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var isOver = false
  private var isUnwanted = false

  init(_ path: String) {
    let thread = Thread { [self] in
      let pipe = open(path, O_RDONLY)
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(pipe, &buffer, buffer.count)
        condition.lock()
        bytes += buffer.prefix(max(0, count))
        if count <= 0 || isUnwanted { break }
        condition.unlock()
      }
      close(pipe)
      isOver = true
      condition.broadcast()
      condition.unlock()
    }
    thread.start()
  }

  /// Everything that came until the writer closed.
  func samples() -> [Int16] {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: 10)
    while !isOver && condition.wait(until: deadline) {}
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  func goAway() {
    condition.lock()
    isUnwanted = true
    condition.unlock()
  }
}
