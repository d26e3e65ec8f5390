import VoiceVocabulary

// The Gemini Live protocol numbers no turns; they come in order, which is all there is to tell them apart. So these invent
// the numbers, one value for each connection. Pure.

/// A cancelled turn that was not closed by then never will be: servers have been seen to forget it.
private let forgottenTurn = Duration.milliseconds(3_000)

/// The turns of a listener, which the server begins: what comes until one is closed belongs to it.
struct ServedTurns: Equatable {
  private(set) var current = ModelTurnID(rawValue: 1)
  private var interruptedAt: ContinuousClock.Instant?

  /// Something of the model's voice came. Returns the turn that it is of.
  mutating func turn(at now: ContinuousClock.Instant) -> ModelTurnID {
    if let interruptedAt, interruptedAt.duration(to: now) >= forgottenTurn { next() }
    return current
  }

  /// The current turn was interrupted: what still comes until it is closed is of it.
  mutating func interrupted(at now: ContinuousClock.Instant) -> ModelTurnID {
    interruptedAt = now
    return current
  }

  /// The current turn is closed.
  mutating func closed() -> ModelTurnID {
    defer { next() }
    return current
  }

  private mutating func next() {
    current = ModelTurnID(rawValue: current.rawValue + 1)
    interruptedAt = nil
  }
}

/// The turns of a readout, which it asks for.
///
/// A live model closes a turn late (`turnComplete` waits for the assumed end of playback), so the next one is asked for while
/// the turn before is still open, and a cancelled one may go on arriving.
struct AskedTurns: Equatable {
  private enum Phase: Equatable {
    /// Its sound has all come, or is not wanted any more.
    case over
    /// Asked for, and nothing came of it yet.
    case silent
    case sounding
  }

  private var current = ModelTurnID(rawValue: 0)
  private var before = ModelTurnID(rawValue: 0)
  private var phase = Phase.over
  /// Turns before the current one whose `turnComplete` has not come.
  private var unclosed = 0
  /// The last of them was cut off then, while its sound was coming: what comes until it is closed is of it.
  private var cutAt: ContinuousClock.Instant?

  /// The turn whose sound would come now.
  var speaking: ModelTurnID { phase != .over && cutAt != nil ? before : current }

  /// This turn was asked for.
  mutating func asked(for turn: ModelTurnID) {
    before = current
    current = turn
    phase = .silent
  }

  /// What comes of this turn is of no use any more.
  mutating func cancelled(_ turn: ModelTurnID, at now: ContinuousClock.Instant) {
    guard phase != .over, turn == current else { return }
    end()
    cutAt = now
  }

  /// Sound came. Returns the turn that it is of.
  mutating func sounded(at now: ContinuousClock.Instant) -> ModelTurnID {
    forget(at: now)
    guard phase != .over, cutAt == nil else { return speaking }
    // The turns before had all their sound, so this is of the current one, and they will not be closed any more.
    unclosed = 0
    phase = .sounding
    return current
  }

  /// All sound of a turn was sent.
  mutating func generated(at now: ContinuousClock.Instant) -> ModelTurnID {
    forget(at: now)
    guard phase == .sounding else { return last }
    end()
    return current
  }

  /// A turn was interrupted. A new turn interrupts the one before: only one that has begun to sound was interrupted from
  /// outside.
  mutating func interrupted(at now: ContinuousClock.Instant) -> ModelTurnID {
    forget(at: now)
    guard phase == .sounding else { return last }
    end()
    cutAt = now
    return current
  }

  /// A turn was closed; if it `isIdle`, for good.
  mutating func closed(isIdle: Bool, at now: ContinuousClock.Instant) -> ModelTurnID {
    forget(at: now)
    if unclosed > 0 {
      unclosed -= 1
      if unclosed == 0 { cutAt = nil }
      return last
    }
    if isIdle { phase = .over }
    return current
  }

  /// The turn that whatever is not of one that sounds is of.
  private var last: ModelTurnID { phase == .over ? current : before }

  private mutating func end() {
    phase = .over
    unclosed += 1
  }

  private mutating func forget(at now: ContinuousClock.Instant) {
    guard let cutAt, cutAt.duration(to: now) > forgottenTurn else { return }
    self.cutAt = nil
    unclosed = 0
  }
}
