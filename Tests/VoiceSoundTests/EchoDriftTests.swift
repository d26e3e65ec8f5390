import Foundation
import Testing
import VoiceReplay

@testable import VoiceSound

/// Two devices, two clocks.
struct EchoDriftTests {
  /// A reply of nearly 15 s.
  private let reply: [Int16]
  private let user: [Int16]

  init() throws {
    let far = try SoundFileReader(path: fixture("aec_far")).readAll()
    reply = silence(seconds: 0.5) + far + silence(seconds: 0.4) + far.prefix(96_000)
    user = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
  }

  /// In millionths, after each second.
  private func measured(_ microphone: [Int16], of room: EchoRoom) -> [Double] {
    var drift = EchoDrift()
    var sounds = EchoSounds()
    return stride(from: 0, to: min(reply.count, microphone.count) - 159, by: 160).map { start in
      sounds.hear(captured: Array(microphone[start..<start + 160]), played: Array(reply[start..<start + 160]))
      drift.hear(sounds, delayMilliseconds: start > 16_000 ? room.delay : nil)
      return drift.share * 1e6
    }
  }

  @Test(arguments: [-95.0, -30, 30, 95], [0, 200]) func itIsFound(drift: Double, ringing: Int) throws {
    let room = EchoRoom(ringing: ringing, volume: -12, drift: drift)
    let shares = measured(room.hear(reply), of: room)
    print(
      "\(drift) millionths, ringing \(ringing) ms: \(shares[500]) after 5 s, \(shares[shares.count - 1]) at the end")
    #expect(abs(shares[700] - drift) < 30)
    #expect(abs(shares[shares.count - 1] - drift) < 8)
  }

  /// What a canceller makes of a drift that is not there is worse than what it makes of one that is.
  @Test(arguments: [0, 60, 200], [-12.0, -30]) func whereThereIsNoneNoneIsMade(ringing: Int, volume: Double) throws {
    let room = EchoRoom(ringing: ringing, volume: volume, noise: 30)
    let said = mix(user, into: room.hear(reply), at: 6, decibels: volume)
    #expect(measured(said, of: room).allSatisfy { abs($0) < 3 })
  }

  /// The sound server skips: the clocks are the same.
  @Test func aSkipIsNoDrift() throws {
    let room = EchoRoom(ringing: 60, volume: -12, drift: 60)
    var echo = room.hear(reply)
    echo.insert(contentsOf: silence(seconds: 0.004), at: 8 * 16_000)
    let shares = measured(echo, of: room)
    #expect(shares.allSatisfy { $0 == 0 || abs($0 - 60) < 30 }, "\(shares.max() ?? 0)")
    #expect(abs(shares[shares.count - 1] - 60) < 12)
  }

  /// It skips by more than is looked at, and the new place is known a while later: there it is measured.
  @Test func aLongSkipIsFoundAgain() {
    let room = EchoRoom(ringing: 60, volume: -12, drift: 60)
    let echo = room.hear(reply)
    var drift = EchoDrift()
    var sounds = EchoSounds()
    for start in stride(from: 0, to: 3 * 16_000, by: 160) {
      sounds.hear(captured: Array(echo[start..<start + 160]), played: Array(reply[start..<start + 160]))
      drift.hear(sounds, delayMilliseconds: 60)
    }
    for start in stride(from: 3 * 16_000, to: reply.count - 1_000, by: 160) {
      let late = start - 480
      sounds.hear(captured: Array(echo[late..<late + 160]), played: Array(reply[start..<start + 160]))
      drift.hear(sounds, delayMilliseconds: start < 4 * 16_000 ? 60 : 90)
    }
    #expect(abs(drift.share * 1e6 - 60) < 12)
  }

  /// Who speaks below the echo of a loudspeaker with another clock interrupts it, and what he said comes through.
  @Test(arguments: [-90.0, 90], [60, 200]) func whoSpeaksOverTheEchoOfAnotherClockIsHeard(drift: Double, ringing: Int)
    throws
  {
    let echo = EchoRoom(ringing: ringing, volume: -6, drift: drift).hear(reply)
    let result = Reply(reply, microphone: mix(user, into: echo, at: 10, decibels: -9))
    print("\(drift) millionths, ringing \(ringing): \(result.starts), \(result.changes)")
    #expect(result.starts.count { $0 < 10 } == 0, "nobody spoke yet: \(result.starts)")
    #expect(result.starts.contains { (10.0...10.9).contains($0) }, "\(result.starts)")
    // What was learnt of the room holds when the drift is known.
    #expect(result.changes.filter { $0.seconds < 10 }.map(\.isFull) == [true], "\(result.changes)")
    // The recogniser hears him, and not the reply, which is as loud.
    let power: (ArraySlice<Int16>) -> Double = { $0.reduce(0) { $0 + Double($1) * Double($1) } }
    let spoken = power(user[...]) / 7.94
    let heard = power(result.heard[160_000...])
    print("heard \(heard / spoken) of what was said")
    #expect((0.5...2).contains(heard / spoken))
  }
}

/// What was played, as another clock has it.
struct EchoPastTests {
  private let voice: [Int16]

  init() throws { voice = Array(try SoundFileReader(path: fixture("aec_far")).readAll().prefix(40_000)) }

  private func past(_ count: Int) -> EchoPast {
    var past = EchoPast()
    for start in stride(from: 0, to: count, by: 160) {
      past.add(captured: silence(seconds: 0.01), played: Array(voice[start..<start + 160]))
    }
    return past
  }

  @Test func whatIsReadAtAWholePlaceIsWhatWasPlayed() {
    let past = past(16_000)
    #expect(past.played(.init()) == Array(voice[15_840..<16_000]))
    #expect(past.played(.init(late: 480)) == Array(voice[15_360..<15_520]))
    #expect(past.played(.init(late: 15_920)) == silence(seconds: 0.005) + voice[..<80])
  }

  /// Read at 100 millionths more, and that again at 100 less, it is what it was.
  @Test func whatLiesBetweenIsTrueToTheSound() throws {
    for share in [100e-6, -100e-6] {
      var there = EchoPast()
      var reading = EchoPast.Reading(late: 320, share: share)
      var heard: [Int16] = []
      for start in stride(from: 0, to: 40_000 - 159, by: 160) {
        there.add(captured: silence(seconds: 0.01), played: Array(voice[start..<start + 160]))
        heard += there.played(reading)
        reading = reading.moved(byBlocks: 1)
      }
      // Against the room's own way to make another clock, which reads by more samples.
      let expected = EchoRoom(delay: 20, noise: 0, drift: share * 1e6).hear(voice)
      let error = zip(heard, expected).dropLast(200).reduce(0.0) { $0 + power(Double($1.0) - Double($1.1), 2) }
      let sound = expected.dropLast(200).reduce(0.0) { $0 + Double($1) * Double($1) }
      print("error \(10 * log10(error / sound)) dB")
      #expect(10 * log10(error / sound) < -50)
    }
  }

  @Test func whatIsNotPlayedYetCannotBeRead() {
    #expect(EchoPast.Reading().isAvailable)
    #expect(!EchoPast.Reading(late: 0, share: -1e-6).isAvailable)
    #expect(!EchoPast.Reading(late: -1).isAvailable)
    #expect(EchoPast.Reading(late: 16, share: 100e-6).isAvailable)
  }
}
