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
    let none = #expect(throws: AudioError.self) { try SoundDevice.choose(.microphone, named: "studio", from: []) }
    #expect(none?.description.hasPrefix("no microphone was found that could be \"studio\": connect one") == true)
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

  @Test func aServerThatDiesIsReportedOnBothSidesAndNobodyWaitsForIt() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let system = try SoundSystem()
    let speaker = try DeviceSpeaker(named: nil, in: system, wiring: bench.wiring)
    let microphone = try DeviceMicrophone(named: nil, in: system, besides: speaker, wiring: bench.wiring)
    microphone.start()
    #expect(bench.wait(forFrames: 25))
    let died = bench.now
    server.stop()
    // Each is opened again for as long as it takes; what to do meanwhile is the controller's to decide.
    for kind in [SoundDeviceKind.microphone, .speaker] {
      let event = VoiceEvent.soundDeviceSilent(kind: kind, name: "default")
      #expect(bench.wait(for: event))
      let took = try #require(bench.time(of: event)).microseconds - died.microseconds
      print("\(kind.rawValue) found silent after \(took / 1000) ms")
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
    for kind in [SoundDeviceKind.microphone, .speaker] {
      #expect(bench.wait(for: .soundDeviceSilent(kind: kind, name: "default")))
    }
    let before = bench.frames.count
    let again = try PrivatePulseAudio(folder: bench.path + "/pulse")
    for kind in [SoundDeviceKind.microphone, .speaker] {
      #expect(bench.wait(for: .soundDeviceReturned(kind: kind, name: "default")))
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
    // A frame is let through up to so much before its time: it is what the server kept while the program stood still.
    let second = Limits.microphoneStallMilliseconds * PCM.microphoneRate / 1000
    #expect((-second...2 * second).contains(behind), "positions follow the session's clock: \(behind) samples behind")
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

/// The path of a recording that the sound tests have, too.
func fixture(_ name: String) -> String { Repository.path + "/Tests/VoiceSoundTests/Fixtures/\(name).wav" }
