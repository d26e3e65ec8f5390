/// What the microphone has to say to the live model, kept until it was answered.
///
/// Sound that was sent but not answered is kept for a while, because a connection may be cut in the middle of an
/// utterance: on the next connection all of it is sent again, so that nothing said is lost.
package struct UnansweredSound: Equatable, Sendable {
  package enum Item: Equatable, Sendable {
    case activityStart
    case frame(MicrophoneFrame)
    case activityEnd
  }

  private var items: [Item] = []
  /// How many of `items` went out on the current connection.
  private var sentCount = 0

  package init() {}

  /// Whether something was never sent, on any connection that is still there.
  package var hasUnsent: Bool { sentCount < items.count }

  /// Add an item that cannot be sent now. Returns whether older sound had to be dropped for it.
  package mutating func keep(_ item: Item) -> Bool {
    items.append(item)
    return dropOldest(over: Limits.backlogFrames)
  }

  /// Add an item that is being sent now.
  package mutating func keepSent(_ item: Item) {
    precondition(!hasUnsent, "an item overtakes those before it")
    items.append(item)
    _ = dropOldest(over: Limits.unansweredFrames)
    sentCount = items.count
  }

  /// Everything to be sent on a new connection.
  package mutating func takeAll() -> [Item] {
    sentCount = items.count
    return items
  }

  /// The connection is gone: what it was sent counts as unsent.
  package mutating func connectionLost() { sentCount = 0 }

  /// The live model has dealt with what it heard: forget it. Where nothing marks the end of the utterance, the last half
  /// second is kept, in which the user may have gone on speaking.
  package mutating func answered() {
    guard !hasUnsent else { return }
    if let end = items.lastIndex(of: .activityEnd) {
      items.removeFirst(end + 1)
    } else if !items.contains(.activityStart) {
      items.removeFirst(max(0, items.count - Limits.prerollFrames))
    }
    sentCount = items.count
  }

  private mutating func dropOldest(over limit: Int) -> Bool {
    // A tenth at a time, so that dropping costs little per frame.
    guard items.count > limit + limit / 10 else { return false }
    let excess = items.count - limit
    items.removeFirst(excess)
    sentCount = max(0, sentCount - excess)
    return true
  }
}

extension UnansweredSound: DigestedState {
  /// By its ends: a minute of frames is too much to go through at every step.
  func fold(into digest: inout StateDigest) {
    digest.fold(items.count)
    digest.fold(sentCount)
    digest.fold(items.first)
    digest.fold(items.last)
  }
}

extension UnansweredSound.Item: DigestedState {
  func fold(into digest: inout StateDigest) {
    switch self {
    case .activityStart: digest.fold(-1)
    case .frame(let frame): digest.fold(frame.position)
    case .activityEnd: digest.fold(-2)
    }
  }
}
