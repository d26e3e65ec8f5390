import Foundation
import Testing
import VoiceAudio
import VoiceVocabulary

struct MicrophoneTrialTests {
  private func verdict(_ samples: [Int16]) -> MicrophoneTrial.Verdict {
    var trial = MicrophoneTrial(rate: 16_000)
    for start in stride(from: 0, to: samples.count, by: 480) {
      trial.hear(samples[start..<min(start + 480, samples.count)])
    }
    return trial.verdict
  }

  private func square(_ level: Int16, seconds: Double) -> [Int16] {
    (0..<Int(16_000 * seconds)).map { $0 / 40 % 2 == 0 ? level : -level }
  }

  @Test func eachTroubleHasItsName() {
    #expect(verdict([]) == .dead)
    #expect(verdict([Int16](repeating: 0, count: 64_000)) == .muted)
    #expect(verdict([Int16](repeating: -1, count: 64_000)) == .stuck)
    #expect(verdict(square(32_767, seconds: 4)) == .clipped)
    #expect(verdict(square(30, seconds: 4)) == .tooQuiet)
    #expect(verdict(square(3_000, seconds: 4)) == .good)
  }

  @Test func aFewWordsAreEnoughAndAClickIsNot() {
    #expect(verdict(square(20, seconds: 3) + square(2_000, seconds: 1)) == .good)
    #expect(verdict(square(20, seconds: 3.9) + square(2_000, seconds: 0.1)) == .tooQuiet)
    #expect(verdict(square(2_000, seconds: 3.999) + square(32_767, seconds: 0.001)) == .good)
    #expect(verdict([Int16](repeating: 0, count: 63_999) + [1]) == .tooQuiet, "zeros are not all there is")
  }

  @Test func theLevelIsInDecibels() {
    var trial = MicrophoneTrial(rate: 16_000)
    trial.hear(square(16_384, seconds: 0.1))
    #expect(trial.decibels == -6)
    trial.hear([Int16](repeating: 0, count: 1_600))
    #expect(trial.decibels == -96)
    trial.hear(square(32_767, seconds: 0.1))
    #expect(trial.decibels == 0)
  }
}

extension DeviceTests {
  @Test func theToneIsPlayedAndASilentMicrophoneIsNamed() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let trial = try DeviceTrial(try SoundSystem())
    #expect(try trial.play([Int16](repeating: 4_000, count: 4_800), on: nil))
    #expect(try trial.listen(to: nil) { _ in } == .muted)
    let player = try server.playIntoMicrophone(speech())
    var levels: [Int] = []
    #expect(try trial.listen(to: nil) { levels.append($0) } == .good)
    #expect(levels.count == DeviceTrial.steps)
    player.stop()
  }

  @Test func aSourceThatOnlyTheServerKnowsIsReachedByName() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    try server.control("load-module", "module-null-sink", "sink_name=other")
    defer { for name in ["PULSE_SOURCE", "PULSE_SINK"] { unsetenv(name) } }
    let system = try SoundSystem()
    let monitors = system.devices.filter { $0.serverName == "other.monitor" }
    #expect(monitors.map(\.inputChannels) == [1])
    let trial = try DeviceTrial(system)
    // What comes out of the default microphone does not come out of this one.
    let player = try server.playIntoMicrophone(speech())
    #expect(try trial.listen(to: "other.monitor") { _ in } == .muted)
    player.stop()
    #expect(try trial.name(of: .speaker, named: "other").hasSuffix("(other)"))
  }

  private func speech(from file: String = #filePath) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("../VoiceSoundTests/Fixtures/d07_piper_joe.wav").standardized.path
  }
}
