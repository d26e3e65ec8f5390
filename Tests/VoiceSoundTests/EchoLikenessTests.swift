import Foundation
import Testing
import VoiceReplay

@testable import VoiceSound

/// Whether what is left is a copy of what was played.
struct EchoLikenessTests {
  @Test func anEchoByAnUnknownWayIsACopyAndTheUserIsNone() throws {
    let far = Array(try SoundFileReader(path: fixture("aec_far")).readAll().dropFirst(40_000))
    let user = Array(try SoundFileReader(path: fixture("d07_piper_joe")).readAll().dropFirst(4_000))
    for (delay, ringing) in [(40, 0), (150, 60), (300, 200), (700, 60)] {
      let echo = EchoRoom(delay: delay, ringing: ringing, volume: -20).hear(far)
      #expect(listen(played: far, rest: echo) == .all, "\(delay) ms, ringing \(ringing) ms")
    }
    #expect(listen(played: far, rest: user) == .none)
    #expect(listen(played: far, rest: silence(seconds: 2)) == .none)
    #expect(listen(played: silence(seconds: 2), rest: user) == .none)
    #expect(EchoLikeness(of: EchoSounds()).share == .none)
  }

  /// A canceller leaves some echo, and somebody speaks over it: that it has lost the echo is not shown by that.
  @Test(arguments: [(40, 0), (150, 60), (300, 200)])
  func whoIsHeardOverWhatIsLeftOfTheEchoMayBeInIt(delay: Int, ringing: Int) throws {
    let far = Array(try SoundFileReader(path: fixture("aec_far")).readAll().dropFirst(40_000))
    let user = Array(try SoundFileReader(path: fixture("d07_piper_joe")).readAll().dropFirst(4_000))
    let echo = EchoRoom(delay: delay, ringing: ringing, volume: -20).hear(far)
    #expect(listen(played: far, rest: mix(user, into: echo, at: 0, decibels: -18)) == .some)
    #expect(listen(played: far, rest: mix(user, into: echo, at: 0, decibels: -6)) == .none)
  }

  /// The end of a word, and the hiss behind it, are so soft beside the word that a sum in which both have been must not have few
  /// digits: whoever speaks was taken for a copy of them.
  @Test(arguments: [0, 2, 8]) func inAPauseOfTheReplyTheUserIsNoCopy(hiss: Int) throws {
    let word = try SoundFileReader(path: fixture("aec_far")).readAll().dropFirst(12_000).prefix(16_000)
    let user = try SoundFileReader(path: fixture("d07_piper_joe")).readAll()
    var chance = SeededGenerator(seed: 7)
    let pause = (0..<8_000).map { _ in Int16(Int(chance.next() % UInt64(2 * hiss + 1)) - hiss) }
    #expect(listen(played: word + pause, rest: user) == .none)
  }

  /// Beside an echo that comes when it should, only what is left of that one is an echo.
  @Test func whatIsLikeSomethingElseIsSoByChanceWhileTheEchoIsHere() throws {
    let far = Array(try SoundFileReader(path: fixture("aec_far")).readAll().dropFirst(40_000))
    let echo = EchoRoom(delay: 400).hear(far)
    var sounds = EchoSounds()
    for start in stride(from: 0, to: 24_000, by: 160) {
      let block = Array(far[start..<start + 160])
      sounds.hear(captured: block, played: block)
      sounds.hear(expected: block, words: Array(echo[start..<start + 160]), rest: silence(seconds: 0.01))
    }
    #expect(EchoLikeness(of: sounds).shareOfWords == .all)
    #expect(EchoLikeness(of: sounds, expectedMilliseconds: 80).shareOfWords == .none)
    #expect(EchoLikeness(of: sounds, expectedMilliseconds: 300).shareOfWords == .all)
    #expect(EchoLikeness(of: sounds, expectedMilliseconds: 405).shareOfWords == .all)
  }

  /// And what is left of it is not hidden by what is more like something else.
  @Test func whatIsLeftOfAKnownEchoIsOneBesideAGreaterLikeness() throws {
    let far = Array(try SoundFileReader(path: fixture("aec_far")).readAll().dropFirst(40_000))
    let other = EchoRoom(delay: 400).hear(far)
    let rest = mix(EchoRoom(delay: 80).hear(far), into: other, at: 0, decibels: -3)
    var sounds = EchoSounds()
    for start in stride(from: 0, to: 24_000, by: 160) {
      let block = Array(far[start..<start + 160])
      sounds.hear(captured: block, played: block)
      sounds.hear(expected: block, words: Array(rest[start..<start + 160]), rest: silence(seconds: 0.01))
    }
    #expect(EchoLikeness(of: sounds, expectedMilliseconds: 80).shareOfWords != .none)
  }

  private func listen(played: [Int16], rest: [Int16]) -> EchoLikeness.Share {
    var sounds = EchoSounds()
    for start in stride(from: 0, to: 24_000, by: 160) {
      sounds.hear(captured: silence(seconds: 0.01), played: Array(played[start..<start + 160]))
      sounds.hear(
        expected: silence(seconds: 0.01), words: Array(rest[start..<start + 160]), rest: silence(seconds: 0.01))
    }
    return EchoLikeness(of: sounds).share
  }
}

/// Whether an echo that a canceller knows still comes when it expects it.
struct EchoLikenessOfWhatIsExpectedTests {
  private static let delay = 80
  private let reply: [Int16]
  private let user: [Int16]

  init() throws {
    reply = Array(try SoundFileReader(path: fixture("aec_far")).readAll().prefix(7 * 16_000))
    user = Array(try SoundFileReader(path: fixture("d07_piper_joe")).readAll().dropFirst(6_000))
  }

  /// What is known of the microphone's sound at the end, by a canceller that has heard all of it.
  private func likeness(of microphone: [Int16], played: [Int16]) -> EchoLikeness {
    let canceller = EchoCanceller()
    var sounds = EchoSounds()
    for start in stride(from: 0, to: min(microphone.count, played.count) - 159, by: 160) {
      let block = (captured: Array(microphone[start..<start + 160]), played: Array(played[start..<start + 160]))
      let (words, echo) = canceller.clean(block.captured, played: block.played)
      sounds.hear(captured: block.captured, played: block.played)
      sounds.hear(expected: echo, words: words, rest: words)
    }
    return EchoLikeness(of: sounds)
  }

  private func room(_ ringing: Int) -> EchoRoom { EchoRoom(delay: Self.delay, ringing: ringing, volume: -6) }

  @Test(arguments: [0, 60, 200]) func anEchoWhereItIsExpectedHasNotMoved(ringing: Int) {
    let likeness = likeness(of: room(ringing).hear(reply), played: reply)
    #expect(likeness.isHere)
    for milliseconds in stride(from: -Self.delay, through: 200, by: 10) where abs(milliseconds) > 20 {
      #expect(
        !likeness.mayHaveMoved(to: Self.delay + milliseconds, from: Self.delay, isKnown: true), "\(milliseconds) ms")
    }
    #expect(!likeness.mayHaveMoved(to: 180, from: nil, isKnown: true))
    #expect(!likeness.mayHaveMoved(to: 2_000, from: Self.delay, isKnown: true))
  }

  /// The sound server skips, 350 ms ago; what comes sooner has to be heard for so much longer.
  @Test(arguments: [0, 60, 200], [-60, -20, 20, 100, 400]) func anEchoThatHasMovedIsFoundThere(ringing: Int, by: Int) {
    let echo = room(ringing).hear(reply)
    let place = echo.count - (350 + abs(by)) * 16
    let moved =
      by > 0
      ? echo[..<place] + silence(seconds: Double(by) / 1_000) + echo[place...]
      : echo[..<place] + echo[(place - by * 16)...]
    let likeness = likeness(of: Array(moved), played: reply)
    if abs(by) >= 60 { #expect(!likeness.isHere) }
    #expect(likeness.mayHaveMoved(to: Self.delay + by, from: Self.delay, isKnown: true), "\(by) ms")
  }

  /// Who speaks over the echo, as loud as it is, moves nothing, whatever his words are like.
  @Test(arguments: [0, 60, 200]) func whoSpeaksOverAnEchoHasNotMovedIt(ringing: Int) {
    let echo = room(ringing).hear(reply)
    let likeness = likeness(of: mix(user, into: echo, at: 6.4, decibels: -6), played: reply)
    for milliseconds in stride(from: -Self.delay, through: 200, by: 10) where abs(milliseconds) > 20 {
      #expect(
        !likeness.mayHaveMoved(to: Self.delay + milliseconds, from: Self.delay, isKnown: true), "\(milliseconds) ms")
    }
  }

  /// Nor does who goes on while the voice is lowered for him: then there is hardly an echo to compare with.
  @Test(arguments: [0, 60, 200]) func whoSpeaksOverALoweredVoiceHasNotMovedIt(ringing: Int) {
    let quiet = reply[(6 * 16_000)...].map { $0 / 10 }
    let played = reply[..<(6 * 16_000)] + quiet
    let echo = room(ringing).hear(Array(played))
    let likeness = likeness(of: mix(user, into: echo, at: 5.8, decibels: -6), played: Array(played))
    let found = stride(from: -Self.delay, through: 200, by: 10).filter {
      abs($0) > 20 && likeness.mayHaveMoved(to: Self.delay + $0, from: Self.delay, isKnown: true)
    }
    #expect(found.isEmpty, "\(found)")
  }

  /// A canceller that has learnt nothing yet expects nothing.
  @Test func whatIsNotKnownTellsNothing() {
    let echo = room(60).hear(reply)
    var sounds = EchoSounds()
    for start in stride(from: 0, to: 48_000, by: 160) {
      sounds.hear(captured: Array(echo[start..<start + 160]), played: Array(reply[start..<start + 160]))
      sounds.hear(expected: silence(seconds: 0.01), words: silence(seconds: 0.01), rest: silence(seconds: 0.01))
    }
    let likeness = EchoLikeness(of: sounds)
    #expect(likeness.mayHaveMoved(to: 180, from: Self.delay, isKnown: false))
    #expect(!likeness.mayHaveMoved(to: 180, from: Self.delay, isKnown: true))
  }
}
