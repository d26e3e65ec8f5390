import Dispatch
import VoiceSystem
import VoiceVocabulary

/// One thread that writes what a session leaves behind, once a second: to wake one for each frame would cost more than the
/// writing. Any thread may call it.
package final class WriteBehind: Sendable {
  private struct State {
    var writers: [@Sendable () -> Void] = []
    var isAwake = false
  }

  private let queue = DispatchQueue(label: "parley.write-behind")
  private let state = Locked(State())

  package init() {}

  /// Let this be called, on the one thread, some time after `wake`.
  package func add(_ writer: @escaping @Sendable () -> Void) { state.withLock { $0.writers.append(writer) } }

  /// Something waits to be written.
  package func wake() {
    let mustPlan = state.withLock { state in
      defer { state.isAwake = true }
      return !state.isAwake
    }
    if mustPlan { queue.asyncAfter(deadline: .now() + .seconds(1)) { [self] in write() } }
  }

  /// Returns once everything that waited is written; then does the last thing on the same thread.
  package func finish(_ last: () -> Void) {
    queue.sync {
      write()
      last()
    }
  }

  private func write() {
    let writers = state.withLock { state in
      state.isAwake = false
      return state.writers
    }
    for writer in writers { writer() }
  }
}
