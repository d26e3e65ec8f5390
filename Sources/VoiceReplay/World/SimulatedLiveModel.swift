import VoiceCore
import VoiceVocabulary

/// A live model that listens: it finds the utterances in the sound that the session really sent, in the time of that
/// sound, and checks every sample against what the microphone heard. A frame that was dropped, doubled or changed gives a
/// garbled transcript, and so breaks the fixture.
final class SimulatedLiveModel {
  /// What the fixture pretends of a server: milliseconds between things.
  private enum Delay {
    static let refusal = 30
    static let setup = 40
    static let transcript = 250
    static let call = 30
    static let turnEnd = 20
  }

  private let time: VirtualTime
  private let refusals: Refusals
  private let microphone: SimulatedMicrophone
  private let settings: InteractionSettings
  private var answers: ArraySlice<Fixture.ModelAnswer>
  private var connection: ConnectionID?
  private var isReady = false
  /// How many attempts to connect are still to fail.
  private var refusedAttempts = 0
  private var callCount = 0
  private var openCalls: Set<String> = []

  private var endpointer = LoudnessEndpointer()
  private var isInUtterance = false
  private var expectedPosition: Int?
  private var isGarbled = false
  /// Whether the sound of this connection begins where somebody was speaking already.
  private var beginsInSpeech = false
  /// Utterances that this connection has heard whole and not answered so far.
  private var unansweredCount = 0
  /// When it has answered all of them: it does one thing after the other.
  private var busyUntil = SessionTime.zero
  /// Where the user closed the microphone or opened it, in samples, beginning with a closed one.
  private var switches: [Int]

  init(_ fixture: Fixture, _ time: VirtualTime, _ refusals: Refusals, _ microphone: SimulatedMicrophone) {
    self.time = time
    self.refusals = refusals
    self.microphone = microphone
    settings = fixture.settings
    switches = fixture.settings.startsListening ? [] : [0]
    answers = fixture.model[...]
  }

  /// The user was told that the microphone is open now, or closed.
  func microphoneSwitched() { switches.append(microphone.samples.count) }

  /// Whether the microphone was closed when it heard this.
  private func isClosed(at position: Int) -> Bool { !switches.prefix { $0 <= position }.count.isMultiple(of: 2) }

  /// Open a connection; it is ready after a while.
  func open(_ connection: ConnectionID, resuming: Bool) {
    if self.connection != nil { refusals.add("a second connection was opened beside the first") }
    self.connection = connection
    isReady = false
    endpointer = LoudnessEndpointer()
    (isInUtterance, expectedPosition, isGarbled, beginsInSpeech) = (false, nil, false, false)
    (unansweredCount, busyUntil) = (0, time.now)
    guard refusedAttempts == 0 else {
      refusedAttempts -= 1
      return close(because: .newSession, "The live model refused the connection.", milliseconds: Delay.refusal)
    }
    post(.linkReady(connection: connection, resumed: resuming), milliseconds: Delay.setup) { $0.isReady = true }
  }

  /// The session closes the connection.
  func close(_ connection: ConnectionID) {
    if self.connection == connection { self.connection = nil }
  }

  /// Let the next attempts to connect fail.
  func refuse(times: Int) { refusedAttempts += times }

  /// The server cuts the connection.
  func cut(_ remedy: LinkFailure.Remedy = .resume) {
    close(because: remedy, "The connection was cut.", milliseconds: 1)
  }

  private func close(because remedy: LinkFailure.Remedy, _ reason: String, milliseconds: Int) {
    guard let connection else { return }
    self.connection = nil
    let failure = LinkFailure(remedy: remedy, reason: reason)
    time.after(milliseconds: milliseconds, .linkClosed(connection: connection, failure: failure))
  }

  /// The server says that it will cut the connection.
  func expire(milliseconds: Int) {
    guard let connection else { return }
    post(.linkExpiring(connection: connection, milliseconds: milliseconds), milliseconds: 1)
    time.after(milliseconds: milliseconds) { [self] in
      if self.connection == connection { cut() }
      return nil
    }
  }

  /// Hear a frame, and answer an utterance that ends with it.
  func hear(_ frame: MicrophoneFrame, on connection: ConnectionID) {
    // What is sent into a connection that was just cut is lost, as in a socket.
    guard connection == self.connection else { return }
    if !isReady { refusals.add("sound came before the setup was answered") }
    check(frame)
    guard settings.turnDetection == .server else { return }
    switch endpointer.hear(frame.samples, isSpeech: isSpeech(at: frame.position)) {
    case .start:
      startUtterance(on: connection)
      post(.voiceStarted(detector: .model), milliseconds: 0)
    case .end:
      post(.voiceEnded(detector: .model), milliseconds: 0)
      endUtterance(on: connection)
    case nil: break
    }
  }

  /// The client marks the beginning of an utterance.
  func startUtterance(on connection: ConnectionID) {
    guard connection == self.connection else { return }
    if isInUtterance { refusals.add("an utterance began inside another") }
    isInUtterance = true
    isGarbled = beginsInSpeech
    beginsInSpeech = false
    // Between two utterances nothing was sent, and that is no gap.
    if settings.turnDetection == .client { expectedPosition = nil }
  }

  /// The client marks the end of an utterance.
  func endUtterance(on connection: ConnectionID) {
    guard connection == self.connection else { return }
    if !isInUtterance { refusals.add("an utterance ended that had not begun") }
    isInUtterance = false
    let answer = answers.dropFirst(unansweredCount).first ?? Fixture.ModelAnswer(heard: "(unscripted)")
    unansweredCount += 1
    let heard = isGarbled ? "(garbled)" : answer.heard
    // An utterance is answered once, however often it is heard.
    func isAnswered(_ model: SimulatedLiveModel) {
      model.answers = model.answers.dropFirst()
      model.unansweredCount -= 1
    }
    let transcriptDelay = Delay.transcript + max(0, busyUntil.milliseconds(since: time.now))
    if !answer.heard.isEmpty {
      let event = VoiceEvent.userTranscribed(
        connection: connection, text: heard, isFinal: true, hearing: isGarbled ? nil : answer.hearing)
      post(event, milliseconds: transcriptDelay) { if answer.call == nil { isAnswered($0) } }
    } else if answer.call == nil {
      isAnswered(self)
    }
    var delay = transcriptDelay + (answer.thinks ?? 0)
    if let tool = answer.call {
      for time in 1...max(1, answer.times ?? 1) {
        delay += Delay.call
        callCount += 1
        let call = CallID(connection: connection, id: "call-\(callCount)", tool: tool.rawValue)
        openCalls.insert(call.id)
        switch tool {
        case .converse:
          post(.instructionProposed(call: call, text: answer.instruction ?? heard), milliseconds: delay) {
            if time == 1 { isAnswered($0) }
          }
        case .stop:
          post(.stopRequested(call: call), milliseconds: delay) { if time == 1 { isAnswered($0) } }
        }
      }
    }
    if let text = answer.says { delay = speak(text, on: connection, after: delay) }
    busyUntil = time.now.advanced(byMilliseconds: delay + Delay.turnEnd)
    post(.modelTurnEnded(connection: connection), milliseconds: delay + Delay.turnEnd)
    post(.resumptionChanged(connection: connection, isPossible: true), milliseconds: delay + Delay.turnEnd)
  }

  /// The model's own voice: ten times faster than it plays. Returns when it is over.
  private func speak(_ text: String, on connection: ConnectionID, after delay: Int) -> Int {
    var delay = delay + 100
    post(.modelTranscribed(connection: connection, text: text), milliseconds: delay)
    for audio in SpeechAudio.silence(of: text) {
      post(.modelAudio(connection: connection, audio: audio), milliseconds: delay)
      delay += 10
    }
    post(.modelAudioEnded(connection: connection), milliseconds: delay)
    return delay
  }

  /// A tool call is answered; each is answered once.
  func answer(_ call: CallID) {
    guard call.connection == connection else { return }
    if openCalls.remove(call.id) == nil { refusals.add("call \(call.id) was answered that was not open") }
  }

  /// Whether somebody was speaking, into the open microphone, both shortly before this place and behind it.
  private func isInSpeech(at position: Int) -> Bool {
    let reach = 10 * PCM.frameSamples
    guard position >= reach, position + reach <= microphone.samples.count, !isClosed(at: position - reach) else {
      return false
    }
    return [position - reach..<position, position..<position + reach].allSatisfy {
      LoudnessEndpointer.isLoud(Array(microphone.samples[$0]))
    }
  }

  private func isSpeech(at position: Int) -> Bool { !isClosed(at: position) && microphone.isSpeech(at: position) }

  /// Sound must come without a gap, and be what the microphone heard.
  private func check(_ frame: MicrophoneFrame) {
    let end = frame.position + frame.samples.count
    let isTrue =
      frame.samples.count == PCM.frameSamples && end <= microphone.samples.count
      && (isClosed(at: frame.position)
        ? frame.samples.allSatisfy { $0 == 0 }
        : microphone.samples[frame.position..<end].elementsEqual(frame.samples))
    if expectedPosition == nil, settings.turnDetection == .server { beginsInSpeech = isInSpeech(at: frame.position) }
    let isNext = expectedPosition.map { $0 == frame.position } ?? true
    if !isTrue || (!isNext && isInUtterance) { isGarbled = true }
    expectedPosition = end
  }

  /// Post an event of this connection, unless it is gone by then.
  private func post(
    _ event: VoiceEvent, milliseconds: Int, also change: @escaping (SimulatedLiveModel) -> Void = { _ in }
  ) {
    let asked = connection
    time.after(milliseconds: milliseconds) { [self] in
      guard connection == asked else { return nil }
      change(self)
      return event
    }
  }
}

extension SpeechAudio {
  /// The sound of a spoken text, 55 ms a character, in parts of 100 ms.
  static func silence(of text: String) -> [SpeechAudio] {
    var remaining = text.count * 55 * PCM.speakerRate / 1000
    var parts: [SpeechAudio] = []
    while remaining > 0 {
      let count = min(remaining, PCM.speakerRate / 10)
      parts.append(SpeechAudio(samples: [Int16](repeating: 0, count: count)))
      remaining -= count
    }
    return parts
  }
}
