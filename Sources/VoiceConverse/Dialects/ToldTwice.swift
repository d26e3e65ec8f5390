import VoiceJSON

/// What is told over several streams in the same order, and counts once. A stream that begins later tells from then on; one that
/// tells something that no other does has told all before it.
struct ToldTwice: Sendable {
  /// What was new, in order, without what fell out at the front.
  private var told: [Int] = []
  private var dropped = 0
  /// How much of it each stream has told; those that have told nothing yet begin at `start`.
  private var places: [Int: Int] = [:]
  private var start = 0

  /// A stream begins: what was told so far does not come over it.
  mutating func beginStream() { start = dropped + told.count }

  /// Whether no other stream has told this.
  mutating func isNew(_ value: JSON, over stream: Int) -> Bool {
    let name = value.hashValue
    let place = max((places[stream] ?? start) - dropped, 0)
    if let index = told[min(place, told.count)...].firstIndex(of: name) {
      places[stream] = dropped + index + 1
      return false
    }
    told.append(name)
    if told.count > 2 * ConverseLimits.eventsTwice {
      told.removeFirst(ConverseLimits.eventsTwice)
      dropped += ConverseLimits.eventsTwice
    }
    places[stream] = dropped + told.count
    return true
  }
}
