import Testing
import VoiceLanguage
import VoiceVocabulary

@testable import VoiceCore

/// The region alone, without a controller.
struct SpeechRegionTests {
  private var region = SpeechRegion()

  private func piece(_ id: Int, _ purpose: SpeechPurpose = .report) -> SpeechRegion.Piece {
    .init(id: SpeechID(rawValue: id), text: "Sentence number \(id).", purpose: purpose)
  }

  private func id(_ number: Int) -> SpeechID { SpeechID(rawValue: number) }

  /// These pieces, the first of them asked for.
  private mutating func speak(_ pieces: SpeechRegion.Piece...) {
    for piece in pieces { _ = region.enqueue(piece) }
    _ = region.requestNext()
  }

  /// All sound of the piece that was asked for, one second.
  private mutating func hear(_ number: Int) {
    _ = region.arrived(sampleCount: PCM.speakerRate, of: id(number))
    _ = region.ended(id(number))
  }

  @Test mutating func onePieceIsAskedForAfterTheOther() {
    speak(piece(1), piece(2))
    #expect(region.requested == piece(1))
    #expect(region.requestNext() == nil)
    #expect(region.ended(id(2)) == .cut)
    #expect(region.ended(id(1)) == .withoutSound)
    #expect(region.requestNext() == piece(2))
    hear(2)
    #expect(region.playing == [piece(2)] && region.isActive)
    region.playbackEnded(id(2), at: .zero)
    #expect(!region.isActive)
    #expect(region.history == [piece(2)])
  }

  @Test mutating func whatIsTooMuchIsToldOnceUntilSomethingIsAskedFor() {
    var waits = (0..<Limits.waitingPieces).map { region.enqueue(piece($0)) }
    waits.append(region.enqueue(piece(99)))
    #expect(waits == [Bool](repeating: true, count: Limits.waitingPieces) + [false])
    var told = [region.noteUnspoken(), region.noteUnspoken()]
    _ = region.requestNext()
    told.append(region.noteUnspoken())
    #expect(told == [true, false, true])
  }

  @Test mutating func soundOfAPieceThatWasCutIsNotPlayed() {
    speak(piece(1))
    #expect(region.cancelRequested() == piece(1))
    let isPlayed = region.arrived(sampleCount: 1, of: id(1))
    #expect(!isPlayed && region.playing.isEmpty)
    #expect(region.cancelRequested() == nil)
    speak(piece(2))
    let isNextPlayed = region.arrived(sampleCount: 1, of: id(2))
    #expect(isNextPlayed && region.playing == [piece(2)])
  }

  @Test mutating func aReadoutStallsOnceNoSoundComesAndItIsNotAtWork() {
    speak(piece(1))
    #expect(region.stalled(id(2), isAtWork: false) == .nothing)
    #expect(region.stalled(id(1), isAtWork: true) == .goesOn)
    _ = region.arrived(sampleCount: 1, of: id(1))
    #expect(region.stalled(id(1), isAtWork: false) == .goesOn)
    #expect(region.stalled(id(1), isAtWork: false) == .readout)
  }

  @Test mutating func theModelsOwnVoicePlaysToItsEnd() {
    region.modelBegan(as: id(1))
    #expect(region.modelSpoke(sampleCount: 10) == .plays(id(1)))
    #expect(region.stalled(id(1), isAtWork: false) == .goesOn)
    #expect(region.stalled(id(1), isAtWork: false) == .modelVoice)
    #expect(region.modelEnded() == id(1))
    #expect(region.playing.map(\.id) == [id(1)] && !region.isModelSpeaking)
    #expect(region.modelEnded() == nil)
  }

  @Test mutating func aTurnThatWasCutIsIgnoredToItsEnd() {
    region.modelBegan(as: id(1))
    #expect(region.ignoreModelVoice() == id(1))
    #expect(region.ignoreModelVoice() == nil)
    #expect(region.modelSpoke(sampleCount: 1) == .ignored)
    #expect(!region.model.isSilent)
    #expect(region.modelEnded() == nil)
    #expect(region.model.isSilent && region.playing.isEmpty)
    // One that nobody hears from its beginning.
    region.modelBegan(as: nil)
    #expect(region.modelSpoke(sampleCount: 1) == .ignored)
  }

  @Test mutating func aTurnWithoutEndHasItsTime() {
    region.modelBegan(as: id(1))
    #expect(region.modelSpoke(sampleCount: Limits.modelVoiceSamples) == .plays(id(1)))
    #expect(region.modelSpoke(sampleCount: 1) == .exceedsLimit)
    #expect(region.modelExceededLimit() == id(1))
    #expect(region.modelSpoke(sampleCount: 1) == .ignored)
    #expect(region.playing.count == 1)
  }

  @Test mutating func whatWasHeardOfAReplyIsKnownBeforeItPlaysAndToldByTheSpeakerAfter() {
    let reply = SpeechPurpose.reply(run: RunID(rawValue: 1))
    speak(piece(1, reply), piece(2, reply))
    #expect(region.cutByUser() == .words(""))
    hear(1)
    _ = region.requestNext()
    hear(2)
    region.playbackEnded(id(1), at: .zero)
    #expect(region.cutByUser() == .notKnownYet)
    #expect(region.playbackCleared(id(2), heardMilliseconds: 600) == "Sentence number 1. Sentence")
    #expect(region.playbackCleared(id(2), heardMilliseconds: 600) == nil)
    region.replyBegins()
    #expect(region.cutByUser() == .notKnownYet)
    #expect(region.playbackCleared(id(1), heardMilliseconds: 600) == "")
    region = SpeechRegion()
    speak(piece(1))
    #expect(region.cutByUser() == .noReply)
  }

  /// As many words as fit into the time that was heard.
  @Test(arguments: [
    (0, 1_000, ""), (1, 1_000, ""), (500, 1_000, "One two"), (999, 1_000, "One two three"),
    (1_000, 1_000, "One two three four"),
    (2_000, 1_000, "One two three four"), (500, 0, ""),
  ])
  func whatWasHeardOfAPieceEndsWithAWord(_ heard: Int, _ length: Int, _ words: String) {
    let piece = SpeechRegion.Piece(id: id(1), text: "One two three four", purpose: .report)
    let cut = SpeechRegion.Cut(piece: piece, milliseconds: length, before: nil)
    #expect(cut.text(heardMilliseconds: heard) == words)
  }

  @Test mutating func speechHasSpeedsToBothEnds() {
    let slower = region.changePercent(by: -1, of: [80, 100, 125])
    let slowest = region.changePercent(by: -1, of: [80, 100, 125])
    #expect(slower && !slowest && region.percent == 80)
    let fastest = region.changePercent(by: 2, of: [80, 100, 125])
    #expect(fastest && region.percent == 125)
  }

  /// The detector at the microphone may have heard the echo of what was said just before.
  @Test mutating func theFirstPieceAfterTheLastEchoIsABeginning() {
    region.note(said: "Done.", at: .zero)
    speak(piece(1), piece(2))
    hear(1)
    let isOver = SessionTime.zero.advanced(byMilliseconds: Limits.echoTailMilliseconds)
    #expect(!region.isBeginning(at: isOver.advanced(byMilliseconds: -1)))
    #expect(region.isBeginning(at: isOver))
    _ = region.requestNext()
    hear(2)
    #expect(!region.isBeginning(at: isOver))
  }

  @Test mutating func asManyWordsAsCanBeAnEchoAreRemembered() {
    func text(_ word: String) -> String {
      Array(repeating: word, count: Limits.echoWords / 2).joined(separator: " ")
    }
    region.note(said: text("early"), at: .zero)
    region.note(said: text("late"), at: .zero)
    #expect(region.hasJustSaid(SpokenWords("early"), at: .zero))
    region.note(said: "more", at: .zero)
    #expect(!region.hasJustSaid(SpokenWords("early"), at: .zero))
    #expect(region.hasJustSaid(SpokenWords("late"), at: .zero))
  }

  /// An echo comes within some seconds, or not at all.
  @Test mutating func whatWasSaidMayBeAnEchoForItsTime() {
    func after(_ milliseconds: Int) -> SessionTime { SessionTime.zero.advanced(byMilliseconds: milliseconds) }
    region.note(said: "All tests pass.", at: .zero)
    let words = SpokenWords("tests pass")
    #expect(region.hasJustSaid(words, at: after(Limits.echoMemoryMilliseconds - 1)))
    #expect(!region.hasJustSaid(words, at: after(Limits.echoMemoryMilliseconds)))
    #expect(region.isAudible(at: after(99), within: 100) && !region.isAudible(at: after(100), within: 100))
  }

  @Test mutating func asManyPiecesAsCanBeAnEchoAreRemembered() {
    for number in 1...Limits.echoPieces { region.note(said: "number \(number)", at: .zero) }
    #expect(region.hasJustSaid(SpokenWords("number 1"), at: .zero))
    region.note(said: "one more", at: .zero)
    #expect(!region.hasJustSaid(SpokenWords("number 1"), at: .zero))
    #expect(region.hasJustSaid(SpokenWords("number 2"), at: .zero))
  }

  /// As many sentences as the limit can be said again.
  @Test mutating func asMuchAsTheLimitCanBeSaidAgain() {
    for number in 0...Limits.spokenHistory {
      speak(piece(number))
      hear(number)
      region.playbackEnded(id(number), at: .zero)
    }
    #expect(region.history.count == Limits.spokenHistory && region.history.first == piece(1))
  }

  /// How much of a reply was heard, and whether words may be its echo, depends on them.
  @Test mutating func theDigestTellsWhenSomethingWasSaidAndHowMuchSoundCame() {
    var other = region
    region.note(said: "Done.", at: .zero)
    other.note(said: "Done.", at: SessionTime.zero.advanced(byMilliseconds: 1))
    #expect(digest(region) != digest(other))

    region = SpeechRegion()
    speak(piece(1))
    other = region
    _ = region.arrived(sampleCount: 1, of: id(1))
    _ = other.arrived(sampleCount: 2, of: id(1))
    #expect(digest(region) != digest(other))
  }

  private func digest(_ region: SpeechRegion) -> StateDigest {
    var digest = StateDigest()
    digest.fold(region)
    return digest
  }

  @Test mutating func whatIsSaidNextGoesBeforeWhatWaits() {
    speak(piece(1), piece(2), piece(3, .reply(run: RunID(rawValue: 1))))
    region.sayNext([piece(4)])
    #expect(region.ahead.map(\.id.rawValue) == [1, 4, 2, 3])
    region.dropQueue { $0.purpose == .report }
    #expect(region.queue == [piece(3, .reply(run: RunID(rawValue: 1)))])
    region.dropQueue()
    #expect(region.queue.isEmpty && region.requested == piece(1))
  }
}

struct InterruptionRegionTests {
  private var region = Interruption()

  private mutating func suspect() -> Bool { region.suspected() }

  @Test mutating func whoStillSpeaksMeansIt() {
    let (first, second) = (suspect(), suspect())
    #expect(first && !second && region.isLowered)
    let isOne = region.isDecided()
    #expect(isOne)
    let wasLowered = region.settled()
    #expect(wasLowered && !region.isPossible)
  }

  @Test mutating func aShortSoundIsNoneUnlessWordsComeOfIt() {
    _ = suspect()
    region.doubted()
    #expect(region.isLowered)
    let isOne = region.isDecided()
    #expect(!isOne && !region.isLowered && region.isPossible)
    region.cameToNothing()
    #expect(!region.isPossible)
  }

  @Test mutating func aSoundAfterOneThatWasDismissedIsSuspectedAnew() {
    _ = suspect()
    region.doubted()
    _ = region.isDecided()
    let isAgain = suspect()
    #expect(isAgain && region.isLowered)
    region.cameToNothing()
    #expect(region.isLowered)
  }
}
