import Testing
import VoiceVocabulary

@testable import VoiceCore

struct FloorRegionTests {
  @Test func whatIsSaidIntoTheProgramsVoiceStaysSoUntilTheUtteranceIsOver() {
    var floor = FloorRegion()
    floor.began(over: .speech, at: .zero)
    floor.userSpeaks()
    floor.transcribed("stop", at: .zero)
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

  /// Words that come behind a cough may be of what was heard before it, for as long as words may come of that, however many
  /// sounds follow.
  @Test(arguments: [(1_000, 500), (4_999, 500), (5_001, 5_501)])
  func wordsMayBeOfWhatWasHeardBefore(_ gap: Int, _ start: Int) {
    var floor = FloorRegion()
    let said = SessionTime.zero.advanced(byMilliseconds: 500)
    floor.began(over: .speech, at: said)
    floor.userSpeaks()
    floor.fellQuiet(at: said)
    let later = said.advanced(byMilliseconds: gap)
    floor.began(over: .silence, at: later)
    floor.userSpeaks()
    floor.fellQuiet(at: later)
    #expect(floor.start == later && floor.background == .silence)
    #expect(floor.firstStart(at: later) == .zero.advanced(byMilliseconds: start))
    #expect(floor.mayBeOverSpeech(at: later) == (start == 500))
    // The sound in between does not keep the first one.
    let last = said.advanced(byMilliseconds: 5_500)
    floor.began(over: .silence, at: last)
    #expect(floor.firstStart(at: last) == later)
    floor.transcribed("approve", at: last)
    #expect(floor.firstStart(at: last.advanced(byMilliseconds: 60_000)) == later)
  }

  @Test func aTranscriptIsShownOnce() {
    var floor = FloorRegion()
    floor.transcribed(" run", at: .zero)
    floor.transcribed(" the tests", at: .zero)
    #expect(floor.takeForShowing() == "run the tests")
    #expect(floor.takeForShowing() == nil)
    floor.transcribed("  ", at: .zero)
    #expect(floor.takeForShowing() == "run the tests")
  }

  @Test func aTranscriptWithoutAnEndIsCutNotKept() {
    var floor = FloorRegion()
    let piece = String(repeating: "a", count: Limits.instructionCharacters / 2)
    for _ in 0..<3 { floor.transcribed(piece, at: .zero) }
    #expect(floor.transcript.utf8.count == piece.utf8.count * 2)
    floor.transcribed("b", at: .zero)
    #expect(floor.transcript.utf8.count == Limits.instructionCharacters)
  }

  /// Of a transcript that is longer than is shown at once only what is new is shown.
  @Test(arguments: [(0, true), (1, false)]) func aLongTranscriptIsShownInPieces(_ more: Int, _ isWhole: Bool) {
    var floor = FloorRegion()
    let beginning = String(repeating: "a", count: Limits.shownTranscriptBytes - 4 + more)
    floor.transcribed(beginning, at: .zero)
    #expect(floor.takeForShowing() == beginning)
    floor.transcribed(" end", at: .zero)
    #expect(floor.takeForShowing() == (isWhole ? beginning + " end" : "end"))
  }

  @Test func whatSeemsToBeSaidIsShownUpToItsLimit() {
    var floor = FloorRegion()
    let longest = String(repeating: "a", count: Limits.shownTranscriptBytes)
    floor.interim(longest)
    #expect(floor.interim == longest)
    floor.interim(longest + "b")
    #expect(floor.interim == longest)
  }

  @Test func aProposalIsARepetitionOnlyWhereNothingWasHeardSince() {
    var floor = FloorRegion()
    floor.heardVoice(by: .model)
    let first = floor.proposed("Run the tests.")
    let again = floor.proposed("run the tests")
    floor.transcribed("run the tests", at: .zero)
    let said = floor.proposed("Run the tests.")
    #expect((first, again, said) == (false, true, false))
  }

  @Test func onlyTheDetectorAtTheMicrophoneWatches() {
    var floor = FloorRegion()
    floor.heardVoice(by: .model)
    #expect(!floor.hasLocalDetector)
    floor.heardVoice(by: .vad)
    #expect(floor.hasLocalDetector)
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
