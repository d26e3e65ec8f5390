import Testing
import VoiceAudio
import VoiceSound

extension DeviceTests {
  @Test func theEchoOfTheLoudspeakerIsMeasured() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let trial = try DeviceTrial(try SoundSystem())
    #expect(try trial.echo(microphone: nil, speaker: nil)?.verdict == .deaf)
    let room = try server.carry(through: "small", volume: 25)
    // The room is another process, whose sound has gaps where the machine is busy: such a room is not full duplex.
    let tries = (1...3).lazy.map { _ in try? trial.echo(microphone: nil, speaker: nil) }
    let found = try #require(tries.first { $0?.verdict == .fullDuplex } ?? nil, "three tries, none of full duplex")
    #expect(found.verdict == .fullDuplex, "\(found.sentences)")
    #expect(found.delayMilliseconds != nil)
    #expect(found.loss >= 18)
    room.stop()
  }
}
