import Testing
import VoiceHistory
import VoiceVocabulary

private let request = PermissionRequest(
  id: PermissionID(rawValue: "p1"), title: "Write a note to NOTES.md", detail: "", choices: [.allowOnce, .rejectOnce])

@Test func aPermissionQuestionIsNotTakenForTheAnswer() throws {
  var told = Told()
  told.command(.say(text: "take a note"))
  told.command(.approve)
  told.report(.turnStarted)
  told.report(.permissionRequested(request: request))
  let asked = try #require(told.history.pieces.last)
  #expect(asked.text.hasPrefix("The agent asks."))
  #expect(asked.purpose == .readBack)
  #expect(told.history.turns[0][.spoken] == nil)
  #expect(!told.why(1).contains { $0.hasPrefix("You heard the answer") }, "\(told.why(1))")
  told.command(.approve)
  told.report(.text(delta: "I wrote it down.\n"))
  told.report(.turnEnded(end: .completed))
  let answer = try #require(told.history.turns[0][.spoken])
  #expect(try answer > #require(told.history.turns[0].requests.first?.answered).time)
}

@Test func anExplanationOfWhatIsAskedIsNotTheAnswerEither() throws {
  var told = Told()
  told.command(.say(text: "take a note"))
  told.command(.approve)
  told.report(.permissionRequested(request: request))
  told.command(.explain)
  told.command(.again)
  #expect(told.history.turns[0][.spoken] == nil, "\(told.history.pieces.map(\.text))")
}

@Test(arguments: [
  (true, "You heard the answer from here"), (false, "The answer went to a file, or nowhere, from here"),
])
func whatNobodyCouldHearWasHeardByNobody(_ speaksAloud: Bool, _ words: String) throws {
  var told = Told(InteractionSettings { $0.speaksAloud = speaksAloud })
  told.command(.say(text: "take a note"))
  told.command(.approve)
  told.report(.text(delta: "I wrote it down.\n"))
  #expect(told.why(1).contains { $0.hasPrefix(words) }, "\(told.why(1))")
}

@Test func anApprovalBelongsToWhatWasApproved() throws {
  var told = Told()
  told.command(.say(text: "run the tests"))
  told.command(.say(text: "run the tests"))
  told.command(.approve)
  #expect(told.history.turns.map(\.decision) == [.approved(.command), nil])
  #expect(told.why(1).contains { $0.hasPrefix("Handed on: the user approved it") }, "\(told.why(1))")
  #expect(!told.why(2).contains { $0.contains("approved") }, "\(told.why(2))")
  told.command(.reject(reason: nil))
  #expect(told.history.turns.map(\.decision) == [.approved(.command), .rejected(reason: nil)])
}

@Test func wordsThatDecideSomethingSayWhatTheyDecided() throws {
  var told = Told()
  told.command(.say(text: "run the tests"))
  told.voice(600)
  told.give(.soundLevelChanged(level: .sound), after: 0)
  told.proposed("approve")
  #expect(told.history.turns.count == 2)
  #expect(told.history.turns[0].decision == .approved(.voice))
  #expect(told.why(2).contains("These words were taken as a decision about turn 1."), "\(told.why(2))")
  #expect(!told.why(2).contains { $0.hasPrefix("Handed on") }, "\(told.why(2))")
  #expect(told.why(1).contains { $0.hasPrefix("Handed on") }, "\(told.why(1))")
}

@Test func aClickBeforeTheWordsIsNotTheirLength() throws {
  // A click of 40 ms, then speech of two seconds whose end is noticed only after its words came.
  var told = Told()
  told.voice(40)
  told.give(.voiceStarted(detector: .model), after: 300)
  told.give(
    .userTranscribed(connection: ConnectionID(rawValue: 1), text: "run the tests", isFinal: true), after: 2_000)
  told.give(
    .instructionProposed(
      call: CallID(connection: ConnectionID(rawValue: 1), id: "c", tool: "converse"), text: "run the tests"), after: 50)
  told.give(.voiceEnded(detector: .model), after: 10)
  #expect(told.why(1).first?.hasPrefix("You spoke for 2.1 s") == true, "\(told.why(1))")
}

@Test func aClickLongBeforeIsNoPartOfWhatIsSaid() throws {
  var told = Told()
  told.voice(40)
  told.give(
    .userTranscribed(connection: ConnectionID(rawValue: 1), text: "run the tests", isFinal: true), after: 30_000)
  #expect(told.history.turns[0][.speechStarted] == nil)
  #expect(!told.why(1).contains { $0.contains("40 ms") }, "\(told.why(1))")
}

/// The older answer is still read aloud when the agent works on the next instruction, and asks.
@Test func whatIsSaidOfAnOlderAnswerIsNoPartOfTheNext() throws {
  var told = Told(InteractionSettings { $0.mode = .direct })
  told.isSilent = true
  told.command(.say(text: "describe the project"))
  for sentence in ["It has four parts.", "Each of them is a target of its own.", "They are built by one script."] {
    told.report(.text(delta: sentence + " "))
  }
  told.report(.turnEnded(end: .completed))
  told.command(.say(text: "take a note"))
  told.report(.turnStarted, of: 2)
  told.speakNext()
  told.report(.permissionRequested(request: request), of: 2)
  for _ in 0..<6 { told.speakNext() }
  told.command(.approve)
  told.report(.text(delta: "I wrote it down. "), of: 2)
  told.report(.turnEnded(end: .completed), of: 2)
  for _ in 0..<2 { told.speakNext() }
  #expect(told.history.pieces.filter { $0.turn == 1 }.map(\.text).last == "They are built by one script.")
  #expect(told.history.pieces.filter { $0.turn == 2 }.map(\.text).last == "I wrote it down.")
  let turn = told.history.turns[1]
  #expect(try #require(turn[.spoken]) > #require(turn[.answered]))
  let sentences = Explanation(turn, in: told.history).sentences
  #expect(sentences.map(\.moment.time) == sentences.map(\.moment.time).sorted())
  #expect(sentences.contains { $0.text.hasSuffix("later, you were told so.") }, "\(sentences.map(\.text))")
  #expect(!sentences.contains { $0.text.contains("read back") }, "\(sentences.map(\.text))")
}

/// Nobody typed it a second time, and there was no answer.
@Test func whatIsOfferedAgainSaysOfWhichTurnItIs() {
  var told = Told()
  told.command(.say(text: "take a note"))
  told.command(.approve)
  told.report(.turnStarted)
  told.report(.turnEnded(end: .failed(reason: "No credit.")))
  let why = told.why(2)
  #expect(why.contains("The instruction of turn 1, which had left, was offered again: “take a note”."), "\(why)")
  #expect(!why.contains { $0.contains("You typed") || $0.contains("the mode is review") }, "\(why)")
  #expect(!told.why(1).contains { $0.hasPrefix("You heard the answer") }, "\(told.why(1))")
}
