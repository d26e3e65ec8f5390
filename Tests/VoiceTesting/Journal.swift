import VoiceSystem
import VoiceVocabulary

/// What happened so far, for tests that wait for something to happen. Any thread appends; one task waits.
package final class Journal<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var taken = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  package init() {}

  /// Everything, from the start.
  package var all: [Element] { state.withLock { $0.elements } }

  package func append(_ element: Element) {
    state.withLock { $0.elements.append(element) }
    wakeWaiter()
  }

  /// The next element that was not taken yet and yields a value; those before it are skipped.
  /// Bounded by the time limit of the test, which cancels it: the test then fails, and ends what it started.
  package func next<Value: Sendable>(_ pick: @Sendable (Element) -> Value?) async throws -> Value {
    while true {
      try Task.checkCancellation()
      let found: Value? = state.withLock { state in
        while state.taken < state.elements.count {
          state.taken += 1
          if let value = pick(state.elements[state.taken - 1]) { return value }
        }
        return nil
      }
      if let found { return found }
      await waitForMore(than: state.withLock { $0.taken })
    }
  }

  /// Wait until everything so far meets a condition. False if the test is cancelled first, as its time limit does.
  package func wait(until isMet: ([Element]) -> Bool) async -> Bool {
    while !Task.isCancelled {
      let elements = all
      if isMet(elements) { return true }
      await waitForMore(than: elements.count)
    }
    return false
  }

  private func waitForMore(than count: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          if state.elements.count > count || Task.isCancelled { return true }
          precondition(state.waiter == nil, "two tasks wait for one journal")
          state.waiter = continuation
          return false
        }
        if isLate { continuation.resume() }
      }
    } onCancel: {
      wakeWaiter()
    }
  }

  private func wakeWaiter() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
