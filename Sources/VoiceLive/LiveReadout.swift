import VoiceSystem
package import VoiceVocabulary
package import VoiceWebSocket

/// The limits of the live-model clients, with their reasons.
enum LiveLimits {
  /// Words that a recogniser is told to expect: as many as servers are known to take.
  static let vocabularyWords = 1_000
  /// A piece is tried on so many connections: one may be cut at any time, two in a row are a fault.
  static let pieceAttempts = 2
  /// A connection that is silent for so long about a piece is replaced.
  static let wedgedMilliseconds = 8_000
  /// A readout connection that lived no longer than this is not renewed before it is needed.
  static let shortestLifeMilliseconds = 5_000
  /// How long the readout rests after pieces that no connection would read, by their number in a row: the next ones fail
  /// at once meanwhile. One may be bad luck.
  static func restMilliseconds(failedPieces: Int) -> Int {
    failedPieces < 2 ? 0 : min(1_000 << min(failedPieces, 5), 30_000)
  }
  /// Calls that wait for an answer on one connection; a model that asks for more has gone astray.
  static let openCalls = 64
}

/// Speaks text by a live model on a connection of its own, without a microphone.
///
/// Connects when it is made, so that the first piece does not wait, and again whenever the connection is cut. Called by
/// the session's steps; events are posted by the service thread.
package final class LiveReadout: ReadoutPort, Sendable {
  private struct Piece {
    var id: SpeechID
    var text: String
    /// Connections that did not speak it.
    var failures = 0
    /// The turn in which it is read; nil while it was not sent.
    var turn: ModelTurnID?
    var hasSound = false
    var since: ContinuousClock.Instant
  }

  /// Servers that take connections and serve nobody are not asked for each piece anew.
  private struct Rest {
    /// Pieces in a row that were given up because of it.
    var failedPieces: Int
    var reason: String
    var end: ContinuousClock.Instant
  }

  private struct State {
    var link: LiveLink?
    var isReady = false
    var since: ContinuousClock.Instant?
    /// The server will cut the connection: leave it after the current piece.
    var isExpiring = false
    /// Whether it has read something.
    var hasRead = false
    /// Turns that were asked for, over all connections.
    var turnCount = 0
    var piece: Piece?
    var isStopped = false
    var connectionCount = 0
    /// Why it does not try to read before this moment; nil if it does.
    var rest: Rest?
    /// Over all connections.
    var inputTokens = 0
    var outputTokens = 0
  }

  /// What is to be done after the state was changed, outside its lock.
  private enum Step: Sendable {
    case post(VoiceEvent)
    case send(LiveLink, DialectCommand)
    case close(LiveLink)
    case connect(LiveLink)
    case silenceSpeaker
  }

  private let service: WebSocketService
  private let endpoint: LiveEndpoint
  private let setup: LiveSetup
  private let listener: @Sendable () -> ConnectionID?
  private let tap: WireTap?
  private let post: @Sendable (VoiceEvent) -> Void
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Locked(State())

  /// - Parameters:
  ///   - listener: The listener's current connection: an interruption is reported in its name.
  ///   - now: The clock by which stale and silent turns are told; a test may hold it still.
  ///   - tap: Gets what goes over the wire, so that it can be recorded.
  ///   - post: Takes every event; any thread may call it.
  package init(
    service: WebSocketService, endpoint: LiveEndpoint, listener: @escaping @Sendable () -> ConnectionID? = { nil },
    tap: WireTap? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.service = service
    self.endpoint = endpoint
    self.listener = listener
    self.tap = tap
    self.post = post
    self.now = now
    setup = LiveSetup(role: .readout, model: endpoint.model, voice: endpoint.voice)
    perform(state.withLock { connect(&$0) })
  }

  package func speak(_ text: String, as speech: SpeechID) {
    perform(
      state.withLock { state in
        precondition(state.piece == nil, "a readout was asked for two pieces at once")
        if let rest = state.rest, now() < rest.end {
          return [.post(.speechFailed(speech: speech, reason: rest.reason))]
        }
        state.piece = Piece(id: speech, text: text, since: now())
        return advance(&state)
      })
  }

  package func cancelSpeech(_ speech: SpeechID) {
    perform(
      state.withLock { state in
        guard let piece = state.piece, piece.id == speech else { return [] }
        state.piece = nil
        let isWedged = piece.since.duration(to: now()) >= .milliseconds(LiveLimits.wedgedMilliseconds)
        if isWedged, !piece.hasSound { return replace(&state) }
        if state.isExpiring { return replace(&state) }
        guard let turn = piece.turn, let link = state.link else { return [] }
        return [.send(link, .hush(turn: turn))]
      })
  }

  /// Close the connection for good.
  package func stop() {
    perform(
      state.withLock { state in
        state.isStopped = true
        return state.link.map { [.close($0)] } ?? []
      })
  }

  private func perform(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .post(let event): post(event)
      case .send(let link, let command): link.send(command)
      case .close(let link): link.close()
      case .connect(let link): link.open(on: service, setup: { [setup] in setup }, handle: nil)
      case .silenceSpeaker: if let connection = listener() { post(.modelInterrupted(connection: connection)) }
      }
    }
  }

  // What follows changes the state under its lock, and says what is to be done.

  private func connect(_ state: inout State) -> [Step] {
    if state.isStopped { return [] }
    state.connectionCount += 1
    let tap = tap?.connection(state.connectionCount)
    let link = LiveLink(endpoint: endpoint, isResuming: false, tap: tap, now: now) { [self] link, event in
      perform(self.state.withLock { receive(event, from: link, &$0) })
    }
    state.link = link
    state.isReady = false
    state.since = now()
    state.isExpiring = false
    state.hasRead = false
    state.piece?.turn = nil
    state.piece?.hasSound = false
    return [.connect(link)]
  }

  /// Leave the connection for a new one. Nothing is resumed, so they may overlap.
  private func replace(_ state: inout State) -> [Step] {
    let old = state.link
    return (old.map { [.close($0)] } ?? []) + connect(&state)
  }

  /// Send the piece if it can be sent; connect if that is what is missing.
  private func advance(_ state: inout State) -> [Step] {
    guard let text = state.piece?.text else { return [] }
    if state.isStopped { return retry(&state, "The readout was stopped.", isWorthIt: false) }
    guard let link = state.link else { return connect(&state) }
    if state.isExpiring { return replace(&state) }
    guard state.isReady else { return [] }
    state.turnCount += 1
    let turn = ModelTurnID(rawValue: state.turnCount)
    state.piece?.turn = turn
    return [.send(link, .speak(text, turn: turn))]
  }

  private func receive(_ event: LiveLink.Event, from link: LiveLink, _ state: inout State) -> [Step] {
    guard state.link === link else { return [] }
    switch event {
    case .spoke(.setUp):
      state.isReady = true
      return advance(&state)
    case .spoke(.goAway):
      state.isExpiring = true
      // One that goes away as soon as it came is replaced when there is something to say.
      return state.piece == nil && hasServed(state) ? replace(&state) : []
    case .spoke(.usage(let input, let output)):
      state.inputTokens = state.inputTokens.addingSaturated(input)
      state.outputTokens = state.outputTokens.addingSaturated(output)
      return [.post(.readoutUsage(inputTokens: state.inputTokens, outputTokens: state.outputTokens))]
    case .spoke(let event):
      return receive(event, &state)
    case .closed(let failure):
      let wasReady = state.isReady
      let hasServed = hasServed(state)
      state.link = nil
      state.isReady = false
      guard state.piece != nil else {
        // A connection that had worked is renewed at once, so that the next piece does not wait; one that had not, or
        // not for long, is tried again when there is something to say.
        return wasReady && hasServed && failure.remedy != .giveUp ? connect(&state) : []
      }
      let steps = retry(&state, failure.reason, isWorthIt: failure.remedy != .giveUp)
      if state.piece == nil, !hasServed { rest(&state, failure.reason) }
      return steps
    }
  }

  private func rest(_ state: inout State, _ reason: String) {
    let failedPieces = (state.rest?.failedPieces ?? 0) + 1
    let wait = Duration.milliseconds(LiveLimits.restMilliseconds(failedPieces: failedPieces))
    state.rest = Rest(failedPieces: failedPieces, reason: reason, end: now().advanced(by: wait))
  }

  /// Whether the connection was good for something: it has lasted, or read something.
  private func hasServed(_ state: State) -> Bool {
    if state.hasRead { return true }
    let life = state.since.map { $0.duration(to: now()) } ?? .zero
    return life > .milliseconds(LiveLimits.shortestLifeMilliseconds)
  }

  /// What an event means for the current piece; whatever is of another turn means nothing.
  private func receive(_ event: DialectEvent, _ state: inout State) -> [Step] {
    guard let piece = state.piece, let turn = piece.turn else { return [] }
    switch event {
    case .audio(turn, let audio):
      state.piece?.hasSound = true
      return [.post(.speechAudio(speech: piece.id, audio: audio))]
    case .generationComplete(turn) where piece.hasSound, .turnComplete(turn, isIdle: true) where piece.hasSound:
      state.piece = nil
      state.hasRead = true
      state.rest = nil
      return [.post(.speechEnded(speech: piece.id))] + (state.isExpiring ? replace(&state) : [])
    case .turnComplete(turn, isIdle: true):
      return retry(&state, "The live model gave no sound for this text.", isWorthIt: true)
    case .interrupted(turn) where piece.hasSound:
      state.piece = nil
      let reason = "The live model was interrupted while it read this."
      return [.silenceSpeaker, .post(.speechFailed(speech: piece.id, reason: reason))]
    case .failed(turn, let reason): return retry(&state, reason, isWorthIt: true)
    default: return []
    }
  }

  /// Try the piece once more on a fresh connection, or give it up.
  private func retry(_ state: inout State, _ reason: String, isWorthIt: Bool) -> [Step] {
    guard var piece = state.piece else { return [] }
    piece.failures += 1
    if isWorthIt, !state.isStopped, piece.failures < LiveLimits.pieceAttempts {
      state.piece = piece
      return replace(&state)
    }
    state.piece = nil
    return [.post(.speechFailed(speech: piece.id, reason: reason))] + (state.link == nil ? [] : replace(&state))
  }
}
