import VoiceVocabulary

/// Whether the user interrupts what is being said: the voice is lowered at the first sound, and half a second shows the rest.
package struct Interruption: Equatable, Sendable {
  private enum State: Int, Equatable, Sendable {
    /// Exits: `suspected` (somebody made a sound).
    case none
    /// Playback is lowered. Exits: `doubted` (the sound was short), `none` (words, or still speaking: a barge-in).
    case suspected
    /// Playback is lowered. Exits: `dismissed` (still silent: it goes on), `none` (words: a barge-in).
    case doubted
    /// It was taken for nothing. Exits: `none` (words after all: a barge-in; or nothing came of it), `suspected`.
    case dismissed
  }

  private var state = State.none

  /// Whether words that come now may be one.
  package var isPossible: Bool { state != .none }

  /// Whether it was taken for nothing, and no words have come of it since.
  package var isDismissed: Bool { state == .dismissed }

  /// Whether the voice is lowered, until it is decided.
  package var isLowered: Bool { state == .suspected || state == .doubted }

  /// Somebody makes a sound. Returns whether the voice is to be lowered for it, and decided about soon.
  package mutating func suspected() -> Bool {
    guard !isLowered else { return false }
    state = .suspected
    return true
  }

  /// The sound was short so far: it may have been a cough.
  package mutating func doubted() { if state == .suspected { state = .doubted } }

  /// The time to tell is over. Returns whether it is one: a user who still makes a sound means it.
  package mutating func isDecided() -> Bool {
    precondition(isLowered, "an interruption is decided that nobody suspects")
    if state == .doubted { state = .dismissed }
    return state == .suspected
  }

  /// What was taken for nothing came to nothing.
  package mutating func cameToNothing() { if state == .dismissed { state = .none } }

  /// The speech was cut, or is over: the matter is settled. Returns whether the voice was lowered for it.
  @discardableResult package mutating func settled() -> Bool {
    defer { state = .none }
    return isLowered
  }
}

extension Interruption: DigestedState {
  func fold(into digest: inout StateDigest) { digest.fold(state.rawValue) }
}
