import Testing
import VoiceCore

@testable import VoiceAudio

struct DeviceWatchTests {
  @Test func aDeviceThatCallsNoMoreIsSilentAfterItsTime() {
    var watch = DeviceWatch(callbacks: 0, at: .zero)
    #expect(watch.look(callbacks: 3, at: .milliseconds(10)) == .flowing)
    for moment in stride(from: 15, through: 2_010, by: 5) {
      #expect(watch.look(callbacks: 3, at: .milliseconds(Int64(moment))) == .waiting)
    }
    #expect(watch.look(callbacks: 3, at: .milliseconds(2_015)) == .silent)
  }

  /// The silence of a program that was stopped is its own.
  @Test(arguments: [8_000, 60_000, 3_600_000]) func afterTheProgramWasStoppedTheDeviceGetsItsTimeAnew(_ stop: Int) {
    var watch = DeviceWatch(callbacks: 0, at: .zero)
    for moment in stride(from: 0, through: 1_900, by: 5) {
      #expect(watch.look(callbacks: 0, at: .milliseconds(Int64(moment))) == .waiting)
    }
    let back = 1_900 + stop
    for moment in stride(from: back, through: back + 2_000, by: 5) {
      #expect(watch.look(callbacks: 0, at: .milliseconds(Int64(moment))) == .waiting)
    }
    #expect(watch.look(callbacks: 0, at: .milliseconds(Int64(back + 2_005))) == .silent)
    #expect(watch.look(callbacks: 1, at: .milliseconds(Int64(back + 2_010))) == .flowing)
  }

  /// An idle speaker is looked at twice a second.
  @Test func aWatchThatLooksRarelyFindsSilenceToo() {
    var watch = DeviceWatch(callbacks: 7, at: .zero)
    let findings = (1...6).map { watch.look(callbacks: 7, at: .milliseconds(Int64($0 * 520))) }
    #expect(findings.firstIndex(of: .silent) == 3)
  }

  @Test func attemptsAreBoundedAndProvedWorkGivesThemAnew() {
    var attempts = DeviceAttempts()
    var waits: [Int] = []
    while let wait = attempts.next() { waits.append(wait) }
    #expect(waits == [100, 200, 400, 800, 1_600, 3_200, 4_000, 4_000, 4_000])
    attempts.worked(milliseconds: Limits.deviceProvedMilliseconds - 1)
    #expect(attempts.next() == nil, "a device that works for a moment, over and over, is given up in the end")
    attempts.worked(milliseconds: Limits.deviceProvedMilliseconds)
    #expect(attempts.next() == 100)
  }

  @Test func aCardWhosePlaceAnotherHasTakenIsNotOpenedInItsStead() {
    func device(_ name: String) -> SoundDevice {
      SoundDevice(name: name, hostAPI: "ALSA", inputChannels: 1, outputChannels: 0, defaultRate: 48_000)
    }
    let cards = """
       0 [PCH            ]: HDA-Intel - HDA Intel PCH
                            HDA Intel PCH at 0xf7e10000 irq 31
       1 [Headset        ]: USB-Audio - USB Headset
                            ACME USB Headset at usb-0000:00:14.0-2, full speed

      """
    #expect(device("HDA Intel PCH: ALC257 Analog (hw:0,0)").isListed(in: cards))
    #expect(device("USB Headset: Audio (hw:1,0)").isListed(in: cards))
    #expect(!device("USB Headset: Audio (hw:0,0)").isListed(in: cards))
    #expect(!device("Headset: Audio (hw:1,0)").isListed(in: cards))
    #expect(!device("USB Headset: Audio (hw:2,0)").isListed(in: cards))
    #expect(device("default").isListed(in: ""), "what is not opened by a number is the sound server's to find")
  }
}

/// After a stop of 9 s the sound server gives the sound of now first, or all that it kept: either way no frame lies in the
/// time to come.
@Test(arguments: [0, 450]) func aDeviceThatGivesWhatWasKeptIsNotAheadOfTime(_ kept: Int) {
  var positions = FramePositions(now: 0)
  var now = 0
  func frames(_ count: Int, each step: Int) -> Int {
    (0..<count).count { _ in
      now += step
      if positions.isAhead(of: now) { return false }
      _ = positions.take(now: now)
      return true
    }
  }
  #expect(frames(100, each: PCM.frameSamples) == 100)
  now += 9 * PCM.microphoneRate
  #expect(frames(1, each: PCM.frameSamples) == 1)
  let most = Limits.microphoneStallMilliseconds / PCM.frameMilliseconds
  #expect(frames(kept, each: 0) <= most + 1)
  #expect(frames(100, each: PCM.frameSamples) >= 100 - 1)
  #expect(abs(positions.next - now) <= (most + 2) * PCM.frameSamples)
}

/// What overran the buffers after a stop of a minute is no reason to be deaf for another one.
@Test func whatWasLostLiesBeforeNow() {
  var positions = FramePositions(now: 0)
  let now = 60 * PCM.microphoneRate
  _ = positions.take(now: now)
  positions.skip(50 * PCM.microphoneRate, now: now)
  #expect(!positions.isAhead(of: now))
  positions.skip(PCM.microphoneRate, now: now + 5 * PCM.microphoneRate)
  #expect(positions.next == now + PCM.microphoneRate)
}
