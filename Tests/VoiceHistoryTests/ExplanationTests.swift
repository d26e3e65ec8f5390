import Testing
import VoiceHistory
import VoiceVocabulary

private let asked = PermissionRequest(
  id: PermissionID(rawValue: "p"), title: "Write NOTES.md", detail: "", choices: [.allowOnce, .rejectOnce])
private let question = AgentQuestion(
  id: QuestionID(rawValue: "q"), text: "Which branch?", options: [.init(label: "main"), .init(label: "next")])

/// A typed instruction that was approved and runs.
private func running() -> Told {
  var told = Told()
  told.command(.say(text: "run the tests"))
  told.command(.approve)
  return told
}

struct ExplanationTests {
  @Test func whatWasTypedIsSaidToHaveBeenTyped() {
    var told = Told()
    told.command(.say(text: "run the tests"))
    #expect(told.why(1).first == "You typed: “run the tests”.")
  }

  @Test func wordsThatLedToNothingAreSaidToHaveLedToNothing() {
    var told = Told()
    told.voice(800)
    told.give(.userTranscribed(connection: .init(rawValue: 1), text: "hm well ", isFinal: true), after: 250)
    told.give(.modelTurnEnded(connection: .init(rawValue: 1)), after: 50)
    #expect(
      told.why(1) == [
        "You spoke for 800 ms, until 00:04.800.", "250 ms after your last word, this was heard: “hm well”.",
        "No instruction was proposed from these words.",
      ])
  }

  @Test func theModelsOwnWordingIsToldWithHowMuchOfItWasHeard() {
    var told = Told()
    told.voice(600)
    told.give(.userTranscribed(connection: .init(rawValue: 1), text: "run all tests", isFinal: true), after: 200)
    let call = CallID(connection: .init(rawValue: 1), id: "c", tool: "converse")
    told.give(.instructionProposed(call: call, text: "run the tests"), after: 70)
    #expect(
      told.why(1).contains(
        "70 ms later, the live model proposed the instruction “run the tests” (66 % of the words agree)."),
      "\(told.why(1))")
  }

  @Test func aSpokenStopIsTheWishToStop() {
    var told = running()
    told.voice(300)
    told.give(.stopRequested(call: CallID(connection: .init(rawValue: 1), id: "c", tool: "stop")), after: 200)
    #expect(told.history.turns[1].wish == .stop)
    #expect(told.why(2).contains("The live model took this as a request to stop."))
  }

  @Test func aRejectionIsToldWithItsReason() {
    var told = Told()
    told.command(.say(text: "run the tests"))
    told.command(.reject(reason: "not now"))
    #expect(told.history.turns[0].decision == .rejected(reason: "not now"))
    #expect(told.why(1).contains("Your reason: “not now”."), "\(told.why(1))")
    #expect(!told.why(1).contains { $0.contains("left for the agent") })
  }

  @Test func whatWasChangedBeforeItLeftIsToldAsItLeft() {
    var told = Told()
    told.command(.say(text: "run the tests"))
    told.command(.amend(text: "run all tests"))
    told.command(.approve)
    #expect(told.history.turns[0].proposed == "run the tests")
    #expect(told.history.turns[0].instruction == "run all tests")
    #expect(told.why(1).contains("You had changed it to “run all tests”."), "\(told.why(1))")
  }

  @Test func whatWaitedForAnotherRunSaysForWhich() {
    var told = running()
    told.command(.say(text: "show me the diff"))
    told.command(.approve)
    #expect(told.history.turns[1][.dispatched] == nil)
    told.report(.turnEnded(end: .completed))
    #expect(
      told.why(2).contains { $0.hasSuffix("it left for the agent. It had waited for the run of turn 1 to end.") },
      "\(told.why(2))")
    #expect(told.why(1).contains { $0.hasSuffix("it left for the agent.") })
  }

  @Test func aToolIsToldWithItsTimeAndHowItEnded() {
    var told = running()
    told.report(.toolStarted(tool: AgentTool(id: "1", title: "Read a file", kind: "read")))
    told.report(.toolFinished(id: "1", outcome: .completed))
    told.report(.toolStarted(tool: AgentTool(id: "2", title: "Run a command", kind: "execute")))
    told.report(.toolFinished(id: "2", outcome: .failed))
    told.report(.toolStarted(tool: AgentTool(id: "3", title: "Fetch a page", kind: "fetch")))
    told.report(.turnEnded(end: .completed))
    let why = told.why(1)
    #expect(why.contains("The agent used a tool for 1 s: Read a file [read]."), "\(why)")
    #expect(why.contains("The agent used a tool for 1 s: Run a command [execute]; it failed."))
    // A tool that never came to its end is over with the run.
    #expect(why.contains("The agent used a tool for 1 s: Fetch a page [fetch]; how it ended is not known."))
  }

  @Test(arguments: [(UserCommand.approve, true), (.reject(reason: nil), false)])
  func aRequestIsToldWithItsAnswer(_ command: UserCommand, _ isGranted: Bool) {
    var told = running()
    told.report(.permissionRequested(request: asked))
    #expect(told.history.turns[0].requests.map(\.isGranted) == [nil])
    told.command(command)
    #expect(told.history.turns[0].requests.map(\.isGranted) == [isGranted])
    #expect(told.why(1).contains("The agent asked: “Write NOTES.md”."))
    let choice: PermissionRequest.Choice = isGranted ? .allowOnce : .rejectOnce
    #expect(told.why(1).contains { $0.hasSuffix("later, this was \(choice.words).") }, "\(told.why(1))")
  }

  @Test func aQuestionIsToldWithTheWordsOfItsAnswer() {
    var told = running()
    told.report(.questionAsked(question: question))
    told.command(.choose(numbers: [2]))
    #expect(told.why(1).contains { $0.hasSuffix("later, you answered: “next”.") }, "\(told.why(1))")
    told.report(.questionAsked(question: question))
    told.command(.reject(reason: nil))
    #expect(told.why(1).contains { $0.hasSuffix("later, you declined to answer.") }, "\(told.why(1))")
    #expect(told.history.turns[0].requests.map(\.isGranted) == [true, false])
  }

  @Test(arguments: [
    (AgentTurnEnd.completed, "The agent was done after 1 s."),
    (.cancelled, "The agent stopped after 1 s, as it was told."),
    (.stopped(reason: "It refused."), "The agent stopped by itself after 1 s. It refused."),
    (.failed(reason: "No credit."), "The agent failed after 1 s. No credit."),
    (
      .unconfirmed(reason: "It died."),
      "Its end was not confirmed after 1 s; what it did is not known. It died."
    ),
  ])
  func theEndOfARunIsToldInItsOwnWords(_ end: AgentTurnEnd, _ words: String) {
    var told = running()
    told.report(.turnEnded(end: end))
    #expect(told.why(1).contains(words), "\(told.why(1))")
  }

  @Test(arguments: [
    (AgentUsage(), nil), (AgentUsage(inputTokens: 1), "1 token in"),
    (AgentUsage(inputTokens: 1_200, outputTokens: 30), "1200 tokens in, 30 tokens out"),
    (AgentUsage(costInDollars: 0.0305), "$0.0305"), (AgentUsage(costInDollars: 12.5), "$12.5000"),
    (AgentUsage(costInDollars: 0.00004), "$0.0000"),
  ])
  func whatARunUsedIsToldAsFarAsItIsKnown(_ usage: AgentUsage, _ words: String?) {
    #expect(usage.text == words)
    var told = running()
    told.report(.usage(usage: usage))
    told.report(.turnEnded(end: .completed))
    #expect(told.why(1).contains { $0.hasPrefix("It used ") } == (words != nil))
  }

  @Test func theSummaryNamesWhatTookLongest() throws {
    var told = Told(InteractionSettings { $0.mode = .direct })
    told.voice(600)
    told.proposed("run the tests")
    told.report(.text(delta: "They pass.\n"), of: 1)
    told.report(.turnEnded(end: .completed))
    let explanation = Explanation(told.history.turns[0], in: told.history)
    #expect(explanation.summary?.hasSuffix("most of it the agent's first words (1.1 s).") == true, "\(explanation)")
    // Without a spoken answer nobody waited for one.
    #expect(Explanation(running().history.turns[0], in: told.history).summary == nil)
  }

  @Test func aSessionWithoutATurnSaysWhatWasThere() {
    var silent = Told()
    silent.give(.microphoneFrame(frame: .init(position: 0, samples: [Int16](repeating: 0, count: PCM.frameSamples))))
    #expect(
      explanationOfSilence(silent.history) == [
        "Nothing that you said became a turn.", "The microphone gave 20 ms of sound.", "No voice was detected in it.",
      ])
    silent.voice(300)
    #expect(explanationOfSilence(silent.history).last == "A voice was detected 1 time, but no words came of it.")
  }

  @Test func aSessionThatWasNeverConnectedSaysSo() {
    #expect(
      explanationOfSilence(SessionHistory()) == [
        "Nothing that you said became a turn.", "The microphone gave no sound at all.", "No voice was detected in it.",
        "The live model was never ready.",
      ])
  }
}

// MARK: Times

@Test(
  arguments: [
    (0, "00:00.000"), (3_480, "00:03.480"), (59_999, "00:59.999"), (60_000, "01:00.000"), (3_723_045, "62:03.045"),
    (6_000_000, "100:00.000"),
  ] as [(Int64, String)])
func aMomentIsMinutesSecondsAndMilliseconds(_ milliseconds: Int64, _ text: String) {
  #expect(SessionTime.milliseconds(milliseconds).clock == text)
}

@Test(
  arguments: [
    (0, "0 ms"), (499, "0 ms"), (500, "1 ms"), (999_499, "999 ms"), (999_500, "1 s"), (2_700_000, "2.7 s"),
    (-2_700_000, "2.7 s"), (59_940_000, "59.9 s"), (60_000_000, "1 min 0 s"), (65_000_000, "1 min 5 s"),
    (3_599_000_000, "59 min 59 s"), (3_600_000_000, "1 h 0 min"), (7_800_000_000, "2 h 10 min"),
  ] as [(Int64, String)])
func aDurationIsInTheUnitThatPeopleWouldUse(_ microseconds: Int64, _ text: String) {
  #expect(durationText(microseconds: microseconds) == text)
}

@Test(
  arguments: [
    (0, "0 B"), (812, "812 B"), (999, "999 B"), (1_000, "1 kB"), (3_440_000, "3.4 MB"), (5_000_000_000, "5 GB"),
    (7_000_000_000_000, "7 TB"), (7_000_000_000_000_000, "7000 TB"),
  ] as [(Int64, String)])
func aSizeIsInTheUnitThatPeopleWouldUse(_ bytes: Int64, _ text: String) { #expect(sizeText(bytes: bytes) == text) }
