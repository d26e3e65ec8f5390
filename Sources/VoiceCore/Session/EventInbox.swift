/// An event with the moment at which it entered the one serial order.
package struct StampedEvent: Sendable {
  package var time: SessionTime
  package var event: VoiceEvent

  package init(time: SessionTime, event: VoiceEvent) {
    self.time = time
    self.event = event
  }
}

/// Where a session's events come from: the real inbox, or a simulated world.
package protocol EventSource {
  /// The next event; nil when nothing can ever happen any more.
  func next() async -> StampedEvent?
}

/// The real, bounded inbox: any thread posts, one task takes. Events are stamped as they enter, so that order and time
/// agree.
///
/// Over the limit, microphone frames are dropped (their positions show the gap) and every other event is still taken:
/// sound can be missed, a decision cannot.
package final class EventInbox: EventSource, Sendable {
  private struct State {
    var events: [StampedEvent] = []
    var taken = 0
    /// Resumed exactly once: whoever resumes it takes it out first. Checking that would cost as much as a small step.
    var waiter: UnsafeContinuation<StampedEvent?, Never>?
    var isFinished = false
  }

  private let state = Locked(State())
  private let start = ContinuousClock.now

  /// Where the task that takes from this inbox should run, so that `postHere` saves a change of threads. To be preferred
  /// by that task alone.
  package let executor = PosterExecutor()

  package init() {}

  /// The time since the inbox was made; any thread.
  package var now: SessionTime { SessionTime(microseconds: start.duration(to: .now).microseconds) }

  /// Append an event; any thread, never blocks for long. The task wakes on a thread of the pool.
  package func post(_ event: VoiceEvent) {
    if let (waiter, stamped) = accept(event) { waiter.resume(returning: stamped) }
  }

  /// Append an event and, if the task waits and prefers `executor`, take its step right here before returning: sound,
  /// which comes a hundred times a second, then costs no waking of another thread. To be called by threads that may
  /// be kept for the length of a step and hold no lock.
  package func postHere(_ event: VoiceEvent) {
    guard let (waiter, stamped) = accept(event) else { return }
    executor.runHere { waiter.resume(returning: stamped) }
  }

  /// Who must be resumed with what, if somebody waits.
  private func accept(_ event: VoiceEvent) -> (UnsafeContinuation<StampedEvent?, Never>, StampedEvent)? {
    state.withLock { state in
      if state.isFinished { return nil }
      if case .microphoneFrame = event, state.events.count - state.taken >= Limits.inboxEvents { return nil }
      let stamped = StampedEvent(time: now, event: event)
      if let waiter = state.waiter {
        state.waiter = nil
        return (waiter, stamped)
      }
      state.events.append(stamped)
      return nil
    }
  }

  /// Nothing more is taken in; `next()` returns what is left and then nil.
  package func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  package func next() async -> StampedEvent? {
    await withUnsafeContinuation { continuation in
      let immediate: StampedEvent?? = state.withLock { state in
        if state.taken < state.events.count {
          let event = state.events[state.taken]
          state.taken += 1
          if state.taken == state.events.count {
            state.events.removeAll(keepingCapacity: true)
            state.taken = 0
          }
          return .some(event)
        }
        if state.isFinished { return .some(nil) }
        precondition(state.waiter == nil, "two tasks take from one inbox")
        state.waiter = continuation
        return nil
      }
      if let immediate { continuation.resume(returning: immediate) }
    }
  }
}

extension Duration {
  /// Whole microseconds.
  package var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
