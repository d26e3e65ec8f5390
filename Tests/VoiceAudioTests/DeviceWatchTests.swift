import Testing
import VoiceVocabulary

@testable import VoiceAudio

struct DeviceWatchTests {
  private static let limit = Limits.deviceSilenceMilliseconds
  /// Callbacks of a device that works.
  private static let steady = DeviceWatch.steadyCallbacks

  @Test func aDeviceThatCallsNoMoreIsSilentAfterItsTime() {
    var watch = DeviceWatch(callbacks: 0, at: .zero)
    #expect(watch.look(callbacks: Self.steady, at: .milliseconds(10)) == .flowing)
    for moment in stride(from: 15, through: 10 + Self.limit, by: 5) {
      #expect(watch.look(callbacks: Self.steady, at: .milliseconds(Int64(moment))) == .waiting)
    }
    #expect(watch.look(callbacks: Self.steady, at: .milliseconds(Int64(15 + Self.limit))) == .silent)
  }

  /// As a headset whose profile is switched, and as any device while the engines are loaded.
  @Test func aDeviceThatWasJustOpenedMayTakeLonger() {
    var watch = DeviceWatch(callbacks: 0, at: .zero)
    for moment in stride(from: 5, through: DeviceWatch.startMilliseconds, by: 5) {
      #expect(watch.look(callbacks: 0, at: .milliseconds(Int64(moment))) == .waiting, "\(moment) ms")
    }
    #expect(watch.look(callbacks: 0, at: .milliseconds(Int64(DeviceWatch.startMilliseconds + 5))) == .silent)
  }

  /// A speaker on a server that is busy: its buffer is filled, and then nothing is taken from it for a while.
  @Test func whatFillsABufferIsNoReturn() {
    var watch = DeviceWatch(callbacks: 0, at: .zero)
    #expect(watch.look(callbacks: 6, at: .milliseconds(10)) == .waiting)
    for moment in stride(from: 15, through: 10 + DeviceWatch.startMilliseconds, by: 5) {
      #expect(watch.look(callbacks: 6, at: .milliseconds(Int64(moment))) == .waiting, "\(moment) ms")
    }
    #expect(watch.look(callbacks: 6, at: .milliseconds(Int64(15 + DeviceWatch.startMilliseconds))) == .silent)
    #expect(watch.look(callbacks: Self.steady - 1, at: .milliseconds(2_100)) == .waiting)
    #expect(watch.look(callbacks: Self.steady, at: .milliseconds(2_110)) == .flowing)
  }

  @Test func aDeviceWhoseThreadHasEndedIsSilentAtOnce() {
    var watch = DeviceWatch(callbacks: 0, at: .zero)
    let doubt = Int64(Limits.deviceDoubtMilliseconds)
    #expect(watch.look(callbacks: 0, at: .milliseconds(doubt)) == .waiting && !watch.isLate, "it may only be busy")
    #expect(watch.look(callbacks: 0, at: .milliseconds(doubt + 5)) == .waiting && watch.isLate)
    #expect(watch.look(callbacks: 0, hasEnded: true, at: .milliseconds(doubt + 10)) == .silent)
    #expect(
      watch.look(callbacks: Self.steady, hasEnded: true, at: .milliseconds(doubt + 15)) == .flowing,
      "it has called since")
  }

  /// The silence of a program that was stopped is its own.
  @Test(arguments: [950, 8_000, 60_000, 3_600_000]) func afterTheProgramWasStoppedTheDeviceGetsItsTimeAnew(_ stop: Int)
  {
    var watch = DeviceWatch(callbacks: Self.steady, at: .zero)
    for moment in stride(from: 0, through: Self.limit - 50, by: 5) {
      #expect(watch.look(callbacks: Self.steady, at: .milliseconds(Int64(moment))) == .waiting)
    }
    let back = Self.limit - 50 + stop
    for moment in stride(from: back, through: back + Self.limit, by: 5) {
      #expect(watch.look(callbacks: Self.steady, at: .milliseconds(Int64(moment))) == .waiting)
    }
    #expect(watch.look(callbacks: Self.steady, at: .milliseconds(Int64(back + Self.limit + 5))) == .silent)
    #expect(watch.look(callbacks: Self.steady + 1, at: .milliseconds(Int64(back + Self.limit + 10))) == .flowing)
  }

  /// As on a busy machine, where a device that works gets no turn either.
  @Test(arguments: [610, 950]) func oneLateLookIsNoSilence(_ late: Int) {
    var watch = DeviceWatch(callbacks: 0, at: .zero)
    #expect(watch.look(callbacks: Self.steady, at: .milliseconds(10)) == .flowing)
    #expect(watch.look(callbacks: Self.steady, at: .milliseconds(Int64(10 + late))) == .waiting)
    #expect(watch.look(callbacks: Self.steady + 1, at: .milliseconds(Int64(20 + late))) == .flowing)
  }

  /// An idle speaker is looked at a few times a second.
  @Test func aWatchThatLooksRarelyFindsSilenceToo() {
    var watch = DeviceWatch(callbacks: Self.steady, at: .zero)
    let findings = (1...6).map { watch.look(callbacks: Self.steady, at: .milliseconds(Int64($0 * 520))) }
    #expect(findings.firstIndex(of: .silent) == 1)
  }

  /// The waits that begin in so many milliseconds, where an attempt takes no time.
  private func waits(_ attempts: inout DeviceAttempts, from start: Int, to end: Int) -> [Int] {
    var waits: [Int] = []
    while start + waits.reduce(0, +) < end {
      waits.append(attempts.next(at: .milliseconds(Int64(start + waits.reduce(0, +)))))
    }
    return waits
  }

  @Test func aDeviceIsTriedForEverOftenAtFirstAndNeverLaterThanASecond() {
    var attempts = DeviceAttempts()
    let early = waits(&attempts, from: 0, to: 5_000)
    #expect(early.prefix(4) == [100, 200, 250, 250] && early.max() == 250)
    #expect(waits(&attempts, from: 5_050, to: 9_000) == [500, 1_000, 1_000, 1_000, 1_000])
    attempts.worked(milliseconds: Limits.deviceProvedMilliseconds - 1)
    #expect(attempts.next(at: .milliseconds(20_000)) == 1_000, "one that works for a moment is not asked all the time")
    attempts.worked(milliseconds: Limits.deviceProvedMilliseconds)
    #expect(waits(&attempts, from: 40_000, to: 45_000) == early)
  }

  /// It is there, falls silent once more, and is to be back as soon as at first.
  @Test func newsOfADeviceMakesTheWaitsShortAgain() {
    var attempts = DeviceAttempts()
    let early = waits(&attempts, from: 0, to: 5_000)
    _ = waits(&attempts, from: 5_050, to: 30_000)
    attempts.startAnew()
    #expect(waits(&attempts, from: 31_000, to: 36_000) == early)
  }

  /// The server is asked once for a device that works for a moment, over and over: it always has that one.
  @Test func anOutageIsNewOnceTheDeviceHasProvedItself() {
    var attempts = DeviceAttempts()
    #expect([attempts.begin(), attempts.begin()] == [true, false])
    attempts.startAnew()
    attempts.worked(milliseconds: Limits.deviceProvedMilliseconds - 1)
    #expect(attempts.begin() == false)
    attempts.worked(milliseconds: Limits.deviceProvedMilliseconds)
    #expect(attempts.begin() == true)
  }

  /// A sound server that starts tries several devices before the one that was there: whoever talks is told of none of them.
  @Test func anotherDeviceIsToldOnceItHasStoodForAWhile() {
    let limit = Int64(Limits.replacedDeviceMilliseconds)
    var device = UsedDevice()
    #expect(device.takeReplacement(at: .zero) == nil, "nothing is known yet")
    device.isUsed("Headset")
    #expect(device.takeReplacement(at: .zero) == nil, "the first one takes nobody's place")
    device.isUsed("Dummy Output")
    #expect(device.takeReplacement(at: .zero) == nil)
    device.isUsed("Speaker")
    #expect(device.takeReplacement(at: .milliseconds(limit)) == nil, "it may be on the way to another")
    device.isUsed("Headset")
    #expect(device.takeReplacement(at: .milliseconds(3 * limit)) == nil, "it is the one from before")
    device.isUsed("Speaker")
    #expect(device.takeReplacement(at: .milliseconds(4 * limit)) == nil)
    device.isUsed("Speaker")
    #expect(device.takeReplacement(at: .milliseconds(5 * limit - 1)) == nil)
    #expect(
      device.takeReplacement(at: .milliseconds(5 * limit)) == .init(name: "Speaker", formerName: "Headset"))
    #expect(device.takeReplacement(at: .milliseconds(7 * limit)) == nil, "it is told once")
  }

  @Test func zerosAreNoticedAndOfAMicrophoneThatGivesThemInEveryPauseTwice() {
    var watch = MuteWatch()
    let (zeros, noise) = ([Int16](repeating: 0, count: 480), [0, 1, 0] as [Int16])
    func silence(_ milliseconds: Int) -> [Bool?] {
      (0..<milliseconds / 10).map { _ in watch.hear(zeros, rate: 48_000) }.filter { $0 != nil }
    }
    #expect(watch.hear(noise, rate: 48_000) == nil)
    for _ in 0..<20 {
      #expect(silence(890).isEmpty, "a pause")
      #expect(watch.hear(noise, rate: 48_000) == nil)
    }
    for count in 1...5 {
      #expect(silence(5_000) == (count <= 2 ? [true] : []))
      #expect(watch.hear(noise, rate: 48_000) == (count <= 2 ? false : nil))
    }
  }

  @Test func aPlugWithoutAMicrophoneIsNoticedAsZerosAre() {
    var watch = MuteWatch()
    let blocks = (0..<100).map { _ in watch.hear([Int16](repeating: -1, count: 480), rate: 48_000) }
    #expect(blocks.compactMap { $0 } == [true])
    #expect(watch.hear([Int16](repeating: -2, count: 480), rate: 48_000) == false, "it gives something else")
  }

  @Test func whatIsCutOffForMostOfASecondIsToldOnce() {
    var watch = ClipWatch()
    let loud = (0..<480).map { $0 % 100 == 0 ? Int16.max : 9_000 }
    let fine = [Int16](repeating: 20_000, count: 480)
    func tellings(_ blocks: [[Int16]]) -> [Int] { blocks.indices.filter { watch.hear(blocks[$0], rate: 48_000) } }
    let blow = [[Int16](repeating: .min, count: 480)] + [[Int16]](repeating: fine, count: 99)
    #expect(tellings(blow + blow + blow).isEmpty)
    #expect(tellings([[Int16]](repeating: loud, count: 300)) == [74], "within a second")
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

struct FollowedDeviceTests {
  private func list(_ device: inout FollowedDevice, _ names: [(String, UInt32)]) -> Bool {
    for (name, number) in names { device.isThere(name, number) }
    device.wereAll()
    return device.takeGone()
  }

  @Test func aDeviceIsGoneOnceItIsNotListedOrHasAnotherNumber() {
    var device = FollowedDevice(name: "headset")
    #expect(!list(&device, [("default", 1), ("headset", 2)]), "it was not known before")
    #expect(!list(&device, [("headset", 2), ("other", 3)]))
    #expect(list(&device, [("default", 1)]))
    #expect(!list(&device, []), "that is known")
    #expect(!list(&device, [("headset", 4)]), "it came back")
    #expect(list(&device, [("headset", 5)]), "it went and came back between two lists")
    device.forgetNumber()
    #expect(!list(&device, [("headset", 2)]), "another server counts anew")
  }
}

struct AwaitedDeviceTests {
  private func list(_ device: inout AwaitedDevice, _ names: [(String, UInt32)]) -> Bool {
    for (name, number) in names { device.isThere(name, number) }
    device.wereAll()
    return device.takeReturn()
  }

  @Test func aNamedDeviceIsBackOnceItIsListedAnew() {
    var device = AwaitedDevice(name: "headset")
    #expect(device.takeReturn() == false, "the server is silent")
    #expect(!list(&device, [("default", 1)]))
    #expect(!list(&device, [("default", 1), ("other", 2)]))
    #expect(list(&device, [("default", 1), ("headset", 3)]))
    #expect(!list(&device, [("headset", 3)]), "that is no news")
    #expect(list(&device, [("headset", 4)]), "it went and came back between two lists")
    #expect(!list(&device, []))
    #expect(list(&device, [("headset", 5)]))
  }

  @Test func whereNobodyNamedADeviceAnyNewOneIsNews() {
    var device = AwaitedDevice(name: nil)
    #expect(!list(&device, []), "a server that starts has none yet")
    #expect(list(&device, [("default", 1)]), "the server answers")
    #expect(!list(&device, [("default", 1)]))
    #expect(list(&device, [("default", 1), ("headset", 2)]))
    #expect(!list(&device, [("default", 1)]))
  }

  @Test func newsStandsUntilItIsTaken() {
    var device = AwaitedDevice(name: "headset")
    for names in [[("headset", 1)], []] as [[(String, UInt32)]] {
      for (name, number) in names { device.isThere(name, number) }
      device.wereAll()
    }
    #expect([device.takeReturn(), device.takeReturn()] == [true, false])
  }
}
