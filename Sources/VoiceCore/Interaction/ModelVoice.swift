package import VoiceVocabulary

/// The listener's own voice: it may ask back or make small talk while nothing else has the floor.
package struct ModelVoice: Equatable, Sendable {
  private enum State: Equatable, Sendable {
    /// Exits: `speaking` (first sound of a turn, nothing else speaks), `ignored` (something else speaks).
    case silent
    /// Exits: `silent` (turn over), `ignored` (cut, or too long).
    case speaking(SpeechID, samples: Int, hasProgress: Bool)
    /// Sound of this turn is dropped. Exits: `silent` (turn over).
    case ignored
  }

  /// What becomes of sound.
  package enum Sound: Equatable, Sendable {
    case plays(SpeechID)
    /// The turn is longer than it may be: what came of it plays to its end.
    case exceedsLimit
    /// This turn was cut, or something else had the floor when it began.
    case ignored
  }

  /// A turn that was played, at least its beginning.
  private struct Played: Equatable, Sendable {
    let speech: SpeechID
    let turn: ModelTurnID
  }

  private var state = State.silent
  /// The newest of them on this connection; nil where the model's turns are not numbered.
  private var played: Played?

  /// The number under which it speaks; nil if it does not.
  package var speech: SpeechID? {
    if case .speaking(let id, _, _) = state { id } else { nil }
  }

  /// Whether no turn goes on.
  package var isSilent: Bool { state == .silent }

  /// A turn begins with sound: to be played under this number, or ignored if that is nil.
  mutating func began(as id: SpeechID?, in turn: ModelTurnID? = nil) {
    precondition(isSilent, "a turn begins within another")
    if let id, let turn { played = Played(speech: id, turn: turn) }
    state = id.map { .speaking($0, samples: 0, hasProgress: false) } ?? .ignored
  }

  /// Sound of the turn came.
  mutating func spoke(sampleCount: Int) -> Sound {
    guard case .speaking(let id, let samples, _) = state else { return .ignored }
    state = .speaking(id, samples: samples + sampleCount, hasProgress: true)
    return samples + sampleCount <= Limits.modelVoiceSamples ? .plays(id) : .exceedsLimit
  }

  /// Whether sound came since this was asked last.
  mutating func takeProgress() -> Bool {
    guard case .speaking(let id, let samples, let hasProgress) = state else { return false }
    state = .speaking(id, samples: samples, hasProgress: false)
    return hasProgress
  }

  /// The rest of the turn is not heard. Returns its number if it was speaking; a silent one stays silent.
  mutating func cut() -> SpeechID? {
    guard let speech else { return nil }
    state = .ignored
    return speech
  }

  /// This piece was cut. Returns the turn that it was, once.
  mutating func takeTurn(of id: SpeechID) -> ModelTurnID? {
    guard let played, played.speech == id else { return nil }
    self.played = nil
    return played.turn
  }

  /// The connection is over, and its turns with it.
  mutating func forgetTurn() { played = nil }

  /// The turn is over. Returns its number if it was speaking.
  mutating func ended() -> SpeechID? {
    defer { state = .silent }
    return speech
  }
}

extension ModelVoice: DigestedState {
  package func fold(into digest: inout StateDigest) {
    switch state {
    case .silent: digest.fold(0)
    case .ignored: digest.fold(-1)
    case .speaking(let speech, let samples, let hasProgress): digest.fold(speech, samples, hasProgress)
    }
    guard let played else { return }
    digest.fold(played.speech, played.turn)
  }
}
