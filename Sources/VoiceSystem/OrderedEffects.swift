/// Who decides something that has effects.
package enum EffectSource: Sendable {
  /// What comes from outside, as much as it likes. Waits while another thread performs.
  case reader
  /// Whoever calls a port, a timer, or an effect itself. Never waits for an effect.
  case caller
}

/// A state that several threads change, and the effects of its changes: decided under a lock, performed outside of it, in the
/// order of the decisions.
///
/// One thread performs at a time. A caller that finds another thread performing leaves its effects to it and goes on, and so does a
/// call from inside an effect; so an effect may tell at once what came of it, and must not wait for an effect behind it. A reader
/// waits instead: so nobody is kept by what an agent writes, and no more of that waits in here than one decision's effects.
package final class OrderedEffects<State, Effect: Sendable>: @unchecked Sendable {
  // What can change is touched only while `monitor` is held.
  private let monitor = Monitor()
  private var state: State
  private var waiting: [Effect] = []
  private var performer: UInt?
  private var readers = 0

  package init(_ state: sending State) { self.state = state }

  /// Use the state, while nobody else does, without any effect.
  package func withLock<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> sending Result {
    monitor.lock()
    defer { monitor.unlock() }
    return try body(&state)
  }

  /// Decide, and see to it that what follows is performed. Any thread.
  ///
  /// - Parameters:
  ///   - decide: changes the state, and returns what follows in order. Under the lock.
  ///   - perform: does one effect, maybe of another thread's decision: the same for every call. Without the lock.
  package func step(
    by source: EffectSource = .caller, _ decide: (inout State) -> [Effect], perform: (Effect) -> Void
  ) {
    monitor.lock()
    defer { monitor.unlock() }
    if case .reader = source { waitForPerformer() }
    waiting += decide(&state)
    guard performer == nil, !waiting.isEmpty else { return }
    performer = Self.thread
    while !waiting.isEmpty {
      let effects = waiting
      waiting = []
      monitor.unlock()
      for effect in effects { perform(effect) }
      monitor.lock()
    }
    performer = nil
    if readers > 0 { monitor.wakeAll() }
  }

  /// How many readers wait for another thread; for tests.
  var waitingReaders: Int { withLock { _ in readers } }

  private func waitForPerformer() {
    readers += 1
    while let performer, performer != Self.thread { monitor.wait() }
    readers -= 1
  }

  private static var thread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }
}
