/// The listener's connection to the live model.
package enum LinkRegion: Equatable, Sendable {
  /// Before the session started. Exits: `opening`.
  case idle
  /// Connecting and setting up. Exits: `open` (ready), `waiting` (closed, worth another attempt), `closed`.
  case opening(ConnectionID)
  /// Exits: `opening` (rotated before an announced cut), `waiting` (cut, or rotated too often), `closed`.
  case open(ConnectionID, Lease)
  /// Between two attempts. Exits: `opening` (the reconnect timer fired).
  case waiting(resuming: Bool)
  /// Given up. No exits: the session ends.
  case closed

  /// How long an open connection may be kept.
  package enum Lease: Equatable, Sendable {
    case steady(resumable: Bool)
    /// The server announced a cut: the connection is left in a pause, once the conversation can be resumed from here.
    case expiring(resumable: Bool)
  }

  /// The connection that may be sent to.
  package var openConnection: ConnectionID? {
    if case .open(let connection, _) = self { return connection }
    return nil
  }

  /// The connection whose events count.
  package var currentConnection: ConnectionID? {
    switch self {
    case .opening(let connection), .open(let connection, _): connection
    case .idle, .waiting, .closed: nil
    }
  }
}

/// Attempts to connect, and how long to wait between them.
package struct LinkAttempts: Equatable, Sendable {
  /// Failures in a row without a good connection in between.
  private var failures = 0
  private var readyAt: SessionTime?
  package var everReady: Bool { readyAt != nil }
  /// When the live model last showed that it hears.
  package private(set) var lastSign = SessionTime.zero
  package private(set) var renewal = Renewal.none

  /// What was done about a live model that does not react.
  package enum Renewal: Equatable, Sendable {
    /// Exits: `tried` (it does not react).
    case none
    /// It was connected to anew. Exits: `none` (it reacts), `inVain` (it still does not, and the user was told).
    case tried
    /// Exits: `none` (it reacts).
    case inVain
  }

  package init() {}

  package mutating func becameReady(at now: SessionTime) {
    readyAt = now
  }

  /// The live model said something about what it hears.
  package mutating func gaveSign(at now: SessionTime) {
    lastSign = now
    renewal = .none
  }

  /// What the user said was answered: later failures start from zero. A server that serves nobody stays a failure, however
  /// alive it looks.
  package mutating func servedUser() { failures = 0 }

  /// An open connection is left. One that had lasted was a good one.
  package mutating func left(at now: SessionTime) {
    guard let readyAt, now >= readyAt.advanced(byMilliseconds: Limits.provedConnectionMilliseconds) else { return }
    failures = 0
  }

  /// The live model does not react, and is connected to anew.
  package mutating func renewing() { renewal = .tried }

  /// It still does not react. Returns whether the user has yet to be told.
  package mutating func renewedInVain() -> Bool {
    defer { renewal = .inVain }
    return renewal != .inVain
  }

  /// Count a failure that may heal. The wait before the next attempt in milliseconds; nil if there should be none.
  ///
  /// A server that was never reached is given two attempts only: at the start, a person waits for the error. One that was
  /// there and slow, or that was reached before, is given some more; and a session that has something to lose goes on
  /// trying for as long as that is so.
  ///
  /// - Parameter wasRotated: whether the connection was only left before an announced cut; the first time, there is nothing
  ///   to wait for.
  package mutating func failed(wasSlow: Bool, wasRotated: Bool = false, isMissed: Bool) -> Int? {
    failures += 1
    guard isMissed || failures < (everReady || wasSlow ? Limits.connectionAttempts : 2) else { return nil }
    if wasRotated, failures == 1 { return 0 }
    // Beyond that every wait is the longest one.
    let doublings = min(failures - 1, 16)
    return min(Limits.firstRetryMilliseconds << doublings, Limits.longestRetryMilliseconds)
  }
}

extension LinkRegion: DigestedState {
  func fold(into digest: inout StateDigest) {
    switch self {
    case .idle: digest.fold(0)
    case .opening(let connection):
      digest.fold(1)
      digest.fold(connection.rawValue)
    case .open(let connection, let lease):
      switch lease {
      case .steady(let resumable): digest.fold(resumable ? 2 : 3)
      case .expiring(let resumable): digest.fold(resumable ? 8 : 4)
      }
      digest.fold(connection.rawValue)
    case .waiting(let resuming): digest.fold(resuming ? 5 : 6)
    case .closed: digest.fold(7)
    }
  }
}

extension LinkAttempts: DigestedState {
  func fold(into digest: inout StateDigest) {
    digest.fold(failures)
    digest.fold(Int((readyAt ?? .zero).microseconds))
    digest.fold(everReady)
    digest.fold(Int(lastSign.microseconds))
    digest.fold(renewal == .none ? 0 : renewal == .tried ? 1 : 2)
  }
}
