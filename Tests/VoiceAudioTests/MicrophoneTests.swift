import Foundation
import Testing
import VoiceAudio
import VoiceSound
import VoiceVocabulary

@Suite struct MicrophoneTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private func recording(_ samples: [Int16]) throws -> String {
    let path = bench.path + "/microphone.wav"
    let writer = try WaveWriter(path: path, rate: PCM.microphoneRate)
    try writer.append(samples)
    try writer.close()
    return path
  }

  @Test func aFileArrivesWholeInStepWithTheClockAndThenSilence() throws {
    let microphone = try FileMicrophone(path: try recording(ramp(0, 8_100)), wiring: bench.wiring)
    #expect(bench.events.isEmpty, "nothing is heard before the start")
    microphone.start()
    #expect(bench.wait(forFrames: 40))
    microphone.stop()
    let frames = bench.frames
    #expect(frames.prefix(26).flatMap(\.samples) == ramp(0, 8_100) + [Int16](repeating: 0, count: 220))
    #expect(frames.dropFirst(26).allSatisfy { $0.samples == [Int16](repeating: 0, count: 320) })
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.0.position + 320 == $0.1.position })
    #expect(bench.marks == [.microphoneEnded])
    let before = bench.events.prefix { $0 != .microphoneEnded }
    #expect(before.count { if case .microphoneFrame = $0 { true } else { false } } == 26)
    #expect(bench.events.contains(.soundLevelChanged(level: .sound)))
    #expect(bench.recordedFrames.count >= 40)
    // 39 steps of 20 ms; no frame is early, and lateness does not add up.
    let times = bench.frameTimes
    for index in 0..<26 { #expect(times[index].microseconds >= Int64(index + 1) * 20_000) }
    #expect(times[39].microseconds - times[0].microseconds < 1_200_000)
  }

  @Test func ofARecordingOfNothingNoSoundIsTold() throws {
    let quiet = (0..<16_000).map { Int16($0 % 7) - 3 }
    let microphone = try FileMicrophone(path: try recording(quiet), pace: .fast, wiring: bench.wiring)
    microphone.start()
    #expect(bench.wait(for: .microphoneEnded))
    microphone.stop()
    #expect(!bench.events.contains(.soundLevelChanged(level: .sound)))
  }

  @Test func atFastPaceAFileIsOverSoonButNotAtOnce() throws {
    let microphone = try FileMicrophone(path: try recording(ramp(0, 160_000)), pace: .fast, wiring: bench.wiring)
    microphone.start()
    #expect(bench.wait(for: .microphoneEnded))
    microphone.stop()
    let seconds = try #require(bench.time(of: .microphoneEnded)).seconds
    #expect(seconds >= 10.0 / 50)
    #expect(seconds < 5)
    #expect(bench.frames.prefix(500).flatMap(\.samples) == ramp(0, 160_000))
  }

  @Test func aStoppedMicrophoneIsSilentForGood() throws {
    let microphone = try FileMicrophone(path: try recording(ramp(0, 16_000)), wiring: bench.wiring)
    microphone.start()
    #expect(bench.wait(forFrames: 3))
    microphone.stop()
    let count = bench.events.count
    microphone.stop()
    #expect(bench.events.count == count)
    #expect(!bench.marks.contains(.microphoneEnded))
  }

  @Test func aGateReportsSpeechInAFileIfAsked() throws {
    let samples = [Int16](repeating: 0, count: 16_000) + ramp(1, 16_000).map { _ in 100 }
    let microphone = try FileMicrophone(path: try recording(samples), pace: .fast, wiring: bench.wiring) {
      LocalVAD(isSpeech: { $0[0] != 0 })
    }
    microphone.start()
    #expect(bench.wait(for: .voiceEnded(detector: .vad)))
    microphone.stop()
    #expect(
      bench.marks == [
        .voiceStarted(detector: .vad), .microphoneEnded, .voicePaused(detector: .vad), .voiceEnded(detector: .vad),
      ])
  }

  @Test func aFileThatIsNoSoundIsRefusedAtTheStart() {
    let wiring = bench.wiring
    let path = bench.path
    #expect(throws: AudioError.unusableFile(.isFolder(path: path))) { try FileMicrophone(path: path, wiring: wiring) }
  }

  @Test(arguments: Bench.Watcher.allCases)
  func framesLeaveThePipeTheMomentTheyAreComplete(_ watcher: Bench.Watcher) throws {
    let path = try bench.fifo("microphone")
    let microphone = try PipeMicrophone(path: path, wiring: bench.wiring(watcher))
    microphone.start()
    let pipe = open(path, O_WRONLY)
    let bytes = ramp(0, 960).map(\.littleEndian).withUnsafeBytes { Array($0) }
    // In odd pieces, so that frames and even samples are split.
    #expect(write(pipe, Array(bytes[0..<639]), 639) == 639)
    #expect(bench.frames.isEmpty)
    #expect(write(pipe, Array(bytes[639..<640]), 1) == 1)
    #expect(bench.wait(forFrames: 1))
    #expect(write(pipe, Array(bytes[640..<1811]), 1171) == 1171)
    #expect(bench.wait(forFrames: 2))
    #expect(bench.marks.isEmpty)
    close(pipe)
    #expect(bench.wait(for: .microphoneEnded))
    #expect(bench.wait(forFrames: 6))
    microphone.stop()
    #expect(bench.frames.prefix(3).flatMap(\.samples).prefix(905) == ramp(0, 905)[...])
    #expect(bench.frames[2].samples.dropFirst(265).allSatisfy { $0 == 0 })
    #expect(bench.marks == [.microphoneEnded])
    let end = try #require(bench.events.firstIndex(of: .microphoneEnded))
    #expect(end > 3, "another writer is waited for")
    #expect(bench.frames[3..<end].allSatisfy { $0.samples.allSatisfy { $0 == 0 } })
  }

  /// As with `cat one >pipe; cat two >pipe`.
  @Test(arguments: Bench.Watcher.allCases) func aWriterThatFollowsAnotherIsHeard(_ watcher: Bench.Watcher) throws {
    let path = try bench.fifo("microphone")
    let microphone = try PipeMicrophone(path: path, wiring: bench.wiring(watcher))
    microphone.start()
    for round in 0..<3 {
      let pipe = open(path, O_WRONLY)
      let bytes = ramp(1 + round * 1_000, 400).map(\.littleEndian).withUnsafeBytes { Array($0) }
      // Half a sample too much, which belongs to nobody.
      #expect(write(pipe, bytes + [7], 801) == 801)
      close(pipe)
      #expect(bench.wait { entries in entries.contains { $0.event.holds(Int16(1_400 - 1_000 + round * 1_000)) } })
      #expect(bench.marks.isEmpty)
    }
    #expect(bench.wait(for: .microphoneEnded))
    microphone.stop()
    let said = bench.frames.flatMap(\.samples).filter { $0 != 0 }
    #expect(said == ramp(1, 400) + ramp(1_001, 400) + ramp(2_001, 400))
    #expect(zip(bench.frames, bench.frames.dropFirst()).allSatisfy { $0.0.position + 320 <= $0.1.position })
    #expect(bench.marks == [.microphoneEnded])
  }

  @Test(arguments: Bench.Watcher.allCases) func aStoppedPipeIsSilent(_ watcher: Bench.Watcher) throws {
    let path = try bench.fifo("microphone")
    let microphone = try PipeMicrophone(path: path, wiring: bench.wiring(watcher))
    microphone.start()
    microphone.stop()
    let pipe = open(path, O_WRONLY)
    #expect(write(pipe, [UInt8](repeating: 1, count: 1_280), 1_280) == 1_280)
    close(pipe)
    #expect(bench.events.isEmpty)
  }

  @Test(arguments: Bench.Watcher.allCases) func aFloodedPipeIsHeldBackAndLosesNothing(_ watcher: Bench.Watcher) throws {
    let path = try bench.fifo("microphone")
    let microphone = try PipeMicrophone(path: path, wiring: bench.wiring(watcher))
    microphone.start()
    let bytes = ramp(0, 320_000).map(\.littleEndian).withUnsafeBytes { Array($0) }
    let flood = Thread {
      let pipe = open(path, O_WRONLY)
      var done = 0
      while done < bytes.count { done += max(0, write(pipe, Array(bytes[done...]), bytes.count - done)) }
      close(pipe)
    }
    flood.start()
    #expect(bench.wait(for: .microphoneEnded))
    microphone.stop()
    #expect(bench.frames.prefix(1000).flatMap(\.samples) == ramp(0, 320_000))
    #expect(try #require(bench.time(of: .microphoneEnded)).seconds >= 900 * 0.0004)
  }

  @Test func aPipeThatIsNoPipeIsRefusedWithARemedy() throws {
    let wiring = bench.wiring
    let missing = bench.path + "/none"
    let error = #expect(throws: AudioError.self) { try PipeMicrophone(path: missing, wiring: wiring) }
    #expect(error?.description == "the pipe \(missing) cannot be opened: it does not exist; make it with mkfifo")
    let file = try recording([1])
    #expect(throws: AudioError.unusablePipe(path: file, reason: "it is not a pipe; make one with mkfifo")) {
      try PipeMicrophone(path: file, wiring: wiring)
    }
  }
}

extension VoiceEvent {
  fileprivate func holds(_ sample: Int16) -> Bool {
    if case .microphoneFrame(let frame) = self { frame.samples.contains(sample) } else { false }
  }
}
