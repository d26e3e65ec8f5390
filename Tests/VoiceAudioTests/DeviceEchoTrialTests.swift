import Testing
import VoiceAudio
import VoiceSound

extension DeviceTests {
  @Test func theEchoOfTheLoudspeakerIsMeasured() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let trial = try DeviceEchoTrial(try SoundSystem())
    #expect(try trial.run(microphone: nil, speaker: nil)?.verdict == .deaf)
    let room = try server.carry(through: "small", volume: 25)
    let found = try #require(try trial.run(microphone: nil, speaker: nil))
    #expect(found.verdict == .fullDuplex, "\(found.sentences)")
    #expect(found.delayMilliseconds != nil)
    #expect(found.loss >= 18)
    room.stop()
  }
}
