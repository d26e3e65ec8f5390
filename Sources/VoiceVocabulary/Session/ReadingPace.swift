import Synchronization

/// How whoever reads from an agent waits until what was read before is dealt with: a slow session slows the agent, instead of
/// remembering all that it writes. An agent that was told to stop is read at once, or it could not read that. Any thread.
package final class ReadingPace: Sendable {
  private let onThread: @Sendable () -> Void
  private let inTask: @Sendable () async -> Void
  private let isHalting = Atomic(false)

  /// - Parameters:
  ///   - onThread: waits on a thread of the reader's own.
  ///   - inTask: waits in a task, whose thread is needed meanwhile.
  package init(onThread: @escaping @Sendable () -> Void, inTask: @escaping @Sendable () async -> Void) {
    self.onThread = onThread
    self.inTask = inTask
  }

  /// Waits for nobody.
  package static let unlimited = ReadingPace(onThread: {}, inTask: {})

  /// The agent is told to stop, or that is over.
  package func halts(_ isHalting: Bool) { self.isHalting.store(isHalting, ordering: .relaxed) }

  /// Wait before more is dealt with; not on a thread that takes a step, or holds a lock that a step may want.
  package func waitOnThread() { if !isHalting.load(ordering: .relaxed) { onThread() } }

  /// Wait before more is dealt with.
  package func waitInTask() async { if !isHalting.load(ordering: .relaxed) { await inTask() } }
}
