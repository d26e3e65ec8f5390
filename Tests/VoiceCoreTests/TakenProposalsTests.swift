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
  private func sendAgain(_ again: [UnacknowledgedAudio.Utterance], to taken: inout TakenProposals) {
    taken.connectionLeft(at: at(5))
    taken.resending(again, at: at(6))
    taken.answering(again, isSameTurn: false)
  }

  @Test func onlyWhatIsSentAgainCanRepeatSomething() {
    var taken = TakenProposals()
    taken.took("open the log", at: at(1))
    taken.took("run the tests", at: at(5))
    #expect(taken.verdict(on: "run the tests", at: at(6)) == .new)
    sendAgain(utterances(1, from: at(5)), to: &taken)
    #expect(taken.verdict(on: "Run the tests.", at: at(6)) == .repetition)
    #expect(taken.verdict(on: "the tests", at: at(6)) == .repetition, "a part of it is nothing new")
    #expect(taken.verdict(on: "run the tests and commit", at: at(6)) == .mayRepeat)
    #expect(taken.verdict(on: "run all the tests", at: at(6)) == .mayRepeat, "it may be worded otherwise")
    #expect(taken.verdict(on: "open the log", at: at(6)) == .new, "it was taken before the sound that is sent again")
    #expect(taken.last?.text == "run the tests")
  }

  @Test func asManyAsTheLimitAreKnownAgain() {
    var taken = TakenProposals()
    for number in 0...Limits.rememberedProposals { taken.took("open file \(number)", at: at(5)) }
    sendAgain(utterances(1, from: at(4)), to: &taken)
    #expect(taken.verdict(on: "open file 0", at: at(7)) == .new)
    #expect(taken.verdict(on: "open file 1", at: at(7)) == .repetition)
  }

  /// Two utterances that were sent again, behind one that was taken.
  private func heardAgain() -> (taken: TakenProposals, utterances: [UnacknowledgedAudio.Utterance]) {
    var taken = TakenProposals()
    taken.took("run the tests", at: at(5))
    let again = utterances(2, from: at(4))
    sendAgain(again, to: &taken)
    return (taken, again)
  }

  @Test func whatRepeatsIsInDoubtOnceSomethingNewCameOfWhatWasSentAgain() {
    var (taken, again) = heardAgain()
    #expect(taken.verdict(on: "run the tests", at: at(7)) == .repetition)
    taken.took("update the readme", at: at(7))
    #expect(taken.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
    taken.connectionLeft(at: at(8))
    taken.resending([again[1]], at: at(8))
    taken.answering([again[1]], isSameTurn: false)
    #expect(taken.verdict(on: "update the readme", at: at(8)) == .repetition)
    taken.resending([], at: at(9))
    #expect(taken.verdict(on: "update the readme", at: at(9)) == .new)
  }

  /// "Stop" is part of much that was said.
  @Test func aWordAloneIsARepetitionOnlyOfItself() {
    var (taken, again) = heardAgain()
    #expect(taken.verdict(on: "run", at: at(7)) == .mayRepeat)
    taken.took("stop", at: at(7))
    taken.connectionLeft(at: at(8))
    taken.resending([again[1]], at: at(8))
    taken.answering([again[1]], isSameTurn: false)
    #expect(taken.verdict(on: "stop", at: at(8)) == .repetition)
  }

  @Test func whatRepeatsASecondTimeIsInDoubt() {
    var (taken, _) = heardAgain()
    taken.dropped("run the tests")
    #expect(taken.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
    #expect(taken.verdict(on: "the tests", at: at(7)) == .repetition)
  }

  /// It may answer what no connection has heard before.
  @Test func whatRepeatsIsInDoubtOnceTheUserHasSpokenSince() {
    var (taken, again) = heardAgain()
    for time in [5.5, 6.5] {
      let said = UnacknowledgedAudio.Utterance(start: 7, end: 8, startTime: at(time), time: at(time))
      taken.answering(again + [said], isSameTurn: false)
      #expect(taken.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
    }
    taken.answering(again, isSameTurn: false)
    taken.interrupted()
    #expect(taken.verdict(on: "run the tests", at: at(7)) == .mayRepeat)
  }

  @Test(arguments: [
    ("the tests and the linter", true), ("please run the", true), ("tests of the parser", false), ("i run", false),
  ]) func whatGoesOnWithWordsThatWereTakenIsInDoubt(_ text: String, _ isInDoubt: Bool) {
    #expect(heardAgain().taken.verdict(on: text, at: at(7)) == (isInDoubt ? .mayRepeat : .new))
  }

  /// A server may answer in two turns what was one utterance here.
  @Test func whatRepeatsIsInDoubtForAWhileAfterAllThatWasSentAgainIsDealtWith() {
    var (taken, again) = heardAgain()
    taken.answering([], isSameTurn: true)
    #expect(taken.verdict(on: "run the tests", at: at(7)) == .repetition)
    taken.turnEnded([again[1]], at: at(7))
    taken.answering([again[1]], isSameTurn: false)
    #expect(taken.verdict(on: "run the tests", at: at(8)) == .repetition)
    taken.turnEnded([], at: at(8))
    taken.answering([], isSameTurn: false)
    let over = at(8).advanced(byMilliseconds: Limits.settledMilliseconds)
    #expect(taken.verdict(on: "run the tests", at: over.advanced(byMilliseconds: -1)) == .mayRepeat)
    #expect(taken.verdict(on: "run the tests", at: over) == .new)
  }
}
