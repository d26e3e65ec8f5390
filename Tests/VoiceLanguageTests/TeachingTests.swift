import Testing
import VoiceLanguage
import VoiceVocabulary

private func lesson(_ heard: String, _ meant: String, _ before: String = "", _ after: String = "") -> Correction {
  Correction(heard: heard, meant: meant, before: before, after: after)
}

@Test(
  arguments: [
    ("clear the cash now", "clear the cache now", [lesson("cash", "cache", "the", "now")]),
    ("open sure pa", "open sherpa", [lesson("sure pa", "sherpa", "open", "")]),
    ("rename retry lup", "rename RetryLoop", [lesson("retry lup", "RetryLoop", "rename", "")]),
    // A third of the letters may differ, however they sound.
    ("run the bat now", "run the cat now", [lesson("bat", "cat", "the", "now")]),
    // A change of mind, a word more, and a word less teach nothing.
    ("run the tests", "delete the folder", []),
    ("run the tests", "run all the tests", []),
    ("run all the tests", "run the tests", []),
    // A slip of the hand behind the end of the sentence is no word.
    ("why did it fail in the last step?", "why did it fail in the last step?s", []),
    ("same", "same", []),
    ("", "something", []),
  ] as [(String, String, [Correction])])
func anEditTeachesWhatWasMisheardAndNothingElse(_ old: String, _ new: String, _ lessons: [Correction]) {
  #expect(Teaching.lessons(from: old, to: new) == lessons)
}

@Test func aRepairThatIsTakenBackIsNotDoneAgain() {
  var repair = WordRepair(ProjectWords(names: ["EventInbox"]))
  let repaired = repair.repair("the event inbox class")
  #expect(repaired.text == "the EventInbox class")
  let lessons = Teaching.lessons(from: repaired.text, to: "the event inbox class", notes: repaired.notes)
  #expect(lessons == [lesson("event inbox", "event inbox")])
  repair.learn(lessons)
  #expect(repair.repair("the event inbox class").text == "the event inbox class")
}

@Test func aRepairThatIsMadeOtherwiseIsNoRepairTakenBack() {
  let notes: [WordNote] = [
    .guessed(heard: "retry group", written: "RetryLoop"), .doubtful(heard: "cash", perhaps: "cache"),
  ]
  #expect(
    Teaching.lessons(from: "rename RetryLoop now", to: "rename RetryLoops now", notes: notes)
      == [lesson("retryloop", "RetryLoops", "rename", "now")])
  // The words as they were heard, where something else stood.
  #expect(
    Teaching.lessons(from: "rename retry grupp now", to: "rename retry group now", notes: notes)
      == [lesson("grupp", "group", "retry", "now")])
  #expect(
    Teaching.lessons(from: "rename RetryLoop now", to: "rename retry group now", notes: notes)
      == [lesson("retry group", "retry group")])
  // What was only doubted was not changed, so that an edit takes nothing back.
  #expect(Teaching.lessons(from: "the cash", to: "the cache", notes: notes) == [lesson("cash", "cache", "the", "")])
}

@Test func onlyAShortStretchIsALesson() {
  let five = "sure pah core on line"
  #expect(!Teaching.lessons(from: "open \(five)", to: "open sherpacoronline").isEmpty)
  #expect(Teaching.lessons(from: "open \(five) too", to: "open sherpacoronlinetoo").isEmpty)
  #expect(!Teaching.lessons(from: "open sherpacoronline", to: "open \(five)").isEmpty)
  #expect(Teaching.lessons(from: "open sherpacoronlinetoo", to: "open \(five) too far").isEmpty)
  #expect(Teaching.lessons(from: "cash a cash", to: "cache a cache").count == 2)
}

/// What stands at an edge has one neighbour.
@Test func aLessonKnowsItsNeighbours() {
  #expect(Teaching.lessons(from: "cash is full", to: "cache is full") == [lesson("cash", "cache", "", "is")])
  #expect(Teaching.lessons(from: "cash", to: "cache") == [lesson("cash", "cache")])
}

/// Nobody edits what he dictated minutes before, and no word is so long.
@Test(arguments: [(Limits.repairedWords, true), (Limits.repairedWords + 1, false)])
func anEditTeachesUpToALimit(_ count: Int, _ isLesson: Bool) {
  let rest = String(repeating: " go", count: count - 1)
  #expect(!Teaching.lessons(from: "cash" + rest, to: "cache" + rest).isEmpty == isLesson)
  #expect(!Teaching.lessons(from: "cash" + rest, to: "cache" + rest.dropLast(3)).isEmpty == isLesson)
  #expect(!Teaching.lessons(from: "cash" + rest.dropLast(3), to: "cache" + rest).isEmpty == isLesson)
}

@Test(arguments: [(Limits.repairedWordBytes, true), (Limits.repairedWordBytes + 1, false)])
func aLessonIsAppliedToWordsThatSomebodyMayHaveSaid(_ count: Int, _ isApplied: Bool) {
  let word = String(repeating: "x", count: count)
  var repair = WordRepair()
  repair.learn([lesson(word, "sherpa")])
  #expect(repair.repair("open \(word)").text == (isApplied ? "open sherpa" : "open \(word)"))
}

/// A third of the sounds may differ, however a word is spelled.
@Test func whatSoundsAlikeIsALesson() {
  #expect(
    Teaching.lessons(from: "open keytoon now", to: "open coedim now") == [lesson("keytoon", "coedim", "open", "now")])
  #expect(Teaching.lessons(from: "open keytoon now", to: "open moedim now").isEmpty)
}

@Test func whatWasApprovedIsRightThoughItIsAllThatWasSaid() {
  #expect(
    Teaching.lessons(approving: "Sure pah.", known: [lesson("sure pah", "sherpa")]) == [lesson("sure pah", "sure pah")])
  #expect(Teaching.lessons(approving: "Sure.", known: [lesson("sure pah", "sherpa")]) == [])
  // Once, though it was taught twice.
  let twice = [lesson("sure pah", "sherpa"), lesson("sure pah", "sherper")]
  #expect(Teaching.lessons(approving: "sure pah", known: twice) == [lesson("sure pah", "sure pah")])
  #expect(Teaching.lessons(approving: "sherpa", known: [lesson("sherpa", "Sherpa")]) == [], "only its capitals differ")
}

@Test func aLessonIsAppliedFromThenOn() {
  var repair = WordRepair()
  repair.learn([lesson("sure pah", "sherpa", "open", "")])
  let repaired = repair.repair("Please restart sure pah, then go on.")
  #expect(repaired.text == "Please restart sherpa, then go on.")
  #expect(repaired.notes == [.repaired(heard: "sure pah", written: "sherpa")])
}

@Test func anOrdinaryWordIsOnlyReplacedWhereItsNeighbourSaysSo() {
  var repair = WordRepair()
  repair.learn([lesson("cash", "cache", "the", "eviction")])
  #expect(repair.repair("fix cash eviction").text == "fix cache eviction")
  let elsewhere = repair.repair("I paid cash today")
  #expect(elsewhere.text == "I paid cash today")
  #expect(elsewhere.notes == [.doubtful(heard: "cash", perhaps: "cache")])
}

@Test func aWordOfThisProjectIsNeverReplaced() {
  var repair = WordRepair(ProjectWords(names: ["cash.py", "CashDesk"]))
  repair.learn([lesson("cash", "cache", "the", "eviction")])
  #expect(repair.repair("fix cash eviction").text == "fix cash eviction")
}

@Test func aWordThatWasLeftAsItIsIsNeverReplaced() {
  let known = [lesson("sure pah", "sherpa", "open", "")]
  let left = Teaching.lessons(approving: "Greet Sure Pah for me.", known: known)
  #expect(left == [lesson("sure pah", "sure pah")])
  var repair = WordRepair(ProjectWords(corrections: known + left))
  #expect(repair.repair("open sure pah").text == "open sure pah")
  #expect(Teaching.lessons(approving: "Greet sure pah.", known: known + left) == [])
  // It had been right in an instruction before it was corrected in another.
  repair = WordRepair()
  repair.learn(Teaching.lessons(from: "open sure pah", to: "open sherpa", approved: ["Greet sure pah."]))
  #expect(repair.repair("open sure pah").text == "open sure pah")
}

@Test func whatWasLeftAsItIsSaysNothingOfOtherWords() {
  let left = lesson("sure pah", "sure pah")
  let repair = WordRepair(ProjectWords(names: ["EventInbox"], corrections: [left]))
  #expect(repair.repair("the event inbox class").text == "the EventInbox class")
}

@Test func whatWasTaughtTwiceInTwoWaysIsNotDecidedByTheProgram() {
  var repair = WordRepair()
  repair.learn([lesson("sure pah", "sherpa"), lesson("sure pah", "Sherper")])
  #expect(repair.repair("open sure pah").text == "open sure pah")
}

@Test(arguments: [
  ("/compact now", "/compact now"), ("compact", "compact\n\n(Spoken.)"),
  ("/etc/hosts is odd", "Spoken.\n\n/etc/hosts is odd"), ("/ is full", "Spoken.\n\n/ is full"),
])
func aSpokenCommandOfTheAgentStandsAlone(_ text: String, _ prompt: String) {
  let spoken = Instruction(id: .init(rawValue: 1), text: text, heard: text, source: .voice)
  #expect(spoken.prompt(introduction: "Spoken.") == prompt)
}
