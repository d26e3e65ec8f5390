import Testing
import VoiceLanguage
import VoiceVocabulary

@testable import VoiceCore

private func at(_ seconds: Double) -> SessionTime { SessionTime(microseconds: Int64(seconds * 1_000_000)) }

/// What the smaller regions hold to by themselves, without a controller.
struct RegionTests {
  private func instruction(_ text: String, heard: String? = nil) -> Instruction {
    Instruction(id: InstructionID(rawValue: 1), text: text, heard: heard, source: .voice)
  }

  // MARK: An instruction in pieces

  @Test func piecesAreOneInstructionUntilItIsTaken() {
    var draft = DraftRegion()
    #expect(draft.take() == nil)
    draft.begin(instruction("open the log", heard: "open the log"), at: .zero)
    #expect(draft.add("and read it", heard: "and read it", at: .zero) == true)
    draft.endWithNextPiece()
    #expect(draft.endsWithNextPiece)
    let whole = draft.take()
    #expect(whole?.text == "open the log and read it")
    #expect(whole?.heard == "open the log and read it")
    #expect(draft.instruction == nil)
    #expect(!draft.endsWithNextPiece)
  }

  @Test func aPieceThatRepeatsWhatWasSaidReplacesIt() {
    var draft = DraftRegion()
    draft.begin(instruction("open the log", heard: "open the log"), at: .zero)
    #expect(draft.add("open the log and read it", heard: "", at: .zero) == true)
    #expect(draft.instruction?.text == "open the log and read it")
    // What was heard of some of it may be what takes a key.
    #expect(draft.instruction?.heard == "open the log open the log and read it")
  }

  @Test func whatIsTooLongOrInTooManyPiecesIsNotAdded() {
    var draft = DraftRegion()
    draft.begin(instruction(String(repeating: "a", count: Limits.instructionCharacters - 2)), at: .zero)
    #expect(draft.add("bb", heard: "", at: .zero) == false)
    #expect(draft.add("b", heard: "", at: .zero) == true)
    var short = DraftRegion()
    short.begin(instruction("a"), at: .zero)
    for _ in 1..<Limits.draftPieces { #expect(short.add("b", heard: "", at: .zero) == true) }
    #expect(short.add("b", heard: "", at: .zero) == false)
  }

  // MARK: The listener's own voice

  @Test func aTurnOfTheListenerPlaysUntilItHadItsTime() {
    var voice = ModelVoice()
    let id = SpeechID(rawValue: 7)
    #expect(voice.spoke(sampleCount: 1) == .ignored)
    voice.began(as: id, in: ModelTurnID(rawValue: 3))
    #expect(voice.takeProgress() == false)
    #expect(voice.spoke(sampleCount: Limits.modelVoiceSamples) == .plays(id))
    #expect(voice.takeProgress() == true)
    #expect(voice.takeProgress() == false)
    #expect(voice.spoke(sampleCount: 1) == .exceedsLimit)
    #expect(voice.ended() == id)
    #expect(voice.isSilent)
    #expect(voice.takeTurn(of: id) == ModelTurnID(rawValue: 3))
    #expect(voice.takeTurn(of: id) == nil, "the same turn is truncated once")
  }

  @Test func theRestOfATurnThatWasCutIsIgnoredToItsEnd() {
    var voice = ModelVoice()
    #expect(voice.cut() == nil)
    voice.began(as: SpeechID(rawValue: 1))
    #expect(voice.cut() == SpeechID(rawValue: 1))
    #expect(voice.spoke(sampleCount: 480) == .ignored)
    #expect(voice.cut() == nil)
    #expect(voice.ended() == nil)
    voice.began(as: nil)
    #expect(voice.spoke(sampleCount: 480) == .ignored)
    #expect(!voice.isSilent)
  }

  @Test func aConnectionThatIsOverTakesItsTurnsWithIt() {
    var voice = ModelVoice()
    voice.began(as: SpeechID(rawValue: 1), in: ModelTurnID(rawValue: 1))
    voice.forgetTurn()
    #expect(voice.takeTurn(of: SpeechID(rawValue: 1)) == nil)
  }

  // MARK: The local speech engine

  @Test func aPartIsNewsOnceForLoadingAndOnceForBeingThere() {
    var engine = EngineRegion()
    #expect(!engine.isPresent)
    #expect(engine.reported(.loading(part: .voice)) == true)
    #expect(engine.reported(.loading(part: .voice)) == false)
    #expect(engine.isPresent)
    #expect(engine.reported(.ready(part: .voice)) == true)
    #expect(engine.reported(.ready(part: .voice)) == false)
    #expect(engine.reported(.loading(part: .recogniser)) == true)
    #expect(engine.reported(.unavailable(part: .recogniser, reason: "gone")) == true)
    #expect(engine.loading.isEmpty)
  }

  @Test func whatTheEngineWorksOnIsOverWhenItFails() {
    var engine = EngineRegion()
    _ = engine.reported(.working(part: .recogniser))
    _ = engine.reported(.working(part: .voice))
    #expect(engine.isUnderstanding && engine.isSpeaking)
    _ = engine.reported(.idle(part: .voice))
    #expect(engine.isUnderstanding && !engine.isSpeaking)
    _ = engine.reported(.restarting(reason: "it fell silent"))
    #expect(engine.isUnderstanding, "what was asked is asked again")
    _ = engine.reported(.failed(reason: "it is gone"))
    #expect(!engine.isUnderstanding)
  }

  // MARK: What was used

  @Test func eachTellsItsOwnSumAndTheNewestCounts() {
    var usage = UsageRegion()
    #expect(usage.sum == nil)
    let first = ConnectionID(rawValue: 1)
    usage.listenerUsed(.init(input: 10, output: 1), on: first)
    usage.listenerUsed(.init(input: 30, output: 3), on: first)
    usage.listenerUsed(.init(input: 5, output: 5), on: ConnectionID(rawValue: 2))
    usage.readoutUsed(.init(input: 2, output: 200))
    usage.agentUsed(AgentUsage(inputTokens: 100, costInDollars: 0.25), in: RunID(rawValue: 1))
    usage.agentUsed(AgentUsage(costInDollars: 0.5), in: RunID(rawValue: 2))
    #expect(usage.sum?.listener == .init(input: 35, output: 8))
    #expect(usage.sum?.readout == .init(input: 2, output: 200))
    #expect(usage.sum?.agent == .init(input: 100, output: 0))
    #expect(usage.sum?.agentCostInDollars == 0.75)
  }

  @Test func noSumOverflows() {
    var usage = UsageRegion()
    for number in 1...2 { usage.listenerUsed(.init(input: .max, output: 1), on: ConnectionID(rawValue: number)) }
    #expect(usage.sum?.listener == .init(input: .greatestCount, output: 2))
  }

  // MARK: Sound devices that are away

  @Test func anOutageOfBothDevicesIsOne() {
    var outage = DeviceOutage()
    #expect(!outage.explainsGap(at: .zero))
    #expect(outage.returned(.speaker, at: at(1)) == nil)
    outage.began(.microphone, "Headset", at: at(1))
    outage.began(.speaker, "default", at: at(1.1))
    #expect(outage.next == at(1).advanced(byMilliseconds: Limits.toldOutageMilliseconds))
    let told = outage.advance(at: at(1.25))
    #expect(told?.stage == .told)
    #expect(told?.summary.names == "microphone “Headset” and the speaker “default”")
    #expect(outage.advance(at: at(3))?.summary.devices.map(\.kind) == [.microphone])
    #expect(outage.returned(.speaker, at: at(3.5)) == nil)
    let end = outage.returned(.microphone, at: at(4))
    #expect(end?.stage == .long)
    #expect(end?.summary.names == "microphone “Headset” and the speaker “default”")
    #expect(end?.summary.milliseconds == 3_000)
    #expect(outage.advance(at: at(5)) == nil && outage.next == nil)
  }

  @Test func aGapIsExplainedForAWhileAfterTheDeviceIsBack() {
    var outage = DeviceOutage()
    outage.began(.microphone, "Headset", at: at(1))
    #expect(outage.explainsGap(at: at(100)))
    _ = outage.returned(.microphone, at: at(2))
    let last = at(2).advanced(byMilliseconds: Limits.longOutageMilliseconds)
    #expect(outage.explainsGap(at: last))
    #expect(!outage.explainsGap(at: last.advanced(byMilliseconds: 1)))
  }

  @Test func anOutageHasNoStageBehindTheLast() {
    var outage = DeviceOutage()
    outage.began(.speaker, "default", at: .zero)
    let stages = (0..<5).map { _ in outage.advance(at: at(60))?.stage }
    #expect(stages == [.told, .long, .tooLong, nil, nil])
  }

  // MARK: Names and lessons

  @Test func onlyWhatWasSpokenTeaches() {
    var words = WordsRegion()
    var typed = instruction("restart the sillarow service")
    typed.source = .keyboard
    #expect(words.edited(typed, to: "restart the silero service") == [])
    let spoken = instruction("restart the sillarow service")
    #expect(words.edited(spoken, to: "restart the silero service").map(\.meant) == ["silero"])
    var next = instruction("stop sillarow")
    words.repair(&next, meaning: MeantText(said: next.text))
    #expect(next.text == "stop silero")
    #expect(next.repair?.raw == "stop sillarow")
  }

  @Test(arguments: [(Limits.rememberedInstructions - 1, true), (Limits.rememberedInstructions, false)])
  func whatWasRightInAnInstructionIsRememberedForAsLong(_ later: Int, _ isRemembered: Bool) {
    var words = WordsRegion()
    _ = words.approved(instruction("greet sure pah"))
    for number in 0..<later { _ = words.approved(instruction("run test \(number)")) }
    let lessons = words.edited(instruction("open sure pah"), to: "open sherpa")
    #expect(lessons.contains(where: \.leavesAlone) == isRemembered)
  }

  @Test(arguments: [(Limits.heldItems - 1, ["open sherpa"]), (Limits.heldItems, [])])
  func whatElseWasHeardIsRememberedForAsManyAsCanBeHeld(_ later: Int, _ alternatives: [String]) {
    var words = WordsRegion()
    let hearing = Hearing(alternatives: ["open sherpa"])
    for number in 1...later + 1 { words.remember("open sure pah", hearing, as: InstructionID(rawValue: number)) }
    #expect(words.alternatives(to: instruction("open sure pah")) == alternatives)
  }

  @Test func whatWasTaughtOutlivesTheNamesThatComeLater() {
    var words = WordsRegion()
    _ = words.edited(instruction("restart the sillarow service"), to: "restart the silero service")
    words.learn(ProjectWords(names: ["EventInbox"]))
    var next = instruction("stop sillarow in event inbox")
    words.repair(&next, meaning: MeantText(said: next.text))
    #expect(next.text == "stop silero in EventInbox")
  }

  // MARK: Connecting again

  @Test func eachWaitIsTwiceTheOneBeforeUpToTheLongest() {
    var backoff = ReconnectBackoff()
    backoff.becameReady(at: .zero)
    let waits = (1...20).map { _ in backoff.failed(wasSlow: false, hasSomethingToLose: true) }
    #expect(waits.prefix(2) == [Limits.firstRetryMilliseconds, 2 * Limits.firstRetryMilliseconds])
    #expect(waits.last == .some(Limits.longestRetryMilliseconds))
    #expect(zip(waits, waits.dropFirst()).allSatisfy { ($0 ?? 0) <= ($1 ?? 0) })
    backoff.servedUser()
    #expect(backoff.failed(wasSlow: false, wasRotated: true, hasSomethingToLose: true) == 0)
  }

  @Test func aServerThatWasNeverReachedIsTriedTwice() {
    var backoff = ReconnectBackoff()
    #expect(backoff.failed(wasSlow: false, hasSomethingToLose: false) != nil)
    #expect(backoff.failed(wasSlow: false, hasSomethingToLose: false) == nil)
    var slow = ReconnectBackoff()
    let tried = (1...Limits.connectionAttempts)
      .map { _ in slow.failed(wasSlow: true, hasSomethingToLose: false) != nil }
    #expect(tried.filter { $0 }.count == Limits.connectionAttempts - 1)
  }

  @Test func onlyAConnectionThatLastedStartsTheWaitsAnew() {
    var backoff = ReconnectBackoff()
    _ = backoff.failed(wasSlow: false, hasSomethingToLose: true)
    backoff.becameReady(at: at(1))
    let short = at(1).advanced(byMilliseconds: Limits.provedConnectionMilliseconds - 1)
    backoff.left(at: short)
    #expect(backoff.failed(wasSlow: false, hasSomethingToLose: true) == 2 * Limits.firstRetryMilliseconds)
    backoff.left(at: short.advanced(byMilliseconds: 1))
    #expect(backoff.failed(wasSlow: false, hasSomethingToLose: true) == Limits.firstRetryMilliseconds)
  }

  @Test func theUserIsToldOnceOfAModelThatDoesNotReact() {
    var backoff = ReconnectBackoff()
    backoff.renewing()
    #expect(backoff.renewal == .tried)
    #expect(backoff.renewedInVain() == true)
    #expect(backoff.renewedInVain() == false)
    backoff.gaveSign(at: at(9))
    #expect(backoff.renewal == .none)
    #expect(backoff.lastSign == at(9))
  }

  // MARK: Leaving

  @Test func toQuitTwiceSoonIsAConfirmation() {
    var quitting = QuitConfirmation()
    #expect(!quitting.isConfirmed(at: at(1)))
    quitting.asked(at: at(1))
    let last = at(1).advanced(byMilliseconds: Limits.quitConfirmationMilliseconds)
    #expect(quitting.isConfirmed(at: last))
    #expect(!quitting.isConfirmed(at: last.advanced(byMilliseconds: 1)))
    quitting.commandGiven()
    #expect(!quitting.isConfirmed(at: at(1)))
  }

  // MARK: Remarks to the agent

  @Test func whatTheAgentIsToldWithAnInstructionIsToldOnce() {
    var remarks = RemarksRegion()
    #expect(remarks.takeAll() == [])
    remarks.replyCut(after: "")
    remarks.denied("make", because: "not now")
    #expect(
      remarks.takeAll() == [
        "The user interrupted your last answer before any of it was heard.",
        "The user did not allow “make”, for this reason: “not now”.",
      ])
    #expect(remarks == RemarksRegion())
    remarks.replyCut(after: (1...20).map(String.init).joined(separator: " "))
    #expect(remarks.takeAll().first?.hasSuffix("ended with: “9 10 11 12 13 14 15 16 17 18 19 20”.") == true)
    for number in 0...Limits.untoldReasons { remarks.denied("\(number)", because: "no") }
    #expect(remarks.reasons.count == Limits.untoldReasons)
    #expect(remarks.reasons.first?.contains("“1”") == true)
  }

  // MARK: Calls

  @Test func aCallIsNewOncePerConnection() {
    var proposals = TakenProposals()
    let call = CallID(connection: ConnectionID(rawValue: 1), id: "a", tool: "converse")
    #expect(proposals.called(call) == true)
    #expect(proposals.called(call) == false)
    proposals.connectionOpened()
    #expect(proposals.called(call) == true)
    let nameless = CallID(connection: ConnectionID(rawValue: 1), id: "", tool: "converse")
    for _ in 1...2 { #expect(proposals.called(nameless) == true) }
  }

  // MARK: Frames before an utterance

  @Test func theLatestFramesGoWithTheUtteranceThatBegins() {
    var floor = FloorRegion()
    let frames = (0...Limits.prerollFrames).map { MicrophoneFrame(position: $0 * PCM.frameSamples, samples: []) }
    for frame in frames { floor.keepPreroll(frame) }
    #expect(floor.takePreroll() == Array(frames.dropFirst()))
    #expect(floor.takePreroll() == [])
    floor.keepPreroll(frames[0])
    floor.microphoneClosed()
    #expect(floor.takePreroll() == [])
  }

  // MARK: The microphone

  @Test func aMicrophoneThatHasNotStartedIsAStateOfItsOwn() {
    func digest(_ input: InputRegion) -> StateDigest {
      var digest = StateDigest()
      input.fold(into: &digest)
      return digest
    }
    var input = InputRegion(takesCommands: true)
    let before = digest(input)
    #expect(input.start() == true)
    #expect(input.start() == false)
    #expect(digest(input) != before)
  }

  // MARK: The agent

  @Test func whatTheAgentIsCountsOnceItIsReady() {
    var controls = ControlsRegion()
    #expect(controls.agent == nil)
    controls.ready(AgentDescription(name: "Agent"))
    #expect(controls.agent?.name == "Agent")
  }
}
