import Testing
import VoiceCore

private func lesson(_ heard: String, _ meant: String, _ before: String = "", _ after: String = "") -> Correction {
  Correction(heard: heard, meant: meant, before: before, after: after)
}

@Test(
  arguments: [
    ("clear the cash now", "clear the cache now", [lesson("cash", "cache", "the", "now")]),
    ("open sure pa", "open sherpa", [lesson("sure pa", "sherpa", "open", "")]),
    ("rename retry lup", "rename RetryLoop", [lesson("retry lup", "RetryLoop", "rename", "")]),
    // A change of mind, a word more, and a word less teach nothing.
    ("run the tests", "delete the folder", []),
    ("run the tests", "run all the tests", []),
    ("run all the tests", "run the tests", []),
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

@Test func whatWasTaughtTwiceInTwoWaysIsNotDecidedByTheProgram() {
  var repair = WordRepair()
  repair.learn([lesson("sure pah", "sherpa"), lesson("sure pah", "Sherper")])
  #expect(repair.repair("open sure pah").text == "open sure pah")
}

// MARK: In a session

private struct Session {
  var controller = InteractionController()
  var time = SessionTime.zero
  var calls = 0
  let connection = ConnectionID(rawValue: 1)

  init(names: [String]) {
    _ = give(.sessionStarted(settings: InteractionSettings(mode: .review, readsBack: false)))
    _ = give(.linkReady(connection: connection, resumed: false))
    _ = give(.wordsLearned(words: ProjectWords(names: names)))
  }

  mutating func give(_ event: VoiceEvent) -> [VoiceAction] {
    time = time.advanced(byMilliseconds: 1_000)
    return controller.handle(event, at: time)
  }

  mutating func say(_ text: String) -> [VoiceAction] {
    calls += 1
    _ = give(.userTranscribed(connection: connection, text: text, isFinal: true))
    return give(
      .instructionProposed(call: CallID(connection: connection, id: "\(calls)", tool: "converse"), text: text))
  }

  var heldInstruction: Instruction? {
    if case .instruction(let instruction) = controller.held.first?.content { return instruction }
    return nil
  }
}

@Test func aSpokenInstructionIsHeldRepairedWithWhatWasHeardBesideIt() {
  var session = Session(names: ["InteractionController", "RetryLoop"])
  _ = session.say("rename interaction controller and fix the retrial loop")
  let held = session.heldInstruction
  #expect(held?.text == "rename InteractionController and fix the retrial loop")
  #expect(held?.heard == "rename interaction controller and fix the retrial loop")
  #expect(held?.repair?.raw == "rename interaction controller and fix the retrial loop")
  #expect(held?.markedText == "rename InteractionController and fix the retrial loop [RetryLoop?]")
  #expect(
    held?.prompt(introduction: "Spoken.")
      == "Spoken. “retrial loop” may mean “RetryLoop”.\n\nrename InteractionController and fix the retrial loop")
  #expect(held?.prompt(introduction: nil) == held?.text)
}

@Test func anEditIsKeptAndUsedInTheNextInstruction() {
  var session = Session(names: [])
  _ = session.say("restart the sillarow service")
  let kept = session.give(.commandGiven(command: .amend(text: "restart the silero service")))
  let lessons = [lesson("sillarow", "silero", "the", "service")]
  #expect(kept.contains(.keepCorrections(corrections: lessons)))
  #expect(kept.contains(.show(notice: .learned(correction: lessons[0]))))
  _ = session.give(.commandGiven(command: .reject(reason: nil)))
  _ = session.say("stop sillarow")
  #expect(session.heldInstruction?.text == "stop silero")
}

@Test func aTypedInstructionIsNeitherRepairedNorALesson() {
  var session = Session(names: ["EventInbox"])
  _ = session.give(.commandGiven(command: .say(text: "the event inbox class, sillarow")))
  #expect(session.heldInstruction?.text == "the event inbox class, sillarow")
  let edited = session.give(.commandGiven(command: .amend(text: "the event inbox class, silero")))
  #expect(!edited.contains { if case .keepCorrections = $0 { true } else { false } })
}

@Test(arguments: [("/compact now", "/compact now"), ("compact", "Spoken.\n\ncompact")])
func aSpokenCommandOfTheAgentStandsAlone(_ text: String, _ prompt: String) {
  let spoken = Instruction(id: .init(rawValue: 1), text: text, heard: text, source: .voice)
  #expect(spoken.prompt(introduction: "Spoken.") == prompt)
}
