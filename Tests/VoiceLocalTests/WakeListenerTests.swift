import Synchronization
import Testing
import VoiceTesting
import VoiceVocabulary

@testable import VoiceLocal

struct WakeListenerTests {
  private let recogniser = AskedRecogniser()
  private let speech = (0..<16_000).map { Int16($0 / 20 % 2 == 0 ? 8_000 : -8_000) }
  private let quiet = [Int16](repeating: 2, count: 16_000)

  private func listener(_ woken: @escaping @Sendable () -> Void = {}) -> WakeListener {
    WakeListener(recogniser: recogniser, detector: { VoiceActivityDetector() }, onWake: woken)
  }

  private var purposes: [SpeechEngineMessage.Purpose] { recogniser.asked.withLock { $0.map(\.purpose) } }

  private func answer(_ index: Int, _ text: String) {
    recogniser.asked.withLock { $0[index] }.answer(.success(HeardSpeech(text)))
  }

  @Test func anOpenMicrophoneIsNotListenedTo() {
    let listener = listener()
    listener.hear(quiet + speech + quiet)
    listener.microphone(isOpen: true)
    listener.hear(quiet + speech + quiet)
    #expect(purposes.isEmpty)
  }

  @Test func aClosedOneIsAskedAboutForThePhraseAloneAndWhatElseIsHeardIsNothing() {
    let woken = Counter()
    let listener = listener { woken.add() }
    listener.microphone(isOpen: false)
    listener.hear(quiet + speech + quiet)
    #expect(purposes == [.wake])
    answer(0, "")
    #expect(woken.count == 0)
    listener.hear(speech + quiet)
    #expect(purposes == [.wake, .wake])
    answer(1, "Hey, Parley.")
    #expect(woken.count == 1)
  }

  @Test func whatIsLongIsNotTheBeginningOfAPhraseEither() {
    let listener = listener()
    listener.microphone(isOpen: false)
    listener.hear(quiet + speech + speech + speech + quiet)
    #expect(purposes.isEmpty)
  }

  @Test func whatIsAskedJustAsTheMicrophoneIsOpenedIsGivenUpToo() {
    let listener = listener()
    recogniser.meanwhile.withLock { $0 = { onAnotherThread { listener.microphone(isOpen: true) } } }
    listener.microphone(isOpen: false)
    listener.hear(quiet + speech + quiet)
    #expect(purposes == [.wake])
    #expect(recogniser.cancelled.withLock { $0 } == [1])
  }

  @Test func anAnswerThatComesAfterTheMicrophoneWasOpenedWakesNothing() {
    let woken = Counter()
    let listener = listener { woken.add() }
    listener.microphone(isOpen: false)
    listener.hear(quiet + speech + quiet)
    listener.microphone(isOpen: true)
    #expect(recogniser.cancelled.withLock { $0 } == [1])
    listener.microphone(isOpen: false)
    answer(0, "Hey, Parley.")
    #expect(woken.count == 0)
  }

  @Test func theEngineIsToldThePhrasesAndScoresTheirSpellings() {
    let phrases = SpokenPhrases(stop: "enough now", wake: "hey parley")
    #expect(phrases.arguments == ["--stop-phrase", "enough now", "--wake-phrase", "hey parley"])
    #expect(ScoredPhrase.named("") == nil)
    #expect(ScoredPhrase("Okay, STOP!") == ScoredPhrase("okay, stop"))
    #expect(ScoredPhrase("hey parley").texts.contains("Hey, Parley."))
    #expect(ScoredPhrase("enough now").texts.first == "Enough now.")
  }
}

private final class Counter: Sendable {
  private let value = Mutex(0)
  var count: Int { value.withLock { $0 } }
  func add() { value.withLock { $0 += 1 } }
}
