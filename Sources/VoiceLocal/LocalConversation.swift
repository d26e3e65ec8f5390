import VoiceLive
import VoiceSystem
import VoiceWebSocket

/// One connection of the local live model: decides what it is by its setup, and carries out what it wants done.
struct LocalConversation: Sendable {
  private enum Role {
    case unknown
    case listener(LocalListener)
    case readout(LocalReadout)
    case over
  }

  private struct State {
    var dialect = GeminiServerDialect()
    var role = Role.unknown
    var wantsResumption = false
    /// The engines' numbers of what they were asked and have not answered.
    var requests: [Question: UInt32] = [:]
  }

  /// What an engine is asked.
  private enum Question: Hashable, Sendable {
    case piece(Int)
    case speech(Int)
  }

  private enum Effect: Sendable {
    case act(LocalAction)
    /// It is answered for good.
    case forget(Question)
    /// The connection is over: nobody wants the answers.
    case cancelAll
  }

  let number: Int
  let connection: WebSocketConnection
  let core: LocalLiveServer.Core
  private let state = OrderedEffects<State, Effect>(State())

  /// Take a message; on the listener's thread.
  func take(_ message: IncomingMessage) {
    step { state in
      state.dialect.decode(message).flatMap { effects(of: respond(to: $0, &state), &state) }
    }
  }

  /// The connection is over; on the listener's thread. All that is not understood yet is heard again on the next one.
  func end() {
    step { state in
      state.role = .over
      return [.cancelAll]
    }
  }

  private func respond(to message: GeminiClientMessage, _ state: inout State) -> [LocalAction] {
    switch state.role {
    case .over: return []
    case .unknown:
      guard case .setup(let setup) = message else {
        return [.close(code: 1007, reason: "Request contains an invalid argument.")]
      }
      if let handle = setup.resumptionHandle, let refusal = core.resume(handle) {
        return [.close(code: refusal.code, reason: refusal.reason)]
      }
      state.wantsResumption = setup.wantsResumption
      if setup.tools.isEmpty {
        state.role = .readout(LocalReadout(setup: setup))
      } else {
        state.role = .listener(
          LocalListener(
            setup: setup, detector: detector(setup.silenceMilliseconds),
            turns: turnDetector(preferring: setup.silenceMilliseconds), callPrefix: "call-\(number)",
            guesses: core.guesses, phrases: core.phrases))
      }
      return [.completeSetup]
    case .listener(var listener):
      // Taken out while it works, so that its buffers are not copied.
      state.role = .unknown
      defer { state.role = .listener(listener) }
      return listener.take(message)
    case .readout(var readout):
      defer { state.role = .readout(readout) }
      return readout.take(message)
    }
  }

  /// - Parameter silence: how long a pause ends an utterance, if the client has said so.
  private func detector(_ silence: Int?) -> VoiceActivityDetector {
    let silence = silence ?? SpeechRule.shortSilenceMilliseconds
    guard let models = core.models else { return VoiceActivityDetector(silenceMilliseconds: silence) }
    do {
      return try VoiceActivityDetector(models: models, silenceMilliseconds: silence)
    } catch {
      core.onProblem("speech is detected by loudness alone: \(error)")
      return VoiceActivityDetector(silenceMilliseconds: silence)
    }
  }

  private func effects(of actions: [LocalAction], _ state: inout State) -> [Effect] {
    for case .close in actions { state.role = .over }
    return actions.map(Effect.act)
  }

  /// An engine may answer before it has returned the number of the request: what follows from that is done afterwards.
  private func step(_ decide: (inout State) -> [Effect]) {
    state.step(decide) { effect in
      switch effect {
      case .act(let action): perform(action)
      case .forget(let question): state.withLock { $0.requests[question] = nil }
      case .cancelAll: for question in state.withLock({ $0.requests.keys }) { cancel(question) }
      }
    }
  }

  private func perform(_ action: LocalAction) {
    switch action {
    case .send(let message): connection.send(GeminiServerDialect().encode(message))
    case .offerResumption(let isPossible):
      guard state.withLock({ $0.wantsResumption }) else { return }
      let handle = isPossible ? core.makeHandle(for: number) : nil
      connection.send(GeminiServerDialect().encode(.resumption(handle: handle)))
    case .close(let code, let reason): connection.close(code: code, reason: reason)
    case .completeSetup:
      core.whenReady { [self] in
        step { [number] _ in [.act(.send(.setupComplete(sessionID: "local-\(number)")))] }
      }
    case .recognise(let piece, let samples, let purpose):
      let request = core.recogniser.recognise(samples, for: purpose) { [self] heard in
        step { understood(heard, of: piece, &$0) }
      }
      state.withLock { $0.requests[.piece(piece)] = request }
    case .cancelRecognition(let piece): cancel(.piece(piece))
    case .synthesise(let speech, let text):
      let request = core.synthesiser.synthesise(text, rate: core.speechRate) { [self] event in
        step { spoken(event, of: speech, &$0) }
      }
      state.withLock { $0.requests[.speech(speech)] = request }
    case .cancelSynthesis(let speech): cancel(.speech(speech))
    case .report(let problem): core.onProblem(problem)
    }
  }

  private func cancel(_ question: Question) {
    guard let request = state.withLock({ $0.requests.removeValue(forKey: question) }) else { return }
    switch question {
    case .piece: core.recogniser.cancelRecognition(request)
    case .speech: core.synthesiser.cancelSynthesis(request)
    }
  }

  private func understood(
    _ heard: Result<HeardSpeech, SpeechFailure>, of piece: Int, _ state: inout State
  ) -> [Effect] {
    guard case .listener(var listener) = state.role else { return [.forget(.piece(piece))] }
    state.role = .unknown
    let actions = listener.take(heard, of: piece)
    state.role = .listener(listener)
    return effects(of: actions, &state) + [.forget(.piece(piece))]
  }

  private func spoken(_ event: SynthesisEvent, of speech: Int, _ state: inout State) -> [Effect] {
    let end: [Effect] = if case .audio = event { [] } else { [.forget(.speech(speech))] }
    guard case .readout(var readout) = state.role else { return end }
    let actions = readout.take(event, of: speech)
    state.role = .readout(readout)
    return effects(of: actions, &state) + end
  }
}
