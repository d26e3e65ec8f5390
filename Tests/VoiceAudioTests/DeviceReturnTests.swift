import Foundation
import Testing
import VoiceAudio
import VoiceCore
import VoiceLoop
import VoiceTesting
import VoiceVocabulary

// Tests of `DeviceTests`, which run one after the other: there is one sound server at a time.

extension DeviceTests {
  /// A virtual microphone has no noise, as a muted one.
  @Test func aMicrophoneThatGivesZerosIsNamedWithinASecond() throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let microphone = try DeviceMicrophone(named: nil, in: SoundSystem(), besides: nil, wiring: bench.wiring)
    microphone.start()
    let muted = VoiceEvent.muteChanged(name: "default", isMuted: true)
    #expect(bench.wait(for: muted))
    let player = try server.playIntoMicrophone(Repository.path + "/Tests/VoiceSoundTests/Fixtures/d07_piper_joe.wav")
    #expect(bench.wait(for: .muteChanged(name: "default", isMuted: false)))
    player.waitForEnd()
    microphone.stop()
    let first = try #require(bench.frameTimes.first)
    let told = try #require(bench.time(of: muted))
    print("named \((told.microseconds - first.microseconds) / 1000) ms after the first frame")
    #expect((800_000...1_100_000).contains(told.microseconds - first.microseconds))
  }

  /// It takes the connection, and says nothing, as one that was stopped.
  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/snd"), "there is a real sound card"))
  func aSoundServerThatDoesNotAnswerIsTold() throws {
    let bench = try Bench()
    let path = bench.path + "/silent"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
    }
    try #require(isBound && listen(listener, 8) == 0)
    setenv("PULSE_SERVER", "unix:" + path, 1)
    let error = #expect(throws: AudioError.self) { try SoundSystem(answerSeconds: 1) }
    #expect(error?.description.contains("the sound server does not answer; restart it") == true)
  }

  /// Queues, positions and the session go on while the pair is taken down and built again.
  @Test(.timeLimit(.minutes(5))) func aSessionOutlivesItsSoundServer() async throws {
    let bench = try Bench()
    let server = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let inbox = EventInbox()
    let steps = Journal<VoiceStep>()
    let wiring = AudioWiring(now: { inbox.now }, post: { inbox.post($0) })
    let audio = try SessionAudio.open(microphone: .device(named: nil), speaker: .device(named: nil), wiring: wiring)
    var ports = VoicePorts.silent(recorder: StepJournal(steps: steps))
    ports.audio = audio
    inbox.post(.sessionStarted(settings: InteractionSettings()))
    let session = VoiceSession(ports: ports)
    async let outcome = inbox.run(session)
    // A session ends on request only, so it has to be requested where a wait is given up, too.
    defer { inbox.post(.terminationRequested(signal: "SIGTERM")) }
    func frames() -> [(time: SessionTime, position: Int)] {
      steps.all.compactMap { step in
        if case .microphoneFrame(let frame) = step.event { (step.time, frame.position) } else { nil }
      }
    }
    let hasHeard = await steps.wait { _ in frames().count >= 50 }
    let died = inbox.now
    server.stop()
    for _ in 0..<2 {
      try await steps.next { if case .soundDeviceSilent = $0.event { () } else { nil } }
    }
    // Away for longer than a lateness that moves no frame.
    let long = 2000 * Int64(Limits.microphoneStallMilliseconds)
    try await waitUntil { inbox.now.microseconds - died.microseconds > long }
    let again = try PrivatePulseAudio(folder: bench.path + "/pulse")
    let restarted = inbox.now
    let back = try await steps.next { $0.actions.contains(.playEarcon(earcon: .soundReturned)) ? $0.time : nil }
    let before = frames().count
    let hears = await steps.wait { _ in frames().count >= before + 50 }
    inbox.post(.terminationRequested(signal: "SIGTERM"))
    let end = await outcome
    audio.stop()
    again.stop()
    #expect(hasHeard && hears && end == .terminated(signal: "SIGTERM"))
    print("back \((back.microseconds - restarted.microseconds) / 1000) ms after the server")
    #expect(back.microseconds - restarted.microseconds < 2_000_000)
    let told = steps.all.flatMap(\.actions).compactMap { action -> String? in
      if case .show(.warning(let text)) = action, !text.contains("muted") { text } else { nil }
    }
    // With timers of its own it would be told sooner; either way it is one line, and one sound. PipeWire answers before its session
    // manager has started everything, and may go silent once more.
    #expect(
      (1...(PrivatePulseAudio.kind == "pipewire" ? 2 : 1)).contains(told.count)
        && told.allSatisfy { $0.contains("were away for") }, "\(told)")
    #expect(steps.all.flatMap(\.actions).count { if case .playEarcon = $0 { true } else { false } } == told.count)
    let heard = frames()
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.position + PCM.frameSamples <= $1.position })
    // Where a frame lies is when it was heard, before the outage and behind it, but for a lateness that is no stall. A busy machine
    // takes one step or another later than its frame was placed; the soonest shows where they were placed.
    let limit = Limits.microphoneStallMilliseconds * PCM.microphoneRate / 1000 + PCM.frameSamples
    for frames in [heard.prefix(40), heard.suffix(40)] {
      let behind = frames.map { Int($0.time.microseconds) * 16 / 1000 - $0.position }
      let soonest = try #require(behind.min())
      #expect((0...limit).contains(soonest), "\(behind) samples behind")
    }
  }
}

/// Keeps the steps of a session, and nothing else.
private struct StepJournal: RecorderPort {
  let steps: Journal<VoiceStep>

  func record(_ step: VoiceStep) { steps.append(step) }
  func enterInLedger(_ instruction: Instruction, as run: RunID) {}
  func noteInLedger(_ entry: LedgerEntry) {}
}
