internal import VoiceCore

/// A live model that listens: it finds the utterances in the sound that the session really sent, in the time of that
/// sound, and checks every sample against what the microphone heard. A frame that was dropped, doubled or changed gives a
/// garbled transcript, and so breaks the fixture.
final class SimulatedLiveModel {
  /// What the fixture pretends of a server: milliseconds between things.
  private enum Delay {
    static let setup = 40
    static let transcript = 250
    static let call = 30
    static let turnEnd = 20
  }

  private let time: VirtualTime
  private let microphone: SimulatedMicrophone
  private let settings: InteractionSettings
  private var answers: ArraySlice<Fixture.ModelAnswer>
  private var connection: ConnectionID?
  private var isReady = false
  private var callCount = 0
  private var openCalls: Set<String> = []

  private var endpointer = LoudnessEndpointer()
  private var isInUtterance = false
  private var expectedPosition: Int?
  private var isGarbled = false

  init(_ fixture: Fixture, _ time: VirtualTime, _ microphone: SimulatedMicrophone) {
    self.time = time
    self.microphone = microphone
    settings = fixture.settings
    answers = fixture.model[...]
  }

  func open(_ connection: ConnectionID, resuming: Bool) {
    precondition(self.connection == nil, "two connections at once: a real server refuses the second")
    self.connection = connection
    isReady = false
    endpointer = LoudnessEndpointer()
    (isInUtterance, expectedPosition, isGarbled) = (false, nil, false)
    post(.linkReady(connection: connection, resumed: resuming), milliseconds: Delay.setup) { $0.isReady = true }
  }

  func close(_ connection: ConnectionID) {
    if self.connection == connection { self.connection = nil }
  }

  func cut() {
    guard let connection else { return }
    self.connection = nil
    let failure = LinkFailure(remedy: .resume, reason: "The connection was cut.")
    time.after(milliseconds: 1, .linkClosed(connection: connection, failure: failure))
  }

  func expire(milliseconds: Int) {
    guard let connection else { return }
    post(.linkExpiring(connection: connection, milliseconds: milliseconds), milliseconds: 1)
    time.after(milliseconds: milliseconds) { [self] in
      if self.connection == connection { cut() }
      return nil
    }
  }

  func hear(_ frame: MicrophoneFrame, on connection: ConnectionID) {
    // What is sent into a connection that was just cut is lost, as in a socket.
    guard connection == self.connection else { return }
    precondition(isReady, "sound before the setup was answered: a real server closes the connection")
    check(frame)
    guard settings.turnDetection == .server else { return }
    switch endpointer.hear(frame.samples) {
    case .start:
      startUtterance()
      post(.voiceStarted(detector: .model), milliseconds: 0)
    case .end:
      post(.voiceEnded(detector: .model), milliseconds: 0)
      endUtterance()
    case nil: break
    }
  }

  func startUtterance() {
    isInUtterance = true
    isGarbled = false
  }

  func endUtterance() {
    isInUtterance = false
    guard let connection else { return }
    let answer = answers.first ?? Fixture.ModelAnswer(heard: "(unscripted)")
    let heard = isGarbled ? "(garbled)" : answer.heard
    if !answer.heard.isEmpty {
      post(.userTranscribed(connection: connection, text: heard, isFinal: true), milliseconds: Delay.transcript) {
        // An utterance is answered once, however often it is heard.
        $0.answers = $0.answers.dropFirst()
      }
    } else {
      answers = answers.dropFirst()
    }
    var delay = Delay.transcript
    if let tool = answer.call {
      for _ in 0..<(answer.times ?? 1) {
        delay += Delay.call
        callCount += 1
        let call = CallID(connection: connection, id: "call-\(callCount)", tool: tool.rawValue)
        openCalls.insert(call.id)
        switch tool {
        case .converse:
          post(.instructionProposed(call: call, text: answer.instruction ?? heard), milliseconds: delay)
        case .stop: post(.stopRequested(call: call), milliseconds: delay)
        }
      }
    }
    post(.modelTurnEnded(connection: connection), milliseconds: delay + Delay.turnEnd)
    post(.resumptionChanged(connection: connection, isPossible: true), milliseconds: delay + Delay.turnEnd)
  }

  func answer(_ call: CallID) {
    guard call.connection == connection else { return }
    precondition(openCalls.remove(call.id) != nil, "call \(call.id) was answered twice")
  }

  /// Sound must come without a gap, and be what the microphone heard.
  private func check(_ frame: MicrophoneFrame) {
    let end = frame.position + frame.samples.count
    let isTrue =
      frame.samples.count == PCM.frameSamples && end <= microphone.samples.count
      && microphone.samples[frame.position..<end].elementsEqual(frame.samples)
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
