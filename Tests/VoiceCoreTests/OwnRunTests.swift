import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// What the agent begins by itself: a run like any other, which nobody asked for, and which ends no other.
struct OwnRunTests {
  private static let own = RunID(rawValue: -1)

  private func begun(_ talk: inout Talk) -> [VoiceAction] {
    talk.give(.agentStartedRun(run: Self.own, text: "the build ended"))
  }

  private func report(_ event: AgentEvent, of run: RunID = own, _ talk: inout Talk) -> [VoiceAction] {
    talk.give(.agentReported(run: run, event: event))
  }

  private func leaves(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .enterInLedger(_, let instruction) = $0 { instruction.text } else { nil } }
  }

  private func spoken(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .speak(_, let text, _) = $0 { text } else { nil } }
  }

  @Test func itIsShownSpokenAndInTheLedgerToItsEnd() throws {
    var talk = Talk(.init { $0.mode = .direct })
    let actions = begun(&talk)
    #expect(actions.contains(.show(notice: .agentBegan(run: Self.own, text: "the build ended"))))
    let entered = actions.contains {
      if case .noteInLedger(.entered(let instruction, Self.own)) = $0 { instruction.source == .agent } else { false }
    }
    #expect(entered && talk.controller.status.isWorking)
    #expect(spoken(report(.text(delta: "It is green. "), &talk)) == ["It is green."])
    let ended = report(.turnEnded(end: .completed), &talk)
    #expect(ended.contains(.noteInLedger(entry: .ended(run: Self.own, end: .completed))))
    #expect(ended.contains(.show(notice: .runEnded(run: Self.own, end: .completed))))
    #expect(!talk.controller.status.isWorking && talk.rules.violations.isEmpty)
  }

  /// A short sound says from time to time that it goes on.
  @Test func whileItIsSilentASoundSaysThatItWorks() {
    var talk = Talk(.init { $0.mode = .direct })
    let tick = VoiceAction.startTimer(timer: .working(run: Self.own), milliseconds: Limits.workingMilliseconds)
    #expect(begun(&talk).contains(tick))
    let actions = talk.give(.timerFired(timer: .working(run: Self.own)), after: Limits.workingMilliseconds)
    #expect(actions == [.playEarcon(earcon: .working), tick])
  }

  @Test func whatItAsksIsHeldAndAnsweredToIt() throws {
    var talk = Talk(.init { $0.mode = .direct })
    _ = begun(&talk)
    var request = ActTable.run("make")
    request.id = PermissionID(rawValue: "p")
    _ = report(.permissionRequested(request: request), &talk)
    #expect(talk.controller.held.count == 1)
    let answered = try talk.command("approve")
    #expect(answered.contains(.answerPermission(run: Self.own, permission: request.id, choice: .allowOnce)))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func itIsHalted() throws {
    var talk = Talk(.init { $0.mode = .direct })
    _ = begun(&talk)
    #expect(try talk.command("halt").contains(.cancelRun(run: Self.own)))
    #expect(try talk.command("halt").contains(.abandonRun(run: Self.own)))
    #expect(spoken(report(.turnEnded(end: .cancelled), &talk)) == ["Stopped."])
    #expect(try talk.command("halt").contains(.show(notice: .cannot(text: "Nothing is running."))))
  }

  @Test func whatIsSaidMeanwhileFollowsIt() throws {
    var talk = Talk(.init { $0.mode = .direct })
    _ = begun(&talk)
    #expect(leaves(try talk.command("say first")) == [])
    #expect(leaves(try talk.command("say second")) == [])
    #expect(talk.controller.status.queued == 2)
    #expect(leaves(report(.turnEnded(end: .completed), &talk)) == ["first"])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func itEndsNoRunOfTheUser() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    _ = begun(&talk)
    _ = report(.text(delta: "Mine. "), &talk)
    _ = report(.turnEnded(end: .failed(reason: "no")), &talk)
    #expect(talk.controller.run.running?.id == talk.run && talk.controller.held.isEmpty)
    let ended = report(.turnEnded(end: .completed), of: talk.run, &talk)
    #expect(ended.contains(.noteInLedger(entry: .ended(run: talk.run, end: .completed))))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func itsEndBesideARunMovesNothingInTheQueue() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    _ = begun(&talk)
    for text in ["first", "second", "third"] { #expect(leaves(try talk.command("say " + text)) == []) }
    #expect(leaves(report(.turnEnded(end: .completed), &talk)) == [])
    #expect(leaves(report(.turnEnded(end: .completed), of: talk.run, &talk)) == ["first"])
    #expect(talk.controller.run.queue.map(\.text) == ["second", "third"])
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func nothingIsLeftWaitingBehindWhatIsHeldBesideUnseenWork() throws {
    var talk = Talk(.init { $0.mode = .direct })
    _ = begun(&talk)
    for text in ["first", "second"] { #expect(leaves(try talk.command("say " + text)) == []) }
    _ = report(.turnEnded(end: .unconfirmed(reason: "It broke.", mayGoOn: true)), &talk)
    #expect(talk.heldTexts == ["first", "second"] && talk.controller.status.queued == 0)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func nothingIsLeftWaitingWhereWhatWasHaltedDidNotLeave() throws {
    var talk = Talk(.init { $0.mode = .direct })
    let entered = try talk.command("say first")
    let id = try #require(entered.compactMap { if case .enterInLedger(_, let it) = $0 { it.id } else { nil } }.first)
    _ = begun(&talk)
    try talk.command("halt")
    _ = report(.turnEnded(end: .unconfirmed(reason: "It broke.", mayGoOn: true)), &talk)
    for text in ["second", "third"] { #expect(leaves(try talk.command("say " + text)) == []) }
    #expect(talk.controller.run.queue.map(\.text) == ["second", "third"])
    talk.give(.ledgerEntered(instruction: id))
    #expect(talk.heldTexts == ["second", "third"] && talk.controller.status.queued == 0)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aHaltStopsBoth() throws {
    var talk = Talk(.init { $0.mode = .direct })
    try talk.work()
    _ = begun(&talk)
    let halted = try talk.command("halt")
    #expect(halted.contains(.cancelRun(run: talk.run)) && halted.contains(.cancelRun(run: Self.own)))
    _ = report(.turnEnded(end: .cancelled), &talk)
    #expect(talk.controller.status.activity == .stopping)
    _ = report(.turnEnded(end: .cancelled), of: talk.run, &talk)
    #expect(!talk.controller.status.isWorking)
  }

  @Test func nothingIsBegunBesideOneThatWasNotSeenToEnd() throws {
    var talk = Talk(.init { $0.mode = .direct })
    _ = begun(&talk)
    _ = report(.turnEnded(end: .unconfirmed(reason: "It broke.", mayGoOn: true)), &talk)
    #expect(leaves(try talk.command("say next")) == [])
    #expect(talk.controller.status.mayWorkUnseen && talk.rules.violations.isEmpty)
  }

  @Test func whatItWillComeBackToIsShownAndKeepsASessionWithoutAUser() throws {
    var talk = Talk(.init { $0.mode = .direct })
    let actions = talk.give(.agentOwes(work: ["make"]))
    #expect(actions.contains(.show(notice: .agentStatus(text: "In the background: make"))))
    #expect(talk.controller.status.owesWork)
    // Once is enough.
    #expect(!talk.give(.agentOwes(work: ["make"])).contains { if case .show = $0 { true } else { false } })
    let asked = talk.give(.commandGiven(command: .leave))
    let warned = asked.contains {
      if case .show(.quitAsked(let text)) = $0 { text.contains("background") } else { false }
    }
    #expect(warned)
    _ = talk.give(.agentOwes(work: []))
    #expect(!talk.controller.status.owesWork)
  }

  private func waits(_ talk: Talk) -> Bool { talk.controller.armedTimers.contains(.background) }

  @Test func whoIsThereWaitsForTheBackgroundAsLongAsHeLikes() throws {
    var talk = Talk(.init { $0.mode = .direct })
    _ = talk.give(.agentOwes(work: ["make"]))
    #expect(!waits(talk))
    // Also one who cannot speak, but type.
    var typed = Talk(
      .init {
        $0.mode = .direct
        $0.hasMicrophone = false
      })
    _ = typed.give(.agentOwes(work: ["make"]))
    #expect(!waits(typed))
  }

  @Test func whoIsGoneWaitsForTheBackgroundNoLongerThanIsSet() throws {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.backgroundMilliseconds = 7_000
      })
    _ = talk.give(.agentOwes(work: ["make", "tail -f log"]))
    let gone = talk.give(.microphoneEnded)
    #expect(gone.contains(.startTimer(timer: .background, milliseconds: 7_000)))
    // Work that goes on is not cut off.
    #expect(begun(&talk).contains(.cancelTimer(timer: .background)))
    #expect(report(.turnEnded(end: .completed), &talk).contains(.startTimer(timer: .background, milliseconds: 7_000)))
    #expect(talk.give(.agentOwes(work: ["tail -f log"])).contains(.startTimer(timer: .background, milliseconds: 7_000)))
    let late = talk.give(.timerFired(timer: .background))
    guard case .end(.failed(let reason))? = late.last else { return #expect(Bool(false), "\(late)") }
    #expect(reason.contains("still has “tail -f log” running") && !reason.contains("make") && reason.contains("7 s"))
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func aSessionThatRefusesWhatNobodyDecidesWaitsNoLongerEither() throws {
    var talk = Talk(
      .init {
        $0.mode = .direct
        $0.hasMicrophone = false
        $0.unattended = .refuses
      })
    let actions = talk.give(.agentOwes(work: ["make"]))
    #expect(actions.contains(.startTimer(timer: .background, milliseconds: Limits.backgroundMilliseconds)))
    #expect(talk.give(.agentOwes(work: [])).contains(.cancelTimer(timer: .background)))
    #expect(talk.controller.outcome == nil)
  }
}
