import Testing
import VoiceRecording
import VoiceVocabulary

@testable import VoiceReplay

/// The rules about what was heard, alone.
struct SoundRulesTests {
  private func frame(_ number: Int) -> MicrophoneFrame {
    MicrophoneFrame(
      position: number * PCM.frameSamples, samples: [Int16](repeating: 9_000, count: PCM.frameSamples))
  }

  /// 200 ms of an utterance are a syllable: that much missing at its beginning, with as much to come, is missed.
  @Test(arguments: [(9, false), (10, true), (20, true), (21, false)])
  func aConnectionDoesNotBeginInsideAnUtterance(_ number: Int, _ isInside: Bool) {
    var rule = WholeUtteranceRule()
    for number in 0..<30 { rule.heard(frame(number), isOpen: true) }
    #expect((rule.violation(by: frame(number), on: ConnectionID(rawValue: 1)) != nil) == isInside)
  }

  @Test(arguments: [true, false]) func atAClosedMicrophoneNobodyIsHeard(_ isOpen: Bool) {
    var rule = VoiceRule()
    rule.observe(.soundLevelChanged(level: .sound), isOpen: isOpen, at: .zero)
    #expect(rule.wasHeard(since: .zero) == isOpen)
  }

  /// Who speaks already when it is opened is heard from then on, and no longer than it is open.
  @Test func aMicrophoneThatIsOpenedHearsWhoSpeaksAlready() {
    var rule = VoiceRule()
    rule.observe(.soundLevelChanged(level: .sound), isOpen: false, at: .zero)
    rule.switched(isOpen: true, at: .milliseconds(10))
    #expect(rule.wasHeard(since: .milliseconds(20)))
    rule.switched(isOpen: false, at: .milliseconds(30))
    #expect(!rule.wasHeard(since: .milliseconds(20)))
  }

  @Test func whatIsHeardInTheMomentCounts() {
    var rule = VoiceRule()
    rule.observe(.voiceStarted(detector: .vad), isOpen: true, at: .milliseconds(10))
    #expect(rule.wasHeard(since: .milliseconds(10)) && !rule.wasHeard(since: .milliseconds(11)))
  }

  /// A server hears as much silence behind a closed microphone as it needs, and then nothing.
  @Test(arguments: [(0, false), (1, true), (300, true), (301, false)])
  func behindAClosedMicrophoneSilenceEnds(_ number: Int, _ maySend: Bool) {
    var rule = MicrophoneRule()
    rule.heard(frame(0))
    rule.switched(isOpen: false)
    for number in 1...302 { rule.heard(frame(number)) }
    let silence = MicrophoneFrame(position: number * PCM.frameSamples, samples: [0, 0])
    #expect((rule.violation(by: silence) == nil) == (maySend || number == 0))
    #expect((rule.violation(by: frame(number)) == nil) == (number == 0), "what was heard while it was open may go out")
    #expect(Limits.closingSilenceMilliseconds / PCM.frameMilliseconds == 300)
  }

  /// Opened and closed again: each time is looked at for itself.
  @Test func eachClosingHasItsSilence() {
    var rule = MicrophoneRule()
    for (number, isOpen) in [false, false, true, false, false].enumerated() {
      if rule.isOpen != isOpen { rule.switched(isOpen: isOpen) }
      rule.heard(frame(number))
    }
    #expect((0..<5).map { rule.violation(by: frame($0)) == nil } == [false, false, true, false, false])
    var unheard = MicrophoneRule(isOpen: false)
    unheard.heard(frame(0))
    #expect(unheard.violation(by: MicrophoneFrame(position: 0, samples: [0])) == "a closed microphone sends frame 0")
  }

  @Test(arguments: [(320, true), (0, false)]) func aMicrophoneHearsNoMomentTwice(_ position: Int, _ isSession: Bool) {
    let events: [VoiceEvent] = [
      .sessionStarted(settings: InteractionSettings()), .microphoneFrame(frame: frame(0)),
      .microphoneFrame(frame: MicrophoneFrame(position: position, samples: [])),
    ]
    let lines = events.enumerated().map { index, event in
      LogLine(step: VoiceStep(sequence: index, time: .zero, event: event, actions: []))
    }
    #expect(lines.defect == (isSession ? nil : "is no session: at step 2 its sound goes back"))
  }

  /// When it fires next time is known only of one that fired.
  @Test func aTimerThatFiredIsKnownToHaveFired() throws {
    let timer = TimerID.interruption
    let steps: [(Int64, VoiceEvent, [VoiceAction])] = [
      (0, .sessionStarted(settings: InteractionSettings()), [.startTimer(timer: timer, milliseconds: 500)]),
      (510, .timerFired(timer: timer), [.startTimer(timer: timer, milliseconds: 500)]),
    ]
    let lanes = RecordedLanes(
      steps.enumerated().map { index, step in
        LogLine(step: VoiceStep(sequence: index, time: .milliseconds(step.0), event: step.1, actions: step.2))
      })
    let armings = try #require(lanes.timers[timer])
    #expect(armings.map(\.step) == [1, .max])
    #expect(armings[0].microseconds == 510_000)
    // How long one certainly had not fired that never did.
    let late = RecordedLanes([
      LogLine(
        step: VoiceStep(
          sequence: 0, time: .zero, event: .sessionStarted(settings: InteractionSettings()),
          actions: [.startTimer(timer: timer, milliseconds: 5)])),
      LogLine(step: VoiceStep(sequence: 1, time: .milliseconds(1_000), event: .commandsEnded, actions: [])),
    ])
    #expect(late.timers[timer]?.map(\.microseconds) == [1_000_001])
  }
}
