package import VoiceVocabulary

/// Whether a person who wants to leave knows what that would lose: he is told, and asks a second time, soon.
package struct QuitConfirmation: Equatable, Sendable, DigestedState {
  /// Nil if he was not asked, or did something else since.
  private var askedAt: SessionTime?

  /// He was told what would be lost.
  package mutating func asked(at now: SessionTime) { askedAt = now }

  /// He did something else: the next time is a first time again.
  package mutating func commandGiven() { askedAt = nil }

  /// Whether he asks a second time.
  package func isConfirmed(at now: SessionTime) -> Bool {
    askedAt.map { now <= $0.advanced(byMilliseconds: Limits.quitConfirmationMilliseconds) } ?? false
  }

  package func fold(into digest: inout StateDigest) { digest.fold(askedAt.map { Int($0.microseconds) + 1 } ?? 0) }
}
