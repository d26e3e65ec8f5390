internal import VoiceCore

/// The time of a simulated world: an ordered list of what is going to happen. It moves only when somebody asks for the
/// next event, and then straight to it.
final class VirtualTime {
  private struct Entry {
    let time: SessionTime
    let order: Int
    let happen: () -> VoiceEvent?
  }

  private(set) var now = SessionTime.zero
  /// Latest first, so that the next entry is cheap to take.
  private var entries: [Entry] = []
  private var order = 0

  /// Let something happen later. Things of the same moment happen in the order in which they were planned.
  func after(milliseconds: Int, _ happen: @escaping () -> VoiceEvent?) {
    let entry = Entry(time: now.advanced(byMilliseconds: milliseconds), order: order, happen: happen)
    order += 1
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if (entries[middle].time, entries[middle].order) > (entry.time, entry.order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    entries.insert(entry, at: low)
  }

  /// Post an event later.
  func after(milliseconds: Int, _ event: VoiceEvent) { after(milliseconds: milliseconds) { event } }

  /// Move to the next thing that gives an event; nil if nothing is planned any more or the limit is passed.
  func next(limit: SessionTime) -> StampedEvent? {
    while let entry = entries.popLast() {
      now = entry.time
      guard now <= limit else { return nil }
      if let event = entry.happen() { return StampedEvent(time: now, event: event) }
    }
    return nil
  }
}
