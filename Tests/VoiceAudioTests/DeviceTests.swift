import Foundation
import Testing
import VoiceSound
import VoiceTesting
import VoiceVocabulary

@testable import VoiceAudio

/// Choosing a device, which needs none.
struct SoundDeviceTests {
  private let devices = [
    SoundDevice(
      name: "HDA Intel: ALC257 Analog", hostAPI: "ALSA", inputChannels: 2, outputChannels: 2, defaultRate: 44_100),
    SoundDevice(name: "HDA Intel: HDMI 0", hostAPI: "ALSA", inputChannels: 0, outputChannels: 8, defaultRate: 44_100),
    SoundDevice(name: "USB Headset", hostAPI: "ALSA", inputChannels: 1, outputChannels: 2, defaultRate: 48_000),
    SoundDevice(
      name: "default", hostAPI: "ALSA", inputChannels: 32, outputChannels: 32, defaultRate: 48_000,
      isDefaultMicrophone: true, isDefaultSpeaker: true),
    SoundDevice(name: "USB Headset", hostAPI: "JACK", inputChannels: 1, outputChannels: 2, defaultRate: 48_000),
  ]

  @Test func aFragmentInAnyCaseChooses() throws {
    #expect(try SoundDevice.choose(.microphone, named: "headset", from: devices) == 2)
    #expect(try SoundDevice.choose(.speaker, named: "hdmi", from: devices) == 1)
    #expect(try SoundDevice.choose(.microphone, named: "hda", from: devices) == 0, "HDMI hears nothing")
    #expect(try SoundDevice.choose(.speaker, named: nil, from: devices) == 3)
  }

  @Test func noneAndSeveralAreErrorsThatListTheChoice() {
    #expect(
      throws: AudioError.ambiguousDevice(.speaker, fragment: "hda", matching: [devices[0].name, devices[1].name])
    ) {
      try SoundDevice.choose(.speaker, named: "hda", from: devices)
    }
    let error = #expect(throws: AudioError.self) {
      try SoundDevice.choose(.microphone, named: "studio", from: devices)
    }
    #expect(
      error?.description
        == "no microphone has \"studio\" in its name: choose one of \"HDA Intel: ALC257 Analog\", \"USB Headset\", "
        + "\"default\"")
    #expect(throws: AudioError.noDevice(.microphone)) {
      try SoundDevice.choose(.microphone, named: nil, from: [devices[1]])
    }
  }

  @Test func aWholeNameBeatsAFragment() throws {
    var more = devices
    more[0].name = "default analog"
    #expect(try SoundDevice.choose(.speaker, named: "Default", from: more) == 3)
  }
}

/// Real devices, on a sound server of the test's own.
@Suite(.serialized, .enabled(if: PrivatePulseAudio.isInstalled, "pulseaudio with its ALSA plugin is not installed"))
struct DeviceTests {
  @Test func whatIsSaidIsHeardAndWhatIsPlayedIsPlayed() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let system = try SoundSystem()
    #expect(system.devices.contains { $0.isDefaultSpeaker && $0.outputChannels > 0 })
    let said = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
    let told = try SoundFileReader(path: fixture("aec_far"), rate: PCM.speakerRate).read(72_000)

    let capture = try server.record(to: bench.path + "/speaker.raw")
    let speaker = try DeviceSpeaker(named: nil, in: system, wiring: bench.wiring)
    let microphone = try DeviceMicrophone(named: nil, in: system, besides: nil, wiring: bench.wiring)
    microphone.start()
    #expect(bench.wait(forFrames: 10))
    let player = try server.playIntoMicrophone(fixture("d07_piper_joe"))
    for start in stride(from: 0, to: told.count, by: 12_000) {
      speaker.play(SpeechAudio(samples: Array(told[start..<start + 12_000])), of: speech(1))
    }
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    player.waitForEnd()
    #expect(bench.wait(for: .voiceEnded(detector: .vad)))
    microphone.stop()
    speaker.stop()
    capture.stop()

    #expect(bench.marks.contains(.voiceStarted(detector: .vad)))
    let started = try #require(bench.time(of: .playbackStarted(speech: speech(1))))
    let ended = try #require(bench.time(of: .playbackEnded(speech: speech(1))))
    #expect((2_900...4_500).contains((ended.microseconds - started.microseconds) / 1000))
    #expect(bench.playedSound.flatMap(\.samples) == told, "everything played was recorded")

    let heard = bench.frames.flatMap(\.samples)
    let captured = try SoundFileReader(path: bench.path + "/speaker.raw", rate: PCM.speakerRate).readAll()
    let wayIn = segments(of: said, in: heard, rate: PCM.microphoneRate)
    let wayOut = segments(of: told, in: captured, rate: PCM.speakerRate)
    print("microphone \(wayIn) speaker \(wayOut)")
    // Under load some segments slip; noise suppression changes the microphone's a little.
    #expect(wayIn.count { $0 > 0.7 } * 4 >= wayIn.count * 3, "\(wayIn)")
    #expect(wayOut.count { $0 > 0.9 } * 4 >= wayOut.count * 3, "\(wayOut)")
  }

  @Test func clearingSilencesTheDevice() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let capture = try server.record(to: bench.path + "/speaker.raw")
    let speaker = try DeviceSpeaker(named: nil, in: try SoundSystem(), wiring: bench.wiring)
    speaker.play(SpeechAudio(samples: [Int16](repeating: 8_000, count: 240_000)), of: speech(1))
    #expect(bench.wait(for: .playbackStarted(speech: speech(1))))
    #expect(bench.wait(forPlayedBlocks: 20))
    speaker.clearPlayback()
    guard case .playbackCleared(speech(1), let heard)? = bench.marks.last else {
      Issue.record("cleared playback was not reported at once")
      return
    }
    speaker.play(SpeechAudio(samples: [Int16](repeating: -8_000, count: 12_000)), of: speech(2))
    speaker.finishPlaying(speech(2))
    #expect(bench.wait(for: .playbackEnded(speech: speech(2))))
    speaker.stop()
    capture.stop()
    let captured = try SoundFileReader(path: bench.path + "/speaker.raw", rate: PCM.speakerRate).readAll()
    let before = captured.count { $0 > 4_000 } * 1000 / 24_000
    let after = captured.count { $0 < -4_000 } * 1000 / 24_000
    print("heard \(heard) ms, captured \(before) ms before and \(after) ms after")
    #expect(heard >= 200)
    #expect(before >= heard - 100 && before <= heard + 100)
    #expect((350...520).contains(after), "capturing may stop a little early")
  }

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
    let line = rooms.readLine()
    let sum = rooms.readLine()
    rooms.waitForEnd()
    print(line)
    #expect(line.contains("only the question") || line.contains("own voice held"), "\(line)")
    #expect(sum.hasPrefix("1 of 1 "), "\(line) \(sum)")
  }

  @Test func aServerThatDiesIsReportedOnBothSidesAndNobodyWaitsForIt() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let system = try SoundSystem()
    let speaker = try DeviceSpeaker(named: nil, in: system, wiring: bench.wiring)
    let microphone = try DeviceMicrophone(named: nil, in: system, besides: speaker, wiring: bench.wiring)
    microphone.start()
    #expect(bench.wait(forFrames: 5))
    let died = bench.now
    server.stop()
    // Each is opened again for as long as it takes; what to do meanwhile is the controller's to decide.
    for side in [SoundSide.microphone, .speaker] {
      let event = VoiceEvent.soundDeviceSilent(kind: side, name: "default")
      #expect(bench.wait(for: event))
      let took = try #require(bench.time(of: event)).microseconds - died.microseconds
      print("\(side.rawValue) found silent after \(took / 1000) ms")
      #expect(took < 1_500_000)
    }
    speaker.play(.waiting)
    speaker.play(SpeechAudio(samples: ramp(0, 2_400)), of: speech(1))
    speaker.finishPlaying(speech(1))
    speaker.clearPlayback()
    #expect(bench.wait(for: .playbackCleared(speech: nil, heardMilliseconds: 0)), "the controller gives it up")
    microphone.stop()
    speaker.stop()
    #expect(
      !bench.marks.contains {
        switch $0 {
        case .microphoneFailed, .speakerFailed: true
        default: false
        }
      })
  }

  /// ALSA's "default" stays what it is; only the server knows that it is another microphone now.
  @Test func aDefaultMicrophoneThatVanishesIsToldByName() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let module = try server.control(
      "load-module", "module-remap-source", "source_name=vanishing", "master=micfeed.monitor", "channels=1",
      "source_properties=device.description=Vanishing")
    try server.control("set-default-source", "vanishing")
    let audio = try SessionAudio.open(microphone: .device(named: nil), speaker: .none, wiring: bench.wiring)
    audio.startMicrophone()
    #expect(bench.wait(forFrames: 75))
    #expect(bench.marks.isEmpty, "nothing was moved")
    try server.control("unload-module", module)
    #expect(
      bench.wait { entries in
        entries.contains {
          guard case .soundDeviceReplaced(.microphone, let name, "Vanishing") = $0.event else { return false }
          return name != "Vanishing"
        }
      })
    let count = bench.frames.count
    #expect(bench.wait(forFrames: count + 50), "the other one is heard")
    audio.stop()
  }

  @Test func aServerThatComesBackIsHeardAndPlaysAgain() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let system = try SoundSystem()
    let speaker = try DeviceSpeaker(named: nil, in: system, wiring: bench.wiring)
    let microphone = try DeviceMicrophone(named: nil, in: system, besides: speaker, wiring: bench.wiring)
    microphone.start()
    #expect(bench.wait(forFrames: 5))
    speaker.play(SpeechAudio(samples: ramp(1, 240_000)), of: speech(1))
    speaker.finishPlaying(speech(1))
    #expect(bench.wait(forPlayedBlocks: 10))
    server.stop()
    for side in [SoundSide.microphone, .speaker] {
      #expect(bench.wait(for: .soundDeviceSilent(kind: side, name: "default")))
    }
    let before = bench.frames.count
    let again = try PrivatePulseAudio(folder: bench.path + "/pulse")
    for side in [SoundSide.microphone, .speaker] {
      #expect(bench.wait(for: .soundDeviceReturned(kind: side, name: "default")))
    }
    #expect(bench.wait(forFrames: before + 50))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))), "what was to be played waited")
    microphone.stop()
    speaker.stop()
    again.stop()
    // Whatever was in the device when it went away may have to be said again; nothing is left out.
    let played = bench.playedSound.flatMap(\.samples)
    #expect(played.count >= 240_000)
    #expect(Set(played) == Set(ramp(1, 240_000)))
    let frames = bench.frames
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.position + 320 <= $1.position })
    let last = try #require(frames.last)
    let behind = Int(try #require(bench.frameTimes.last).microseconds) * 16 / 1000 - last.position
    #expect((0...32_000).contains(behind), "positions follow the session's clock: \(behind) samples behind")
    #expect(
      !bench.marks.contains {
        switch $0 {
        case .microphoneFailed, .speakerFailed: true
        default: false
        }
      })
  }

  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/snd"), "there is a real sound card"))
  func withoutAnyDeviceTheErrorSaysWhatToDo() throws {
    setenv("PULSE_SERVER", "unix:/nowhere", 1)
    let system = try SoundSystem()
    let bench = try Bench()
    let wiring = bench.wiring
    let error = #expect(throws: AudioError.self) {
      try DeviceMicrophone(named: nil, in: system, besides: nil, wiring: wiring)
    }
    #expect(error?.description.hasPrefix("no microphone was found: connect one") == true, "\(error?.description ?? "")")
  }
}

/// What a conversation with the whole program needs.
private enum Conversation {
  static var script: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../script/echo-room").standardized.path
  }

  static var isPossible: Bool {
    get async { await Program.succeeds(["env", Program.path, "transcribe", fixture("what_can_you_do_flite_slt")]) }
  }
}

/// How well each half second of `sound` that is not silent is found in `recording`, given the best place for the whole.
func segments(of sound: [Int16], in recording: [Int16], rate: Int) -> [Double] {
  // They are compared at 1000 Hz: a server's resamplers delay by parts of a millisecond, so several phases are tried.
  let step = rate / 1000
  let phases = stride(from: 0, to: step, by: step / 4).map { (phase: Int) -> [Double] in
    segments(of: sound, in: recording, from: phase, step: step)
  }
  func sum(_ likenesses: [Double]) -> Double { likenesses.reduce(0, +) }
  return phases.max { sum($0) < sum($1) } ?? []
}

private func segments(of sound: [Int16], in recording: [Int16], from phase: Int, step: Int) -> [Double] {
  func thin(_ samples: [Int16], from phase: Int = 0) -> [Double] {
    stride(from: phase, to: samples.count, by: step).map { Double(samples[$0]) }
  }
  let (wanted, found) = (thin(smooth(sound, step)), thin(smooth(recording, step), from: phase))
  func likeness(_ range: Range<Int>, at offset: Int) -> Double {
    var (product, left, right) = (0.0, 0.0, 0.0)
    for index in range where found.indices.contains(index + offset) {
      product += wanted[index] * found[index + offset]
      left += wanted[index] * wanted[index]
      right += found[index + offset] * found[index + offset]
    }
    return left > 0 && right > 0 ? product / (left * right).squareRoot() : 0
  }
  let whole = 0..<min(wanted.count, 2_000)
  let place = (0..<max(1, found.count)).max { likeness(whole, at: $0) < likeness(whole, at: $1) } ?? 0
  return stride(from: 0, to: wanted.count - 500, by: 500).compactMap { start in
    let range = start..<start + 500
    guard wanted[range].map({ abs($0) }).max() ?? 0 > 500 else { return nil }
    return (place - 150...place + 150).map { likeness(range, at: $0) }.max()
  }
}

/// A plain low-pass, so that thinning out keeps what is compared.
private func smooth(_ samples: [Int16], _ width: Int) -> [Int16] {
  var sum = 0
  return samples.indices.map { index in
    sum += Int(samples[index]) - (index >= width ? Int(samples[index - width]) : 0)
    return Int16(sum / width)
  }
}

private func fixture(_ name: String, from file: String = #filePath) -> String {
  URL(fileURLWithPath: file).deletingLastPathComponent()
    .appendingPathComponent("../VoiceSoundTests/Fixtures/\(name).wav").standardized.path
}
