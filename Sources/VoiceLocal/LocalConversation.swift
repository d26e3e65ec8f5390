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
    /// The engine's numbers of the texts being spoken.
    var requests: [Int: UInt32] = [:]
    /// The engine's numbers of the pieces being understood.
    var recognitions: [Int: UInt32] = [:]
  }

  let number: Int
  let connection: WebSocketConnection
  let core: LocalLiveServer.Core
  private let state = Locked(State())

  /// Take a message; on the listener's thread.
  func take(_ message: IncomingMessage) {
    let work = state.withLock { state in
      state.dialect.decode(message).flatMap { carryOut(respond(to: $0, &state), &state) }
    }
    ask(work)
  }

  /// The connection is over; on the listener's thread.
  func end() {
    let (requests, recognitions) = state.withLock { state in
      state.role = .over
      defer { (state.requests, state.recognitions) = ([:], [:]) }
      return (Array(state.requests.values), Array(state.recognitions.values))
    }
    for request in requests { core.synthesiser.cancelSynthesis(request) }
    // All of it is heard again on the next connection.
    for request in recognitions { core.recogniser.cancelRecognition(request) }
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
            setup: setup, detector: detector(setup.silenceMilliseconds), callPrefix: "call-\(number)",
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

  /// Send, under the lock, so that the order on the wire is the order of the decisions; the engines' work is returned,
  /// to be asked for without the lock, since an engine may answer at once.
  private func carryOut(_ actions: [LocalAction], _ state: inout State) -> [LocalAction] {
    var work: [LocalAction] = []
    for action in actions {
      switch action {
      case .send(let message): connection.send(state.dialect.encode(message))
      case .offerResumption(let isPossible):
        guard state.wantsResumption else { continue }
        let handle = isPossible ? core.makeHandle(for: number) : nil
        connection.send(state.dialect.encode(.resumption(handle: handle)))
      case .close(let code, let reason):
        state.role = .over
        connection.close(code: code, reason: reason)
      case .completeSetup, .recognise, .cancelRecognition, .synthesise, .cancelSynthesis, .report: work.append(action)
      }
    }
    return work
  }

  private func ask(_ work: [LocalAction]) {
    for action in work {
      switch action {
      case .completeSetup:
        core.whenReady { [self] in
          answer { [number] _ in [.send(.setupComplete(sessionID: "local-\(number)"))] }
        }
      case .recognise(let piece, let samples, let purpose):
        let request = core.recogniser.recognise(samples, for: purpose) { [self] heard in
          answer { state in
            state.recognitions[piece] = nil
            guard case .listener(var listener) = state.role else { return [] }
            defer { state.role = .listener(listener) }
            return listener.take(heard, of: piece)
          }
        }
        state.withLock { $0.recognitions[piece] = request }
      case .cancelRecognition(let piece):
        if let request = state.withLock({ $0.recognitions.removeValue(forKey: piece) }) {
          core.recogniser.cancelRecognition(request)
        }
      case .synthesise(let speech, let text):
        let request = core.synthesiser.synthesise(text, rate: core.speechRate) { [self] event in
          answer { state in
            guard case .readout(var readout) = state.role else { return [] }
            defer { state.role = .readout(readout) }
            return readout.take(event, of: speech)
          }
        }
        state.withLock { $0.requests = [speech: request] }
      case .cancelSynthesis(let speech):
        if let request = state.withLock({ $0.requests[speech] }) { core.synthesiser.cancelSynthesis(request) }
      case .report(let problem): core.onProblem(problem)
      case .send, .offerResumption, .close: preconditionFailure("\(action) was not carried out under the lock")
      }
    }
  }

  /// Take an engine's answer; on the engine's thread.
  private func answer(_ decide: (inout State) -> [LocalAction]) {
    let work = state.withLock { state in carryOut(decide(&state), &state) }
    ask(work)
  }
}
