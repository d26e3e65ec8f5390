package import VoiceVocabulary

/// Whether the user can be told from the program's own voice, beside a loudspeaker.
package struct EchoRegion: Equatable, Sendable {
  /// Whether the user is heard while the program speaks; nil where nothing but the user can be heard, as in a recording.
  package private(set) var duplex: Duplex?
  private var toldDuplex: Set<Duplex> = []
  /// Until when the echo counts as unknown, though it is known again; nil if it never was unknown.
  private var doubtedUntil: SessionTime?
  /// How long an echo is doubted that was found, if longer than at first: it is once one was lost.
  private var doubtMilliseconds = 0
  /// When the program's own words were last taken from the microphone; nil if they never were.
  private var ownWordsAt: SessionTime?
  /// Whether the detector at the microphone hears the user.
  package private(set) var isVoiceActive = false
  /// When that detector last told, beside a loudspeaker, that the user begins or ends; nil if it did not since the program spoke.
  private var vadHeardAt: SessionTime?

  /// Returns whether the user is to be told: the first time, of each.
  package mutating func duplexChanged(_ duplex: Duplex, at now: SessionTime) -> Bool {
    switch (self.duplex, duplex) {
    case (.unknown, _):
      doubtedUntil = now.advanced(byMilliseconds: max(doubtMilliseconds, Limits.echoFoundMilliseconds))
    case (.some, .unknown): doubtMilliseconds = Limits.echoSteadyMilliseconds
    default: break
    }
    self.duplex = duplex
    return toldDuplex.insert(duplex.told).inserted
  }

  /// Whether it is unknown how the echo comes back, or was at some time since this moment, or just before, or the echo was lost
  /// not long before: a sound server that has skipped skips again.
  package func isUnknown(since moment: SessionTime) -> Bool {
    duplex == .unknown || doubtedUntil.map { $0 > moment } ?? false
  }

  /// Words of the program itself came in, whatever the cancellers say: more of them may.
  package mutating func ownWordsHeard(at now: SessionTime) {
    guard duplex != nil else { return }
    ownWordsAt = now
    doubtMilliseconds = Limits.echoSteadyMilliseconds
    doubtedUntil = now.advanced(byMilliseconds: doubtMilliseconds)
  }

  /// Whether the program's own words came in just before.
  package func hasHeardOwnWords(at now: SessionTime) -> Bool {
    ownWordsAt.map { $0.advanced(byMilliseconds: Limits.echoMemoryMilliseconds) > now } ?? false
  }

  /// The detector at the microphone heard the user, or heard him end.
  package mutating func vadDecided(isActive: Bool, at now: SessionTime) {
    isVoiceActive = isActive
    if duplex != nil { vadHeardAt = now }
  }

  /// The program begins to speak: what the detector told before was about another utterance.
  package mutating func forgetVAD() { vadHeardAt = nil }

  /// Whether the detector at the microphone heard somebody near speak just now.
  package func wasUserDetected(at now: SessionTime) -> Bool {
    isVoiceActive
      || vadHeardAt.map { $0.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds) > now } ?? false
  }
}

extension Duplex {
  /// As the user is told of it.
  fileprivate var told: Duplex {
    switch self {
    case .unknown: .half
    case .noEcho: .full
    case .half, .full, .drowned: self
    }
  }
}

extension EchoRegion: DigestedState {
  package func fold(into digest: inout StateDigest) {
    digest.fold(duplex?.rawValue, isVoiceActive, vadHeardAt, ownWordsAt, doubtedUntil, doubtMilliseconds)
    digest.foldUnordered(toldDuplex.map(\.rawValue))
  }
}
