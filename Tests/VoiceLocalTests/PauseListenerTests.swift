import Synchronization
import Testing
import VoiceSound
import VoiceVocabulary

@testable import VoiceLocal

/// The usual pause is a second.
struct PauseListenerTests {
  private let recogniser = AskedRecogniser()
  private let limit = PauseLimit(milliseconds: 1000)
  private let speech = (0..<16_000).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }
  /// 0.4 s: long enough to be asked about.
  private let pause = [Int16](repeating: 2, count: 6_400)

  private func listener(isOpen: Bool = true) -> PauseListener {
    let listener = PauseListener(
      recogniser: recogniser, detector: { VoiceActivityDetector(silenceMilliseconds: 1000) }, preferring: 1000,
      phrases: .builtIn, limit: limit)
    listener.microphone(isOpen: isOpen)
    return listener
  }

  private var purposes: [SpeechEngineMessage.Purpose] { recogniser.asked.withLock { $0.map(\.purpose) } }

  private func answer(_ index: Int, _ result: Result<HeardSpeech, SpeechFailure>) {
    recogniser.asked.withLock { $0[index] }.answer(result)
  }

  @Test(
    arguments: [
      ("Run all the tests again.", 0.9, 400), ("Run all the tests again.", 0.1, 1000),
      ("Run all the tests in the", 0.9, 2000),
      ("Stop.", 0.1, 384), ("Okay, stop.", 0.1, 384),
    ] as [(String, Float, Int)])
  func whatWasSaidBeforeAPauseTellsHowLongItMayLast(text: String, completeness: Float, milliseconds: Int) {
    let listener = listener()
    listener.hear(pause + speech + pause)
    #expect(purposes == [.pause])
    #expect(limit.milliseconds == 1000)
    answer(0, .success(HeardSpeech(text, completeness: completeness)))
    #expect(limit.milliseconds == milliseconds)
  }

  @Test func itHoldsForThisPauseAlone() {
    let listener = listener()
    listener.hear(pause + speech + pause)
    answer(0, .success(HeardSpeech("Run the tests.", completeness: 0.9)))
    #expect(limit.milliseconds == 400)
    listener.hear(speech)
    #expect(limit.milliseconds == 1000)
  }

  /// The detector at the microphone may need another moment to find the same end.
  @Test func itHoldsUntilSomebodySpeaks() {
    let listener = listener()
    listener.hear(pause + speech + pause)
    answer(0, .success(HeardSpeech("Run the tests.", completeness: 0.9)))
    listener.hear(pause + pause + pause)
    #expect(limit.milliseconds == 400)
    listener.hear(speech)
    #expect(limit.milliseconds == 1000)
  }

  @Test func whoGoesOnMakesTheAnswerWorthless() {
    let listener = listener()
    listener.hear(pause + speech + pause + speech)
    #expect(recogniser.cancelled.withLock { $0 } == [1])
    answer(0, .success(HeardSpeech("Run the tests.", completeness: 0.9)))
    #expect(limit.milliseconds == 1000)
    listener.hear(pause)
    #expect(purposes == [.pause, .pause])
    answer(1, .success(HeardSpeech("Run the tests, and", completeness: 0.2)))
    #expect(limit.milliseconds == 2000)
  }

  @Test func whereNothingIsUnderstoodTheUsualPauseHolds() {
    let listener = listener()
    listener.hear(pause + speech + pause)
    answer(0, .success(HeardSpeech("", completeness: 0.9)))
    listener.hear(speech + pause)
    answer(1, .failure(SpeechFailure("it crashed")))
    #expect(limit.milliseconds == 1000)
  }

  @Test func aClosedMicrophoneIsNotListenedTo() {
    let listener = listener(isOpen: false)
    listener.hear(pause + speech + pause)
    #expect(purposes.isEmpty)
    listener.microphone(isOpen: true)
    listener.hear(pause + speech + pause)
    #expect(purposes == [.pause])
    listener.microphone(isOpen: false)
    answer(0, .success(HeardSpeech("Run the tests.", completeness: 0.9)))
    #expect(limit.milliseconds == 1000)
  }
}
