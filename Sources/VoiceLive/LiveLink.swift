import VoiceSystem
import VoiceVocabulary
import VoiceWebSocket

/// One connection to a live model: a WebSocket with a dialect spoken over it.
final class LiveLink: Sendable {
  /// Events in order on the service thread; `closed` is last and comes exactly once.
  enum Event: Sendable {
    case spoke(DialectEvent)
    case closed(LinkFailure)
  }

  private struct State {
    var dialect: any LiveDialect
    var sound: LiveSound
    var progress: LinkProgress
    var flood = TextFlood()
    /// Why the server does not serve it any more; nil as long as it does.
    var refusal: LinkFailure?
    /// Nil until it is asked for.
    var connection: WebSocketConnection?
  }

  private enum Effect: Sendable {
    case send(WebSocketConnection, OutgoingMessage)
    case sendSound(WebSocketConnection, [OutgoingMessage], of: MicrophoneFrame)
    case close(WebSocketConnection)
  }

  private let endpoint: LiveEndpoint
  private let state: OrderedEffects<State, Effect>
  private let onEvent: @Sendable (LiveLink, Event) -> Void
  private let tap: WireTap?
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Nothing happens before `open`.
  ///
  /// - Parameters:
  ///   - tap: gets every message, so that it can be recorded; microphone sound by its place.
  ///   - now: the clock by which a dialect tells turns apart.
  init(
    endpoint: LiveEndpoint, isResuming: Bool, tap: WireTap? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    onEvent: @escaping @Sendable (LiveLink, Event) -> Void
  ) {
    self.endpoint = endpoint
    self.tap = tap
    self.now = now
    self.onEvent = onEvent
    state = OrderedEffects(
      State(
        dialect: endpoint.makeDialect(), sound: LiveSound(endpoint.provider),
        progress: .settingUp(isResuming: isResuming)))
  }

  /// Connect, then set up; the setup is asked for when the connection stands. To be called once.
  func open(on service: WebSocketService, setup: @escaping @Sendable () -> LiveSetup, handle: String?) {
    let headers = state.withLock { $0.dialect.headers(key: endpoint.key) }
    var request = WebSocketRequest(
      address: endpoint.address, headers: headers, authorityFile: endpoint.authorityFile, proxy: endpoint.proxy)
    // A server in this very process is there; only the machine can be slow. The session's own limit for the setup tells.
    if endpoint.address.isLoopback { request.timeoutMilliseconds = Limits.setupMilliseconds * 6 }
    let made = service.connect(request) { [self] connection, event in
      switch event {
      case .opened:
        send(.setUp(setup(), handle: handle), on: connection)
      case .message(let message): receive(message, on: connection)
      case .closed(let closure): finish(closure)
      }
    }
    state.withLock { $0.connection = made }
  }

  /// Any thread; before the connection is set up, only `setUp` makes sense to a server.
  func send(_ command: DialectCommand) { send(command, on: nil) }

  /// Microphone sound; any thread.
  func send(_ frame: MicrophoneFrame) {
    step { state in
      guard let connection = state.connection else { return [] }
      let messages = state.dialect.encode(.audio(state.sound.sent(frame.samples)), at: now())
      return [.sendSound(connection, messages, of: frame)]
    }
  }

  /// `closed` follows; to be called after `open`.
  func close() { state.withLock { $0.connection }?.close() }

  /// - Parameter opened: the connection, where it may not be known yet that it is this one's.
  private func send(_ command: DialectCommand, on opened: WebSocketConnection?) {
    step { state in
      guard let connection = opened ?? state.connection else { return [] }
      return state.dialect.encode(command, at: now()).map { .send(connection, $0) }
    }
  }

  private func step(_ decide: (inout State) -> [Effect]) {
    state.step(decide) { effect in
      switch effect {
      case .send(let connection, let message):
        connection.send(message)
        tap?(.sent(Array(message.payload)))
      case .sendSound(let connection, let messages, let frame):
        for message in messages { connection.send(message) }
        tap?(.sentSound(position: frame.position, count: frame.samples.count))
      case .close(let connection): connection.close()
      }
    }
  }

  private func receive(_ message: IncomingMessage, on connection: WebSocketConnection) {
    tap?(.received(message.bytes))
    var events: [DialectEvent] = []
    step { state in
      // What comes behind a refusal is of a connection that is being closed.
      guard state.refusal == nil else { return [] }
      let moment = now()
      events = state.dialect.decode(message, at: moment).map(redacted).flatMap { state.sound.received($0) }
      if state.flood.takes(message, saying: events, at: moment) { state.refusal = endpoint.recovery.floods }
      for event in events {
        switch (event, state.progress) {
        case (.setUp, .settingUp(let isResuming)): state.progress = .accepted(isResuming: isResuming)
        case (.turnComplete, .accepted), (.toolCall, .accepted): state.progress = .proven
        case (.refused(let meaning, let reason), _):
          state.refusal = endpoint.recovery.failure(refused: meaning, reason, at: state.progress)
        default: break
        }
      }
      if state.refusal != nil { return [.close(connection)] }
      return state.dialect.replies().map { .send(connection, $0) }
    }
    for event in events { onEvent(self, .spoke(event)) }
  }

  /// An event as it may be told: a server may repeat what it was sent.
  private func redacted(_ event: DialectEvent) -> DialectEvent {
    func told(_ reason: String) -> String {
      String((endpoint.key?.redacted(from: reason) ?? reason).prefix(LiveLimits.errorCharacters))
    }
    switch event {
    case .failed(let turn, let reason): return .failed(turn: turn, reason: told(reason))
    case .refused(let meaning, let reason): return .refused(meaning, reason: told(reason))
    default: return event
    }
  }

  private func finish(_ closure: WebSocketClosure) {
    var failure = state.withLock { state in
      state.refusal
        ?? endpoint.recovery.failure(of: closure, at: state.progress, meaning: state.dialect.closure)
    }
    if let key = endpoint.key { failure.reason = key.redacted(from: failure.reason) }
    onEvent(self, .closed(failure))
  }
}
