import Foundation
import Testing
import VoiceAudio
import VoiceSound
import VoiceTesting
import VoiceVocabulary

// Tests of `DeviceTests`, which run one after the other: what becomes of a session's devices on a real sound server. Each prints
// how long it took until the device was used again.

extension DeviceTests {
  private static let clip = Repository.path + "/Tests/VoiceSoundTests/Fixtures/d07_piper_joe.wav"

  private static func isLoud(_ frame: MicrophoneFrame) -> Bool { frame.samples.contains { abs(Int($0)) > 500 } }

  /// When a frame came in which something is heard, of those from a time on.
  private func heard(_ bench: Bench, since start: SessionTime) throws -> SessionTime {
    func isHeard(_ event: VoiceEvent) -> Bool {
      if case .microphoneFrame(let frame) = event { Self.isLoud(frame) } else { false }
    }
    #expect(bench.wait { entries in entries.contains { $0.time >= start && isHeard($0.event) } })
    return try #require(bench.time(since: start, where: isHeard))
  }

  private func isAway(_ event: VoiceEvent) -> Bool {
    if case .soundDeviceSilent = event { true } else { false }
  }

  private func isBack(_ event: VoiceEvent) -> Bool {
    if case .soundDeviceReturned = event { true } else { false }
  }

  /// Waits for an event from a time on.
  private func next(_ bench: Bench, since start: SessionTime, where matches: @escaping (VoiceEvent) -> Bool) throws
    -> SessionTime
  {
    #expect(bench.wait { entries in entries.contains { $0.time >= start && matches($0.event) } }, "\(bench.marks)")
    return try #require(bench.time(since: start, where: matches))
  }

  private func report(_ what: String, from start: SessionTime, to end: SessionTime) {
    print("case: \(PrivatePulseAudio.kind), \(what) \((end.microseconds - start.microseconds) / 1000) ms")
  }

  /// What is said into a device is heard from its first word on, and every frame lies behind the one before, at its time.
  private func expectTheFirstWord(
    _ bench: Bench, into sink: String, of server: PrivatePulseAudio, at location: SourceLocation = #_sourceLocation
  ) throws {
    let start = bench.now
    try server.play(Self.clip, into: sink).waitForEnd()
    let last = bench.frames.count
    #expect(bench.wait(forFrames: last + 25), sourceLocation: location)
    let frames = bench.frames
    let sound = zip(frames, bench.frameTimes).filter { $0.1 >= start }.flatMap(\.0.samples)
    let words = segments(of: try SoundFileReader(path: Self.clip).readAll(), in: sound, rate: PCM.microphoneRate)
    #expect(words.first ?? 0 > 0.6, "\(words)", sourceLocation: location)
    #expect(
      zip(frames, frames.dropFirst()).allSatisfy { $0.position + PCM.frameSamples <= $1.position },
      sourceLocation: location)
    let lateness = zip(frames, bench.frameTimes).map { Int($0.1.microseconds) * 16 / 1000 - $0.0.position }
    // A busy machine may fetch some of it late; what stands at a wrong place stays wrong.
    let newest = lateness.suffix(50).sorted()
    let (least, median) = (lateness.min() ?? -1, newest.isEmpty ? -1 : newest[newest.count / 2])
    #expect(least >= 0 && median <= PCM.microphoneRate, "\(least), \(median) samples late", sourceLocation: location)
  }

  /// A steady tone in the microphone, so that the moment in which it is heard is that in which the device works.
  private func tone(in bench: Bench) throws -> String {
    let file = bench.path + "/tone.wav"
    let writer = try WaveWriter(path: file, rate: PCM.microphoneRate)
    try writer.append((0..<30 * PCM.microphoneRate).map { $0 / 20 % 2 == 0 ? 4_000 : -4_000 })
    try writer.close()
    return file
  }

  /// Nobody named a microphone: whatever the user makes the default is heard.
  @Test func caseOfTheDefaultMicrophoneBeingAnother() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    _ = try server.plugIn("other")
    let audio = try SessionAudio.open(microphone: .device(named: nil), speaker: .none, wiring: bench.wiring)
    defer { audio.stop() }
    audio.startMicrophone()
    let player = try server.play(tone(in: bench), into: "other")
    #expect(bench.wait(forFrames: 75))
    #expect(!bench.frames.contains(where: Self.isLoud), "it is not the default yet")
    let changed = bench.now
    try server.control("set-default-source", "other.monitor")
    report("another default microphone, heard after", from: changed, to: try heard(bench, since: changed))
    player.stop()
    try expectTheFirstWord(bench, into: "other", of: server)
  }

  /// A headset that is the default goes, and comes back with another rate and more channels, as one does whose profile is
  /// switched.
  @Test func caseOfADefaultMicrophoneThatChangesItsFormat() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let device = try server.plugIn("headset")
    try server.control("set-default-source", "headset.monitor")
    let audio = try SessionAudio.open(microphone: .device(named: nil), speaker: .none, wiring: bench.wiring)
    defer { audio.stop() }
    audio.startMicrophone()
    #expect(bench.wait(forFrames: 50))
    try server.unplug(device)
    _ = try server.plugIn("headset", rate: 16_000, channels: 2)
    let back = bench.now
    let player = try server.play(tone(in: bench), into: "headset")
    report("default headset in another profile, heard after", from: back, to: try heard(bench, since: back))
    player.stop()
    try expectTheFirstWord(bench, into: "headset", of: server)
  }

  /// Who named a microphone means that one: another is not heard in its place, and it is heard again when it is back. In between,
  /// the server may be restarted.
  @Test(.timeLimit(.minutes(5)), arguments: ["unplugged", "in another profile", "with its server"])
  func caseOfANamedMicrophone(that comesBack: String) throws {
    let bench = try Bench()
    var server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    defer {
      server.stop()
      unsetenv("PULSE_SOURCE")
    }
    let device = try server.plugIn("headset")
    let audio = try SessionAudio.open(
      microphone: .device(named: "headset.monitor"), speaker: .none, wiring: bench.wiring)
    defer { audio.stop() }
    audio.startMicrophone()
    #expect(bench.wait(forFrames: 50))
    #expect(!bench.marks.contains(where: isAway), "\(bench.marks)")
    let gone = bench.now
    if comesBack == "with its server" {
      server.stop()
      report(
        "named microphone gone with its server, noticed after", from: gone,
        to: try next(bench, since: gone, where: isAway))
      server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    } else {
      try server.unplug(device)
      if comesBack == "unplugged" {
        report("named microphone unplugged, noticed after", from: gone, to: try next(bench, since: gone, where: isAway))
      }
    }
    if comesBack != "in another profile" {
      // What comes out of the default microphone meanwhile is not what was asked for.
      try server.play(Self.clip, into: "micfeed").waitForEnd()
      #expect(!bench.frames.contains(where: Self.isLoud))
    }
    let isSwitched = comesBack == "in another profile"
    _ = try server.plugIn("headset", rate: isSwitched ? 16_000 : 48_000, channels: isSwitched ? 2 : 1)
    let back = bench.now
    report("named microphone \(comesBack), back after", from: back, to: try next(bench, since: back, where: isBack))
    try expectTheFirstWord(bench, into: "headset", of: server)
    // One outage, which the controller tells by one line and one earcon, and no word of another microphone.
    #expect(
      bench.marks.map { isAway($0) ? "away" : isBack($0) ? "back" : "" }.filter { !$0.isEmpty } == ["away", "back"])
    #expect(!bench.marks.contains { if case .soundDeviceReplaced = $0 { true } else { false } }, "\(bench.marks)")
  }

  /// As a card whose power was saved, or whose machine slept: its sound stops, and goes on.
  @Test(.enabled(if: PrivatePulseAudio.kind == "pulseaudio", "PipeWire suspends nothing that somebody records"))
  func caseOfASuspendedMicrophone() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let audio = try SessionAudio.open(microphone: .device(named: nil), speaker: .none, wiring: bench.wiring)
    defer { audio.stop() }
    audio.startMicrophone()
    let player = try server.play(tone(in: bench), into: "micfeed")
    _ = try heard(bench, since: .zero)
    for source in ["mic", "micfeed.monitor"] { try server.control("suspend-source", source, "1") }
    let silent = bench.now
    // Either nothing comes, or the device is away: no sound of before the sleep.
    #expect(bench.wait { entries in entries.contains { $0.time >= silent && self.isAway($0.event) } }, "\(bench.marks)")
    for source in ["mic", "micfeed.monitor"] { try server.control("suspend-source", source, "0") }
    let awake = bench.now
    report("microphone awake, heard after", from: awake, to: try heard(bench, since: awake))
    player.stop()
    try expectTheFirstWord(bench, into: "micfeed", of: server)
  }

  /// The speaker that plays goes away: what is left of a piece is played on what the server has instead, and nothing is left out.
  @Test func caseOfADefaultSpeakerThatIsUnplugged() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let device = try server.plugIn("headset")
    try server.control("set-default-sink", "headset")
    let audio = try SessionAudio.open(
      microphone: .device(named: nil), speaker: .device(named: nil), wiring: bench.wiring)
    defer { audio.stop() }
    audio.play(SpeechAudio(samples: ramp(1, 3 * PCM.speakerRate)), of: speech(1))
    audio.finishPlaying(speech(1))
    #expect(bench.wait(forPlayedBlocks: 20))
    let blocks = bench.playedSound.count
    let gone = bench.now
    try server.unplug(device)
    #expect(bench.wait(forPlayedBlocks: blocks + 20))
    report("default speaker unplugged, 20 blocks later after", from: gone, to: bench.now)
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    #expect(Set(bench.playedSound.flatMap(\.samples)) == Set(ramp(1, 3 * PCM.speakerRate)))
  }

  /// The speaker that was named goes away: what was to be played waits for it.
  @Test func caseOfANamedSpeakerThatIsUnplugged() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    defer { unsetenv("PULSE_SINK") }
    let device = try server.plugIn("headset")
    let audio = try SessionAudio.open(
      microphone: .device(named: nil), speaker: .device(named: "headset"), wiring: bench.wiring)
    defer { audio.stop() }
    audio.startMicrophone()
    audio.play(SpeechAudio(samples: ramp(1, 3 * PCM.speakerRate)), of: speech(1))
    audio.finishPlaying(speech(1))
    #expect(bench.wait(forPlayedBlocks: 20))
    let gone = bench.now
    try server.unplug(device)
    report("named speaker unplugged, noticed after", from: gone, to: try next(bench, since: gone, where: isAway))
    let count = bench.playedSound.count
    let frames = bench.frames.count
    #expect(bench.wait(forFrames: frames + 50))
    #expect(bench.playedSound.count == count, "nobody asked for another speaker")
    _ = try server.plugIn("headset")
    let back = bench.now
    report("named speaker back, used after", from: back, to: try next(bench, since: back, where: isBack))
    #expect(bench.wait(for: .playbackEnded(speech: speech(1))))
    #expect(Set(bench.playedSound.flatMap(\.samples)) == Set(ramp(1, 3 * PCM.speakerRate)))
  }

  /// The libraries print whatever fails in them to standard error, and each underrun, on whichever thread. What else is printed
  /// there is seen.
  @Test func caseOfChatter() throws {
    let bench = try Bench()
    let printed = try standardError(into: bench.path + "/errors") {
      let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
      let audio = try SessionAudio.open(
        microphone: .device(named: nil), speaker: .device(named: nil), wiring: bench.wiring)
      audio.startMicrophone()
      audio.play(SpeechAudio(samples: ramp(1, 240_000)), of: speech(1))
      audio.finishPlaying(speech(1))
      try #require(bench.wait(forPlayedBlocks: 20))
      server.stop()
      try waitFor(bench) { .soundDeviceSilent(kind: $0, name: "default") }
      let again = try PrivatePulseAudio(folder: bench.path + "/pulse")
      try waitFor(bench) { .soundDeviceReturned(kind: $0, name: "default") }
      audio.stop()
      again.stop()
      errno = ENOENT
      perror("Expression 'of the program itself'")
    }
    #expect(printed == "Expression 'of the program itself': No such file or directory\n")
  }

  private func waitFor(_ bench: Bench, _ event: (SoundDeviceKind) -> VoiceEvent) throws {
    for kind in [SoundDeviceKind.microphone, .speaker] { try #require(bench.wait(for: event(kind))) }
  }

  /// What is printed to standard error meanwhile.
  private func standardError(into path: String, _ body: () throws -> Void) throws -> String {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let errors = dup(STDERR_FILENO)
    try #require(file >= 0 && errors >= 0 && dup2(file, STDERR_FILENO) >= 0)
    defer { for descriptor in [file, errors] { close(descriptor) } }
    let outcome = Result { try body() }
    dup2(errors, STDERR_FILENO)
    try outcome.get()
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}
