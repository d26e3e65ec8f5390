import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

struct SoundDeviceEventTests {
  private func lose(_ kind: SoundDeviceKind) -> VoiceEvent { .soundDeviceSilent(kind: kind, name: "Headset") }
  private func find(_ kind: SoundDeviceKind) -> VoiceEvent { .soundDeviceReturned(kind: kind, name: "Headset") }
  private let timer = VoiceEvent.timerFired(timer: .soundDevices)

  private func told(_ actions: [VoiceAction]) -> [String] {
    actions.compactMap { if case .show(.warning(let text)) = $0 { text } else { nil } }
  }

  /// A device that is back soon is one line and one earcon, and changes nothing of what is held, said or worked on.
  ///
  /// - Parameter isTold: whether it lasts long enough for the user to be told that it is away.
  @Test(
    arguments: [[SoundDeviceKind.microphone], [.speaker], [.microphone, .speaker], [.speaker, .microphone]],
    [true, false])
  func whatIsBackSoonIsOneLineAndOneEarcon(_ kinds: [SoundDeviceKind], _ isTold: Bool) {
    var talk = Talk()
    talk.say("run the tests")
    let held = talk.controller.held
    var actions: [VoiceAction] = []
    for kind in kinds { actions += talk.give(lose(kind)) }
    #expect(actions == [.startTimer(timer: .soundDevices, milliseconds: Limits.toldOutageMilliseconds)])
    #expect(talk.controller.status.isListening == !kinds.contains(.microphone))
    actions = isTold ? talk.give(timer, after: 250) : []
    for kind in kinds.reversed() { actions += talk.give(find(kind), after: 700) }
    let names = kinds.map { "\($0.rawValue) “Headset”" }.joined(separator: " and the ")
    let line =
      switch (isTold, kinds.count) {
      case (true, 1): "The \(names) gives no sound; it is being opened again."
      case (true, _): "The \(names) give no sound; they are being opened again."
      case (false, 1): "The \(names) was away for 0.7 s and works again."
      case (false, _): "The \(names) were away for 1.4 s and work again."
      }
    #expect(told(actions) == [line])
    #expect(
      actions.filter { if case .playEarcon = $0 { true } else { false } } == [.playEarcon(earcon: .soundReturned)])
    #expect(talk.controller.held == held && talk.controller.status.isListening)
    #expect(!talk.controller.armedTimers.contains(.soundDevices))
    #expect(talk.give(find(.speaker)).isEmpty && talk.give(find(.microphone)).isEmpty)
  }

  /// The speaker goes long after the microphone did: that is told, too, and not waited for without an end.
  @Test func aSecondDeviceThatGoesLaterIsToldAndGivenUpLikeTheFirst() {
    var talk = Talk()
    talk.give(lose(.microphone))
    for wait in [250, 1_750, 18_000] { talk.give(timer, after: wait) }
    #expect(talk.controller.input.microphone == .lost)
    #expect(
      talk.give(lose(.speaker), after: 60_000)
        == [.startTimer(timer: .soundDevices, milliseconds: Limits.toldOutageMilliseconds)])
    #expect(
      told(talk.give(timer, after: 250)) == ["The speaker “Headset” gives no sound; it is being opened again."])
    talk.give(timer, after: 1_750)
    talk.give(timer, after: 18_000)
    #expect(talk.controller.speech.speaker != .lost && talk.controller.outcome == nil)
  }

  /// A speaker that comes and goes meanwhile puts nothing off, and is told by itself.
  @Test func aDeviceThatComesAndGoesDoesNotPutOffTheEndOfTheOther() {
    var talk = Talk(.init { $0.takesCommands = false })
    talk.give(lose(.microphone))
    talk.give(timer, after: 250)
    talk.give(timer, after: 1_750)
    for _ in 0..<2 {
      talk.give(lose(.speaker), after: 7_000)
      talk.give(find(.speaker), after: 100)
    }
    #expect(talk.controller.armedTimers.contains(.soundDevices) && talk.controller.input.microphone == .lost)
    let lines = talk.give(timer, after: 4_000)
    #expect(lines.contains { if case .show(.error) = $0 { true } else { false } })
    #expect(talk.controller.input.microphone != .lost)
  }

  /// The devices go away and come back.
  /// - Parameter isLong: whether long enough for the user to be told meanwhile.
  private func dropOut(
    _ kinds: [SoundDeviceKind] = [.microphone], after milliseconds: Int = 2_000, isLong: Bool = true,
    in talk: inout Talk
  ) -> [VoiceAction] {
    var actions: [VoiceAction] = []
    for (index, kind) in kinds.enumerated() { actions += talk.give(lose(kind), after: index == 0 ? milliseconds : 0) }
    if isLong { actions += talk.give(timer, after: 250) }
    for (index, kind) in kinds.enumerated() { actions += talk.give(find(kind), after: index == 0 ? 100 : 0) }
    return actions
  }

  private func earcons(_ actions: [VoiceAction]) -> [Earcon] {
    actions.compactMap { if case .playEarcon(let earcon) = $0 { earcon } else { nil } }
  }

  private let known = "You are told no more of it until"

  @Test(arguments: [[SoundDeviceKind.microphone], [.speaker], [.microphone, .speaker]], [true, false])
  func whatKeepsDroppingOutIsToldThreeTimes(_ kinds: [SoundDeviceKind], _ isLong: Bool) {
    var talk = Talk()
    let actions = (1...9).flatMap { _ in dropOut(kinds, isLong: isLong, in: &talk) }
    let lines = told(actions)
    #expect(lines.count == 3)
    #expect(lines.filter { $0.contains(known) } == lines.suffix(1))
    #expect(lines.last?.hasPrefix("The \(kinds[0].rawValue) “Headset”") == true)
    #expect(lines.last?.contains(kinds.count == 1 ? "keeps dropping out" : "and the speaker “Headset” keep") == true)
    #expect(earcons(actions) == [.soundReturned, .soundReturned])
    #expect(talk.controller.status.isListening)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test(arguments: [(-1, 0), (0, 1)])
  func whatHasWorkedForAMinuteIsToldLikeTheFirst(_ more: Int, _ count: Int) {
    var talk = Talk()
    for _ in 1...4 { _ = dropOut(in: &talk) }
    let actions = dropOut(after: Limits.steadyDeviceMilliseconds + more, in: &talk)
    #expect(told(actions).count == count && earcons(actions).count == count)
    #expect(!told(actions).contains { $0.contains(known) })
  }

  @Test func whatDropsOutNowAndThenIsToldEachTime() {
    var talk = Talk()
    let actions = (1...5).flatMap { _ in dropOut(after: 31_000, in: &talk) }
    #expect(told(actions).count == 5 && earcons(actions).count == 5)
    #expect(!told(actions).contains { $0.contains(known) })
  }

  /// The other device is told as ever.
  @Test func whatOneDeviceDoesIsNotToldOfTheOther() {
    var talk = Talk()
    for _ in 1...4 { _ = dropOut(in: &talk) }
    let actions = dropOut([.microphone, .speaker], in: &talk)
    #expect(told(actions) == ["The speaker “Headset” gives no sound; it is being opened again."])
    #expect(earcons(actions) == [.soundReturned])
  }

  @Test func whatKeepsDroppingOutAndIsGoneInTheEndIsToldAgain() {
    var talk = Talk()
    for _ in 1...4 { _ = dropOut(in: &talk) }
    talk.give(lose(.microphone))
    #expect(told(talk.give(timer, after: 250)).isEmpty)
    #expect(earcons(talk.give(timer, after: 1_750)).isEmpty)
    #expect(told(talk.give(timer, after: 18_000)).first?.hasPrefix("The microphone “Headset” has been gone") == true)
    let back = talk.give(find(.microphone), after: 60_000)
    #expect(told(back).first?.contains("works again") == true && earcons(back) == [.soundReturned])
  }

  @Test func whatLastsIsToldAndToldAgainWhenItIsBack() {
    var talk = Talk()
    talk.give(lose(.microphone))
    #expect(talk.give(lose(.microphone)).isEmpty)
    #expect(told(talk.give(timer, after: 250)).count == 1)
    #expect(
      talk.give(timer, after: 1_750) == [
        .playEarcon(earcon: .error), .startTimer(timer: .soundDevices, milliseconds: 17_990),
      ])
    // Somebody is here to type: it is waited for as long as it takes.
    let actions = talk.give(timer, after: 18_000)
    #expect(told(actions).first?.hasPrefix("The microphone “Headset” has been gone for 20 s") == true)
    #expect(talk.controller.input.microphone == .lost && talk.controller.outcome == nil)
    #expect(told(talk.give(find(.microphone), after: 60_000)).count == 1)
    #expect(talk.controller.input.microphone == .present)
  }

  @Test func aSessionWithoutAUserEndsWithoutItsMicrophone() {
    var talk = Talk(InteractionSettings { $0.takesCommands = false })
    talk.give(lose(.microphone))
    talk.give(timer, after: 250)
    talk.give(timer, after: 1_750)
    let actions = talk.give(timer, after: 18_000)
    #expect(actions.contains { if case .show(.error) = $0 { true } else { false } })
    talk.give(.timerFired(timer: .endOfInput), after: 3_000)
    guard case .failed(let reason) = talk.controller.outcome else {
      Issue.record("\(String(describing: talk.controller.outcome))")
      return
    }
    #expect(reason.hasPrefix("The microphone “Headset” has been gone for 20 s"))
  }

  @Test func aSpeakerThatIsAwayForLongIsNotWaitedForAndSpeaksAgainOnceItIsBack() throws {
    var talk = Talk()
    try talk.work()
    talk.give(.agentReported(run: talk.run, event: .text(delta: "The build failed. One test is red. It is ")))
    #expect(talk.controller.speech.isActive)
    talk.give(lose(.speaker))
    #expect(talk.controller.speech.isActive, "it waits")
    talk.give(timer, after: 250)
    #expect(!talk.give(timer, after: 1_750).contains { if case .playEarcon = $0 { true } else { false } })
    talk.give(timer, after: 18_000)
    #expect(!talk.controller.speech.isActive && !talk.controller.speech.hasSpeaker)
    #expect(talk.give(find(.speaker)).contains(.playEarcon(earcon: .soundReturned)))
    #expect(talk.controller.speech.hasSpeaker)
    #expect(talk.rules.violations.isEmpty)
  }

  @Test func theGapThatADeviceLeftIsNotTold() {
    var talk = Talk()
    func frame(_ position: Int) -> VoiceEvent { .microphoneFrame(frame: .init(position: position, samples: [])) }
    talk.give(frame(0))
    talk.give(lose(.microphone))
    // The frame may come before the word that the device is back.
    #expect(told(talk.give(frame(16_000))).isEmpty)
    talk.give(find(.microphone))
    #expect(told(talk.give(frame(32_000))).isEmpty)
    #expect(told(talk.give(frame(48_000), after: 5_000)).count == 1)
  }

  @Test(arguments: [true, false]) func aMutedMicrophoneIsToldAndChangesNothing(_ isMuted: Bool) {
    var talk = Talk()
    let before = talk.controller
    #expect(told(talk.give(.muteChanged(name: "Headset", isMuted: isMuted))).first?.contains("“Headset”") == true)
    #expect(talk.controller.digest == before.digest)
  }

  @Test func aMicrophoneThatIsTooLoudIsToldAndChangesNothing() {
    var talk = Talk()
    let before = talk.controller
    #expect(told(talk.give(.microphoneClips(name: "Headset"))).first?.contains("“Headset” is too loud") == true)
    #expect(talk.controller.digest == before.digest)
  }

  /// The sound server's own doing.
  @Test(arguments: [SoundDeviceKind.microphone, .speaker])
  func aDeviceThatIsExchangedIsToldByName(_ kind: SoundDeviceKind) {
    var talk = Talk()
    let before = talk.controller
    let event = VoiceEvent.soundDeviceReplaced(kind: kind, name: "Headset", formerName: "Built-in")
    #expect(told(talk.give(event)).first?.contains("from “Built-in” to “Headset”") == true)
    #expect(talk.controller.digest == before.digest, "nothing but the telling")
  }

  @Test func anotherSessionInTheFolderIsToldByName() {
    var talk = Talk()
    #expect(
      talk.give(.otherSessionFound(name: "2026-01-01T120000Z-7", since: "14:05")) == [
        .show(
          notice: .warning(
            text: "Another session works in this folder: “2026-01-01T120000Z-7”, since 14:05. "
              + "Both may hear what you say, and both agents may change the same files."))
      ])
  }
}

extension Walk {
  /// Both sound devices go away while an answer is spoken, and the user is told.
  mutating func loseDevices() {
    work()
    talk()
    give(.soundDeviceSilent(kind: .speaker, name: "default"))
    give(.soundDeviceSilent(kind: .microphone, name: "default"))
    give(.timerFired(timer: .soundDevices))
  }
}
