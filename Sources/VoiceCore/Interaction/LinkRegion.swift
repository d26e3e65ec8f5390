package import VoiceVocabulary

/// The listener's connection to the live model.
package struct LinkRegion: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    /// Before the session started. Exits: `opening`.
    case idle
    /// Connecting and setting up. Exits: `open` (ready), `waiting` (closed, worth another attempt), `closed`.
    ///
    /// The error that the server told of in place of a setup; it may still close, and say more.
    case opening(ConnectionID, error: String?)
    /// Exits: `opening` (rotated before an announced cut), `waiting` (cut, or rotated too often), `closed`.
    case open(ConnectionID, Lease)
    /// Between two attempts. Exits: `opening` (the reconnect timer fired).
    case waiting(resuming: Bool)
    /// Given up. No exits: the session ends.
    case closed
  }

  /// How long an open connection may be kept.
  private struct Lease: Equatable, Sendable {
    enum Term: Equatable, Sendable {
      /// Exits: `ending` (the server announced a cut).
      case open
      /// The connection is left in a pause, once the conversation is resumable. No exits.
      case ending
    }

    var term = Term.open
    /// Whether the conversation can be resumed from here on another connection.
    var isResumable = false
    /// The errors that the server told of.
    var errors: [String] = []
  }

  private var state = State.idle

  /// The connection that may be sent to.
  package var openConnection: ConnectionID? {
    if case .open(let connection, _) = state { connection } else { nil }
  }

  /// The connection whose events count.
  package var currentConnection: ConnectionID? {
    switch state {
    case .opening(let connection, _), .open(let connection, _): connection
    case .idle, .waiting, .closed: nil
    }
  }

  /// The connection that the server will cut, and whose conversation can be resumed on another; nil if there is none.
  package var movableConnection: ConnectionID? {
    if case .open(let connection, let lease) = state, lease.term == .ending, lease.isResumable {
      connection
    } else {
      nil
    }
  }

  /// Whether the next connection resumes the conversation; nil unless one is waited for.
  package var awaitsResuming: Bool? {
    if case .waiting(let resuming) = state { resuming } else { nil }
  }

  /// Whether this connection is being made.
  package func isOpening(_ connection: ConnectionID) -> Bool {
    if case .opening(connection, _) = state { true } else { false }
  }

  /// The error that came in place of a setup; nil if none did.
  var setupError: String? { if case .opening(_, let error) = state { error } else { nil } }

  /// A connection is being made.
  package mutating func opens(_ connection: ConnectionID) { state = .opening(connection, error: nil) }

  /// A connection was set up. Returns whether it is the one that is being made.
  package mutating func ready(_ connection: ConnectionID) -> Bool {
    guard isOpening(connection) else { return false }
    state = .open(connection, Lease())
    return true
  }

  /// The server will cut a connection. Returns whether the conversation can be resumed from here; nil if the connection is
  /// not the current one.
  package mutating func expires(_ connection: ConnectionID) -> Bool? {
    change(connection) { lease in
      lease.term = .ending
      return lease.isResumable
    }
  }

  /// Whether the conversation can be resumed from here has changed. Returns false if the connection is not the current one.
  package mutating func resumptionChanged(_ connection: ConnectionID, isPossible: Bool) -> Bool {
    change(connection) { $0.isResumable = isPossible } != nil
  }

  /// The server tells of an error. Returns whether the user is to be told: of each once, and not of more than a few; while the
  /// connection is being made, of one.
  package mutating func erred(_ reason: String) -> Bool {
    if case .opening(let connection, let error) = state {
      state = .opening(connection, error: error ?? reason)
      return error == nil
    }
    return change { lease in
      guard lease.errors.count < Limits.toldErrors, !lease.errors.contains(reason) else { return false }
      lease.errors.append(reason)
      return true
    } ?? false
  }

  /// There is no connection, and another will be tried.
  package mutating func waits(resuming: Bool) { state = .waiting(resuming: resuming) }

  /// No other connection is tried.
  package mutating func gaveUp() { state = .closed }

  /// - Parameter connection: nil for whichever is open.
  private mutating func change<Result>(
    _ connection: ConnectionID? = nil, _ change: (inout Lease) -> Result
  ) -> Result? {
    guard case .open(let open, var lease) = state, connection == nil || connection == open else { return nil }
    defer { state = .open(open, lease) }
    return change(&lease)
  }
}

/// Attempts to connect, and how long to wait between them.
package struct ReconnectBackoff: Equatable, Sendable {
  /// Failures in a row without a good connection in between.
  private var failures = 0
  private var readyAt: SessionTime?
  /// Whether any connection was ever set up.
  package var wasEverReady: Bool { readyAt != nil }
  /// When the live model last showed that it hears.
  package private(set) var lastSign = SessionTime.zero
  package private(set) var renewal = Renewal.none
  /// Whether the user was told, since he was last served, that nothing was made of what he may have said.
  private var toldOfNothing = false

  /// What was done about a live model that does not react.
  package enum Renewal: Equatable, Sendable {
    /// Exits: `tried` (it does not react).
    case none
    /// A new connection was made. Exits: `none` (it reacts), `inVain` (it still does not, and the user was told).
    case tried
    /// Exits: `none` (it reacts).
    case inVain
  }

  /// A connection was set up, which does not show yet that it is a good one.
  package mutating func becameReady(at now: SessionTime) {
    readyAt = now
  }

  /// The live model said something about what it hears.
  package mutating func gaveSign(at now: SessionTime) {
    lastSign = now
    renewal = .none
  }

  /// What it showed so far says nothing about what is sent again.
  package mutating func forgetSigns() { lastSign = .zero }

  /// What the user said was answered: later failures start from zero. A server that serves nobody stays a failure, however
  /// alive it looks.
  package mutating func servedUser() { (failures, toldOfNothing) = (0, false) }

  /// An open connection is left. One that had lasted was a good one.
  package mutating func left(at now: SessionTime) {
    guard let readyAt, now >= readyAt.advanced(byMilliseconds: Limits.provedConnectionMilliseconds) else { return }
    failures = 0
  }

  /// The live model does not react, and a new connection is made.
  package mutating func renewing() { renewal = .tried }

  /// It still does not react. Returns whether the user has yet to be told.
  package mutating func renewedInVain() -> Bool {
    defer { renewal = .inVain }
    return renewal != .inVain
  }

  /// It made nothing of what was heard. Returns whether the user has yet to be told.
  package mutating func madeNothing() -> Bool {
    defer { toldOfNothing = true }
    return !toldOfNothing
  }

  /// Count a failure that may heal. The wait before the next attempt in milliseconds; nil if there should be none.
  ///
  /// A server that was never reached is given two attempts only: at the start, a person waits for the error. One that was
  /// there and slow, or that was reached before, is given some more; and a session that has something to lose goes on
  /// trying for as long as that is so.
  ///
  /// - Parameter wasRotated: whether the connection was only left before an announced cut; the first time, there is nothing
  ///   to wait for.
  package mutating func failed(wasSlow: Bool, wasRotated: Bool = false, hasSomethingToLose: Bool) -> Int? {
    failures += 1
    let attempts = wasEverReady || wasSlow ? Limits.connectionAttempts : Limits.firstConnectionAttempts
    guard hasSomethingToLose || failures < attempts else { return nil }
    if wasRotated, failures == 1 { return 0 }
    // Beyond that every wait is the longest one.
    let doublings = min(failures - 1, 16)
    return min(Limits.firstRetryMilliseconds << doublings, Limits.longestRetryMilliseconds)
  }
}

extension LinkRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch state {
    case .idle: digest.fold(0)
    case .opening(let connection, let error): digest.fold(1, connection, error)
    case .open(let connection, let lease):
      digest.fold(lease.term == .ending ? (lease.isResumable ? 8 : 4) : (lease.isResumable ? 2 : 3), connection)
      digest.fold(lease.errors)
    case .waiting(let resuming): digest.fold(resuming ? 5 : 6)
    case .closed: digest.fold(7)
    }
  }
}

extension ReconnectBackoff: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(
      failures, readyAt, wasEverReady, lastSign, renewal == .none ? 0 : renewal == .tried ? 1 : 2, toldOfNothing)
  }
}
