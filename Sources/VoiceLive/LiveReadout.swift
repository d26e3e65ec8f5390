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
  /// Characters that are told of an error.
  static let errorCharacters = 256
  /// Calls that wait for an answer on one connection; a model that asks for more has gone astray.
  static let openCalls = 64
}

/// Speaks text by a live model on a connection of its own, without a microphone.
///
/// Connects when it is made, so that the first piece does not wait, and again whenever the connection is cut. Called by
/// the session's steps; events are posted by the service thread.
package final class LiveReadout: ReadoutPort, Sendable {
  private struct Piece {
    enum Phase {
      /// For a connection that can read it.
      case waiting
      /// Sent, to be read in this turn.
      case asked(ModelTurnID)
      /// Its first sound has come.
      case sounding(ModelTurnID)
    }

    var id: SpeechID
    var text: String
    var phase = Phase.waiting
    /// Connections that did not speak it.
    var failures = 0
    var since: ContinuousClock.Instant

    /// The turn in which it is read.
    var turn: ModelTurnID? {
      switch phase {
      case .waiting: nil
      case .asked(let turn), .sounding(let turn): turn
      }
    }

    var hasSound: Bool { if case .sounding = phase { true } else { false } }
  }

  /// From when it was asked for, until it is closed or left.
  private struct Connection {
    enum Phase {
      /// → ready, expiring.
      case settingUp
      /// → expiring.
      case ready
      /// The server will cut it: it is left after the current piece.
      case expiring
    }

    let link: LiveLink
    let since: ContinuousClock.Instant
    var phase = Phase.settingUp
    /// Whether it has read something.
    var hasRead = false
  }

  private enum Line {
    /// Nobody needs one, or it was closed. → up, stopped.
    case down
    /// → down, stopped, and another one.
    case up(Connection)
    /// For good.
    case stopped

    var connection: Connection? { if case .up(let connection) = self { connection } else { nil } }

    mutating func update(_ change: (inout Connection) -> Void) {
      guard case .up(var connection) = self else { return }
      change(&connection)
      self = .up(connection)
    }
  }

  /// Servers that take connections and serve nobody are not asked for each piece anew.
  private struct Rest {
    /// Pieces in a row that were given up because of it.
    var failedPieces: Int
    var reason: String
    var end: ContinuousClock.Instant
  }

  private struct State {
    var line = Line.down
    /// Over all connections.
    var connectionCount = 0
    /// Turns that were asked for, over all connections.
    var turnCount = 0
    var piece: Piece?
    /// Why it does not try to read before this moment; nil if it does.
    var rest: Rest?
    /// Over all connections.
    var inputTokens = 0
    var outputTokens = 0
  }

  private enum Effect: Sendable {
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
  private let state = OrderedEffects<State, Effect>(State())

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
    step { connect(&$0) }
  }

  package func speak(_ text: String, as speech: SpeechID) {
    step { state in
      precondition(state.piece == nil, "a readout was asked for two pieces at once")
      if let rest = state.rest, now() < rest.end {
        return [.post(.speechFailed(speech: speech, reason: rest.reason))]
      }
      state.piece = Piece(id: speech, text: text, since: now())
      return advance(&state)
    }
  }

  package func cancelSpeech(_ speech: SpeechID) {
    step { state in
      guard let piece = state.piece, piece.id == speech else { return [] }
      state.piece = nil
      guard let connection = state.line.connection else { return [] }
      let isWedged = piece.since.duration(to: now()) >= .milliseconds(LiveLimits.wedgedMilliseconds)
      if isWedged, !piece.hasSound { return connect(&state) }
      if case .expiring = connection.phase { return connect(&state) }
      return piece.turn.map { [.send(connection.link, .hush(turn: $0))] } ?? []
    }
  }

  /// Close the connection for good; what is being read has failed.
  package func stop() {
    step { state in
      let link = state.line.connection?.link
      state.line = .stopped
      return giveUp(&state, Self.stopped) + (link.map { [.close($0)] } ?? [])
    }
  }

  private static let stopped = "The readout was stopped."

  private func step(by source: EffectSource = .caller, _ decide: (inout State) -> [Effect]) {
    state.step(by: source, decide) { effect in
      switch effect {
      case .post(let event): post(event)
      case .send(let link, let command): link.send(command)
      case .close(let link): link.close()
      case .connect(let link): link.open(on: service, setup: { [setup] in setup }, handle: nil)
      case .silenceSpeaker: if let connection = listener() { post(.modelInterrupted(connection: connection)) }
      }
    }
  }

  // What follows changes the state under its lock, and says what is to be done.

  /// Make a new connection, and leave the one there is. Nothing is resumed, so they may overlap.
  private func connect(_ state: inout State) -> [Effect] {
    let old = state.line.connection?.link
    state.connectionCount += 1
    let tap = tap?.connection(state.connectionCount)
    let link = LiveLink(endpoint: endpoint, isResuming: false, tap: tap, now: now) { [self] link, event in
      step(by: .reader) { receive(event, from: link, &$0) }
    }
    state.line = .up(Connection(link: link, since: now()))
    state.piece?.phase = .waiting
    return (old.map { [.close($0)] } ?? []) + [.connect(link)]
  }

  /// Send the piece if it can be sent; connect if that is what is missing.
  private func advance(_ state: inout State) -> [Effect] {
    guard let piece = state.piece, case .waiting = piece.phase else { return [] }
    switch state.line {
    case .stopped: return giveUp(&state, Self.stopped)
    case .down: return connect(&state)
    case .up(let connection):
      switch connection.phase {
      case .settingUp: return []
      case .expiring: return connect(&state)
      case .ready:
        state.turnCount += 1
        let turn = ModelTurnID(rawValue: state.turnCount)
        state.piece?.phase = .asked(turn)
        return [.send(connection.link, .speak(piece.text, turn: turn))]
      }
    }
  }

  private func receive(_ event: LiveLink.Event, from link: LiveLink, _ state: inout State) -> [Effect] {
    guard let connection = state.line.connection, connection.link === link else { return [] }
    switch event {
    case .spoke(.setUp):
      state.line.update { if case .settingUp = $0.phase { $0.phase = .ready } }
      return advance(&state)
    case .spoke(.goAway):
      state.line.update { $0.phase = .expiring }
      // One that goes away as soon as it came is replaced when there is something to say.
      return state.piece == nil && hasServed(connection) ? connect(&state) : []
    case .spoke(.usage(let input, let output)):
      state.inputTokens = state.inputTokens.addingSaturated(input)
      state.outputTokens = state.outputTokens.addingSaturated(output)
      return [.post(.readoutUsage(inputTokens: state.inputTokens, outputTokens: state.outputTokens))]
    case .spoke(let event):
      return receive(event, &state)
    case .closed(let failure):
      state.line = .down
      return closed(connection, failure, &state)
    }
  }

  private func closed(_ connection: Connection, _ failure: LinkFailure, _ state: inout State) -> [Effect] {
    let isWorthIt = failure.remedy != .giveUp
    let hasServed = hasServed(connection)
    guard state.piece != nil else {
      // A connection that had worked is renewed at once, so that the next piece does not wait; one that had not, or
      // not for long, is tried again when there is something to say.
      if case .settingUp = connection.phase { return [] }
      return hasServed && isWorthIt ? connect(&state) : []
    }
    let effects = retry(&state, failure.reason, isWorthIt: isWorthIt)
    if state.piece == nil, !hasServed { rest(&state, failure.reason) }
    return effects
  }

  private func rest(_ state: inout State, _ reason: String) {
    let failedPieces = (state.rest?.failedPieces ?? 0) + 1
    let wait = Duration.milliseconds(LiveLimits.restMilliseconds(failedPieces: failedPieces))
    state.rest = Rest(failedPieces: failedPieces, reason: reason, end: now().advanced(by: wait))
  }

  /// Whether the connection was good for something: it has lasted, or read something.
  private func hasServed(_ connection: Connection) -> Bool {
    connection.hasRead
      || connection.since.duration(to: now()) > .milliseconds(LiveLimits.shortestLifeMilliseconds)
  }

  /// What an event means for the current piece; whatever is of another turn means nothing.
  private func receive(_ event: DialectEvent, _ state: inout State) -> [Effect] {
    guard let piece = state.piece, let turn = piece.turn else { return [] }
    switch event {
    case .audio(turn, let audio):
      state.piece?.phase = .sounding(turn)
      return [.post(.speechAudio(speech: piece.id, audio: audio))]
    case .generationComplete(turn) where piece.hasSound, .turnComplete(turn, isIdle: true) where piece.hasSound:
      state.piece = nil
      state.rest = nil
      state.line.update { $0.hasRead = true }
      let isExpiring = if case .expiring? = state.line.connection?.phase { true } else { false }
      return [.post(.speechEnded(speech: piece.id))] + (isExpiring ? connect(&state) : [])
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
  private func retry(_ state: inout State, _ reason: String, isWorthIt: Bool) -> [Effect] {
    state.piece?.failures += 1
    if isWorthIt, let failures = state.piece?.failures, failures < LiveLimits.pieceAttempts { return connect(&state) }
    return giveUp(&state, reason) + (state.line.connection == nil ? [] : connect(&state))
  }

  private func giveUp(_ state: inout State, _ reason: String) -> [Effect] {
    state.piece.take().map { [.post(.speechFailed(speech: $0.id, reason: reason))] } ?? []
  }
}
