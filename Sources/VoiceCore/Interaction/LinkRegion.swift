/// The listener's connection to the live model.
package enum LinkRegion: Equatable, Sendable {
  /// Before the session started. Exits: `opening`.
  case idle
  /// Connecting and setting up. Exits: `open` (ready), `waiting` (closed, worth another attempt), `closed`.
  case opening(ConnectionID)
  /// Exits: `opening` (rotated before an announced cut), `waiting` (cut), `closed`.
  case open(ConnectionID, Lease)
  /// Between two attempts. Exits: `opening` (the reconnect timer fired).
  case waiting(resuming: Bool)
  /// Given up. No exits: the session ends.
  case closed

  /// How long an open connection may be kept.
  package enum Lease: Equatable, Sendable {
    case steady(resumable: Bool)
    /// The server announced a cut, and the conversation cannot be resumed from here yet.
    case expiring
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
  /// Failures in a row without a sign of life in between.
  private var failures = 0
  package private(set) var everReady = false

  package init() {}

  /// The conversation is alive: later failures start from zero.
  package mutating func provedAlive() { failures = 0 }

  package mutating func becameReady() { everReady = true }

  /// Count a failure that may heal. The wait before the next attempt in milliseconds; nil if there should be none.
  ///
  /// A server that was never reached is given two attempts only: at the start, a person waits for the error. One that was
  /// there and slow, or that was reached before, is given some more; and a session that has something to lose goes on
  /// trying for as long as that is so.
  package mutating func failed(wasSlow: Bool, isMissed: Bool) -> Int? {
    failures += 1
    guard isMissed || failures < (everReady || wasSlow ? Limits.connectionAttempts : 2) else { return nil }
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
      case .expiring: digest.fold(4)
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
    digest.fold(everReady)
  }
}
