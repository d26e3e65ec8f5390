import Testing
import VoiceVocabulary

@testable import VoiceCore

private func at(_ seconds: Double) -> SessionTime { SessionTime(microseconds: Int64(seconds * 1_000_000)) }

/// What was taken, and what is only heard again.
struct TakenProposalsTests {
  private func utterances(_ count: Int, from start: SessionTime) -> [UnacknowledgedAudio.Utterance] {
    (0..<count).map { .init(start: $0, end: $0 + 1, startTime: start, time: start) }
  }

  /// The connection was left, and the next one answers what is sent again.
  private func sendAgain(_ again: [UnacknowledgedAudio.Utterance], to proposals: inout TakenProposals) {
    proposals.connectionLeft(at: at(5))
    proposals.resending(again, at: at(6))
    proposals.answering(again, isSameTurn: false)
  }

  @Test func onlyWhatIsSentAgainCanRepeatSomething() {
    var proposals = TakenProposals()
    proposals.taken("open the log", at: at(1))
    proposals.taken("run the tests", at: at(5))
    #expect(proposals.verdict(on: "run the tests", at: at(6)) == .new)
    sendAgain(utterances(1, from: at(5)), to: &proposals)
    #expect(proposals.verdict(on: "Run the tests.", at: at(6)) == .repetition)
    #expect(proposals.verdict(on: "the tests", at: at(6)) == .repetition, "a part of it is nothing new")
    #expect(proposals.verdict(on: "run the tests and commit", at: at(6)) == .mayRepeat)
    #expect(proposals.verdict(on: "run all the tests", at: at(6)) == .mayRepeat, "it may be worded otherwise")
    let before = proposals.verdict(on: "open the log", at: at(6))
    #expect(before == .new, "it was taken before the sound that is sent again")
    #expect(proposals.last?.text == "run the tests")
  }

  @Test func asManyAsTheLimitAreKnownAgain() {
    var proposals = TakenProposals()
    for number in 0...Limits.rememberedProposals { proposals.taken("open file \(number)", at: at(5)) }
    sendAgain(utterances(1, from: at(4)), to: &proposals)
    #expect(proposals.verdict(on: "open file 0", at: at(7)) == .new)
    #expect(proposals.verdict(on: "open file 1", at: at(7)) == .repetition)
  }

  /// Two utterances that were sent again, behind one that was taken.
  private func heardAgain() -> (proposals: TakenProposals, utterances: [UnacknowledgedAudio.Utterance]) {
    var proposals = TakenProposals()
    proposals.taken("run the tests", at: at(5))
    let again = utterances(2, from: at(4))
    sendAgain(again, to: &proposals)
    return (proposals, again)
  }

  @Test func whatRepeatsIsInDoubtOnceSomethingNewCameOfWhatWasSentAgain() {
    var (proposals, again) = heardAgain()
    #expect(proposals.verdict(on: "run the tests", at: at(7)) == .repetition)
    proposals.taken("update the readme", at: at(7))
    #expect(proposals.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
    proposals.connectionLeft(at: at(8))
    proposals.resending([again[1]], at: at(8))
    proposals.answering([again[1]], isSameTurn: false)
    #expect(proposals.verdict(on: "update the readme", at: at(8)) == .repetition)
    proposals.resending([], at: at(9))
    #expect(proposals.verdict(on: "update the readme", at: at(9)) == .new)
  }

  /// "Stop" is part of much that was said.
  @Test func aWordAloneIsARepetitionOnlyOfItself() {
    var (proposals, again) = heardAgain()
    #expect(proposals.verdict(on: "run", at: at(7)) == .mayRepeat)
    proposals.taken("stop", at: at(7))
    proposals.connectionLeft(at: at(8))
    proposals.resending([again[1]], at: at(8))
    proposals.answering([again[1]], isSameTurn: false)
    #expect(proposals.verdict(on: "stop", at: at(8)) == .repetition)
  }

  @Test func whatRepeatsASecondTimeIsInDoubt() {
    var (proposals, _) = heardAgain()
    proposals.dropped("run the tests")
    #expect(proposals.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
    #expect(proposals.verdict(on: "the tests", at: at(7)) == .repetition)
  }

  /// It may answer what no connection has heard before.
  @Test func whatRepeatsIsInDoubtOnceTheUserHasSpokenSince() {
    var (proposals, again) = heardAgain()
    for time in [5.5, 6.5] {
      let said = UnacknowledgedAudio.Utterance(start: 7, end: 8, startTime: at(time), time: at(time))
      proposals.answering(again + [said], isSameTurn: false)
      #expect(proposals.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
    }
    proposals.answering(again, isSameTurn: false)
    proposals.interrupted()
    #expect(proposals.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
  }

  @Test(arguments: [
    ("the tests and the linter", true), ("please run the", true), ("tests of the parser", false), ("i run", false),
  ]) func whatGoesOnWithWordsThatWereTakenIsInDoubt(_ text: String, _ isInDoubt: Bool) {
    #expect(heardAgain().proposals.verdict(on: text, at: at(7)) == (isInDoubt ? .mayRepeat : .new))
  }

  /// A server may answer in two turns what was one utterance here.
  @Test func whatRepeatsIsInDoubtForAWhileAfterAllThatWasSentAgainIsDealtWith() {
    var (proposals, again) = heardAgain()
    proposals.answering([], isSameTurn: true)
    #expect(proposals.verdict(on: "run the tests", at: at(7)) == .repetition)
    proposals.turnEnded([again[1]], at: at(7))
    proposals.answering([again[1]], isSameTurn: false)
    #expect(proposals.verdict(on: "run the tests", at: at(8)) == .repetition)
    proposals.turnEnded([], at: at(8))
    proposals.answering([], isSameTurn: false)
    let over = at(8).advanced(byMilliseconds: Limits.settledMilliseconds)
    #expect(proposals.verdict(on: "run the tests", at: over.advanced(byMilliseconds: -1)) == .mayRepeat)
    #expect(proposals.verdict(on: "run the tests", at: over) == .new)
  }
}
