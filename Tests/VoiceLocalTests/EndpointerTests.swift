import Testing

@testable import VoiceLocal

struct SpeechRuleTests {
  private func changes(_ probabilities: [Float], _ rule: SpeechRule = SpeechRule()) -> [String] {
    var rule = rule
    return probabilities.enumerated().compactMap { index, probability in
      rule.take(probability).map { "\(index):\($0)" }
    }
  }

  @Test func fiveOfEightWindowsStartSpeechAtTheFirstOfThem() {
    #expect(changes([0, 0.9, 0, 0.9, 0.9, 0.9, 0, 0.9]) == ["7:started(windowsAgo: 7)"])
  }

  @Test func clicksThatAreTooFewDoNotStartSpeech() {
    let clicks: [Float] = Array(repeating: [0.9, 0, 0.9, 0, 0.9, 0, 0, 0.9, 0], count: 20).flatMap { $0 }
    #expect(changes(clicks) == [])
  }

  @Test func speechEndsAfterEighteenSilentWindowsWithAPauseBeforeIt() {
    let sound = [Float](repeating: 0.9, count: 5) + [Float](repeating: 0.1, count: 18)
    #expect(changes(sound) == ["4:started(windowsAgo: 5)", "12:paused", "22:ended"])
  }

  @Test func aSpeakerWhoGoesOnAfterAPauseIsStillInTheSameUtterance() {
    let sound = [Float](repeating: 0.9, count: 5) + [Float](repeating: 0.1, count: 12) + [0.9]
    #expect(changes(sound) == ["4:started(windowsAgo: 5)", "12:paused", "17:resumed"])
  }

  @Test(arguments: [(200, 7), (320, 10), (576, 18), (800, 25), (1_000, 32), (10_000, 313)])
  func anUtteranceEndsAfterThePauseThatTheUserLikes(silenceMilliseconds: Int, windows: Int) {
    let sound = [Float](repeating: 0.9, count: 5) + [Float](repeating: 0.1, count: windows)
    let end = windows + 4
    let changes = changes(sound, SpeechRule(silenceMilliseconds: silenceMilliseconds))
    #expect(changes == ["4:started(windowsAgo: 5)", "\(min(12, end - 1)):paused", "\(end):ended"])
  }

  @Test func aPauseMayBeMadeShorterOrLongerWhileItLasts() {
    var rule = SpeechRule(silenceMilliseconds: 1_000)
    func hear(_ probability: Float, times: Int) -> [SpeechRule.Change] {
      (0..<times).compactMap { _ in rule.take(probability) }
    }
    #expect(hear(0.9, times: 5).count == 1)
    #expect(hear(0.1, times: 12) == [.paused])
    rule.end(afterMilliseconds: 576)
    #expect(hear(0.1, times: 5) == [])
    #expect(hear(0.1, times: 1) == [.ended])
    // Of the next utterance nothing is known.
    #expect(hear(0.9, times: 5).count == 1)
    #expect(hear(0.1, times: 12) == [.paused])
    rule.end(afterMilliseconds: 2_000)
    #expect(hear(0.1, times: 50) == [])
    #expect(hear(0.1, times: 1) == [.ended])
    // What holds for a pause holds no longer once somebody goes on.
    #expect(hear(0.9, times: 5).count == 1)
    #expect(hear(0.1, times: 12) == [.paused])
    rule.end(afterMilliseconds: 384)
    #expect(hear(0.9, times: 1) == [.resumed])
    #expect(hear(0.1, times: 31) == [.paused])
    #expect(hear(0.1, times: 1) == [.ended])
    // It has lasted longer than that already: with the next window.
    #expect(hear(0.9, times: 5).count == 1)
    #expect(hear(0.1, times: 20) == [.paused])
    rule.end(afterMilliseconds: 384)
    #expect(hear(0.1, times: 1) == [.ended])
  }

  @Test func aFadingWordIsNotSilence() {
    #expect(changes([Float](repeating: 0.9, count: 5) + [Float](repeating: 0.4, count: 60)).count == 1)
  }
}

struct EndpointerTests {
  private static let second = 16_000
  private let quiet = [Int16](repeating: 3, count: second)

  private func tone(seconds: Double) -> [Int16] {
    (0..<Int(seconds * 16_000)).map { $0 / 20 % 2 == 0 ? 8_000 : -8_000 }
  }

  private func events(_ sound: [Int16], chunk: Int = 320) -> [Endpointer.Event] {
    var endpointer = Endpointer(detector: VoiceActivityDetector())
    var events: [Endpointer.Event] = []
    for start in stride(from: 0, to: sound.count, by: chunk) {
      events += endpointer.process(sound[start..<min(start + chunk, sound.count)])
    }
    return events
  }

  @Test func anUtteranceIsCutOutWithWhatCameJustBeforeIt() {
    let events = events(quiet + tone(seconds: 1) + quiet)
    guard events.count == 3, case .speechStarted(let position) = events[0],
      case .speechPaused(let paused) = events[1], case .speechEnded(let ended) = events[2]
    else {
      Issue.record("\(events.map { "\($0)".prefix(60) })")
      return
    }
    #expect(abs(position - 16_000) < 512)
    #expect(paused == ended)
    #expect(ended.position == position - Endpointer.prerollSamples)
    #expect((20_000...28_000).contains(ended.samples.count))
    #expect(Array((quiet + tone(seconds: 1) + quiet)[ended.position...].prefix(ended.samples.count)) == ended.samples)
  }

  @Test func theSizeOfTheChunksDoesNotMatter() {
    let sound = quiet + tone(seconds: 1) + quiet + tone(seconds: 0.5) + quiet
    #expect(events(sound, chunk: 320) == events(sound, chunk: 7_777))
    #expect(events(sound).count == 6)
  }

  @Test func withoutSoundThereIsNoEndOfSpeech() {
    var endpointer = Endpointer(detector: VoiceActivityDetector())
    _ = endpointer.process(quiet)
    #expect(endpointer.process(tone(seconds: 1)).count == 1)
    #expect(endpointer.process([]) == [])
    guard case .speechEnded(let segment)? = endpointer.finish().first else {
      Issue.record("nothing ended")
      return
    }
    #expect(segment.samples.suffix(16_000) == tone(seconds: 1)[...])
    #expect(endpointer.finish() == [])
  }

  @Test func aLongUtteranceIsCutWithoutLosingASample() {
    let sound = quiet + (0..<120).flatMap { _ in tone(seconds: 0.436) + quiet.prefix(1_024) } + quiet
    var pieces: [SpeechSegment] = []
    for event in events(sound, chunk: 3_200) {
      switch event {
      case .speechCut(let segment), .speechEnded(let segment): pieces.append(segment)
      case .speechStarted, .speechPaused, .speechResumed: break
      }
    }
    #expect(pieces.count == 3)
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      #expect(piece.position + piece.samples.count == next.position)
    }
    #expect(pieces.allSatisfy { $0.samples.count <= Endpointer.longestSamples + 3_200 })
  }

  @Test func aSteadyHumIsNotSpeechForEver() {
    var detector = VoiceActivityDetector()
    let changes = detector.process(quiet + tone(seconds: 30).map { $0 / 8 })
    #expect(changes.last.map { if case .ended = $0 { true } else { false } } ?? false)
  }
}
