import Testing
import VoiceVocabulary

@testable import VoiceCore

private func time(_ milliseconds: Int) -> SessionTime { SessionTime.zero.advanced(byMilliseconds: milliseconds) }

/// Sound that was sent and not answered, without a controller.
struct UnacknowledgedAudioTests {
  private func frame(_ number: Int) -> UnacknowledgedAudio.Item {
    .frame(MicrophoneFrame(position: number * PCM.frameSamples, samples: []))
  }

  /// Two utterances of a second each, with a pause between them, all of it sent; they are over at 1 s and at 3 s.
  private func twoUtterances() -> UnacknowledgedAudio {
    var sound = UnacknowledgedAudio()
    for number in 0..<200 {
      let now = time(number * 20)
      if number == 0 || number == 100 { sound.voiceStarted(at: now) }
      if number == 50 || number == 150 { sound.voiceEnded(at: now) }
      sound.keepSent(frame(number), at: now)
    }
    return sound
  }

  @Test func oneAnswerIsToOneUtterance() {
    var sound = twoUtterances()
    #expect(sound.hasWhole)
    let first = sound.answered(isQuiet: true, at: time(4_000))
    #expect(sound.hasWhole && sound.isBeingAnswered)
    // Several answers of one turn are to the same utterance.
    let again = sound.answered(isQuiet: true, at: time(4_100))
    #expect(sound.hasWhole)
    sound.turnEnded()
    let second = sound.answered(isQuiet: true, at: time(4_200))
    #expect(!sound.hasWhole)
    sound.turnEnded()
    let third = sound.answered(isQuiet: true, at: time(4_300))
    #expect([first, again, second, third] == [.utterance, .utterance, .utterance, .nothing])
  }

  @Test func theSilenceAfterAnAnswerSettlesTheRestAtItsTimeAndNotBefore() {
    var sound = twoUtterances()
    sound.answered(isQuiet: true, at: time(4_000))
    let (early, due) = (4_000 + Limits.settledMilliseconds - 1, 4_000 + Limits.settledMilliseconds)
    #expect(!sound.hasSettled(at: time(early)))
    #expect(sound.hasSettled(at: time(due)))
  }

  /// The second is over at 3 s, when an answer may be to both.
  @Test(arguments: [(2_000, false), (2_999, false), (3_000, true)])
  func whatWasSaidAfterTheAnswerIsNotSettledByItsSilence(_ answer: Int, _ settles: Bool) {
    var sound = twoUtterances()
    sound.answered(isQuiet: true, at: time(answer))
    #expect(sound.hasSettled(at: time(60_000)) == settles)
  }

  @Test func aLostConnectionLeavesAllOfItToBeSentAgain() {
    var sound = twoUtterances()
    #expect(!sound.hasUnsent)
    sound.connectionLost(forgetsSigns: true)
    #expect(sound.hasUnsent)
    let answered = sound.answered(isQuiet: true, at: time(4_000))
    #expect(answered == .nothing)
    let again = sound.takeAll()
    #expect(again.count == 200)
    #expect(!sound.hasUnsent)
  }

  @Test func anAnswerForgetsTheSoundOfItsUtteranceAlone() {
    var sound = twoUtterances()
    sound.answered(isQuiet: true, at: time(4_000))
    sound.connectionLost(forgetsSigns: true)
    let again = sound.takeAll()
    // The second utterance, with what came before it in time for a detector to notice.
    #expect(again.contains(frame(100)) && again.contains(frame(199)))
    #expect(!again.contains(frame(49)))
  }

  /// With client turn detection a model hears nothing of an utterance whose beginning is not marked.
  @Test func whatIsSentAgainOfTheNextUtteranceBeginsWithItsMark() {
    var sound = UnacknowledgedAudio()
    var number = 0
    func utter(frames: Int, isOver: Bool) {
      let now = time(number * 20)
      sound.keepSent(.activityStart, at: now)
      for _ in 0..<frames {
        sound.keepSent(frame(number), at: now)
        number += 1
      }
      if isOver { sound.keepSent(.activityEnd, at: now) }
    }
    utter(frames: 50, isOver: true)
    utter(frames: 50, isOver: false)
    let answered = sound.answered(isQuiet: false, at: time(4_000))
    #expect(answered == .utterance)
    sound.connectionLost(forgetsSigns: true)
    let again = sound.takeAll()
    #expect(again.count == 51)
    #expect(again.first == .activityStart)
  }

  /// Its last half second is kept where a server tells what was said; a mark of its end alone is an error.
  @Test(arguments: [(false, Limits.prerollFrames), (true, 0)])
  func ofWhatWasGivenUpNoMarkIsSent(_ isMarked: Bool, _ count: Int) {
    var sound = UnacknowledgedAudio()
    sound.keepSent(.activityStart, at: .zero)
    for number in 0..<50 { sound.keepSent(frame(number), at: time(number * 20)) }
    sound.keepSent(.activityEnd, at: time(1_000))
    sound.giveUp()
    sound.connectionLost(forgetsSigns: true)
    #expect(sound.takeAll(isMarked: isMarked).count == count)
  }

  /// Who talks for longer than is kept: what is left of it is heard, whether he has ended or not.
  @Test(arguments: [true, false]) func whatLostItsBeginningIsMarkedAnew(_ isOver: Bool) {
    var sound = UnacknowledgedAudio()
    sound.keepSent(.activityStart, at: .zero)
    for number in 0...Limits.longestUtteranceFrames * 11 / 10 { sound.keepSent(frame(number), at: time(number * 20)) }
    if isOver { sound.keepSent(.activityEnd, at: time(800_000)) }
    sound.connectionLost(forgetsSigns: true)
    let again = sound.takeAll(isMarked: true)
    #expect(again.first == .activityStart && !again.contains(frame(0)))
    #expect((again.last == .activityEnd) == isOver)
    #expect((Limits.longestUtteranceFrames...Limits.longestUtteranceFrames + 3).contains(again.count))
  }

  @Test func anInterruptedAnswerJoinsWhatWasSaid() {
    var sound = twoUtterances()
    sound.joined()
    sound.answered(isQuiet: true, at: time(4_000))
    #expect(!sound.hasWhole)
  }
}
