import Foundation
import Testing
import VoiceReplay

@testable import VoiceSound

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

/// Its own voice in rooms, at volumes, with skips; and the user in it.
struct EchoScoreTests {
  /// Half a second of silence, then a reply of nearly 15 s with a pause in it.
  private let reply: [Int16]
  /// Somebody's words, at -25 dBFS.
  private let user: [Int16]
  private static let volumes: [Double] = [0, -12, -24]

  init() throws {
    let far = try SoundFileReader(path: fixture("aec_far")).readAll()
    reply = silence(seconds: 0.5) + far + silence(seconds: 0.4) + far.prefix(96_000)
    user = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
  }

  @Test(arguments: [0, 60, 200], volumes)
  func aCancellerThatFollowsIsSoonShownToHold(ringing: Int, volume: Double) throws {
    let room = EchoRoom(ringing: ringing, volume: volume)
    let result = Reply(reply, microphone: room.hear(reply))
    print("ringing \(ringing) ms, volume \(volume) dB: \(result.changes)")
    let first = try #require(result.changes.first)
    #expect(first.isFull && first.seconds < 4.5, "\(result.changes)")
    #expect(result.changes.count == 1, "and it stays so")
    #expect(result.starts.isEmpty, "nobody spoke")
    #expect(result.heard.allSatisfy { abs(Int($0)) < 100 }, "nothing of the reply is heard")
  }

  @Test func withAHeadsetTheUserMaySpeakOverItWithinTwoSeconds() throws {
    let result = Reply(reply, microphone: EchoRoom(volume: -90).hear(reply))
    let first = try #require(result.changes.first)
    #expect(first.isFull && first.seconds < 2.5, "\(result.changes)")
    #expect(result.changes.count == 1)
    #expect(result.starts.isEmpty)
  }

  /// When it was certain that nothing of the loudspeaker comes in, in seconds.
  private func seconds(withoutEcho microphone: [Int16]) -> [Double] {
    var processor = CaptureProcessor()
    return stride(from: 0, to: min(reply.count, microphone.count) - 159, by: 160).filter { start in
      _ = processor.process(
        Array(microphone[start..<start + 160]), played: Array(reply[start..<start + 160]), delayMilliseconds: 60)
      return processor.hearsNoEcho
    }.map { Double($0 + 160) / 16_000 }
  }

  /// Who speaks over it is no echo; the headphones are pulled out in mid-reply; a room, where there is an echo at any volume.
  @Test func whereNothingComesBackIsCertainAfterAWhile() throws {
    let headset = EchoRoom(volume: -90).hear(reply)
    let alone = seconds(withoutEcho: mix(user, into: headset, at: 11, decibels: 0))
    let first = try #require(alone.first)
    #expect((3.5...8).contains(first) && alone.contains { (11.9...12).contains($0) }, "\(first), \(alone.last ?? 0)")
    let pulled = Int(11 * 16_000)
    let room = EchoRoom(ringing: 60, volume: -6).hear(reply)
    let last = try #require(seconds(withoutEcho: Array(headset[..<pulled] + room[pulled...])).last)
    #expect((11.0...12.7).contains(last), "\(last)")
    for volume in Self.volumes {
      #expect(seconds(withoutEcho: EchoRoom(ringing: 60, volume: volume).hear(reply)).isEmpty)
    }
  }

  @Test(arguments: [60, 200], [0.0, -12])
  func aSkipOfTheSoundServerIsNoticedAndCured(ringing: Int, volume: Double) throws {
    var microphone = EchoRoom(ringing: ringing, volume: volume).hear(reply)
    let skip = Int(5 * 16_000)
    microphone.insert(contentsOf: [Int16](repeating: 0, count: 1_600), at: skip)
    let result = Reply(reply, microphone: microphone)
    print("skipped at 5 s: \(result.changes), starts \(result.starts)")
    #expect(result.starts.isEmpty, "nobody spoke")
    #expect(result.changes.contains { !$0.isFull && (5.0...7.0).contains($0.seconds) }, "\(result.changes)")
  }

  @Test func aKnownSkipIsBelievedAtOnce() throws {
    let result = Reply(reply, microphone: EchoRoom(ringing: 60, volume: -12).hear(reply), learningAgainAt: 600)
    let second = try #require(result.changes.dropFirst().first)
    #expect(!second.isFull && second.seconds < 6.02)
    #expect(result.changes.last?.isFull == true, "shown again: \(result.changes)")
  }

  /// Until it is shown, only who is clearly louder than the echo is heard; then from his first sound on.
  @Test(arguments: volumes) func halfDuplexTheLouderUserInterruptsAndIsHeardWhole(volume: Double) throws {
    let echo = EchoRoom(ringing: 60, volume: volume - 18).hear(reply)
    let heard = mix(user, into: echo, at: 1.6, decibels: volume)
    let result = Reply(reply, microphone: heard)
    let start = try #require(result.starts.first, "\(result.changes)")
    print("volume \(volume) dB: starts \(result.starts), \(result.changes)")
    #expect((1.6...2.6).contains(start))
    // What he said in the 200 ms before it was known that he is near comes late, and is there.
    let words = result.heard[Int(start * 16_000)..<Int((start + 0.2) * 16_000)]
    #expect(words.contains { abs(Int($0)) > 50 })
  }

  /// A loudspeaker behind Bluetooth, or a sound server that fell behind: no canceller reaches so far by itself. Until the delay
  /// is found, the echo is held back; then it is cancelled.
  @Test(arguments: [0, 60], [0.0, -18])
  func anEchoThatComesTooLateForTheCancellerIsFound(ringing: Int, volume: Double) throws {
    let result = Reply(reply, microphone: EchoRoom(delay: 450, ringing: ringing, volume: volume).hear(reply))
    let first = try #require(result.changes.first)
    #expect(first.isFull && (2.0...8.0).contains(first.seconds), "\(result.changes)")
    #expect(result.changes.count == 1)
    #expect(result.starts.isEmpty)
    #expect(result.heard.allSatisfy { abs(Int($0)) < 100 })
  }

  /// The devices state 60 ms, and it is more.
  @Test(arguments: [(100, 10.6), (200, 10.6), (300, 10.9)])
  func whoSpeaksOverALateEchoIsHeard(delay: Int, noticed: Double) throws {
    let echo = EchoRoom(delay: delay, ringing: 200, volume: -6).hear(reply)
    let result = Reply(reply, microphone: mix(user, into: echo, at: 10, decibels: -6))
    print("\(delay) ms: starts \(result.starts), \(result.changes)")
    #expect(result.starts.count { $0 < 10 } == 0, "nobody spoke yet: \(result.starts)")
    #expect(result.starts.contains { (10.0...noticed).contains($0) }, "\(result.starts), \(result.changes)")
  }

  /// Whose voice is in the sound that is left has not made the canceller lose the echo.
  @Test func whoSpeaksOverAReplyForLongDoesNotMakeItHalfDuplex() {
    let echo = EchoRoom(ringing: 200, volume: -12).hear(reply)
    let said = user.dropFirst(4_000) + user.dropFirst(4_000).prefix(8_000)
    let result = Reply(reply, microphone: mix(said + [], into: echo, at: 8, decibels: -12))
    #expect(!result.changes.contains { !$0.isFull && (8.0...9.2).contains($0.seconds) }, "\(result.changes)")
    #expect(result.starts.contains { (8.0...8.6).contains($0) }, "\(result.starts)")
  }

  @Test func theDelayIsFoundInTheSoundsAndForgottenWhenTheyHaveSlipped() {
    for milliseconds in [25, 180, 420] {
      var delay = EchoDelay()
      let echo = EchoRoom(delay: milliseconds, ringing: 200, volume: -20).hear(reply)
      for start in stride(from: 0, to: 5 * 16_000, by: 160) {
        let played = Array(reply[start..<start + 160])
        delay.hear(captured: Array(echo[start..<start + 160]), played: played, level: decibels(of: played))
      }
      #expect(delay.milliseconds.map { abs($0 - milliseconds) <= 3 } == true, "\(delay.milliseconds ?? -1)")
      delay.learnAgain()
      #expect(delay.milliseconds == nil)
    }
  }

  /// A sound server skips by a block; the user speaks over it, below the echo and above it.
  @Test(arguments: [(0, -90.0, false), (10, -90, true), (40, -90, true), (0, -6, false), (0, 6, false)])
  func onlyASkipMovesTheEcho(skip: Int, user volume: Double, isMoved: Bool) {
    for milliseconds in [25, 150] {
      var echo = EchoRoom(delay: milliseconds, ringing: 200, volume: -6).hear(reply)
      echo.insert(contentsOf: [Int16](repeating: 0, count: skip * 16), at: Int(4.3 * 16_000))
      let microphone = mix(user, into: echo, at: 4.3, decibels: volume - 6)
      var delay = EchoDelay()
      for start in stride(from: 0, to: Int(4.7 * 16_000), by: 160) {
        let played = Array(reply[start..<start + 160])
        delay.hear(captured: Array(microphone[start..<start + 160]), played: played, level: decibels(of: played))
      }
      #expect(delay.milliseconds != nil)
      #expect(delay.isFoundElsewhere() == isMoved, "\(milliseconds) ms away")
    }
  }

  /// A sound server without a moment to spare falls behind by seconds, a little more with every word: of the reply no word is
  /// heard, nor of its end, when nothing plays any more.
  @Test(arguments: [1_200, 1_900], [0, 60]) func anEchoThatComesSecondsLateIsNobody(delay: Int, ringing: Int) {
    let short = silence(seconds: 4) + reply.dropFirst(8_000).prefix(16_000 * 4) + silence(seconds: 4)
    var echo = EchoRoom(delay: delay, ringing: ringing, volume: -6).hear(short)
    for place in stride(from: 4, to: 11, by: 0.3).reversed() {
      echo.insert(contentsOf: [Int16](repeating: 0, count: 160), at: Int(place * 16_000))
    }
    let result = Reply(short, microphone: echo)
    print("\(delay) ms, ringing \(ringing): starts \(result.starts), \(result.changes)")
    #expect(result.heard.count { abs(Int($0)) > 300 } < 800, "a twentieth of a second at most")
  }

  /// The same from a real one, on a processor that four other programs wanted for themselves: what was played, and what the
  /// microphone heard of it 1.3 s later.
  @Test func ofAServerThatIsStarvedNothingIsHeard() throws {
    let played = try SoundFileReader(path: fixture("starved_played", as: "flac")).readAll()
    let heard = try SoundFileReader(path: fixture("starved_heard", as: "flac")).readAll()
    #expect(heard.count { abs(Int($0)) > 3_000 } > 5_000, "it is loud")
    let result = Reply(played, microphone: heard)
    print("starved: starts \(result.starts), \(result.changes)")
    #expect(result.heard.count { abs(Int($0)) > 300 } < 800, "a twentieth of a second at most")
  }

  /// With headphones, somebody types and speaks over the reply: neither is an echo, so none is reckoned with after a while.
  @Test func whereThereIsNoEchoNoneIsReckonedWith() throws {
    let typing = try SoundFileReader(path: fixture("nonspeech_keyboard_fan")).readAll()
    let played = reply + reply + reply
    var near = silence(seconds: Double(played.count) / 16_000)
    for start in stride(from: 0, to: near.count, by: typing.count) {
      near = mix(typing, into: near, at: Double(start) / 16_000, decibels: -6)
    }
    for seconds in [15.0, 20, 25, 30, 35] { near = mix(user, into: near, at: seconds, decibels: 0) }
    var processor = CaptureProcessor()
    var unknown: [Bool] = []
    for start in stride(from: 0, to: near.count - 159, by: 160) {
      _ = processor.process(
        Array(near[start..<start + 160]), played: Array(played[start..<start + 160]), delayMilliseconds: 60)
      unknown.append(processor.isEchoUnknown)
    }
    #expect(unknown[200..<1_000].contains(true))
    #expect(!unknown[1_500...].contains(true))
  }

  /// What somebody says is found nowhere in what was played.
  @Test func theUserHasNoDelay() {
    var delay = EchoDelay()
    let near = mix(user, into: mix(user, into: silence(seconds: 8), at: 0, decibels: 0), at: 3.6, decibels: 0)
    for start in stride(from: 0, to: near.count - 159, by: 160) {
      let played = Array(reply[8_000 + start..<8_160 + start])
      delay.hear(captured: Array(near[start..<start + 160]), played: played, level: decibels(of: played))
    }
    #expect(delay.milliseconds == nil)
  }

  @Test func halfDuplexWhoIsNotLouderIsNotHeard() throws {
    let echo = EchoRoom(ringing: 60, volume: 0).hear(reply)
    let heard = mix(user, into: echo, at: 1.6, decibels: -26)
    let result = Reply(reply.prefix(16_000 * 3) + [], microphone: Array(heard.prefix(16_000 * 3)))
    #expect(result.starts.isEmpty)
    #expect(result.heard.allSatisfy { abs(Int($0)) < 100 })
  }

  @Test func fullDuplexTheUserIsHeardBelowTheEcho() throws {
    let echo = EchoRoom(ringing: 60, volume: -12).hear(reply)
    let heard = mix(user, into: echo, at: 10, decibels: -15)
    let result = Reply(reply, microphone: heard)
    let start = try #require(result.starts.first)
    #expect((10.0...11.5).contains(start), "\(result.starts)")
  }

  @Test func anAnswerRightAfterTheReplyIsHeardWhole() throws {
    let short = silence(seconds: 0.5) + reply.prefix(16_000 * 2) + silence(seconds: 4)
    let echo = EchoRoom(ringing: 60, volume: -6).hear(short)
    // The reply ends at 2.5 s, and the user begins 200 ms later, while the room still rings.
    let result = Reply(short, microphone: mix(user, into: echo, at: 2.7, decibels: 0))
    let said = result.heard.reduce(0.0) { $0 + Double($1) * Double($1) }
    let spoken = user.reduce(0.0) { $0 + Double($1) * Double($1) }
    print("of the answer \(said / spoken) was heard, starts \(result.starts)")
    #expect(said > spoken * 0.6)
  }

  @Test func whatIsRememberedIsBounded() {
    var levels = LevelHistory(capacity: 300)
    for level in 0..<10_000 { levels.add(-(level % 100)) }
    #expect(levels.count == 300)
    #expect(levels.quantile(percent: 90) == -10)
    #expect(levels.quantile(percent: 100) == 0)
    #expect(LevelHistory(capacity: 3).quantile(percent: 50) == nil)
    levels.add(-1_000)
    levels.add(1_000)
    #expect(levels.count == 300, "what is beyond the scale counts at its end")
  }
}
