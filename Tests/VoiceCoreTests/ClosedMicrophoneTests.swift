import Testing
import VoiceCore
import VoiceReplay
import VoiceVocabulary

/// A session that hears a sound without an end, and what it sends of it.
private struct Hearing {
  var talk: Talk
  private var position = 0

  init(_ settings: InteractionSettings = .init()) { talk = Talk(settings) }

  /// Hear so many frames. Returns what went out.
  mutating func hear(_ count: Int) -> [MicrophoneFrame] {
    var sent: [MicrophoneFrame] = []
    for _ in 0..<count {
      let frame = MicrophoneFrame(position: position, samples: [Int16](repeating: 900, count: PCM.frameSamples))
      position += PCM.frameSamples
      for case .sendAudio(_, let frame) in talk.give(.microphoneFrame(frame: frame), after: PCM.frameMilliseconds) {
        sent.append(frame)
      }
    }
    return sent
  }

  mutating func listen(_ isOn: Bool) -> [VoiceAction] { talk.give(.commandGiven(command: .listen(isOn: isOn))) }
}

struct ClosedMicrophoneTests {
  @Test func aClosedMicrophoneSendsTheSilenceThatEndsAnUtteranceAndThenNothing() {
    var hearing = Hearing()
    #expect(hearing.hear(10).count == 10)
    _ = hearing.listen(false)
    let tail = hearing.hear(1_000)
    #expect(tail.count * PCM.frameMilliseconds == Limits.closingSilenceMilliseconds)
    #expect(tail.allSatisfy { $0.samples.allSatisfy { $0 == 0 } })
    _ = hearing.listen(true)
    #expect(hearing.hear(10).allSatisfy { $0.samples.contains(900) })
    #expect(hearing.talk.rules.violations.isEmpty)
  }

  @Test func withTurnsFoundAtTheMicrophoneClosingEndsTheUtteranceAndNothingFollows() {
    var hearing = Hearing(
      .init {
        $0.turnDetection = .client
        $0.interruptedBy = .vad
      })
    hearing.talk.give(.voiceStarted(detector: .vad))
    #expect(hearing.hear(10).count == 10)
    #expect(hearing.listen(false).contains { if case .sendActivityEnd = $0 { true } else { false } })
    #expect(hearing.hear(100).isEmpty)
    hearing.talk.give(.voiceEnded(detector: .vad))
    // What was heard meanwhile is not sent before what is said then, either.
    _ = hearing.listen(true)
    let began = hearing.talk.give(.voiceStarted(detector: .vad))
    #expect(!began.contains { if case .sendAudio = $0 { true } else { false } })
    #expect(hearing.talk.rules.violations.isEmpty)
  }

  @Test func aMicrophoneThatIsClosedFromTheStartSendsNothingAndIsNotShownAsListening() {
    var hearing = Hearing(.init { $0.startsListening = false })
    #expect(hearing.hear(100).isEmpty)
    #expect(hearing.talk.controller.status.activity == .deaf)
    var controller = InteractionController()
    _ = controller.handle(.sessionStarted(settings: .init { $0.startsListening = false }), at: .zero)
    let ready = controller.handle(.linkReady(connection: .init(rawValue: 1), resumed: false), at: .zero)
    #expect(ready.contains(.show(notice: .connected(resumed: false))))
    #expect(!ready.contains(.show(notice: .listening(resumed: false))))
  }

  @Test func whatACutConnectionMissedIsSentAgainWithoutWhatWasHeardAtAClosedMicrophone() {
    var hearing = Hearing()
    _ = hearing.hear(10)
    _ = hearing.listen(false)
    _ = hearing.hear(400)
    let connection = hearing.talk.connection
    hearing.talk.give(.linkClosed(connection: connection, failure: .init(remedy: .resume, reason: "cut")))
    hearing.talk.give(.timerFired(timer: .reconnect))
    _ = hearing.listen(true)
    hearing.talk.give(.linkReady(connection: .init(rawValue: 2), resumed: true))
    #expect(hearing.talk.rules.violations.isEmpty, "\(hearing.talk.rules.violations)")
  }

  @Test func noStateShowsAClosedMicrophoneAsListening() {
    for state in walkedStates {
      var walk = state.make()
      walk.command(.listen(isOn: false))
      #expect(walk.controller.status.activity != .listening, "\(state.name)")
      #expect(walk.controller.status.activity != .hearing, "\(state.name)")
      #expect(!walk.controller.status.isListening, "\(state.name)")
      #expect(!walk.controller.status.isMicrophoneOpen, "\(state.name)")
      walk.give(.voiceStarted(detector: .vad))
      walk.give(.voiceStarted(detector: .model))
      #expect(walk.controller.status.activity != .hearing, "\(state.name)")
    }
  }

  @Test func theRuleSeesSoundOfAClosedMicrophone() {
    let connection = ConnectionID(rawValue: 1)
    let frame = MicrophoneFrame(position: 0, samples: [7])
    var rules = SessionRules()
    rules.check(.sessionStarted(settings: .init()), [.openLink(connection: connection, resuming: false)], at: .zero)
    rules.check(.linkReady(connection: connection, resumed: false), [], at: .zero)
    rules.check(
      .commandGiven(command: .listen(isOn: false)), [.show(notice: .listeningChanged(isOn: false))], at: .zero)
    rules.check(
      .microphoneFrame(frame: frame), [.sendAudio(connection: connection, frame: frame)], at: .zero)
    #expect(rules.violations == ["a closed microphone sends what it hears at 0"])
  }
}
