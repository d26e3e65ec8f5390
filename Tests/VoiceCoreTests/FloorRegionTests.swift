import Testing
import VoiceCore
import VoiceVocabulary

struct FloorRegionTests {
  @Test func whatIsSaidIntoTheProgramsVoiceStaysSoUntilTheUtteranceIsOver() {
    var floor = FloorRegion()
    floor.began(over: .speech, at: .zero)
    floor.userSpeaks()
    floor.transcribed("stop")
    floor.fellQuiet(at: .zero)
    // The same utterance goes on after a pause, and the program has fallen silent.
    floor.began(over: .silence, at: SessionTime(microseconds: 900_000))
    #expect(floor.background == .speech)
    #expect(floor.start == .zero)
    floor.endUtterance()
    floor.began(over: .silence, at: SessionTime(microseconds: 2_000_000))
    #expect(floor.background == .silence)
    #expect(floor.start == SessionTime(microseconds: 2_000_000))
  }

  /// A cough behind what was said does not make of it what was said later.
  @Test(arguments: [(1_000, 500), (4_999, 500), (5_001, 5_501)])
  func wordsThatMayStillComeKeepTheirBeginning(_ gap: Int, _ start: Int) {
    var floor = FloorRegion()
    let said = SessionTime.zero.advanced(byMilliseconds: 500)
    floor.began(over: .silence, at: said)
    floor.userSpeaks()
    floor.fellQuiet(at: said)
    floor.began(over: .silence, at: said.advanced(byMilliseconds: gap))
    #expect(floor.start == .zero.advanced(byMilliseconds: start))
  }

  @Test func aTranscriptIsShownOnce() {
    var floor = FloorRegion()
    floor.transcribed(" run")
    floor.transcribed(" the tests")
    #expect(floor.takeForShowing() == "run the tests")
    #expect(floor.takeForShowing() == nil)
    floor.transcribed("  ")
    #expect(floor.takeForShowing() == "run the tests")
  }

  @Test func aTranscriptWithoutAnEndIsCutNotKept() {
    var floor = FloorRegion()
    let piece = String(repeating: "a", count: Limits.instructionCharacters / 2)
    for _ in 0..<3 { floor.transcribed(piece) }
    #expect(floor.transcript.utf8.count == piece.utf8.count * 2)
  }

  @Test func aProposalIsARepetitionOnlyWhereNothingWasHeardSince() {
    var floor = FloorRegion()
    floor.heardVoice(by: .model)
    let first = floor.proposed("Run the tests.")
    let again = floor.proposed("run the tests")
    floor.transcribed("run the tests")
    let said = floor.proposed("Run the tests.")
    #expect((first, again, said) == (false, true, false))
  }

  @Test func onlyTheDetectorAtTheMicrophoneWatches() {
    var floor = FloorRegion()
    floor.heardVoice(by: .model)
    #expect(!floor.isWatched)
    floor.heardVoice(by: .vad)
    #expect(floor.isWatched)
  }

  @Test func aDecisionOfWhichWordsAreStillToComeIsNotTheLastWord() {
    var floor = FloorRegion()
    floor.taken()
    #expect(floor.hasTakenInstruction)
    floor.taken(isWhole: false)
    #expect(!floor.hasTakenInstruction)
    floor.taken()
    floor.modelTurnEnded()
    #expect(!floor.hasTakenInstruction)
  }
}
