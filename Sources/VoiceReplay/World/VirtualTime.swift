import VoiceCore
import VoiceVocabulary

/// The time of a simulated world: an ordered list of what is going to happen. It moves only when somebody asks for the
/// next event, and then straight to it.
final class VirtualTime {
  private struct Entry {
    let time: SessionTime
    let happen: () -> VoiceEvent?
  }

  private(set) var now = SessionTime.zero
  /// Latest first, so that the next entry is cheap to take.
  private var entries: [Entry] = []

  /// When the next thing is planned.
  var due: SessionTime? { entries.last?.time }

  /// Let something happen later. Things of the same moment happen in the order in which they were planned.
  func at(_ time: SessionTime, _ happen: @escaping () -> VoiceEvent?) {
    let entry = Entry(time: max(now, time), happen: happen)
    // What is planned for the same moment already comes before it.
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time > entry.time {
        low = middle + 1
      } else {
        high = middle
      }
    }
    entries.insert(entry, at: low)
  }

  /// Something happens so much later than now; nil is nothing that the session sees.
  func after(milliseconds: Int, _ happen: @escaping () -> VoiceEvent?) {
    at(now.advanced(byMilliseconds: milliseconds), happen)
  }

  /// Post an event later.
  func after(milliseconds: Int, _ event: VoiceEvent) { after(milliseconds: milliseconds) { event } }

  /// Move to the next thing that gives an event; nil if nothing is planned up to the limit.
  func next(limit: SessionTime) -> StampedEvent? {
    while let due, due <= limit, let entry = entries.popLast() {
      now = entry.time
      if let event = entry.happen() { return StampedEvent(time: now, event: event) }
    }
    return nil
  }

  /// Nothing that is planned happens any more.
  func end() { entries = [] }

  /// Real time passed while nothing was planned.
  func advance(to time: SessionTime) {
    precondition(due.map { $0 >= time } ?? true, "time would pass over what is planned")
    now = max(now, time)
  }
}
