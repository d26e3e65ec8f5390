import Foundation
import Testing
import VoiceSound
import VoiceTesting
import VoiceVocabulary

@testable import VoiceAudio

extension DeviceTests {
  /// Loudspeakers that the microphone hears. Within the other suite, since a process has one sound server at a time.
  @Suite struct Echo {
    /// A reply, and then an answer, in a room in which the microphone hears the loudspeaker. On a busy machine the sound server
    /// skips, which no canceller follows; nothing may come of that either.
    @Test(arguments: [("direct", 100), ("small", 25), ("large", 50)])
    func ofAReplyInARoomNothingIsHeardAndOfTheAnswerAll(room: String, volume: Int) throws {
      let bench = try Bench()
      let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
      let air = try server.carry(through: room, volume: volume)
      let system = try SoundSystem()
      let speaker = try DeviceSpeaker(named: nil, in: system, wiring: bench.wiring)
      let microphone = try DeviceMicrophone(named: nil, in: system, besides: speaker, wiring: bench.wiring)
      microphone.start()
      #expect(bench.wait(forFrames: 50))
      let told = try SoundFileReader(path: fixture("aec_far"), rate: PCM.speakerRate).read(4 * PCM.speakerRate)
      speaker.play(SpeechAudio(samples: told), of: speech(1))
      speaker.finishPlaying(speech(1))
      #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
      let heard = bench.frames.flatMap(\.samples)
      let duplex = bench.marks.compactMap { if case .duplexChanged(let duplex) = $0 { duplex } else { nil } }
      print("\(room) at \(volume) %: duplex \(duplex), loudest of the echo \(heard.map { abs(Int($0)) }.max() ?? 0)")
      #expect(duplex.first == .unknown)
      #expect(!bench.marks.contains(.voiceStarted(detector: .vad)), "the reply interrupts itself")
      #expect(heard.allSatisfy { abs(Int($0)) < 300 }, "the reply is heard")

      let player = try server.playIntoMicrophone(fixture("d07_piper_joe"))
      player.waitForEnd()
      #expect(bench.wait(for: .voiceEnded(detector: .vad)), "the user is not heard")
      microphone.stop()
      speaker.stop()
      air.stop()
      #expect(bench.frames.flatMap(\.samples).contains { abs(Int($0)) > 2_000 })
    }

    /// What a loudspeaker plays after it ran dry comes later than before, though as much of it was taken: nobody counts that.
    @Test(.timeLimit(.minutes(2))) func whereTheEchoComesIsUnknownAfterAStandstill() async throws {
      let bench = try Bench()
      let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
      let air = try server.carry(through: "direct", volume: 50)
      let audio = try SessionAudio.open(
        microphone: .device(named: nil), speaker: .device(named: nil), wiring: bench.wiring)
      audio.startMicrophone()
      let told = try SoundFileReader(path: fixture("aec_far"), rate: PCM.speakerRate).readAll()
      for _ in 0..<4 { audio.play(SpeechAudio(samples: told), of: speech(1)) }
      func isKnown(_ event: VoiceEvent) -> Bool {
        if case .duplexChanged(let duplex) = event { duplex != .unknown } else { false }
      }
      #expect(bench.wait(seconds: 30) { $0.contains { isKnown($0.event) } }, "\(bench.marks)")
      let still = bench.now
      try server.standStill(true)
      try await waitUntil { bench.now.microseconds - still.microseconds > 300_000 }
      try server.standStill(false)
      #expect(
        bench.wait { $0.contains { $0.time > still && $0.event == .duplexChanged(duplex: .unknown) } }, "\(bench.marks)"
      )
      audio.stop()
      air.stop()
    }

    @Test func withoutCancellingAReplyInterruptsItself() throws {
      let bench = try Bench()
      let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
      try server.loopSpeakerIntoMicrophone()
      let audio = try SessionAudio.open(
        microphone: .device(named: nil), speaker: .device(named: nil), wiring: bench.wiring, cancelsEcho: false)
      audio.startMicrophone()
      #expect(bench.wait(forFrames: 25))
      let told = try SoundFileReader(path: fixture("aec_far"), rate: PCM.speakerRate).read(4 * PCM.speakerRate)
      audio.play(SpeechAudio(samples: told), of: speech(1))
      audio.finishPlaying(speech(1))
      #expect(bench.wait(for: .voiceStarted(detector: .vad)))
      audio.stop()
      #expect(!bench.marks.contains { if case .duplexChanged = $0 { true } else { false } })
    }

    /// The whole program, as at a desk: what is asked is answered, and nothing of the answer is taken for an instruction.
    @Test(.enabled("the local speech engines are not installed") { await Conversation.isPossible })
    func aConversationBesideALoudspeakerTakesNothingThatNobodySaid() throws {
      let rooms = try Child(
        [
          Conversation.script, "1", "--parley", Program.path, "--rooms", "small", "--volumes", "50",
          // If it fails, this is the recording to learn from.
          "--keep", Repository.path + "/.build/echo-room",
        ])
      let line = rooms.readLine(within: 240)
      let sum = rooms.readLine()
      rooms.waitForEnd()
      print(line)
      #expect(line.contains("only the question") || line.contains("own voice held"), "\(line)")
      #expect(sum.hasPrefix("1 of 1 "), "\(line) \(sum)")
    }

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
}

/// What a conversation with the whole program needs.
private enum Conversation {
  static let script = Repository.path + "/script/echo-room"

  static var isPossible: Bool {
    get async { await Program.succeeds(["env", Program.path, "transcribe", fixture("what_can_you_do_flite_slt")]) }
  }
}
